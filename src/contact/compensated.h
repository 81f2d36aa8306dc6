/* SPDX-License-Identifier: MIT */
/*
 * Compensated sums: a sum is kept together with its rounding error, so that adding a term and later subtracting the
 * same term leaves nothing behind. Also the upper 32 bits of a double, in which such errors, and bounds of errors, are
 * stored.
 */
#ifndef JAGER_COMPENSATED_H
#define JAGER_COMPENSATED_H

#include "vec2.h"

/* The rounding error of sum = a + b (Knuth's two-sum): a + b = sum + error exactly. */
static JAGER_INLINE real two_sum_error(real a, real b, real sum)
{
  real b_rounded = sum - a;
  return (a - (sum - b_rounded)) + (b - b_rounded);
}

/* The rounding error of the additions in sum = a + s b, by component. */
static JAGER_INLINE vec2 vec2_add_scaled_error(vec2 a, real s, vec2 b, vec2 sum)
{
  return vec2_of(two_sum_error(a.x, s * b.x, sum.x), two_sum_error(a.y, s * b.y, sum.y));
}

/* high + low += term */
static JAGER_INLINE void compensated_add(real *high, real *low, real term)
{
  real sum = *high + term;
  real error = *low + two_sum_error(*high, term, sum);
  *high = sum + error;
  *low = error - (*high - sum);
}

typedef struct compensated_vec2 {
  vec2 high, low;
} compensated_vec2;

/* sum += scale v */
static JAGER_INLINE void compensated_vec2_add(compensated_vec2 *sum, real scale, vec2 v)
{
  compensated_add(&sum->high.x, &sum->low.x, scale * v.x);
  compensated_add(&sum->high.y, &sum->low.y, scale * v.y);
}

static JAGER_INLINE uint64_t double_bits(double value)
{
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static JAGER_INLINE double double_from_bits(uint64_t bits)
{
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

/* The upper 32 bits of a double: 20 bits of the mantissa, but the full range of exponents. */
static JAGER_INLINE uint32_t double_high32(double value)
{
  return (uint32_t)(double_bits(value) >> 32);
}

static JAGER_INLINE double double_from_high32(uint32_t high)
{
  return double_from_bits((uint64_t)high << 32);
}

/* Rounded up, value >= 0: for upper bounds. */
static JAGER_INLINE uint32_t double_high32_above(double value)
{
  uint32_t high = double_high32(value);
  return high + (double_from_high32(high) < value);
}

#endif
