/* SPDX-License-Identifier: MIT */
/* Vectors in the tangential plane of a contact. */
#ifndef JAGER_VEC2_H
#define JAGER_VEC2_H

#include "compiler.h"

#include <math.h>
#include <stdbool.h>

typedef struct vec2 {
  double x, y;
} vec2;

_Static_assert(sizeof(double) == 8 && sizeof(vec2) == 2 * sizeof(double), "a double is an IEEE 754 binary64");

/* fmin and fmax of numbers that are not NaN. A comparison costs less than a call of libm. */
static JAGER_INLINE double double_min(double a, double b)
{
  return a < b ? a : b;
}

static JAGER_INLINE double double_max(double a, double b)
{
  return a > b ? a : b;
}

static JAGER_INLINE vec2 vec2_from(const double v[2])
{
  return (vec2){v[0], v[1]};
}

static JAGER_INLINE double vec2_dot(vec2 a, vec2 b)
{
  return a.x * b.x + a.y * b.y;
}

static JAGER_INLINE vec2 vec2_add(vec2 a, vec2 b)
{
  return (vec2){a.x + b.x, a.y + b.y};
}

static JAGER_INLINE vec2 vec2_subtract(vec2 a, vec2 b)
{
  return (vec2){a.x - b.x, a.y - b.y};
}

/* a + s b */
static JAGER_INLINE vec2 vec2_add_scaled(vec2 a, double s, vec2 b)
{
  return (vec2){a.x + s * b.x, a.y + s * b.y};
}

static JAGER_INLINE vec2 vec2_divide(vec2 a, double divisor)
{
  return (vec2){a.x / divisor, a.y / divisor};
}

static JAGER_INLINE bool vec2_is_zero(vec2 a)
{
  return a.x == 0.0 && a.y == 0.0;
}

/* ---- Lengths: squares of very long or very short vectors overflow or underflow ----------------------------------- */

static JAGER_INLINE bool square_is_in_range(double square)
{
  return (square > 1e-280) & (square < 1e280);
}

/* v scaled to this length; `square` is |v|² and in range. */
static JAGER_INLINE vec2 vec2_scale_to(vec2 v, double square, double length)
{
  double scale = length / sqrt(square);
  return (vec2){v.x * scale, v.y * scale};
}

/* v scaled to this length; the zero vector stays zero. */
static JAGER_INLINE vec2 vec2_with_length(vec2 v, double length)
{
  double square = vec2_dot(v, v);
  if (!square_is_in_range(square)) {
    double largest = double_max(fabs(v.x), fabs(v.y));
    if (!(largest > 0.0))
      return (vec2){0.0, 0.0};
    v = vec2_divide(v, largest);
    square = vec2_dot(v, v);
  }
  return vec2_scale_to(v, square, length);
}

static JAGER_INLINE double vec2_length(vec2 v)
{
  double square = vec2_dot(v, v);
  if (square_is_in_range(square))
    return sqrt(square);
  double largest = double_max(fabs(v.x), fabs(v.y));
  if (!(largest > 0.0))
    return 0.0;
  v = vec2_divide(v, largest);
  return largest * sqrt(vec2_dot(v, v));
}

#endif
