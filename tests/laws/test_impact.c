/* SPDX-License-Identifier: MIT */
/*
 * Impacts. Oracles: for impacts that slide all the time, the impulse of friction, with random bodies (seed 3); Hertz's
 * impact in closed form; the cosine of two linear springs that stick; an integrator of this file for Hertz's contact
 * without slip; momentum, angular momentum and energy; other laws, steps and bodies.
 */
#include "support.h"
#include "laws/impact.h"

#define PI 3.14159265358979323846

/* Two equal spheres of quartz, slow: the overlap is some 1e-6 of the radius. */
static impact quartz(int law, double poisson)
{
  impact i = {.bodies = {.law = law, .parameters = jager_law_default(), .radius_a = 1e-3, .radius_b = 1e-3},
              .approach = 1e-4,
              .steps = 1000};
  i.bodies.grid.count = SPRINGS_COUNT_DEFAULT;
  assert_ok(jager_law_set_bodies(&i.bodies.parameters, 29e9, poisson));
  i.mass_a = i.mass_b = 4.0 / 3.0 * PI * 1e-9 * 2650.0;
  return i;
}

static void set_wall(impact *i)
{
  i->bodies.radius_b = INFINITY;
  i->mass_b = INFINITY;
}

/* vt of ψ = 1 */
static double unit_of(const impact *i)
{
  return i->bodies.parameters.kappa * i->bodies.parameters.friction * i->approach;
}

static impact_result collide(impact i, double psi)
{
  impact_result result;
  i.shear = psi * unit_of(&i);
  assert_ok(impact_compute(&i, &result));
  ck_assert(result.separates);
  return result;
}

static double psi2_of(const impact *i, double psi)
{
  return collide(*i, psi).shear / unit_of(i);
}

/* ---- Ends of the curve ------------------------------------------------------------------------------------------- */

/* ψ₂ = ψ₁ - 4χ, and the spin of the impulse: J w = R f 2 m vn */
TEST(gross_sliding_has_the_impulses_of_friction)
{
  uint64_t random = 3;
  double worst = 0.0;
  for (int trial = 0; trial < 60; trial++) {
    impact i = quartz(trial % LAW_COUNT, random_in(&random, -0.5, 0.5));
    i.bodies.grid.count = 200;
    i.approach = 1e-5;
    i.bodies.radius_b = 1e-3 * random_in(&random, 0.3, 3.0);
    i.mass_b = i.mass_a * random_in(&random, 0.1, 10.0);
    assert_ok(jager_law_set_friction(&i.bodies.parameters, random_in(&random, 0.05, 0.5)));
    if (trial % 3 == 0)
      set_wall(&i);
    double chi = impact_chi(&i), psi = 4.0 * chi - 1.0 + random_in(&random, 0.05, 5.0);
    impact_result r = collide(i, psi);
    double m = isinf(i.mass_b) ? i.mass_a : i.mass_a * i.mass_b / (i.mass_a + i.mass_b);
    double spin = 2.5 * i.bodies.parameters.friction * 2.0 * m * i.approach / (i.mass_a * i.bodies.radius_a);
    worst = fmax(worst, fabs(r.shear / unit_of(&i) - (psi - 4.0 * chi)));
    assert_within(r.spin[0], spin, 1e-3 * spin);
  }
  printf("sliding impacts: psi2 within %.1e\n", worst);
  ck_assert_double_le(worst, 2e-3); /* overlaps are finite, and "linear" has the error of its steps */
}

/* χ = 7(1 - ν)/(2(2 - ν)): the 1.4412 of Maw, Barber and Fawcett for ν = 0.3 */
TEST(sliding_begins_at_four_chi_less_one)
{
  impact i = quartz(JAGER_MODEL_JAGER, 0.3);
  double chi = impact_chi(&i), edge = 4.0 * chi - 1.0;
  assert_within(chi, 7.0 * 0.7 / (2.0 * 1.7), 1e-14);
  assert_within(psi2_of(&i, edge + 0.02), edge + 0.02 - 4.0 * chi, 2e-4);
  ck_assert_double_gt(psi2_of(&i, edge - 0.2), edge - 0.2 - 4.0 * chi + 1e-3);
}

