/* SPDX-License-Identifier: MIT */
/* Memory of a simulation, and the sizes and masses of its spheres. */
#ifndef JAGER_DEM_SETUP_ALLOCATE_H
#define JAGER_DEM_SETUP_ALLOCATE_H

#include "dem/state.h"

/* A simulation with room for the spheres and all state zero, but the contact law and damping of the case. */
dem_simulation *dem_simulation_allocate(const dem_case *run, size_t count, int threads, error_info *error);

/* Computes volume, mean diameter, extreme radii and skin from the radii. */
void dem_simulation_update_sizes(dem_simulation *s);

/* Mass of a sphere, times the density scaling, kg. */
double dem_simulation_mass(const dem_simulation *s, double radius);

/* Computes the density from the masses, if these are not those of the function above. */
void dem_simulation_update_density(dem_simulation *s);

#endif
