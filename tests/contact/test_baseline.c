/* SPDX-License-Identifier: MIT */
/*
 * The comparison laws: springs computed by hand, rotated paths, memory, refusals. Turning points and convergence of the
 * incremental laws are in test_incremental.c.
 */
#include "baseline_support.h"
#include "jager/compare.h"

/* ---- Springs --------------------------------------------------------------------------------------------------- */

TEST(names_make_the_laws)
{
  const char *const names[] = {"linear", "hertz-mindlin", "modified-mindlin", "zhang-vuquoc"};
  for (int i = 0; i < 4; i++) {
    jager_model model;
    ck_assert_int_eq(jager_model_from_name(names[i], &model), JAGER_OK);
    jager_law law = law_of(model);
    SCOPED_POOL pool = jager_pool_create(0);
    jager_contact contact = contact_of(&law);
    ck_assert_int_eq(jager_contact_model(&contact), model);
    ck_assert_str_eq(jager_model_name(law.model), names[i]);
    (void)move1(&law, pool, &contact, ZETA0, 0.0);
    ck_assert_int_eq(jager_contact_state(&contact), JAGER_STATE_ELASTIC);
    jager_force force = move2(&law, pool, &contact, ZETA0, 30.0, 40.0);
    assert_near(force.ft[0], 0.6 * law.friction * force.fn, 1e-15 * force.fn);
    assert_near(force.ft[1], 0.8 * law.friction * force.fn, 1e-15 * force.fn);
    ck_assert_int_eq(jager_contact_state(&contact), JAGER_STATE_SLIDE);
    ck_assert_uint_eq(jager_contact_length(&contact), 2);
  }
}

TEST(linear_is_two_springs)
{
  jager_law law = law_of(JAGER_MODEL_LINEAR);
  ck_assert_int_eq(jager_law_set_linear(&law, 300.0, 0.0), JAGER_OK);
  SCOPED_POOL pool = jager_pool_create(0);
  jager_contact contact = contact_of(&law);
  jager_force force = move1(&law, pool, &contact, 0.01, 0.001);
  assert_near(force.fn, 300.0 * 0.02, 1e-14);
  assert_near(force.ft[0], 300.0 / law.kappa * 0.002, 1e-14);
  force = move1(&law, pool, &contact, 0.005, 0.0);
  assert_near(force.fn, 300.0 * 0.01, 1e-14);
  assert_near(force.ft[0], 300.0 / law.kappa * 0.002, 1e-14); /* no rescale */
  ck_assert_int_eq(jager_law_set_linear(&law, 300.0, 70.0), JAGER_OK);
  force = move1(&law, pool, &contact, 0.005, -0.002);
  assert_near(force.ft[0], 300.0 / law.kappa * 0.002 - 70.0 * 0.004, 1e-14);
  assert_near(jager_compare_shear_energy(&law, data_of(&contact)), force.ft[0] * force.ft[0] / 140.0, 1e-14);
}

static void check_rescale(jager_law law, double radius_ratio)
{
  SCOPED_POOL pool = jager_pool_create(0);
  jager_contact contact = contact_of(&law);
  (void)move1(&law, pool, &contact, 0.01, 0.0);
  double x = 0.1 * law.kappa * law.friction * 0.01;
  double before = move1(&law, pool, &contact, 0.01, x).ft[0];
  assert_near(before, normal_slope(&law, jager_contact_coefficient(&contact), 0.01) / law.kappa * x, 1e-14 * before);
  double risen = move1(&law, pool, &contact, 0.02, 0.0).ft[0];
  ck_assert_double_eq(risen, before);
  double fallen = move1(&law, pool, &contact, 0.005, 0.0).ft[0];
  assert_near(fallen, before * radius_ratio, 1e-14 * before);
  assert_near(fallen / before,
              jager_contact_radius(&law, jager_contact_coefficient(&contact), 0.005) /
                  jager_contact_radius(&law, jager_contact_coefficient(&contact), 0.02),
              1e-14);
}

