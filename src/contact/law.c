/* SPDX-License-Identifier: MIT */
/*
 * The law of a pair of materials, and the contour's Fn(ζ).
 *
 * Each body has the height A r^α near the contact; together 2A r^α. Sneddon's solution for that indenter, with the
 * approach 2ζ and 1/E* = Σ(1-ν²)/E = Σ(1-ν)/(2G), gives
 *
 *     a = g ζ^(1/α),   Fn = (3α / (2(α+1))) Ē g ζ^(1+1/α),   Ē = (8/3) E*,
 *     g = (A λ)^(-1/α),   λ = √π (α/2) Γ(α/2) / Γ((α+1)/2).
 *
 * A sphere has α = 2, A = 1/(2R), λ = 2, so that g = √R and Fn = Ē √(R ζ³). A cone has α = 1, λ = π/2, so that
 * g = 2/(πA) and Fn = (3/2π) Ē ζ²/A. A flat wall halves the combined contour: A becomes A/2.
 */
#include "internal.h"

#include <float.h>

#define EXPONENT_MAX 100.0
#define LINEAR_REFERENCE 0.01 /* ζ/R at which "linear" takes the contour's stiffness, if not told otherwise */

jager_law jager_law_default(void)
{
  jager_law law = {.model = JAGER_MODEL_JAGER, .contour = JAGER_CONTOUR_SPHERE, .friction = 0.5, .exponent = 2.0};
  (void)jager_law_set_bodies(&law, 1.0, 0.5);
  return law;
}

static jager_status check_body(jager_body body)
{
  if (!(body.shear_modulus > 0.0))
    return JAGER_ERROR_SHEAR_MODULUS;
  if (!(body.poisson > -1.0 && body.poisson <= 0.5))
    return JAGER_ERROR_POISSON;
  return JAGER_OK;
}

jager_status jager_law_set_bodies(jager_law *law, double shear_modulus, double poisson)
{
  jager_body body = {shear_modulus, poisson};
  return jager_law_set_dissimilar_bodies(law, body, body);
}

/*
 * Ē and κ are chosen so that in full stick dFn/d(2ζ) = 2E*a and dFt/d(2ξ) = 8G*a. Both compliances are taken relative
 * to the softer body's, so that extreme moduli neither over- nor underflow on the way.
 */
jager_status jager_law_set_dissimilar_bodies(jager_law *law, jager_body a, jager_body b)
{
  if (!law)
    return JAGER_ERROR_NULL;
  jager_status status = check_body(a);
  if (status == JAGER_OK)
    status = check_body(b);
  if (status != JAGER_OK)
    return status;
  double softer = fmin(a.shear_modulus, b.shear_modulus);
  double share_a = softer / a.shear_modulus, share_b = softer / b.shear_modulus;
  if (!(softer >= 1e-60 && softer <= 1e60)) /* infinite: both rigid */
    return JAGER_ERROR_SHEAR_MODULUS;
  double normal = (share_a * (1.0 - a.poisson) + share_b * (1.0 - b.poisson)) / 2.0; /* softer / E* */
  double shear = share_a * (2.0 - a.poisson) + share_b * (2.0 - b.poisson);          /* softer / G* */
  law->modulus = 8.0 / 3.0 * softer / normal;
  law->kappa = shear / (4.0 * normal);
  law->inverse_kappa = 4.0 * normal / shear;
  return JAGER_OK;
}

jager_status jager_law_set_friction(jager_law *law, double friction)
{
  if (!law)
    return JAGER_ERROR_NULL;
  if (!(friction >= 0.0 && friction <= JAGER_FRICTION_MAX))
    return JAGER_ERROR_FRICTION;
  law->friction = friction;
  return JAGER_OK;
}

jager_status jager_law_set_dp_max(jager_law *law, double dp_max)
{
  if (!law)
    return JAGER_ERROR_NULL;
  if (!(dp_max >= 0.0 && dp_max <= DBL_MAX) || (dp_max > 0.0 && law->tolerance > 0.0))
    return JAGER_ERROR_DP_MAX;
  law->dp_max = dp_max;
  return JAGER_OK;
}

