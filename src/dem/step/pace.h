/* SPDX-License-Identifier: MIT */
/* The pace of prescribed strains in stages that hold an inertial number. */
#ifndef JAGER_DEM_STEP_PACE_H
#define JAGER_DEM_STEP_PACE_H

#include "dem/state.h"

/* √(2 d:d) of the deviatoric part of six strain increments: the shear strain of the step. */
double dem_shear_size(const double increment[DEM_COMPONENTS]);

/*
 * The factor for the prescribed increments of the next step, in stages with an inertial number. `plan`: the increments
 * with the factor 1, in the direction of the stage; 0 for components that servos move.
 */
double dem_pace_advance(dem_simulation *s, const double plan[DEM_COMPONENTS]);

/* To be called with the increments of the step, when all of them are known. */
void dem_pace_observe(dem_simulation *s);

#endif
