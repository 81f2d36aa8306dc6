/* SPDX-License-Identifier: MIT */
/*
 * Laws, contours, bodies, names. Oracles: the formulas of the theory, written with E, ν and the textbook's half-space
 * stiffnesses, in extended precision. Invariant: a refusal changes neither law nor contact.
 */
#include "support.h"
#include "jager/compare.h"

#include <stdio.h>
#include <string.h>

static const long double pi = 3.14159265358979323846264338327950288L;

/* ---- Refusals --------------------------------------------------------------------------------------------------- */

/* The call is refused with this status, and does not change the law. */
#define assert_law_refuses(status, call)                                                                               \
  do {                                                                                                                 \
    jager_law law_before = law;                                                                                        \
    ck_assert_int_eq(call, status);                                                                                    \
    ck_assert_mem_eq(&law_before, &law, sizeof law);                                                                   \
  } while (0)

TEST(impossible_bodies_are_refused)
{
  static const double moduli[] = {0.0, -1.0, -INFINITY, NAN, -0.0, 1e-61, 1e61, 5e-324};
  static const double ratios[] = {-1.0, -1.5, 0.5000001, 1.0, NAN, INFINITY, -INFINITY};
  jager_law law = example_law();
  const jager_body good = {1e9, 0.3};
  for (size_t i = 0; i < sizeof moduli / sizeof moduli[0]; i++) {
    assert_law_refuses(JAGER_ERROR_SHEAR_MODULUS, jager_law_set_bodies(&law, moduli[i], 0.3));
    if (moduli[i] != 1e61) { /* beside a soft body any hard one is possible */
      assert_law_refuses(JAGER_ERROR_SHEAR_MODULUS,
                         jager_law_set_dissimilar_bodies(&law, (jager_body){moduli[i], 0.3}, good));
      assert_law_refuses(JAGER_ERROR_SHEAR_MODULUS,
                         jager_law_set_dissimilar_bodies(&law, good, (jager_body){moduli[i], 0.3}));
    }
  }
  for (size_t i = 0; i < sizeof ratios / sizeof ratios[0]; i++) {
    assert_law_refuses(JAGER_ERROR_POISSON, jager_law_set_bodies(&law, 1.0, ratios[i]));
    assert_law_refuses(JAGER_ERROR_POISSON, jager_law_set_dissimilar_bodies(&law, (jager_body){1.0, ratios[i]}, good));
    assert_law_refuses(JAGER_ERROR_POISSON, jager_law_set_dissimilar_bodies(&law, good, (jager_body){1.0, ratios[i]}));
  }
  assert_law_refuses(JAGER_ERROR_SHEAR_MODULUS, jager_law_set_bodies(&law, INFINITY, 0.3)); /* both rigid */
  ck_assert_int_eq(jager_law_set_bodies(NULL, 1.0, 0.3), JAGER_ERROR_NULL);
  ck_assert_int_eq(jager_law_set_dissimilar_bodies(NULL, good, good), JAGER_ERROR_NULL);
  static const double possible[] = {-0.999999, 0.0, 0.5};
  for (size_t i = 0; i < 3; i++)
    assert_ok(jager_law_set_bodies(&law, 1e-60, possible[i]));
  assert_ok(jager_law_set_bodies(&law, 1e60, 0.3));
}

