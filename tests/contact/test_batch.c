/* SPDX-License-Identifier: MIT */
/*
 * Many contacts moved at once. Oracle: twins that move one by one. Invariants: the same bits in forces, states and
 * histories; an error stops at the same contact as for the twins, and changes neither it nor any later one.
 */
#include "histories.h"
#include "contact/history.h"

#include <stdbool.h>
#include <string.h>

enum { MANY = 150 };

/* Contacts and their twins, each with a pool of its own */
struct crowd {
  jager_law law;
  jager_pool *pool, *twin_pool;
  jager_contact contact[MANY], twin[MANY];
  jager_contact *pointers[MANY];
  double zeta[MANY], dxi[2][MANY], fn[MANY], ft[2][MANY];
  jager_state state[MANY];
};

static void crowd_create(struct crowd *c, jager_law law, uint64_t *seed)
{
  c->law = law;
  c->pool = jager_pool_create(0);
  c->twin_pool = jager_pool_create(0);
  for (int k = 0; k < MANY; k++) {
    assert_ok(jager_contact_init(&c->contact[k], &c->law, random_in(seed, 0.5, 2.0), 1.0));
    c->twin[k] = c->contact[k];
    c->pointers[k] = &c->contact[k];
  }
}

static void crowd_destroy(struct crowd *c)
{
  for (int k = 0; k < MANY; k++) {
    jager_contact_release(&c->contact[k], c->pool);
    jager_contact_release(&c->twin[k], c->twin_pool);
  }
  ck_assert_uint_eq(jager_pool_bytes_in_use(c->pool), 0);
  jager_pool_destroy(c->pool);
  jager_pool_destroy(c->twin_pool);
}

static jager_moves moves_of(struct crowd *c, size_t count)
{
  return (jager_moves){.count = count,
                       .contacts = c->pointers,
                       .zeta = c->zeta,
                       .dxi = {c->dxi[0], c->dxi[1]},
                       .fn = c->fn,
                       .ft = {c->ft[0], c->ft[1]},
                       .state = c->state};
}

/* Mostly small movements with a common drift, so that slip continues; some of any size, and some that separate. */
static void choose_movements(struct crowd *c, size_t count, uint64_t *seed)
{
  for (size_t k = 0; k < count; k++) {
    struct bench b = {.law = c->law, .contact = c->contact[k]};
    jager_movement m = any_movement(&b, 1e-4, seed);
    if (random_bits(seed) % 4) {
      double small = c->law.kappa * c->law.friction * 1e-7;
      m = (jager_movement){fmax(jager_contact_zeta(&c->contact[k]), 1e-5) + random_in(seed, -1e-7, 1e-7),
                           {small * random_in(seed, -1.0, 2.0), small * random_in(seed, -1.0, 1.0)}};
    }
    c->zeta[k] = random_bits(seed) % 64 ? m.zeta : -1e-6;
    c->dxi[0][k] = m.dxi[0];
    c->dxi[1][k] = m.dxi[1];
  }
}

/* Compares all but the pointer to the node. */
static bool contacts_are_equal(const jager_contact *a, const jager_contact *b)
{
  jager_contact x = *a, y = *b;
  data_of(&x)->node = data_of(&y)->node = NULL;
  return memcmp(&x, &y, sizeof x) == 0;
}

static void assert_histories_are_equal(const struct crowd *c, size_t k)
{
  static jager_point mine[4000], his[4000];
  if (c->law.model != JAGER_MODEL_JAGER)
    return;
  assert_ok(jager_contact_history(&c->contact[k], &c->law, mine, 4000));
  assert_ok(jager_contact_history(&c->twin[k], &c->law, his, 4000));
  ck_assert_mem_eq(mine, his, jager_contact_length(&c->contact[k]) * sizeof mine[0]);
}

static void move_twins(struct crowd *c, size_t count, unsigned states[4])
{
  for (size_t k = 0; k < count; k++) {
    jager_force force;
    double dxi[2] = {c->dxi[0][k], c->dxi[1][k]};
    assert_ok(jager_contact_move(&c->twin[k], &c->law, c->twin_pool, c->zeta[k], dxi, &force));
    ck_assert_msg(contacts_are_equal(&c->contact[k], &c->twin[k]), "contact %zu differs from its twin", k);
    ck_assert(c->fn[k] == force.fn && c->ft[0][k] == force.ft[0] && c->ft[1][k] == force.ft[1]);
    ck_assert_int_eq(c->state[k], jager_contact_state(&c->twin[k]));
    states[c->state[k]]++;
  }
}

