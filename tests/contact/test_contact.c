/* SPDX-License-Identifier: MIT */
/*
 * The Jäger contact moved: known answers (the nine movements, Cattaneo-Mindlin, Coulomb), states, history, merging,
 * changing friction, touching and separating, refusals. Longer histories are in test_oracle.c and the soak.
 */
#include "support.h"

#include "contact/history.h"
#include "contact/step.h"

#include <string.h>

/* ---- Known answers --------------------------------------------------------------------------------------------- */

static const double nine_movements[9][2] = {{6, -3.4}, {3, -1.6}, {5, -2.0}, {1, 4}, {1, 5},
                                            {4, -0.7}, {8, -4.4}, {4, 5},    {2, -3}};

TEST(nine_movements_have_the_papers_structure)
{
  static const jager_state states[9] = {JAGER_STATE_ELASTIC, JAGER_STATE_ELASTIC, JAGER_STATE_ELASTIC,
                                        JAGER_STATE_SLIP,    JAGER_STATE_SLIP,    JAGER_STATE_ELASTIC,
                                        JAGER_STATE_ELASTIC, JAGER_STATE_SLIP,    JAGER_STATE_SLIP};
  static const uint32_t lengths[9] = {2, 3, 4, 5, 4, 5, 6, 7, 8};
  SCOPED_BENCH b = bench_create(example_law());
  double zeta = 0.0;
  for (int i = 0; i < 9; i++) {
    zeta += 1e-3 * nine_movements[i][0];
    bench_move(&b, zeta, 1e-3 * nine_movements[i][1], 0.0);
    ck_assert_int_eq(jager_contact_state(&b.contact), states[i]);
    ck_assert_uint_eq(jager_contact_length(&b.contact), lengths[i]);
  }
  /* 0-1-1a-5-6-6a-7a-9: ζ* of the points where movements ended, and the slopes of all segments */
  jager_point points[8];
  assert_ok(jager_contact_history(&b.contact, &b.law, points, 8));
  ck_assert_double_eq(points[0].zeta, 0.0);
  assert_within(points[1].zeta, 0.006, 1e-17);
  assert_within(points[3].zeta, 0.016, 1e-17);
  assert_within(points[4].zeta, 0.020, 1e-17);
  assert_within(points[7].zeta, 0.034, 1e-17);
  double slip[8] = {0, 0, 0, 0.5, 0, 0, 0.5, -0.5};
  double elastic[8] = {0, -3.4 / 9.0, -1.6 / 4.5, 0, -0.7 / 6.0, -4.4 / 12.0, 0, 0};
  for (int k = 1; k < 8; k++) {
    assert_within(points[k].p[0], slip[k] != 0.0 ? slip[k] : elastic[k], 1e-14);
    ck_assert_double_eq(points[k].p[1], 0.0);
    ck_assert_double_gt(points[k].zeta, points[k - 1].zeta);
  }
}

/* ξ = κfζ[1 - (1 - Ft/fFn)^(2/3)], in any number of steps */
TEST(cattaneo_mindlin_loading)
{
  double worst = 0.0;
  for (int steps = 1; steps <= 1000; steps *= 10) {
    SCOPED_BENCH b = bench_create(example_law());
    double zeta = 0.01, unit = b.law.kappa * b.law.friction * zeta;
    jager_force force = bench_move(&b, zeta, 0.0, 0.0);
    for (int k = 1; k <= steps; k++) {
      double xi = unit * k / steps, before = unit * (k - 1) / steps;
      force = bench_move(&b, zeta, 0.0, xi - before);
      double q = 1.0 - xi / unit;
      double exact = b.law.friction * force.fn * (1.0 - q * sqrt(fmax(q, 0.0)));
      assert_within(force.ft[1], exact, 1e-13 * b.law.friction * force.fn);
      worst = fmax(worst, fabs(force.ft[1] - exact) / (b.law.friction * force.fn));
      ck_assert_double_eq(force.ft[0], 0.0);
    }
    bench_move(&b, zeta, 0.0, 1e-3 * unit);
    ck_assert_int_eq(jager_contact_state(&b.contact), JAGER_STATE_SLIDE);
  }
  printf("Cattaneo-Mindlin, 1 to 1,000 steps: largest error %.1e f Fn\n", worst);
}

