/* SPDX-License-Identifier: MIT */
/*
 * "modified-mindlin" and "zhang-vuquoc". Oracles: the exact law, to which they must converge in first order on
 * collinear paths that always slip; a step computed by hand; one law for the other where both must agree.
 */
#include "baseline_support.h"

/* ---- Incremental laws: convergence ----------------------------------------------------------------------------- */

/* A leg of a path ends at ζ = zeta ZETA0, ξ = xi unit_shift. */
typedef struct leg {
  double zeta, xi;
} leg;

enum { LEGS = 6 };

/* Largest |ΔFt| against the exact law over the largest |Ft|, with so many steps to a leg */
static double error_on(const jager_law *law, const leg *path, int steps)
{
  jager_law exact = *law;
  exact.model = JAGER_MODEL_JAGER;
  SCOPED_POOL pool = jager_pool_create(0);
  jager_contact a = contact_of(&exact), b = contact_of(law);
  leg from = {1.0, 0.0};
  double u = unit_shift(law), error = 0.0, peak = 0.0;
  (void)move1(&exact, pool, &a, ZETA0, 0.0);
  (void)move1(law, pool, &b, ZETA0, 0.0);
  for (int k = 0; k < LEGS; from = path[k++])
    for (int i = 1; i <= steps; i++) {
      double zeta = (from.zeta + (path[k].zeta - from.zeta) * i / steps) * ZETA0;
      double dxi = (path[k].xi - from.xi) / steps * u;
      double ft = move1(&exact, pool, &a, zeta, dxi).ft[0];
      error = fmax(error, fabs(move1(law, pool, &b, zeta, dxi).ft[0] - ft));
      peak = fmax(peak, fabs(ft));
    }
  return error / peak;
}

/* First order: half the step, half the error */
static void assert_converges(const jager_law *law, const leg *path)
{
  double coarse = error_on(law, path, 400), fine = error_on(law, path, 1600);
  double order = log2(coarse / fine) / 2.0;
  ck_assert_msg(fine < 1e-3, "%s: error %.3g", jager_model_name(law->model), fine);
  ck_assert_msg(order > 0.85 && order < 1.2, "%s: order %.3f", jager_model_name(law->model), order);
}

static const leg one_cycle[LEGS] = {{1, 0.785}, {1, 0.3}, {1, -0.785}, {1, -0.2}, {1, 0.785}, {1, 0.9}};
static const leg oblique[LEGS] = {{1.2, 0.5}, {1.1, 0.2}, {0.8, -0.45}, {1.0, 0.2}, {1.3, 0.9}, {1.25, 0.7}};
static const leg nested[LEGS] = {{1, 0.8}, {1, -0.4}, {1, 0.5}, {1, -0.1}, {1, 0.3}, {1, 0.95}};
static const leg nested_oblique[LEGS] = {{1, 0.6}, {0.9, 0.1}, {0.8, 0.4}, {0.75, 0.1}, {1.3, 1.3}, {1.2, 0.7}};

TEST(zhang_vuquoc_converges_to_the_exact_law)
{
  jager_law law = law_of(JAGER_MODEL_ZHANG_VUQUOC);
  assert_converges(&law, one_cycle);
  assert_converges(&law, oblique);
  assert_converges(&law, nested);
  assert_converges(&law, nested_oblique);
}

TEST(cones_and_power_laws_converge_too)
{
  jager_law law = law_of(JAGER_MODEL_ZHANG_VUQUOC);
  ck_assert_int_eq(jager_law_set_contour(&law, JAGER_CONTOUR_CONE, 0.7, 0.0), JAGER_OK);
  assert_converges(&law, nested_oblique);
  ck_assert_int_eq(jager_law_set_contour(&law, JAGER_CONTOUR_POWER, 0.7, 3.0), JAGER_OK);
  assert_converges(&law, nested_oblique);
}

/* One remembered reversal is enough for a cycle between ±Ft. Nested loops need all reversals: there the error stays. */
TEST(modified_mindlin_knows_one_reversal)
{
  jager_law law = law_of(JAGER_MODEL_MODIFIED_MINDLIN);
  assert_converges(&law, one_cycle);
  assert_converges(&law, oblique);
  ck_assert_double_gt(error_on(&law, nested, 1600), 0.02);
}

/* ---- Incremental laws: turning points -------------------------------------------------------------------------- */

