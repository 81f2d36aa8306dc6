/* SPDX-License-Identifier: MIT */
/*
 * Energies. Oracles: the definition, ∫ Ft·d(2ξ) - ΔUt with the force at each point of the movement; closed forms. The
 * law "springs" is in tests/laws.
 */
#include "histories.h"

#include <stdlib.h>

static jager_energy move_energy(struct bench *b, double zeta, double dxi1, double dxi2)
{
  jager_energy energy;
  jager_force force;
  double dxi[2] = {dxi1, dxi2};
  assert_ok(move_with_energy(&b->contact, &b->law, b->pool, zeta, dxi, &force, &energy));
  return energy;
}

/*
 * ∫ Ft·d(2ξ) of one movement by Gauss's rule. Each force is reached straight from the start. The many panels are graded
 * towards both ends, where Ft(t) is no polynomial.
 */
static double work_of(struct bench *b, double zeta, double dxi1, double dxi2, int panels)
{
  static const double at[3] = {-0.7745966692414833770, 0.0, 0.7745966692414833770};
  static const double weight[3] = {5.0 / 9.0, 8.0 / 9.0, 5.0 / 9.0};
  double sum = 0.0, from = jager_contact_zeta(&b->contact);
  for (int i = 0; i < 3 * panels; i++) {
    double u = (i / 3 + 0.5 * (1.0 + at[i % 3])) / panels, t = u * u * (3.0 - 2.0 * u), dt = 6.0 * u * (1.0 - u);
    jager_contact copy = {0};
    jager_force force;
    double dxi[2] = {t * dxi1, t * dxi2};
    assert_ok(jager_contact_clone(&b->contact, b->pool, &copy));
    assert_ok(jager_contact_move(&copy, &b->law, b->pool, from + t * (zeta - from), dxi, &force));
    jager_contact_release(&copy, b->pool);
    sum += weight[i % 3] * dt * (force.ft[0] * dxi1 + force.ft[1] * dxi2);
  }
  return sum / panels; /* twice: d(2ξ), and half the weight of a panel */
}

static void random_history(struct bench *b, uint64_t *random, int collinear)
{
  int count = (int)(random_bits(random) % 12);
  double zeta = 0.01;
  move_energy(b, zeta, 0.0, 0.0);
  for (int i = 0; i < count; i++) {
    zeta = fmax(0.001, zeta + random_in(random, -0.002, 0.002));
    move_energy(b, zeta, random_in(random, -0.002, 0.002), collinear ? 0.0 : random_in(random, -0.002, 0.002));
  }
}

static double worst_of_definition(int collinear, jager_contour contour, int trials, int panels, int part)
{
  uint64_t random = 3;
  double worst = 0.0;
  for (int trial = 0; trial < trials; trial++) {
    jager_law law = example_law();
    assert_ok(jager_law_set_contour(&law, contour, 0.5, 2.6));
    SCOPED_BENCH b = bench_create(law);
    random_history(&b, &random, collinear);
    double zeta = fmax(1e-5, jager_contact_zeta(&b.contact) + random_in(&random, -0.006, 0.006));
    double dxi[2] = {random_in(&random, -0.005, 0.005), collinear ? 0.0 : random_in(&random, -0.005, 0.005)};
    if (part && trial % 3 == 0)
      zeta = random_in(&random, -0.005, -1e-4);
    jager_energy before;
    assert_ok(jager_contact_stored(&b.contact, &b.law, NULL, &before));
    double work = work_of(&b, zeta, dxi[0], dxi[1], panels);
    jager_energy after = move_energy(&b, zeta, dxi[0], dxi[1]);
    ck_assert_double_ge(after.dissipated, 0.0);
    double expected = work - (after.tangential - before.tangential);
    double scale = before.tangential + after.tangential + fabs(work);
    worst = fmax(worst, fabs(after.dissipated - expected) / (scale + 1e-300));
  }
  return worst;
}

TEST(dissipation_is_work_not_stored)
{
  /* the oracle's quadrature sets these bounds: Ft(t) has kinks where the cut passes a vertex */
  ck_assert_double_le(worst_of_definition(1, JAGER_CONTOUR_SPHERE, 300, 300, 1), 2e-6);
  ck_assert_double_le(worst_of_definition(1, JAGER_CONTOUR_CONE, 100, 300, 1), 2e-6);
  ck_assert_double_le(worst_of_definition(1, JAGER_CONTOUR_POWER, 20, 100, 0), 2e-5);
  ck_assert_double_le(worst_of_definition(0, JAGER_CONTOUR_SPHERE, 300, 300, 1), 2e-5);
  ck_assert_double_le(worst_of_definition(0, JAGER_CONTOUR_CONE, 100, 300, 1), 2e-5);
  ck_assert_double_le(worst_of_definition(0, JAGER_CONTOUR_POWER, 20, 100, 0), 2e-5);
}

