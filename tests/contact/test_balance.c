/* SPDX-License-Identifier: MIT */
/*
 * Balances: energies followed from movement to movement.
 *
 * Oracles: the stored energy summed over the whole history, and the dissipation of each movement, both of a twin that
 * moves with a new balance each time. Invariants: twin and contact are equal to the bit and take the same memory.
 */
#include "support.h"

#include <string.h>

typedef struct twins {
  jager_law law;
  jager_pool *pool, *twin_pool;
  jager_contact contact, twin;
  jager_balance balance;
  double dissipated, largest; /* by the twin in all; the most that one movement could store */
} twins;

static twins twins_create(jager_law law)
{
  twins t = {.law = law, .pool = jager_pool_create(0), .twin_pool = jager_pool_create(0)};
  ck_assert(t.pool && t.twin_pool);
  assert_ok(jager_contact_init(&t.contact, &law, 1.0, 1.0));
  assert_ok(jager_contact_init(&t.twin, &law, 1.0, 1.0));
  assert_ok(jager_balance_begin(&t.balance, &t.contact, &law));
  return t;
}

static void twins_destroy(twins *t)
{
  jager_contact_release(&t->contact, t->pool);
  ck_assert_uint_eq(jager_pool_bytes_in_use(t->pool), 0);
  jager_pool_destroy(t->pool);
  jager_pool_destroy(t->twin_pool);
}

/* The most shear energy that the contact can store: the unit of errors of energies, as f Fn is for forces. */
static double storable(const jager_law *law, const jager_contact *contact)
{
  return law->kappa * law->friction * law->friction * jager_contact_fn(contact) *
         fmax(0.0, jager_contact_zeta(contact));
}

/* After the same movement the contact equals its twin, and its balance is right. */
static void compare(twins *t, const jager_energy *expected)
{
  t->dissipated += expected->dissipated;
  t->largest = fmax(t->largest, storable(&t->law, &t->contact));
  const jager_energy found = jager_balance_energy(&t->balance);
  ck_assert_double_eq(found.normal, expected->normal);
  assert_within(found.tangential, expected->tangential, 1e-15 * t->largest);
  assert_within(found.dissipated, t->dissipated, 1e-14 * (t->largest + t->dissipated));
}

static void move_both(twins *t, double zeta, const double dxi[2])
{
  jager_force force, of_twin;
  jager_energy expected;
  assert_ok(jager_balance_move(&t->balance, &t->contact, &t->law, t->pool, zeta, dxi, &force));
  assert_ok(move_with_energy(&t->twin, &t->law, t->twin_pool, zeta, dxi, &of_twin, &expected));
  ck_assert_mem_eq(&force, &of_twin, sizeof force);
  compare(t, &expected);
}

static void load_both(twins *t, const jager_force *force)
{
  jager_movement movement, of_twin;
  jager_energy expected;
  assert_ok(jager_balance_load(&t->balance, &t->contact, &t->law, t->pool, force, &movement));
  assert_ok(load_with_energy(&t->twin, &t->law, t->twin_pool, force, &of_twin, &expected));
  ck_assert_mem_eq(&movement, &of_twin, sizeof movement);
  compare(t, &expected);
}

static void check_whole(const twins *t)
{
  ck_assert(jager_contact_equal(&t->contact, &t->twin));
  ck_assert_uint_eq(jager_pool_bytes_in_use(t->pool), jager_pool_bytes_in_use(t->twin_pool));
}

/* Exact, with a tolerance that shortens and one that cannot, with the paper's merge; all contours */
static jager_law law_of(int kind, int contour)
{
  jager_law law = example_law();
  static const double tolerance[] = {0.0, 1e-3, 1e-14, 0.0, 0.0}, dp_max[] = {0.0, 0.0, 0.0, 0.1, 1e-9};
  assert_ok(jager_law_set_tolerance(&law, tolerance[kind]));
  assert_ok(jager_law_set_dp_max(&law, dp_max[kind]));
  assert_ok(jager_law_set_contour(&law, (jager_contour)contour, 0.5, 2.6));
  return law;
}

