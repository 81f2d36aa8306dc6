/* SPDX-License-Identifier: MIT */
/*
 * Tractions. Oracles: the contact's own Fn and Ft, which the tractions must add up to; closed forms of the pressure for
 * α = 1, 2, 3, 4, and for other α the integral in another variable, in extended precision; Cattaneo and Mindlin's
 * radius of stick. Invariants on random histories: |τ| <= fσ everywhere, τ = pσ in the annulus that slipped last.
 */
#include "histories.h"

#include <stdbool.h>
#include <stdio.h>

/* ---- Quadrature: double exponential, which forgives roots and logarithms at both ends --------------------------- */

/* A point of a quadrature rule on [0, 1]: its distance from the nearer end, and its weight */
static double de_point(long double x, long double *weight)
{
  const long double half_pi = 1.57079632679489661923L;
  long double e = expl(-2.0L * half_pi * sinhl(fabsl(x))); /* t/(1 - t) */
  *weight = 2.0L * half_pi * coshl(x) * e / ((1.0L + e) * (1.0L + e));
  return (double)(e / (1.0L + e));
}

typedef struct surface {
  const jager_law *law;
  const jager_contact *contact;
  long double normal, shear[2];
} surface;

static void add_ring_point(surface *s, double r, long double weight)
{
  double pressure = NAN, shear[2] = {NAN, NAN};
  if (jager_contact_traction(s->contact, s->law, r, &pressure, shear) != JAGER_OK)
    ck_abort_msg("no traction at %g", r);
  s->normal += weight * (long double)(r * pressure);
  s->shear[0] += weight * (long double)(r * shear[0]);
  s->shear[1] += weight * (long double)(r * shear[1]);
}

/* ∫ 2πr (σ, τ) dr over a ring, at whose outer edge roots end. */
static void add_ring(surface *s, double inner, double outer)
{
  const long double step = 0.09L;
  for (int i = -36; i <= 36; i++) {
    long double weight;
    double t = de_point(step * i, &weight), width = outer - inner;
    double r = i > 0 ? outer - width * t : inner + width * t;
    add_ring_point(s, r, 6.28318530717958647693L * step * weight * (long double)width);
  }
}

/* Integrates ring by ring: the tractions have a root at each point of the history. */
static void assert_tractions_add_up(const struct bench *b, double tolerance)
{
  jager_point points[300];
  surface s = {&b->law, &b->contact, 0.0L, {0.0L, 0.0L}};
  assert_ok(jager_contact_history(&b->contact, &b->law, points, 300));
  double a = 0.0, inner = 0.0;
  assert_ok(jager_contact_radii(&b->contact, &b->law, &a, NULL));
  double scale = a / pow(jager_contact_zeta(&b->contact), 1.0 / b->law.exponent);
  for (uint32_t k = 1; k < jager_contact_length(&b->contact); k++) {
    double outer = k + 1 == jager_contact_length(&b->contact) ? a : scale * pow(points[k].zeta, 1.0 / b->law.exponent);
    if (outer > inner)
      add_ring(&s, inner, outer);
    inner = outer;
  }
  jager_force force = jager_contact_force(&b->contact);
  assert_within((double)s.normal, force.fn, tolerance * force.fn);
  assert_within((double)s.shear[0], force.ft[0], tolerance * force.fn);
  assert_within((double)s.shear[1], force.ft[1], tolerance * force.fn);
}

/* ---- Random histories ------------------------------------------------------------------------------------------- */

enum { CONTOURS = 7 };

static jager_law law_of_contour(int i)
{
  static const double exponents[CONTOURS] = {2.0, 1.0, 1.5, 2.0, 3.0, 1.0, 20.0};
  jager_law law = example_law();
  if (i == 1)
    assert_ok(jager_law_set_contour(&law, JAGER_CONTOUR_CONE, 0.3, 0.0));
  else if (i > 1)
    assert_ok(jager_law_set_contour(&law, JAGER_CONTOUR_POWER, 0.4, exponents[i]));
  return law;
}

