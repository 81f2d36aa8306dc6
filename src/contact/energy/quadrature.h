/* SPDX-License-Identifier: MIT */
/*
 * Integrals over the depth z of a contact, with weights of Gauss.
 *
 * They are taken over v = z^(1/α): with Fn = C z^(1+1/α), Fn" dz = (1 + 1/α) C dv. What is linear or quadratic in z is
 * then a polynomial in v, of degree 2 or 4 for spheres and 1 or 2 for cones.
 */
#ifndef JAGER_QUADRATURE_H
#define JAGER_QUADRATURE_H

#include "contact/contour.h"

typedef struct gauss_rule {
  int points;
  double at[8], weight[8]; /* on [-1, 1] */
} gauss_rule;

static const gauss_rule gauss3 = {
    3, {-0.7745966692414833770, 0.0, 0.7745966692414833770}, {5.0 / 9.0, 8.0 / 9.0, 5.0 / 9.0}};

static const gauss_rule gauss8 = {
    8,
    {-0.9602898564975362317, -0.7966664774136267396, -0.5255324099163289858, -0.1834346424956498049,
     0.1834346424956498049, 0.5255324099163289858, 0.7966664774136267396, 0.9602898564975362317},
    {0.1012285362903762591, 0.2223810344533744705, 0.3137066458778872873, 0.3626837833783619830, 0.3626837833783619830,
     0.3137066458778872873, 0.2223810344533744705, 0.1012285362903762591}};

typedef double density_of_z(const jager_law *law, double z, const void *context);

static JAGER_INLINE double v_of_z(const jager_law *law, double z)
{
  if (law->contour == JAGER_CONTOUR_SPHERE)
    return sqrt(z);
  return law->contour == JAGER_CONTOUR_CONE ? z : pow(z, 1.0 / law->exponent);
}

static JAGER_INLINE double z_of_v(const jager_law *law, double v)
{
  if (law->contour == JAGER_CONTOUR_SPHERE)
    return v * v;
  return law->contour == JAGER_CONTOUR_CONE ? v : pow(v, law->exponent);
}

/* ∫ density dv over z in [from, to], by one rule. Inline, so that a known density takes a few operations only. */
static JAGER_INLINE double integrate_panel(const jager_law *law, double from, double to, const gauss_rule *rule,
                                           density_of_z *density, const void *context)
{
  double low = v_of_z(law, from), high = v_of_z(law, to), middle = 0.5 * (high + low), half = 0.5 * (high - low);
  double sum = 0.0;
  for (int i = 0; i < rule->points; i++)
    sum += rule->weight[i] * density(law, z_of_v(law, middle + half * rule->at[i]), context);
  return half * sum;
}

/*
 * ∫ density dv over z in [from, to], by three points, which are exact for polynomials in v up to degree 5. For
 * power-law contours z^(1/α) is no polynomial, and steep near 0: panels of eight points that shrink towards 0.
 */
static JAGER_INLINE double integrate(const jager_law *law, double from, double to, density_of_z *density,
                                     const void *context)
{
  if (!(from < to))
    return 0.0;
  if (law->contour != JAGER_CONTOUR_POWER)
    return integrate_panel(law, from, to, &gauss3, density, context);
  double sum = 0.0;
  for (int panel = 0; panel < 60 && from < 0.5 * to; panel++) {
    sum += integrate_panel(law, 0.5 * to, to, &gauss8, density, context);
    to *= 0.5;
  }
  return sum + integrate_panel(law, from, to, &gauss8, density, context);
}

#endif
