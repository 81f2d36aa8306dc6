/* SPDX-License-Identifier: MIT */
/*
 * Contacts as bytes and as copies. Oracles: a golden string of bytes made elsewhere; the original contact, which must
 * continue to the same bits as the unpacked one. Invariant: a clone shares nothing with its original.
 */
#include "packing.h"

/* The contact is packed, and unpacked into another pool: both are equal, and stay so under the same movements. */
static void assert_survives(struct bench *b, int movements, uint64_t *seed)
{
  SCOPED_BENCH other = {.law = b->law, .pool = jager_pool_create(0)};
  packed p = pack(&b->contact);
  size_t used = 0;
  assert_ok(jager_contact_unpack(&other.contact, &other.law, other.pool, p.bytes, p.size, &used));
  ck_assert_uint_eq(used, p.size);
  ck_assert_int_eq(jager_contact_equal(&b->contact, &other.contact), 1);
  packed again = pack(&other.contact);
  ck_assert_uint_eq(again.size, p.size);
  ck_assert_mem_eq(again.bytes, p.bytes, p.size);
  for (int i = 0; i < movements; i++) {
    jager_movement m = any_movement(b, 2e-3, seed);
    jager_force one = bench_move(b, m.zeta, m.dxi[0], m.dxi[1]);
    jager_force two = bench_move(&other, m.zeta, m.dxi[0], m.dxi[1]);
    ck_assert_mem_eq(&one, &two, sizeof one);
    ck_assert_int_eq(jager_contact_equal(&b->contact, &other.contact), 1);
  }
  free(p.bytes);
  free(again.bytes);
}

/* ---- There and back --------------------------------------------------------------------------------------------- */

TEST_LOOP(every_length_survives, LAW_KINDS)
{
  uint64_t seed = 1;
  for (uint32_t length = 1; length <= 60; length++) {
    SCOPED_BENCH b = bench_with_history(_i, length, &seed);
    if (_i < 4)
      ck_assert_uint_eq(jager_contact_length(&b.contact), length);
    if (_i == 8 && length > 1)
      ck_assert_uint_ge(jager_contact_length(&b.contact), length);
    assert_survives(&b, 40, &seed);
  }
}

TEST_LOOP(long_histories_survive, 3)
{
  uint64_t seed = 2;
  for (uint32_t length = 300; length < 200000; length = length * 9 + 1) {
    SCOPED_BENCH b = bench_with_history(_i, length, &seed);
    assert_survives(&b, 20, &seed);
    jager_contact copy = {0};
    assert_ok(jager_contact_clone(&b.contact, b.pool, &copy));
    ck_assert_int_eq(jager_contact_equal(&b.contact, &copy), 1);
    jager_contact_release(&copy, b.pool);
  }
}

/* Extreme states are accepted, too: tiny and huge scales, changing friction. */
TEST_LOOP(random_histories_survive, LAW_WITH_TOLERANCE + 1)
{
  uint64_t seed = 3;
  for (int i = 0; i < 150; i++) {
    SCOPED_BENCH b = bench_create(law_of_kind(_i));
    double scale = i % 3 ? 1e-3 : exp2(random_in(&seed, -1060.0, 60.0));
    for (int k = 0; k < 10; k++) {
      if (i % 5 == 0)
        assert_ok(jager_law_set_friction(&b.law, k % 3 ? 0.3 * k : exp2(random_in(&seed, -30.0, 5.0))));
      wander(&b, scale, 10, &seed);
      assert_survives(&b, 3, &seed);
    }
  }
}

/* Pressed straight, then sheared to and fro: past forces leave traces in the last bits of the anchor. */
TEST(every_state_of_a_path_survives)
{
  jager_law law = example_law();
  assert_ok(jager_law_set_bodies(&law, 29e9, 0.15));
  uint64_t random = 31;
  for (int trial = 0; trial < 1000; trial++) {
    SCOPED_BENCH b = {.law = law, .pool = jager_pool_create(0)};
    assert_ok(jager_contact_init(&b.contact, &law, 1e-3, 1e-3));
    double zeta = 0.0;
    for (int i = 0; i < 60; i++) {
      zeta = i < 3 ? zeta + random_in(&random, 1e-9, 4e-8) : fmax(1e-9, zeta + random_in(&random, -4e-8, 4e-8));
      double shear = i < 3 ? 0.0 : 2e-8, dxi = shear * random_in(&random, -1.0, 1.0);
      bench_move(&b, zeta, dxi, shear * random_in(&random, -1.0, 1.0));
      packed p = pack(&b.contact);
      jager_contact copy = {0};
      jager_status status = jager_contact_unpack(&copy, &law, b.pool, p.bytes, p.size, NULL);
      if (status != JAGER_OK || !jager_contact_equal(&b.contact, &copy))
        ck_abort_msg("trial %d, step %d: %s", trial, i, jager_status_text(status));
      jager_contact_release(&copy, b.pool);
      free(p.bytes);
    }
  }
}