TEST_LOOP(tractions_add_up_to_the_forces, CONTOURS)
{
  uint64_t seed = 1;
  SCOPED_BENCH b = bench_create(law_of_contour(_i));
  for (int i = 0; i < (_i < 2 ? 100 : 12); i++) {
    wander(&b, 1e-3, 25, &seed);
    if (jager_contact_zeta(&b.contact) > 0.0)
      assert_tractions_add_up(&b, 1e-9);
  }
}

/* |τ| <= fσ, and in the annulus outside the radius of stick τ = pσ with |p| = f */
static int check_at(const struct bench *b, double r, double stick, double unit)
{
  double f = b->law.friction, pressure, shear[2];
  assert_ok(jager_contact_traction(&b->contact, &b->law, r, &pressure, shear));
  ck_assert_double_le(hypot(shear[0], shear[1]), f * pressure + 1e-12 * unit);
  if (!(r > stick))
    return 0;
  static jager_point points[4000];
  assert_ok(jager_contact_history(&b->contact, &b->law, points, sizeof points / sizeof points[0]));
  const double *p = points[jager_contact_length(&b->contact) - 1].p; /* of the top segment */
  assert_within(shear[0], p[0] * pressure, 1e-12 * unit);
  assert_within(shear[1], p[1] * pressure, 1e-12 * unit);
  assert_within(hypot(p[0], p[1]), f, 1e-12);
  return 1;
}

TEST_LOOP(shear_stays_within_friction_and_reaches_it_where_it_slips, CONTOURS)
{
  uint64_t seed = 2;
  int slipped = 0, slid = 0;
  SCOPED_BENCH b = bench_create(law_of_contour(_i));
  for (int i = 0; i < (_i < 2 ? 1000 : 60); i++) {
    wander(&b, 1e-3, 3, &seed);
    double a, stick, pressure, shear[2];
    assert_ok(jager_contact_radii(&b.contact, &b.law, &a, &stick));
    if (!(jager_contact_zeta(&b.contact) > 0.0))
      continue;
    ck_assert(stick >= 0.0 && stick <= a);
    if (jager_contact_state(&b.contact) == JAGER_STATE_ELASTIC)
      ck_assert_double_eq(stick, a);
    slid += jager_contact_state(&b.contact) == JAGER_STATE_SLIDE && stick == 0.0;
    double unit = jager_contact_fn(&b.contact) / (a * a);
    for (int k = 0; k < 10; k++)
      slipped += check_at(&b, a * random_in(&seed, 1e-3, 1.0), stick, unit);
    slipped += check_at(&b, stick + (a - stick) * random_in(&seed, 0.01, 1.0), stick, unit);
    assert_ok(jager_contact_traction(&b.contact, &b.law, a * (1.0 + 1e-15), &pressure, shear));
    ck_assert(pressure == 0.0 && shear[0] == 0.0 && shear[1] == 0.0);
  }
  ck_assert_int_gt(slipped, 20);
  ck_assert_int_gt(slid, 0);
}

/* ---- Closed forms ----------------------------------------------------------------------------------------------- */

/* I(s) = ∫ t^(α-1)/√(t² - s²) dt from s to 1, as √(1-s²) ∫ (s² + (1-s²)v²)^((α-2)/2) dv from 0 to 1 */
static double shape_integral_of(double alpha, double s)
{
  const long double step = 1.0L / 64.0L, q = 1.0L - (long double)s * (long double)s;
  long double sum = 0.0L;
  for (int i = -260; i <= 260; i++) {
    long double weight, v = (long double)de_point(step * i, &weight);
    if (i > 0)
      v = 1.0L - v;
    sum += weight * powl((long double)s * (long double)s + q * v * v, ((long double)alpha - 2.0L) / 2.0L);
  }
  return (double)(sqrtl(q) * step * sum);
}

static double closed_shape_integral(int alpha, double s)
{
  double root = sqrt((1.0 - s) * (1.0 + s)), u = log1p((1.0 - s) / s * (1.0 + sqrt((1.0 + s) / (1.0 - s))));
  switch (alpha) {
  case 1:
    return u;
  case 2:
    return root;
  case 3:
    return 0.5 * (root + s * s * u);
  default:
    return root * (1.0 + 2.0 * s * s) / 3.0;
  }
}

