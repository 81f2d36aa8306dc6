/* SPDX-License-Identifier: MIT */
/* Shared by the tests: comparisons, and a contact with its law and pool. */
#ifndef TEST_SUPPORT_H
#define TEST_SUPPORT_H

#include "example_law.h"
#include "jager/jager.h"
#include "random_numbers.h"
#include "unit_test.h"

#include <math.h>
#include <stdio.h>
#include <stdint.h>
#include <stdlib.h>

#define assert_ok(call) ck_assert_msg((call) == JAGER_OK, "%s failed", #call)

static inline void assert_within(double got, double expected, double tolerance)
{
  ck_assert_msg(fabs(got - expected) <= tolerance, "%.17g instead of %.17g: off by %.3g, allowed %.3g", got, expected,
                got - expected, tolerance);
}

struct bench {
  jager_law law;
  jager_pool *pool;
  jager_contact contact;
};

/* A contact without a history whose fields are not zero; a call that fails must not change it. */
static inline jager_contact untouched_contact(void)
{
  jager_law law = example_law();
  jager_contact contact = {0};
  assert_ok(jager_contact_init(&contact, &law, 2.0, 3.0));
  return contact;
}

/* Equal spheres of radius 1 under the law */
static inline struct bench bench_create(jager_law law)
{
  struct bench b = {.law = law, .pool = jager_pool_create(0)};
  ck_assert_ptr_nonnull(b.pool);
  assert_ok(jager_contact_init(&b.contact, &b.law, 1.0, 1.0));
  return b;
}

static inline void bench_destroy(struct bench *b)
{
  jager_contact_release(&b->contact, b->pool);
  ck_assert_uint_eq(jager_pool_bytes_in_use(b->pool), 0);
  jager_pool_destroy(b->pool);
}

static inline void pool_destroy(jager_pool **pool)
{
  jager_pool_destroy(*pool);
}

/* Variables that are destroyed at the end of their scope: SCOPED_BENCH b = bench_create(law); */
#define SCOPED_BENCH __attribute__((cleanup(bench_destroy))) struct bench
#define SCOPED_POOL __attribute__((cleanup(pool_destroy))) jager_pool *

/* Moves to ζ and by Δξ */
static inline jager_force bench_move(struct bench *b, double zeta, double dxi1, double dxi2)
{
  jager_force force;
  double dxi[2] = {dxi1, dxi2};
  assert_ok(jager_contact_move(&b->contact, &b->law, b->pool, zeta, dxi, &force));
  return force;
}

/* A movement, or a load, with the energies stored after it and dissipated in it */
static inline jager_status move_with_energy(jager_contact *contact, const jager_law *law, jager_pool *pool, double zeta,
                                            const double dxi[2], jager_force *force, jager_energy *energy)
{
  jager_balance balance;
  jager_status status = jager_balance_begin(&balance, contact, law);
  if (status == JAGER_OK)
    status = jager_balance_move(&balance, contact, law, pool, zeta, dxi, force);
  if (status == JAGER_OK)
    status = jager_contact_stored(contact, law, NULL, energy);
  if (status == JAGER_OK)
    energy->dissipated = jager_balance_energy(&balance).dissipated;
  return status;
}

static inline jager_status load_with_energy(jager_contact *contact, const jager_law *law, jager_pool *pool,
                                            const jager_force *force, jager_movement *movement, jager_energy *energy)
{
  jager_balance balance;
  jager_status status = jager_balance_begin(&balance, contact, law);
  if (status == JAGER_OK)
    status = jager_balance_load(&balance, contact, law, pool, force, movement);
  if (status == JAGER_OK)
    status = jager_contact_stored(contact, law, NULL, energy);
  if (status == JAGER_OK)
    energy->dissipated = jager_balance_energy(&balance).dissipated;
  return status;
}

#endif
