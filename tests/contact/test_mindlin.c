/* SPDX-License-Identifier: MIT */
/*
 * The closed forms of Mindlin and Deresiewicz and the Jäger contact, compared with each other: the derivations share
 * only Fn(ζ). The paper's Figure Compare (four big steps) and Figure TractionCompare are among them.
 */
#include "contact/contour.h"
#include "baseline_support.h"
#include "jager/compare.h"

#include <stdlib.h>

#define TIGHT 1e-13

/* ---- Helpers --------------------------------------------------------------------------------------------------- */

typedef struct spheres {
  jager_law law;
  double radius, fn;
} spheres;

enum { SPHERES = 3 };

/* The paper's example, glass beads, and two materials */
static spheres spheres_of(int i)
{
  spheres s = {example_law(), 1.0, 0.004};
  if (i == 1) {
    s.radius = 1e-3;
    s.fn = 2.5;
    ck_assert_int_eq(jager_law_set_bodies(&s.law, 29e9, 0.15), JAGER_OK);
    ck_assert_int_eq(jager_law_set_friction(&s.law, 0.3), JAGER_OK);
  } else if (i == 2) {
    s.radius = 0.02;
    s.fn = 300.0;
    ck_assert_int_eq(jager_law_set_dissimilar_bodies(&s.law, (jager_body){80e9, 0.3}, (jager_body){1e9, 0.45}),
                     JAGER_OK);
  }
  return s;
}

static double zeta_of(const spheres *s, double fn)
{
  return jager_zeta_at_force(&s->law, s->law.modulus * sqrt(s->radius), fn);
}

static jager_contact contact_between(const spheres *s)
{
  jager_contact contact = {0};
  ck_assert_int_eq(jager_contact_init(&contact, &s->law, s->radius, s->radius), JAGER_OK);
  return contact;
}

static jager_force move_to(const spheres *s, jager_pool *pool, jager_contact *contact, double fn, double dxi)
{
  jager_force force;
  const double shift[2] = {dxi, 0.0};
  jager_status status = jager_contact_move(contact, &s->law, pool, zeta_of(s, fn), shift, &force);
  if (status != JAGER_OK)
    ck_abort_msg("%s", jager_status_text(status));
  return force;
}

/* Moves to ξ at constant Fn, in steps of random size */
static double force_after(const spheres *s, jager_pool *pool, jager_contact *contact, double *xi, double to, int steps)
{
  double ft = 0.0;
  for (int i = 1; i <= steps; i++) {
    double next = i == steps ? to : *xi + (to - *xi) * random_between(0.0, 1.0);
    ft = move_to(s, pool, contact, s->fn, next - *xi).ft[0];
    *xi = next;
  }
  return ft;
}

/* ---- Constant normal force ------------------------------------------------------------------------------------- */

TEST(first_loading_agrees_with_the_contact)
{
  srand(1);
  for (int i = 0; i < SPHERES; i++) {
    spheres s = spheres_of(i);
    double limit = s.law.friction * s.fn;
    for (double part = -1.0; part <= 1.0; part += 0.125) {
      SCOPED_POOL pool = jager_pool_create(0);
      jager_contact contact = contact_between(&s);
      double target = 0.0, xi = 0.0;
      ck_assert_int_eq(jager_mindlin_loading(&s.law, s.radius, s.fn, part * limit, &target), JAGER_OK);
      (void)move_to(&s, pool, &contact, s.fn, 0.0);
      double ft = force_after(&s, pool, &contact, &xi, target, 1 + rand() % 20);
      assert_near(ft, part * limit, TIGHT * limit);
    }
  }
}

