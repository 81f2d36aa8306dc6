/* SPDX-License-Identifier: MIT */
/*
 * The contact driven by forces. Oracles: the contact driven by movements, whose forces, replayed as loads, must give
 * the movements back; closed forms.
 */
#include "support.h"

static jager_movement load(struct bench *b, double fn, double ft1, double ft2)
{
  jager_movement movement;
  jager_force force = {fn, {ft1, ft2}};
  assert_ok(jager_contact_load(&b->contact, &b->law, b->pool, &force, &movement));
  return movement;
}

static void assert_load_refused(struct bench *b, double fn, double ft1, double ft2, jager_status expected)
{
  jager_movement movement = {.zeta = 42.0};
  jager_force force = {fn, {ft1, ft2}};
  jager_contact before = b->contact;
  size_t bytes = jager_pool_bytes_in_use(b->pool);
  ck_assert_int_eq(jager_contact_load(&b->contact, &b->law, b->pool, &force, &movement), expected);
  ck_assert(jager_contact_equal(&before, &b->contact));
  ck_assert_uint_eq(jager_pool_bytes_in_use(b->pool), bytes);
  ck_assert_double_eq(movement.zeta, 42.0);
}

TEST(cattaneo_mindlin_by_force)
{
  SCOPED_BENCH b = bench_create(example_law());
  double zeta = 0.01, fn = jager_contact_coefficient(&b.contact) * zeta * sqrt(zeta), f = b.law.friction,
         unit = b.law.kappa * f * zeta;
  jager_movement press = load(&b, fn, 0.0, 0.0);
  assert_within(press.zeta, zeta, 1e-15 * zeta);
  ck_assert_double_eq(press.dxi[0], 0.0);
  double xi = 0.0, peak = 0.0;
  for (int k = 1; k <= 99; k++) {
    xi += load(&b, fn, 0.0, f * fn * k / 100.0).dxi[1];
    double q = 1.0 - k / 100.0;
    assert_within(xi, unit * (1.0 - cbrt(q * q)), 1e-13 * unit);
  }
  peak = 0.99;
  for (int k = 98; k >= -99; k--) {
    xi += load(&b, fn, 0.0, f * fn * k / 100.0).dxi[1];
    double q = 1.0 - (peak - k / 100.0) / 2.0, q0 = 1.0 - peak;
    assert_within(xi, unit * (2.0 * cbrt(q * q) - cbrt(q0 * q0) - 1.0), 1e-13 * unit);
  }
}

/* Moves a contact, and loads a twin with its forces: all contours, on a line and in the plane. */
static double replay_error(jager_contour contour, int collinear, uint64_t seed)
{
  jager_law law = example_law();
  assert_ok(jager_law_set_contour(&law, contour, 0.4, 1.7));
  SCOPED_BENCH b = bench_create(law), twin = bench_create(law);
  double worst = 0.0, zeta = 0.01, scale = law.kappa * law.friction * zeta;
  for (int i = 0; i < 400; i++) {
    double dxi[2] = {scale * random_in(&seed, -0.2, 0.2), collinear ? 0.0 : scale * random_in(&seed, -0.2, 0.2)};
    zeta = fmin(0.02, fmax(0.004, zeta + random_in(&seed, -0.002, 0.002)));
    jager_force force = bench_move(&b, zeta, dxi[0], dxi[1]);
    if (jager_contact_state(&b.contact) ==
        JAGER_STATE_SLIDE) { /* a sliding contact's movement is not in its force: start anew */
      bench_move(&b, 0.0, 0.0, 0.0);
      bench_move(&twin, 0.0, 0.0, 0.0);
      bench_move(&b, zeta, 0.0, 0.0);
      bench_move(&twin, zeta, 0.0, 0.0);
      continue;
    }
    jager_movement back = load(&twin, force.fn, force.ft[0], force.ft[1]);
    worst = fmax(worst, fabs(back.zeta - zeta) / zeta);
    worst = fmax(worst, hypot(back.dxi[0] - dxi[0], back.dxi[1] - dxi[1]) / (law.kappa * law.friction * zeta));
    ck_assert_uint_eq(jager_contact_length(&b.contact), jager_contact_length(&twin.contact));
  }
  return worst;
}

TEST(replayed_forces_give_the_movements_back)
{
  for (uint64_t seed = 1; seed <= 20; seed++)
    for (int contour = 0; contour < JAGER_CONTOUR_COUNT; contour++) {
      ck_assert_double_le(replay_error((jager_contour)contour, 1, seed), 1e-11);
    }
}

/*
 * In two directions the algorithm in forces is the same as in movements only for infinitely small steps. But the force
 * after a load is the prescribed one, and the path has moved by the returned movement.
 */
TEST(loads_in_two_directions_reach_their_force)
{
  SCOPED_BENCH b = bench_create(example_law());
  uint64_t random = 9;
  double fn = 0.004;
  for (int i = 0; i < 5000; i++) {
    fn = fmin(0.01, fmax(0.001, fn + random_in(&random, -0.001, 0.001)));
    double size = 0.5 * fn * random_in(&random, 0.0, 1.0), angle = random_in(&random, 0.0, 6.3);
    load(&b, fn, size * cos(angle), size * sin(angle));
    jager_force force = jager_contact_force(&b.contact);
    assert_within(force.fn, fn, 1e-15 * fn);
    assert_within(force.ft[0], size * cos(angle), 1e-14 * fn);
    assert_within(force.ft[1], size * sin(angle), 1e-14 * fn);
  }
}

