/* SPDX-License-Identifier: MIT */
/*
 * The pool. Oracles: its slabs and free list, counted one by one; for threads, the same work done serially. Invariant:
 * a call that runs out of memory changes neither the contact nor the number of nodes in use.
 */
#include "histories.h"
#include "contact/pool.h"
#include "jager/pairs.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- Counting --------------------------------------------------------------------------------------------------- */

enum { NODE = 128 };

/* The counters of the pool agree with its lists. */
static void assert_counts_are_right(const jager_pool *pool)
{
  size_t blocks = 0, free_nodes = 0;
  for (void *block = pool->blocks; block; block = *(void **)block)
    blocks++;
  for (const history_node *node = pool->free; node; node = node->below) {
    free_nodes++;
    ck_assert_ptr_eq(pool_node(pool, node->number), node);
  }
  ck_assert_uint_eq(free_nodes, pool->nodes_free);
  ck_assert_uint_eq(jager_pool_bytes(pool),
                    sizeof *pool + 64 * blocks + NODE * pool->nodes + pool->slab_room * sizeof *pool->slabs);
  ck_assert_uint_eq(jager_pool_bytes_in_use(pool), NODE * (pool->nodes - free_nodes));
}

/* Nodes of a history of this length: four entries each, the two topmost are the contact's */
static size_t nodes_of(uint32_t length)
{
  return length > 3 ? (length - 3 + 3) / 4 : 0;
}

TEST(a_pool_grows_on_demand_and_counts)
{
  uint64_t seed = 1;
  SCOPED_BENCH b = bench_create(law_of_kind(0));
  ck_assert_uint_eq(jager_pool_bytes_in_use(b.pool), 0);
  ck_assert_uint_le(jager_pool_bytes(b.pool), 128); /* nothing yet but itself */
  size_t before = jager_pool_bytes(b.pool), grown = 0;
  for (uint32_t length = 1; length < 3000; length += 1 + length / 10) {
    climb(&b, length, 1e-4, &seed);
    assert_counts_are_right(b.pool);
    ck_assert_uint_eq(jager_pool_bytes_in_use(b.pool), NODE * nodes_of(jager_contact_length(&b.contact)));
    ck_assert_uint_ge(jager_pool_bytes(b.pool), before);
    grown += jager_pool_bytes(b.pool) > before;
    before = jager_pool_bytes(b.pool);
  }
  ck_assert_uint_ge(grown, 3);
  jager_contact_release(&b.contact, b.pool);
  assert_counts_are_right(b.pool);
  ck_assert_uint_eq(jager_pool_bytes_in_use(b.pool), 0);
  climb(&b, 2500, 1e-4, &seed); /* from the free list: no new memory */
  ck_assert_uint_eq(jager_pool_bytes(b.pool), before);
}

TEST(nodes_come_back_however_a_history_ends)
{
  for (int kind = 0; kind < LAW_KINDS; kind++)
    for (int end = 0; end < 5; end++) {
      uint64_t seed = 2;
      SCOPED_BENCH b = bench_create(law_of_kind(kind));
      jager_energy energy;
      const double none[2] = {0.0, 0.0}, far[2] = {1.0, 0.0};
      if (kind < 5)
        climb(&b, kind == 4 ? 10 : 200, 1e-5, &seed);
      else
        swing_down(&b, 1e-3, 60);
      if (kind < 4 || kind == 8)
        ck_assert_uint_gt(jager_pool_bytes_in_use(b.pool), 0);
      if (end == 0)
        jager_contact_release(&b.contact, b.pool);
      else if (end == 1)
        assert_ok(jager_contact_move(&b.contact, &b.law, b.pool, -1.0, none, NULL));
      else if (end == 2) /* slides: one segment is left, in the contact itself */
        assert_ok(jager_contact_move(&b.contact, &b.law, b.pool, jager_contact_zeta(&b.contact), far, NULL));
      else if (end == 3)
        assert_ok(move_with_energy(&b.contact, &b.law, b.pool, jager_contact_zeta(&b.contact), far, NULL, &energy));
      else
        wander(&b, 1e-3, 2000, &seed), (void)bench_move(&b, 0.0, 0.0, 0.0);
      assert_counts_are_right(b.pool);
      ck_assert_uint_eq(jager_pool_bytes_in_use(b.pool), 0);
    }
  jager_contact_release(NULL, NULL);
  jager_pool_destroy(NULL);
  ck_assert_uint_eq(jager_pool_bytes(NULL), 0);
  ck_assert_uint_eq(jager_pool_bytes_in_use(NULL), 0);
}