TEST_LOOP(clones_are_independent, LAW_KINDS)
{
  uint64_t seed = 4;
  for (uint32_t length = 1; length < 30; length++) {
    SCOPED_BENCH b = bench_with_history(_i, length, &seed), other = {.law = b.law, .pool = jager_pool_create(0)};
    jager_contact twin = {0};
    assert_ok(jager_contact_clone(&b.contact, other.pool, &other.contact));
    assert_ok(jager_contact_clone(&b.contact, b.pool, &twin));
    packed before = pack(&b.contact);
    wander(&other, 1e-3, 50, &seed);
    packed after = pack(&b.contact);
    ck_assert_uint_eq(after.size, before.size);
    ck_assert_mem_eq(after.bytes, before.bytes, before.size);
    jager_contact_release(&b.contact, b.pool); /* the original is released, its nodes are reused, the twin stays */
    wander(&b, 1e-3, 50, &seed);
    packed last = pack(&twin);
    ck_assert_uint_eq(last.size, before.size);
    ck_assert_mem_eq(last.bytes, before.bytes, before.size);
    jager_contact_release(&twin, b.pool);
    free(before.bytes);
    free(after.bytes);
    free(last.bytes);
  }
}

/* A target that has a history is refused and not changed: no history can be lost. */
TEST_LOOP(targets_that_hold_a_history_are_refused, LAW_KINDS)
{
  uint64_t seed = 6;
  for (uint32_t length = 2; length < 20; length++) {
    SCOPED_BENCH b = bench_with_history(_i, length, &seed), target = bench_with_history(_i, 2 + length % 7, &seed);
    packed p = pack(&b.contact), before = pack(&target.contact);
    size_t in_use = jager_pool_bytes_in_use(target.pool), used = 77;
    ck_assert_int_eq(jager_contact_init(&target.contact, &b.law, 1.0, 1.0), JAGER_ERROR_IN_USE);
    ck_assert_int_eq(jager_contact_clone(&b.contact, target.pool, &target.contact), JAGER_ERROR_IN_USE);
    ck_assert_int_eq(jager_contact_clone(&target.contact, target.pool, &target.contact), JAGER_ERROR_IN_USE);
    ck_assert_int_eq(jager_contact_unpack(&target.contact, &b.law, target.pool, p.bytes, p.size, &used),
                     JAGER_ERROR_IN_USE);
    packed after = pack(&target.contact);
    ck_assert(after.size == before.size && memcmp(after.bytes, before.bytes, after.size) == 0);
    ck_assert(jager_pool_bytes_in_use(target.pool) == in_use && used == 77);
    bench_move(&target, -1e-3, 0.0, 0.0); /* separated: nothing to lose */
    assert_ok(jager_contact_clone(&b.contact, target.pool, &target.contact));
    jager_contact_release(&target.contact, target.pool);
    assert_ok(jager_contact_unpack(&target.contact, &b.law, target.pool, p.bytes, p.size, &used));
    jager_contact_release(&target.contact, target.pool);
    assert_ok(jager_contact_init(&target.contact, &b.law, 1.0, 1.0));
    free(p.bytes);
    free(before.bytes);
    free(after.bytes);
  }
}

/* ---- Compare ---------------------------------------------------------------------------------------------------- */

TEST(equal_sees_any_change)
{
  uint64_t seed = 5;
  SCOPED_BENCH b = bench_with_history(0, 14, &seed);
  jager_contact twin = {0};
  assert_ok(jager_contact_clone(&b.contact, b.pool, &twin));
  for (size_t i = 0; i < sizeof twin; i++) {
    if (i >= offsetof(contact_data, node) && i < offsetof(contact_data, length))
      continue; /* where the history lies does not matter */
    for (int bit = 0; bit < 8; bit++) {
      jager_contact changed = twin;
      ((unsigned char *)&changed)[i] ^= (unsigned char)(1 << bit);
      if (i != offsetof(contact_data, fill) || data_of(&changed)->fill <= NODE_ENTRIES)
        ck_assert_msg(!jager_contact_equal(&b.contact, &changed), "byte %zu", i);
    }
  }
  unsigned fill = data_of(&twin)->fill, entries = 0;
  for (history_node *node = data_of(&twin)->node; node; node = node->below, fill = NODE_ENTRIES)
    for (size_t i = 0; i < fill * sizeof node->entry[0]; i++) {
      unsigned char *byte = (unsigned char *)node->entry + i;
      *byte ^= 0x10;
      ck_assert(!jager_contact_equal(&b.contact, &twin));
      *byte ^= 0x10;
      entries += i % sizeof node->entry[0] == 0;
    }
  ck_assert_uint_eq(entries, 14 - 3);
  ck_assert(jager_contact_equal(&b.contact, &twin));
  ck_assert(!jager_contact_equal(&b.contact, NULL) && !jager_contact_equal(NULL, &twin) &&
            jager_contact_equal(NULL, NULL));
  jager_contact_release(&twin, b.pool);
  ck_assert(!jager_contact_equal(&b.contact, &twin));
}