TEST(impossible_numbers_are_refused)
{
  static const double frictions[] = {-1e-300, -1.0, NAN, INFINITY, -INFINITY, 1.0000001e6};
  static const double negative[] = {-1e-300, -1.0, NAN, INFINITY, -INFINITY};
  static const double slopes[] = {0.0, -1.0, NAN, INFINITY, -INFINITY};
  static const double exponents[] = {0.999999, 0.0, -2.0, 100.0001, NAN, INFINITY, -INFINITY};
  jager_law law = example_law();
  for (size_t i = 0; i < sizeof frictions / sizeof frictions[0]; i++)
    assert_law_refuses(JAGER_ERROR_FRICTION, jager_law_set_friction(&law, frictions[i]));
  for (size_t i = 0; i < sizeof negative / sizeof negative[0]; i++) {
    assert_law_refuses(JAGER_ERROR_DP_MAX, jager_law_set_dp_max(&law, negative[i]));
    assert_law_refuses(JAGER_ERROR_TOLERANCE, jager_law_set_tolerance(&law, negative[i]));
    assert_law_refuses(JAGER_ERROR_STIFFNESS, jager_law_set_linear(&law, negative[i], 1.0));
    assert_law_refuses(JAGER_ERROR_STIFFNESS, jager_law_set_linear(&law, 1.0, negative[i]));
  }
  for (size_t i = 0; i < sizeof slopes / sizeof slopes[0]; i++) {
    assert_law_refuses(JAGER_ERROR_CONTOUR, jager_law_set_contour(&law, JAGER_CONTOUR_CONE, slopes[i], 1.0));
    assert_law_refuses(JAGER_ERROR_CONTOUR, jager_law_set_contour(&law, JAGER_CONTOUR_POWER, slopes[i], 1.5));
  }
  for (size_t i = 0; i < sizeof exponents / sizeof exponents[0]; i++)
    assert_law_refuses(JAGER_ERROR_CONTOUR, jager_law_set_contour(&law, JAGER_CONTOUR_POWER, 1.0, exponents[i]));
  assert_law_refuses(JAGER_ERROR_CONTOUR, jager_law_set_contour(&law, JAGER_CONTOUR_COUNT, 1.0, 1.0));
  assert_law_refuses(JAGER_ERROR_MODEL, jager_law_set_model(&law, JAGER_MODEL_COUNT));
  ck_assert_int_eq(jager_law_set_friction(NULL, 0.5), JAGER_ERROR_NULL);
  ck_assert_int_eq(jager_law_set_dp_max(NULL, 0.5), JAGER_ERROR_NULL);
  ck_assert_int_eq(jager_law_set_tolerance(NULL, 0.5), JAGER_ERROR_NULL);
  assert_law_refuses(JAGER_ERROR_TOLERANCE, jager_law_set_tolerance(&law, 1.000001));
  assert_ok(jager_law_set_tolerance(&law, 1.0)); /* either, not both */
  assert_law_refuses(JAGER_ERROR_DP_MAX, jager_law_set_dp_max(&law, 0.1));
  assert_ok(jager_law_set_dp_max(&law, 0.0));
  assert_ok(jager_law_set_tolerance(&law, 0.0));
  assert_ok(jager_law_set_dp_max(&law, 0.1));
  assert_ok(jager_law_set_tolerance(&law, 0.0));
  assert_law_refuses(JAGER_ERROR_TOLERANCE, jager_law_set_tolerance(&law, 0.1));
  assert_ok(jager_law_set_dp_max(&law, 0.0));
  ck_assert_int_eq(jager_law_set_linear(NULL, 1.0, 1.0), JAGER_ERROR_NULL);
  ck_assert_int_eq(jager_law_set_contour(NULL, JAGER_CONTOUR_SPHERE, 0.0, 0.0), JAGER_ERROR_NULL);
  ck_assert_int_eq(jager_law_set_model(NULL, JAGER_MODEL_JAGER), JAGER_ERROR_NULL);
  ck_assert_int_eq(jager_law_check(NULL), JAGER_ERROR_NULL);
  assert_ok(jager_law_set_friction(&law, 0.0));
  assert_ok(jager_law_set_friction(&law, 1e6));
  assert_ok(jager_law_set_contour(&law, JAGER_CONTOUR_SPHERE, NAN, NAN)); /* ignored: a sphere has neither */
  ck_assert(law.slope == 0.0 && law.exponent == 2.0);
  assert_ok(jager_law_check(&law));
}

/* jager_law_check and jager_contact_init refuse a law with any field spoilt. */
static void assert_spoilt(const jager_law *law, jager_status expected)
{
  jager_contact contact = untouched_contact(), before = contact;
  ck_assert_int_eq(jager_law_check(law), expected);
  ck_assert_int_eq(jager_contact_init(&contact, law, 1.0, 1.0), expected);
  ck_assert_mem_eq(&contact, &before, sizeof before);
}