/* ---- Running out ------------------------------------------------------------------------------------------------ */

enum { CALLS = 6 };

/* A call that may need memory: it adds a segment. */
static jager_status try_call(int call, jager_law *law, struct bench *b, jager_contact *other, const void *bytes,
                             size_t size)
{
  jager_force force = {7.0, {7.0, 7.0}};
  jager_energy energy = {7.0, 7.0, 7.0};
  jager_movement movement = {7.0, {7.0, 7.0}};
  double zeta = 1.01 * jager_contact_zeta(&b->contact), dxi[2] = {1e-4 * zeta, -2e-4 * zeta};
  jager_status status = JAGER_OK;
  if (call == 0) {
    status = jager_contact_move(&b->contact, law, b->pool, zeta, dxi, &force);
  } else if (call == 1) {
    status = move_with_energy(&b->contact, law, b->pool, zeta, dxi, &force, &energy);
  } else if (call == 2) {
    jager_force asked = jager_contact_force(&b->contact);
    asked.fn *= 1.01;
    asked.ft[0] += 1e-4 * asked.fn;
    status = load_with_energy(&b->contact, law, b->pool, &asked, &movement, &energy);
  } else if (call == 3) {
    status = jager_contact_clone(&b->contact, b->pool, other);
  } else if (call == 4) {
    status = jager_contact_unpack(other, law, b->pool, bytes, size, NULL);
  } else { /* less friction, which changes the history first */
    law->friction = 0.8 * law->friction;
    status = jager_contact_move(&b->contact, law, b->pool, zeta, dxi, &force);
  }
  if (status != JAGER_OK)
    ck_assert(force.fn == 7.0 && energy.normal == 7.0 && movement.zeta == 7.0);
  return status;
}

static bool makes_a_second_contact(int call)
{
  return call == 3 || call == 4;
}

/* Makes a contact of this length in a pool of `limit` bytes, and the call. */
static jager_status call_within(int call, uint32_t length, size_t limit)
{
  uint64_t seed = length;
  SCOPED_BENCH model = bench_create(law_of_kind(0));
  climb(&model, length, 1e-4, &seed);
  size_t size = jager_contact_pack_size(&model.contact);
  unsigned char bytes[8000], after[8000];
  ck_assert_uint_le(size, sizeof bytes);
  assert_ok(jager_contact_pack(&model.contact, bytes, sizeof bytes));
  SCOPED_BENCH b = {.law = model.law, .pool = jager_pool_create(limit)};
  assert_ok(jager_contact_clone(&model.contact, b.pool, &b.contact));
  jager_contact before = b.contact, other = untouched_contact(), untouched = other;
  jager_law law = b.law;
  size_t in_use = jager_pool_bytes_in_use(b.pool);
  jager_status status = try_call(call, &law, &b, &other, bytes, size);
  ck_assert_uint_le(jager_pool_bytes(b.pool), limit);
  assert_counts_are_right(b.pool);
  if (status != JAGER_OK) {
    ck_assert_int_eq(status, JAGER_ERROR_MEMORY);
    ck_assert_mem_eq(&b.contact, &before, sizeof before);
    ck_assert_mem_eq(&other, &untouched, sizeof other);
    assert_ok(jager_contact_pack(&b.contact, after, sizeof after));
    ck_assert_mem_eq(after, bytes, size); /* the history, too */
    ck_assert_uint_eq(jager_pool_bytes_in_use(b.pool), in_use);
  } else if (makes_a_second_contact(call)) {
    jager_contact_release(&other, b.pool);
  }
  return status;
}

/* The limit rises from just enough for the contact: the call fails and changes nothing until memory suffices. */
TEST_LOOP(out_of_memory_leaves_the_contact_as_it_was, CALLS)
{
  int failed = 0;
  for (uint32_t length = 3; length <= 33; length++) {
    size_t nodes = nodes_of(length), limit = sizeof(jager_pool) + (nodes ? 128 + 128 * nodes : 0);
    jager_status status;
    do {
      status = call_within(_i, length, limit);
      failed += status != JAGER_OK;
      limit += 64;
      ck_assert_uint_lt(limit, 20000);
    } while (status != JAGER_OK);
  }
  ck_assert_int_ge(failed, 6);
}

