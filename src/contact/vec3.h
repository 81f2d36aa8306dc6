/* SPDX-License-Identifier: MIT */
/* Vectors in space. */
#ifndef JAGER_VEC3_H
#define JAGER_VEC3_H

#include <math.h>

typedef struct vec3 {
  double x, y, z;
} vec3;

static inline vec3 vec3_add(vec3 a, vec3 b)
{
  return (vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline vec3 vec3_subtract(vec3 a, vec3 b)
{
  return (vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline vec3 vec3_scale(double s, vec3 a)
{
  return (vec3){s * a.x, s * a.y, s * a.z};
}

/* a + s b */
static inline vec3 vec3_add_scaled(vec3 a, double s, vec3 b)
{
  return (vec3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static inline double vec3_dot(vec3 a, vec3 b)
{
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline vec3 vec3_cross(vec3 a, vec3 b)
{
  return (vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline double vec3_length(vec3 a)
{
  return sqrt(vec3_dot(a, a));
}

/* A unit vector across the unit vector n. */
static inline vec3 vec3_across(vec3 n)
{
  vec3 other = fabs(n.x) < 0.6 ? (vec3){1.0, 0.0, 0.0} : (vec3){0.0, 1.0, 0.0};
  vec3 across = vec3_cross(n, other);
  return vec3_scale(1.0 / vec3_length(across), across);
}

#endif
