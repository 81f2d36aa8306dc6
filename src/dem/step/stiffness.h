/* SPDX-License-Identifier: MIT */
/* The time step and the servo's modulus, from the stiffnesses of the contacts. */
#ifndef JAGER_DEM_STEP_STIFFNESS_H
#define JAGER_DEM_STEP_STIFFNESS_H

#include "dem/state.h"

/* Computes the time step and the modulus of the present contacts. */
void dem_stiffness_update(dem_simulation *s);

/*
 * Are they out of date? They are every time_step.interval steps, when a stage begins, and after contacts have
 * stiffened.
 */
bool dem_stiffness_is_stale(const dem_simulation *s);

#endif