enum { KINDS = 5, CONTOURS = 3, STEPS = 1200 };

/* Mostly climbing, so that histories get long; slips of all depths, rest, parting, changes of friction */
static void random_movement(twins *t, uint64_t *random)
{
  unsigned kind = (unsigned)(random_bits(random) % 400);
  double zeta = jager_contact_zeta(&t->contact), up = 1e-5 * random_in(random, 0.2, 1.0), scale = 1e-6;
  if (kind < 40) /* slip, mostly shallow */
    scale = 1e-5 * exp2(random_in(random, 0.0, 5.0));
  if (kind == 0 && random_bits(random) % 4 == 0)
    scale = 1e-2;
  if (kind >= 60 && kind < 80)
    up = -2.0 * up;
  if (kind == 1 && random_bits(random) % 8 == 0)
    up = -zeta - 1e-4;
  if (kind == 2 && random_bits(random) % 4 == 0)
    assert_ok(jager_law_set_friction(&t->law, random_in(random, 0.3, 0.6)));
  double dxi[2] = {scale * random_in(random, -0.5, 0.5), scale * random_in(random, -0.5, 0.5)};
  if (kind == 3)
    up = dxi[0] = dxi[1] = 0.0;
  move_both(t, zeta + up, dxi);
}

TEST(a_balance_is_the_sum_over_the_history)
{
  uint64_t random = 31;
  uint32_t longest = 0;
  for (int kind = 0; kind < KINDS; kind++)
    for (int contour = 0; contour < CONTOURS; contour++) {
      twins t = twins_create(law_of(kind, contour));
      for (int i = 0; i < STEPS; i++) {
        random_movement(&t, &random);
        longest = jager_contact_length(&t.contact) > longest ? jager_contact_length(&t.contact) : longest;
        if (i % 16 == 0)
          check_whole(&t);
      }
      check_whole(&t);
      twins_destroy(&t);
    }
  ck_assert_uint_gt(longest, 300); /* short histories are summed anew each time */
}

static void random_load(twins *t, uint64_t *random)
{
  jager_force now = jager_contact_force(&t->contact), to = now;
  unsigned kind = (unsigned)(random_bits(random) % 400);
  double up = 1e-4 * random_in(random, 0.0, 1.0), scale = 1e-5;
  if (kind < 40)
    scale = 1e-5 * exp2(random_in(random, 0.0, 6.0));
  if (kind >= 60 && kind < 80)
    up = -2.0 * up;
  if (kind == 1 && random_bits(random) % 8 == 0)
    up = -now.fn;
  to.fn = fmax(0.0, now.fn + up);
  for (int i = 0; i < 2; i++)
    to.ft[i] += scale * random_in(random, -0.5, 0.5);
  double limit = 0.999 * t->law.friction * to.fn, size = hypot(to.ft[0], to.ft[1]);
  for (int i = 0; i < 2 && size > limit; i++)
    to.ft[i] *= limit / size;
  load_both(t, &to);
}

TEST(so_it_is_when_forces_drive)
{
  uint64_t random = 37;
  uint32_t longest = 0;
  for (int kind = 0; kind < KINDS; kind++)
    for (int contour = 0; contour < CONTOURS; contour++) {
      twins t = twins_create(law_of(kind, contour));
      for (int i = 0; i < STEPS; i++) {
        random_load(&t, &random);
        longest = jager_contact_length(&t.contact) > longest ? jager_contact_length(&t.contact) : longest;
        if (i % 16 == 0)
          check_whole(&t);
      }
      check_whole(&t);
      twins_destroy(&t);
    }
  ck_assert_uint_gt(longest, 300);
}