TEST(spoilt_laws_are_seen)
{
  const jager_law good = example_law();
  jager_law law;
  assert_ok(jager_law_check(&good));
#define SPOIL(field, value, status)                                                                                    \
  law = good;                                                                                                          \
  law.field = value;                                                                                                   \
  assert_spoilt(&law, status);
  SPOIL(modulus, 0.0, JAGER_ERROR_NO_MATERIAL)
  SPOIL(modulus, -1.0, JAGER_ERROR_SHEAR_MODULUS)
  SPOIL(modulus, NAN, JAGER_ERROR_SHEAR_MODULUS)
  SPOIL(modulus, INFINITY, JAGER_ERROR_SHEAR_MODULUS)
  SPOIL(kappa, 0.0, JAGER_ERROR_SHEAR_MODULUS)
  SPOIL(kappa, NAN, JAGER_ERROR_SHEAR_MODULUS)
  SPOIL(inverse_kappa, 0.5, JAGER_ERROR_SHEAR_MODULUS)
  SPOIL(inverse_kappa, NAN, JAGER_ERROR_SHEAR_MODULUS)
  SPOIL(friction, -1.0, JAGER_ERROR_FRICTION)
  SPOIL(friction, NAN, JAGER_ERROR_FRICTION)
  SPOIL(dp_max, NAN, JAGER_ERROR_DP_MAX)
  SPOIL(tolerance, NAN, JAGER_ERROR_TOLERANCE)
  SPOIL(model, JAGER_MODEL_COUNT, JAGER_ERROR_MODEL)
  SPOIL(contour, JAGER_CONTOUR_COUNT, JAGER_ERROR_CONTOUR)
  SPOIL(contour, JAGER_CONTOUR_CONE, JAGER_ERROR_CONTOUR) /* without a slope */
  SPOIL(linear_kn, -1.0, JAGER_ERROR_STIFFNESS)
  SPOIL(linear_kt, NAN, JAGER_ERROR_STIFFNESS)
  SPOIL(reserved[0], 1.0, JAGER_ERROR_LAYOUT)
  SPOIL(reserved[7], NAN, JAGER_ERROR_LAYOUT)
#undef SPOIL
}

/* Every call with a law without a material is refused, and changes nothing. */
TEST(a_law_without_a_material_is_refused)
{
  const jager_law none = jager_law_default();
  ck_assert_double_eq(none.modulus, 0.0);
  assert_spoilt(&none, JAGER_ERROR_NO_MATERIAL);
  for (int touches = 0; touches < 2; touches++) {
    SCOPED_BENCH b = bench_create(example_law());
    bench_move(&b, touches ? 1e-3 : -1e-3, 0.0, 0.0);
    const jager_contact before = b.contact;
    const double zeta = 2e-3, none_sideways[2] = {0.0, 0.0};
    jager_force force = {.fn = 1e-4};
    jager_movement movement;
    jager_energy energy;
    jager_balance balance;
    jager_stiffness stiffness;
    jager_contact *contacts[1] = {&b.contact};
    double fn, ft[2];
    size_t moved = 7;
    jager_moves moves = {1, contacts, &zeta, {none_sideways, none_sideways}, &fn, {&ft[0], &ft[1]}, NULL};
    jager_path path = {.count = 1, .zeta = &zeta, .dxi = {none_sideways, none_sideways}};
    assert_ok(jager_balance_begin(&balance, &b.contact, &b.law));
#define REFUSES(call) ck_assert_int_eq(call, JAGER_ERROR_NO_MATERIAL)
    REFUSES(jager_contact_move(&b.contact, &none, b.pool, zeta, none_sideways, NULL));
    REFUSES(move_with_energy(&b.contact, &none, b.pool, zeta, none_sideways, NULL, &energy));
    REFUSES(jager_contact_load(&b.contact, &none, b.pool, &force, &movement));
    REFUSES(jager_balance_move(&balance, &b.contact, &none, b.pool, zeta, none_sideways, NULL));
    REFUSES(jager_contacts_move(&moves, &none, b.pool, &moved));
    REFUSES(jager_contact_move_path(&b.contact, &none, b.pool, &path, &moved));
    REFUSES(jager_contact_restiffen(&b.contact, &none, 1.0, 1.0));
    REFUSES(jager_contact_stiffness(&b.contact, &none, &stiffness));
    REFUSES(jager_contact_stored(&b.contact, &none, NULL, &energy));
    REFUSES(jager_balance_begin(&balance, &b.contact, &none));
    if (none.model == JAGER_MODEL_JAGER) {
      jager_point points[8];
      REFUSES(jager_contact_history(&b.contact, &none, points, 8));
      REFUSES(jager_contact_radii(&b.contact, &none, &fn, NULL));
      REFUSES(jager_contact_traction(&b.contact, &none, 0.0, &fn, ft));
    }
#undef REFUSES
    ck_assert_uint_eq(moved, 0);
    ck_assert_mem_eq(&before, &b.contact, sizeof before);
  }
}

