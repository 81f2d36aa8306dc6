/* SPDX-License-Identifier: MIT */
/* Moves a contact by one step of a path, which prescribes displacements or forces. */
#ifndef JAGER_CLI_CONTACT_DRIVE_H
#define JAGER_CLI_CONTACT_DRIVE_H

#include "jager/jager.h"
#include "files/path_reader.h"

/* The result of a step. */
typedef struct contact_outcome {
  jager_movement movement;
  jager_force force;
} contact_outcome;

/* The energies of the step are added to the balance. */
jager_status contact_drive(const jager_law *law, jager_pool *pool, jager_contact *contact, path_control control,
                           const path_step *step, jager_balance *balance, contact_outcome *outcome);

/* The same for the first part of the step (0 < share <= 1), on a copy of the contact. */
jager_status contact_drive_partly(const jager_law *law, jager_pool *pool, const jager_contact *contact,
                                  path_control control, const path_step *step, double share, contact_outcome *outcome);

#endif
