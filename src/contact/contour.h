/* SPDX-License-Identifier: MIT */
/*
 * The normal force Fn(ζ) = C ζ^(1+1/α) of a contour (contour.c derives it), its derivatives and its inverse. α is 2 for
 * spheres and 1 for cones. C, the stiffness, belongs to a contact, as it depends on the radii of the bodies.
 */
#ifndef JAGER_CONTOUR_H
#define JAGER_CONTOUR_H

#include "power.h"
#include "jager/jager.h"

#define JAGER_PI 3.14159265358979323846

/* x^y, x >= 0, for any result, with the error that power.h states; of a subnormal one, half a unit more. */
double jager_power(double x, split_exponent y);

/* Fn(ζ), ζ >= 0 [line 13] */
static JAGER_INLINE double normal_force(const jager_law *law, double stiffness, double zeta)
{
  if (law->contour == JAGER_CONTOUR_SPHERE)
    return normal_force_of_spheres(stiffness, zeta);
  if (law->contour == JAGER_CONTOUR_CONE)
    return normal_force_of_cones(stiffness, zeta);
  return stiffness * jager_power(zeta, force_exponent(law->exponent));
}

/* Fn'(ζ), ζ >= 0 */
static JAGER_INLINE double normal_slope(const jager_law *law, double stiffness, double zeta)
{
  if (law->contour == JAGER_CONTOUR_SPHERE)
    return 1.5 * stiffness * sqrt(zeta);
  if (law->contour == JAGER_CONTOUR_CONE)
    return 2.0 * stiffness * zeta;
  return (1.0 + 1.0 / law->exponent) * stiffness * jager_power(zeta, radius_exponent(law->exponent));
}

static JAGER_INLINE double curvature_factor(const jager_law *law)
{
  return curvature_factor_of(law->exponent);
}

/* Fn"(ζ) where fn = Fn(ζ), ζ > 0. It falls with ζ, or is constant. */
static JAGER_INLINE double normal_curvature(const jager_law *law, double zeta, double fn)
{
  return curvature_factor(law) * (fn / zeta / zeta);
}

/*
 * Cube root with a relative error of 4e-7, x > 0. The bits of a double, read as an integer, are nearly its logarithm; a
 * third of them is a root with an error of 4 %. The series of (1 + h)^(1/3) corrects it.
 */
static JAGER_INLINE double cube_root_approximate(double x)
{
  double t = double_from_bits(double_bits(x) / 3 + 0x2a9f7893782da1ce);
  double h = x / (t * t * t) - 1.0;
  return t * (1.0 + h * ((1.0 / 3.0 - h * (1.0 / 9.0)) + h * h * (5.0 / 81.0 - h * (10.0 / 243.0))));
}

/*
 * Cube root to rounding, 0 <= x < 1e307: one step of Halley's method, t - t (t³ - x)/(2t³ + x), from the approximate
 * root. libm's cbrt differs between C libraries in the last bit.
 */
static JAGER_INLINE double cube_root(double x)
{
  double unscale = 1.0;
  if (x < 0x1p-1020) { /* zero, or subnormal: its bits are no logarithm */
    if (!(x > 0.0))
      return 0.0;
    x *= 0x1p60;
    unscale = 0x1p-20;
  }
  double t = cube_root_approximate(x), cube = t * t * t;
  return unscale * (t - t * ((cube - x) / (2.0 * cube + x)));
}

/* C of Fn = C ζ^(1+1/α) between bodies of these radii */
jager_status jager_contour_stiffness(const jager_law *law, double radius_a, double radius_b, double *stiffness);

/* The ζ at which Fn(ζ) = fn >= 0 */
double jager_zeta_at_force(const jager_law *law, double stiffness, double fn);

/* Radius of contact at ζ */
double jager_contact_radius(const jager_law *law, double stiffness, double zeta);

#endif
