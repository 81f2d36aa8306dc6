/* SPDX-License-Identifier: MIT */
/*
 * The account of a stage's cycles: their number, the loop of stress over strain, extremes of strain and stress, and the
 * loss of effective stress.
 */
#ifndef JAGER_DEM_STEP_CYCLES_H
#define JAGER_DEM_STEP_CYCLES_H

#include "dem/state.h"

/* ---- Counting ---------------------------------------------------------------------------------------------------- */

/*
 * Cycles of the stage so far: a quarter to the first reversal, a half between reversals, and between these the share of
 * the way to the next one, by the value of the quantity. It never falls: where the quantity goes back before it has
 * reached the amplitude, as a stress does that is lost, the farthest point counts. A stage that starts at the
 * amplitude, or beyond it, counts a half to the first reversal. On paths, the phase. 0 in stages that are not cyclic.
 *
 * This is the only definition: `until`, all files and the summary have it.
 */
double dem_cycles_done(const dem_simulation *s);

/* The amplitude of a stage with reversals: of a strain, or of a stress, Pa. */
double dem_cycle_amplitude(const dem_simulation *s);

/* Reverses the strain rates when the quantity reaches the other side. On paths, only notes the peak. */
void dem_cycles_reverse(dem_simulation *s);

/* ---- The account ------------------------------------------------------------------------------------------------- */

/*
 * Begins the account of a stage; its start values are known. A stage that starts at the amplitude, or beyond it, and
 * would load farther away from the centre, is reversed at once. `before`: the stage before it; NULL: none.
 */
void dem_cycles_begin(dem_simulation *s, const dem_stage *before, const stage_state *state_before);

/* Adds a step, before a reversal at its end. */
void dem_cycles_add_step(dem_simulation *s);

/* Has a loop closed in the present cycle, or in the one that has just ended? */
bool dem_cycle_has_loop(const dem_simulation *s);

/* ---- Ratios ------------------------------------------------------------------------------------------------------ */

/* 1 - p / p₀; p₀ is that of the start of the stages at constant volume. 0 in other stages, which are drained. */
double dem_pore_pressure_ratio(const dem_simulation *s, double p);

/* The same of the normal stress zz. */
double dem_pore_pressure_ratio_zz(const dem_simulation *s, double stress_zz);

/*
 * The stress under the cyclic stress ratio: the initial effective stress normal to the sheared plane (zz for xz and yz,
 * yy for xy), or 2 p₀ for q and normal components. 0: not a cyclic stage, or one that cycles p.
 */
double dem_csr_reference(const dem_simulation *s);

/* The cyclic stress ratio, now: stress of the loop over the reference. */
double dem_csr(const dem_simulation *s);

/* Largest minus smallest strain since the last reversal but one, or since the stage's start; shear strains as gamma. */
double dem_double_amplitude(const dem_simulation *s, dem_component component);

#endif
