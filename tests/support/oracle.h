/* SPDX-License-Identifier: MIT */
/*
 * An oracle that shares nothing with the library.
 *
 * clamp_path: the exact mechanics in one direction, in extended precision. The path E(z) is a polyline; a movement
 * clamps it, point by point, between E_T ± f(ζ - z). It neither walks nor solves for a cut, and keeps every vertex.
 */
#ifndef TEST_ORACLE_H
#define TEST_ORACLE_H

#include "jager/jager.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- clamp_path ------------------------------------------------------------------------------------------------ */

enum { CLAMP_POINTS_MAX = 4096 };

struct clamp_path {
  long double f, stiffness, kappa; /* Fn = stiffness ζ^1.5 */
  int count;
  long double z[CLAMP_POINTS_MAX], e[CLAMP_POINTS_MAX];
};

static inline void clamp_path_init(struct clamp_path *path, const jager_law *law, double stiffness)
{
  path->f = law->friction;
  path->kappa = law->kappa;
  path->stiffness = stiffness;
  path->count = 1;
  path->z[0] = path->e[0] = 0.0L;
}

static inline long double clamp_between(long double x, long double low, long double high)
{
  return x < low ? low : x > high ? high : x;
}

/* Height on [z0, z1] at which the line through (z0, d0), (z1, d1) crosses zero; d0 and d1 differ in sign */
static inline long double crossing(long double z0, long double d0, long double z1, long double d1)
{
  return z0 + (z1 - z0) * (d0 / (d0 - d1));
}

static inline void clamp_path_append(struct clamp_path *path, long double z, long double e)
{
  if (path->count > 0 && z <= path->z[path->count - 1])
    return;
  if (path->count == CLAMP_POINTS_MAX)
    abort();
  path->z[path->count] = z;
  path->e[path->count++] = e;
}

/* To ζ > 0 and by Δξ */
static inline void clamp_path_move(struct clamp_path *path, long double zeta, long double dxi)
{
  struct clamp_path old = *path;
  long double target = old.e[old.count - 1] + dxi / old.kappa;
  if (zeta > old.z[old.count - 1]) /* springs that engage on the way lie on the straight line to the target */
    clamp_path_append(&old, zeta, target);
  path->count = 0;
  for (int k = 0; k < old.count && old.z[k] < zeta; k++) {
    long double reach = old.f * (zeta - old.z[k]);
    clamp_path_append(path, old.z[k], clamp_between(old.e[k], target - reach, target + reach));
    if (k + 1 == old.count)
      break;
    for (int side = -1; side <= 1; side += 2) { /* vertices where a bound is crossed */
      long double d0 = side * (old.e[k] - target) - reach;
      long double d1 = side * (old.e[k + 1] - target) - old.f * (zeta - old.z[k + 1]);
      if ((d0 < 0.0L) != (d1 < 0.0L)) {
        long double z = crossing(old.z[k], d0, old.z[k + 1], d1);
        if (z < zeta)
          clamp_path_append(path, z, target + side * old.f * (zeta - z));
      }
    }
  }
  if (path->count == 0)
    clamp_path_append(path, 0.0L, clamp_between(0.0L, target - old.f * zeta, target + old.f * zeta));
  clamp_path_append(path, zeta, target);
}

static inline long double clamp_path_force(const struct clamp_path *path)
{
  long double ft = 0.0L;
  for (int k = 1; k < path->count; k++) {
    long double slope = (path->e[k] - path->e[k - 1]) / (path->z[k] - path->z[k - 1]);
    ft += slope * path->stiffness * (path->z[k] * sqrtl(path->z[k]) - path->z[k - 1] * sqrtl(path->z[k - 1]));
  }
  return ft;
}

#endif