TEST(both_laws_agree_until_the_second_reversal)
{
  jager_law one = law_of(JAGER_MODEL_MODIFIED_MINDLIN), all = law_of(JAGER_MODEL_ZHANG_VUQUOC);
  SCOPED_POOL pool = jager_pool_create(0);
  jager_contact a = contact_of(&one), b = contact_of(&all);
  double u = unit_shift(&one);
  for (int i = 0; i < 300; i++) {
    double zeta = ZETA0 * (1.0 + 0.1 * sin(0.05 * i)), x = (i < 100 ? 0.008 : -0.006) * u;
    jager_force fa = move1(&one, pool, &a, zeta, x), fb = move1(&all, pool, &b, zeta, x);
    ck_assert_mem_eq(fa.ft, fb.ft, sizeof fa.ft);
    ck_assert_uint_eq(jager_contact_length(&a), jager_contact_length(&b));
    ck_assert_int_eq(jager_contact_state(&a), jager_contact_state(&b));
  }
}

/* Inner loops open and close in turn. A closed loop continues on the outer one, and finally on first loading. */
TEST(nested_loops_close_in_turn)
{
  jager_law law = law_of(JAGER_MODEL_ZHANG_VUQUOC);
  SCOPED_POOL pool = jager_pool_create(0);
  jager_contact contact = contact_of(&law), plain = contact_of(&law);
  const double way[] = {0.8, -1.2, 0.9, -0.6, 0.4, -0.2, 0.25, 0.2, 0.55, 0.05};
  const uint32_t length[] = {2, 3, 4, 5, 6, 7, 6, 4, 2, 2};
  double u = unit_shift(&law), xi = 0.0;
  (void)move1(&law, pool, &contact, ZETA0, 0.0);
  (void)move1(&law, pool, &plain, ZETA0, 0.0);
  for (int i = 0; i < 10; i++) {
    (void)move_in_steps(&law, pool, &contact, ZETA0, way[i] * u, 1000);
    ck_assert_msg(jager_contact_length(&contact) == length[i], "leg %d: length %u, not %u", i,
                  jager_contact_length(&contact), length[i]);
    ck_assert_uint_eq(entries_of(&contact) + 3, length[i] > 2 ? length[i] : 3);
    xi += way[i];
  }
  double ft = move_in_steps(&law, pool, &plain, ZETA0, xi * u, 1000).ft[0];
  assert_near(jager_contact_force(&contact).ft[0], ft, 2e-3 * ft);
  ck_assert_uint_eq(jager_pool_bytes_in_use(pool), 0);
}

TEST(sliding_forgets_all_turning_points)
{
  for (int i = 0; i < 2; i++) {
    jager_law law = law_of(incremental[i]);
    SCOPED_POOL pool = jager_pool_create(0);
    jager_contact contact = contact_of(&law);
    load_with_two_turns(&law, pool, &contact);
    ck_assert_uint_eq(jager_contact_length(&contact), i == 0 ? 3 : 4);
    ck_assert_int_eq(jager_contact_state(&contact), JAGER_STATE_SLIP);
    (void)move1(&law, pool, &contact, ZETA0, -5.0 * unit_shift(&law));
    ck_assert_int_eq(jager_contact_state(&contact), JAGER_STATE_SLIDE);
    ck_assert_uint_eq(jager_contact_length(&contact), 2);
    ck_assert_double_eq(data_of(&contact)->top.p.x, 0.0);
    ck_assert_uint_eq(jager_pool_bytes_in_use(pool), 0);
  }
}

TEST(less_friction_forgets_them_too)
{
  for (int i = 0; i < 2; i++) {
    jager_law law = law_of(incremental[i]);
    SCOPED_POOL pool = jager_pool_create(0);
    jager_contact contact = contact_of(&law);
    load_with_two_turns(&law, pool, &contact);
    ck_assert_int_eq(jager_law_set_friction(&law, 0.01), JAGER_OK);
    (void)move1(&law, pool, &contact, ZETA0, 0.0);
    ck_assert_int_eq(jager_contact_state(&contact), JAGER_STATE_SLIDE);
    ck_assert_uint_eq(jager_contact_length(&contact), 2);
    ck_assert_double_eq(data_of(&contact)->top.p.x, 0.0);
    ck_assert_uint_eq(jager_pool_bytes_in_use(pool), 0);
  }
}

