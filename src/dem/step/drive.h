/* SPDX-License-Identifier: MIT */
/* Loading of the cell: strain increments, stresses and the quantities derived from them. */
#ifndef JAGER_DEM_STEP_DRIVE_H
#define JAGER_DEM_STEP_DRIVE_H

#include "dem/state.h"

/* Chooses the strain increments of the next step, and the movement of the cell. */
void dem_drive(dem_simulation *s);

/*
 * The sign of the change of a stress, p or q, or a strain, that the strain rates and steps of the stage cause in an
 * elastic assembly: 1, -1, or 0 if they do not change it, or change it only by way of servos.
 */
int dem_drive_sign(const dem_simulation *s, dem_quantity quantity);

/* The present value of a quantity. Strains count from the start of the stage. */
double dem_quantity_value(const dem_simulation *s, dem_quantity quantity);

/* The largest of this stress and the stress targets of the stage, Pa. */
double dem_reference_stress(const dem_simulation *s, double stress);

/* Mean stress tensor of the cell, Pa. */
void dem_stress(const dem_simulation *s, double stress[DEM_COMPONENTS]);

#endif
