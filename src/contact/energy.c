/* SPDX-License-Identifier: MIT */
/*
 * Energies of the Jäger contact.
 *
 * The contact is a continuum of springs. Those that engage at depth z have density Fn''(z) and hold the shear
 * w(z) = E_top - E(z), so that Ft = ∫ Fn'' w dz; a spring slides when |w| reaches f (ζ - z). With relative movements 2ζ
 * and 2ξ = 2κE,
 *
 *     stored      Ut = κ ∫ Fn'' |w|² dz,
 *     dissipated  D = 2κ ∫∫ Fn'' w · dE(z) dz        (E(z) moves only where the spring slides).
 *
 * When the top moves by e, and the path below a depth z stays, all springs below z shear by e more. With what the path
 * has below z, ∫ Fn'' w dz = Ft(z) + Fn'(z) w(z), where Ft(z) = Σ p* ΔFn* up to z, they then store more by
 *
 *     κ (2 Ft(z)·e + Fn'(z) (w(z) + w_new(z))·e):
 *
 * so a change of the stored energy needs only the part of the history that has changed.
 *
 * With v = z^(1/α), Fn'' dz = (1 + 1/α) C dv. On a segment w is linear in z, and so |w|² is of degree 4 in v for spheres
 * and 2 for cones: three Gauss points are exact.
 *
 * Dissipation, one direction. A spring that engages at z starts to slide when the path leaves the cone at z, and slides
 * at the constant rate s = σe - fΔζ (σ = ±1 the direction, e = Δξ/κ) for the rest of the movement or, if Δζ < 0, until
 * it disengages:
 *
 *     dD = 2κ f Fn''(z) s ∫ (ζ(t) - z) dt dz   over the time in which it slides,
 *
 * quadratic in z on each segment: three points are exact again, and every term is positive.
 *
 * Dissipation, two directions. When the cut z*(t) passes z, with p̂ the direction of slip then and p the path's slope,
 *
 *     dD = 2κ f G (f - p̂·p) dz,    G = ∫ Fn''(x) (ζ(t) - x) dx from z to ζ(t),
 *
 * which follows from D = ∫ Ft·d(2ξ) - ΔUt for the force that the contact has all along the movement. Positive as well;
 * no polynomial: eight points on each segment, which is halved until that is exact to 1e-11.
 */
#include "internal.h"

/* ---- Quadrature ------------------------------------------------------------------------------------------------ */

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

static JAGER_INLINE double v_of(const jager_law *law, double z)
{
  if (law->contour == JAGER_CONTOUR_SPHERE)
    return sqrt(z);
  return law->contour == JAGER_CONTOUR_CONE ? z : pow(z, 1.0 / law->exponent);
}

static JAGER_INLINE double z_of(const jager_law *law, double v)
{
  if (law->contour == JAGER_CONTOUR_SPHERE)
    return v * v;
  return law->contour == JAGER_CONTOUR_CONE ? v : pow(v, law->exponent);
}

/* Inline: stored energies of long histories spend their time here, and with a known density it is a few operations. */
static JAGER_INLINE double integrate_panel(const jager_law *law, double from, double to, const gauss_rule *rule,
                                           density_of_z *density, const void *context)
{
  double low = v_of(law, from), high = v_of(law, to), middle = 0.5 * (high + low), half = 0.5 * (high - low);
  double sum = 0.0;
  for (int i = 0; i < rule->points; i++)
    sum += rule->weight[i] * density(law, z_of(law, middle + half * rule->at[i]), context);
  return half * sum;
}

/* ∫ density dv over z in [from, to]. A power law's z^(1/α) is steep near 0: panels that shrink towards it. */
static JAGER_INLINE double integrate(const jager_law *law, double from, double to, const gauss_rule *rule,
                                     density_of_z *density, const void *context)
{
  if (!(from < to))
    return 0.0;
  if (law->contour != JAGER_CONTOUR_POWER)
    return integrate_panel(law, from, to, rule, density, context);
  double sum = 0.0;
  for (int panel = 0; panel < 60 && from < 0.5 * to; panel++) {
    sum += integrate_panel(law, 0.5 * to, to, &gauss8, density, context);
    to *= 0.5;
  }
  return sum + integrate_panel(law, from, to, &gauss8, density, context);
}