TEST(far_enough_always_slides)
{
  uint64_t random = 1;
  for (int trial = 0; trial < 1000; trial++) {
    SCOPED_BENCH b = bench_create(example_law());
    for (int i = 0; i < 20; i++)
      bench_move(&b, random_in(&random, 0.001, 0.02), random_in(&random, -0.01, 0.01), random_in(&random, -0.01, 0.01));
    double angle = random_in(&random, 0.0, 6.2831853), far = 1e6;
    jager_force force = bench_move(&b, jager_contact_zeta(&b.contact), far * cos(angle), far * sin(angle));
    ck_assert_int_eq(jager_contact_state(&b.contact), JAGER_STATE_SLIDE);
    ck_assert_uint_eq(jager_contact_length(&b.contact), 2);
    assert_within(force.ft[0], 0.5 * force.fn * cos(angle), 1e-7 * force.fn);
    assert_within(force.ft[1], 0.5 * force.fn * sin(angle), 1e-7 * force.fn);
    assert_within(hypot(force.ft[0], force.ft[1]), 0.5 * force.fn, 1e-15 * force.fn);
  }
}

/* Ft stays when only Fn rises: in some other codes it does not. */
TEST(ft_stays_when_only_fn_rises)
{
  SCOPED_BENCH b = bench_create(example_law());
  bench_move(&b, 0.01, 0.0, 0.0);
  jager_force before = bench_move(&b, 0.01, 0.002, -0.001);
  jager_force after = bench_move(&b, 0.03, 0.0, 0.0);
  assert_within(after.ft[0], before.ft[0], 1e-16 * before.fn);
  assert_within(after.ft[1], before.ft[1], 1e-16 * before.fn);
}

TEST(movement_straight_back_undoes_the_history)
{
  SCOPED_BENCH b = bench_create(example_law());
  bench_move(&b, 0.004, 0.0, 0.0);
  jager_contact start = b.contact;
  bench_move(&b, 0.008, 0.001, -0.0005);
  bench_move(&b, 0.006, -0.0005, 0.00025);
  ck_assert_uint_eq(jager_contact_length(&b.contact), 3);
  bench_move(&b, 0.004, -0.0005, 0.00025);
  jager_force force = jager_contact_force(&b.contact);
  ck_assert_double_eq(jager_contact_zeta(&b.contact), jager_contact_zeta(&start));
  assert_within(force.ft[0], 0.0, 1e-19);
  assert_within(force.ft[1], 0.0, 1e-19);
}

TEST(no_movement_changes_nothing)
{
  SCOPED_BENCH b = bench_create(example_law());
  bench_move(&b, 0.01, 0.0, 0.0);
  bench_move(&b, 0.011, 0.003, 0.002);
  jager_contact before = b.contact;
  for (int i = 0; i < 10; i++)
    bench_move(&b, jager_contact_zeta(&b.contact), 0.0, 0.0);
  ck_assert(jager_contact_equal(&before, &b.contact));
}

/* ---- Friction -------------------------------------------------------------------------------------------------- */

TEST(no_friction_no_shear)
{
  jager_law law = example_law();
  assert_ok(jager_law_set_friction(&law, 0.0));
  SCOPED_BENCH b = bench_create(law);
  uint64_t random = 2;
  for (int i = 0; i < 1000; i++) {
    jager_force force = bench_move(&b, random_in(&random, 1e-4, 0.02), random_in(&random, -0.01, 0.01), 1e-3);
    ck_assert_double_eq(force.ft[0], 0.0);
    ck_assert_double_eq(force.ft[1], 0.0);
    ck_assert_double_gt(force.fn, 0.0);
  }
}

/* With friction so high that nothing slips, Ft is the elastic integral ∫ (dξ/dζ)/κ dFn. */
TEST(high_friction_never_slips)
{
  jager_law law = example_law();
  assert_ok(jager_law_set_friction(&law, 1e6));
  SCOPED_BENCH b = bench_create(law);
  double zeta = 0.0, ft[2] = {0.0, 0.0}, fn = 0.0;
  uint64_t random = 3;
  for (int i = 0; i < 200; i++) {
    double rise = random_in(&random, 1e-6, 1e-4), dxi[2] = {random_in(&random, -0.01, 0.01), random_in(&random, -1, 1)};
    zeta += rise;
    jager_force force = bench_move(&b, zeta, dxi[0], dxi[1]);
    for (int k = 0; k < 2; k++)
      ft[k] += dxi[k] / (law.kappa * rise) * (force.fn - fn);
    fn = force.fn;
    ck_assert_int_eq(jager_contact_state(&b.contact), JAGER_STATE_ELASTIC);
    assert_within(force.ft[0], ft[0], 1e-12 * fabs(ft[1]) + 1e-12 * fabs(ft[0]));
    assert_within(force.ft[1], ft[1], 1e-12 * fabs(ft[1]) + 1e-9 * force.fn);
  }
  ck_assert_uint_eq(jager_contact_length(&b.contact), 201);
}