TEST_LOOP(many_move_as_one_by_one, LAW_WITH_TOLERANCE + 1)
{
  static struct crowd c;
  uint64_t seed = 20261116 + (uint64_t)_i;
  unsigned states[4] = {0};
  crowd_create(&c, law_of_kind(_i), &seed);
  for (int step = 0; step < 600; step++) {
    size_t count = step % 3 ? MANY : random_bits(&seed) % (MANY + 1), moved;
    if (step % 50 == 49) /* friction that changes */
      c.law.friction = random_in(&seed, 0.2, 0.6);
    choose_movements(&c, count, &seed);
    jager_moves moves = moves_of(&c, count);
    if (step % 7 == 0) { /* without an array for states */
      moves.state = NULL;
      for (size_t k = 0; k < count; k++)
        c.state[k] = JAGER_STATE_COUNT;
    }
    assert_ok(jager_contacts_move(&moves, &c.law, c.pool, step % 2 ? &moved : NULL));
    if (step % 2)
      ck_assert_uint_eq(moved, count);
    for (size_t k = 0; !moves.state && k < count; k++) {
      ck_assert_int_eq(c.state[k], JAGER_STATE_COUNT);
      c.state[k] = jager_contact_state(&c.contact[k]);
    }
    move_twins(&c, count, states);
  }
  for (size_t k = 0; k < MANY; k++)
    assert_histories_are_equal(&c, k);
  for (int state = 0; state < 4; state++)
    ck_assert_msg(states[state] > 50 || (state == JAGER_STATE_SLIP && (_i == 5 || _i == 6)),
                  "only %u movements ended in state %d", states[state], state);
  crowd_destroy(&c);
}

/* Movements of zero */
TEST(no_movement_changes_no_bit)
{
  static struct crowd c;
  uint64_t seed = 5;
  crowd_create(&c, law_of_kind(0), &seed);
  for (int step = 0; step < 40; step++) {
    choose_movements(&c, MANY, &seed);
    jager_moves moves = moves_of(&c, MANY);
    assert_ok(jager_contacts_move(&moves, &c.law, c.pool, NULL));
  }
  static jager_contact before[MANY];
  memcpy(before, c.contact, sizeof before);
  for (size_t k = 0; k < MANY; k++) {
    c.zeta[k] = jager_contact_zeta(&c.contact[k]);
    c.dxi[0][k] = c.dxi[1][k] = 0.0;
  }
  jager_moves moves = moves_of(&c, MANY);
  assert_ok(jager_contacts_move(&moves, &c.law, c.pool, NULL));
  ck_assert_mem_eq(before, c.contact, sizeof before);
  for (size_t k = 0; k < MANY; k++)
    jager_contact_release(&c.twin[k], c.twin_pool);
  crowd_destroy(&c);
}

/* ---- Errors ------------------------------------------------------------------------------------------------------ */

/*
 * Moves all, with a mistake at contact `expected`: the contacts before it move; it and all later ones keep their state,
 * and their results are not written.
 */
static void assert_stops(struct crowd *c, size_t expected, jager_status status)
{
  static jager_contact before[MANY];
  memcpy(before, c->contact, sizeof before);
  for (size_t k = 0; k < MANY; k++)
    c->fn[k] = c->ft[0][k] = c->ft[1][k] = -7.0, c->state[k] = JAGER_STATE_COUNT;
  jager_moves moves = moves_of(c, MANY);
  size_t moved = 99;
  ck_assert_int_eq(jager_contacts_move(&moves, &c->law, c->pool, &moved), status);
  ck_assert_uint_eq(moved, expected);
  ck_assert_mem_eq(before + moved, c->contact + moved, (MANY - moved) * sizeof before[0]);
  for (size_t k = moved; k < MANY; k++)
    ck_assert(c->fn[k] == -7.0 && c->ft[0][k] == -7.0 && c->ft[1][k] == -7.0 && c->state[k] == JAGER_STATE_COUNT);
  unsigned states[4] = {0};
  move_twins(c, moved, states);
}