TEST(hertz_mindlin_rescales_with_the_radius)
{
  jager_law law = law_of(JAGER_MODEL_HERTZ_MINDLIN);
  check_rescale(law, 0.5);
  ck_assert_int_eq(jager_law_set_contour(&law, JAGER_CONTOUR_CONE, 1.0, 0.0), JAGER_OK);
  check_rescale(law, 0.25);
  ck_assert_int_eq(jager_law_set_contour(&law, JAGER_CONTOUR_POWER, 1.0, 4.0), JAGER_OK);
  check_rescale(law, sqrt(0.5));
}

/* A cycle in stick loses nothing. Sliding loses f N times the distance slid; the rest of the work is stored. */
TEST(hertz_mindlin_balances_its_energy)
{
  jager_law law = law_of(JAGER_MODEL_HERTZ_MINDLIN);
  SCOPED_POOL pool = jager_pool_create(0);
  jager_contact contact = contact_of(&law);
  (void)move1(&law, pool, &contact, ZETA0, 0.0);
  double x = 0.1 * unit_shift(&law), dissipated = 0.0, fn = jager_contact_fn(&contact), limit = law.friction * fn;
  double kt = normal_slope(&law, jager_contact_coefficient(&contact), ZETA0) / (2.0 * law.kappa);
  const double way[] = {x, 2.0 * x, -3.0 * x, -3.0 * x, 3.0 * x};
  jager_energy energy;
  for (int i = 0; i < 5; i++) {
    const double dxi[2] = {way[i], 0.0};
    ck_assert_int_eq(move_with_energy(&contact, &law, pool, ZETA0, dxi, NULL, &energy), JAGER_OK);
    dissipated += energy.dissipated;
  }
  assert_near(dissipated, 0.0, 1e-15 * limit * x);
  assert_near(energy.tangential, 0.0, 1e-15 * limit * x);
  const double to_limit[2] = {limit / kt / 2.0, 0.0}, slide[2] = {x, 0.0};
  ck_assert_int_eq(move_with_energy(&contact, &law, pool, ZETA0, to_limit, NULL, &energy), JAGER_OK);
  assert_near(energy.tangential, limit * limit / (2.0 * kt), 1e-13 * limit * x);
  ck_assert_int_eq(move_with_energy(&contact, &law, pool, ZETA0, slide, NULL, &energy), JAGER_OK);
  assert_near(energy.dissipated, limit * 2.0 * x, 1e-13 * limit * x);
}

TEST(a_force_beyond_all_numbers_is_refused)
{
  jager_law law = law_of(JAGER_MODEL_LINEAR);
  ck_assert_int_eq(jager_law_set_linear(&law, 1.0, DBL_MAX), JAGER_OK);
  SCOPED_POOL pool = jager_pool_create(0);
  jager_contact contact = contact_of(&law), before;
  (void)move1(&law, pool, &contact, ZETA0, 0.0);
  memcpy(&before, &contact, sizeof before);
  const double far[2] = {1e100, 0.0};
  ck_assert_int_eq(jager_contact_move(&contact, &law, pool, ZETA0, far, NULL), JAGER_ERROR_TOO_LARGE);
  ck_assert_mem_eq(&contact, &before, sizeof before);
}

/* ---- All laws -------------------------------------------------------------------------------------------------- */

TEST(rising_normal_force_leaves_shear_alone)
{
  for (int model = JAGER_MODEL_LINEAR; model < JAGER_MODEL_COUNT; model++) {
    jager_law law = law_of((jager_model)model);
    SCOPED_POOL pool = jager_pool_create(0);
    jager_contact contact = contact_of(&law);
    load_with_two_turns(&law, pool, &contact);
    jager_force before = jager_contact_force(&contact);
    ck_assert_double_gt(before.ft[0], 0.0);
    for (int i = 1; i <= 10; i++) {
      jager_force after = move1(&law, pool, &contact, ZETA0 * (1.0 + 0.1 * i), 0.0);
      ck_assert_double_gt(after.fn, before.fn);
      ck_assert_mem_eq(after.ft, before.ft, sizeof before.ft);
    }
  }
}