/* σ(s a) over (3Ēα/4π)(ζ/a), and s as the library sees it */
static double shape_of_pressure(struct bench *b, double zeta, double *s)
{
  double a, pressure, shear[2];
  (void)bench_move(b, zeta, 0.0, 0.0);
  assert_ok(jager_contact_radii(&b->contact, &b->law, &a, NULL));
  double r = *s * a;
  *s = r / a;
  assert_ok(jager_contact_traction(&b->contact, &b->law, r, &pressure, shear));
  ck_assert(shear[0] == 0.0 && shear[1] == 0.0);
  return pressure / (3.0 * b->law.modulus * b->law.exponent / (4.0 * acos(-1.0)) * (zeta / a));
}

static struct bench power_bench(double exponent)
{
  jager_law law = example_law();
  assert_ok(jager_law_set_contour(&law, JAGER_CONTOUR_POWER, 0.4, exponent));
  return bench_create(law);
}

/* In the middle of a cone the first segment makes an infinite traction, in its own direction only. */
TEST(shear_in_the_middle_of_a_cone)
{
  jager_law law = example_law();
  assert_ok(jager_law_set_contour(&law, JAGER_CONTOUR_CONE, 0.5, 0.0));
  SCOPED_BENCH b = bench_create(law);
  double pressure, shear[2];
  bench_move(&b, 0.01, 0.002, 0.0);
  bench_move(&b, 0.02, -0.001, 0.001);
  assert_ok(jager_contact_traction(&b.contact, &b.law, 0.0, &pressure, shear));
  ck_assert(isinf(pressure) && isinf(shear[0]) && shear[0] > 0.0);
  ck_assert(isfinite(shear[1]) && shear[1] > 0.0);
}

/* Near the edge the rounding of s itself counts: √(1 - s) has an error of ε/(1 - s). */
TEST(pressure_is_the_closed_form)
{
  double worst = 0.0;
  for (int alpha = 1; alpha <= 4; alpha++) {
    SCOPED_BENCH b = power_bench(alpha);
    for (double s = 0.999; s > 1e-300; s *= s > 0.1 ? 0.97 : 0.11) {
      double got = shape_of_pressure(&b, 2e-3, &s), exact = closed_shape_integral(alpha, s);
      worst = fmax(worst, fabs(got / exact - 1.0) * (1.0 - s));
    }
  }
  printf("pressure against closed forms: %.1e\n", worst);
  ck_assert_double_le(worst, 1e-14);
}

/* A power α - 1 multiplies a rounding error by α - 1. */
TEST(pressure_is_the_integral_for_any_exponent)
{
  static const double exponents[] = {1.01, 1.25, 1.5, 2.5, 3.7, 10.0, 33.3, 100.0};
  double worst = 0.0;
  for (size_t i = 0; i < sizeof exponents / sizeof exponents[0]; i++) {
    SCOPED_BENCH b = power_bench(exponents[i]);
    for (double s = 0.99; s > 1e-6; s *= s > 0.1 ? 0.9 : 0.2) {
      double got = shape_of_pressure(&b, 2e-3, &s), exact = shape_integral_of(exponents[i], s);
      worst = fmax(worst, fabs(got / exact - 1.0) * (1.0 - s) / exponents[i]);
    }
    double zero = 0.0, middle = shape_of_pressure(&b, 2e-3, &zero);
    assert_within(middle, 1.0 / (exponents[i] - 1.0), 1e-14 * middle);
    double nearly = 1e-200, there = shape_of_pressure(&b, 2e-3, &nearly);
    if (exponents[i] > 1.1)
      assert_within(there, middle, 1e-13 * middle);
  }
  printf("pressure against the integral: %.1e alpha\n", worst);
  ck_assert_double_le(worst, 5e-15);
}