/* A part of a density with kinks: halved until halves and whole agree to the tolerance. */
typedef struct kinked {
  density_of_z *density;
  const void *context;
  double tolerance;
  int panels_left; /* so that no density, however wild, takes long */
} kinked;

static double refine(const jager_law *law, double from, double to, kinked *of, double whole, int halvings)
{
  double middle = z_of(law, 0.5 * (v_of(law, from) + v_of(law, to)));
  double lower = integrate_panel(law, from, middle, &gauss8, of->density, of->context);
  double upper = integrate_panel(law, middle, to, &gauss8, of->density, of->context);
  of->panels_left -= 2;
  if (halvings == 0 || of->panels_left <= 0 || !(fabs(lower + upper - whole) > of->tolerance))
    return lower + upper;
  return refine(law, from, middle, of, lower, halvings - 1) + refine(law, middle, to, of, upper, halvings - 1);
}

/* `largest`: what the integral could be at most; rounding noise of it is not chased. */
static double integrate_kinked(const jager_law *law, double from, double to, density_of_z *density, const void *context,
                               double largest)
{
  if (!(from < to))
    return 0.0;
  double whole = integrate_panel(law, from, to, &gauss8, density, context);
  kinked of = {density, context, fmax(1e-11 * whole, 1e-16 * largest), 1000};
  return refine(law, from, to, &of, whole, 20);
}

/* ---- Stored ---------------------------------------------------------------------------------------------------- */

/* A segment, with the shear w of the spring that engages at its end. */
typedef struct shear_segment {
  vec2 p, w_end;
  double z_end;
} shear_segment;

static JAGER_INLINE vec2 shear_at(const shear_segment *segment, double z)
{
  return jager_along(segment->w_end, segment->z_end - z, segment->p);
}

static JAGER_INLINE double shear_squared(const jager_law *law, double z, const void *context)
{
  (void)law;
  vec2 w = shear_at(context, z);
  return jager_dot(w, w);
}

double jager_shear_energy(const jager_law *law, const jager_contact *contact)
{
  if (!(contact->zeta > 0.0))
    return 0.0;
  jager_cursor at = jager_cursor_top(contact);
  vec2 w = {0.0, 0.0};
  double sum = 0.0;
  for (;; jager_cursor_descend(&at)) {
    shear_segment segment = {at.p, w, at.zeta};
    sum += integrate(law, at.zeta_base, at.zeta, &gauss3, shear_squared, &segment);
    if (jager_cursor_at_bottom(&at))
      break;
    w = shear_at(&segment, at.zeta_base);
  }
  return law->kappa * (1.0 + 1.0 / law->exponent) * contact->stiffness * sum;
}

/* The path above a depth, where it has a point */
typedef struct upper_path {
  double sum; /* ∫ |w|² dv */
  vec2 w;     /* at the depth */
  vec2 ft;    /* Σ p* ΔFn* */
} upper_path;

static upper_path path_above(const jager_law *law, const jager_contact *contact, double depth)
{
  upper_path above = {0.0, {0.0, 0.0}, {0.0, 0.0}};
  if (!(contact->zeta > depth))
    return above;
  double fn = contact->fn;
  for (jager_cursor at = jager_cursor_top(contact);; jager_cursor_descend(&at)) {
    shear_segment segment = {at.p, above.w, at.zeta};
    double fn_base = jager_normal_force(law, contact->stiffness, at.zeta_base);
    above.sum += integrate(law, at.zeta_base, at.zeta, &gauss3, shear_squared, &segment);
    above.w = shear_at(&segment, at.zeta_base);
    above.ft = jager_along(above.ft, fn - fn_base, at.p);
    fn = fn_base;
    if (at.zeta_base <= depth || jager_cursor_at_bottom(&at))
      return above;
  }
}