TEST(unloading_agrees_with_the_contact)
{
  srand(2);
  for (int i = 0; i < SPHERES; i++) {
    spheres s = spheres_of(i);
    double limit = s.law.friction * s.fn, peak = 0.9 * limit, top, target;
    for (double part = -1.0; part <= 1.0; part += 0.125) {
      SCOPED_POOL pool = jager_pool_create(0);
      jager_contact contact = contact_between(&s);
      double xi = 0.0;
      ck_assert_int_eq(jager_mindlin_loading(&s.law, s.radius, s.fn, peak, &top), JAGER_OK);
      ck_assert_int_eq(jager_mindlin_unloading(&s.law, s.radius, s.fn, peak, part * peak, &target), JAGER_OK);
      (void)move_to(&s, pool, &contact, s.fn, 0.0);
      (void)force_after(&s, pool, &contact, &xi, top, 3);
      double ft = force_after(&s, pool, &contact, &xi, target, 1 + rand() % 20);
      assert_near(ft, part * peak, TIGHT * limit);
    }
    assert_near(target, top, TIGHT * top); /* unloaded by nothing */
    ck_assert_int_eq(jager_mindlin_unloading(&s.law, s.radius, s.fn, peak, -peak, &target), JAGER_OK);
    assert_near(target, -top, TIGHT * top); /* the loop is symmetric */
  }
}

/* Compared with ξ = κfζ [1 - (1 - x)^(2/3)] in long double; log1p and expm1 keep the digits of the smallest x. */
TEST(loading_keeps_all_digits)
{
  spheres s = spheres_of(1);
  double limit = s.law.friction * s.fn, scale = s.law.kappa * s.law.friction * zeta_of(&s, s.fn), xi;
  for (double x = 1e-20; x < 1.0; x *= 1.7) {
    long double exact = -expm1l(2.0L / 3.0L * log1pl(-(long double)(x * limit) / (long double)limit));
    ck_assert_int_eq(jager_mindlin_loading(&s.law, s.radius, s.fn, x * limit, &xi), JAGER_OK);
    assert_near(xi / scale, (double)exact, 2e-15 * (double)exact);
    ck_assert_int_eq(jager_mindlin_loading(&s.law, s.radius, s.fn, -x * limit, &xi), JAGER_OK);
    assert_near(xi / scale, -(double)exact, 2e-15 * (double)exact);
  }
}

/* Simulations take steps of a billionth of the way to sliding: neither one step nor a thousand may be lost. */
TEST(small_shifts_are_not_lost)
{
  for (int i = 0; i < SPHERES; i++)
    for (double part = 1e-3; part > 1e-13; part *= 0.1)
      for (int steps = 1; steps <= 1000; steps *= 1000) {
        spheres s = spheres_of(i);
        SCOPED_POOL pool = jager_pool_create(0);
        jager_contact contact = contact_between(&s);
        double scale = s.law.kappa * s.law.friction * zeta_of(&s, s.fn), exact;
        (void)move_to(&s, pool, &contact, s.fn, 0.0);
        for (int k = 0; k < steps; k++)
          (void)move_to(&s, pool, &contact, s.fn, part * scale / steps);
        double ft = jager_contact_force(&contact).ft[0];
        ck_assert_int_eq(jager_mindlin_loading(&s.law, s.radius, jager_contact_fn(&contact), ft, &exact), JAGER_OK);
        assert_near(exact, part * scale, 1e-15 * (1 + steps) * scale);
      }
}

/* ---- Energy ---------------------------------------------------------------------------------------------------- */

static double dissipated_on_way(const spheres *s, jager_pool *pool, jager_contact *contact, double way, int steps)
{
  double sum = 0.0;
  for (int i = 0; i < steps; i++) {
    const double dxi[2] = {way / steps, 0.0};
    jager_energy energy;
    ck_assert_int_eq(move_with_energy(contact, &s->law, pool, jager_contact_zeta(contact), dxi, NULL, &energy),
                     JAGER_OK);
    sum += energy.dissipated;
  }
  return sum;
}

TEST(cycle_loss_is_what_the_contact_dissipates)
{
  double worst = 0.0;
  for (int i = 0; i < SPHERES; i++)
    for (double part = 0.1; part < 1.0; part += 0.2) {
      spheres s = spheres_of(i);
      SCOPED_POOL pool = jager_pool_create(0);
      jager_contact contact = contact_between(&s);
      double peak = part * s.law.friction * s.fn, xi, loss;
      ck_assert_int_eq(jager_mindlin_loading(&s.law, s.radius, s.fn, peak, &xi), JAGER_OK);
      ck_assert_int_eq(jager_mindlin_cycle_loss(&s.law, s.radius, s.fn, peak, &loss), JAGER_OK);
      (void)move_to(&s, pool, &contact, s.fn, 0.0);
      double first = dissipated_on_way(&s, pool, &contact, xi, 3);
      double back = dissipated_on_way(&s, pool, &contact, -2.0 * xi, 5);
      double forth = dissipated_on_way(&s, pool, &contact, 2.0 * xi, 2);
      assert_near(back + forth, loss, TIGHT * loss);
      worst = fmax(worst, fabs(back + forth - loss) / loss);
      assert_near(back, forth, TIGHT * loss);
      assert_near(first, 0.25 * loss, TIGHT * loss);
    }
  printf("cycle loss: largest relative error %.1e\n", worst);
}