/* Lower friction lets the contact slip at once; higher friction changes nothing by itself. */
TEST(friction_may_change_between_calls)
{
  SCOPED_BENCH b = bench_create(example_law());
  bench_move(&b, 0.01, 0.0, 0.0);
  jager_force before = bench_move(&b, 0.01, 0.9 * b.law.kappa * 0.5 * 0.01, 0.0);
  assert_ok(jager_law_set_friction(&b.law, 0.8));
  jager_force same = bench_move(&b, 0.01, 0.0, 0.0);
  ck_assert_mem_eq(&before, &same, sizeof same);
  assert_ok(jager_law_set_friction(&b.law, 0.2));
  jager_force lower = bench_move(&b, 0.01, 0.0, 0.0);
  assert_within(lower.ft[0], 0.2 * lower.fn, 1e-15 * lower.fn); /* before, it was at 0.97 · 0.5 Fn */
  assert_ok(jager_law_set_friction(&b.law, 0.5));
  jager_force stays = bench_move(&b, 0.01, 0.0, 0.0);
  ck_assert_mem_eq(&lower, &stays, sizeof stays);
}

/* With lower friction an outer annulus slips: at constant Fn the force is Cattaneo-Mindlin's for the lower f. */
TEST(lower_friction_is_cattaneo_mindlins)
{
  SCOPED_BENCH b = bench_create(example_law());
  double zeta = 0.01, xi = 0.3 * b.law.kappa * 0.5 * zeta;
  bench_move(&b, zeta, 0.0, 0.0);
  bench_move(&b, zeta, xi, 0.0);
  assert_ok(jager_law_set_friction(&b.law, 0.3));
  jager_force force = bench_move(&b, zeta, 0.0, 0.0);
  double q = 1.0 - xi / (b.law.kappa * 0.3 * zeta);
  assert_within(force.ft[0], 0.3 * force.fn * (1.0 - q * sqrt(q)), 1e-15 * force.fn);
}

TEST(invariants_hold_when_friction_falls_on_long_histories)
{
  uint64_t random = 4;
  for (int trial = 0; trial < 200; trial++) {
    jager_law law = example_law();
    assert_ok(jager_law_set_friction(&law, 1.0));
    SCOPED_BENCH b = bench_create(law);
    double zeta = 0.001;
    for (int i = 0; i < 60; i++)
      bench_move(&b, zeta += 1e-4, random_in(&random, -1e-4, 1e-4), random_in(&random, -1e-4, 1e-4));
    double f = random_in(&random, 0.05, 0.95);
    assert_ok(jager_law_set_friction(&b.law, f));
    jager_force force = bench_move(&b, zeta, 0.0, 0.0);
    jager_point points[64];
    assert_ok(jager_contact_history(&b.contact, &b.law, points, 64));
    double ft[2] = {0.0, 0.0};
    for (uint32_t k = 1; k < jager_contact_length(&b.contact); k++) {
      ck_assert_double_le(hypot(points[k].p[0], points[k].p[1]), f * (1.0 + 1e-15));
      ck_assert_double_gt(points[k].zeta, points[k - 1].zeta);
      for (int i = 0; i < 2; i++)
        ft[i] += points[k].p[i] * (points[k].fn - points[k - 1].fn);
    }
    assert_within(force.ft[0], ft[0], 1e-15 * force.fn);
    assert_within(force.ft[1], ft[1], 1e-15 * force.fn);
    ck_assert_double_le(hypot(ft[0], ft[1]), f * force.fn * (1.0 + 1e-15));
  }
}

/* ---- Touching and parting --------------------------------------------------------------------------------------- */