/* 100,000 steps with a history of 2,000 points: rounding errors of the changes do not add up. */
TEST(a_balance_does_not_drift)
{
  uint64_t random = 41;
  SCOPED_BENCH b = bench_create(example_law());
  jager_balance balance;
  double zeta = 0.0;
  assert_ok(jager_balance_begin(&balance, &b.contact, &b.law));
  for (int i = 0; i < 100000; i++) {
    double dxi[2] = {1e-6 * random_in(&random, -0.5, 0.5), 1e-6 * random_in(&random, -0.5, 0.5)};
    zeta += i < 2000 ? 5e-6 : i % 2 ? 1e-6 : -1e-6;
    assert_ok(jager_balance_move(&balance, &b.contact, &b.law, b.pool, zeta, dxi, NULL));
  }
  jager_energy exact;
  assert_ok(jager_contact_stored(&b.contact, &b.law, NULL, &exact));
  ck_assert_uint_gt(jager_contact_length(&b.contact), 500);
  assert_within(jager_balance_energy(&balance).tangential, exact.tangential, 1e-15 * storable(&b.law, &b.contact));
}

/* Climbs so long that summing over the whole history in each step would take minutes */
TEST(long_climbs_take_linear_time)
{
  enum { CLIMB = 300000 };
  uint64_t random = 43;
  for (int by_force = 0; by_force < 2; by_force++) {
    SCOPED_BENCH b = bench_create(example_law());
    jager_balance balance;
    jager_movement movement;
    jager_force force = {0.0, {0.0, 0.0}};
    assert_ok(jager_balance_begin(&balance, &b.contact, &b.law));
    for (int i = 1; i <= CLIMB; i++) {
      double d[2] = {1e-8 * random_in(&random, -0.3, 0.3), 1e-8 * random_in(&random, -0.3, 0.3)};
      if (by_force) {
        force = (jager_force){1e-8 * i, {force.ft[0] + d[0], force.ft[1] + d[1]}};
        assert_ok(jager_balance_load(&balance, &b.contact, &b.law, b.pool, &force, &movement));
      } else {
        double zeta = i % 5 ? 1e-8 * i : jager_contact_zeta(&b.contact) - 1e-9; /* some steps slip a little */
        assert_ok(jager_balance_move(&balance, &b.contact, &b.law, b.pool, zeta, d, NULL));
      }
    }
    jager_energy exact;
    assert_ok(jager_contact_stored(&b.contact, &b.law, NULL, &exact));
    ck_assert_uint_gt(jager_contact_length(&b.contact), CLIMB / 2);
    assert_within(jager_balance_energy(&balance).tangential, exact.tangential, 1e-15 * storable(&b.law, &b.contact));
  }
}

/* Comparison laws: the balance has the energies of the single movements. */
TEST(comparison_laws_have_balances)
{
  uint64_t random = 47;
  for (int model = JAGER_MODEL_LINEAR; model < JAGER_MODEL_COUNT; model++) {
    jager_law law = example_law();
    assert_ok(jager_law_set_model(&law, (jager_model)model));
    twins t = twins_create(law);
    for (int i = 0; i < 300; i++) {
      double dxi[2] = {random_in(&random, -1e-4, 1e-4), random_in(&random, -1e-4, 1e-4)};
      move_both(&t, random_in(&random, -1e-4, 0.01), dxi);
    }
    twins_destroy(&t);
  }
}

/* A call that fails changes neither contact nor balance. */
static void assert_unchanged(const struct bench *b, const jager_contact *contact, const jager_balance *balance,
                             const jager_balance *before)
{
  ck_assert(jager_contact_equal(&b->contact, contact));
  ck_assert_mem_eq(balance, before, sizeof *before);
}