/* N falls below its value at the start of the first leg's slip: the turning point of that leg is dropped. */
TEST(vanished_legs_are_forgotten)
{
  for (int i = 0; i < 2; i++) {
    jager_law law = law_of(incremental[i]);
    SCOPED_POOL pool = jager_pool_create(0);
    jager_contact contact = contact_of(&law);
    double u = unit_shift(&law);
    (void)move1(&law, pool, &contact, ZETA0, 0.0);
    (void)move_in_steps(&law, pool, &contact, ZETA0, 0.1 * u, 100);
    jager_force force = move_in_steps(&law, pool, &contact, ZETA0, -0.1 * u, 100);
    ck_assert_uint_eq(jager_contact_length(&contact), 3);
    (void)move1(&law, pool, &contact, 0.2 * ZETA0, 0.0);
    ck_assert_uint_eq(jager_contact_length(&contact), 2);
    ck_assert_double_eq(jager_contact_force(&contact).ft[0], force.ft[0]);
  }
}

/* The same for a small loop within a large leg: the loop is dropped, first loading stays. */
TEST(vanished_loops_are_forgotten)
{
  jager_law law = law_of(JAGER_MODEL_ZHANG_VUQUOC);
  SCOPED_POOL pool = jager_pool_create(0);
  jager_contact contact = contact_of(&law);
  double u = unit_shift(&law);
  (void)move1(&law, pool, &contact, ZETA0, 0.0);
  (void)move_in_steps(&law, pool, &contact, ZETA0, 0.4 * u, 100);
  (void)move_in_steps(&law, pool, &contact, ZETA0, -0.1 * u, 100);
  jager_force force = move_in_steps(&law, pool, &contact, ZETA0, 0.02 * u, 20);
  ck_assert_uint_eq(jager_contact_length(&contact), 4);
  (void)move1(&law, pool, &contact, 0.8 * ZETA0, 0.0);
  ck_assert_uint_eq(jager_contact_length(&contact), 2);
  ck_assert_uint_eq(jager_pool_bytes_in_use(pool), 0);
  ck_assert_double_eq(jager_contact_force(&contact).ft[0], force.ft[0]);
}

/* One step of first loading and one of unloading, with the formulas of the books */
TEST(one_step_by_hand)
{
  jager_law law = law_of(JAGER_MODEL_MODIFIED_MINDLIN);
  SCOPED_POOL pool = jager_pool_create(0);
  jager_contact contact = contact_of(&law);
  double f = law.friction, u = unit_shift(&law), sign = 1.0, turn = 0.0;
  (void)move1(&law, pool, &contact, ZETA0, 0.0);
  double T = move_in_steps(&law, pool, &contact, ZETA0, 0.4 * u, 10).ft[0];
  for (int unloads = 0; unloads < 2; unloads++, sign = -1.0) {
    if (unloads) {
      turn = T;
      T = move_in_steps(&law, pool, &contact, jager_contact_zeta(&contact), -0.2 * u, 10).ft[0];
    }
    double kt = normal_slope(&law, jager_contact_coefficient(&contact), jager_contact_zeta(&contact)) /
                (2.0 * law.kappa),
           old = jager_contact_fn(&contact);
    jager_force force = move1(&law, pool, &contact, jager_contact_zeta(&contact) * 1.02, sign * 0.05 * u);
    double dN = force.fn - old;
    double cube =
        unloads ? 1.0 - (fabs(T - turn) + 2.0 * f * dN) / (2.0 * f * force.fn) : 1.0 - (T + f * dN) / (f * force.fn);
    double theta = cbrt(cube), expected = T + sign * (theta * kt * 2.0 * 0.05 * u + f * (1.0 - theta) * dN);
    assert_near(force.ft[0], expected, 1e-8 * f * force.fn); /* θ has seven digits */
    T = force.ft[0];
  }
}

/* A turning point at T moves to T + f ΔN, and the state says elastic. */
TEST(turning_points_follow_the_normal_force)
{
  jager_law law = law_of(JAGER_MODEL_ZHANG_VUQUOC);
  SCOPED_POOL pool = jager_pool_create(0);
  jager_contact contact = contact_of(&law);
  load_with_two_turns(&law, pool, &contact);
  double fn = jager_contact_fn(&contact), second = data_of(&contact)->top.p.x,
         first = data_of(&contact)->node->entry[0].p.x;
  ck_assert_double_lt(second, first);
  (void)move1(&law, pool, &contact, 1.1 * ZETA0, 0.0);
  double way = law.friction * (jager_contact_fn(&contact) - fn);
  assert_near(data_of(&contact)->top.p.x, second - way, 1e-14 * way);
  assert_near(data_of(&contact)->node->entry[0].p.x, first + way, 1e-14 * way);
  ck_assert_int_eq(jager_contact_state(&contact), JAGER_STATE_ELASTIC);
}