/* α = 2 with A = 1/(2R) is a sphere of radius R, α = 1 a cone; against a wall as well. */
TEST(power_laws_include_spheres_and_cones)
{
  for (int i = 0; i < 4; i++) {
    uint64_t seed = 3, same = 3;
    jager_law power = example_law(), law = power;
    bool cone = i % 2;
    if (cone)
      assert_ok(jager_law_set_contour(&law, JAGER_CONTOUR_CONE, 0.4, 0.0));
    assert_ok(jager_law_set_contour(&power, JAGER_CONTOUR_POWER, cone ? 0.4 : 0.5, cone ? 1.0 : 2.0));
    SCOPED_BENCH a = bench_create(law), b = bench_create(power);
    double wall = i / 2 ? INFINITY : 1.0, radius_a, radius_b, stick_a, stick_b;
    assert_ok(jager_contact_init(&a.contact, &law, 1.0, wall));
    assert_ok(jager_contact_init(&b.contact, &power, 1.0, wall));
    for (int k = 0; k < 300; k++) {
      wander(&a, 1e-3, 1, &seed);
      wander(&b, 1e-3, 1, &same);
      assert_ok(jager_contact_radii(&a.contact, &law, &radius_a, &stick_a));
      assert_ok(jager_contact_radii(&b.contact, &power, &radius_b, &stick_b));
      assert_within(radius_b, radius_a, 1e-14 * radius_a);
      assert_within(stick_b, stick_a, 1e-9 * radius_a);
      double r = radius_a * random_in(&seed, 0.01, 0.99), p_a, p_b, t_a[2], t_b[2];
      (void)random_bits(&same);
      assert_ok(jager_contact_traction(&a.contact, &law, r, &p_a, t_a));
      assert_ok(jager_contact_traction(&b.contact, &power, r, &p_b, t_b));
      assert_within(p_b, p_a, 1e-12 * p_a);
      assert_within(t_b[0], t_a[0], 1e-6 * p_a); /* the roots at r = a(ζ*) turn 1e-12 to 1e-6 */
      assert_within(t_b[1], t_a[1], 1e-6 * p_a);
    }
  }
}

/* c = a (1 - Ft/fFn)^(1/3), and the middle of the stick zone has τ = f (p0)(1 - c/a) */
TEST(stick_radius_is_cattaneo_and_mindlin_s)
{
  uint64_t seed = 4;
  for (int i = 0; i < 300; i++) {
    SCOPED_BENCH b = bench_create(example_law());
    double zeta = exp2(random_in(&seed, -30.0, -3.0)), full = b.law.kappa * b.law.friction * zeta;
    double angle = random_in(&seed, 0.0, 6.0), xi = full * random_in(&seed, 0.001, 0.999), a, stick, p0, shear[2];
    (void)bench_move(&b, zeta, 0.0, 0.0);
    jager_force force = bench_move(&b, zeta, xi * cos(angle), xi * sin(angle));
    assert_ok(jager_contact_radii(&b.contact, &b.law, &a, &stick));
    double ratio = hypot(force.ft[0], force.ft[1]) / (b.law.friction * force.fn);
    assert_within(a, sqrt(zeta), 1e-15 * a);
    assert_within(stick, a * cbrt(1.0 - ratio), 1e-13 * a / pow(1.0 - ratio, 2.0 / 3.0));
    assert_within(stick, a * sqrt(1.0 - xi / full), 1e-14 * a / sqrt(1.0 - xi / full));
    assert_ok(jager_contact_traction(&b.contact, &b.law, 0.0, &p0, shear));
    assert_within(p0, 1.5 * force.fn / (acos(-1.0) * a * a), 1e-14 * p0);
    assert_within(shear[0], b.law.friction * p0 * (1.0 - stick / a) * cos(angle), 1e-14 * p0);
    (void)bench_move(&b, zeta, 2.0 * full, 0.0); /* sliding: nothing sticks */
    assert_ok(jager_contact_radii(&b.contact, &b.law, &a, &stick));
    ck_assert_double_eq(stick, 0.0);
  }
}

