/* SPDX-License-Identifier: MIT */
/*
 * The library when memory runs out. Contacts move at random, and each call is made without memory first. Oracle: twins
 * that always have memory. A call without memory returns JAGER_ERROR_MEMORY and changes nothing; repeated with memory,
 * it gives the bits of the twin.
 */
#include "failing_malloc.h"
#include "support.h"
#include "jager/pairs.h"

#include <stdlib.h>
#include <string.h>

enum { CONTACTS = 12, CALLS = 6000, ALL = 1000000 };

typedef enum call { MOVE, MOVE_ENERGY, LOAD, CALL_KINDS } call;

/* The arguments of a call, drawn before it. */
typedef struct request {
  call kind;
  unsigned contact;
  double zeta, dxi[2];
} request;

typedef struct party {
  jager_pool *pool;
  jager_contact contacts[CONTACTS];
} party;

static void party_create(party *p, const jager_law *law)
{
  *p = (party){.pool = jager_pool_create(0)};
  ck_assert_ptr_nonnull(p->pool);
  for (int k = 0; k < CONTACTS; k++)
    assert_ok(jager_contact_init(&p->contacts[k], law, 1.0, 1.0));
}

static void party_destroy(party *p)
{
  for (int k = 0; k < CONTACTS; k++)
    jager_contact_release(&p->contacts[k], p->pool);
  ck_assert_uint_eq(jager_pool_bytes_in_use(p->pool), 0);
  jager_pool_destroy(p->pool);
}

/* Mostly elastic, so that histories and the pool grow. Some contacts separate. */
static request draw(const party *p, uint64_t *state)
{
  request r = {.kind = (call)random_below(state, CALL_KINDS), .contact = random_below(state, CONTACTS)};
  double zeta = fmax(jager_contact_zeta(&p->contacts[r.contact]), 0.0);
  r.zeta = random_below(state, 400) == 0 ? -1e-3 : zeta + random_in(state, -1e-6, 1e-4);
  for (int k = 0; k < 2; k++)
    r.dxi[k] = random_in(state, -2e-5, 2e-5);
  return r;
}

static jager_status carry_out(const request *r, const jager_law *law, party *p)
{
  jager_force force;
  jager_energy energy;
  jager_movement movement;
  jager_contact *c = &p->contacts[r->contact];
  if (r->kind == LOAD && jager_contact_fn(c) > 0.0) {
    force = jager_contact_force(c);
    force.fn *= 1.0 + 100.0 * fabs(r->dxi[0]);
    force.ft[0] = 0.9 * force.ft[0] + 1e-3 * force.fn;
    return load_with_energy(c, law, p->pool, &force, &movement, &energy);
  }
  return r->kind == MOVE_ENERGY ? move_with_energy(c, law, p->pool, r->zeta, r->dxi, &force, &energy)
                                : jager_contact_move(c, law, p->pool, r->zeta, r->dxi, &force);
}

static char *packed(const jager_contact *c, size_t *size)
{
  *size = jager_contact_pack_size(c);
  char *bytes = malloc(*size);
  ck_assert_ptr_nonnull(bytes);
  assert_ok(jager_contact_pack(c, bytes, *size));
  return bytes;
}

/* The call, first without memory. Returns whether it needed some. */
static bool carry_out_twice(const request *r, const jager_law *law, party *p)
{
  size_t before_size, after_size, in_use = jager_pool_bytes_in_use(p->pool), bytes = jager_pool_bytes(p->pool);
  char *before = packed(&p->contacts[r->contact], &before_size);
  fail_allocations(0, ALL);
  jager_status status = carry_out(r, law, p);
  bool has_failed = end_failures();
  if (has_failed && (status != JAGER_OK || r->kind == MOVE)) { /* energies can be computed without the kept sums */
    ck_assert_int_eq(status, JAGER_ERROR_MEMORY);
    char *after = packed(&p->contacts[r->contact], &after_size);
    ck_assert(after_size == before_size && memcmp(after, before, before_size) == 0);
    ck_assert(jager_pool_bytes_in_use(p->pool) == in_use && jager_pool_bytes(p->pool) == bytes);
    free(after);
    status = carry_out(r, law, p);
  }
  assert_ok(status);
  free(before);
  return has_failed;
}