/* On a line one movement dissipates as much as its parts, but for rounding. */
TEST(dissipation_adds_up_over_parts)
{
  uint64_t random = 5;
  double worst = 0.0;
  for (int trial = 0; trial < 300; trial++) {
    SCOPED_BENCH b = bench_create(example_law());
    random_history(&b, &random, 1);
    double from = jager_contact_zeta(&b.contact), zeta = fmax(1e-4, from + random_in(&random, -0.006, 0.006)),
           dissipated = 0.0;
    double dxi = random_in(&random, -0.005, 0.005), sum = 0.0, at = 0.0;
    SCOPED_BENCH whole = {.law = b.law, .pool = jager_pool_create(0)};
    assert_ok(jager_contact_clone(&b.contact, whole.pool, &whole.contact));
    dissipated = move_energy(&whole, zeta, dxi, 0.0).dissipated;
    for (int k = 1; k <= 37; k++) {
      sum += move_energy(&b, from + (zeta - from) * k / 37.0, dxi * k / 37.0 - at, 0.0).dissipated;
      at = dxi * k / 37.0;
    }
    double scale = b.law.friction * jager_contact_fn(&b.contact) * jager_contact_zeta(&b.contact) + dissipated;
    worst = fmax(worst, fabs(sum - dissipated) / scale);
  }
  ck_assert_double_le(worst, 1e-13);
}

/* (4/5) Fn ζ for spheres, (2/3) Fn ζ for cones; full stick: Ft·2ξ/2 with kt constant */
TEST(stored_energies_have_closed_forms)
{
  SCOPED_BENCH b = bench_create(example_law());
  jager_energy e = move_energy(&b, 0.01, 0.0, 0.0);
  assert_within(e.normal, 0.8 * jager_contact_fn(&b.contact) * 0.01, 1e-17);
  ck_assert_double_eq(e.tangential, 0.0);
  /* one elastic climb with slope p from 0: w = p (ζ - z), Ut = κ|p|² ∫ Fn'' (ζ-z)² dz = κ|p|² (8/15)(3/2) C ζ^2.5 */
  SCOPED_BENCH c = bench_create(example_law());
  e = move_energy(&c, 0.01, 0.3 * c.law.kappa * 0.01, 0.4 * c.law.kappa * 0.01 * 0.5);
  double p_square = 0.09 + 0.04;
  assert_within(e.tangential, c.law.kappa * p_square * 0.8 * jager_contact_fn(&c.contact) * 0.01,
                1e-15 * jager_contact_fn(&c.contact));
  jager_law law = example_law();
  assert_ok(jager_law_set_contour(&law, JAGER_CONTOUR_CONE, 1.0, 0.0));
  SCOPED_BENCH cone = bench_create(law);
  e = move_energy(&cone, 0.01, 0.0, 0.0);
  assert_within(e.normal, 2.0 / 3.0 * jager_contact_fn(&cone.contact) * 0.01, 1e-17);
}

/* A power law with α = 2 or 1 stores and dissipates as a sphere or cone does, by another quadrature. */
TEST(power_law_agrees_with_sphere_and_cone)
{
  for (int alpha = 1; alpha <= 2; alpha++) {
    jager_law plain = example_law(), power = plain;
    assert_ok(jager_law_set_contour(&power, JAGER_CONTOUR_POWER, 0.5, alpha));
    if (alpha == 1)
      assert_ok(jager_law_set_contour(&plain, JAGER_CONTOUR_CONE, 0.5, 0.0));
    SCOPED_BENCH a = bench_create(plain), b = bench_create(power);
    uint64_t random = 21;
    for (int i = 0; i < 100; i++) {
      double zeta = random_in(&random, 0.004, 0.02), d[2] = {random_in(&random, -3e-3, 3e-3), 0.0};
      d[1] = i < 50 ? 0.0 : random_in(&random, -3e-3, 3e-3);
      jager_energy ea = move_energy(&a, zeta, d[0], d[1]), eb = move_energy(&b, zeta, d[0], d[1]);
      double scale = 1e-9 * ea.normal;
      assert_within(eb.normal, ea.normal, 1e-13 * ea.normal);
      assert_within(eb.tangential, ea.tangential, scale);
      assert_within(eb.dissipated, ea.dissipated, scale);
    }
  }
}

