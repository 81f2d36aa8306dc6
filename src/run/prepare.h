/* SPDX-License-Identifier: MIT */
/* Getting ready: what `jager check` and `jager run` do alike, so that the one refuses what the other would. */
#ifndef JAGER_RUN_PREPARE_H
#define JAGER_RUN_PREPARE_H

#include "dem/simulation.h"

/*
 * A simulation of a case that has been read, ready for dem_simulation_begin; see there. Returns the exit code; unless
 * it is EXIT_DONE, there is an error and no simulation.
 */
int run_prepare(const dem_case *run, int threads, dem_simulation **simulation, error_info *error);

#endif
