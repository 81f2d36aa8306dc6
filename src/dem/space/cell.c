/* SPDX-License-Identifier: MIT */
/* The periodic cell. */
#include "cell.h"

upper cell_movement(const double strain[DEM_COMPONENTS])
{
  upper l = {-strain[DEM_XX],       -strain[DEM_YY],       -strain[DEM_ZZ],
             -2.0 * strain[DEM_XY], -2.0 * strain[DEM_XZ], -2.0 * strain[DEM_YZ]};
  /* (1 - L/2) A = L, column by column, from the lowest row up */
  double x = 1.0 - 0.5 * l.xx, y = 1.0 - 0.5 * l.yy, z = 1.0 - 0.5 * l.zz;
  upper a;
  a.xx = l.xx / x;
  a.yy = l.yy / y;
  a.zz = l.zz / z;
  a.xy = (l.xy + 0.5 * l.xy * a.yy) / x;
  a.yz = (l.yz + 0.5 * l.yz * a.zz) / y;
  a.xz = (l.xz + 0.5 * l.xy * a.yz + 0.5 * l.xz * a.zz) / x;
  return a;
}

upper cell_moved(upper h, upper a)
{
  return (upper){h.xx + a.xx * h.xx,
                 h.yy + a.yy * h.yy,
                 h.zz + a.zz * h.zz,
                 h.xy + (a.xx * h.xy + a.xy * h.yy),
                 h.xz + (a.xx * h.xz + a.xy * h.yz + a.xz * h.zz),
                 h.yz + (a.yy * h.yz + a.yz * h.zz)};
}

/* Beyond this share of the edge it leans over, a cell is set upright: more than a half, lest it goes to and fro. */
#define LEAN_MAX 0.55

bool cell_reduce(upper *h)
{
  bool changed = false;
  if (fabs(h->yz) > LEAN_MAX * h->yy) {
    double turns = nearbyint(h->yz / h->yy);
    h->yz -= turns * h->yy;
    h->xz -= turns * h->xy;
    changed = true;
  }
  if (fabs(h->xy) > LEAN_MAX * h->xx) {
    h->xy -= nearbyint(h->xy / h->xx) * h->xx;
    changed = true;
  }
  if (fabs(h->xz) > LEAN_MAX * h->xx) {
    h->xz -= nearbyint(h->xz / h->xx) * h->xx;
    changed = true;
  }
  return changed;
}

vec3 cell_widths(upper h)
{
  vec3 a = {h.xx, 0.0, 0.0}, b = {h.xy, h.yy, 0.0}, c = {h.xz, h.yz, h.zz};
  double volume = cell_volume(h);
  return (vec3){volume / vec3_length(vec3_cross(b, c)), volume / vec3_length(vec3_cross(c, a)),
                volume / vec3_length(vec3_cross(a, b))};
}

double cell_width(upper h)
{
  vec3 widths = cell_widths(h);
  return fmin(widths.x, fmin(widths.y, widths.z));
}

vec3 cell_wrap(upper h, vec3 x)
{
  vec3 s = upper_solve(h, x);
  vec3 whole = {floor(s.x), floor(s.y), floor(s.z)};
  return vec3_subtract(x, upper_times(h, whole));
}