TEST(only_what_happens_in_touch_counts)
{
  SCOPED_BENCH b = bench_create(example_law()), c = bench_create(example_law());
  jager_force apart = bench_move(&b, -0.003, 0.5, 0.5);
  ck_assert_double_eq(apart.fn, 0.0);
  ck_assert_int_eq(jager_contact_state(&b.contact), JAGER_STATE_APART);
  ck_assert_double_eq(jager_contact_zeta(&b.contact), -0.003);
  jager_force force = bench_move(&b, 0.001, 0.0012, -0.0004); /* a quarter of the movement is in touch */
  jager_force same = bench_move(&c, 0.001, 0.0003, -0.0001);
  assert_within(force.ft[0], same.ft[0], 1e-16 * same.fn);
  assert_within(force.ft[1], same.ft[1], 1e-16 * same.fn);
}

TEST(parting_forgets_the_history)
{
  SCOPED_BENCH b = bench_create(example_law()), fresh = bench_create(example_law());
  for (int i = 1; i <= 40; i++)
    bench_move(&b, 1e-3 * i, 1e-4 * (i % 7), -1e-4 * (i % 5));
  ck_assert_uint_gt(jager_pool_bytes_in_use(b.pool), 0);
  bench_move(&b, 0.0, 0.01, 0.0);
  ck_assert_uint_eq(jager_pool_bytes_in_use(b.pool), 0);
  bench_move(&b, 0.002, 0.0005, 0.0);
  bench_move(&fresh, 0.002, 0.0005, 0.0);
  ck_assert(jager_contact_equal(&b.contact, &fresh.contact));
}

TEST(touching_may_slide_at_once)
{
  SCOPED_BENCH b = bench_create(example_law());
  jager_force force = bench_move(&b, 0.001, 0.003, 0.004);
  ck_assert_int_eq(jager_contact_state(&b.contact), JAGER_STATE_SLIDE);
  assert_within(force.ft[0], 0.3 * force.fn, 1e-16 * force.fn);
  assert_within(force.ft[1], 0.4 * force.fn, 1e-16 * force.fn);
}

/* ---- Merging --------------------------------------------------------------------------------------------------- */

TEST(equal_slopes_prolong_the_segment)
{
  SCOPED_BENCH b = bench_create(example_law());
  for (int i = 1; i <= 1000; i++)
    bench_move(&b, 0x1p-10 * i, 0x1.8p-13, 0.0); /* powers of two: no rounding */
  ck_assert_uint_eq(jager_contact_length(&b.contact), 2);
}

/* Figure Jager_approx: f = 0.5, Δp_max = 0.05; five elastic movements of similar slope become one segment. */
TEST(similar_slopes_merge_and_keep_the_force)
{
  jager_law law = example_law();
  assert_ok(jager_law_set_dp_max(&law, 0.05));
  SCOPED_BENCH b = bench_create(law), exact = bench_create(example_law());
  static const double slopes[5] = {0.20, 0.23, 0.21, 0.25, 0.22};
  jager_force merged, kept;
  for (int i = 0; i < 5; i++) {
    double zeta = 0.002 * (i + 1), dxi = slopes[i] * law.kappa * 0.002;
    merged = bench_move(&b, zeta, dxi, 0.0);
    kept = bench_move(&exact, zeta, dxi, 0.0);
    assert_within(merged.ft[0], kept.ft[0], 1e-15 * kept.fn);
  }
  ck_assert_uint_eq(jager_contact_length(&b.contact), 2);
  ck_assert_uint_eq(jager_contact_length(&exact.contact), 6);
  bench_move(&b, 0.0105, -0.004, 0.0);
  bench_move(&exact, 0.0105, -0.004, 0.0);
  double error = fabs(jager_contact_force(&b.contact).ft[0] - jager_contact_force(&exact.contact).ft[0]);
  ck_assert_double_gt(error, 0.0);
  ck_assert_double_lt(error, 0.05 * 0.5 * kept.fn);
}