/* The printed formula, with G and ν; where its terms cancel, its leading term */
TEST(cycle_loss_is_the_printed_formula)
{
  const long double G = 29e9L, nu = 0.15L;
  spheres s = spheres_of(1);
  double limit = s.law.friction * s.fn, loss;
  long double a = sqrtl((long double)zeta_of(&s, s.fn) * (long double)s.radius);
  long double scale = 9.0L * (2.0L - nu) * (long double)limit * (long double)limit / (5.0L * G * a);
  for (double part = 0.05; part <= 1.0; part += 0.05) {
    long double x = (long double)part, q2 = powl(1.0L - x, 2.0L / 3.0L);
    long double exact = scale * (1.0L - powl(1.0L - x, 5.0L / 3.0L) - 5.0L * x / 6.0L * (1.0L + q2));
    ck_assert_int_eq(jager_mindlin_cycle_loss(&s.law, s.radius, s.fn, part * limit, &loss), JAGER_OK);
    assert_near(loss, (double)exact, TIGHT * (double)exact);
  }
  ck_assert_int_eq(jager_mindlin_cycle_loss(&s.law, s.radius, s.fn, 1e-7 * limit, &loss), JAGER_OK);
  double leading = (double)scale * 5.0 / 162.0 * 1e-21;
  assert_near(loss, leading, 1e-6 * leading);
}

/* ---- § 17 ------------------------------------------------------------------------------------------------------ */

/* Figure Compare: dFt/dFn = 4 up to Ft = 0.9 f Fn, and back to Ft = -0.9 f Fn, there Fn = `last` */
static jager_oblique figure_compare(const spheres *s, double *last)
{
  double slope = 0.9 * s->law.friction, ratio = 4.0;
  *last = ratio * s->fn / (ratio + slope);
  return (jager_oblique){.fn_start = s->fn, .fn_peak = ratio * s->fn / (ratio - slope), .ratio = ratio};
}

/* Moves on to the closed form's (ζ, ξ) at fn, and compares Ft; returns the error over f Fn at the peak. */
static double error_at(const spheres *s, jager_pool *pool, jager_contact *contact, const jager_oblique *path, double fn,
                       int unloading, double *xi)
{
  double ft, next;
  ck_assert_int_eq(jager_mindlin_oblique(&s->law, s->radius, path, fn, unloading, &ft, &next), JAGER_OK);
  assert_near(ft, path->ratio * (fn - path->fn_start), 1e-15 * fn);
  jager_force force = move_to(s, pool, contact, fn, next - *xi);
  *xi = next;
  return fabs(force.ft[0] - ft) / (s->law.friction * path->fn_peak);
}

TEST(four_big_steps_are_exact)
{
  double worst = 0.0;
  for (int i = 0; i < SPHERES; i++) {
    spheres s = spheres_of(i);
    double last, xi = 0.0;
    jager_oblique path = figure_compare(&s, &last);
    SCOPED_POOL pool = jager_pool_create(0);
    jager_contact contact = contact_between(&s);
    (void)move_to(&s, pool, &contact, s.fn, 0.0);
    const double stops[4] = {0.5 * (s.fn + path.fn_peak), path.fn_peak, 0.5 * (path.fn_peak + last), last};
    for (int k = 0; k < 4; k++) {
      double error = error_at(&s, pool, &contact, &path, stops[k], k >= 2, &xi);
      ck_assert_msg(error <= TIGHT, "step %d: error %.3g", k + 1, error);
      worst = fmax(worst, error);
    }
    jager_force end = jager_contact_force(&contact);
    assert_near(end.ft[0], -0.9 * s.law.friction * end.fn, TIGHT * end.fn);
  }
  printf("four big steps: largest error %.1e of the peak\n", worst);
}

