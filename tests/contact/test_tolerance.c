/* SPDX-License-Identifier: MIT */
/*
 * Histories kept short. Oracle: an exact twin. Here are cases with a known outcome; tests/long/tolerance.c tries the
 * bound on many random movements.
 */
#include "histories.h"
#include "contact/history.h"

static struct bench bench_with(double tolerance)
{
  jager_law law = example_law();
  assert_ok(jager_law_set_tolerance(&law, tolerance));
  return bench_create(law);
}

/* The error of the force, over f Fn. */
static double error_of(const struct bench *b, const struct bench *exact)
{
  jager_force force = jager_contact_force(&b->contact), exact_force = jager_contact_force(&exact->contact);
  return hypot(force.ft[0] - exact_force.ft[0], force.ft[1] - exact_force.ft[1]) / (b->law.friction * exact_force.fn);
}

/* Both contacts follow an arc: slopes from one side of the cone to the other. Returns the worst error. */
static double climb_an_arc(struct bench *b, struct bench *exact, int steps)
{
  double worst = 0.0, rise = 1e-3 / steps, reach = 0.9 * b->law.friction * b->law.kappa;
  for (int i = 0; i < steps; i++) {
    double zeta = 1e-3 + rise * (i + 1), slope = reach * (2.0 * i / steps - 1.0);
    (void)bench_move(b, zeta, slope * rise, 0.0);
    (void)bench_move(exact, zeta, slope * rise, 0.0);
    worst = fmax(worst, error_of(b, exact));
  }
  return worst;
}

/* The bend of an arc and the tolerance decide the number of chords, not its steps: √10 fewer for each decade. */
TEST(an_arc_becomes_few_chords)
{
  static const double tolerances[] = {1e-5, 1e-4, 1e-3, 1e-2};
  for (int t = 0; t < 4; t++) {
    uint32_t lengths[2];
    for (int fine = 0; fine < 2; fine++) {
      SCOPED_BENCH b = bench_with(tolerances[t]), exact = bench_with(0.0);
      (void)bench_move(&b, 1e-3, 0.0, 0.0);
      (void)bench_move(&exact, 1e-3, 0.0, 0.0);
      double worst = climb_an_arc(&b, &exact, fine ? 20000 : 2000);
      ck_assert_double_le(worst, tolerances[t]);
      ck_assert_uint_eq(jager_contact_length(&exact.contact), fine ? 20002 : 2002);
      lengths[fine] = jager_contact_length(&b.contact);
    }
    printf("arc, tolerance %.0e: %u and %u points for 2,002 and 20,002\n", tolerances[t], lengths[0], lengths[1]);
    double chords = sqrt(0.9 * 0.25 / (4.0 * tolerances[t])); /* bends 2·0.9 f, h = bend·L/4 each, spent twice */
    ck_assert_double_le(lengths[1], 3.0 * chords + 3.0);
    ck_assert_double_ge(lengths[1], 0.3 * chords);
    ck_assert_uint_le(lengths[1], lengths[0] + lengths[0] / 4 + 2);
  }
}

/* Chords keep the end of a path: a short history ends where the exact one does. */
TEST(chords_keep_the_way)
{
  SCOPED_BENCH b = bench_with(1e-2), exact = bench_with(0.0);
  (void)bench_move(&b, 1e-3, 0.0, 0.0);
  (void)bench_move(&exact, 1e-3, 0.0, 0.0);
  (void)climb_an_arc(&b, &exact, 500);
  double way[2] = {0.0, 0.0};
  struct bench *both[2] = {&b, &exact};
  for (int k = 0; k < 2; k++) {
    static jager_point points[600];
    assert_ok(jager_contact_history(&both[k]->contact, &both[k]->law, points, 600));
    for (uint32_t i = 1; i < jager_contact_length(&both[k]->contact); i++)
      way[k] += points[i].p[0] * (points[i].zeta - points[i - 1].zeta);
  }
  assert_within(way[0], way[1], 1e-15 * 1e-3);
}

/* Gross sliding drops the history, and with it the error. */
TEST(sliding_makes_exact_again)
{
  SCOPED_BENCH b = bench_with(1e-2), exact = bench_with(0.0);
  (void)bench_move(&b, 1e-3, 0.0, 0.0);
  (void)bench_move(&exact, 1e-3, 0.0, 0.0);
  ck_assert_double_gt(climb_an_arc(&b, &exact, 500), 1e-5);
  ck_assert_uint_gt(data_of(&b.contact)->error_bound.top, 0);
  (void)bench_move(&b, 1.5e-3, 0.1, 0.02);
  (void)bench_move(&exact, 1.5e-3, 0.1, 0.02);
  ck_assert_int_eq(jager_contact_state(&b.contact), JAGER_STATE_SLIDE);
  ck_assert_uint_eq(data_of(&b.contact)->error_bound.top, 0);
  ck_assert_uint_eq(data_of(&b.contact)->error_bound.second, 0);
  ck_assert_double_le(error_of(&b, &exact), 1e-15);
}

/* Equal slopes always merge, even after the whole tolerance has been used. */
TEST(equal_slopes_merge_whatever_is_used)
{
  SCOPED_BENCH b = bench_with(1e-6);
  for (int i = 1; i <= 500; i++)
    (void)bench_move(&b, 0x1p-10 * i, i % 2 ? 0x1.8p-13 : 0x1p-14, 0.0);
  uint32_t length = jager_contact_length(&b.contact);
  ck_assert_uint_gt(length, 100);
  (void)bench_move(&b, 0x1p-10 * 501, 0x1p-12, 0.0);
  for (int i = 502; i <= 700; i++)
    (void)bench_move(&b, 0x1p-10 * i, 0x1p-12, 0.0);
  ck_assert_uint_eq(jager_contact_length(&b.contact), length + 1);
}

