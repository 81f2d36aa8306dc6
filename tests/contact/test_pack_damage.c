/* SPDX-License-Identifier: MIT */
/*
 * Bytes that are not a packed contact, or a damaged one, or a lie: an impossible state with a correct checksum.
 * Invariant: a refusal changes neither contact nor pool.
 */
#include "packing.h"

#include <stdio.h>

/* Indices of the fields, counted in doubles */
enum {
  ZETA,
  FN,
  P,
  ZETA_BASE = 4,
  FN_BASE,
  P_UNDER,
  ZETA_UNDER = 8,
  FN_UNDER,
  FT_UNDER,
  LOW = 12, /* two halves of doubles */
  SPENT,    /* two more */
  REST,
  FRICTION = 16,
  STIFFNESS
};

/* ---- Damage ----------------------------------------------------------------------------------------------------- */

TEST_LOOP(truncated_bytes_are_refused, LAW_KINDS)
{
  uint64_t seed = 6;
  SCOPED_BENCH b = bench_with_history(_i, 12, &seed);
  packed p = pack(&b.contact);
  for (size_t size = 0; size < p.size; size++) {
    packed cut = copy_of(p, size);
    ck_assert_int_eq(refused(&b.law, b.pool, cut.bytes, size), JAGER_ERROR_TRUNCATED);
    free(cut.bytes);
    ck_assert_int_eq(jager_contact_pack(&b.contact, p.bytes, size), JAGER_ERROR_CAPACITY);
  }
  packed more = copy_of(p, p.size + 5); /* bytes that follow belong to others */
  memset(more.bytes + p.size, 0xEE, 5);
  size_t used = 0;
  jager_contact contact = {0};
  assert_ok(jager_contact_unpack(&contact, &b.law, b.pool, more.bytes, more.size, &used));
  ck_assert_uint_eq(used, p.size);
  jager_contact_release(&contact, b.pool);
  free(more.bytes);
  free(p.bytes);
}

TEST_LOOP(any_flipped_bit_is_refused, LAW_KINDS)
{
  uint64_t seed = 7;
  SCOPED_BENCH b = bench_with_history(_i, 9, &seed);
  packed p = pack(&b.contact);
  for (size_t i = 0; i < 8 * p.size; i++) {
    p.bytes[i / 8] ^= (unsigned char)(1u << (i % 8));
    (void)refused(&b.law, b.pool, p.bytes, p.size);
    p.bytes[i / 8] ^= (unsigned char)(1u << (i % 8));
  }
  free(p.bytes);
}

TEST(each_damage_has_its_name)
{
  uint64_t seed = 8;
  SCOPED_BENCH b = bench_with_history(0, 9, &seed);
  packed p = pack(&b.contact);
  const jager_law linear = law_of_kind(5);
  jager_contact contact = {0};
  ck_assert_int_eq(refused(&linear, b.pool, p.bytes, p.size), JAGER_ERROR_MODEL);
  p.bytes[50] ^= 1;
  ck_assert_int_eq(refused(&b.law, b.pool, p.bytes, p.size), JAGER_ERROR_CHECKSUM);
  p.bytes[50] ^= 1;
  p.bytes[4] = 1;
  fix_checksum(p.bytes, p.size);
  ck_assert_int_eq(refused(&b.law, b.pool, p.bytes, p.size), JAGER_ERROR_VERSION);
  p.bytes[4] = 3;
  p.bytes[5] = 1;
  fix_checksum(p.bytes, p.size);
  ck_assert_int_eq(refused(&b.law, b.pool, p.bytes, p.size), JAGER_ERROR_VERSION);
  p.bytes[5] = 0;
  p.bytes[0] = 'j';
  fix_checksum(p.bytes, p.size);
  ck_assert_int_eq(refused(&b.law, b.pool, p.bytes, p.size), JAGER_ERROR_NOT_PACKED);
  p.bytes[0] = 'J';
  fix_checksum(p.bytes, p.size);
  ck_assert_int_eq(refused(NULL, b.pool, p.bytes, p.size), JAGER_ERROR_NULL);
  ck_assert_int_eq(refused(&b.law, NULL, p.bytes, p.size), JAGER_ERROR_NULL);
  ck_assert_int_eq(refused(&b.law, b.pool, NULL, p.size), JAGER_ERROR_NULL);
  ck_assert_int_eq(jager_contact_unpack(NULL, &b.law, b.pool, p.bytes, p.size, NULL), JAGER_ERROR_NULL);
  ck_assert_int_eq(jager_contact_pack(NULL, p.bytes, p.size), JAGER_ERROR_NULL);
  ck_assert_int_eq(jager_contact_pack(&b.contact, NULL, p.size), JAGER_ERROR_NULL);
  ck_assert_uint_eq(jager_contact_pack_size(NULL), 0);
  ck_assert_int_eq(jager_contact_clone(NULL, b.pool, &contact), JAGER_ERROR_NULL);
  ck_assert_int_eq(jager_contact_clone(&b.contact, NULL, &contact), JAGER_ERROR_NULL);
  ck_assert_int_eq(jager_contact_clone(&b.contact, b.pool, NULL), JAGER_ERROR_NULL);
  assert_ok(jager_contact_unpack(&contact, &b.law, b.pool, p.bytes, p.size, NULL));
  jager_contact_release(&contact, b.pool);
  free(p.bytes);
}