TEST(turning_points_run_out_of_memory)
{
  SCOPED_BENCH b = {.law = law_of_kind(8), .pool = jager_pool_create(sizeof(jager_pool) + 64 + 3 * (64 + 128))};
  assert_ok(jager_contact_init(&b.contact, &b.law, 1.0, 1.0));
  double zeta = 1e-3, width = b.law.friction * b.law.kappa * zeta;
  jager_status status = JAGER_OK;
  jager_contact before = b.contact;
  for (int i = 0; i < 100 && status == JAGER_OK; i++, width *= 0.95) {
    const double dxi[2] = {i % 2 ? -width : width, 0.0};
    before = b.contact;
    status = jager_contact_move(&b.contact, &b.law, b.pool, zeta, dxi, NULL);
  }
  ck_assert_int_eq(status, JAGER_ERROR_MEMORY);
  ck_assert_mem_eq(&before, &b.contact, sizeof before);
  ck_assert_uint_eq(jager_contact_length(&b.contact), 2 + 1 + 12); /* the latest, and three nodes of a slab each */
}

/* All contacts share the limit: memory that one gives back serves another. */
TEST(a_limit_is_shared)
{
  uint64_t seed = 3;
  struct bench a = {.law = law_of_kind(0), .pool = jager_pool_create(10000)}, b;
  assert_ok(jager_contact_init(&a.contact, &a.law, 1.0, 1.0));
  b = a;
  climb(&a, 200, 1e-4, &seed);
  jager_status status = JAGER_OK;
  for (double zeta = 1e-4; status == JAGER_OK; zeta += 1e-4) {
    const double dxi[2] = {random_in(&seed, 0.0, 1e-5), 0.0};
    status = jager_contact_move(&b.contact, &b.law, b.pool, zeta, dxi, NULL);
  }
  ck_assert_int_eq(status, JAGER_ERROR_MEMORY);
  ck_assert_uint_gt(jager_contact_length(&b.contact), 80);
  ck_assert_uint_le(jager_pool_bytes(a.pool), 10000);
  const double dxi[2] = {1e-6, 2e-6};
  double higher = jager_contact_zeta(&b.contact) + 1e-4;
  ck_assert_int_eq(jager_contact_move(&b.contact, &b.law, b.pool, higher, dxi, NULL), JAGER_ERROR_MEMORY);
  jager_contact_release(&a.contact, a.pool);
  assert_ok(jager_contact_move(&b.contact, &b.law, b.pool, higher, dxi, NULL));
  bench_destroy(&b);
}

/* ---- The caller's allocator ------------------------------------------------------------------------------------- */

/* An allocator that counts, and gives at most `most` blocks. */
typedef struct counting {
  size_t blocks, bytes, most;
} counting;

static void *count_block(void *context, size_t bytes, size_t alignment)
{
  counting *c = context;
  ck_assert(alignment > 0 && alignment <= 64 && (alignment & (alignment - 1)) == 0 && bytes % alignment == 0);
  if (c->blocks == c->most)
    return NULL;
  c->blocks++;
  c->bytes += bytes;
  return aligned_alloc(alignment, bytes);
}

static void forget_block(void *context, void *block, size_t bytes)
{
  counting *c = context;
  ck_assert_ptr_nonnull(block);
  c->blocks--;
  c->bytes -= bytes;
  free(block);
}

TEST(all_memory_comes_from_the_callers_allocator)
{
  counting count = {.most = 5};
  const jager_allocator allocator = {count_block, forget_block, &count};
  struct bench b = {.law = law_of_kind(0), .pool = jager_pool_create_with(0, &allocator)};
  ck_assert_ptr_nonnull(b.pool);
  assert_ok(jager_contact_init(&b.contact, &b.law, 1.0, 1.0));
  jager_status status = JAGER_OK;
  for (int i = 1; status == JAGER_OK; i++) {
    const double dxi[2] = {1e-7 * (i % 7), 0.0};
    status = jager_contact_move(&b.contact, &b.law, b.pool, 1e-5 * i, dxi, NULL);
    ck_assert_uint_eq(jager_pool_bytes(b.pool), count.bytes);
  }
  ck_assert_int_eq(status, JAGER_ERROR_MEMORY);
  ck_assert_uint_eq(count.blocks, 5);
  ck_assert_uint_gt(jager_contact_length(&b.contact), 3 * SLAB_NODES * NODE_ENTRIES); /* the pool, the table, 3 slabs */
  bench_destroy(&b);
  ck_assert(count.blocks == 0 && count.bytes == 0);
}