TEST(head_on_is_hertz)
{
  for (int wall = 0; wall < 2; wall++) {
    impact i = quartz(JAGER_MODEL_JAGER, 0.2);
    impact_hertz hertz;
    if (wall)
      set_wall(&i);
    assert_ok(impact_hertz_of(&i, &hertz));
    impact_result r = collide(i, 0.0);
    /* F = (4/3) E* √R δ^(3/2), E* = E/(2(1 - ν²)), and ½ m v² = (8/15) E* √R δ^(5/2) at the end of the approach */
    double e = 2.0 * 29e9 * 1.2, radius = wall ? 1e-3 : 0.5e-3, m = wall ? i.mass_a : 0.5 * i.mass_a;
    double modulus = e / (2.0 * (1.0 - 0.04)), v = i.approach,
           depth = pow(15.0 * m * v * v / (16.0 * modulus * sqrt(radius)), 0.4);
    assert_within(2.0 * hertz.depth, depth, 1e-12 * depth);
    assert_within(2.0 * r.depth, depth, 1e-5 * depth);
    assert_within(hertz.duration, 2.9432 * depth / i.approach, 1e-4 * hertz.duration);
    ck_assert_int_ge(r.steps, 998);
    ck_assert_int_le(r.steps, 1002);
    assert_within(r.rebound, i.approach, 1e-7 * i.approach);
    ck_assert(r.shear == 0.0 && r.spin[0] == 0.0 && r.spin[1] == 0.0);
  }
}

/* Linear springs without slip: kt/kn = 1/κ and m/m_t = 7/2; half a swing of the normal spring takes π √(m/kn). */
TEST(linear_springs_that_stick_swing)
{
  for (int k = 0; k < 5; k++) {
    impact i = quartz(JAGER_MODEL_LINEAR, 0.1 * k);
    assert_ok(jager_law_set_friction(&i.bodies.parameters, 1e4));
    i.steps = 20000;
    double expected = cos(PI * sqrt(3.5 / i.bodies.parameters.kappa));
    assert_within(psi2_of(&i, 1e-4) / 1e-4, expected, 5e-4);
  }
}

/*
 * Hertz's contact without slip, in the frame of the contact: masses 1 along the normal and 2/7 across it, C = 1. A
 * spring that engages at z keeps E(z) until ζ is back at z. Returns the ratio of vt after to before.
 */
static double rebound_without_slip(double kappa, int steps)
{
  enum { CELLS = 4000 };
  static double shear[CELLS];
  double v = 1e-3, vt = 1e-6, start = vt, zeta = 0.0, e = 0.0;
  double depth = pow(0.5 * v * v / 0.8, 0.4), reach = 1.001 * sqrt(depth), dt = 2.9432 * 2.0 * depth / v / steps;
  for (int i = 0; i < CELLS; i++)
    shear[i] = NAN;
  for (;;) {
    zeta += 0.5 * v * dt;
    e += 0.5 * vt * dt / kappa;
    if (!(zeta > 0.0))
      return vt / start;
    double ft = 0.0;
    for (int i = 0; i < CELLS; i++) {
      double u = reach * (i + 0.5) / CELLS, z = u * u;
      if (z < zeta && isnan(shear[i]))
        shear[i] = e - (zeta - z) / v * vt / kappa; /* where the spring was when it engaged */
      else if (z >= zeta)
        shear[i] = NAN;
      ft += isnan(shear[i]) ? 0.0 : 1.5 * reach / CELLS * (e - shear[i]);
    }
    v -= zeta * sqrt(zeta) * dt;
    vt -= 3.5 * ft * dt;
  }
}