/* κ (2 Ft·e + Fn' (w + w_new)·e) of the head of this file, and what is stored above the depth */
static double energy_change(const jager_law *law, double stiffness, double depth, vec2 ft, const upper_path *before,
                            const upper_path *after)
{
  vec2 e = jager_along(after->w, -1.0, before->w), both = jager_along(after->w, 1.0, before->w);
  double below = 2.0 * jager_dot(ft, e) + jager_normal_slope(law, stiffness, depth) * jager_dot(both, e);
  double above = (1.0 + 1.0 / law->exponent) * stiffness * (after->sum - before->sum);
  return law->kappa * (below + above);
}

double jager_shear_energy_change(const jager_law *law, const jager_contact *before, const jager_contact *after,
                                 double depth)
{
  upper_path old = path_above(law, before, depth), new = path_above(law, after, depth);
  vec2 ft = {0.0, 0.0};
  if (depth > 0.0)
    ft = jager_along(jager_vec2(jager_contact_force(before).ft), -1.0, old.ft);
  return energy_change(law, after->stiffness, depth, ft, &old, &new);
}

double jager_climb_energy(const jager_law *law, const jager_contact *after, double zeta_before,
                          const double ft_before[2])
{
  shear_segment segment = {jager_vec2(after->p), {0.0, 0.0}, after->zeta};
  upper_path old = {0.0, {0.0, 0.0}, {0.0, 0.0}}, new = old;
  new.sum = integrate(law, zeta_before, after->zeta, &gauss3, shear_squared, &segment);
  new.w = shear_at(&segment, zeta_before);
  return energy_change(law, after->stiffness, zeta_before, jager_vec2(ft_before), &old, &new);
}

/* ---- Dissipated ------------------------------------------------------------------------------------------------ */

/* A movement and the segment of the old path that is looked at; `old` holds shears before the movement. */
typedef struct slip_movement {
  shear_segment old;
  double f, stiffness;
  double zeta_old, zeta_new, rise; /* rise = Δζ */
  vec2 e;
  double along, sign; /* one direction: |e| signed along the line, and σ */
  vec2 line;          /* unit vector of that line */
} slip_movement;

/* ∫ (ζ(t) - z) dt over the time in which the spring at z slides, times its rate s. */
static double slid_in_line(const jager_law *law, double z, const void *context)
{
  (void)law;
  const slip_movement *m = context;
  double rate = m->sign * m->along - m->f * m->rise;
  if (!(rate > 0.0))
    return 0.0;
  double limit_end = m->f * (m->zeta_new - z);
  double excess = m->sign * (jager_dot(m->line, shear_at(&m->old, z)) + m->along) - limit_end; /* = rate * dur */
  if (z < m->zeta_new || m->rise >= 0.0)
    return excess > 0.0 ? excess * ((m->zeta_new - z) - m->rise * excess / (2.0 * rate)) : 0.0;
  double dur = excess / rate - (z - m->zeta_new) / -m->rise; /* until it disengages */
  return dur > 0.0 ? rate * -m->rise * dur * dur / 2.0 : 0.0;
}

/* Springs that engage only in this movement: they slide from the start. */
static double slid_new(const jager_law *law, double z, const void *context)
{
  (void)law;
  const slip_movement *m = context;
  double rate = m->sign * m->along - m->f * m->rise, depth = m->zeta_new - z;
  return rate > 0.0 ? rate * depth * depth / (2.0 * m->rise) : 0.0;
}

/* Where on [from, to] the linear function with these end values is zero; `to` if nowhere. */
static double zero_between(double from, double to, double at_from, double at_to)
{
  if ((at_from < 0.0) == (at_to < 0.0))
    return to;
  double zero = from + (to - from) * (at_from / (at_from - at_to));
  return zero > from && zero < to ? zero : to;
}

/* How far, along the line, the target's way at the height of z >= ζ_new runs beside the old path. */
static double aside(const slip_movement *m, double z)
{
  return jager_dot(m->line, shear_at(&m->old, z)) + m->along * (m->zeta_old - z) / -m->rise;
}

/* One segment's part that lies above ζ_new: its springs disengage, and slide to the side on which the target passes. */
static double above_in_line(const jager_law *law, slip_movement *m, double from, double to)
{
  double side_from = aside(m, from), side_to = aside(m, to);
  double middle = zero_between(from, to, side_from, side_to);
  m->sign = (middle < to ? side_from : side_from + side_to) < 0.0 ? -1.0 : 1.0;
  double sum = integrate(law, from, middle, &gauss3, slid_in_line, m);
  m->sign = side_to < 0.0 ? -1.0 : 1.0;
  return sum + integrate(law, middle, to, &gauss3, slid_in_line, m);
}

