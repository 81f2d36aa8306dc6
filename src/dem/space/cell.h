/* SPDX-License-Identifier: MIT */
/*
 * The periodic cell: edges a = (xx, 0, 0), b = (xy, yy, 0), c = (xz, yz, zz), which are the columns of an upper triangular
 * matrix h. It deforms homogeneously, and carries everything in it along: x becomes x + A x.
 */
#ifndef JAGER_DEM_SPACE_CELL_H
#define JAGER_DEM_SPACE_CELL_H

#include "dem/case.h"
#include "contact/vec3.h"

/* An upper triangular matrix. */
typedef struct upper {
  double xx, yy, zz, xy, xz, yz;
} upper;

static inline vec3 upper_times(upper m, vec3 v)
{
  return (vec3){m.xx * v.x + m.xy * v.y + m.xz * v.z, m.yy * v.y + m.yz * v.z, m.zz * v.z};
}

/* Solves m s = v. */
static inline vec3 upper_solve(upper m, vec3 v)
{
  double z = v.z / m.zz;
  double y = (v.y - m.yz * z) / m.yy;
  return (vec3){(v.x - m.xy * y - m.xz * z) / m.xx, y, z};
}

static inline double cell_volume(upper h)
{
  return h.xx * h.yy * h.zz;
}

/*
 * The movement x -> x + A x of an increment of strain, as the velocity gradient L Δt acts: A = (1 - L/2)⁻¹ L (Cayley). Its
 * determinant is 1 to third order when the normal strains add up to zero.
 */
upper cell_movement(const double strain[DEM_COMPONENTS]);

/* The cell after the movement. */
upper cell_moved(upper h, upper movement);

/*
 * Brings each edge as near to upright as others of the same lattice can be. True if something has changed: then positions
 * must be brought into the cell again.
 */
bool cell_reduce(upper *h);

/* Distance between opposite faces, smallest of the three. */
double cell_width(upper h);

/* The distances, one by one. */
vec3 cell_widths(upper h);

/* The place in the cell that is equivalent to x. */
vec3 cell_wrap(upper h, vec3 x);

#endif