TEST(parting_forgets_everything)
{
  for (int model = JAGER_MODEL_LINEAR; model < JAGER_MODEL_COUNT; model++) {
    jager_law law = law_of((jager_model)model);
    SCOPED_POOL pool = jager_pool_create(0);
    jager_contact contact = contact_of(&law), fresh = contact_of(&law);
    load_with_two_turns(&law, pool, &contact);
    ck_assert_int_eq(jager_pool_bytes_in_use(pool) > 0, model == JAGER_MODEL_ZHANG_VUQUOC);
    jager_force force = move1(&law, pool, &contact, -0.001, 0.3);
    ck_assert_double_eq(force.fn, 0.0);
    ck_assert_double_eq(force.ft[0], 0.0);
    ck_assert_int_eq(jager_contact_state(&contact), JAGER_STATE_APART);
    ck_assert_uint_eq(jager_contact_length(&contact), 1);
    ck_assert_double_eq(jager_contact_zeta(&contact), -0.001);
    ck_assert_double_eq(jager_compare_shear_energy(&law, data_of(&contact)), 0.0);
    ck_assert_uint_eq(jager_pool_bytes_in_use(pool), 0);
    (void)move1(&law, pool, &contact, 0.0, 0.0);
    ck_assert_mem_eq(&contact, &fresh, sizeof fresh);
  }
}

TEST(shift_counts_from_first_touch)
{
  for (int model = JAGER_MODEL_LINEAR; model < JAGER_MODEL_COUNT; model++) {
    jager_law law = law_of((jager_model)model);
    SCOPED_POOL pool = jager_pool_create(0);
    jager_contact far = contact_of(&law), near = contact_of(&law);
    double x = 0.1 * unit_shift(&law);
    (void)move1(&law, pool, &far, -3.0 * ZETA0, 0.0);
    jager_force a = move1(&law, pool, &far, ZETA0, 4.0 * x);
    jager_force b = move1(&law, pool, &near, ZETA0, x);
    ck_assert_double_gt(b.ft[0], 0.0);
    ck_assert_int_eq(jager_contact_state(&near), JAGER_STATE_ELASTIC);
    assert_near(a.ft[0], b.ft[0], 1e-15 * b.ft[0]);
    ck_assert_uint_eq(jager_contact_length(&far), 2);
  }
}

TEST(touching_while_sliding_slides)
{
  for (int i = 0; i < 2; i++) {
    jager_law law = law_of(incremental[i]);
    SCOPED_POOL pool = jager_pool_create(0);
    jager_contact contact = contact_of(&law);
    jager_force force = move1(&law, pool, &contact, ZETA0, -2.0 * unit_shift(&law));
    assert_near(force.ft[0], -law.friction * force.fn, 1e-15 * force.fn);
  }
}

TEST(friction_may_change)
{
  for (int model = JAGER_MODEL_LINEAR; model < JAGER_MODEL_COUNT; model++) {
    jager_law law = law_of((jager_model)model);
    SCOPED_POOL pool = jager_pool_create(0);
    jager_contact contact = contact_of(&law), before;
    (void)move1(&law, pool, &contact, ZETA0, 0.0);
    (void)move_in_steps(&law, pool, &contact, ZETA0, 1.2 * unit_shift(&law), 20);
    ck_assert_int_eq(jager_law_set_friction(&law, 0.01), JAGER_OK);
    jager_force force = move1(&law, pool, &contact, ZETA0, 0.0);
    assert_near(force.ft[0], 0.01 * force.fn, 1e-16 * force.fn);
    ck_assert_int_eq(jager_contact_state(&contact), JAGER_STATE_SLIDE);
    memcpy(&before, &contact, sizeof before);
    (void)move1(&law, pool, &contact, ZETA0, 0.0); /* nothing happens, to the bit */
    ck_assert_mem_eq(&contact, &before, sizeof before);
    ck_assert_int_eq(jager_law_set_friction(&law, 0.0), JAGER_OK);
    force = move1(&law, pool, &contact, 2.0 * ZETA0, 1.0);
    ck_assert_double_eq(force.ft[0], 0.0);
  }
}