static double segment_in_line(const jager_law *law, slip_movement *m, double from, double to, double sign)
{
  double middle = fmin(to, fmax(from, m->zeta_new));
  m->sign = sign;
  double sum = integrate(law, from, middle, &gauss3, slid_in_line, m);
  return middle < to ? sum + above_in_line(law, m, middle, to) : sum;
}

/* G of the head of this file */
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
  if (depth < z) { /* the three terms below would cancel: the integral itself, which is smooth here */
    double power = 1.0 + 1.0 / law->exponent, sum = 0.0;
    for (int i = 0; i < gauss8.points; i++) {
      double x = z + 0.5 * depth * (1.0 + gauss8.at[i]);
      sum += gauss8.weight[i] * pow(x, power - 2.0) * (zeta - x);
    }
    return 0.5 * depth * power * (power - 1.0) * stiffness * sum;
  }
  return jager_normal_force(law, stiffness, zeta) - jager_normal_force(law, stiffness, z) -
         jager_normal_slope(law, stiffness, z) * depth;
}

/* Time t in [0, 1] at which the path leaves the cone at z: |w + te| = f (L + tΔζ), L = ζ_old - z; c0 <= 0. */
static double time_of_leaving(const slip_movement *m, vec2 w, double L)
{
  double a = jager_dot(m->e, m->e) - m->f * m->f * m->rise * m->rise;
  double b = jager_dot(w, m->e) - m->f * m->f * L * m->rise;
  double c0 = fmin(0.0, jager_dot(w, w) - m->f * m->f * L * L);
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
  vec2 direction = jager_with_length(jager_along(w, t, m->e), 1.0);
  double v = v_of(law, z), dz_dv = law->contour == JAGER_CONTOUR_CONE ? 1.0 : v > 0.0 ? law->exponent * (z / v) : 0.0;
  double zeta = m->zeta_old + t * m->rise;
  return annulus_load(law, m->stiffness, z, zeta) * fmax(0.0, m->f - jager_dot(direction, m->old.p)) * dz_dv;
}

/*
 * Gross sliding from time t0 on: 2κ f ∫ Fn(ζ(t)) dh, h = |E_T| - fζ; returns ∫ Fn dh. With 1 - t = (1 - t0) x² also a
 * contact that parts, Fn ~ x³, is smooth; eight panels follow a direction that turns quickly.
 */
static double slid_all_over(const jager_law *law, const slip_movement *m, vec2 w_origin)
{
  const int panels = 8;
  double left = 1.0 - time_of_leaving(m, w_origin, m->zeta_old), sum = 0.0;
  for (int i = 0; i < panels * gauss8.points; i++) {
    int point = i % gauss8.points;
    double x = ((i - point) / (double)gauss8.points + 0.5 * (1.0 + gauss8.at[point])) / panels;
    double t = 1.0 - left * x * x;
    vec2 direction = jager_with_length(jager_along(w_origin, t, m->e), 1.0);
    double rate = jager_dot(direction, m->e) - m->f * m->rise;
    double fn = jager_normal_force(law, m->stiffness, fmax(0.0, m->zeta_old + t * m->rise));
    sum += gauss8.weight[point] * fn * fmax(0.0, rate) * x;
  }
  return left * sum / panels; /* dt = 2 left x dx, dx = weight / (2 panels) */
}

/* Everything that slides, as long as old path and movement lie in one line: then the line, else the zero vector. */
static vec2 common_line(const jager_law *law, const jager_contact *contact, vec2 e, double zeta_slip)
{
  const double slack = 1e-9;
  vec2 line = jager_with_length(e, 1.0);
  jager_cursor at = jager_cursor_top(contact);
  for (;; jager_cursor_descend(&at)) {
    double steep = sqrt(jager_dot(at.p, at.p));
    if (steep > slack * law->friction) {
      if (line.x == 0.0 && line.y == 0.0)
        line = jager_with_length(at.p, 1.0);
      if (fabs(line.x * at.p.y - line.y * at.p.x) > slack * law->friction)
        return (vec2){0.0, 0.0};
    }
    if (at.zeta_base <= zeta_slip || jager_cursor_at_bottom(&at))
      break;
  }
  return line.x == 0.0 && line.y == 0.0 ? (vec2){1.0, 0.0} : line;
}