TEST(impossible_radii_are_refused)
{
  static const double radii[] = {0.0, -1.0, NAN, -INFINITY, -0.0, -5e-324};
  const jager_law law = example_law();
  jager_contact contact = untouched_contact(), before = contact;
  for (size_t i = 0; i < sizeof radii / sizeof radii[0]; i++) {
    ck_assert_int_eq(jager_contact_init(&contact, &law, radii[i], 1.0), JAGER_ERROR_RADIUS);
    ck_assert_int_eq(jager_contact_init(&contact, &law, 1.0, radii[i]), JAGER_ERROR_RADIUS);
    ck_assert_int_eq(jager_contact_init(&contact, &law, INFINITY, radii[i]), JAGER_ERROR_RADIUS);
  }
  ck_assert_int_eq(jager_contact_init(&contact, &law, INFINITY, INFINITY), JAGER_ERROR_RADIUS);
  ck_assert_int_eq(jager_contact_init(NULL, &law, 1.0, 1.0), JAGER_ERROR_NULL);
  ck_assert_int_eq(jager_contact_init(&contact, NULL, 1.0, 1.0), JAGER_ERROR_NULL);
  ck_assert_mem_eq(&contact, &before, sizeof before);
  jager_law hard = law; /* beyond the range of the arithmetic */
  assert_ok(jager_law_set_bodies(&hard, 1e60, 0.3));
  ck_assert_int_eq(jager_contact_init(&contact, &hard, 1e100, 1e100), JAGER_ERROR_RADIUS);
  assert_ok(jager_law_set_contour(&hard, JAGER_CONTOUR_CONE, 1e-50, 0.0));
  ck_assert_int_eq(jager_contact_init(&contact, &hard, 1.0, 1.0), JAGER_ERROR_CONTOUR);
  ck_assert_mem_eq(&contact, &before, sizeof before);
}

/* Each argument of a movement or a load in turn is impossible. */
TEST(impossible_movements_are_refused)
{
  SCOPED_BENCH b = bench_create(example_law());
  (void)bench_move(&b, 1e-3, 2e-4, 1e-4);
  jager_contact before = b.contact;
  jager_force force = {7.0, {7.0, 7.0}};
  jager_energy energy = {7.0, 7.0, 7.0};
  jager_movement movement = {7.0, {7.0, 7.0}};
  static const double bad[] = {NAN, INFINITY, -INFINITY, 1e200, -1e200};
  for (int i = 0; i < 5; i++)
    for (int place = 0; place < 3; place++) {
      double zeta = place == 0 ? bad[i] : 1e-3, dxi[2] = {place == 1 ? bad[i] : 0.0, place == 2 ? bad[i] : 0.0};
      jager_status expected = i < 3 ? JAGER_ERROR_NOT_FINITE : JAGER_ERROR_TOO_LARGE;
      ck_assert_int_eq(jager_contact_move(&b.contact, &b.law, b.pool, zeta, dxi, &force), expected);
      ck_assert_int_eq(move_with_energy(&b.contact, &b.law, b.pool, zeta, dxi, &force, &energy), expected);
      jager_force asked = {place == 0 ? bad[i] : 1e-6, {dxi[0], dxi[1]}};
      jager_status refusal = i < 3        ? JAGER_ERROR_NOT_FINITE
                             : place != 0 ? JAGER_ERROR_BEYOND_FRICTION
                             : i == 3     ? JAGER_ERROR_TOO_LARGE
                                          : JAGER_ERROR_PULL;
      ck_assert_int_eq(load_with_energy(&b.contact, &b.law, b.pool, &asked, &movement, &energy), refusal);
    }
  const double none[2] = {0.0, 0.0}, far[2] = {1e151, 0.0};
  ck_assert_int_eq(jager_contact_move(&b.contact, &b.law, b.pool, 1e61, none, &force), JAGER_ERROR_TOO_LARGE);
  ck_assert_int_eq(jager_contact_move(&b.contact, &b.law, b.pool, 1e-3, far, &force), JAGER_ERROR_TOO_LARGE);
  const jager_force sliding = {1e-6, {0.501e-6, 0.0}};
  ck_assert_int_eq(jager_contact_load(&b.contact, &b.law, b.pool, &sliding, &movement), JAGER_ERROR_BEYOND_FRICTION);
  jager_law other = b.law, spoilt = b.law;
  assert_ok(jager_law_set_model(&other, JAGER_MODEL_LINEAR));
  spoilt.friction = NAN;
  ck_assert_int_eq(jager_contact_move(&b.contact, &other, b.pool, 1e-3, none, &force), JAGER_ERROR_MODEL);
  ck_assert_int_eq(jager_contact_move(&b.contact, &spoilt, b.pool, 1e-3, none, &force), JAGER_ERROR_FRICTION);
  ck_assert_int_eq(jager_contact_load(&b.contact, &spoilt, b.pool, &sliding, &movement), JAGER_ERROR_FRICTION);
  ck_assert_int_eq(jager_contact_move(&b.contact, &b.law, b.pool, 1e-3, NULL, &force), JAGER_ERROR_NULL);
  ck_assert_int_eq(jager_contact_move(&b.contact, &b.law, NULL, 1e-3, none, &force), JAGER_ERROR_NULL);
  ck_assert_int_eq(jager_contact_move(&b.contact, NULL, b.pool, 1e-3, none, &force), JAGER_ERROR_NULL);
  ck_assert_int_eq(jager_contact_move(NULL, &b.law, b.pool, 1e-3, none, &force), JAGER_ERROR_NULL);
  ck_assert_int_eq(jager_contact_stored(&b.contact, &b.law, NULL, NULL), JAGER_ERROR_NULL);
  ck_assert_int_eq(jager_contact_stored(&b.contact, NULL, NULL, &energy), JAGER_ERROR_NULL);
  ck_assert_mem_eq(&before, &b.contact, sizeof before);
  ck_assert(force.fn == 7.0 && energy.normal == 7.0 && movement.zeta == 7.0);
}