/* A corner of 90° is no reversal, a sharper one is. On a circle the force stays within friction. */
TEST(corners_in_the_plane)
{
  for (int i = 0; i < 2; i++) {
    jager_law law = law_of(incremental[i]);
    SCOPED_POOL pool = jager_pool_create(0);
    jager_contact contact = contact_of(&law);
    double u = unit_shift(&law);
    (void)move1(&law, pool, &contact, ZETA0, 0.0);
    (void)move_in_steps(&law, pool, &contact, ZETA0, 0.3 * u, 50);
    double x = jager_contact_force(&contact).ft[0];
    jager_force force = move2(&law, pool, &contact, ZETA0, 0.0, 0.01 * u);
    ck_assert_uint_eq(jager_contact_length(&contact), 2);
    ck_assert_double_eq(force.ft[0], x);
    ck_assert_double_gt(force.ft[1], 0.0);
    (void)move2(&law, pool, &contact, ZETA0, -0.01 * u, 0.001 * u);
    ck_assert_uint_eq(jager_contact_length(&contact), 3);
    ck_assert_double_eq(data_of(&contact)->top.p.x, force.ft[0]);
    ck_assert_double_eq(data_of(&contact)->top.p.y, force.ft[1]);
    for (int k = 0; k < 2000; k++) {
      force = move2(&law, pool, &contact, ZETA0, 0.01 * u * cos(0.01 * k), 0.01 * u * sin(0.01 * k));
      ck_assert_double_le(length2(force.ft), law.friction * force.fn * (1.0 + 1e-15));
    }
  }
}

/* ---- Energy that comes from nowhere ------------------------------------------------------------------------------ */

/*
 * Two equal spheres of mass 1 meet, ν = 0.3; their surfaces approach with vn and shift with vt = ψ₁ κ f vn. The
 * relative movements have the masses 1/2 along the normal and 1/7 across it. The result is ψ₂/ψ₁, of vt after and
 * before; without a source of energy it lies between -1 and 1. `dissipated`: energy taken up by the contact, over the
 * energy of vt before.
 */
static double rebound(jager_model model, double psi, double steps, double *dissipated)
{
  jager_law law = law_of(model);
  assert_ok(jager_law_set_bodies(&law, 1.0, 0.3));
  jager_pool *pool = jager_pool_create(0);
  jager_contact contact = contact_of(&law);
  const double vn = 1e-3, start = psi * law.kappa * law.friction * vn;
  double deepest = pow(vn * vn / (3.2 * jager_contact_coefficient(&contact)), 0.4),
         dt = 2.9432 * 2.0 * deepest / vn / steps; /* Hertz */
  double approach = 0.0, v = vn, vt = start, sum = 0.0;
  for (;;) {
    jager_force force;
    jager_energy energy;
    const double dxi[2] = {0.5 * vt * dt, 0.0};
    approach += v * dt;
    if (move_with_energy(&contact, &law, pool, 0.5 * approach, dxi, &force, &energy) != JAGER_OK)
      ck_abort_msg("the contact does not move");
    sum += energy.dissipated;
    if (!(approach > 0.0))
      break;
    v -= 2.0 * force.fn * dt;
    vt -= 7.0 * force.ft[0] * dt;
  }
  jager_pool_destroy(pool);
  *dissipated = sum / (start * start / 14.0);
  return vt / start;
}

/* What docs/guide.md says of these laws: they create energy at small angles, and small steps do not help. */
TEST(incremental_laws_create_energy_in_oblique_impacts)
{
  for (size_t i = 0; i < sizeof incremental / sizeof *incremental; i++) {
    double coarse_loss, fine_loss;
    double coarse = rebound(incremental[i], 1e-3, 2e3, &coarse_loss),
           fine = rebound(incremental[i], 1e-3, 2e4, &fine_loss);
    printf("%s: psi2/psi1 %.3f, %.3f with ten times as many steps; dissipated %.1f times the shear's energy\n",
           jager_model_name(incremental[i]), coarse, fine, fine_loss);
    assert_near(coarse, -5.14, 0.05);
    assert_near(fine, -5.60, 0.05);
    assert_near(fine_loss, 1.0 - fine * fine, 0.1); /* the laws' own books show it */
  }
  static const jager_model sound[] = {JAGER_MODEL_JAGER, JAGER_MODEL_HERTZ_MINDLIN};
  for (size_t i = 0; i < sizeof sound / sizeof *sound; i++)
    for (double psi = 1e-3; psi < 20.0; psi *= 10.0) {
      double loss, ratio = rebound(sound[i], psi, 2e3, &loss);
      ck_assert_msg(fabs(ratio) <= 1.0, "%s: psi1 %g, psi2/psi1 %g", jager_model_name(sound[i]), psi, ratio);
    }
}