TEST(middle_of_a_cone)
{
  for (int i = 0; i < 2; i++) {
    SCOPED_BENCH b = bench_create(law_of_contour(i ? 5 : 1));
    double pressure, shear[2], near[2];
    (void)bench_move(&b, 1e-3, 0.0, 0.0);
    (void)bench_move(&b, 2e-3, 1e-4, -2e-4);
    assert_ok(jager_contact_traction(&b.contact, &b.law, 0.0, &pressure, shear));
    ck_assert_double_eq(pressure, INFINITY);
    ck_assert(isfinite(shear[0]) && isfinite(shear[1]) && shear[0] > 0.0 && shear[1] < 0.0);
    assert_ok(jager_contact_traction(&b.contact, &b.law, 1e-12, &pressure, near));
    assert_within(near[0], shear[0], 1e-12 * pressure);
    assert_within(near[1], shear[1], 1e-12 * pressure);
    ck_assert(isfinite(pressure));
  }
}

/* ---- Nothing, and refusals -------------------------------------------------------------------------------------- */

TEST(bodies_apart_have_no_tractions)
{
  for (int i = 0; i < CONTOURS; i++) {
    SCOPED_BENCH b = bench_create(law_of_contour(i));
    for (int k = 0; k < 3; k++) {
      double a = 7.0, stick = 7.0, pressure = 7.0, shear[2] = {7.0, 7.0};
      assert_ok(jager_contact_radii(&b.contact, &b.law, &a, &stick));
      ck_assert(a == 0.0 && stick == 0.0);
      assert_ok(jager_contact_traction(&b.contact, &b.law, k * 1e-6, &pressure, shear));
      ck_assert(pressure == 0.0 && shear[0] == 0.0 && shear[1] == 0.0);
      (void)bench_move(&b, 1e-3, 1e-3, 0.0);
      (void)bench_move(&b, k ? -1e-3 : 0.0, 1e-3, 0.0);
    }
  }
}

TEST(bad_questions_are_refused)
{
  for (int kind = 0; kind < LAW_KINDS; kind++) {
    SCOPED_BENCH b = bench_create(law_of_kind(kind));
    double a = 7.0, stick = 7.0, pressure = 7.0, shear[2] = {7.0, 7.0};
    (void)bench_move(&b, 1e-3, 1e-4, 0.0);
    jager_contact before = b.contact;
    jager_law other = law_of_kind(kind == 0 ? 5 : 0);
    if (b.law.model != JAGER_MODEL_JAGER) {
      ck_assert_int_eq(jager_contact_radii(&b.contact, &b.law, &a, &stick), JAGER_ERROR_UNSUPPORTED);
      ck_assert_int_eq(jager_contact_traction(&b.contact, &b.law, 0.0, &pressure, shear), JAGER_ERROR_UNSUPPORTED);
    }
    if (kind == 0 || kind > 4) {
      ck_assert_int_eq(jager_contact_radii(&b.contact, &other, &a, &stick), JAGER_ERROR_MODEL);
      ck_assert_int_eq(jager_contact_traction(&b.contact, &other, 0.0, &pressure, shear), JAGER_ERROR_MODEL);
    }
    if (b.law.model == JAGER_MODEL_JAGER) {
      ck_assert_int_eq(jager_contact_traction(&b.contact, &b.law, NAN, &pressure, shear), JAGER_ERROR_NOT_FINITE);
      ck_assert_int_eq(jager_contact_traction(&b.contact, &b.law, -1e-9, &pressure, shear), JAGER_ERROR_RADIUS);
      assert_ok(jager_contact_traction(&b.contact, &b.law, 1e-6, NULL, NULL));
      assert_ok(jager_contact_radii(&b.contact, &b.law, NULL, NULL));
    }
    ck_assert_int_eq(jager_contact_radii(&b.contact, NULL, &a, &stick), JAGER_ERROR_NULL);
    ck_assert_int_eq(jager_contact_radii(NULL, &b.law, &a, &stick), JAGER_ERROR_NULL);
    ck_assert_int_eq(jager_contact_traction(NULL, &b.law, 0.0, &pressure, shear), JAGER_ERROR_NULL);
    ck_assert(a == 7.0 && stick == 7.0 && pressure == 7.0 && shear[0] == 7.0 && shear[1] == 7.0);
    ck_assert_mem_eq(&before, &b.contact, sizeof before);
  }
}