/* ---- Bodies ----------------------------------------------------------------------------------------------------- */

TEST(bodies_have_the_stiffnesses_of_half_spaces)
{
  uint64_t seed = 1;
  for (int i = 0; i < 3000; i++) {
    jager_body a = {exp2(random_in(&seed, -30.0, 40.0)), random_in(&seed, -0.99, 0.5)};
    jager_body b = {exp2(random_in(&seed, -30.0, 40.0)), random_in(&seed, -0.99, 0.5)};
    jager_law law = example_law(), swapped = law;
    assert_ok(jager_law_set_dissimilar_bodies(&law, a, b));
    assert_ok(jager_law_set_dissimilar_bodies(&swapped, b, a));
    long double ea = 2.0L * a.shear_modulus * (1.0L + a.poisson), eb = 2.0L * b.shear_modulus * (1.0L + b.poisson);
    long double na = a.poisson, nb = b.poisson;
    long double normal = 1.0L / ((1.0L - na * na) / ea + (1.0L - nb * nb) / eb);
    long double shear = 1.0L / ((2.0L - na) / a.shear_modulus + (2.0L - nb) / b.shear_modulus);
    assert_within(law.modulus / (double)(8.0L / 3.0L * normal), 1.0, 2e-15);
    assert_within(law.kappa / (double)(normal / (4.0L * shear)), 1.0, 2e-15);
    assert_within(law.kappa * law.inverse_kappa, 1.0, 1e-15);
    assert_within(swapped.modulus / law.modulus, 1.0, 1e-15);
    assert_within(swapped.kappa / law.kappa, 1.0, 1e-15);
    assert_ok(jager_law_set_bodies(&law, a.shear_modulus, a.poisson)); /* the paper's Ē and κ of equal bodies */
    assert_within(law.modulus / (8.0 * a.shear_modulus / (3.0 * (1.0 - a.poisson))), 1.0, 2e-15);
    assert_within(law.kappa / ((2.0 - a.poisson) / (2.0 * (1.0 - a.poisson))), 1.0, 2e-15);
    assert_ok(jager_law_set_dissimilar_bodies(&swapped, a, a));
    ck_assert_mem_eq(&swapped, &law, sizeof law);
  }
}

TEST(a_rigid_body_gives_nothing)
{
  jager_law law = example_law(), hard = law, equal = law;
  const jager_body soft = {3e9, 0.2};
  assert_ok(jager_law_set_dissimilar_bodies(&law, soft, (jager_body){INFINITY, 0.4}));
  assert_ok(jager_law_set_dissimilar_bodies(&hard, (jager_body){3e40, 0.4}, soft));
  assert_ok(jager_law_set_bodies(&equal, soft.shear_modulus, soft.poisson));
  assert_ok(jager_law_check(&law));
  assert_within(law.modulus / equal.modulus, 2.0, 1e-15); /* a rigid body has no compliance */
  assert_within(law.kappa / equal.kappa, 1.0, 1e-15);
  assert_within(hard.modulus / law.modulus, 1.0, 1e-15);
  jager_law known = example_law(); /* the paper's example: Ē = 16/3, κ = 3/2 */
  assert_within(known.modulus, 16.0 / 3.0, 1e-15);
  assert_within(known.kappa, 1.5, 0.0);
}

/* ---- Contours --------------------------------------------------------------------------------------------------- */

static double force_at(const jager_law *law, double radius_a, double radius_b, double zeta)
{
  SCOPED_POOL pool = jager_pool_create(0);
  jager_contact contact = {0};
  jager_force force;
  const double none[2] = {0.0, 0.0};
  assert_ok(jager_contact_init(&contact, law, radius_a, radius_b));
  assert_ok(jager_contact_move(&contact, law, pool, zeta, none, &force));
  return force.fn;
}

