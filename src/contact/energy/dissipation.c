/* SPDX-License-Identifier: MIT */
/*
 * The energy that a movement dissipates; energy.h has the springs.
 *
 * In one direction. A spring that engages at z starts to slide when the path leaves the cone at z. It slides at the
 * constant rate s = σe - fΔζ (σ = ±1 the direction, e = Δξ/κ) until the end of the movement or, if Δζ < 0, until it
 * disengages, and dissipates
 *
 *     dD = 2κ f Fn"(z) s ∫ (ζ(t) - z) dt dz   over the time in which it slides.
 *
 * This is quadratic in z on each segment: three points of Gauss are exact, and every term is positive.
 *
 * In two directions. When the cut z*(t) passes z, with p̂ the direction of slip then and p the slope of the path,
 *
 *     dD = 2κ f G (f - p̂·p) dz,    G = ∫ Fn"(x) (ζ(t) - x) dx from z to ζ(t),
 *
 * which follows from D = ∫ Ft·d(2ξ) - ΔUt with the force that the contact has all along the movement. It is positive as
 * well but no polynomial: eight points on each segment, which is halved until the result is exact to 1e-11.
 */
#include "energy.h"

/* A movement, and the segment of the old path that is looked at; `old` has the shears before the movement. */
typedef struct slip_movement {
  shear_segment old;
  double f, stiffness;
  double zeta_old, zeta_new, rise; /* rise = Δζ */
  vec2 e;
  vec2 line;          /* in one direction: the unit vector of the line ... */
  double along, sign; /* ... the component of e along it, and σ */
} slip_movement;

/* ---- One direction ----------------------------------------------------------------------------------------------- */

/* s ∫ (ζ(t) - z) dt of the spring at z */
static double slid_in_line(const jager_law *law, double z, const void *context)
{
  (void)law;
  const slip_movement *m = context;
  double rate = m->sign * m->along - m->f * m->rise;
  if (!(rate > 0.0))
    return 0.0;
  double limit_end = m->f * (m->zeta_new - z);
  double excess = m->sign * (vec2_dot(m->line, shear_at(&m->old, z)) + m->along) - limit_end; /* rate times duration */
  if (z < m->zeta_new || m->rise >= 0.0)
    return excess > 0.0 ? excess * ((m->zeta_new - z) - m->rise * excess / (2.0 * rate)) : 0.0;
  double duration = excess / rate - (z - m->zeta_new) / -m->rise; /* until it disengages */
  return duration > 0.0 ? rate * -m->rise * duration * duration / 2.0 : 0.0;
}

/* The same for springs that engage in this movement: they slide from the start. */
static double slid_new(const jager_law *law, double z, const void *context)
{
  (void)law;
  const slip_movement *m = context;
  double rate = m->sign * m->along - m->f * m->rise, depth = m->zeta_new - z;
  return rate > 0.0 ? rate * depth * depth / (2.0 * m->rise) : 0.0;
}

/* Root in [from, to] of the linear function with these values at the ends; `to` if there is none */
static double zero_between(double from, double to, double at_from, double at_to)
{
  if ((at_from < 0.0) == (at_to < 0.0))
    return to;
  double zero = from + (to - from) * (at_from / (at_from - at_to));
  return zero > from && zero < to ? zero : to;
}

/* Distance along the line, at the height z >= ζ_new, from the old path to the way of the target */
static double distance_to_way(const slip_movement *m, double z)
{
  return vec2_dot(m->line, shear_at(&m->old, z)) + m->along * (m->zeta_old - z) / -m->rise;
}

/* The part of a segment above ζ_new: its springs disengage, and slide in the direction in which the target passes. */
static double above_in_line(const jager_law *law, slip_movement *m, double from, double to)
{
  double side_from = distance_to_way(m, from), side_to = distance_to_way(m, to);
  double middle = zero_between(from, to, side_from, side_to);
  m->sign = (middle < to ? side_from : side_from + side_to) < 0.0 ? -1.0 : 1.0;
  double sum = integrate(law, from, middle, slid_in_line, m);
  m->sign = side_to < 0.0 ? -1.0 : 1.0;
  return sum + integrate(law, middle, to, slid_in_line, m);
}

static double segment_in_line(const jager_law *law, slip_movement *m, double from, double to, double sign)
{
  double middle = fmin(to, fmax(from, m->zeta_new));
  m->sign = sign;
  double sum = integrate(law, from, middle, slid_in_line, m);
  return middle < to ? sum + above_in_line(law, m, middle, to) : sum;
}

/* σ of all springs that stay engaged: the side of the target, seen from the cut */
static double slip_side(const contact_data *c, slip_movement *m, double zeta_slip)
{
  vec2 w = {0.0, 0.0};
  FOR_EACH_SEGMENT(at, c)
  {
    m->old = (shear_segment){at.p, w, at.zeta};
    w = shear_at(&m->old, fmax(at.zeta_base, zeta_slip));
    if (at.zeta_base <= zeta_slip)
      break;
  }
  return vec2_dot(m->line, w) + m->along < 0.0 ? -1.0 : 1.0;
}

