/* SPDX-License-Identifier: MIT */
/* Vectors, rotations, and the periodic cell. */
#ifndef JAGER_DEM_CELL_H
#define JAGER_DEM_CELL_H

#include "case.h"
#include "jager/pair.h"

/* Short names for the vectors of jager/pair.h, and arrays of three numbers as vectors. */
typedef jager_vec3 vec3;
#define vec3_add jager_vec3_add
#define vec3_subtract jager_vec3_subtract
#define vec3_scale jager_vec3_scale
#define vec3_add_scaled jager_vec3_add_scaled
#define vec3_dot jager_vec3_dot
#define vec3_cross jager_vec3_cross
#define vec3_length jager_vec3_length
#define vec3_across jager_vec3_across

static inline vec3 vec3_load(const double from[3])
{
  return (vec3){from[0], from[1], from[2]};
}

static inline void vec3_store(double to[3], vec3 v)
{
  to[0] = v.x;
  to[1] = v.y;
  to[2] = v.z;
}

/* A rotation: a unit quaternion. It turns the axes of a body from those of space to where they are. */
typedef struct quaternion {
  double w, x, y, z;
} quaternion;
_Static_assert(sizeof(quaternion) == 4 * sizeof(double), "quaternions are hashed as bytes: no padding");

/* First b, then a. */
static inline quaternion quaternion_times(quaternion a, quaternion b)
{
  return (quaternion){a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                      a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

static inline quaternion quaternion_normalise(quaternion q)
{
  double factor = 1.0 / sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  return (quaternion){factor * q.w, factor * q.x, factor * q.y, factor * q.z};
}

static inline quaternion quaternion_inverse(quaternion q)
{
  return (quaternion){q.w, -q.x, -q.y, -q.z};
}

/* From the axes of the body to those of space: v + 2 u × (u × v + w v) with the vector part u. */
static inline vec3 quaternion_turn(quaternion q, vec3 v)
{
  vec3 u = {q.x, q.y, q.z};
  return vec3_add_scaled(v, 2.0, vec3_cross(u, vec3_add_scaled(vec3_cross(u, v), q.w, v)));
}

/* Where a rotation takes x, y and z. */
static inline void quaternion_axes(quaternion q, vec3 axes[3])
{
  double xx = 2.0 * q.x * q.x, yy = 2.0 * q.y * q.y, zz = 2.0 * q.z * q.z, xy = 2.0 * q.x * q.y, xz = 2.0 * q.x * q.z,
         yz = 2.0 * q.y * q.z, wx = 2.0 * q.w * q.x, wy = 2.0 * q.w * q.y, wz = 2.0 * q.w * q.z;
  axes[0] = (vec3){1.0 - yy - zz, xy + wz, xz - wy};
  axes[1] = (vec3){xy - wz, 1.0 - xx - zz, yz + wx};
  axes[2] = (vec3){xz + wy, yz - wx, 1.0 - xx - yy};
}

/* From coordinates along these axes to those along x, y and z. */
static inline vec3 vec3_in_axes(const vec3 axes[3], vec3 v)
{
  return vec3_add_scaled(vec3_add_scaled(vec3_scale(v.x, axes[0]), v.y, axes[1]), v.z, axes[2]);
}

/* The rotation from x, y and z to these orthogonal, right-handed axes. */
quaternion dem_quaternion_from_axes(const vec3 axes[3]);

/*
 * The periodic cell. Its edges a = (xx, 0, 0), b = (xy, yy, 0) and c = (xz, yz, zz) are the columns of an upper
 * triangular matrix h. The cell deforms homogeneously, and all positions in it follow: x becomes x + A x.
 */

/* An upper triangular matrix. */
typedef struct upper_matrix {
  double xx, yy, zz, xy, xz, yz;
} upper_matrix;
_Static_assert(sizeof(upper_matrix) == 6 * sizeof(double), "cells are hashed and compared as bytes: no padding");

static inline vec3 upper_matrix_times(upper_matrix m, vec3 v)
{
  return (vec3){m.xx * v.x + m.xy * v.y + m.xz * v.z, m.yy * v.y + m.yz * v.z, m.zz * v.z};
}

/* Solves m s = v. */
static inline vec3 upper_matrix_solve(upper_matrix m, vec3 v)
{
  double z = v.z / m.zz;
  double y = (v.y - m.yz * z) / m.yy;
  return (vec3){(v.x - m.xy * y - m.xz * z) / m.xx, y, z};
}

static inline double dem_cell_volume(upper_matrix h)
{
  return h.xx * h.yy * h.zz;
}

/*
 * The matrix A of the movement x -> x + A x for an increment of strain. With the velocity gradient times Δt, L, it is
 * Cayley's A = (1 - L/2)⁻¹ L. The determinant of 1 + A is 1 to third order if the normal strains sum to zero.
 */
upper_matrix dem_cell_movement(const double strain[DEM_COMPONENTS]);

/* The cell after the movement. */
upper_matrix dem_cell_moved(upper_matrix h, upper_matrix movement);

/*
 * Replaces tilted edges by the least tilted ones of the same periodic lattice. Returns true if an edge has changed:
 * positions must be wrapped again then.
 */
bool dem_cell_reduce_tilt(upper_matrix *h);

/* The smallest distance between opposite faces. */
double dem_cell_width(upper_matrix h);

/* The three distances between opposite faces. */
vec3 dem_cell_widths(upper_matrix h);

/* The periodic image of x inside the cell. */
vec3 dem_cell_wrap(upper_matrix h, vec3 x);

#endif