/* Runs over the old segments above zeta_slip. Returns ∫ in either form of the head of this file, over dv. */
static double sum_in_line(const jager_law *law, const jager_contact *contact, slip_movement *m, double zeta_slip)
{
  /* the side to which all springs that still hold slide: that of the target, seen from the cut */
  double sum = 0.0, sign = 1.0;
  for (int pass = 0; pass < 2; pass++) {
    vec2 w = {0.0, 0.0};
    jager_cursor at = jager_cursor_top(contact);
    for (;; jager_cursor_descend(&at)) {
      double from = fmax(at.zeta_base, zeta_slip);
      m->old = (shear_segment){at.p, w, at.zeta};
      if (pass == 1 && from < at.zeta)
        sum += segment_in_line(law, m, from, at.zeta, sign);
      w = shear_at(&m->old, from);
      if (at.zeta_base <= zeta_slip || jager_cursor_at_bottom(&at))
        break;
    }
    sign = jager_dot(m->line, w) + m->along < 0.0 ? -1.0 : 1.0;
  }
  m->sign = sign;
  if (m->rise > 0.0)
    sum += integrate(law, m->zeta_old, m->zeta_new, &gauss3, slid_new, m);
  return sum;
}

static double sum_in_plane(const jager_law *law, const jager_contact *contact, slip_movement *m, double zeta_slip)
{
  double sum = 0.0;
  vec2 w = {0.0, 0.0};
  jager_cursor at = jager_cursor_top(contact);
  for (;; jager_cursor_descend(&at)) {
    double from = fmax(at.zeta_base, zeta_slip);
    m->old = (shear_segment){at.p, w, at.zeta};
    sum += integrate_kinked(law, from, at.zeta, cut_passes, m, contact->fn * m->f * (at.zeta - from));
    w = shear_at(&m->old, from);
    if (at.zeta_base <= zeta_slip || jager_cursor_at_bottom(&at))
      break;
  }
  return zeta_slip > 0.0 ? sum : sum + slid_all_over(law, m, w);
}

static double dissipation_of(const jager_law *law, const jager_contact *contact, double zeta, vec2 e, double zeta_slip)
{
  if (zeta_slip >= zeta && zeta > 0.0)
    return 0.0; /* elastic, or straight back */
  if (!(zeta > 0.0) && !(contact->zeta > 0.0))
    return 0.0; /* apart all along */
  double zeta_old = fmax(0.0, contact->zeta);
  slip_movement m = {.f = law->friction,
                     .stiffness = contact->stiffness,
                     .zeta_old = zeta_old,
                     .zeta_new = zeta,
                     .rise = zeta - zeta_old,
                     .e = e};
  double density = (1.0 + 1.0 / law->exponent) * contact->stiffness;
  if (zeta_old > 0.0) {
    m.line = common_line(law, contact, e, zeta_slip);
    if (m.line.x == 0.0 && m.line.y == 0.0)
      return 2.0 * law->kappa * m.f * sum_in_plane(law, contact, &m, zeta_slip);
    m.along = jager_dot(m.line, e);
    return 2.0 * law->kappa * m.f * density * sum_in_line(law, contact, &m, zeta_slip);
  }
  m.line = jager_with_length(e, 1.0); /* it touches and slides at once: all springs are new */
  m.along = jager_dot(m.line, e);
  m.sign = 1.0;
  return 2.0 * law->kappa * m.f * density * integrate(law, 0.0, zeta, &gauss3, slid_new, &m);
}

double jager_dissipation(const jager_law *law, const jager_contact *contact, double zeta, vec2 e, double zeta_slip)
{
  double dissipated = dissipation_of(law, contact, zeta, e, zeta_slip);
  return dissipated < 0.0 ? 0.0 : dissipated; /* by rounding */
}
