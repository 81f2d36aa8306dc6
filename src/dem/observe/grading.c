/* SPDX-License-Identifier: MIT */
/* The grading of an assembly by mass. */
#include "grading.h"
#include "dem/state.h"

#include <stdlib.h>
#include <string.h>

static int compare_diameters(const void *left, const void *right)
{
  double a = *(const double *)left, b = *(const double *)right;
  return a < b ? -1 : a > b;
}

/* The smallest diameter that passes the fraction. The last one passes everything. */
static double diameter_at(const dem_grading *g, double fraction)
{
  size_t k = 0;
  while (k + 1 < g->count && g->passing[k] < fraction)
    k++;
  return g->diameters[k];
}

static void find_passing(dem_grading *g)
{
  double sum = 0.0;
  for (size_t k = 0; k < g->count; k++) {
    double d = g->diameters[k];
    sum += d * d * d;
    g->passing[k] = sum;
  }
  for (size_t k = 0; k < g->count; k++)
    g->passing[k] /= sum;
}

bool dem_grading_make(dem_grading *g, const double *diameters, size_t count)
{
  *g = (dem_grading){
      .count = count, .diameters = malloc(count * sizeof *g->diameters), .passing = malloc(count * sizeof *g->passing)};
  if (!g->diameters || !g->passing) {
    dem_grading_free(g);
    return false;
  }
  memcpy(g->diameters, diameters, count * sizeof *diameters);
  qsort(g->diameters, count, sizeof *g->diameters, compare_diameters);
  find_passing(g);
  g->d10 = diameter_at(g, 0.1);
  g->d30 = diameter_at(g, 0.3);
  g->d50 = diameter_at(g, 0.5);
  g->d60 = diameter_at(g, 0.6);
  g->uniformity = g->d60 / g->d10;
  g->curvature = g->d30 * g->d30 / (g->d10 * g->d60);
  return true;
}

bool dem_grading_take(dem_grading *g, const dem_simulation *s)
{
  double *diameters = malloc(s->count * sizeof *diameters);
  for (size_t i = 0; diameters && i < s->count; i++)
    diameters[i] = 2.0 * s->bodies[i].radius;
  bool is_made = diameters && dem_grading_make(g, diameters, s->count);
  free(diameters);
  if (!is_made)
    *g = (dem_grading){.count = 0};
  return is_made;
}

void dem_grading_free(dem_grading *g)
{
  free(g->diameters);
  free(g->passing);
  *g = (dem_grading){.count = 0};
}
