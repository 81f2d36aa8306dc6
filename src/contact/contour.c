/* SPDX-License-Identifier: MIT */
/*
 * From the shape of two bodies to Fn(ζ) and the radius of contact.
 *
 * Each body has the height A r^α near the contact, both together 2A r^α. Sneddon's solution for such an indenter, with
 * the approach 2ζ and 1/E* = Σ(1-ν²)/E = Σ(1-ν)/(2G), gives
 *
 *     a = g ζ^(1/α),   Fn = (3α / (2(α+1))) Ē g ζ^(1+1/α),   Ē = (8/3) E*,
 *     g = (A λ)^(-1/α),   λ = √π (α/2) Γ(α/2) / Γ((α+1)/2).
 *
 * A sphere has α = 2, A = 1/(2R), λ = 2, so that g = √R and Fn = Ē √(R ζ³). A cone has α = 1, λ = π/2, so that
 * g = 2/(πA) and Fn = (3/2π) Ē ζ²/A. A flat wall halves the combined contour: A becomes A/2.
 */
#include "contour.h"

#include <float.h>

double jager_power(double x, split_exponent y)
{
  if (!(x > 0.0 && x <= DBL_MAX))
    return y.high < 0.0 ? 1.0 / x : x;
  const bool is_small = x < DBL_MIN;
  real_parts t = power_product(is_small ? power_log(0x1p54 * x, 54.0) : power_log(x, 0.0), y);
  if (fabs(y.high) > 2.0) {
    const double sum = t.high + t.low;
    t = (real_parts){sum, t.low - (sum - t.high)};
  }
  if (!(fabs(t.high) < 750.0))
    return t.high < 0.0 ? 0.0 : INFINITY;
  const power_parts e = power_exp(t);
  if (fabs(e.n) < 1021.0)
    return double_from_bits(double_bits(e.value) + (e.integer << 52));
  /* in two steps, as 2^n itself or the result may be no normal number */
  const uint64_t rest = e.n < 0.0 ? e.integer + 700 : e.integer - 700;
  return double_from_bits(double_bits(e.value) + (rest << 52)) * (e.n < 0.0 ? 0x1p-700 : 0x1p700);
}

/* ---- Shapes ------------------------------------------------------------------------------------------------------ */

/*
 * λ. By Γ(α/2 + 1)/Γ(α/2 + 1/2) = √b(2α + 1)/2 with Brouncker's continued fraction
 *
 *     b(s) = s + 1²/(2s + 3²/(2s + 5²/(2s + …))),   b(s) = b(s + 4) (s + 1)²/(s + 3)²,
 *
 * λ is √(π b(2α + 1))/2. From s + 24 >= 27 on, eleven terms are exact to 2e-19.
 */
static double shape_factor(double alpha)
{
  double s = 2.0 * alpha + 1.0, ratio = 1.0;
  for (int i = 0; i < 6; i++) {
    ratio *= (s + 1.0) / (s + 3.0);
    s += 4.0;
  }
  double denominator = 2.0 * s;
  for (int odd = 21; odd > 1; odd -= 2)
    denominator = 2.0 * s + (double)(odd * odd) / denominator;
  return 0.5 * ratio * sqrt(JAGER_PI * (s + 1.0 / denominator));
}

/* 3α / (2(α+1)): 1 for a sphere */
static double force_factor(double exponent)
{
  return 1.5 * exponent / (exponent + 1.0);
}

/* g of a = g ζ^(1/α), with the radii of the two bodies */
static double radius_factor(const jager_law *law, double radius_a, double radius_b)
{
  bool wall = isinf(radius_a) || isinf(radius_b);
  double slope = wall ? law->slope / 2.0 : law->slope;
  switch (law->contour) {
  case JAGER_CONTOUR_CONE:
    return 2.0 / (JAGER_PI * slope);
  case JAGER_CONTOUR_POWER:
    return 1.0 / jager_power(slope * shape_factor(law->exponent), radius_exponent(law->exponent));
  case JAGER_CONTOUR_SPHERE:
  case JAGER_CONTOUR_COUNT:
    break;
  }
  double smaller = fmin(radius_a, radius_b), larger = fmax(radius_a, radius_b);
  return sqrt(2.0 * smaller / (1.0 + smaller / larger)); /* √R, R = 2 RA RB/(RA + RB) */
}

/* C of Fn = C ζ^(1+1/α) between bodies of these radii; the caller checks that it is within range. */
jager_status jager_contour_stiffness(const jager_law *law, double radius_a, double radius_b, double *stiffness)
{
  jager_status status = jager_law_check(law);
  if (status != JAGER_OK)
    return status;
  if (!(radius_a > 0.0 && radius_b > 0.0) || (isinf(radius_a) && isinf(radius_b)))
    return JAGER_ERROR_RADIUS;
  *stiffness = force_factor(law->exponent) * law->modulus * radius_factor(law, radius_a, radius_b);
  return JAGER_OK;
}

double jager_contact_radius(const jager_law *law, double stiffness, double zeta)
{
  double g = stiffness / (force_factor(law->exponent) * law->modulus);
  if (law->contour == JAGER_CONTOUR_SPHERE)
    return g * sqrt(zeta);
  if (law->contour == JAGER_CONTOUR_CONE)
    return g * zeta;
  return g * jager_power(zeta, radius_exponent(law->exponent));
}

double jager_zeta_at_force(const jager_law *law, double stiffness, double fn)
{
  if (!(fn > 0.0))
    return 0.0;
  double ratio = fn / stiffness;
  if (law->contour == JAGER_CONTOUR_CONE)
    return sqrt(ratio);
  if (law->contour == JAGER_CONTOUR_POWER)
    return jager_power(ratio, exponent_inverse(force_exponent(law->exponent)));
  double root = cube_root(ratio);
  return root * root;
}