/*
 * Begins contacts until blocks or bytes run out; arranging them fails, too. Failures change nothing, and are counted.
 */
static void fill_pairs(jager_pairs *pairs, const counting *count, uint32_t *contacts)
{
  jager_law law = law_of_kind(0);
  const double branch[3] = {0.0, 0.0, 1.99};
  jager_status status = JAGER_OK;
  uint32_t number, order[1000];
  for (*contacts = 0; status == JAGER_OK && *contacts < 1000; *contacts += status == JAGER_OK) {
    assert_ok(jager_law_set_friction(&law, 0.1 + 0.1 * (*contacts / 20 % 8)));
    status = jager_pairs_begin(pairs, &law, 1.0, 1.0, branch, NULL, &number);
    ck_assert_uint_eq(jager_pairs_bytes(pairs), count->bytes);
    order[*contacts] = *contacts;
  }
  ck_assert_int_eq(status, JAGER_ERROR_MEMORY);
  const size_t bytes = count->bytes;
  ck_assert_int_eq(jager_pairs_arrange(pairs, order, *contacts), JAGER_ERROR_MEMORY);
  ck_assert_uint_eq(count->bytes, bytes);
  for (uint32_t k = 0; k < *contacts; k++) {
    jager_contact view;
    assert_ok(jager_pairs_view(pairs, k, &view));
    ck_assert(jager_contact_friction(&view) == 0.1 + 0.1 * (k / 20 % 8));
  }
}

TEST(pairs_take_an_allocator_and_a_limit_as_pools_do)
{
  counting count = {.most = 4};
  const jager_allocator allocator = {count_block, forget_block, &count};
  jager_pairs *pairs = jager_pairs_create_with(0, &allocator);
  uint32_t contacts;
  ck_assert_ptr_nonnull(pairs);
  fill_pairs(pairs, &count, &contacts);
  ck_assert_uint_gt(contacts, 7); /* more than the records that there is room for at first */
  jager_pairs_destroy(pairs);
  ck_assert(count.blocks == 0 && count.bytes == 0);

  const size_t limit = 40000;
  count = (counting){.most = SIZE_MAX};
  pairs = jager_pairs_create_with(limit, &allocator);
  ck_assert_ptr_nonnull(pairs);
  fill_pairs(pairs, &count, &contacts);
  ck_assert(count.bytes <= limit && contacts > 50);
  jager_pairs_end(pairs, 3); /* freed memory can be used again */
  const double branch[3] = {0.0, 0.0, 1.99};
  jager_law law = law_of_kind(0);
  assert_ok(jager_law_set_friction(&law, 0.1));
  uint32_t number;
  assert_ok(jager_pairs_begin(pairs, &law, 1.0, 1.0, branch, NULL, &number));
  ck_assert_uint_eq(number, 3);
  jager_pairs_destroy(pairs);
  ck_assert(count.blocks == 0 && count.bytes == 0);
}

TEST(an_allocator_that_gives_nothing_makes_no_pool)
{
  counting count = {.most = 0};
  const jager_allocator none = {count_block, forget_block, &count},
                        halves[2] = {{count_block, NULL, &count}, {NULL, forget_block, &count}};
  ck_assert_ptr_null(jager_pool_create_with(0, &none));
  ck_assert_ptr_null(jager_pool_create_with(0, &halves[0]));
  ck_assert_ptr_null(jager_pool_create_with(0, &halves[1]));
  for (count.most = 0; count.most < 2; count.most++) { /* the pool of the pairs, and the pairs */
    ck_assert_ptr_null(jager_pairs_create_with(0, &none));
    ck_assert_uint_eq(count.blocks, 0);
  }
  ck_assert_ptr_null(jager_pairs_create_with(0, &halves[0]));
  ck_assert_ptr_null(jager_pairs_create_with(0, &halves[1]));
  ck_assert_ptr_null(jager_pairs_create(1)); /* a byte is not enough */
  SCOPED_POOL usual = jager_pool_create_with(0, NULL);
  ck_assert_ptr_nonnull(usual);
}

/* ---- Bytes an entry --------------------------------------------------------------------------------------------- */