TEST(spheres_and_walls)
{
  uint64_t seed = 2;
  for (int i = 0; i < 1000; i++) {
    jager_law law = example_law();
    double a = exp2(random_in(&seed, -40.0, 10.0)), b = exp2(random_in(&seed, -40.0, 10.0)), zeta = 1e-3 * fmin(a, b);
    long double radius = 2.0L * a * b / ((long double)a + (long double)b), z = zeta;
    double hertz = (double)((long double)law.modulus * sqrtl(z * z * z * radius));
    assert_within(force_at(&law, a, b, zeta) / hertz, 1.0, 2e-15);
    ck_assert_double_eq(force_at(&law, a, b, zeta), force_at(&law, b, a, zeta));
    ck_assert_double_eq(force_at(&law, a, INFINITY, zeta), force_at(&law, 2.0 * a, 2.0 * a, zeta)); /* R = 2 RA */
    ck_assert_double_eq(force_at(&law, INFINITY, a, zeta), force_at(&law, a, INFINITY, zeta));
    assert_within(force_at(&law, a, a, zeta) / (law.modulus * sqrt(zeta * zeta * zeta * a)), 1.0, 2e-15);
  }
}

TEST(cones_and_power_laws)
{
  uint64_t seed = 3;
  for (int i = 0; i < 1000; i++) {
    double slope = exp2(random_in(&seed, -10.0, 10.0)), zeta = exp2(random_in(&seed, -30.0, 0.0));
    jager_law cone = example_law(), power = cone, sphere = cone, steep = cone;
    assert_ok(jager_law_set_contour(&cone, JAGER_CONTOUR_CONE, slope, NAN));
    assert_ok(jager_law_set_contour(&power, JAGER_CONTOUR_POWER, slope, 1.0));
    double expected = (double)(3.0L / (2.0L * pi) * cone.modulus * zeta * zeta / slope);
    assert_within(force_at(&cone, 1.0, 2.0, zeta) / expected, 1.0, 1e-15);
    assert_within(force_at(&power, 1.0, 1.0, zeta) / expected, 1.0, 1e-14);
    assert_ok(jager_law_set_contour(&steep, JAGER_CONTOUR_CONE, 0.5 * slope, 0.0)); /* a wall halves the slope */
    ck_assert_double_eq(force_at(&cone, 1.0, INFINITY, zeta), force_at(&steep, 1.0, 1.0, zeta));
    assert_ok(jager_law_set_contour(&power, JAGER_CONTOUR_POWER, slope, 2.0)); /* A = 1/(2R) */
    double radius = 0.5 / slope;
    assert_within(force_at(&power, 1.0, 1.0, zeta) / force_at(&sphere, radius, radius, zeta), 1.0, 1e-14);
    assert_within(force_at(&power, INFINITY, 1.0, zeta) / force_at(&sphere, INFINITY, radius, zeta), 1.0, 1e-14);
    double alpha = random_in(&seed, 1.0, 100.0);
    assert_ok(jager_law_set_contour(&power, JAGER_CONTOUR_POWER, slope, alpha));
    /* Sneddon for an indenter 2A r^α pressed in by 2ζ, E* = 3Ē/8: δ = λ 2A a^α, F = 2E* δ a α/(α + 1) */
    long double al = alpha, lambda = sqrtl(pi) * expl(lgammal(al / 2.0L + 1.0L) - lgammal((al + 1.0L) / 2.0L));
    long double a = powl(2.0L * zeta / (lambda * 2.0L * slope), 1.0L / al);
    long double sneddon = 2.0L * 0.375L * power.modulus * 2.0L * zeta * a * al / (al + 1.0L);
    assert_within(force_at(&power, 1.0, 1.0, zeta) / (double)sneddon, 1.0, 1e-13);
  }
}

/* ---- Names ------------------------------------------------------------------------------------------------------ */

