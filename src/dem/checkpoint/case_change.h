/* SPDX-License-Identifier: MIT */
/*
 * May a state continue in a case that differs from the one it was made with? The rule: the continued run must be the
 * run that the new case would have given from the start. So the past must be the same, and the future is free.
 *
 * A simulation under way may change more: its case then states how the present stage continues, not how it began.
 */
#ifndef JAGER_DEM_CHECKPOINT_CASE_CHANGE_H
#define JAGER_DEM_CHECKPOINT_CASE_CHANGE_H

#include "dem/simulation.h"

#include <stdbool.h>

/*
 * Contacts keep the stiffness that they were made with. Can the contacts of a state be contacts of this case?
 * `before` holds the keys of the case that the state was made with, from dem_case_keys_print. If not, the error names
 * the keys that differ.
 */
bool dem_case_accepts_contacts(const dem_case *run, const char *before, const char *path, error_info *error);

/*
 * May the simulation, with the state of a checkpoint, continue in its case? The case may differ from before in
 *
 *   - the end of the present stage, if the new end cannot have come already;
 *   - stages that have not begun;
 *   - assembly.packing.max_steps and overlap_limit, which may rise.
 *
 * `end_differs` is set if the present stage has another end. If the answer is no, the error names the keys that
 * differ.
 */
bool dem_case_may_continue(const dem_simulation *simulation, const char *before, const char *path, bool *end_differs,
                           error_info *error);

/* Where the present stage differs in two cases. */
typedef struct dem_case_difference {
  bool of_end;     /* until */
  bool of_loading; /* control, mean_stress, friction or damping */
} dem_case_difference;

/*
 * May the simulation go on in the case `now`? It may differ in stages that have not begun and, of the present stage, in
 *
 *   - friction and damping;
 *   - control and mean_stress, if the new ones have no ramp, and the stage has neither cycles nor paths nor an inertial
 *     number;
 *   - the end: not to steps or a time that have passed; of stages with cycles, paths or an inertial number as above.
 */
bool dem_case_may_change(const dem_simulation *simulation, const dem_case *now, dem_case_difference *found,
                         error_info *error);

#endif
