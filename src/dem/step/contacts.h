/* SPDX-License-Identifier: MIT */
/* The contact phase of a step. */
#ifndef JAGER_DEM_STEP_CONTACTS_H
#define JAGER_DEM_STEP_CONTACTS_H

#include "dem/state.h"

/* Moves all contacts as their spheres have moved in the step, and computes the forces. */
bool dem_contacts_move(dem_simulation *s, error_info *error);

/* Sums the normal forces in the order of a step: for contacts that were read from a checkpoint. */
void dem_contacts_sum_normal_forces(dem_simulation *s);

#endif