jager_status jager_law_set_tolerance(jager_law *law, double tolerance)
{
  if (!law)
    return JAGER_ERROR_NULL;
  if (!(tolerance >= 0.0 && tolerance <= 1.0) || (tolerance > 0.0 && law->dp_max > 0.0))
    return JAGER_ERROR_TOLERANCE;
  law->tolerance = tolerance;
  return JAGER_OK;
}

jager_status jager_law_set_model(jager_law *law, jager_model model)
{
  if (!law)
    return JAGER_ERROR_NULL;
  if ((unsigned)model >= JAGER_MODEL_COUNT)
    return JAGER_ERROR_MODEL;
  law->model = model;
  return JAGER_OK;
}

static bool contour_is_possible(jager_contour contour, double slope, double exponent)
{
  switch (contour) {
  case JAGER_CONTOUR_SPHERE:
    return true;
  case JAGER_CONTOUR_CONE:
    return slope > 0.0 && slope <= DBL_MAX;
  case JAGER_CONTOUR_POWER:
    return slope > 0.0 && slope <= DBL_MAX && exponent >= 1.0 && exponent <= EXPONENT_MAX;
  case JAGER_CONTOUR_COUNT:
    break;
  }
  return false;
}

jager_status jager_law_set_contour(jager_law *law, jager_contour contour, double slope, double exponent)
{
  if (!law)
    return JAGER_ERROR_NULL;
  if (!contour_is_possible(contour, slope, exponent))
    return JAGER_ERROR_CONTOUR;
  law->contour = contour;
  law->slope = contour == JAGER_CONTOUR_SPHERE ? 0.0 : slope;
  law->exponent = contour == JAGER_CONTOUR_POWER ? exponent : contour == JAGER_CONTOUR_CONE ? 1.0 : 2.0;
  return JAGER_OK;
}

static bool stiffness_is_possible(double stiffness)
{
  return stiffness >= 0.0 && stiffness <= DBL_MAX;
}

jager_status jager_law_set_linear(jager_law *law, double kn, double kt)
{
  if (!law)
    return JAGER_ERROR_NULL;
  if (!stiffness_is_possible(kn) || !stiffness_is_possible(kt))
    return JAGER_ERROR_STIFFNESS;
  law->linear_kn = kn;
  law->linear_kt = kt;
  return JAGER_OK;
}

jager_status jager_law_check(const jager_law *law)
{
  if (!law)
    return JAGER_ERROR_NULL;
  jager_law copy = *law;
  if (!(law->modulus > 0.0 && law->modulus <= DBL_MAX && law->kappa > 0.0 && law->kappa <= DBL_MAX) ||
      !(fabs(law->kappa * law->inverse_kappa - 1.0) < 1e-12))
    return JAGER_ERROR_SHEAR_MODULUS;
  jager_status status = jager_law_set_model(&copy, law->model);
  if (status == JAGER_OK)
    status = jager_law_set_friction(&copy, law->friction);
  if (status == JAGER_OK)
    status = jager_law_set_tolerance(&copy, law->tolerance);
  if (status == JAGER_OK)
    status = jager_law_set_dp_max(&copy, law->dp_max);
  if (status == JAGER_OK)
    status = jager_law_set_contour(&copy, law->contour, law->slope, law->exponent);
  if (status == JAGER_OK)
    status = jager_law_set_linear(&copy, law->linear_kn, law->linear_kt);
  return status;
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
  double alpha = law->exponent;
  switch (law->contour) {
  case JAGER_CONTOUR_CONE:
    return 2.0 / (JAGER_PI * slope);
  case JAGER_CONTOUR_POWER:
    return pow(slope * sqrt(JAGER_PI) * (alpha / 2.0) * tgamma(alpha / 2.0) / tgamma((alpha + 1.0) / 2.0),
               -1.0 / alpha);
  case JAGER_CONTOUR_SPHERE:
  case JAGER_CONTOUR_COUNT:
    break;
  }
  double smaller = fmin(radius_a, radius_b), larger = fmax(radius_a, radius_b);
  return sqrt(2.0 * smaller / (1.0 + smaller / larger)); /* √R, R = 2 RA RB/(RA + RB) */
}

