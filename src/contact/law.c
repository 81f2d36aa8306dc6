/* SPDX-License-Identifier: MIT */
/* The law of a pair of materials: its functions check every value before they set it. */
#include "contour.h"
#include "jager/compare.h"

#include <float.h>

#define EXPONENT_MAX 100.0

jager_law jager_law_default(void)
{
  return (jager_law){.model = JAGER_MODEL_JAGER, .contour = JAGER_CONTOUR_SPHERE, .friction = 0.5, .exponent = 2.0};
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
 * Ē and κ are such that without slip dFn/d(2ζ) = 2E*a and dFt/d(2ξ) = 8G*a, with 1/G* = Σ(2-ν)/G. Both compliances are
 * relative to the softer body, so that extreme moduli neither overflow nor underflow.
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
  if (law->modulus == 0.0)
    return JAGER_ERROR_NO_MATERIAL;
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
  for (size_t i = 0; status == JAGER_OK && i < sizeof law->reserved / sizeof law->reserved[0]; i++)
    status = law->reserved[i] == 0.0 ? JAGER_OK : JAGER_ERROR_LAYOUT;
  return status;
}

/* Sets linear_kn to the secant stiffness of the contour at ζ. */
static jager_status set_linear_secant(jager_law *law, double stiffness, double zeta)
{
  if (!(zeta >= JAGER_ZETA_MIN && zeta <= JAGER_ZETA_MAX))
    return JAGER_ERROR_STIFFNESS;
  double kn = 0.5 * (normal_force(law, stiffness, zeta) / zeta);
  if (!(kn > 0.0 && kn <= DBL_MAX))
    return JAGER_ERROR_STIFFNESS;
  law->linear_kn = kn;
  return JAGER_OK;
}

jager_status jager_law_set_linear_at_zeta(jager_law *law, double radius_a, double radius_b, double zeta)
{
  double stiffness;
  jager_status status = jager_contour_stiffness(law, radius_a, radius_b, &stiffness);
  return status == JAGER_OK ? set_linear_secant(law, stiffness, zeta) : status;
}

jager_status jager_law_set_linear_at_force(jager_law *law, double radius_a, double radius_b, double fn)
{
  double stiffness;
  jager_status status = jager_contour_stiffness(law, radius_a, radius_b, &stiffness);
  if (status != JAGER_OK)
    return status;
  if (!(fn > 0.0 && fn <= JAGER_FN_MAX))
    return JAGER_ERROR_STIFFNESS;
  return set_linear_secant(law, stiffness, jager_zeta_at_force(law, stiffness, fn));
}