/* ---- Lies: the checksum is right, the state impossible ---------------------------------------------------------- */

static double get(const packed *p, size_t offset)
{
  double value; /* lies are written as little-endian doubles; test_pack.c checks the format by golden bytes */
  memcpy(&value, p->bytes + offset, sizeof value);
  return value;
}

static void put(packed *p, size_t offset, double value)
{
  memcpy(p->bytes + offset, &value, sizeof value);
  fix_checksum(p->bytes, p->size);
}

static void assert_lie(const struct bench *b, const packed *p, const char *name, size_t where)
{
  jager_status status = refused(&b->law, b->pool, p->bytes, p->size);
  ck_assert_msg(status == JAGER_ERROR_CORRUPT, "%s at %zu: %s", name, where, jager_status_text(status));
}

static void assert_double_lie(const struct bench *b, packed *p, size_t offset, double value)
{
  double true_value = get(p, offset);
  put(p, offset, value);
  char name[64];
  (void)snprintf(name, sizeof name, "%g for %g", value, true_value);
  assert_lie(b, p, name, offset);
  put(p, offset, true_value);
}

/* The first half of a double, in the place of one */
static void assert_half_lie(const struct bench *b, packed *p, size_t offset, double value)
{
  unsigned char bytes[8], true_bytes[4];
  memcpy(bytes, &value, sizeof bytes);
  memcpy(true_bytes, p->bytes + offset, sizeof true_bytes);
  memcpy(p->bytes + offset, bytes + 4, sizeof true_bytes);
  fix_checksum(p->bytes, p->size);
  assert_lie(b, p, "half", offset);
  memcpy(p->bytes + offset, true_bytes, sizeof true_bytes);
  fix_checksum(p->bytes, p->size);
}

static void assert_byte_lie(const struct bench *b, packed *p, size_t offset, unsigned char value)
{
  unsigned char true_value = p->bytes[offset];
  p->bytes[offset] = value;
  fix_checksum(p->bytes, p->size);
  assert_lie(b, p, "byte", offset);
  p->bytes[offset] = true_value;
  fix_checksum(p->bytes, p->size);
}