TEST(slip_segments_do_not_merge)
{
  jager_law law = example_law();
  assert_ok(jager_law_set_dp_max(&law, 10.0));
  SCOPED_BENCH b = bench_create(law);
  bench_move(&b, 0.010, 0.0, 0.0);
  bench_move(&b, 0.010, 0.003, 0.0);
  ck_assert_int_eq(jager_contact_state(&b.contact), JAGER_STATE_SLIP);
  uint32_t length = jager_contact_length(&b.contact);
  bench_move(&b, 0.011, 0.0005, 0.0);
  ck_assert_int_eq(jager_contact_state(&b.contact), JAGER_STATE_ELASTIC);
  ck_assert_uint_eq(jager_contact_length(&b.contact), length + 1);
  bench_move(&b, 0.012, -0.0005, 0.0);
  ck_assert_uint_eq(jager_contact_length(&b.contact), length + 1);
}

/* ---- Bodies that change ------------------------------------------------------------------------------------------ */

/* A random step, more often up than down, which now and then separates the bodies */
static void random_step(uint64_t *random, double *zeta, double dxi[2])
{
  double size = ldexp(1e-4, (int)random_below(random, 6));
  *zeta = fmax(*zeta + size * random_in(random, -1.0, 1.2), random_below(random, 200) == 0 ? -1e-4 : 1e-6);
  for (int i = 0; i < 2; i++)
    dxi[i] = size * random_in(random, -0.7, 0.7);
}

static void assert_same_but_rounding(const struct bench *b, const struct bench *twin)
{
  jager_force force = jager_contact_force(&b->contact), expected = jager_contact_force(&twin->contact);
  jager_energy stored, twin_stored;
  ck_assert_double_eq(force.fn, expected.fn);
  for (int i = 0; i < 2; i++)
    assert_within(force.ft[i], expected.ft[i], 1e-12 * expected.fn);
  ck_assert_uint_eq(jager_contact_length(&b->contact), jager_contact_length(&twin->contact));
  assert_ok(jager_contact_stored(&b->contact, &b->law, NULL, &stored));
  assert_ok(jager_contact_stored(&twin->contact, &twin->law, NULL, &twin_stored));
  assert_within(stored.tangential, twin_stored.tangential, 1e-9 * (twin_stored.normal + twin_stored.tangential));
}

/*
 * Oracle: a twin on the same path that has had the final stiffness since first touch. Radii and shear modulus change on
 * the way, and the contact is packed and read in between. Seed 21.
 */
TEST_LOOP(a_new_stiffness_is_as_if_it_had_always_been, 2)
{
  const double tolerances[] = {0.0, 1e-3};
  uint64_t random = 21;
  jager_law law = example_law();
  law.tolerance = tolerances[_i];
  for (int trial = 0; trial < 60; trial++) {
    SCOPED_BENCH b = bench_create(law), twin = bench_create(law);
    double modulus = ldexp(1.0, (int)random_below(&random, 12)), radii[2], zeta = 0.0, dxi[2];
    for (int i = 0; i < 2; i++)
      radii[i] = ldexp(random_in(&random, 0.5, 1.0), (int)random_below(&random, 8));
    assert_ok(jager_law_set_bodies(&twin.law, modulus, 0.5));
    assert_ok(jager_contact_init(&twin.contact, &twin.law, radii[0], radii[1]));
    unsigned steps = 20 + random_below(&random, 300);
    for (unsigned step = 0; step < steps; step++) {
      random_step(&random, &zeta, dxi);
      bench_move(&b, zeta, dxi[0], dxi[1]);
      bench_move(&twin, zeta, dxi[0], dxi[1]);
      if (step % 7 == 0)
        assert_ok(jager_contact_restiffen(&b.contact, &b.law, random_in(&random, 0.1, 10.0), 1.0));
    }
    b.law = twin.law;
    assert_ok(jager_contact_restiffen(&b.contact, &b.law, radii[0], radii[1]));
    assert_same_but_rounding(&b, &twin);

    unsigned char bytes[20000];
    jager_contact copy = {0};
    assert_ok(jager_contact_pack(&b.contact, bytes, sizeof bytes));
    assert_ok(jager_contact_unpack(&copy, &b.law, b.pool, bytes, sizeof bytes, NULL));
    jager_contact_release(&copy, b.pool);
  }
}

