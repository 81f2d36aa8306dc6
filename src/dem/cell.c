/* SPDX-License-Identifier: MIT */
/* Rotations, and the periodic cell. */
#include "cell.h"

quaternion dem_quaternion_from_axes(const vec3 axes[3])
{
  const double m[3][3] = {
      {axes[0].x, axes[1].x, axes[2].x}, {axes[0].y, axes[1].y, axes[2].y}, {axes[0].z, axes[1].z, axes[2].z}};
  double trace = m[0][0] + m[1][1] + m[2][2];
  if (trace > 0.0)
    return quaternion_normalise((quaternion){1.0 + trace, m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1]});
  int i = m[1][1] > m[0][0] ? 1 : 0; /* the largest component of the vector part, to divide by no small number */
  i = m[2][2] > m[i][i] ? 2 : i;
  int j = (i + 1) % 3, k = (i + 2) % 3;
  double v[3];
  v[i] = 1.0 + m[i][i] - m[j][j] - m[k][k];
  v[j] = m[i][j] + m[j][i];
  v[k] = m[i][k] + m[k][i];
  return quaternion_normalise((quaternion){m[k][j] - m[j][k], v[0], v[1], v[2]});
}

/* ---- The cell ---------------------------------------------------------------------------------------------------- */

upper_matrix dem_cell_movement(const double strain[DEM_COMPONENTS])
{
  upper_matrix l = {-strain[DEM_XX],       -strain[DEM_YY],       -strain[DEM_ZZ],
                    -2.0 * strain[DEM_XY], -2.0 * strain[DEM_XZ], -2.0 * strain[DEM_YZ]};
  /* (1 - L/2) A = L, column by column, from the lowest row up */
  double x = 1.0 - 0.5 * l.xx, y = 1.0 - 0.5 * l.yy, z = 1.0 - 0.5 * l.zz;
  upper_matrix a;
  a.xx = l.xx / x;
  a.yy = l.yy / y;
  a.zz = l.zz / z;
  a.xy = (l.xy + 0.5 * l.xy * a.yy) / x;
  a.yz = (l.yz + 0.5 * l.yz * a.zz) / y;
  a.xz = (l.xz + 0.5 * l.xy * a.yz + 0.5 * l.xz * a.zz) / x;
  return a;
}

upper_matrix dem_cell_moved(upper_matrix h, upper_matrix a)
{
  return (upper_matrix){h.xx + a.xx * h.xx,
                        h.yy + a.yy * h.yy,
                        h.zz + a.zz * h.zz,
                        h.xy + (a.xx * h.xy + a.xy * h.yy),
                        h.xz + (a.xx * h.xz + a.xy * h.yz + a.xz * h.zz),
                        h.yz + (a.yy * h.yz + a.yz * h.zz)};
}

/* The tilt is reduced beyond this fraction of an edge: more than a half, so that rounding cannot make it alternate. */
#define TILT_MAX 0.55

bool dem_cell_reduce_tilt(upper_matrix *h)
{
  bool changed = false;
  if (fabs(h->yz) > TILT_MAX * h->yy) {
    double turns = nearbyint(h->yz / h->yy);
    h->yz -= turns * h->yy;
    h->xz -= turns * h->xy;
    changed = true;
  }
  if (fabs(h->xy) > TILT_MAX * h->xx) {
    h->xy -= nearbyint(h->xy / h->xx) * h->xx;
    changed = true;
  }
  if (fabs(h->xz) > TILT_MAX * h->xx) {
    h->xz -= nearbyint(h->xz / h->xx) * h->xx;
    changed = true;
  }
  return changed;
}

vec3 dem_cell_widths(upper_matrix h)
{
  vec3 a = {h.xx, 0.0, 0.0}, b = {h.xy, h.yy, 0.0}, c = {h.xz, h.yz, h.zz};
  double volume = dem_cell_volume(h);
  return (vec3){volume / vec3_length(vec3_cross(b, c)), volume / vec3_length(vec3_cross(c, a)),
                volume / vec3_length(vec3_cross(a, b))};
}

double dem_cell_width(upper_matrix h)
{
  vec3 widths = dem_cell_widths(h);
  return fmin(widths.x, fmin(widths.y, widths.z));
}

vec3 dem_cell_wrap(upper_matrix h, vec3 x)
{
  vec3 s = upper_matrix_solve(h, x);
  vec3 whole = {floor(s.x), floor(s.y), floor(s.z)};
  return vec3_subtract(x, upper_matrix_times(h, whole));
}