TEST_LOOP(no_field_may_lie, LAW_KINDS)
{
  static const double impossible[] = {NAN, INFINITY, -INFINITY, -1.0};
  uint64_t seed = 9;
  SCOPED_BENCH b = bench_with_history(_i, 9, &seed);
  packed p = pack(&b.contact);
  for (size_t i = 0; i < FIELDS; i++) {
    if (i == LOW || i == SPENT) {
      for (size_t k = 0; k < 8; k += 4)
        for (size_t lie = 0; lie < 4; lie++)
          assert_half_lie(&b, &p, HEADER + 8 * i + k, impossible[lie]);
      continue;
    }
    for (size_t lie = 0; lie < 3; lie++)
      assert_double_lie(&b, &p, HEADER + 8 * i, impossible[lie]);
    if (_i < 5 && i / 2 != REST / 2)
      assert_double_lie(&b, &p, HEADER + 8 * i, -1.0);
    if (i != FRICTION && i != P && i != P + 1 && i / 2 != REST / 2)
      assert_double_lie(&b, &p, HEADER + 8 * i, 1e70);
  }
  for (size_t at = FIXED; at + CRC < p.size; at += ENTRY)
    for (size_t lie = 0; lie < 4; lie++) {
      for (size_t i = 0; i < 24 && lie < 3; i += 8)
        assert_double_lie(&b, &p, at + i, impossible[lie]);
      assert_half_lie(&b, &p, at + 24, impossible[lie]);
    }
  static const double wrong[] = {0.0, -1e-3, 0.999, 1.001};
  for (size_t i = 0; i < 4; i++) {
    assert_double_lie(&b, &p, HEADER + 8 * ZETA, wrong[i] * get(&p, HEADER + 8 * ZETA));
    assert_double_lie(&b, &p, HEADER + 8 * FN, wrong[i] * get(&p, HEADER + 8 * FN));
    assert_double_lie(&b, &p, HEADER + 8 * STIFFNESS, wrong[i] * get(&p, HEADER + 8 * STIFFNESS));
  }
  assert_byte_lie(&b, &p, 7, JAGER_STATE_APART);
  assert_byte_lie(&b, &p, 7, JAGER_STATE_COUNT);
  assert_byte_lie(&b, &p, 7, 255);
  assert_byte_lie(&b, &p, 12, (unsigned char)jager_contact_length(&b.contact)); /* grown by more than there is */
  for (size_t i = 13; i < 16; i++)
    assert_byte_lie(&b, &p, i, 1);
  jager_contact contact = {0};
  assert_ok(jager_contact_unpack(&contact, &b.law, b.pool, p.bytes, p.size, NULL)); /* all has been put back */
  jager_contact_release(&contact, b.pool);
  free(p.bytes);
}

TEST_LOOP(no_history_may_lie, 4)
{
  uint64_t seed = 10;
  SCOPED_BENCH b = bench_with_history(_i, 9, &seed);
  packed p = pack(&b.contact);
  const double f = b.law.friction;
  static const size_t checked[] = {ZETA_BASE, FN_BASE, ZETA_UNDER, FN_UNDER, FT_UNDER, FT_UNDER + 1};
  for (size_t i = 0; i < 6; i++) {
    assert_double_lie(&b, &p, HEADER + 8 * checked[i], 0.0);
    assert_double_lie(&b, &p, HEADER + 8 * checked[i], 1.0001 * get(&p, HEADER + 8 * checked[i]));
    assert_double_lie(&b, &p, HEADER + 8 * checked[i], -get(&p, HEADER + 8 * checked[i]));
  }
  assert_double_lie(&b, &p, HEADER + 8 * ZETA_BASE, jager_contact_zeta(&b.contact));
  assert_half_lie(&b, &p, HEADER + 8 * LOW, data_of(&b.contact)->anchor.ft.x);
  for (size_t i = 0; i < 2; i++) {
    assert_double_lie(&b, &p, HEADER + 8 * (P + i), 1.001 * f);
    assert_double_lie(&b, &p, HEADER + 8 * (P_UNDER + i), -1.001 * f);
    assert_half_lie(&b, &p, HEADER + 8 * LOW + 4 * i, 1e-6 * jager_contact_fn(&b.contact));
    assert_double_lie(&b, &p, HEADER + 8 * (REST + i), 1e151); /* smaller ones are possible movements */
  }
  assert_double_lie(&b, &p, HEADER + 8 * FRICTION, 0.0);
  assert_double_lie(&b, &p, HEADER + 8 * FRICTION, 2e6);
  for (size_t i = 0; i < 6; i++) {
    size_t at = FIXED + ENTRY * i;
    double before = i > 0 ? get(&p, at - ENTRY) : 0.0;
    assert_double_lie(&b, &p, at, before); /* not above the entry below */
    assert_double_lie(&b, &p, at, 0.5 * before);
    assert_double_lie(&b, &p, at, data_of(&b.contact)->top.zeta_base);
    assert_double_lie(&b, &p, at, 1.0001 * get(&p, at)); /* rises, but Ft is not the sum */
    assert_double_lie(&b, &p, at + 8, 1.001 * f);
    assert_double_lie(&b, &p, at + 16, -1.001 * f);
    assert_double_lie(&b, &p, at + 8, 0.999 * get(&p, at + 8));
    assert_half_lie(&b, &p, at + 24, 1.0); /* more than has been spent higher up */
  }
  free(p.bytes);
}