/* ∫ of the derivation above for one direction, over dv, on the old segments above zeta_slip and on the new springs */
static double sum_in_line(const jager_law *law, const contact_data *c, slip_movement *m, double zeta_slip)
{
  double sum = 0.0, sign = slip_side(c, m, zeta_slip);
  vec2 w = {0.0, 0.0};
  FOR_EACH_SEGMENT(at, c)
  {
    double from = fmax(at.zeta_base, zeta_slip);
    m->old = (shear_segment){at.p, w, at.zeta};
    if (from < at.zeta)
      sum += segment_in_line(law, m, from, at.zeta, sign);
    w = shear_at(&m->old, from);
    if (at.zeta_base <= zeta_slip)
      break;
  }
  m->sign = sign;
  if (m->rise > 0.0)
    sum += integrate(law, m->zeta_old, m->zeta_new, slid_new, m);
  return sum;
}

/* ---- Two directions ---------------------------------------------------------------------------------------------- */

/* An integral over a density with kinks: panels are halved until the halves agree with the whole to the tolerance. */
typedef struct kinked_integral {
  density_of_z *density;
  const void *context;
  double tolerance;
  int panels_left; /* bounds the time for any density */
} kinked_integral;

static double refine(const jager_law *law, double from, double to, kinked_integral *of, double whole, int halvings)
{
  double middle = z_of_v(law, 0.5 * (v_of_z(law, from) + v_of_z(law, to)));
  double lower = integrate_panel(law, from, middle, &gauss8, of->density, of->context);
  double upper = integrate_panel(law, middle, to, &gauss8, of->density, of->context);
  of->panels_left -= 2;
  if (halvings == 0 || of->panels_left <= 0 || !(fabs(lower + upper - whole) > of->tolerance))
    return lower + upper;
  return refine(law, from, middle, of, lower, halvings - 1) + refine(law, middle, to, of, upper, halvings - 1);
}

/* `largest` is an upper bound of the integral; its rounding errors set the smallest tolerance. */
static double integrate_kinked(const jager_law *law, double from, double to, density_of_z *density, const void *context,
                               double largest)
{
  if (!(from < to))
    return 0.0;
  double whole = integrate_panel(law, from, to, &gauss8, density, context);
  kinked_integral of = {density, context, fmax(1e-11 * whole, 1e-16 * largest), 1000};
  return refine(law, from, to, &of, whole, 20);
}

/* G of the derivation above */
static double annulus_load(const jager_law *law, double stiffness, double z, double zeta)
{
  double depth = zeta - z;
  if (!(depth > 0.0))
    return 0.0;
  if (law->contour == JAGER_CONTOUR_CONE)
    return stiffness * depth * depth;
  if (law->contour == JAGER_CONTOUR_SPHERE) {
    double a = sqrt(zeta), b = sqrt(z), difference = depth / (a + b);
    return stiffness * difference * difference * (a + 0.5 * b);
  }
  if (depth < z) { /* the three terms below would cancel; the integral itself is smooth here */
    const split_exponent curvature = exponent_plus(radius_exponent(law->exponent), -1.0);
    double power = 1.0 + 1.0 / law->exponent, sum = 0.0;
    for (int i = 0; i < gauss8.points; i++) {
      double x = z + 0.5 * depth * (1.0 + gauss8.at[i]);
      sum += gauss8.weight[i] * jager_power(x, curvature) * (zeta - x);
    }
    return 0.5 * depth * power * (power - 1.0) * stiffness * sum;
  }
  return normal_force(law, stiffness, zeta) - normal_force(law, stiffness, z) - normal_slope(law, stiffness, z) * depth;
}

/* The time t in [0, 1] at which the path leaves the cone at z: |w + te| = f (L + tΔζ), L = ζ_old - z */
static double time_of_leaving(const slip_movement *m, vec2 w, double L)
{
  double a = vec2_dot(m->e, m->e) - m->f * m->f * m->rise * m->rise;
  double b = vec2_dot(w, m->e) - m->f * m->f * L * m->rise;
  double c0 = fmin(0.0, vec2_dot(w, w) - m->f * m->f * L * L);
  double root = sqrt(fmax(0.0, b * b - a * c0));
  double t = b > 0.0 ? -c0 / (b + root) : a > 0.0 ? (root - b) / a : 1.0;
  return fmin(1.0, fmax(0.0, t));
}

/* G (f - p̂·p) dz/dv */
static double cut_passes(const jager_law *law, double z, const void *context)
{
  const slip_movement *m = context;
  vec2 w = shear_at(&m->old, z);
  double t = time_of_leaving(m, w, m->zeta_old - z);
  vec2 direction = vec2_with_length(vec2_add_scaled(w, t, m->e), 1.0);
  double v = v_of_z(law, z);
  double dz_dv = law->contour == JAGER_CONTOUR_CONE ? 1.0 : v > 0.0 ? law->exponent * (z / v) : 0.0;
  double zeta = m->zeta_old + t * m->rise;
  return annulus_load(law, m->stiffness, z, zeta) * fmax(0.0, m->f - vec2_dot(direction, m->old.p)) * dz_dv;
}