/* C of Fn = C ζ^(1+1/α) between bodies of these radii, not checked for its size */
static jager_status find_stiffness(const jager_law *law, double radius_a, double radius_b, double *stiffness)
{
  jager_status status = jager_law_check(law);
  if (status != JAGER_OK)
    return status;
  if (!(radius_a > 0.0 && radius_b > 0.0) || (isinf(radius_a) && isinf(radius_b)))
    return JAGER_ERROR_RADIUS;
  *stiffness = force_factor(law->exponent) * law->modulus * radius_factor(law, radius_a, radius_b);
  return JAGER_OK;
}

jager_status jager_law_set_linear_at_zeta(jager_law *law, double radius_a, double radius_b, double zeta)
{
  double stiffness;
  jager_status status = find_stiffness(law, radius_a, radius_b, &stiffness);
  if (status != JAGER_OK)
    return status;
  if (!(zeta > 0.0 && zeta <= JAGER_ZETA_MAX))
    return JAGER_ERROR_STIFFNESS;
  double kn = 0.5 * (jager_normal_force(law, stiffness, zeta) / zeta);
  if (!(kn > 0.0 && kn <= DBL_MAX))
    return JAGER_ERROR_STIFFNESS;
  law->linear_kn = kn;
  return JAGER_OK;
}

jager_status jager_law_set_linear_at_force(jager_law *law, double radius_a, double radius_b, double fn)
{
  double stiffness;
  jager_status status = find_stiffness(law, radius_a, radius_b, &stiffness);
  if (status != JAGER_OK)
    return status;
  if (!(fn > 0.0 && fn <= JAGER_FN_MAX))
    return JAGER_ERROR_STIFFNESS;
  return jager_law_set_linear_at_zeta(law, radius_a, radius_b, jager_zeta_at(law, stiffness, fn));
}

jager_status jager_contact_init(jager_contact *contact, const jager_law *law, double radius_a, double radius_b)
{
  if (!contact || !law)
    return JAGER_ERROR_NULL;
  double stiffness;
  jager_status status = find_stiffness(law, radius_a, radius_b, &stiffness);
  if (status != JAGER_OK)
    return status;
  if (law->model == JAGER_MODEL_LINEAR) { /* Fn = C ζ */
    double reference = isinf(radius_a) ? radius_b : isinf(radius_b) ? radius_a : fmin(radius_a, radius_b);
    double hertz = jager_normal_slope(law, stiffness, LINEAR_REFERENCE * reference);
    stiffness = law->linear_kn > 0.0 ? 2.0 * law->linear_kn : hertz;
  }
  if (!(stiffness > 0.0 && stiffness <= JAGER_STIFFNESS_MAX))
    return law->contour == JAGER_CONTOUR_SPHERE ? JAGER_ERROR_RADIUS : JAGER_ERROR_CONTOUR;
  *contact = (jager_contact){.stiffness = stiffness,
                             .friction = law->friction,
                             .length = 1,
                             .state = JAGER_APART,
                             .model = (uint8_t)law->model};
  return JAGER_OK;
}

double jager_radius_at(const jager_law *law, double stiffness, double zeta)
{
  double g = stiffness / (force_factor(law->exponent) * law->modulus);
  if (law->contour == JAGER_CONTOUR_SPHERE)
    return g * sqrt(zeta);
  if (law->contour == JAGER_CONTOUR_CONE)
    return g * zeta;
  return g * pow(zeta, 1.0 / law->exponent);
}

double jager_zeta_at(const jager_law *law, double stiffness, double fn)
{
  if (!(fn > 0.0))
    return 0.0;
  double ratio = fn / stiffness;
  if (law->contour == JAGER_CONTOUR_CONE)
    return sqrt(ratio);
  if (law->contour == JAGER_CONTOUR_POWER)
    return pow(ratio, law->exponent / (law->exponent + 1.0));
  double root = jager_cube_root(ratio);
  return root * root;
}

double jager_normal_energy(const jager_law *law, const jager_contact *contact)
{
  double power = contact->model == JAGER_MODEL_LINEAR ? 1.0 : 1.0 + 1.0 / law->exponent;
  return contact->zeta > 0.0 ? 2.0 * contact->fn * contact->zeta / (power + 1.0) : 0.0;
}