TEST(names_and_back)
{
  static const char *const models[] = {"jager", "linear", "hertz-mindlin", "modified-mindlin", "zhang-vuquoc"};
  static const char *const contours[] = {"sphere", "cone", "power"};
  static const char *const states[] = {"apart", "elastic", "slip", "slide"};
  for (int i = 0; i < JAGER_MODEL_COUNT; i++) {
    jager_model model = JAGER_MODEL_COUNT;
    ck_assert_str_eq(jager_model_name((jager_model)i), models[i]);
    assert_ok(jager_model_from_name(models[i], &model));
    ck_assert_int_eq((int)model, i);
  }
  for (int i = 0; i < JAGER_CONTOUR_COUNT; i++) {
    jager_contour contour = JAGER_CONTOUR_COUNT;
    ck_assert_str_eq(jager_contour_name((jager_contour)i), contours[i]);
    assert_ok(jager_contour_from_name(contours[i], &contour));
    ck_assert_int_eq((int)contour, i);
  }
  for (int i = 0; i < JAGER_STATE_COUNT; i++)
    ck_assert_str_eq(jager_state_name((jager_state)i), states[i]);
  jager_model model = JAGER_MODEL_LINEAR;
  jager_contour contour = JAGER_CONTOUR_CONE;
  static const char *const unknown[] = {"", "Jager", "jager ", "jage", "linear2", "unknown", "powers"};
  for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++) {
    ck_assert_int_eq(jager_model_from_name(unknown[i], &model), JAGER_ERROR_MODEL);
    ck_assert_int_eq(jager_contour_from_name(unknown[i], &contour), JAGER_ERROR_CONTOUR);
  }
  ck_assert_int_eq(jager_model_from_name(NULL, &model), JAGER_ERROR_NULL);
  ck_assert_int_eq(jager_model_from_name("jager", NULL), JAGER_ERROR_NULL);
  ck_assert_int_eq(jager_contour_from_name(NULL, &contour), JAGER_ERROR_NULL);
  ck_assert_int_eq(jager_contour_from_name("cone", NULL), JAGER_ERROR_NULL);
  ck_assert(model == JAGER_MODEL_LINEAR && contour == JAGER_CONTOUR_CONE);
  ck_assert_str_eq(jager_model_name(JAGER_MODEL_COUNT), "unknown");
  ck_assert_str_eq(jager_contour_name(JAGER_CONTOUR_COUNT), "unknown");
  ck_assert_str_eq(jager_state_name(JAGER_STATE_COUNT), "unknown");
}

/* Numbers are part of the interface since release 0.1.0: none may ever change. */
TEST(statuses_keep_their_numbers)
{
  static const jager_status in_order[] = {JAGER_OK,
                                          JAGER_ERROR_NULL,
                                          JAGER_ERROR_NOT_FINITE,
                                          JAGER_ERROR_TOO_LARGE,
                                          JAGER_ERROR_SHEAR_MODULUS,
                                          JAGER_ERROR_POISSON,
                                          JAGER_ERROR_RADIUS,
                                          JAGER_ERROR_FRICTION,
                                          JAGER_ERROR_DP_MAX,
                                          JAGER_ERROR_TOLERANCE,
                                          JAGER_ERROR_CONTOUR,
                                          JAGER_ERROR_STIFFNESS,
                                          JAGER_ERROR_MODEL,
                                          JAGER_ERROR_UNSUPPORTED,
                                          JAGER_ERROR_BEYOND_FRICTION,
                                          JAGER_ERROR_PULL,
                                          JAGER_ERROR_MEMORY,
                                          JAGER_ERROR_CAPACITY,
                                          JAGER_ERROR_NOT_PACKED,
                                          JAGER_ERROR_VERSION,
                                          JAGER_ERROR_TRUNCATED,
                                          JAGER_ERROR_CHECKSUM,
                                          JAGER_ERROR_CORRUPT,
                                          JAGER_ERROR_DIRECTION,
                                          JAGER_ERROR_DOMAIN,
                                          JAGER_ERROR_NO_MATERIAL,
                                          JAGER_ERROR_IN_USE,
                                          JAGER_ERROR_DAMPING,
                                          JAGER_ERROR_UNINITIALISED,
                                          JAGER_ERROR_LAYOUT};
  enum { COUNT = sizeof in_order / sizeof in_order[0] };
  for (int i = 0; i < COUNT; i++)
    ck_assert_int_eq(in_order[i], i);
  ck_assert_int_eq(JAGER_ERROR_FAST_MATH, 100); /* of jager/compact.h alone */
  ck_assert_int_eq(JAGER_ERROR_CONTRACTED, 101);
  for (int i = COUNT; i < 300; i++) /* the list has no others */
    ck_assert(i == 100 || i == 101 || strcmp(jager_status_text((jager_status)i), "unknown error") == 0);
  ck_assert_str_eq(jager_status_text((jager_status)-1), "unknown error");
}