TEST(any_steps_are_exact)
{
  srand(3);
  for (int i = 0; i < SPHERES; i++) {
    spheres s = spheres_of(i);
    double last, xi = 0.0, fn = s.fn;
    jager_oblique path = figure_compare(&s, &last);
    SCOPED_POOL pool = jager_pool_create(0);
    jager_contact contact = contact_between(&s);
    (void)move_to(&s, pool, &contact, s.fn, 0.0);
    for (int k = 0; k < 400; k++) {
      double goal = k < 200 ? path.fn_peak : last;
      fn = k == 199 || k == 399 ? goal : fn + (goal - fn) * random_between(0.0, 0.05);
      double error = error_at(&s, pool, &contact, &path, fn, k >= 200, &xi);
      ck_assert_msg(error <= TIGHT, "step %d: error %.3g", k, error);
    }
  }
}

/* The reverse: a contact loaded with the forces moves as the closed form says. */
TEST(loads_move_as_the_closed_form_says)
{
  spheres s = spheres_of(0);
  double last, ft, xi = 0.0, exact = 0.0;
  jager_oblique path = figure_compare(&s, &last);
  SCOPED_POOL pool = jager_pool_create(0);
  jager_contact contact = contact_between(&s);
  const double stops[5] = {s.fn, path.fn_peak, s.fn, 0.95 * s.fn, last};
  for (int k = 0; k < 5; k++) {
    ck_assert_int_eq(jager_mindlin_oblique(&s.law, s.radius, &path, stops[k], k >= 2, &ft, &exact), JAGER_OK);
    jager_movement movement;
    const jager_force force = {stops[k], {ft, 0.0}};
    ck_assert_int_eq(jager_contact_load(&contact, &s.law, pool, &force, &movement), JAGER_OK);
    xi += movement.dxi[0];
    assert_near(xi, exact, TIGHT * s.law.kappa * jager_contact_zeta(&contact));
  }
  ck_assert_double_lt(exact, 0.0);
}

/* ---- Tractions ------------------------------------------------------------------------------------------------- */

static double shear_at(const spheres *s, const jager_oblique *path, double fn, int unloading, double r)
{
  double shear = NAN;
  jager_status status = jager_mindlin_oblique_traction(&s->law, s->radius, path, fn, unloading, r, &shear);
  if (status != JAGER_OK)
    ck_abort_msg("%s", jager_status_text(status));
  return shear;
}

/*
 * ∫ τ dA over low < r² < high. The substitution r² = high - (high - low) t² removes the root at r² = high. The rest is
 * smooth, so that Simpson's rule converges fast.
 */
static double ring_force(const spheres *s, const jager_oblique *path, double fn, int unloading, double low, double high)
{
  enum { N = 2000 };
  const double pi = acos(-1.0);
  double sum = 0.0;
  for (int i = 0; i <= N; i++) {
    double t = (double)i / N, r = sqrt(fmax(0.0, high - (high - low) * t * t));
    double weight = i == 0 || i == N ? 1.0 : i % 2 ? 4.0 : 2.0;
    sum += weight * shear_at(s, path, fn, unloading, r) * 2.0 * t;
  }
  return sum / (3.0 * N) * pi * (high - low);
}

/* Rings between the radii at which N was M: three at most */
static double total_shear(const spheres *s, const jager_oblique *path, double fn, int unloading)
{
  double f = s->law.friction, ft = path->ratio * (fn - path->fn_start);
  double ft_peak = path->ratio * (path->fn_peak - path->fn_start), inner = path->fn_peak - ft_peak / f;
  double edge[3] = {fn - fabs(ft) / f, fn, fn};
  if (unloading && 0.5 * (ft / f + fn + inner) > inner) {
    edge[0] = inner;
    edge[1] = 0.5 * (ft / f + fn + inner);
  }
  double sum = 0.0, low = 0.0;
  for (int i = 0; i < 3; i++) {
    double high = s->radius * zeta_of(s, edge[i]);
    if (high > low)
      sum += ring_force(s, path, fn, unloading, low, high);
    low = high;
  }
  return sum;
}

