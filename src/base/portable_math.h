/* SPDX-License-Identifier: MIT */
/*
 * Numbers that are the same with every compiler and C library: elementary functions, sums, random numbers.
 *
 * Logarithm, exponential, cube root, sine and angle come from + − × ÷ √ and exact scaling by powers of two. The
 * functions of C libraries differ in the last bits, so that random assemblies and paths would differ between computers.
 * Accurate to a few units in the last place.
 */
#ifndef JAGER_BASE_PORTABLE_MATH_H
#define JAGER_BASE_PORTABLE_MATH_H

#include <math.h>
#include <stdint.h>

/* ln 2 in two parts: the first has few bits, so that its integer multiples are exact. */
#define PORTABLE_LN2_HIGH 0x1.62e42fee00000p-1
#define PORTABLE_LN2_LOW 0x1.a39ef35793c76p-33

/* x > 0. With x = 2^k m, m between √½ and √2:  ln m = 2 artanh s,  s = (m - 1)/(m + 1),  |s| < 0.172. */
static inline double portable_log(double x)
{
  int k;
  double m = frexp(x, &k);
  if (m < 0x1.6a09e667f3bcdp-1) {
    m *= 2.0;
    k--;
  }
  double s = (m - 1.0) / (m + 1.0), square = s * s, sum = 0.0;
  for (int n = 23; n >= 3; n -= 2)
    sum = square * (sum + 1.0 / n);
  return k * PORTABLE_LN2_HIGH + (k * PORTABLE_LN2_LOW + 2.0 * (s + s * sum));
}

/* |x| < 700. With x = k ln 2 + r, |r| < 0.35: Taylor's series of e^r. */
static inline double portable_exp(double x)
{
  double k = floor(x * 1.4426950408889634 + 0.5);
  double r = (x - k * PORTABLE_LN2_HIGH) - k * PORTABLE_LN2_LOW, sum = 1.0;
  for (int n = 14; n >= 1; n--)
    sum = 1.0 + r / n * sum;
  return ldexp(sum, (int)k);
}

/* x^y, x > 0; simple powers are exact or rounded once, others accurate to |y ln x| units in the last place. */
static inline double portable_power(double x, double y)
{
  if (y == 0.5)
    return sqrt(x);
  return y == 1.0 ? x : y == 2.0 ? x * x : portable_exp(y * portable_log(x));
}

/* x > 0: Newton's method from a first guess of the right power of two. */
static inline double portable_cube_root(double x)
{
  int k;
  double m = frexp(x, &k);
  while (k % 3 != 0) {
    m *= 0.5;
    k++;
  }
  double root = 0.8; /* m lies in [1/8, 1) */
  for (int n = 0; n < 8; n++)
    root = (2.0 * root + m / (root * root)) / 3.0;
  return ldexp(root, k / 3);
}

/* sin 2πx. With x = k/4 + y, |y| ≤ 1/8, both exact: Taylor's series of the sine or cosine of 2πy. */
static inline double portable_sin_turns(double x)
{
  double r = x - floor(x), k = floor(4.0 * r + 0.5), a = 6.28318530717958647692 * (r - 0.25 * k), square = a * a;
  double sine = 1.0, cosine = 1.0;
  for (int n = 18; n >= 2; n -= 2) {
    sine = 1.0 - square / (n * (n + 1)) * sine;
    cosine = 1.0 - square / ((n - 1) * n) * cosine;
  }
  int quarter = (int)k % 4;
  double size = quarter % 2 == 0 ? a * sine : cosine;
  return quarter < 2 ? size : -size;
}

/*
 * The angle of the vector (x, y) from the x axis, from -π to π. Of a slope below 1 the angle is halved twice, to less
 * than π/16, where the series of the arc tangent converges fast.
 */
static inline double portable_angle(double y, double x)
{
  double wide = fmax(fabs(x), fabs(y)), slope = wide > 0.0 ? fmin(fabs(x), fabs(y)) / wide : 0.0;
  for (int halving = 0; halving < 2; halving++)
    slope /= 1.0 + sqrt(1.0 + slope * slope);
  double square = slope * slope, sum = 0.0;
  for (int n = 25; n >= 3; n -= 2)
    sum = -square * (sum + 1.0 / n);
  double angle = 4.0 * (slope + slope * sum);
  if (fabs(y) > fabs(x))
    angle = 1.57079632679489661923 - angle;
  if (x < 0.0)
    angle = 3.14159265358979323846 - angle;
  return y < 0.0 ? -angle : angle;
}

/* ---- Sums -------------------------------------------------------------------------------------------------------- */

/* A compensated sum carries its rounding error along: 10^8 terms are added as accurately as two. */
typedef struct compensated_sum {
  double high, low;
} compensated_sum;

static inline void compensated_sum_add(compensated_sum *sum, double term)
{
  double high = sum->high + term; /* two-sum (Knuth) */
  double of_term = high - sum->high;
  double lost = (sum->high - (high - of_term)) + (term - of_term);
  double rest = sum->low + lost;
  sum->high = high + rest;
  sum->low = rest - (sum->high - high);
}

/* ---- Random numbers ---------------------------------------------------------------------------------------------- */

/* A number in [0, 1), by SplitMix64 */
static inline double random_unit(uint64_t *state)
{
  uint64_t z = *state += 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  z ^= z >> 31;
  return (double)(z >> 11) * 0x1p-53;
}

#endif
