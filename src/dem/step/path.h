/* SPDX-License-Identifier: MIT */
/* Paths: strains and stresses that follow waves in the phase of the stage. */
#ifndef JAGER_DEM_STEP_PATH_H
#define JAGER_DEM_STEP_PATH_H

#include "dem/state.h"

/* Sets the phase to that of the end of the next step. `factor`: cycles of the step, if the pace chooses them. */
void dem_path_advance(dem_simulation *s, double factor);

/* The strain of a component since the start of the stage, and the stress, at the present phase. */
double dem_path_strain(const dem_simulation *s, const dem_control *control);
double dem_path_stress(const dem_simulation *s, const dem_control *control, double start);

/* The largest strain per cycle of a component on a path of strain; 0 of other components. */
double dem_path_fastest(const dem_control *control);

/* The side of the peak that the cycled component has passed since the last reversal: 1 or -1; 0: none. */
int dem_path_peak(const dem_simulation *s);

/* Has any component passed a peak since this phase? */
bool dem_path_has_peaked(const dem_simulation *s, double phase_before);

/* The number of components that follow waves. */
int dem_path_waves(const dem_stage *stage);

#endif
