/* SPDX-License-Identifier: MIT */
/*
 * Stored energies, and by how much a step changes them; shear.h has the springs.
 *
 * When the top of the path moves by e and the path below a depth z stays, all springs below z shear by e more. As
 * ∫ Fn" w dz over these springs is Ft(z) + Fn'(z) w(z), where Ft(z) = Σ p* ΔFn* up to z, they store
 *
 *     κ (2 Ft(z)·e + Fn'(z) (w(z) + w_new(z))·e)
 *
 * more. So the change of the stored energy needs only the part of the history that has changed.
 *
 * |w|² is quadratic in z on each segment: three points of Gauss are exact for spheres and cones.
 */
#include "energy.h"
#include "shear.h"

double jager_normal_energy(const jager_law *law, const contact_data *c)
{
  double power = c->model == JAGER_MODEL_LINEAR ? 1.0 : 1.0 + 1.0 / law->exponent;
  return c->zeta > 0.0 ? 2.0 * c->fn * c->zeta / (power + 1.0) : 0.0;
}

static JAGER_INLINE double shear_squared(const jager_law *law, double z, const void *context)
{
  (void)law;
  vec2 w = shear_at(context, z);
  return vec2_dot(w, w);
}

double jager_shear_energy(const jager_law *law, const contact_data *c)
{
  vec2 w = {0.0, 0.0};
  double sum = 0.0;
  FOR_EACH_SEGMENT(at, c)
  {
    shear_segment segment = {at.p, w, at.zeta};
    sum += integrate(law, at.zeta_base, at.zeta, shear_squared, &segment);
    w = shear_at(&segment, at.zeta_base);
  }
  return law->kappa * (1.0 + 1.0 / law->exponent) * c->stiffness * sum;
}

/* The path above a depth at which it has a point */
typedef struct upper_path {
  double sum; /* ∫ |w|² dv */
  vec2 w;     /* at the depth */
  vec2 ft;    /* Σ p* ΔFn* */
} upper_path;

static upper_path path_above(const jager_law *law, const contact_data *c, double depth)
{
  upper_path above = {0.0, {0.0, 0.0}, {0.0, 0.0}};
  if (!(c->zeta > depth))
    return above;
  double fn = c->fn;
  FOR_EACH_SEGMENT(at, c)
  {
    shear_segment segment = {at.p, above.w, at.zeta};
    double fn_base = normal_force(law, c->stiffness, at.zeta_base);
    above.sum += integrate(law, at.zeta_base, at.zeta, shear_squared, &segment);
    above.w = shear_at(&segment, at.zeta_base);
    above.ft = vec2_add_scaled(above.ft, fn - fn_base, at.p);
    fn = fn_base;
    if (at.zeta_base <= depth)
      break;
  }
  return above;
}

/* The change below the depth, as derived above, where Ft is `ft`, and the change above it */
static double change_between(const jager_law *law, double stiffness, double depth, vec2 ft, const upper_path *before,
                             const upper_path *after)
{
  vec2 e = vec2_subtract(after->w, before->w), both = vec2_add(after->w, before->w);
  double below = 2.0 * vec2_dot(ft, e) + normal_slope(law, stiffness, depth) * vec2_dot(both, e);
  double above = spring_density(law, stiffness) * (after->sum - before->sum);
  return law->kappa * (below + above);
}

double jager_shear_energy_change(const jager_law *law, const contact_data *before, const contact_data *after,
                                 double depth)
{
  upper_path old = path_above(law, before, depth), new = path_above(law, after, depth);
  vec2 ft = {0.0, 0.0};
  if (depth > 0.0) {
    jager_force force = force_of(before);
    ft = vec2_subtract(vec2_from(force.ft), old.ft);
  }
  return change_between(law, after->stiffness, depth, ft, &old, &new);
}

double jager_shear_energy_change_elastic(const jager_law *law, const contact_data *after, double zeta_before,
                                         const double ft_before[2])
{
  shear_segment segment = {after->top.p, {0.0, 0.0}, after->zeta};
  upper_path old = {0.0, {0.0, 0.0}, {0.0, 0.0}}, new = old;
  new.sum = integrate(law, zeta_before, after->zeta, shear_squared, &segment);
  new.w = shear_at(&segment, zeta_before);
  return change_between(law, after->stiffness, zeta_before, vec2_from(ft_before), &old, &new);
}