/*
 * Gross sliding from the time t0 on dissipates 2κ f ∫ Fn(ζ(t)) dh, h = |E_T| - fζ; returns ∫ Fn dh. With
 * 1 - t = (1 - t0) x² the integrand is smooth in x also where the contact separates, Fn ~ x³. Eight panels follow a
 * direction that turns quickly.
 */
static double slid_all_over(const jager_law *law, const slip_movement *m, vec2 w_origin)
{
  const int panels = 8;
  double left = 1.0 - time_of_leaving(m, w_origin, m->zeta_old), sum = 0.0;
  for (int i = 0; i < panels * gauss8.points; i++) {
    int point = i % gauss8.points;
    double x = ((i - point) / (double)gauss8.points + 0.5 * (1.0 + gauss8.at[point])) / panels;
    double t = 1.0 - left * x * x;
    vec2 direction = vec2_with_length(vec2_add_scaled(w_origin, t, m->e), 1.0);
    double rate = vec2_dot(direction, m->e) - m->f * m->rise;
    double fn = normal_force(law, m->stiffness, fmax(0.0, m->zeta_old + t * m->rise));
    sum += gauss8.weight[point] * fn * fmax(0.0, rate) * x;
  }
  return left * sum / panels; /* dt = 2 left x dx, dx = weight / (2 panels) */
}

static double sum_in_plane(const jager_law *law, const contact_data *c, slip_movement *m, double zeta_slip)
{
  double sum = 0.0;
  vec2 w = {0.0, 0.0};
  FOR_EACH_SEGMENT(at, c)
  {
    double from = fmax(at.zeta_base, zeta_slip);
    m->old = (shear_segment){at.p, w, at.zeta};
    sum += integrate_kinked(law, from, at.zeta, cut_passes, m, c->fn * m->f * (at.zeta - from));
    w = shear_at(&m->old, from);
    if (at.zeta_base <= zeta_slip)
      break;
  }
  return zeta_slip > 0.0 ? sum : sum + slid_all_over(law, m, w);
}

/* ---- Both -------------------------------------------------------------------------------------------------------- */

/* The line in which the old path above zeta_slip and the movement lie; the zero vector if there is none. */
static vec2 common_line(const jager_law *law, const contact_data *c, vec2 e, double zeta_slip)
{
  const double slack = 1e-9;
  vec2 line = vec2_with_length(e, 1.0);
  FOR_EACH_SEGMENT(at, c)
  {
    double steepness = sqrt(vec2_dot(at.p, at.p));
    if (steepness > slack * law->friction) {
      if (vec2_is_zero(line))
        line = vec2_with_length(at.p, 1.0);
      if (fabs(line.x * at.p.y - line.y * at.p.x) > slack * law->friction)
        return (vec2){0.0, 0.0};
    }
    if (at.zeta_base <= zeta_slip)
      break;
  }
  return vec2_is_zero(line) ? (vec2){1.0, 0.0} : line;
}

static double dissipation_of(const jager_law *law, const contact_data *before, double zeta, vec2 e, double zeta_slip)
{
  if (zeta_slip >= zeta && zeta > 0.0)
    return 0.0; /* elastic, or straight back along a segment */
  if (!(zeta > 0.0) && !(before->zeta > 0.0))
    return 0.0; /* the bodies never touch */
  double zeta_old = fmax(0.0, before->zeta);
  slip_movement m = {.f = law->friction,
                     .stiffness = before->stiffness,
                     .zeta_old = zeta_old,
                     .zeta_new = zeta,
                     .rise = zeta - zeta_old,
                     .e = e};
  double density = spring_density(law, before->stiffness);
  if (zeta_old > 0.0) {
    m.line = common_line(law, before, e, zeta_slip);
    if (vec2_is_zero(m.line))
      return 2.0 * law->kappa * m.f * sum_in_plane(law, before, &m, zeta_slip);
    m.along = vec2_dot(m.line, e);
    return 2.0 * law->kappa * m.f * density * sum_in_line(law, before, &m, zeta_slip);
  }
  m.line = vec2_with_length(e, 1.0); /* the bodies touch and slide: all springs are new */
  m.along = vec2_dot(m.line, e);
  m.sign = 1.0;
  return 2.0 * law->kappa * m.f * density * integrate(law, 0.0, zeta, slid_new, &m);
}

double jager_dissipation(const jager_law *law, const contact_data *before, double zeta, vec2 e, double zeta_slip)
{
  double dissipated = dissipation_of(law, before, zeta, e, zeta_slip);
  return dissipated < 0.0 ? 0.0 : dissipated; /* negative by rounding */
}