TEST(at_most_33_bytes_an_entry)
{
  enum { CONTACTS = 8700 };
  uint64_t seed = 4;
  struct bench b = bench_create(law_of_kind(0));
  jager_contact *contacts = calloc(CONTACTS, sizeof *contacts);
  ck_assert_ptr_nonnull(contacts);
  size_t entries = 0, points = 0;
  for (int i = 0; i < CONTACTS; i++) {
    uint32_t length = 1 + (uint32_t)(random_bits(&seed) % 39); /* 20 on average */
    assert_ok(jager_contact_init(&contacts[i], &b.law, 1.0, 1.0));
    for (uint32_t k = 1; k < length; k++) {
      const double dxi[2] = {random_in(&seed, -1e-5, 1e-5), random_in(&seed, -1e-5, 1e-5)};
      if (jager_contact_move(&contacts[i], &b.law, b.pool, 1e-4 * k, dxi, NULL) != JAGER_OK)
        ck_abort_msg("out of memory");
    }
    ck_assert_uint_eq(jager_contact_length(&contacts[i]), length);
    entries += length - 1;
    points += length;
  }
  double bytes = (double)jager_pool_bytes(b.pool) / (double)entries;
  double with_contacts = ((double)jager_pool_bytes(b.pool) + (double)(CONTACTS * sizeof *contacts)) / (double)entries;
  printf("average length %.2f: %.2f bytes an entry, %.2f with the contacts themselves\n", (double)points / CONTACTS,
         bytes, with_contacts);
  ck_assert_double_ge((double)points / CONTACTS, 19.5);
  ck_assert_double_le(bytes, 33.0);
  free(contacts);
  jager_pool_destroy(b.pool);
}

/* ---- Threads ---------------------------------------------------------------------------------------------------- */

typedef struct work {
  uint64_t seed;
  uint64_t hash; /* of all forces */
  bool failed;
} work;

/* Some contacts of one pool, moved in turn, cloned, packed and released */
static void *do_work(void *argument)
{
  enum { CONTACTS = 50, ROUNDS = 400 };
  work *w = argument;
  uint64_t seed = w->seed;
  struct bench b = {.law = example_law(), .pool = jager_pool_create(0)};
  jager_contact contacts[CONTACTS] = {0};
  w->hash = 14695981039346656037u;
  w->failed = !b.pool;
  for (int i = 0; i < CONTACTS; i++)
    w->failed |= jager_contact_init(&contacts[i], &b.law, 1.0, 1.0) != JAGER_OK;
  for (int round = 0; round < ROUNDS && !w->failed; round++)
    for (int i = 0; i < CONTACTS; i++) {
      jager_force force;
      jager_contact copy = {0};
      b.contact = contacts[i];
      jager_movement m = any_movement(&b, 1e-3, &seed);
      w->failed |= jager_contact_move(&contacts[i], &b.law, b.pool, m.zeta, m.dxi, &force) != JAGER_OK;
      if (round % 16 == 0) {
        w->failed |= jager_contact_clone(&contacts[i], b.pool, &copy) != JAGER_OK;
        jager_contact_release(&contacts[i], b.pool);
        contacts[i] = copy;
      }
      uint64_t bits[3];
      memcpy(bits, &force, sizeof bits);
      for (int k = 0; k < 3; k++)
        w->hash = (w->hash ^ bits[k]) * 1099511628211u;
    }
  for (int i = 0; i < CONTACTS; i++)
    jager_contact_release(&contacts[i], b.pool);
  w->failed |= jager_pool_bytes_in_use(b.pool) != 0;
  jager_pool_destroy(b.pool);
  return NULL;
}

TEST(pools_work_side_by_side)
{
  enum { THREADS = 4 };
  work serial[THREADS], parallel[THREADS];
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++) {
    serial[i] = parallel[i] = (work){.seed = (uint64_t)(100 + i / 2)}; /* two do the same, at the same time */
    (void)do_work(&serial[i]);
  }
  for (int i = 0; i < THREADS; i++)
    ck_assert_int_eq(pthread_create(&threads[i], NULL, do_work, &parallel[i]), 0);
  for (int i = 0; i < THREADS; i++)
    ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
  for (int i = 0; i < THREADS; i++) {
    ck_assert(!serial[i].failed && !parallel[i].failed);
    ck_assert_msg(serial[i].hash == parallel[i].hash, "thread %d differs", i);
  }
  ck_assert(serial[0].hash == serial[1].hash && serial[0].hash != serial[2].hash);
}
