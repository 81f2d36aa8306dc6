/* SPDX-License-Identifier: MIT */
/*
 * The shape of a grain: a rigid clump of spheres that may overlap. Volume, surface, centroid and inertia are those of
 * the union of the spheres, which counts overlaps once, with errors of about 1e-10. Lengths have any unit; functions
 * scale a shape to one in m.
 */
#ifndef JAGER_DEM_SHAPE_H
#define JAGER_DEM_SHAPE_H

#include "cell.h"
#include "base/error.h"

enum { DEM_SHAPE_SPHERES_MAX = 100 };

typedef struct dem_shape_sphere {
  vec3 center;
  double radius;
} dem_shape_sphere;

typedef struct dem_shape {
  int count;
  int left_out; /* spheres that were given, but lie within others */
  dem_shape_sphere spheres[DEM_SHAPE_SPHERES_MAX];
  double volume, surface;
  double equal_radius;    /* of the sphere of the same volume */
  double bounding_radius; /* the farthest point from the centroid */
  vec3 centroid;
  double inertia[DEM_COMPONENTS]; /* tensor about the centroid over the mass: xx, yy, zz, xy, xz, yz */
  double principal[3];            /* its eigenvalues, rising */
  vec3 axes[3];                   /* and their directions, right-handed; equal eigenvalues keep the given axes */
} dem_shape;

/*
 * The shape that consists of these spheres. A gap of a millionth of the radii, as rounded numbers have it, still
 * connects two. On failure `culprit` is the sphere that is wrong, or `count` if none is to blame; it may be NULL.
 */
bool dem_shape_make(dem_shape *shape, const dem_shape_sphere *spheres, size_t count, size_t *culprit,
                    error_info *error);

/* All lengths are multiplied by the factor, which is positive. */
void dem_shape_scale(dem_shape *shape, double factor);

/* Moves and turns the shape: the centroid becomes the origin, the principal axes become x, y and z. */
void dem_shape_align(dem_shape *shape);

/* The same, and a volume of 4/3 π: the size of a grain is then the radius of the sphere of its volume. */
void dem_shape_normalise(dem_shape *shape);

/* A shape of the grains of a packing, normalised. */
typedef struct dem_shape_choice {
  dem_shape shape;
  double share;            /* of the number of grains */
  char name[DEM_NAME_MAX]; /* as the case says it */
} dem_shape_choice;

/* ---- Shapes with a name (shape.c) -------------------------------------------------------------------------------- */

/* Equal satellites on half-axes of a regular body, around a core. NAN stands for the number of the name. */
typedef struct dem_shape_form {
  double core;   /* radius of the sphere in the middle; 0: none */
  double radius; /* of the satellites */
  double offset; /* of their centres from the middle */
} dem_shape_form;

extern const char dem_shape_names[];

bool dem_shape_is_name(const char *name);

/* A shape of this name. Names of one shape only, such as nevada, are refused with numbers of other shapes. */
bool dem_shape_make_named(dem_shape *shape, const char *name, const dem_shape_form *form, error_info *error);

/* ---- Shapes from files (shape_file.c) ---------------------------------------------------------------------------- */

/* Reads CSV of x, y, z and r, or a molecule file of LAMMPS; which one, the content says. */
bool dem_shape_read(dem_shape *shape, const char *path, error_info *error);

/* ---- The union (shape_union.c) ----------------------------------------------------------------------------------- */

/* Integrals over the union of spheres. */
typedef struct dem_union {
  double volume, surface;
  vec3 first;                    /* of the position */
  double second[DEM_COMPONENTS]; /* of products of coordinates: xx, yy, zz, xy, xz, yz */
} dem_union;

/*
 * The spheres may lie apart or within others, but no two may be the same but for rounding. False: not enough memory.
 */
bool dem_union_measure(dem_union *result, const dem_shape_sphere *spheres, int count);

#endif
