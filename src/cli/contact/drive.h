/* SPDX-License-Identifier: MIT */
/* Moves a contact by one step of a path, which prescribes displacements or forces. */
#ifndef JAGER_CLI_CONTACT_DRIVE_H
#define JAGER_CLI_CONTACT_DRIVE_H

#include "laws/law_contact.h"
#include "files/path_reader.h"

/* The result of a step. */
typedef struct contact_outcome {
  jager_movement movement;
  jager_force force;
} contact_outcome;

jager_status contact_drive(law_contact *contact, path_control control, const path_step *step, contact_outcome *outcome);

/* The same for the first part of the step (0 < share <= 1), on a twin, which takes over the state of the contact. */
jager_status contact_drive_partly(law_contact *twin, const law_contact *contact, path_control control,
                                  const path_step *step, double share, contact_outcome *outcome);

#endif