TEST(the_nearly_head_on_impact_adheres)
{
  for (int k = 0; k < 3; k++) {
    impact i = quartz(JAGER_MODEL_JAGER, 0.25 * k);
    double ratio = psi2_of(&i, 1e-5) / 1e-5, expected = rebound_without_slip(i.bodies.parameters.kappa, 2000);
    printf("poisson %.2f: psi2/psi1 %.5f at 1e-5, without slip %.5f\n", 0.25 * k, ratio, expected);
    assert_within(ratio, expected, 2e-4);
  }
}

/* ---- What is conserved ------------------------------------------------------------------------------------------- */

static void add_moments(const impact_motion *at, double mass, double radius, double p[3], double l[3])
{
  double inertia = 0.4 * mass * radius * radius;
  for (int k = 0; k < 3; k++) {
    int a = (k + 1) % 3, b = (k + 2) % 3;
    p[k] += mass * at->v[k];
    l[k] += mass * (at->x[a] * at->v[b] - at->x[b] * at->v[a]) + inertia * at->w[k];
  }
}

TEST(momentum_and_angular_momentum_are_constant)
{
  for (int law = 0; law < LAW_COUNT; law++) {
    impact i = quartz(law, 0.3);
    i.bodies.radius_b = 0.7e-3;
    i.mass_b = 0.5 * i.mass_a;
    i.bodies.grid.count = 100;
    i.approach = 1.0; /* the overlap is not small */
    for (int k = 0; k < 4; k++) {
      impact_result r = collide(i, 0.3 + 2.0 * k);
      double p[2][3] = {{0.0}}, l[2][3] = {{0.0}};
      for (int n = 0; n < 2; n++) {
        double mass = n ? i.mass_b : i.mass_a, radius = n ? i.bodies.radius_b : i.bodies.radius_a;
        add_moments(&r.before[n], mass, radius, p[0], l[0]);
        add_moments(&r.after[n], mass, radius, p[1], l[1]);
      }
      for (int c = 0; c < 3; c++) {
        assert_within(p[1][c], p[0][c], 1e-12 * i.mass_a * i.approach);
        assert_within(l[1][c], l[0][c], 1e-11 * i.mass_a * i.approach * 1e-3);
      }
    }
  }
}

/* Over the energy of the tangential movement before */
static double created(const impact_result *r, const impact *i, double psi)
{
  double vt = psi * unit_of(i), m = 0.5 * i->mass_a;
  return (r->energy[1] - r->energy[0]) / (0.5 * m / 3.5 * vt * vt);
}

TEST(sound_laws_create_no_energy)
{
  static const int sound[] = {JAGER_MODEL_JAGER, LAW_SPRINGS, JAGER_MODEL_HERTZ_MINDLIN};
  for (int law = 0; law < 3; law++)
    for (int k = 0; k < 12; k++) {
      double psi = 0.01 * pow(2.0, 0.9 * k);
      impact i = quartz(sound[law], 0.3);
      i.bodies.grid.count = 200;
      impact_result r = collide(i, psi);
      ck_assert_double_le(fabs(r.shear), psi * unit_of(&i));
      ck_assert_double_ge(r.dissipated, 0.0);
      assert_within(r.energy[0] - r.energy[1], r.dissipated, 5e-6 * r.energy[0]); /* of the steps and the springs */
      ck_assert_double_le(created(&r, &i, psi), psi < 0.05 ? 1e-3 : 0.0);
    }
}

/* The integrator of tests/contact/test_incremental.c gives -5.14 in 2,000 steps. */
TEST(incremental_laws_create_energy)
{
  static const int incremental[] = {JAGER_MODEL_MODIFIED_MINDLIN, JAGER_MODEL_ZHANG_VUQUOC};
  for (int law = 0; law < 2; law++) {
    impact i = quartz(incremental[law], 0.3);
    i.steps = 2000;
    impact_result r = collide(i, 1e-3);
    assert_within(r.shear / unit_of(&i) / 1e-3, -5.14, 0.05);
    assert_within(created(&r, &i, 1e-3), 5.14 * 5.14 - 1.0, 0.5);
    ck_assert_double_lt(r.dissipated, 0.0);
  }
}

