/* SPDX-License-Identifier: MIT */
/*
 * Pressure and shear traction in the contact (paper, eq. CM), and the radius of the stick zone.
 *
 * When the indentation grows from z to z + dz, the pressure grows as under a flat punch of the radius a(z), by
 * dFn / (2πa √(a² - r²)). So the pressure at ζ is
 *
 *     σ(r; ζ) = ∫ Fn'(z) dz / (2π a(z) √(a(z)² - r²))   over a(z) > r,
 *
 * and, as each segment of the history adds shear in proportion p* to the normal load,
 *
 *     τ(r) = Σ p*ₖ (σ(r; ζ*ₖ) - σ(r; ζ*ₖ₋₁)).
 *
 * With Fn' = (3/2) Ē a for every contour (Sneddon), ζ ~ a^α and s = r/a(ζ),
 *
 *     σ = (3Ē α / 4π) (ζ/a) I(s),   I(s) = ∫ t^(α-1) / √(t² - s²) dt   from s to 1,
 *
 * which is √(1 - s²) for spheres (α = 2), arcosh(1/s) for cones (α = 1).
 */
#include "step.h"

/* Gauss and Legendre's ten points on [-1, 1], without their signs */
enum { GAUSS = 5 };
static const double gauss_point[GAUSS] = {0.14887433898163122, 0.4333953941292472, 0.6794095682990244,
                                          0.8650633666889845, 0.9739065285171717};
static const double gauss_weight[GAUSS] = {0.29552422471475287, 0.26926671930999635, 0.21908636251598204,
                                           0.1494513491505806, 0.06667134430868814};

/* Above this u, cosh(u) and e^u/2 are the same in double precision. */
#define COSH_IS_EXP 19.0

/* ∫ (s cosh(u))^m du over a panel of this middle and half-width */
static double power_panel(double m, double s, double middle, double half)
{
  double sum = 0.0;
  for (int i = 0; i < GAUSS; i++)
    for (int side = -1; side <= 1; side += 2)
      sum += gauss_weight[i] * jager_power(s * cosh(middle + side * half * gauss_point[i]), exponent_of(m));
  return half * sum;
}

/*
 * I(s) for any α = m + 1, 0 < s < 1. With t = s cosh(u) it is the integral of (s cosh(u))^m from 0 to U, where
 * cosh(U) = 1/s. For large u, cosh(u) is e^u/2, and the integral is elementary. For smaller u the integrand grows like
 * e^(mu) and is analytic but for u = ±iπ/2: on panels of the width 1, or 4/m, Gauss's rule is exact to rounding. The
 * panels are added from U down until they no longer change the sum.
 */
static double power_integral(double m, double s, double u_top)
{
  double sum = 0.0, u = u_top;
  if (u > COSH_IS_EXP) {
    double fall = m * (u - COSH_IS_EXP);
    sum = fall > 0.0 ? -expm1(-fall) / m : u - COSH_IS_EXP;
    u = COSH_IS_EXP;
  }
  while (u > 0.0) {
    double width = fmin(u, m > 4.0 ? 4.0 / m : 1.0);
    double part = power_panel(m, s, u - 0.5 * width, 0.5 * width);
    sum += part;
    if (!(part > 1e-17 * sum))
      break;
    u -= width;
  }
  return sum;
}

/* I(s) at r < a */
static double shape_integral(const jager_law *law, double r, double a)
{
  if (law->contour == JAGER_CONTOUR_SPHERE)
    return sqrt((a - r) * (a + r)) / a;
  if (!(r > 0.0))
    return law->exponent > 1.0 ? 1.0 / (law->exponent - 1.0) : INFINITY;
  double rise = (a - r) / r;                                                                      /* 1/s - 1 */
  double u = rise < 1e150 ? log1p(rise + sqrt(rise * (rise + 2.0))) : log(2.0) + log(a) - log(r); /* arcosh(1/s) */
  return law->contour == JAGER_CONTOUR_CONE ? u : power_integral(law->exponent - 1.0, r / a, u);
}

/* σ(r; ζ) */
static double pressure_at(const jager_law *law, double stiffness, double zeta, double r)
{
  double a = jager_contact_radius(law, stiffness, zeta);
  if (!(r < a))
    return 0.0;
  return 3.0 * law->modulus * law->exponent / (4.0 * JAGER_PI) * (zeta / a) * shape_integral(law, r, a);
}

/* σ(r; ζ) - σ(r; ζ_base): in the middle of a cone both are infinite, their difference is not. */
static double pressure_between(const jager_law *law, double stiffness, double base, double zeta, double r)
{
  if (r == 0.0 && base > 0.0 && law->exponent == 1.0)
    return 3.0 * law->modulus / (4.0 * JAGER_PI) * (zeta / jager_contact_radius(law, stiffness, zeta)) *
           log(zeta / base);
  return pressure_at(law, stiffness, zeta, r) - pressure_at(law, stiffness, base, r);
}

static jager_status check_tractions(const jager_law *law, const contact_data *c)
{
  if (!law || !c)
    return JAGER_ERROR_NULL;
  jager_status status = check_law_of(law, c);
  if (status != JAGER_OK)
    return status;
  return law->model == JAGER_MODEL_JAGER ? JAGER_OK : JAGER_ERROR_UNSUPPORTED;
}

jager_status jager_contact_radii(const jager_contact *contact, const jager_law *law, double *contact_radius,
                                 double *stick_radius)
{
  const contact_data *c = data_of_const(contact);
  jager_status status = check_tractions(law, c);
  if (status != JAGER_OK)
    return status;
  double zeta = fmax(0.0, c->zeta), zeta_stick = zeta;
  if (c->state == JAGER_STATE_SLIDE)
    zeta_stick = 0.0;
  else if (c->state == JAGER_STATE_SLIP && slope_is_slip(c->top.p, c->friction))
    zeta_stick = c->top.zeta_base;
  if (contact_radius)
    *contact_radius = jager_contact_radius(law, c->stiffness, zeta);
  if (stick_radius)
    *stick_radius = jager_contact_radius(law, c->stiffness, zeta_stick);
  return JAGER_OK;
}

/* τ(r) */
static vec2 shear_traction_at(const jager_law *law, const contact_data *c, double r)
{
  vec2 sum = {0.0, 0.0};
  FOR_EACH_SEGMENT(at, c)
  {
    double growth = pressure_between(law, c->stiffness, at.zeta_base, at.zeta, r);
    if (at.p.x != 0.0) /* `growth` may be infinite */
      sum.x += growth * at.p.x;
    if (at.p.y != 0.0)
      sum.y += growth * at.p.y;
    if (jager_contact_radius(law, c->stiffness, at.zeta) <= r)
      break;
  }
  return sum;
}

jager_status jager_contact_traction(const jager_contact *contact, const jager_law *law, double radius, double *pressure,
                                    double shear[2])
{
  const contact_data *c = data_of_const(contact);
  jager_status status = check_tractions(law, c);
  if (status != JAGER_OK)
    return status;
  if (!(radius >= 0.0))
    return isnan(radius) ? JAGER_ERROR_NOT_FINITE : JAGER_ERROR_RADIUS;
  if (pressure)
    *pressure = c->zeta > 0.0 ? pressure_at(law, c->stiffness, c->zeta, radius) : 0.0;
  if (shear) {
    vec2 sum = shear_traction_at(law, c, radius);
    shear[0] = sum.x;
    shear[1] = sum.y;
  }
  return JAGER_OK;
}
