/* SPDX-License-Identifier: MIT */
/* Loading of the cell: strain increments, wave paths, stresses and the quantities derived from them. */
#ifndef JAGER_DEM_DRIVE_H
#define JAGER_DEM_DRIVE_H

#include "simulation_state.h"

/* Chooses the strain increments of the next step, and the movement of the cell. */
void dem_drive(dem_simulation *s);

/*
 * The sign of the change of a stress, p or q, or a strain, that the strain rates and steps of the stage cause in an
 * elastic assembly: 1, -1, or 0 if they do not change it, or change it only by way of servos.
 */
int dem_drive_sign(const dem_simulation *s, dem_quantity quantity);

/* The present value of a quantity. Strains count from the start of the stage. */
double dem_quantity_value(const dem_simulation *s, dem_quantity quantity);

/* Mean stress tensor of the cell, Pa. */
void dem_stress(const dem_simulation *s, double stress[DEM_COMPONENTS]);

/* √(2 d:d) of the deviatoric part of six strain increments: the shear strain of the step. */
double dem_shear_size(const double increment[DEM_COMPONENTS]);

/* ---- Wave paths: components that follow waves in the phase of the stage ------------------------------------------ */

/* The side of the peak that the cycled component has passed since the last reversal: 1 or -1; 0: none. */
int dem_wave_peak(const dem_simulation *s);

/* Has any component passed a peak since this phase? */
bool dem_wave_has_peaked(const dem_simulation *s, double phase_before);

/* The number of components that follow waves. */
int dem_wave_count(const dem_stage *stage);

#endif