/* ---- Accuracy ---------------------------------------------------------------------------------------------------- */

TEST(the_error_is_of_second_order_in_the_steps)
{
  for (double psi = 0.3; psi < 6.0; psi += 0.7) {
    impact i = quartz(JAGER_MODEL_JAGER, 0.3);
    i.steps = 16000;
    double exact = psi2_of(&i, psi), coarse, fine;
    i.steps = 250;
    coarse = fabs(psi2_of(&i, psi) - exact);
    i.steps = 2000;
    fine = fabs(psi2_of(&i, psi) - exact);
    ck_assert_msg(fine < 1e-5 && fine < 0.05 * coarse + 2e-7, "psi1 %.1f: %.2e, %.2e", psi, coarse, fine);
  }
}

/* All movements are collinear: the more springs there are, the closer they come to Jäger's contact. */
TEST(springs_rebound_as_jagers_contact)
{
  for (double psi = 0.3; psi < 6.0; psi += 0.9) {
    impact exact = quartz(JAGER_MODEL_JAGER, 0.3), i = quartz(LAW_SPRINGS, 0.3);
    double expected = psi2_of(&exact, psi), error[2];
    for (int k = 0; k < 2; k++) {
      i.bodies.grid.count = k ? 800 : 100;
      error[k] = fabs(psi2_of(&i, psi) - expected);
    }
    ck_assert_msg(error[1] < 5e-6 && error[1] < 0.2 * error[0] + 1e-7, "psi1 %.1f: %.2e, %.2e", psi, error[0],
                  error[1]);
  }
}

/* A wall has the m/m_t and κ of two spheres: in units of ψ the impact is the same. */
TEST(a_wall_is_like_another_sphere)
{
  for (double psi = 0.5; psi < 7.0; psi += 1.0) {
    impact spheres = quartz(JAGER_MODEL_JAGER, 0.3), wall = spheres;
    set_wall(&wall);
    assert_within(psi2_of(&wall, psi), psi2_of(&spheres, psi), 5e-4);
  }
}

/* Energy taken by dashpots is accounted for; more damping gives less rebound. */
TEST(dashpots_take_energy)
{
  double before = 1.0;
  for (double share = 0.05; share < 0.6; share += 0.1) {
    impact i = quartz(JAGER_MODEL_JAGER, 0.3);
    i.damping = share;
    i.steps = 20000;
    impact_result r = collide(i, 1.0);
    ck_assert_double_lt(r.rebound, before * i.approach);
    ck_assert_double_gt(r.viscous, 0.0);
    assert_within(r.energy[0] - r.energy[1], r.dissipated + r.viscous, 2e-4 * r.energy[0]);
    before = r.rebound / i.approach;
  }
}

TEST(what_cannot_collide_is_refused)
{
  impact i = quartz(JAGER_MODEL_JAGER, 0.3);
  impact_result r;
  assert_ok(jager_law_set_contour(&i.bodies.parameters, JAGER_CONTOUR_CONE, 1.0, 0.0));
  ck_assert_int_eq(impact_compute(&i, &r), JAGER_ERROR_CONTOUR);
  i = quartz(JAGER_MODEL_JAGER, 0.3);
  i.damping = 2.0;
  ck_assert_int_eq(impact_compute(&i, &r), JAGER_ERROR_DAMPING);
  i = quartz(LAW_SPRINGS, 0.3);
  i.bodies.grid.count = 0;
  ck_assert_int_eq(impact_compute(&i, &r), JAGER_ERROR_CAPACITY);
}