TEST(every_status_has_its_own_text)
{
#define STATUS(name, number, text) {name, text},
  static const struct {
    jager_status status;
    const char *text;
  } list[] = {JAGER_STATUS_LIST(STATUS)};
#undef STATUS
  for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
    const char *text = jager_status_text(list[i].status);
    ck_assert_str_eq(text, list[i].text);
    ck_assert_uint_gt(strlen(text), 5);
    ck_assert_ptr_null(strchr(text, '\n'));
    for (size_t k = 0; k < i; k++)
      ck_assert_str_ne(text, list[k].text);
  }
  ck_assert_str_eq(jager_version(), JAGER_VERSION);
  int major, minor, patch;
  ck_assert_int_eq(sscanf(jager_version(), "%d.%d.%d", &major, &minor, &patch), 3);
  ck_assert(major == JAGER_VERSION_MAJOR && minor == JAGER_VERSION_MINOR && patch == JAGER_VERSION_PATCH);
}

/* "linear" derived at a ζ or a force has the Fn of the other laws there. */
TEST(linear_can_be_derived_where_one_likes)
{
  uint64_t random = 61;
  for (int i = 0; i < 300; i++) {
    jager_law law = example_law();
    assert_ok(jager_law_set_bodies(&law, pow(10.0, random_in(&random, 0.0, 11.0)), random_in(&random, 0.0, 0.5)));
    assert_ok(jager_law_set_contour(&law, (jager_contour)(i % 3), random_in(&random, 0.1, 2.0), 3.0));
    double radius_a = random_in(&random, 1e-3, 1.0), radius_b = i % 5 ? random_in(&random, 1e-3, 1.0) : INFINITY;
    double zeta = 1e-3 * pow(10.0, random_in(&random, -6.0, 0.0));
    const double none[2] = {0.0, 0.0};
    struct bench b = bench_create(law);
    assert_ok(jager_contact_init(&b.contact, &b.law, radius_a, radius_b));
    double fn = bench_move(&b, zeta, 0.0, 0.0).fn;
    jager_contact_release(&b.contact, b.pool);
    for (int by_force = 0; by_force < 2; by_force++) {
      assert_ok(jager_law_set_linear(&law, 0.0, 7.0));
      assert_ok(by_force ? jager_law_set_linear_at_force(&law, radius_a, radius_b, fn)
                         : jager_law_set_linear_at_zeta(&law, radius_a, radius_b, zeta));
      assert_within(law.linear_kn, fn / (2.0 * zeta), 1e-14 * law.linear_kn);
      ck_assert_double_eq(law.linear_kt, 7.0);
      jager_law linear = law;
      jager_force force;
      assert_ok(jager_law_set_model(&linear, JAGER_MODEL_LINEAR));
      assert_ok(jager_contact_init(&b.contact, &linear, radius_a, radius_b));
      assert_ok(jager_contact_move(&b.contact, &linear, b.pool, zeta, none, &force));
      assert_within(force.fn, fn, 1e-14 * fn);
      jager_contact_release(&b.contact, b.pool);
    }
    jager_pool_destroy(b.pool);
  }
  jager_law law = example_law();
  const double wrong[] = {0.0, -1.0, NAN, INFINITY, 1e200};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    assert_law_refuses(JAGER_ERROR_STIFFNESS, jager_law_set_linear_at_zeta(&law, 1.0, 1.0, wrong[i]));
    assert_law_refuses(JAGER_ERROR_STIFFNESS, jager_law_set_linear_at_force(&law, 1.0, 1.0, wrong[i]));
  }
  jager_law largest = law; /* the limit itself is allowed */
  assert_ok(jager_law_set_linear_at_zeta(&largest, 1.0, 1.0, 1e60));
  assert_law_refuses(JAGER_ERROR_STIFFNESS, jager_law_set_linear_at_zeta(&law, 1.0, 1.0, 1.001e60));
  assert_ok(jager_law_set_bodies(&largest, 1e12, 0.5));
  assert_ok(jager_law_set_contour(&largest, JAGER_CONTOUR_CONE, 1.0, 1.0));
  assert_ok(jager_law_set_linear_at_force(&largest, 1.0, 1.0, 1e130));
  ck_assert_int_eq(jager_law_set_linear_at_force(&largest, 1.0, 1.0, 1.001e130), JAGER_ERROR_STIFFNESS);
  assert_law_refuses(JAGER_ERROR_RADIUS, jager_law_set_linear_at_zeta(&law, 1.0, -1.0, 0.1));
  assert_law_refuses(JAGER_ERROR_RADIUS, jager_law_set_linear_at_force(&law, INFINITY, INFINITY, 0.1));
  ck_assert_int_eq(jager_law_set_linear_at_zeta(NULL, 1.0, 1.0, 0.1), JAGER_ERROR_NULL);
  ck_assert_int_eq(jager_law_set_linear_at_force(NULL, 1.0, 1.0, 0.1), JAGER_ERROR_NULL);
}