TEST(a_mistake_stops_at_its_contact)
{
  static struct crowd c;
  uint64_t seed = 77;
  crowd_create(&c, law_of_kind(0), &seed);
  choose_movements(&c, MANY, &seed);
  c.zeta[70] = NAN;
  assert_stops(&c, 70, JAGER_ERROR_NOT_FINITE);
  choose_movements(&c, MANY, &seed);
  c.dxi[1][3] = INFINITY;
  assert_stops(&c, 3, JAGER_ERROR_NOT_FINITE);
  choose_movements(&c, MANY, &seed);
  c.dxi[0][149] = 1e200;
  assert_stops(&c, 149, JAGER_ERROR_TOO_LARGE);
  choose_movements(&c, MANY, &seed);
  data_of(&c.contact[130])->model = JAGER_MODEL_LINEAR;
  assert_stops(&c, 130, JAGER_ERROR_MODEL);
  data_of(&c.contact[130])->model = JAGER_MODEL_JAGER;
  crowd_destroy(&c);
}

/* How many of the twins can be moved, one after the other */
static size_t twins_that_move(const struct crowd *c)
{
  jager_contact before[MANY];
  memcpy(before, c->twin, sizeof before);
  for (size_t k = 0; k < MANY; k++) {
    double dxi[2] = {c->dxi[0][k], c->dxi[1][k]};
    if (jager_contact_move(&before[k], &c->law, c->twin_pool, c->zeta[k], dxi, NULL) != JAGER_OK)
      return k;
  }
  return MANY;
}

/*
 * Pools that cannot grow: each elastic movement adds a segment, and the first hundred contacts start two steps later.
 */
TEST(without_memory_it_stops_where_the_twins_stop)
{
  static struct crowd c;
  uint64_t seed = 3;
  crowd_create(&c, law_of_kind(0), &seed);
  c.pool->byte_limit = c.twin_pool->byte_limit = 1;
  for (int step = 0;; step++) {
    ck_assert_int_lt(step, 20);
    for (size_t k = 0; k < MANY; k++) {
      int number = step - 2 * (k < 100); /* the first hundred start later */
      c.zeta[k] = 1e-5 * (number < 0 ? 0 : number + 1);
      c.dxi[0][k] = 1e-7 * (step % 2);
      c.dxi[1][k] = 1e-7;
    }
    size_t most = twins_that_move(&c); /* moves copies, which have no nodes yet */
    if (most < MANY) {
      ck_assert_uint_eq(most, 100);
      assert_stops(&c, most, JAGER_ERROR_MEMORY);
      break;
    }
    jager_moves moves = moves_of(&c, MANY);
    unsigned states[4] = {0};
    assert_ok(jager_contacts_move(&moves, &c.law, c.pool, NULL));
    move_twins(&c, MANY, states);
  }
  crowd_destroy(&c);
}

TEST(nothing_given_is_an_error)
{
  static struct crowd c;
  uint64_t seed = 1;
  size_t moved;
  crowd_create(&c, law_of_kind(0), &seed);
  choose_movements(&c, MANY, &seed);
  jager_moves moves = moves_of(&c, MANY), none = {.count = 0};
  ck_assert_int_eq(jager_contacts_move(&moves, NULL, c.pool, &moved), JAGER_ERROR_NULL);
  ck_assert_int_eq(jager_contacts_move(&moves, &c.law, NULL, &moved), JAGER_ERROR_NULL);
  ck_assert_int_eq(jager_contacts_move(NULL, &c.law, c.pool, &moved), JAGER_ERROR_NULL);
  const void *parts[7];
  memcpy(parts, &moves.contacts, sizeof parts);
  for (size_t k = 0; k < 7; k++) { /* each of the arrays missing */
    const void *fewer[7];
    memcpy(fewer, parts, sizeof fewer);
    fewer[k] = NULL;
    jager_moves lacking = moves;
    memcpy(&lacking.contacts, fewer, sizeof fewer);
    ck_assert_int_eq(jager_contacts_move(&lacking, &c.law, c.pool, &moved), JAGER_ERROR_NULL);
    ck_assert_uint_eq(moved, 0);
  }
  jager_contact *held = c.pointers[100];
  c.pointers[100] = NULL;
  ck_assert_int_eq(jager_contacts_move(&moves, &c.law, c.pool, &moved), JAGER_ERROR_NULL);
  ck_assert_uint_eq(moved, 100);
  c.pointers[100] = held;
  assert_ok(jager_contacts_move(&none, &c.law, c.pool, &moved)); /* no contacts need no arrays */
  ck_assert_uint_eq(moved, 0);
  crowd_destroy(&c);
}