TEST_LOOP(a_call_without_memory_changes_nothing, 2)
{
  jager_law law = example_law();
  party disturbed, twins;
  uint64_t state = 20261117;
  int failed = 0;
  if (_i == 1)
    assert_ok(jager_law_set_tolerance(&law, 1e-9));
  party_create(&disturbed, &law);
  party_create(&twins, &law);
  for (int i = 0; i < CALLS; i++) {
    request r = draw(&twins, &state);
    failed += carry_out_twice(&r, &law, &disturbed);
    assert_ok(carry_out(&r, &law, &twins));
    ck_assert(jager_contact_equal(&disturbed.contacts[r.contact], &twins.contacts[r.contact]));
  }
  ck_assert_int_gt(failed, 5);
  party_destroy(&disturbed);
  party_destroy(&twins);
}

TEST(copies_without_memory_leave_no_trace)
{
  jager_law law = example_law();
  SCOPED_BENCH b = bench_create(law);
  size_t size;
  for (int i = 1; i <= 2000; i++)
    bench_move(&b, 1e-5 * i, 1e-7 * (i % 7), 0.0);
  char *bytes = packed(&b.contact, &size);
  for (int k = 0; k < 2; k++) {
    SCOPED_POOL pool = jager_pool_create(0);
    jager_contact copy = {0};
    fail_allocations(0, ALL);
    jager_status status = k == 0 ? jager_contact_clone(&b.contact, pool, &copy)
                                 : jager_contact_unpack(&copy, &law, pool, bytes, size, NULL);
    ck_assert(end_failures());
    ck_assert_int_eq(status, JAGER_ERROR_MEMORY);
    ck_assert_uint_eq(jager_pool_bytes_in_use(pool), 0);
  }
  fail_allocations(0, ALL);
  SCOPED_POOL none = jager_pool_create(0);
  ck_assert(end_failures());
  ck_assert_ptr_null(none);
  free(bytes);
}

/* ---- Sweeps ------------------------------------------------------------------------------------------------------ */

enum { SPHERES = 60, SWEEPS = 40 };

/* Shears a chain of spheres to and fro. Returns the status of the last sweep; `sums` has one entry for each sweep. */
static jager_status sweep_chain(const jager_law *law, long successes, jager_sums sums[SWEEPS])
{
  jager_particle particles[SPHERES] = {{.radius = 0.0}};
  jager_wrench loads[SPHERES] = {{.force = {0.0}}};
  jager_pair list[SPHERES - 1];
  jager_pairs *pairs = jager_pairs_create(0);
  jager_sweep sweep = {.size = sizeof(jager_sweep),
                       .laws = law,
                       .law_count = 1,
                       .particles = particles,
                       .pairs = list,
                       .count = SPHERES - 1,
                       .loads = loads};
  jager_status status = JAGER_OK;
  ck_assert_ptr_nonnull(pairs);
  for (uint32_t i = 0; i < SPHERES; i++)
    particles[i] = (jager_particle){.x = {(2.0 - 1e-3 * (1.0 + i % 7)) * i, 0.0, 0.0}, .radius = 1.0, .mass = 1.0};
  for (uint32_t i = 0; i + 1 < SPHERES; i++)
    list[i] = (jager_pair){.p = i, .q = i + 1, .contact = JAGER_NONE, .wrench = JAGER_NONE};
  fail_allocations(successes, 1);
  for (int k = 0; k < SWEEPS && status == JAGER_OK; k++) {
    for (uint32_t i = 0; i < SPHERES; i++)
      particles[i].x[1] += 1e-6 * (double)((i * 5 + (uint32_t)k * 3) % 11);
    status = jager_pairs_move(pairs, &sweep, &sums[k], NULL);
  }
  jager_pairs_destroy(pairs);
  return status;
}

TEST(a_sweep_without_memory_ends_or_has_the_same_sums)
{
  jager_law law = example_law();
  jager_sums good[SWEEPS], sums[SWEEPS];
  int told = 0;
  assert_ok(sweep_chain(&law, ALL, good));
  (void)end_failures();
  for (long n = 0;; n++) {
    jager_status status = sweep_chain(&law, n, sums);
    if (!end_failures())
      break;
    told += status == JAGER_ERROR_MEMORY;
    ck_assert(status == JAGER_ERROR_MEMORY || (status == JAGER_OK && memcmp(sums, good, sizeof sums) == 0));
  }
  ck_assert_int_gt(told, 5);
}