/* A slope beyond f, with the Ft that fits it: only the slope itself is impossible. */
TEST_LOOP(no_slope_may_exceed_friction, 4)
{
  uint64_t seed = 13;
  SCOPED_BENCH b = bench_with_history(_i, 9, &seed);
  packed p = pack(&b.contact);
  jager_point points[9];
  assert_ok(jager_contact_history(&b.contact, &b.law, points, 9));
  const double ft = get(&p, HEADER + 8 * FT_UNDER), slope = get(&p, FIXED + 8);
  static const double times[] = {0.9, 1.001};
  for (int i = 0; i < 2; i++) {
    double steep = times[i] * b.law.friction;
    put(&p, FIXED + 8, steep);
    put(&p, FIXED + 16, 0.0);
    put(&p, HEADER + 8 * FT_UNDER, ft + (steep - slope) * points[1].fn);
    put(&p, HEADER + 8 * (FT_UNDER + 1), data_of(&b.contact)->anchor.ft.y - points[1].p[1] * points[1].fn);
    jager_contact contact = {0};
    if (i == 1) {
      assert_lie(&b, &p, "slope", FIXED);
    } else { /* less steep, it is a possible state */
      assert_ok(jager_contact_unpack(&contact, &b.law, b.pool, p.bytes, p.size, NULL));
      jager_contact_release(&contact, b.pool);
    }
  }
  free(p.bytes);
}

/* Lengths that do not fit the bytes or the law: springs have no history, modified-mindlin has one turning point. */
TEST(no_length_may_lie)
{
  for (int kind = 0; kind < LAW_KINDS; kind++) {
    uint64_t seed = 11;
    SCOPED_BENCH b = bench_with_history(kind, 9, &seed);
    packed p = pack(&b.contact);
    for (uint32_t length = 0; length < 40; length++) {
      size_t entries = length > 3 ? length - 3 : 0, size = FIXED + ENTRY * entries + CRC;
      if (length == jager_contact_length(&b.contact))
        continue;
      packed lie = copy_of(p, size);
      if (size > p.size) /* the entries that are asked for are there */
        memset(lie.bytes + p.size - CRC, 0, size - p.size + CRC);
      lie.bytes[8] = (unsigned char)length;
      fix_checksum(lie.bytes, size);
      bool possible = (kind == 7 && length == 3) || (kind == 8 && length >= 3); /* other turning points */
      if (!possible)
        assert_lie(&b, &lie, "length", length);
      free(lie.bytes);
    }
    free(p.bytes);
    jager_contact_release(&b.contact, b.pool); /* apart */
    p = pack(&b.contact);
    for (size_t i = 0; i < FIELDS; i++)
      if (i != FRICTION && i != STIFFNESS)
        assert_double_lie(&b, &p, HEADER + 8 * i, 0.5);
    assert_double_lie(&b, &p, HEADER + 8 * FN, -0.0); /* its exponent differs from 0's */
    assert_double_lie(&b, &p, HEADER + 8 * FN_UNDER, -0.0);
    assert_byte_lie(&b, &p, 7, JAGER_STATE_ELASTIC);
    assert_byte_lie(&b, &p, 8, 2);
    assert_byte_lie(&b, &p, 8, 0);
    free(p.bytes);
  }
}