/* ---- Memory, and the format ------------------------------------------------------------------------------------- */

TEST(out_of_memory_leaves_no_trace)
{
  uint64_t seed = 12;
  SCOPED_BENCH b = bench_with_history(0, 60, &seed);
  packed p = pack(&b.contact);
  jager_contact contact = untouched_contact(), before = contact;
  size_t needed = 15 * sizeof(history_node) + 64 + 64 + sizeof(jager_pool); /* 57 entries; a head; a table of slabs */
  for (size_t limit = 1; limit < needed; limit += 37) {
    SCOPED_POOL tiny = jager_pool_create(limit);
    ck_assert_int_eq(refused(&b.law, tiny, p.bytes, p.size), JAGER_ERROR_MEMORY);
    ck_assert_int_eq(jager_contact_clone(&b.contact, tiny, &contact), JAGER_ERROR_MEMORY);
    ck_assert_mem_eq(&contact, &before, sizeof before);
    ck_assert_uint_eq(jager_pool_bytes_in_use(tiny), 0);
  }
  SCOPED_POOL enough = jager_pool_create(needed);
  assert_ok(jager_contact_unpack(&contact, &b.law, enough, p.bytes, p.size, NULL));
  ck_assert_int_eq(jager_contact_equal(&b.contact, &contact), 1);
  free(p.bytes);
}

/* Made with Python's struct and zlib from the format's description: cones with Fn = ζ², ζ* = 1, 2, 3 */
TEST(golden_bytes)
{
  static const char hex[] = "4a4752430300000104000000020000000000000000000840"
                            "0000000000002240000000000000e03f0000000000000000"
                            "00000000000000400000000000001040000000000000d0bf"
                            "000000000000c03f000000000000f03f000000000000f03f"
                            "000000000000d03f00000000000000000000000000000000"
                            "0000e03f0000d03f00000000000000000000000000000000"
                            "000000000000e03f000000000000f03f000000000000f03f"
                            "000000000000d03f00000000000000000000c03f0657c5b3";
  unsigned char golden[sizeof hex / 2];
  for (size_t i = 0; i < sizeof golden; i++) {
    const char digits[3] = {hex[2 * i], hex[2 * i + 1], '\0'};
    golden[i] = (unsigned char)strtoul(digits, NULL, 16);
  }
  jager_law law = law_of_kind(1);
  SCOPED_POOL pool = jager_pool_create(0);
  jager_contact contact = {0};
  assert_ok(jager_contact_unpack(&contact, &law, pool, golden, sizeof golden, NULL));
  ck_assert(jager_contact_zeta(&contact) == 3.0 && jager_contact_fn(&contact) == 9.0 &&
            data_of(&contact)->top.p.x == 0.5 && data_of(&contact)->top.zeta_base == 2.0);
  ck_assert(data_of(&contact)->second.p.x == -0.25 && data_of(&contact)->second.p.y == 0.125 &&
            jager_contact_length(&contact) == 4);
  ck_assert(jager_contact_friction(&contact) == 0.5 && jager_contact_coefficient(&contact) == 1.0 &&
            jager_contact_state(&contact) == JAGER_STATE_ELASTIC);
  ck_assert(data_of(&contact)->node->entry[0].zeta == 1.0 && data_of(&contact)->node->entry[0].p.x == 0.25);
  ck_assert(data_of(&contact)->error_bound.top == 0x3fe00000u &&
            data_of(&contact)->error_bound.second == 0x3fd00000u); /* 0.5, 0.25 */
  ck_assert(data_of(&contact)->node->error_bound[0] == 0x3fc00000u &&
            data_of(&contact)->points_since_shortening == 2); /* 0.125 */
  jager_force force = jager_contact_force(&contact);
  ck_assert(force.fn == 9.0 && force.ft[0] == 2.0 && force.ft[1] == 0.375);
  packed p = pack(&contact);
  ck_assert_uint_eq(p.size, sizeof golden);
  ck_assert_mem_eq(p.bytes, golden, sizeof golden);
  ck_assert_uint_eq(crc_of((const unsigned char *)"123456789", 9), 0xCBF43926u);
  free(p.bytes);
}
