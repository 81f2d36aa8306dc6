/* SPDX-License-Identifier: MIT */
/*
 * Tangent stiffnesses. Oracles: for spheres the closed forms kn = 2 E* a and kt = 8 G* a, with G and ν in extended
 * precision; for all laws and contours, differences of the contact's forces.
 */
#include "support.h"
#include "jager/compare.h"

static jager_law any_law(uint64_t *random, int model, int contour)
{
  jager_law law = jager_law_default();
  assert_ok(jager_law_set_bodies(&law, pow(10.0, random_in(random, 0.0, 11.0)), random_in(random, 0.0, 0.5)));
  assert_ok(jager_law_set_model(&law, (jager_model)model));
  assert_ok(
      jager_law_set_contour(&law, (jager_contour)contour, random_in(random, 0.1, 2.0), random_in(random, 1.0, 4.0)));
  return law;
}

TEST(spheres_have_the_stiffnesses_of_mindlin)
{
  uint64_t random = 1;
  for (int i = 0; i < 300; i++) {
    double shear = pow(10.0, random_in(&random, 0.0, 11.0)), poisson = random_in(&random, 0.0, 0.5);
    double radius = random_in(&random, 1e-3, 1.0), zeta = radius * pow(10.0, random_in(&random, -6.0, -2.0));
    SCOPED_BENCH b = {.law = jager_law_default(), .pool = jager_pool_create(0)};
    assert_ok(jager_law_set_bodies(&b.law, shear, poisson));
    assert_ok(jager_contact_init(&b.contact, &b.law, radius, i % 2 ? INFINITY : radius));
    bench_move(&b, zeta, 0.0, 0.0);
    jager_stiffness k;
    assert_ok(jager_contact_stiffness(&b.contact, &b.law, &k));
    long double effective = i % 2 ? (long double)radius : (long double)radius / 2.0L;
    long double a = sqrtl(effective * 2.0L * (long double)zeta), g = (long double)shear, nu = (long double)poisson;
    double normal = (double)(2.0L * a * g / (1.0L - nu)), tangential = (double)(4.0L * a * g / (2.0L - nu));
    assert_within(k.normal, normal, 1e-14 * normal);
    assert_within(k.tangential, tangential, 1e-14 * tangential);
  }
}

/* The force of a copy after a small movement; |dxi| < f κ dζ: full stick */
static jager_force force_near(struct bench *b, double dzeta, double dxi)
{
  jager_contact copy = {0};
  jager_force force;
  const double sideways[2] = {dxi, 0.0};
  assert_ok(jager_contact_clone(&b->contact, b->pool, &copy));
  assert_ok(jager_contact_move(&copy, &b->law, b->pool, jager_contact_zeta(&b->contact) + dzeta, sideways, &force));
  jager_contact_release(&copy, b->pool);
  return force;
}

TEST(stiffnesses_are_differences_of_forces)
{
  uint64_t random = 2;
  for (int i = 0; i < 600; i++) {
    int model = i % JAGER_MODEL_COUNT, contour = i / JAGER_MODEL_COUNT % JAGER_CONTOUR_COUNT;
    SCOPED_BENCH b = {.law = any_law(&random, model, contour), .pool = jager_pool_create(0)};
    if (model == JAGER_MODEL_LINEAR && i % 2)
      assert_ok(jager_law_set_linear(&b.law, random_in(&random, 1.0, 5.0), random_in(&random, 0.5, 5.0)));
    assert_ok(jager_contact_init(&b.contact, &b.law, 1.0, random_in(&random, 0.5, 2.0)));
    double zeta = random_in(&random, 1e-3, 1e-2), h = 1e-5 * zeta, dxi = 0.1 * b.law.friction * b.law.kappa * h;
    bench_move(&b, zeta, 0.0, 0.0);
    jager_stiffness k;
    assert_ok(jager_contact_stiffness(&b.contact, &b.law, &k));
    double normal = (force_near(&b, h, 0.0).fn - force_near(&b, -h, 0.0).fn) / (4.0 * h);
    double tangential = force_near(&b, h, dxi).ft[0] / (2.0 * dxi);
    assert_within(k.normal, normal, 1e-8 * normal);
    assert_within(k.tangential, tangential, 2e-5 * tangential); /* of first order in h */
  }
}

TEST(a_contact_apart_has_no_stiffness_and_mistakes_are_refused)
{
  SCOPED_BENCH b = bench_create(example_law());
  jager_stiffness k = {7.0, 7.0};
  assert_ok(jager_contact_stiffness(&b.contact, &b.law, &k));
  ck_assert(k.normal == 0.0 && k.tangential == 0.0);
  bench_move(&b, -1e-3, 0.0, 0.0);
  k = (jager_stiffness){7.0, 7.0};
  assert_ok(jager_contact_stiffness(&b.contact, &b.law, &k));
  ck_assert(k.normal == 0.0 && k.tangential == 0.0);
  jager_law other = b.law, spoilt = b.law;
  assert_ok(jager_law_set_model(&other, JAGER_MODEL_LINEAR));
  spoilt.friction = NAN;
  k = (jager_stiffness){7.0, 7.0};
  ck_assert_int_eq(jager_contact_stiffness(&b.contact, &other, &k), JAGER_ERROR_MODEL);
  ck_assert_int_eq(jager_contact_stiffness(&b.contact, &spoilt, &k), JAGER_ERROR_FRICTION);
  ck_assert_int_eq(jager_contact_stiffness(&b.contact, NULL, &k), JAGER_ERROR_NULL);
  ck_assert_int_eq(jager_contact_stiffness(NULL, &b.law, &k), JAGER_ERROR_NULL);
  ck_assert_int_eq(jager_contact_stiffness(&b.contact, &b.law, NULL), JAGER_ERROR_NULL);
  ck_assert(k.normal == 7.0 && k.tangential == 7.0);
}
