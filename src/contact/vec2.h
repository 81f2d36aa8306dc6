/* SPDX-License-Identifier: MIT */
/*
 * Vectors in the tangential plane of a contact: double2 as they are stored, vec2 as they are computed with, which in
 * files with lanes (real.h) holds one vector in each lane.
 */
#ifndef JAGER_VEC2_H
#define JAGER_VEC2_H

#include "contact/lanes/real.h"

typedef struct double2 {
  double x, y;
} double2;

_Static_assert(sizeof(double) == 8 && sizeof(double2) == 2 * sizeof(double), "a double is an IEEE 754 binary64");

#if JAGER_WIDTH == 1
typedef double2 vec2;
#else
typedef struct vec2 {
  real x, y;
} vec2;
#endif

static JAGER_INLINE vec2 vec2_of(real x, real y)
{
  vec2 v = {x, y};
  return v;
}

static JAGER_INLINE real vec2_dot(vec2 a, vec2 b)
{
  return a.x * b.x + a.y * b.y;
}

static JAGER_INLINE vec2 vec2_add(vec2 a, vec2 b)
{
  return vec2_of(a.x + b.x, a.y + b.y);
}

static JAGER_INLINE vec2 vec2_subtract(vec2 a, vec2 b)
{
  return vec2_of(a.x - b.x, a.y - b.y);
}

/* a + s b */
static JAGER_INLINE vec2 vec2_add_scaled(vec2 a, real s, vec2 b)
{
  return vec2_of(a.x + s * b.x, a.y + s * b.y);
}

static JAGER_INLINE vec2 vec2_divide(vec2 a, real divisor)
{
  return vec2_of(a.x / divisor, a.y / divisor);
}

static JAGER_INLINE vec2 vec2_choose(truth condition, vec2 a, vec2 b)
{
  return vec2_of(choose(condition, a.x, b.x), choose(condition, a.y, b.y));
}

/* ---- Lengths: squares of very long or very short vectors overflow or underflow ----------------------------------- */

#define SQUARE_MIN 1e-280
#define SQUARE_MAX 1e280

static JAGER_INLINE truth square_is_in_range(real square)
{
  return (square > SQUARE_MIN) & (square < SQUARE_MAX);
}

/* v scaled to this length; `square` is |v|² and in range. */
static JAGER_INLINE vec2 vec2_scale_to(vec2 v, real square, double length)
{
  real scale = length / real_sqrt(square);
  return vec2_of(v.x * scale, v.y * scale);
}

#if JAGER_WIDTH == 1

static JAGER_INLINE vec2 vec2_from(const double v[2])
{
  return vec2_of(v[0], v[1]);
}

static JAGER_INLINE bool vec2_is_zero(vec2 a)
{
  return a.x == 0.0 && a.y == 0.0;
}

/* v scaled to this length; the zero vector stays zero. */
static JAGER_INLINE vec2 vec2_with_length(vec2 v, double length)
{
  double square = vec2_dot(v, v);
  if (!square_is_in_range(square)) {
    double largest = real_max(real_abs(v.x), real_abs(v.y));
    if (!(largest > 0.0))
      return vec2_of(0.0, 0.0);
    v = vec2_divide(v, largest);
    square = vec2_dot(v, v);
  }
  return vec2_scale_to(v, square, length);
}

static JAGER_INLINE double vec2_length(vec2 v)
{
  double square = vec2_dot(v, v);
  if (square_is_in_range(square))
    return real_sqrt(square);
  double largest = real_max(real_abs(v.x), real_abs(v.y));
  if (!(largest > 0.0))
    return 0.0;
  v = vec2_divide(v, largest);
  return largest * real_sqrt(vec2_dot(v, v));
}

#endif

#endif