TEST(elastic_loads_are_undone_by_unloading)
{
  SCOPED_BENCH b = bench_create(example_law());
  double xi[2] = {0.0, 0.0};
  for (int k = 1; k <= 10; k++) {
    jager_movement m = load(&b, 0.001 * k, 0.0003 * k, -0.0002 * k);
    xi[0] += m.dxi[0];
    xi[1] += m.dxi[1];
    ck_assert_int_eq(jager_contact_state(&b.contact), JAGER_STATE_ELASTIC);
  }
  jager_movement m = load(&b, 0.0, 0.0, 0.0); /* straight back to nothing */
  ck_assert_double_eq(m.zeta, 0.0);
  assert_within(m.dxi[0], -xi[0], 1e-15);
  assert_within(m.dxi[1], -xi[1], 1e-15);
  ck_assert_int_eq(jager_contact_state(&b.contact), JAGER_STATE_APART);
}

TEST(loads_have_energies)
{
  SCOPED_BENCH b = bench_create(example_law());
  double work = 0.0, dissipated = 0.0;
  jager_energy energy = {.normal = 0.0};
  jager_force before = {.fn = 0.0};
  double zeta = 0.0;
  const int steps = 3000;
  for (int k = 1; k <= steps; k++) {
    double t = (double)k / steps;
    jager_force force = {0.004 * t, {0.0018 * t * (1.0 - 2.5 * t * (1.0 - t)), 0.0}};
    jager_movement m;
    assert_ok(load_with_energy(&b.contact, &b.law, b.pool, &force, &m, &energy));
    work += (before.ft[0] + force.ft[0]) * m.dxi[0];
    dissipated += energy.dissipated;
    ck_assert_double_ge(energy.dissipated, 0.0);
    before = force;
    zeta = m.zeta;
  }
  assert_within(energy.normal, 0.8 * 0.004 * zeta, 1e-15 * energy.normal);
  assert_within(energy.tangential + dissipated, work, 1e-6 * work); /* the trapezoidal rule's error */
  ck_assert_double_gt(dissipated, 0.0);
}

TEST(less_friction_lets_go_before_the_load)
{
  SCOPED_BENCH b = bench_create(example_law());
  load(&b, 0.004, 0.0, 0.0);
  load(&b, 0.004, 0.0015, 0.0);
  jager_energy before, after;
  assert_ok(jager_contact_stored(&b.contact, &b.law, NULL, &before));
  assert_ok(jager_law_set_friction(&b.law, 0.25));
  assert_load_refused(&b, 0.004, 0.0015, 0.0, JAGER_ERROR_BEYOND_FRICTION);
  jager_force force = {0.004, {0.0005, 0.0}};
  jager_movement m;
  assert_ok(load_with_energy(&b.contact, &b.law, b.pool, &force, &m, &after));
  ck_assert_double_gt(after.dissipated, 0.0);
  ck_assert_double_lt(after.tangential, before.tangential);
}

TEST(impossible_loads_are_refused)
{
  struct bench b = bench_create(example_law());
  assert_load_refused(&b, 0.0, 1e-9, 0.0, JAGER_ERROR_BEYOND_FRICTION);
  load(&b, 0.004, 0.001, 0.0);
  assert_load_refused(&b, 0.004, 0.0020001, 0.0, JAGER_ERROR_BEYOND_FRICTION);
  assert_load_refused(&b, 0.004, 0.0015, -0.0015, JAGER_ERROR_BEYOND_FRICTION);
  assert_load_refused(&b, 1e-200, 1e-170, 0.0, JAGER_ERROR_BEYOND_FRICTION); /* squares would underflow */
  assert_load_refused(&b, -1e-9, 0.0, 0.0, JAGER_ERROR_PULL);
  assert_load_refused(&b, NAN, 0.0, 0.0, JAGER_ERROR_NOT_FINITE);
  assert_load_refused(&b, 0.004, INFINITY, 0.0, JAGER_ERROR_NOT_FINITE);
  assert_load_refused(&b, 1e131, 0.0, 0.0, JAGER_ERROR_TOO_LARGE);
  jager_law good = b.law;
  b.law.friction = NAN;
  assert_load_refused(&b, 0.004, 0.0, 0.0, JAGER_ERROR_FRICTION);
  b.law = good;
  b.law.model = JAGER_MODEL_LINEAR;
  assert_load_refused(&b, 0.004, 0.0, 0.0, JAGER_ERROR_MODEL);
  b.law = good;
  load(&b, 0.004, 0.002, 0.0); /* just at the limit */
  jager_movement m;
  jager_force force = {0.004, {0.0, 0.0}};
  ck_assert_int_eq(jager_contact_load(&b.contact, NULL, b.pool, &force, &m), JAGER_ERROR_NULL);
  ck_assert_int_eq(jager_contact_load(&b.contact, &b.law, b.pool, &force, NULL), JAGER_ERROR_NULL);
  bench_destroy(&b);

  jager_law law = example_law();
  assert_ok(jager_law_set_model(&law, JAGER_MODEL_HERTZ_MINDLIN));
  SCOPED_BENCH other = bench_create(law);
  assert_load_refused(&other, 0.004, 0.0, 0.0, JAGER_ERROR_UNSUPPORTED);
}

TEST(the_same_load_again_changes_nothing)
{
  SCOPED_BENCH b = bench_create(example_law());
  load(&b, 0.004, 0.001, -0.0005);
  jager_contact before = b.contact;
  jager_force now = jager_contact_force(&b.contact);
  jager_movement m = load(&b, now.fn, now.ft[0], now.ft[1]);
  ck_assert(jager_contact_equal(&before, &b.contact));
  ck_assert_double_eq(m.dxi[0], 0.0);
  ck_assert_double_eq(m.zeta, jager_contact_zeta(&b.contact));
}