TEST(sliding_dissipates_force_times_way)
{
  SCOPED_BENCH b = bench_create(example_law());
  move_energy(&b, 0.01, 0.0, 0.0);
  move_energy(&b, 0.01, 1.0, 0.0);
  jager_energy e = move_energy(&b, 0.01, 0.5, 0.0);
  assert_within(e.dissipated, 0.5 * jager_contact_fn(&b.contact) * 2.0 * 0.5, 1e-14);
}

/*
 * Bodies that touch and slide in one movement, from a gap or from ζ = 0: the force is f Fn all the way, Fn ~ t^(1 +
 * 1/α), so that ∫ Ft d(2ξ) = 2κ f e Fn α/(2α + 1), and all springs end at their limit: Ut = κ f² 2ζ Fn α/(2α + 1).
 */
TEST(touching_and_sliding_at_once_dissipates)
{
  uint64_t random = 23;
  for (int trial = 0; trial < 300; trial++) {
    jager_law law = example_law();
    assert_ok(jager_law_set_contour(&law, (jager_contour)(trial % 3), 0.5, 2.6));
    SCOPED_BENCH b = bench_create(law);
    double zeta = random_in(&random, 0.001, 0.01), gap = trial % 2 ? random_in(&random, 1e-4, 0.01) : 0.0;
    if (gap > 0.0) { /* first apart: nothing is dissipated or stored */
      for (int k = 0; k < 3; k++) {
        jager_energy apart = move_energy(&b, -gap * (3 - k), 0.01, -0.02);
        ck_assert(apart.dissipated == 0.0 && apart.tangential == 0.0 && apart.normal == 0.0);
      }
    }
    double share = zeta / (zeta + gap), size = law.kappa * law.friction * zeta * random_in(&random, 1.1, 5.0) / share;
    double angle = random_in(&random, 0.0, 6.28), alpha = law.exponent;
    jager_energy e = move_energy(&b, zeta, size * cos(angle), size * sin(angle));
    double unit = 2.0 * law.kappa * law.friction * jager_contact_fn(&b.contact) * alpha / (2.0 * alpha + 1.0);
    assert_within(e.tangential, unit * law.friction * zeta, 1e-11 * unit * zeta);
    assert_within(e.dissipated, unit * (size * share / law.kappa - law.friction * zeta), 1e-11 * unit * zeta);
    ck_assert_int_eq(jager_contact_state(&b.contact), JAGER_STATE_SLIDE);
  }
}

/* Energies are never negative: ten thousand random movements of every kind. */
TEST(dissipation_is_never_negative)
{
  uint64_t random = 13;
  for (int kind = 0; kind < 3; kind++) {
    SCOPED_BENCH b = bench_create(example_law());
    double zeta = 0.01;
    for (int i = 0; i < 10000; i++) {
      double scale = ldexp(1.0, -(int)(random_bits(&random) % 30));
      zeta = zeta + 0.01 * scale * random_in(&random, -1.0, 1.0);
      if (kind < 2 && zeta < 1e-4)
        zeta = 0.01;
      zeta = fmin(zeta, 0.05);
      jager_energy e = move_energy(&b, zeta, 0.01 * scale * random_in(&random, -1.0, 1.0),
                                   kind == 0 ? 0.0 : 0.01 * scale * random_in(&random, -1.0, 1.0));
      ck_assert_double_ge(e.dissipated, 0.0);
      ck_assert_double_ge(e.tangential, 0.0);
      ck_assert(isfinite(e.dissipated));
    }
  }
}

/* Steps of one ulp, zero and subnormal size, on all contours: energies are finite and not negative. */
TEST(extreme_movements_have_energies)
{
  uint64_t random = 17;
  for (int trial = 0; trial < 800; trial++) {
    jager_law law = example_law();
    assert_ok(jager_law_set_contour(&law, (jager_contour)(trial % 3), 0.5, trial % 2 ? 1.5 : 40.0));
    SCOPED_BENCH b = bench_create(law);
    double zeta = random_in(&random, 0.005, 0.02);
    move_energy(&b, zeta, 1e-3 * random_in(&random, -1.0, 1.0), 0.0);
    for (int i = 0; i < 12; i++) {
      unsigned kind = (unsigned)(random_bits(&random) % 6);
      double scale = kind == 0 ? 1e-310 : kind == 1 ? 1e-18 : 2e-3;
      zeta = kind == 2   ? nextafter(zeta, 1.0)
             : kind == 3 ? nextafter(zeta, 0.0)
             : kind == 4 ? zeta
                         : zeta + scale * random_in(&random, -1.0, 1.0);
      if (kind == 0 && i % 4 == 0)
        zeta = 1e-310;
      double across = trial % 4 < 2 ? 0.0 : scale * random_in(&random, -1.0, 1.0);
      jager_energy e = move_energy(&b, zeta, scale * random_in(&random, -1.0, 1.0), across);
      if (!(e.dissipated >= 0.0 && e.tangential >= 0.0 && isfinite(e.dissipated) && isfinite(e.tangential)))
        ck_abort_msg("trial %d, step %d: %g stored, %g dissipated", trial, i, e.tangential, e.dissipated);
    }
  }
}