TEST(tractions_add_up_to_the_force)
{
  for (int i = 0; i < SPHERES; i++) {
    spheres s = spheres_of(i);
    double last, limit = s.law.friction * s.fn;
    jager_oblique path = figure_compare(&s, &last);
    for (int k = 0; k <= 10; k++) {
      double up = path.fn_start + (path.fn_peak - path.fn_start) * k / 10;
      double down = path.fn_peak + (last - path.fn_peak) * k / 10;
      assert_near(total_shear(&s, &path, up, 0), path.ratio * (up - s.fn), 1e-9 * limit);
      assert_near(total_shear(&s, &path, down, 1), path.ratio * (down - s.fn), 1e-9 * limit);
    }
  }
}

/* Figure TractionCompare: the contact's own tractions after big steps are the closed form's. */
TEST(tractions_are_those_of_the_contact)
{
  spheres s = spheres_of(1);
  double last, xi = 0.0;
  jager_oblique path = figure_compare(&s, &last);
  SCOPED_POOL pool = jager_pool_create(0);
  jager_contact contact = contact_between(&s);
  (void)move_to(&s, pool, &contact, s.fn, 0.0);
  const double stops[4] = {path.fn_peak, s.fn, 0.95 * s.fn, last};
  for (int k = 0; k < 4; k++) {
    (void)error_at(&s, pool, &contact, &path, stops[k], k >= 1, &xi);
    double a = sqrt(s.radius * zeta_of(&s, stops[k])), middle, pressure, shear[2];
    ck_assert_int_eq(jager_contact_traction(&contact, &s.law, 0.0, &middle, shear), JAGER_OK);
    for (int i = 0; i < 100; i++) {
      double r = a * i / 97.5, exact = shear_at(&s, &path, stops[k], k >= 1, r);
      ck_assert_int_eq(jager_contact_traction(&contact, &s.law, r, &pressure, shear), JAGER_OK);
      assert_near(shear[0], exact, 1e-12 * middle);
      ck_assert_double_le(fabs(exact), s.law.friction * pressure * (1.0 + 1e-12));
      ck_assert(r < a || exact == 0.0);
    }
  }
}

/* ---- Ranges ---------------------------------------------------------------------------------------------------- */

TEST(nothing_is_moved_by_nothing)
{
  spheres s = spheres_of(0);
  double value = 1.0;
  ck_assert_int_eq(jager_mindlin_loading(&s.law, 1.0, s.fn, 0.0, &value), JAGER_OK);
  ck_assert_double_eq(value, 0.0);
  ck_assert_int_eq(jager_law_set_friction(&s.law, 0.0), JAGER_OK);
  value = 1.0;
  ck_assert_int_eq(jager_mindlin_loading(&s.law, 1.0, s.fn, 0.0, &value), JAGER_OK);
  ck_assert_double_eq(value, 0.0);
  value = 1.0;
  ck_assert_int_eq(jager_mindlin_unloading(&s.law, 1.0, 0.0, 0.0, 0.0, &value), JAGER_OK);
  ck_assert_double_eq(value, 0.0);
  value = 1.0;
  ck_assert_int_eq(jager_mindlin_cycle_loss(&s.law, 1.0, s.fn, 0.0, &value), JAGER_OK);
  ck_assert_double_eq(value, 0.0);
}

