/* SPDX-License-Identifier: MIT */
/*
 * The grading of an assembly by mass, as sieves give it: which fraction of the mass is finer than a diameter. All
 * spheres have the same density.
 *
 * D10 is the smallest diameter of the assembly that passes with the sphere that has it, and all finer ones, at least
 * 10 % of the mass; D30, D50 and D60 likewise.
 */
#ifndef JAGER_DEM_OBSERVE_GRADING_H
#define JAGER_DEM_OBSERVE_GRADING_H

#include <stdbool.h>
#include <stddef.h>

struct dem_simulation;

typedef struct dem_grading {
  double d10, d30, d50, d60; /* m */
  double uniformity;         /* Cu = D60/D10 */
  double curvature;          /* Cc = D30²/(D10 D60) */
  size_t count;
  double *diameters; /* m, rising; owned */
  double *passing;   /* fraction of the mass of spheres up to this diameter; owned */
} dem_grading;

/* From diameters in any order, at least one. False if there is no memory; there is nothing to free then. */
bool dem_grading_make(dem_grading *grading, const double *diameters, size_t count);

/* Of the spheres of a simulation. */
bool dem_grading_take(dem_grading *grading, const struct dem_simulation *simulation);

void dem_grading_free(dem_grading *grading);

#endif
