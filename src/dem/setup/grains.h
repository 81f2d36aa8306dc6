/* SPDX-License-Identifier: MIT */
/* Spheres as they are generated or read, before a simulation has them. */
#ifndef JAGER_DEM_SETUP_GRAINS_H
#define JAGER_DEM_SETUP_GRAINS_H

#include "base/error.h"
#include "dem/case.h"
#include "dem/space/cell.h"

#include <stddef.h>
#include <stdint.h>

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

bool dem_grains_allocate(grains *g, size_t count, error_info *error);
void dem_grains_free(grains *g);

/* Random spheres or a lattice, as the case says (generate.c). */
bool dem_grains_generate(grains *g, const dem_case *run, error_info *error);

/* Spheres of a text file (assembly_file.c). */
bool dem_grains_read(grains *g, const char *path, error_info *error);

/* Sorts along a space-filling curve: near in space is then mostly near in number. */
bool dem_grains_sort(grains *g, error_info *error);

#endif
