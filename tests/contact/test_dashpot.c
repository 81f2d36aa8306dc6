/* SPDX-License-Identifier: MIT */
/*
 * Dashpots beside a contact. Oracles: the damped oscillator in closed form; critical damping 2 β √(m k) in extended
 * precision, with the stiffnesses that test_stiffness.c checks. Invariants: the dissipated energy is force times
 * movement; spring and dashpot together never pull.
 */
#include "support.h"
#include "jager/compare.h"
#include "jager/pair.h"

/* A mass that meets a linear spring with dashpot: x = v/ω' exp(-βωt) sin ω't, ω' = ω √(1 - β²). The error is of first
   order in the step. */
static double worst_error_of_oscillator(double share, int steps)
{
  const double mass = 0.7, speed = 0.3, stiffness = 11.0, omega = sqrt(stiffness / mass);
  const double damped = omega * sqrt(1.0 - share * share),
               dt = 0.5 / damped / steps; /* before the force changes sign */
  jager_law law = example_law();
  assert_ok(jager_law_set_model(&law, JAGER_MODEL_LINEAR));
  assert_ok(jager_law_set_linear(&law, stiffness, 0.0));
  SCOPED_BENCH b = bench_create(law);
  jager_dashpot dashpot;
  assert_ok(jager_dashpot_init(&dashpot, &law, share));
  double x = 0.0, v = speed, worst = 0.0, dissipated = 0.0;
  const double none[2] = {0.0, 0.0};
  for (int i = 1; i <= steps; i++) {
    double before = x;
    x += v * dt;
    jager_force force = bench_move(&b, 0.5 * x, 0.0, 0.0);
    jager_dashpot_force damping = jager_dashpot_damp(dashpot, mass, 1.0 / dt, force.fn, 0.5 * before, 0.5 * x, none, 0);
    dissipated += damping.dissipated;
    v -= (force.fn + damping.fn) / mass * dt;
    double t = i * dt, exact = speed / damped * exp(-share * omega * t) * sin(damped * t);
    worst = fmax(worst, fabs(x - exact) / (speed / damped));
  }
  double energy = 0.5 * mass * v * v + 0.5 * stiffness * x * x;
  assert_within(dissipated, 0.5 * mass * speed * speed - energy, 2.0 / steps * mass * speed * speed);
  return worst;
}

TEST(a_mass_on_a_linear_contact_is_a_damped_oscillator)
{
  static const double shares[] = {0.0, 0.05, 0.3, 0.9};
  for (int i = 0; i < 4; i++) {
    double coarse = worst_error_of_oscillator(shares[i], 1000), fine = worst_error_of_oscillator(shares[i], 10000);
    ck_assert_double_le(coarse, 1e-3);
    ck_assert_double_le(fine, 1e-4);
  }
}

TEST(each_dashpot_has_its_share_of_critical_damping)
{
  uint64_t random = 3;
  for (int i = 0; i < 600; i++) {
    jager_law law = jager_law_default();
    assert_ok(jager_law_set_bodies(&law, pow(10.0, random_in(&random, 0.0, 11.0)), random_in(&random, 0.0, 0.5)));
    assert_ok(jager_law_set_model(&law, (jager_model)(i % JAGER_MODEL_COUNT)));
    assert_ok(jager_law_set_contour(&law, (jager_contour)(i / 5 % 3), 0.4, 3.0));
    SCOPED_BENCH b = bench_create(law);
    double share = random_in(&random, 0.0, 1.0), mass = random_in(&random, 0.1, 2.0),
           dt = random_in(&random, 1e-6, 1e-3);
    double zeta = random_in(&random, 1e-3, 1e-2), zeta0 = zeta + random_in(&random, -1e-6, 1e-6);
    double dxi[2] = {random_in(&random, -1e-6, 1e-6), random_in(&random, -1e-6, 1e-6)};
    double fn = bench_move(&b, zeta, 0.0, 0.0).fn;
    jager_stiffness k;
    jager_dashpot dashpot;
    assert_ok(jager_contact_stiffness(&b.contact, &law, &k));
    assert_ok(jager_dashpot_init(&dashpot, &law, share));
    long double cn = 2.0L * share * sqrtl((long double)mass * k.normal),
                ct = 2.0L * share * sqrtl((long double)mass * k.tangential);
    for (int slides = 0; slides < 2; slides++) {
      jager_dashpot_force f = jager_dashpot_damp(dashpot, mass, 1.0 / dt, fn, zeta0, zeta, dxi, slides);
      double normal = (double)(cn * 2.0L * ((long double)zeta - zeta0) / dt), least = -fn;
      assert_within(f.fn, fmax(normal, least), 1e-12 * fabs(normal));
      for (int j = 0; j < 2; j++) {
        double across = slides ? 0.0 : (double)(ct * 2.0L * dxi[j] / dt);
        assert_within(f.ft[j], across, 1e-12 * fabs(across));
      }
      double work = 2.0 * (f.fn * (zeta - zeta0) + f.ft[0] * dxi[0] + f.ft[1] * dxi[1]);
      assert_within(f.dissipated, work, 1e-12 * fabs(work));
      ck_assert_double_ge(f.dissipated, 0.0);
      ck_assert_double_ge(fn + f.fn, 0.0);
    }
  }
}

TEST(spheres_that_just_touch_have_no_dashpot)
{
  jager_law law = example_law();
  jager_dashpot dashpot;
  const double dxi[2] = {1e-3, 1e-3};
  assert_ok(jager_dashpot_init(&dashpot, &law, 0.5));
  jager_dashpot_force f = jager_dashpot_damp(dashpot, 1.0, 1e6, 0.0, 1e-3, 0.0, dxi, 0);
  ck_assert(f.fn == 0.0 && f.ft[0] == 0.0 && f.ft[1] == 0.0 && f.dissipated == 0.0);
  assert_within(jager_pair_mass(2.0, 6.0), 1.5, 0.0);
  assert_within(jager_pair_mass(2.0, 1e60), 2.0, 1e-15); /* a sphere that nothing moves */
}

TEST(impossible_shares_are_refused)
{
  static const double shares[] = {-1e-9, 1.0 + 1e-9, NAN, INFINITY};
  jager_law law = example_law(), none = jager_law_default();
  jager_dashpot dashpot = {7.0, 7.0, 7.0};
  for (int i = 0; i < 4; i++)
    ck_assert_int_eq(jager_dashpot_init(&dashpot, &law, shares[i]), JAGER_ERROR_DAMPING);
  ck_assert_int_eq(jager_dashpot_init(&dashpot, &none, 0.1), JAGER_ERROR_NO_MATERIAL);
  ck_assert_int_eq(jager_dashpot_init(&dashpot, NULL, 0.1), JAGER_ERROR_NULL);
  ck_assert_int_eq(jager_dashpot_init(NULL, &law, 0.1), JAGER_ERROR_NULL);
  ck_assert(dashpot.factor == 7.0 && dashpot.half_exponent == 7.0 && dashpot.across == 7.0);
}
