/* SPDX-License-Identifier: MIT */
/* From a case to a simulation at its first step: its memory and its spheres. */
#ifndef JAGER_DEM_SETUP_H
#define JAGER_DEM_SETUP_H

#include "grains.h"
#include "shape.h"

/* Memory that begins on a cache line, to be freed; NULL: out of memory. */
void *dem_lines_allocate(size_t bytes);

/* A simulation with room for the grains and all state zero, but the contact law and damping of the case. */
dem_simulation *dem_simulation_allocate(const dem_case *run, const dem_layout *layout, int threads, error_info *error);

/* Computes volume, mean diameter, extreme radii and skin from the radii of spheres and grains. */
void dem_simulation_update_sizes(dem_simulation *s);

/* Mass of a sphere, times the density scaling, kg; or of a grain with its volume. */
double dem_simulation_mass(const dem_simulation *s, double radius);

/* Gives all grains these masses. */
void dem_simulation_set_masses(dem_simulation *s);

/* Computes the density from the masses, if they differ from the function above. */
void dem_simulation_update_density(dem_simulation *s);

/*
 * Puts the grains back to where packing began: the same random grains, without contacts, in stage 0. Steps and time
 * go on, and the search for the target, which begins its next trial. On failure the simulation is as it was.
 */
bool dem_packing_restart(dem_simulation *s, error_info *error);

/* ---- Grains before a simulation has them ------------------------------------------------------------------------- */

typedef struct grain {
  vec3 x;        /* of the centroid, m */
  double radius; /* of the sphere of the same volume */
  uint32_t id;
  uint32_t shape; /* number of its shape, and its rotation; of spheres without meaning */
  quaternion turn;
} grain;

typedef struct grains {
  size_t count;
  grain *list;
  upper_matrix cell;
  size_t shape_count; /* 0: all grains are spheres */
  dem_shape *shapes;  /* normalised */
} grains;

void dem_grains_free(grains *g);

/* Random grains or a lattice, as the case says (generate.c). */
bool dem_grains_generate(grains *g, const dem_case *run, error_info *error);

/* Grains of a text file (assembly_file.c). */
bool dem_grains_read(grains *g, const char *path, error_info *error);

/* Sorts along a space-filling curve: near in space is then mostly near in number. */
bool dem_grains_sort(grains *g, error_info *error);

#endif