TEST(a_bad_stiffness_is_refused)
{
  SCOPED_BENCH b = bench_create(example_law());
  bench_move(&b, 0.01, 0.001, 0.0);
  jager_contact before = b.contact;
  jager_law other = b.law;
  other.model = JAGER_MODEL_LINEAR;
  ck_assert_int_eq(jager_contact_restiffen(&b.contact, &b.law, 1.0, 0.0), JAGER_ERROR_RADIUS);
  ck_assert_int_eq(jager_contact_restiffen(NULL, &b.law, 1.0, 1.0), JAGER_ERROR_NULL);
  ck_assert_int_eq(jager_contact_restiffen(&b.contact, NULL, 1.0, 1.0), JAGER_ERROR_NULL);
  ck_assert_int_eq(jager_contact_restiffen(&b.contact, &other, 1.0, 1.0), JAGER_ERROR_UNSUPPORTED);
  ck_assert(jager_contact_equal(&before, &b.contact));
}

/* ---- What is refused ------------------------------------------------------------------------------------------- */

TEST(history_needs_room)
{
  SCOPED_BENCH b = bench_create(example_law());
  jager_point points[4];
  assert_ok(jager_contact_history(&b.contact, &b.law, points, 1)); /* apart: only point 0 */
  ck_assert_double_eq(points[0].zeta, 0.0);
  bench_move(&b, 0.01, 0.001, 0.0);
  bench_move(&b, 0.02, 0.002, 0.0);
  ck_assert_int_eq(jager_contact_history(&b.contact, &b.law, points, 2), JAGER_ERROR_CAPACITY);
  ck_assert_int_eq(jager_contact_history(&b.contact, &b.law, NULL, 4), JAGER_ERROR_NULL);
  jager_law other = b.law;
  other.model = JAGER_MODEL_LINEAR;
  ck_assert_int_eq(jager_contact_history(&b.contact, &other, points, 4), JAGER_ERROR_UNSUPPORTED);
  assert_ok(jager_contact_history(&b.contact, &b.law, points, 4));
  ck_assert_double_eq(points[2].zeta, 0.02);
  jager_contact_release(&b.contact, NULL); /* allowed, does nothing */
  ck_assert_uint_eq(jager_contact_length(&b.contact), 3);
}

/* A half-overlap below 1e-60 counts as none, however it is reached; so does a load below 1e-130. */
TEST(tiny_overlaps_do_not_touch)
{
  static const double tiny[] = {9.99e-61, 1e-100, 1e-155, 1e-170, 1e-310, 5e-324};
  const double dxi[2] = {1e-61, 0.0};
  for (int i = 0; i < 12; i++) {
    jager_law law = example_law();
    if (i % 2)
      assert_ok(jager_law_set_contour(&law, JAGER_CONTOUR_CONE, 0.3, 0.0));
    SCOPED_BENCH b = bench_create(law);
    jager_energy energy;
    jager_movement movement;
    const jager_force load = {9.9e-131, {1e-132, 0.0}};
    for (int way = 0; way < 3; way++) {
      ck_assert(bench_move(&b, 1e-60, 1e-61, 0.0).fn > 0.0);
      if (way == 0)
        bench_move(&b, tiny[i / 2], 1e-61, 0.0);
      else if (way == 1)
        assert_ok(move_with_energy(&b.contact, &b.law, b.pool, tiny[i / 2], dxi, NULL, &energy));
      else
        assert_ok(jager_contact_load(&b.contact, &b.law, b.pool, &load, &movement));
      ck_assert_int_eq(jager_contact_state(&b.contact), JAGER_STATE_APART);
      ck_assert_double_eq(jager_contact_zeta(&b.contact), 0.0);
    }
    jager_force force = bench_move(&b, 1e-3, 1e-4, 0.0);
    ck_assert(isfinite(force.ft[0]) && force.ft[0] > 0.0);
  }
}

/* ζ rises by single units in the last place: Fn may stay the same, and equal slopes still merge. */
TEST(climbs_by_ulps_stay_finite)
{
  SCOPED_BENCH b = bench_create(example_law());
  uint64_t random = 6;
  for (int trial = 0; trial < 100000; trial++) {
    double zeta = random_in(&random, 1e-3, 2e-3);
    assert_ok(jager_law_set_bodies(&b.law, random_in(&random, 1.0, 2.0), 0.15));
    assert_ok(jager_contact_init(&b.contact, &b.law, 1.0, 1.0));
    jager_force force = bench_move(&b, zeta, 1e-4, 0.0);
    for (int i = 0; i < 3; i++)
      force = bench_move(&b, zeta = nextafter(zeta, 1.0), 0.0, 0.0);
    if (!isfinite(force.ft[0]))
      ck_abort_msg("not finite at zeta = %a", zeta);
    bench_move(&b, 0.0, 0.0, 0.0);
  }
}