/* Without friction all stored shear energy is dissipated. */
TEST(lost_friction_is_dissipation)
{
  SCOPED_BENCH b = bench_create(example_law());
  move_energy(&b, 0.01, 0.0, 0.0);
  jager_energy before = move_energy(&b, 0.011, 0.002, 0.001);
  assert_ok(jager_law_set_friction(&b.law, 0.0));
  jager_energy after = move_energy(&b, 0.011, 0.0, 0.0);
  ck_assert_double_eq(after.tangential, 0.0);
  assert_within(after.dissipated, before.tangential, 1e-15 * before.tangential);
}

/* ---- Round shear at constant Fn ---------------------------------------------------------------------------------- */

/* The loss in the second cycle on an ellipse, over 2κf²·Fn·ζ; half axes: 0.5 κfζ and `width` · 0.5 κfζ */
static double loss_on_ellipse(double width, int steps)
{
  const double zeta = 0.01, full_turn = 6.283185307179586;
  SCOPED_BENCH b = bench_create(example_law());
  double reach = 0.5 * b.law.kappa * b.law.friction * zeta, at[2] = {0.0, 0.0}, lost = 0.0;
  (void)bench_move(&b, zeta, 0.0, 0.0);
  for (int i = -steps; i <= 2 * steps; i++) { /* first outward, then two turns */
    double angle = i > 0 ? full_turn * i / steps : 0.0, out = i < 0 ? (double)(steps + i) / steps : 1.0;
    double to[2] = {out * reach * cos(angle), width * reach * sin(angle)};
    double dissipated = move_energy(&b, zeta, to[0] - at[0], to[1] - at[1]).dissipated;
    lost += i > steps ? dissipated : 0.0;
    at[0] = to[0];
    at[1] = to[1];
  }
  double unit = 2.0 * b.law.kappa * b.law.friction * b.law.friction * jager_contact_fn(&b.contact) * zeta;
  return lost / unit;
}

/*
 * On a circle Jäger's contact loses nothing: its annulus slips as a whole, and the cut stands still. Springs that slide
 * each in its own direction do lose energy: tests/laws/test_springs.c.
 */
TEST(round_shear_loses_nothing_in_jagers_contact)
{
  double q = sqrt(0.5), to_and_fro = 0.8 * pow(1.0 - q, 3.0) * (1.0 + 3.0 * q + q * q); /* Mindlin and Deresiewicz */
  assert_within(loss_on_ellipse(0.0, 1000), to_and_fro, 1e-12);
  double coarse = loss_on_ellipse(1.0, 200), fine = loss_on_ellipse(1.0, 2000);
  printf("circle: %.2e of 2 kappa f² Fn zeta in 200 steps, %.2e in 2,000\n", coarse, fine);
  ck_assert_double_le(coarse, 1e-2 * to_and_fro * 3.0); /* a polygon: of first order in the step */
  ck_assert_double_le(fine, 0.11 * coarse);
}

/*
 * Along the edge of the cone, within some rounding errors: between elastic and slip, where next to nothing is
 * dissipated.
 */
TEST(the_edge_of_the_cone_dissipates_nothing)
{
  uint64_t random = 11;
  for (int trial = 0; trial < 20000; trial++) {
    jager_law law = example_law();
    assert_ok(jager_law_set_contour(&law, trial % 2 == 0 ? JAGER_CONTOUR_SPHERE : JAGER_CONTOUR_CONE, 0.5, 0.0));
    SCOPED_BENCH b = bench_create(law);
    random_history(&b, &random, trial % 3 > 0);
    double rise = random_in(&random, 0.0, 0.01), zeta = jager_contact_zeta(&b.contact) + rise;
    double way = law.kappa * (law.friction * (zeta - jager_contact_zeta(&b.contact))),
           turn = random_in(&random, 0.0, 6.2831853);
    for (uint64_t k = random_bits(&random) % 6; k > 0; k--)
      way = nextafter(way, trial % 2 == 0 ? 1.0 : 0.0);
    double sign = random_in(&random, -1.0, 1.0) < 0.0 ? -1.0 : 1.0;
    int in_line = trial % 3 > 0;
    jager_energy energy = move_energy(&b, zeta, way * (in_line ? sign : cos(turn)), in_line ? 0.0 : way * sin(turn));
    ck_assert_double_le(energy.dissipated, 1e-12 * jager_contact_fn(&b.contact) * zeta);
  }
}