TEST(bad_arguments_are_refused)
{
  spheres s = spheres_of(0);
  const jager_law *law = &s.law;
  jager_law cone = s.law;
  ck_assert_int_eq(jager_law_set_contour(&cone, JAGER_CONTOUR_CONE, 1.0, 0.0), JAGER_OK);
  double limit = law->friction * s.fn, out = 7.0;
  ck_assert_int_eq(jager_mindlin_loading(NULL, 1.0, s.fn, 0.0, &out), JAGER_ERROR_NULL);
  ck_assert_int_eq(jager_mindlin_loading(law, 1.0, s.fn, 0.0, NULL), JAGER_ERROR_NULL);
  ck_assert_int_eq(jager_mindlin_loading(&cone, 1.0, s.fn, 0.0, &out), JAGER_ERROR_CONTOUR);
  ck_assert_int_eq(jager_mindlin_loading(law, 0.0, s.fn, 0.0, &out), JAGER_ERROR_RADIUS);
  ck_assert_int_eq(jager_mindlin_loading(law, NAN, s.fn, 0.0, &out), JAGER_ERROR_RADIUS);
  ck_assert_int_eq(jager_mindlin_loading(law, INFINITY, s.fn, 0.0, &out), JAGER_ERROR_RADIUS);
  ck_assert_int_eq(jager_mindlin_loading(law, 1.0, NAN, 0.0, &out), JAGER_ERROR_NOT_FINITE);
  ck_assert_int_eq(jager_mindlin_loading(law, 1.0, 1e200, 0.0, &out), JAGER_ERROR_TOO_LARGE);
  ck_assert_int_eq(jager_mindlin_loading(law, 1.0, -1.0, 0.0, &out), JAGER_ERROR_DOMAIN);
  ck_assert_int_eq(jager_mindlin_loading(law, 1.0, s.fn, 1.001 * limit, &out), JAGER_ERROR_DOMAIN);
  ck_assert_int_eq(jager_mindlin_unloading(law, 1.0, s.fn, 0.5 * limit, -0.6 * limit, &out), JAGER_ERROR_DOMAIN);
  ck_assert_int_eq(jager_mindlin_unloading(law, 1.0, s.fn, 0.5 * limit, INFINITY, &out), JAGER_ERROR_NOT_FINITE);
  ck_assert_int_eq(jager_mindlin_unloading(law, 1.0, s.fn, -0.5 * limit, 0.0, &out), JAGER_ERROR_DOMAIN);
  ck_assert_int_eq(jager_mindlin_cycle_loss(law, 1.0, s.fn, 1.001 * limit, &out), JAGER_ERROR_DOMAIN);
  ck_assert_int_eq(jager_mindlin_cycle_loss(law, 1.0, s.fn, -0.1 * limit, &out), JAGER_ERROR_DOMAIN);
  ck_assert_double_eq(out, 7.0);
}

TEST(paths_outside_the_range_are_refused)
{
  spheres s = spheres_of(0);
  const jager_law *law = &s.law;
  double last, ft = 7.0, xi = 7.0, shear = 7.0;
  const jager_oblique good = figure_compare(&s, &last);
  jager_oblique bad = good;
  ck_assert_int_eq(jager_mindlin_oblique(law, 1.0, NULL, s.fn, 0, &ft, &xi), JAGER_ERROR_NULL);
  ck_assert_int_eq(jager_mindlin_oblique(law, 1.0, &good, 0.99 * s.fn, 0, &ft, &xi), JAGER_ERROR_DOMAIN);
  ck_assert_int_eq(jager_mindlin_oblique(law, 1.0, &good, 1.01 * good.fn_peak, 0, &ft, &xi), JAGER_ERROR_DOMAIN);
  ck_assert_int_eq(jager_mindlin_oblique(law, 1.0, &good, 0.9 * last, 1, &ft, &xi), JAGER_ERROR_DOMAIN);
  ck_assert_int_eq(jager_mindlin_oblique(law, 1.0, &good, NAN, 1, &ft, &xi), JAGER_ERROR_NOT_FINITE);
  bad.ratio = law->friction;
  ck_assert_int_eq(jager_mindlin_oblique(law, 1.0, &bad, s.fn, 0, &ft, &xi), JAGER_ERROR_DOMAIN);
  bad = good;
  bad.fn_peak = 1.3 * s.fn; /* the peak is beyond friction */
  ck_assert_int_eq(jager_mindlin_oblique(law, 1.0, &bad, s.fn, 1, &ft, &xi), JAGER_ERROR_DOMAIN);
  ck_assert_int_eq(jager_mindlin_oblique_traction(law, 1.0, &bad, s.fn, 1, 0.0, &shear), JAGER_ERROR_DOMAIN);
  ck_assert_int_eq(jager_mindlin_oblique_traction(law, 1.0, &good, s.fn, 1, -1.0, &shear), JAGER_ERROR_RADIUS);
  ck_assert_int_eq(jager_mindlin_oblique_traction(law, 1.0, &good, s.fn, 1, NAN, &shear), JAGER_ERROR_NOT_FINITE);
  ck_assert_int_eq(jager_mindlin_oblique_traction(law, 1.0, &good, s.fn, 1, 0.0, NULL), JAGER_ERROR_NULL);
  ck_assert_double_eq(ft, 7.0);
  ck_assert_double_eq(xi, 7.0);
  ck_assert_double_eq(shear, 7.0);
}
