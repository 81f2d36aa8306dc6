/* SPDX-License-Identifier: MIT */
/* Stages: their beginning, reversals, end and progress. */
#ifndef JAGER_DEM_STEP_STAGE_H
#define JAGER_DEM_STEP_STAGE_H

#include "dem/state.h"

/* Least number of steps before an assembly counts as at rest: forces need some steps to act. */
enum { STEPS_TO_REST = 100 };

bool dem_stage_begin(dem_simulation *s, int number, error_info *error);

/* To be called after each step: reverses a cyclic stage at its amplitude. Returns whether the stage has ended. */
bool dem_stage_finish_step(dem_simulation *s);

/*
 * The stage has ended, but the case has changed since: does it go on with the new end? Returns whether it does, and
 * makes up for what the step at the old end has left out.
 */
bool dem_stage_take_back_end(dem_simulation *s);

/* Completed share of the present stage, 0 to 1, as far as it is known. */
double dem_stage_progress(const dem_simulation *s);

#endif