/* A load reaches the prescribed force exactly: loads merge nothing. */
TEST(loads_are_exact)
{
  SCOPED_BENCH b = bench_with(1e-1);
  for (int i = 1; i <= 50; i++) {
    jager_force load = {.fn = 100.0 * i, .ft = {20.0 * i + 3.0 * (i % 7), 5.0 * (i % 3)}};
    jager_movement movement;
    assert_ok(jager_contact_load(&b.contact, &b.law, b.pool, &load, &movement));
    jager_force force = jager_contact_force(&b.contact);
    assert_within(force.ft[0], load.ft[0], 1e-12 * load.fn);
    assert_within(force.ft[1], load.ft[1], 1e-12 * load.fn);
  }
}

/* A long climb with jumping slopes needs only some nodes, and gives back those that it does not need. */
TEST(little_memory_is_enough)
{
  jager_law law = example_law();
  assert_ok(jager_law_set_tolerance(&law, 1e-2));
  SCOPED_BENCH b = {.law = law, .pool = jager_pool_create(4096)};
  assert_ok(jager_contact_init(&b.contact, &law, 1.0, 1.0));
  uint64_t seed = 4;
  double reach = 0.9 * law.friction * law.kappa;
  uint32_t longest = 0;
  for (int i = 1; i <= 100000; i++) {
    double rise = 1e-3 * exp2(i * 1e-5) * (1.0 + 1e-6 * i) - jager_contact_zeta(&b.contact);
    const double dxi[2] = {reach * rise * random_in(&seed, -0.7, 0.7), reach * rise * random_in(&seed, -0.7, 0.7)};
    assert_ok(jager_contact_move(&b.contact, &law, b.pool, jager_contact_zeta(&b.contact) + rise, dxi, NULL));
    longest = jager_contact_length(&b.contact) > longest ? jager_contact_length(&b.contact) : longest;
  }
  printf("100,000 climbs at random: at most %u points\n", longest);
  ck_assert_uint_lt(longest, 60);
  jager_contact_release(&b.contact, b.pool);
  ck_assert_uint_eq(jager_pool_bytes_in_use(b.pool), 0);
}

/* Friction falls on a long exact history: no chord may be steeper than the new friction. */
TEST(chords_obey_friction_that_falls)
{
  static unsigned char bytes[4096];
  SCOPED_BENCH b = bench_with(0.0);
  double zeta = 1e-3;
  (void)bench_move(&b, zeta, 0.0, 0.0);
  for (int i = 0; i < 21; i++) {
    double slope = i == 20 ? 0.395 : i == 19 ? 0.46 : i % 2 ? 0.475 : 0.05;
    zeta += 1e-7;
    (void)bench_move(&b, zeta, slope * 1e-7 * b.law.kappa, 0.0);
  }
  assert_ok(jager_law_set_tolerance(&b.law, 1e-2));
  assert_ok(jager_law_set_friction(&b.law, 0.4));
  (void)bench_move(&b, zeta * (1.0 + 1e-9), 0.0, 0.0);
  static jager_point points[100];
  assert_ok(jager_contact_history(&b.contact, &b.law, points, 100));
  for (uint32_t k = 1; k < jager_contact_length(&b.contact); k++)
    ck_assert_double_le(hypot(points[k].p[0], points[k].p[1]), 0.4 * (1.0 + 1e-12));
  jager_contact copy = {0};
  assert_ok(jager_contact_pack(&b.contact, bytes, sizeof bytes));
  assert_ok(jager_contact_unpack(&copy, &b.law, b.pool, bytes, sizeof bytes, NULL));
  jager_contact_release(&copy, b.pool);
}

/* The force of a contact that climbs to `low` with slope f at an angle from x, and then to fζ - less along x. */
static jager_force after_grazing(double low, double angle, double less)
{
  SCOPED_BENCH b = bench_with(0.0);
  const double f = b.law.friction, kappa = b.law.kappa, zeta = 1e-3, steep = (1.0 - 1e-12) * f * low;
  (void)bench_move(&b, low, kappa * steep * cos(angle), kappa * steep * sin(angle));
  jager_force force = bench_move(&b, zeta, kappa * (f * zeta - less - steep * cos(angle)), -kappa * steep * sin(angle));
  return force;
}

/*
 * Why there is no linear bound in the plane: the forces of two exact contacts whose movements differ by ε differ by √ε.
 */
TEST(in_the_plane_an_exact_contact_makes_roots_of_differences)
{
  double before = 0.0;
  for (int decade = 4; decade <= 10; decade += 2) {
    double epsilon = 0.5e-3 * pow(10.0, -decade), low = 0.5e-3; /* of fζ; f = 0.5 */
    double angle = acos(1.0 - epsilon / (0.5 * low));
    jager_force inside = after_grazing(low, angle, 0.5 * epsilon), outside = after_grazing(low, angle, -0.5 * epsilon);
    double apart = hypot(inside.ft[0] - outside.ft[0], inside.ft[1] - outside.ft[1]) / (0.5 * inside.fn);
    printf("movements 1e-%d apart: forces %.2e\n", decade, apart);
    ck_assert_double_gt(apart, 0.1 * sqrt(pow(10.0, -decade)));
    if (before > 0.0)
      assert_within(before / apart, 10.0, 1.0);
    before = apart;
  }
}