TEST(failures_change_nothing)
{
  SCOPED_BENCH b = bench_create(example_law());
  jager_balance balance, before;
  jager_movement movement;
  const double dxi[2] = {1e-3, 0.0}, nan[2] = {NAN, 0.0};
  const jager_force beyond = {1e-3, {1.0, 0.0}};
  assert_ok(jager_balance_begin(&balance, &b.contact, &b.law));
  assert_ok(jager_balance_move(&balance, &b.contact, &b.law, b.pool, 0.01, dxi, NULL));
  memcpy(&before, &balance, sizeof before);
  jager_contact contact = b.contact;
  ck_assert_int_eq(jager_balance_move(&balance, &b.contact, &b.law, b.pool, 0.01, nan, NULL), JAGER_ERROR_NOT_FINITE);
  assert_unchanged(&b, &contact, &balance, &before);
  ck_assert_int_eq(jager_balance_load(&balance, &b.contact, &b.law, b.pool, &beyond, &movement),
                   JAGER_ERROR_BEYOND_FRICTION);
  assert_unchanged(&b, &contact, &balance, &before);
  ck_assert_int_eq(jager_balance_begin(NULL, &b.contact, &b.law), JAGER_ERROR_NULL);
  ck_assert_int_eq(jager_balance_begin(&balance, &b.contact, NULL), JAGER_ERROR_NULL);
  ck_assert_int_eq(jager_balance_begin(&balance, NULL, &b.law), JAGER_ERROR_NULL);
  ck_assert_int_eq(jager_balance_move(NULL, &b.contact, &b.law, b.pool, 0.01, dxi, NULL), JAGER_ERROR_NULL);
  ck_assert_int_eq(jager_balance_move(&balance, NULL, &b.law, b.pool, 0.01, dxi, NULL), JAGER_ERROR_NULL);
  ck_assert_int_eq(jager_balance_load(NULL, &b.contact, &b.law, b.pool, &beyond, &movement), JAGER_ERROR_NULL);
  ck_assert_int_eq(jager_balance_load(&balance, NULL, &b.law, b.pool, &beyond, &movement), JAGER_ERROR_NULL);
  assert_unchanged(&b, &contact, &balance, &before);
}

/* Memory runs out in the middle of a long climb: the failed step changes neither history, balance nor pool. */
TEST(no_memory_changes_nothing)
{
  jager_law law = example_law();
  uint64_t random = 53;
  int failures = 0;
  for (int by_force = 0; by_force < 2; by_force++) {
    SCOPED_BENCH b = {.law = law, .pool = jager_pool_create(100000)};
    jager_balance balance;
    jager_force force = {0.0, {0.0, 0.0}};
    jager_movement movement;
    assert_ok(jager_contact_init(&b.contact, &law, 1.0, 1.0));
    assert_ok(jager_balance_begin(&balance, &b.contact, &law));
    for (int i = 0; i < 6000; i++) {
      jager_balance before = balance;
      jager_contact contact = b.contact;
      size_t used = jager_pool_bytes_in_use(b.pool);
      double d[2] = {1e-6 * random_in(&random, -1.0, 1.0), 1e-6 * random_in(&random, -1.0, 1.0)};
      force = jager_contact_force(&b.contact);
      force = (jager_force){force.fn + 1e-5, {force.ft[0] + d[0], force.ft[1] + d[1]}};
      jager_status status = by_force ? jager_balance_load(&balance, &b.contact, &law, b.pool, &force, &movement)
                                     : jager_balance_move(&balance, &b.contact, &law, b.pool,
                                                          fmax(0.0, jager_contact_zeta(&b.contact)) + 2e-6, d, NULL);
      if (status == JAGER_OK)
        continue;
      failures++;
      ck_assert_int_eq(status, JAGER_ERROR_MEMORY);
      ck_assert(jager_contact_equal(&b.contact, &contact) && memcmp(&before, &balance, sizeof before) == 0);
      ck_assert_uint_eq(jager_pool_bytes_in_use(b.pool), used);
    }
  }
  ck_assert_int_gt(failures, 100);
}
