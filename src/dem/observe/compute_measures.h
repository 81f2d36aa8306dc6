/* SPDX-License-Identifier: MIT */
/* Computing the measures of measures.h, and the energies. */
#ifndef JAGER_DEM_OBSERVE_COMPUTE_MEASURES_H
#define JAGER_DEM_OBSERVE_COMPUTE_MEASURES_H

#include "dem/state.h"

/* The memory that measuring needs is allocated with the simulation, so that measuring cannot fail. */
bool dem_measures_allocate(dem_simulation *s, error_info *error);
void dem_measures_free(dem_simulation *s);

/* Work and dissipation since the start of the ledger: the same numbers as the measures. */
loop_energies dem_energies(const dem_simulation *s);

/* Starts the energy ledger: work and dissipation count from here. */
/* Kinetic energy at the time of the positions, J. */
double dem_kinetic_energy(const dem_simulation *s);

void dem_ledger_open(dem_simulation *s);

#endif