/* ---- Sums that the pool keeps ------------------------------------------------------------------------------------ */

/* κ ∫ Fn" |w|² dz from the points of the history, in long double, by Simpson's rule over v = z^(1/α) in each segment */
static double shear_energy_of_points(const struct bench *b)
{
  enum { PANELS = 160 };
  size_t count = jager_contact_length(&b->contact);
  jager_point *points = calloc(count, sizeof *points);
  assert_ok(jager_contact_history(&b->contact, &b->law, points, count));
  long double alpha = b->law.exponent, sum = 0.0L, w[2] = {0.0L, 0.0L};
  for (size_t i = count - 1; i > 0; i--) {
    long double low = powl(points[i - 1].zeta, 1.0L / alpha), high = powl(points[i].zeta, 1.0L / alpha), part = 0.0L;
    for (int k = 0; k <= 2 * PANELS; k++) {
      long double z = powl(low + (high - low) * k / (2 * PANELS), alpha), square = 0.0L;
      for (int j = 0; j < 2; j++) {
        long double at = w[j] + points[i].p[j] * (points[i].zeta - z);
        square += at * at;
      }
      part += square * (k == 0 || k == 2 * PANELS ? 1 : k % 2 ? 4 : 2);
    }
    sum += part * (high - low) / (6 * PANELS);
    for (int j = 0; j < 2; j++)
      w[j] += points[i].p[j] * ((long double)points[i].zeta - points[i - 1].zeta);
  }
  double zeta = points[count - 1].zeta, fn = points[count - 1].fn; /* Fn" dz = (1 + 1/α) C dv, C = Fn/ζ^(1 + 1/α) */
  free(points);
  return (double)(b->law.kappa * (1.0L + 1.0L / alpha) * fn / powl(zeta, 1.0L + 1.0L / alpha) * sum);
}

/*
 * Whatever happens to a history between two calls, the sums that the pool keeps equal a sum over the whole history to
 * the bit. That sum is the integral over the points.
 */
TEST_LOOP(kept_sums_follow_the_history, 6) /* law_of_kind; the last has a tolerance */
{
  uint64_t seed = 20261118 + (uint64_t)_i;
  SCOPED_BENCH b = bench_create(law_of_kind(_i == 5 ? LAW_WITH_TOLERANCE : _i));
  climb(&b, _i == 5 ? 8 : 400, 1e-5, &seed);
  for (int round = 0; round < 60; round++) {
    switch (random_below(&seed, 6)) {
    case 0:
      climb(&b, jager_contact_length(&b.contact), 1e-5, &seed);
      break;
    case 1: /* slips deep into the history, then grows again */
      (void)bench_move(&b, jager_contact_zeta(&b.contact) * random_in(&seed, 0.3, 1.0), 1e-7, -1e-7);
      break;
    case 2:
      assert_ok(jager_law_set_friction(&b.law, b.law.friction * random_in(&seed, 0.97, 1.01)));
      break;
    default:
      break;
    }
    for (int i = 0; i < 40; i++) {
      double rise = 1e-5 * random_in(&seed, -0.02, 1.0), reach = 0.5 * b.law.friction * b.law.kappa * rise;
      (void)bench_move(&b, fmax(jager_contact_zeta(&b.contact), 0.0) + rise, reach * random_in(&seed, -1.0, 1.0),
                       reach * random_in(&seed, -1.0, 1.0));
    }
    jager_energy kept, whole;
    assert_ok(jager_contact_stored(&b.contact, &b.law, b.pool, &kept));
    assert_ok(jager_contact_stored(&b.contact, &b.law, NULL, &whole));
    ck_assert_double_eq(kept.tangential, whole.tangential);
    double storable =
        b.law.kappa * b.law.friction * b.law.friction * jager_contact_fn(&b.contact) * jager_contact_zeta(&b.contact);
    if (round % 30 == 29)
      assert_within(kept.tangential, shear_energy_of_points(&b), 1e-13 * storable);
  }
  if (_i != 5)
    ck_assert_uint_gt(jager_contact_length(&b.contact), 100);
}
