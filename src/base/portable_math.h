/* SPDX-License-Identifier: MIT */
/*
 * Logarithm, exponential and cube root from + − × ÷ and exact scaling by powers of two. The functions of C libraries
 * differ in the last bits, so that random assemblies would differ between computers. Accurate to a few units in the
 * last place.
 */
#ifndef JAGER_BASE_PORTABLE_MATH_H
#define JAGER_BASE_PORTABLE_MATH_H

#include <math.h>

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

#endif
