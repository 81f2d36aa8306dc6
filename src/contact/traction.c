/* SPDX-License-Identifier: MIT */
/*
 * Pressure and shear traction in the contact (paper, eq. CM), and the radius of the stick zone.
 *
 * When the indentation grows from z to z + dz, a flat punch of radius a(z) presses on: its pressure is
 * dFn / (2πa √(a² - r²)). So the pressure at ζ is
 *
 *     σ(r; ζ) = ∫ Fn'(z) dz / (2π a(z) √(a(z)² - r²))   over a(z) > r,
 *
 * and, as each segment of the history adds shear in proportion p* to the normal load,
 *
 *     τ(r) = Σ p*ₖ (σ(r; ζ*ₖ) - σ(r; ζ*ₖ₋₁)).
 *
 * With Fn' = (3/2) Ē a for every contour (Sneddon), dz = (ζ/a^α) α a^(α-1) da:
 *
 *     σ = (3Ē α / 4π) (ζ/a^α) ∫ x^(α-1) / √(x² - r²) dx   from r to a,
 *
 * which is √(a² - r²) for spheres (α = 2), arcosh(a/r) for cones (α = 1).
 */
#include "internal.h"

static const double pi = 3.14159265358979323846;

/*
 * ∫ x^(α-1)/√(x² - r²) dx from r to a. With x² = r² + y² it is ∫ (r² + y²)^((α-2)/2) dy from 0 to √(a² - r²); with
 * y = r sinh(u), r^(α-1) ∫ cosh(u)^(α-1) du, which is smooth: Simpson's rule in u, on enough panels for rounding.
 */
static double power_integral(double alpha, double r, double a)
{
  if (r == 0.0)
    return alpha > 1.0 ? pow(a, alpha - 1.0) / (alpha - 1.0) : INFINITY;
  double top = acosh(a / r);
  const int panels = 2000;
  double step = top / panels, sum = 0.0;
  for (int i = 0; i <= panels; i++) {
    double weight = i == 0 || i == panels ? 1.0 : i % 2 ? 4.0 : 2.0;
    sum += weight * pow(r * cosh(i * step), alpha - 1.0);
  }
  return sum * step / 3.0;
}

/* σ(r; ζ) */
static double pressure_at(const jager_law *law, double stiffness, double zeta, double r)
{
  double a = jager_radius_at(law, stiffness, zeta);
  if (!(r < a))
    return 0.0;
  double alpha = law->exponent, integral;
  if (law->contour == JAGER_CONTOUR_SPHERE)
    integral = sqrt((a - r) * (a + r));
  else if (law->contour == JAGER_CONTOUR_CONE)
    integral = r > 0.0 ? acosh(a / r) : INFINITY;
  else
    integral = power_integral(alpha, r, a);
  return 3.0 * law->modulus * alpha / (4.0 * pi) * (zeta / pow(a, alpha)) * integral;
}

/* p (σ(r; ζ) - σ(r; ζ_base)): in the middle of a cone both are infinite, their difference is not. */
static double pressure_between(const jager_law *law, double stiffness, double base, double zeta, double r)
{
  if (r == 0.0 && base > 0.0 && law->exponent == 1.0)
    return 3.0 * law->modulus / (4.0 * pi) * (zeta / jager_radius_at(law, stiffness, zeta)) * log(zeta / base);
  return pressure_at(law, stiffness, zeta, r) - pressure_at(law, stiffness, base, r);
}

static jager_status check(const jager_law *law, const jager_contact *contact)
{
  if (!law || !contact)
    return JAGER_ERROR_NULL;
  if ((uint8_t)law->model != contact->model)
    return JAGER_ERROR_MODEL;
  return law->model == JAGER_MODEL_JAGER ? JAGER_OK : JAGER_ERROR_UNSUPPORTED;
}

jager_status jager_contact_radii(const jager_law *law, const jager_contact *contact, double *contact_radius,
                                 double *stick_radius)
{
  jager_status status = check(law, contact);
  if (status != JAGER_OK)
    return status;
  double zeta = fmax(0.0, contact->zeta), zeta_stick = zeta;
  if (contact->state == JAGER_SLIDE)
    zeta_stick = 0.0;
  else if (contact->state == JAGER_SLIP && jager_slope_is_slip(jager_vec2(contact->p), contact->friction))
    zeta_stick = contact->zeta_base;
  if (contact_radius)
    *contact_radius = jager_radius_at(law, contact->stiffness, zeta);
  if (stick_radius)
    *stick_radius = jager_radius_at(law, contact->stiffness, zeta_stick);
  return JAGER_OK;
}

jager_status jager_contact_traction(const jager_law *law, const jager_contact *contact, double radius,
                                    double *pressure, double shear[2])
{
  jager_status status = check(law, contact);
  if (status != JAGER_OK)
    return status;
  if (!(radius >= 0.0))
    return isnan(radius) ? JAGER_ERROR_NOT_FINITE : JAGER_ERROR_RADIUS;
  vec2 sum = {0.0, 0.0};
  if (contact->zeta > 0.0) {
    jager_cursor at = jager_cursor_top(contact);
    for (;; jager_cursor_descend(&at)) {
      if (at.p.x != 0.0 || at.p.y != 0.0) /* infinity times zero is not wanted */
        sum = jager_along(sum, pressure_between(law, contact->stiffness, at.zeta_base, at.zeta, radius), at.p);
      if (jager_cursor_at_bottom(&at) || jager_radius_at(law, contact->stiffness, at.zeta) <= radius)
        break;
    }
  }
  if (pressure)
    *pressure = contact->zeta > 0.0 ? pressure_at(law, contact->stiffness, contact->zeta, radius) : 0.0;
  if (shear) {
    shear[0] = sum.x;
    shear[1] = sum.y;
  }
  return JAGER_OK;
}