/*
 * The laws are isotropic: a rotated path gives the rotated force. Sliding is left out: there θ is the cube root of a
 * rounding error.
 */
static void check_turned(jager_model model)
{
  const double c = 0.6, s = 0.8;
  jager_law law = law_of(model);
  SCOPED_POOL pool = jager_pool_create(0);
  jager_contact straight = contact_of(&law), turned = contact_of(&law);
  double u = unit_shift(&law), xi[2] = {0.0, 0.0};
  for (int i = 0; i < 3000; i++) {
    double x = (0.3 * sin(0.05 * i) + 0.1 * sin(0.31 * i)) * u, y = 0.3 * sin(0.037 * i) * sin(0.11 * i) * u;
    double dx = x - xi[0], dy = y - xi[1], zeta = ZETA0 * (1.0 + 0.1 * sin(0.083 * i));
    jager_force a = move2(&law, pool, &straight, zeta, dx, dy);
    jager_force b = move2(&law, pool, &turned, zeta, c * dx - s * dy, s * dx + c * dy);
    assert_near(b.ft[0], c * a.ft[0] - s * a.ft[1], 1e-12 * a.fn);
    assert_near(b.ft[1], s * a.ft[0] + c * a.ft[1], 1e-12 * a.fn);
    xi[0] = x;
    xi[1] = y;
  }
}

TEST(turned_paths_give_turned_forces)
{
  for (int model = JAGER_MODEL_LINEAR; model < JAGER_MODEL_COUNT; model++)
    check_turned((jager_model)model);
}

/* ---- Memory ---------------------------------------------------------------------------------------------------- */

/* The pool has room for one node: turning points 2 to 5 fit, the sixth does not. */
TEST(no_memory_leaves_the_contact_alone)
{
  jager_law law = law_of(JAGER_MODEL_ZHANG_VUQUOC);
  jager_pool *pool = jager_pool_create(sizeof(struct jager_pool) + 64 + 64 + 128); /* table, head, one node */
  jager_contact contact = contact_of(&law), before;
  history_node node;
  double u = unit_shift(&law), step = 0.4 * u;
  (void)move1(&law, pool, &contact, ZETA0, 0.0);
  for (int turns = 0; turns < 6; turns++, step *= -0.8)
    (void)move1(&law, pool, &contact, ZETA0, step);
  ck_assert_uint_eq(jager_contact_length(&contact), 7);
  memcpy(&before, &contact, sizeof before);
  memcpy(&node, data_of(&contact)->node, sizeof node);
  const double dxi[2] = {step, 0.0};
  jager_force force = {1.0, {2.0, 3.0}};
  ck_assert_int_eq(jager_contact_move(&contact, &law, pool, 0.99 * ZETA0, dxi, &force), JAGER_ERROR_MEMORY);
  ck_assert_mem_eq(&contact, &before, sizeof before);
  ck_assert_mem_eq(data_of(&contact)->node, &node, sizeof node);
  ck_assert_double_eq(force.fn, 1.0);
  (void)move1(&law, pool, &contact, ZETA0, -5.0 * u); /* onward it needs no memory */
  ck_assert_int_eq(jager_contact_state(&contact), JAGER_STATE_SLIDE);
  jager_pool_destroy(pool);
}

