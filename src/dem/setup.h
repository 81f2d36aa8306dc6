/* SPDX-License-Identifier: MIT */
/* From a case to a simulation at its first step: its memory and its spheres. */
#ifndef JAGER_DEM_SETUP_H
#define JAGER_DEM_SETUP_H

#include "simulation_state.h"

/* Memory that begins on a cache line, to be freed; NULL: out of memory. */
void *dem_lines_allocate(size_t bytes);

/* A simulation with room for the spheres and all state zero, but the contact law and damping of the case. */
dem_simulation *dem_simulation_allocate(const dem_case *run, size_t count, int threads, error_info *error);

/* Computes volume, mean diameter, extreme radii and skin from the radii. */
void dem_simulation_update_sizes(dem_simulation *s);

/* Mass of a sphere, times the density scaling, kg. */
double dem_simulation_mass(const dem_simulation *s, double radius);

/* Computes the density from the masses, if they differ from the function above. */
void dem_simulation_update_density(dem_simulation *s);

/*
 * Puts the spheres back to where packing began: the same random spheres, without contacts, in stage 0. Steps and time
 * go on, and the search for the target, which begins its next trial. On failure the simulation is as it was.
 */
bool dem_packing_restart(dem_simulation *s, error_info *error);

/* ---- Spheres before a simulation has them ------------------------------------------------------------------------ */

typedef struct grain {
  vec3 x; /* m */
  double radius;
  uint32_t id;
} grain;

typedef struct grains {
  size_t count;
  grain *list;
  upper_matrix cell;
} grains;

void dem_grains_free(grains *g);

/* Random spheres or a lattice, as the case says (generate.c). */
bool dem_grains_generate(grains *g, const dem_case *run, error_info *error);

/* Spheres of a text file (assembly_file.c). */
bool dem_grains_read(grains *g, const char *path, error_info *error);

/* Sorts along a space-filling curve: near in space is then mostly near in number. */
bool dem_grains_sort(grains *g, error_info *error);

#endif
