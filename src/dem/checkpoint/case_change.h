/* SPDX-License-Identifier: MIT */
/*
 * May a state go on with this case, though it was made with another one? Rule: a run that goes on is what the case
 * would have given from the start. So the past must be the same, and the future is free.
 */
#ifndef JAGER_DEM_CHECKPOINT_CASE_CHANGE_H
#define JAGER_DEM_CHECKPOINT_CASE_CHANGE_H

#include "dem/simulation.h"

#include <stdbool.h>

/*
 * The contacts of a state keep the stiffness that they were made with: can they be contacts of this case? `before`
 * are the keys of the case that it was made with, as dem_case_keys_print tells them. If not, the error tells what
 * differs.
 */
bool dem_case_accepts_contacts(const dem_case *run, const char *before, const char *path, error_info *error);

/*
 * May the simulation, whose state is that of a checkpoint, go on in its case? These may differ from before:
 *
 *   - the end of its present stage, if it cannot have come yet;
 *   - stages that have not begun;
 *   - assembly.packing.max_steps and overlap_limit, which may rise.
 *
 * `end_differs`: the present stage has another end. If it may not, the error tells what differs.
 */
bool dem_case_may_continue(const dem_simulation *simulation, const char *before, const char *path, bool *end_differs,
                           error_info *error);

#endif