/* Zeroed memory is no contact: every function reports that, and changes nothing. */
TEST(zeroed_memory_is_refused)
{
  jager_law law = example_law();
  SCOPED_POOL pool = jager_pool_create(0);
  jager_contact contact = {0}, zero = {0};
  const double dxi[2] = {1e-4, 0.0};
  jager_force force = {.fn = 1e-3};
  jager_movement movement;
  jager_energy energy;
  jager_balance balance;
  jager_point points[4];
  jager_stiffness stiffness;
  double pressure, shear[2], radius;
#define REFUSES(call) ck_assert_int_eq(call, JAGER_ERROR_UNINITIALISED)
  REFUSES(jager_contact_move(&contact, &law, pool, 1e-3, dxi, NULL));
  REFUSES(move_with_energy(&contact, &law, pool, 1e-3, dxi, NULL, &energy));
  REFUSES(jager_contact_load(&contact, &law, pool, &force, &movement));
  REFUSES(jager_contact_history(&contact, &law, points, 4));
  REFUSES(jager_contact_history(&contact, &law, points, 0));
  REFUSES(jager_contact_stored(&contact, &law, NULL, &energy));
  REFUSES(jager_contact_stiffness(&contact, &law, &stiffness));
  REFUSES(jager_contact_restiffen(&contact, &law, 1.0, 1.0));
  REFUSES(jager_contact_radii(&contact, &law, &radius, NULL));
  REFUSES(jager_contact_traction(&contact, &law, 0.0, &pressure, shear));
  REFUSES(jager_balance_begin(&balance, &contact, &law));
  REFUSES(jager_contact_move_path(&contact, &law, pool,
                                  &(jager_path){.count = 1,
                                                .zeta = (double[1]){1e-3},
                                                .dxi = {(double[1]){0.0}, (double[1]){0.0}},
                                                .dissipated = (double[1]){0.0}},
                                  NULL));
#undef REFUSES
  ck_assert_uint_eq(jager_contact_length(&contact), 0);
  ck_assert_mem_eq(&contact, &zero, sizeof zero);
  ck_assert_uint_eq(jager_pool_bytes_in_use(pool), 0);
  jager_contact_release(&contact, pool);
}

/* ---- Invariants -------------------------------------------------------------------------------------------------- */

static contact_data content_of(const struct bench *b)
{
  return *data_of_const(&b->contact);
}

/*
 * jager_history_is_valid, which assertions call, detects each spoilt member. The contact has seven segments, some in a
 * node.
 */
TEST(spoilt_histories_are_seen)
{
  SCOPED_BENCH b = bench_create(example_law());
  (void)bench_move(&b, 1.0, 0.0, 0.0);
  for (int i = 1; i <= 6; i++) /* rising slopes, far below friction */
    (void)bench_move(&b, 1.0 + 0.1 * i, 1e-2 * i * b.law.friction * b.law.kappa, 0.0);
  ck_assert_uint_eq(jager_contact_length(&b.contact), 8);
  contact_data c = content_of(&b);
  ck_assert(jager_history_is_valid(&c));
  c.zeta = 0.0;
  ck_assert(!jager_history_is_valid(&c));
  c = content_of(&b);
  c.length--;
  ck_assert(!jager_history_is_valid(&c));
  c = content_of(&b);
  c.top.p.x = 1.001 * c.friction; /* a short segment: the force stays within friction */
  ck_assert(!jager_history_is_valid(&c));
  c.top.p.x = 0.999 * c.friction;
  ck_assert(jager_history_is_valid(&c));
  c.second.p.y = -1.001 * c.friction;
  ck_assert(!jager_history_is_valid(&c));
  c = content_of(&b);
  c.top.zeta_base = c.zeta;
  ck_assert(!jager_history_is_valid(&c));
  c = content_of(&b);
  c.anchor.ft.x = c.friction * force_of(&c).fn;
  ck_assert(!jager_history_is_valid(&c));
  c = content_of(&b);
  c.error_bound.second = c.error_bound.top + 1;
  ck_assert(!jager_history_is_valid(&c));
}