TEST(modified_mindlin_needs_no_pool)
{
  jager_law law = law_of(JAGER_MODEL_MODIFIED_MINDLIN);
  SCOPED_POOL pool = jager_pool_create(1);
  jager_contact contact = contact_of(&law);
  double step = 0.4 * unit_shift(&law);
  (void)move1(&law, pool, &contact, ZETA0, 0.0);
  for (int turns = 0; turns < 20; turns++, step *= -0.8)
    (void)move1(&law, pool, &contact, ZETA0, step);
  ck_assert_uint_eq(jager_contact_length(&contact), 3);
  ck_assert_ptr_null(data_of(&contact)->node);
}

/* Ft is finite, |Ft| <= f Fn, and the history has as many entries as its length says. */
static bool keeps_invariants(const jager_law *law, const jager_contact *contact, jager_force force)
{
  return isfinite(force.fn) && isfinite(force.ft[0]) && isfinite(force.ft[1]) &&
         length2(force.ft) <= law->friction * force.fn * (1.0 + 1e-15) &&
         entries_of(contact) == (jager_contact_length(contact) > 3 ? jager_contact_length(contact) - 3 : 0) &&
         (jager_contact_zeta(contact) > 0.0) == (jager_contact_state(contact) != JAGER_STATE_APART) &&
         data_of_const(contact)->top.fn_base == jager_contact_fn(contact);
}

static void walk_at_random(jager_model model, unsigned seed, double scale)
{
  jager_law law = law_of(model);
  SCOPED_POOL pool = jager_pool_create(0);
  jager_contact contact = contact_of(&law);
  double u = law.kappa * law.friction * scale;
  srand(seed);
  for (int i = 0; i < 20000; i++) {
    double zeta = scale * (rand() % 50 == 0 ? random_between(-0.2, 2.0) : 1.0 + 0.1 * sin(0.01 * i));
    double size = rand() % 100 == 0 ? 2.0 : 0.05;
    jager_force force = move2(&law, pool, &contact, zeta, random_between(-size, size) * u,
                              rand() % 2 ? random_between(-size, size) * u : 0.0);
    if (!keeps_invariants(&law, &contact, force))
      ck_abort_msg("%s, seed %u, step %d", jager_model_name(model), seed, i);
  }
  jager_contact_release(&contact, pool);
  ck_assert_uint_eq(jager_pool_bytes_in_use(pool), 0);
}

TEST(random_walks_keep_the_invariants)
{
  for (int model = JAGER_MODEL_LINEAR; model < JAGER_MODEL_COUNT; model++)
    for (unsigned seed = 1; seed <= 3; seed++)
      walk_at_random((jager_model)model, seed, 1e-2);
}

/* Squares of such forces over- or underflow; the laws need not be exact there, but must stay finite and in bounds. */
TEST(extreme_scales_stay_finite)
{
  for (int model = JAGER_MODEL_LINEAR; model < JAGER_MODEL_COUNT; model++) {
    walk_at_random((jager_model)model, 1, 1e59);
    walk_at_random((jager_model)model, 1, 1e-140);
  }
}

TEST(wrong_model_is_refused)
{
  for (int i = 0; i < 2; i++) {
    jager_law law = law_of(springs[i]), other = law_of(incremental[i]);
    SCOPED_POOL pool = jager_pool_create(0);
    jager_contact contact = contact_of(&law);
    ck_assert_int_eq(jager_contact_move(&contact, &other, pool, ZETA0, zero, NULL), JAGER_ERROR_MODEL);
  }
}

/* Over the whole range, compared with long double: libm's cbrt has larger errors */
TEST(cube_root_is_right_to_the_last_bit)
{
  srand(5);
  ck_assert_double_eq(cube_root(0.0), 0.0);
  for (int i = 0; i < 200000; i++) {
    double x = ldexp(random_between(1.0, 2.0), rand() % 2090 - 1074);
    double root = cube_root(x);
    long double expected = cbrtl((long double)x), error = fabsl((long double)root - expected);
    if (!(error <= 0.9L * (long double)DBL_EPSILON * expected))
      ck_abort_msg("cube root of %.17g: %.17g", x, root);
    if (x > 1e-300)
      assert_near(cube_root_approximate(x), root, 5e-7 * root);
  }
}
