/* SPDX-License-Identifier: MIT */
/* Shared by the tests of packing: bytes, their checksum, and unpacking that must fail. */
#ifndef TEST_PACKING_H
#define TEST_PACKING_H

#include "histories.h"
#include "contact/history.h"

#include <stdlib.h>

enum { HEADER = 16, ENTRY = 28, FIELDS = 18, FIXED = HEADER + 8 * FIELDS, CRC = 4 };

/* CRC-32 with a table, unlike the library */
static inline uint32_t crc_of(const unsigned char *bytes, size_t count)
{
  static uint32_t table[256];
  for (uint32_t i = 0; i < 256 && table[255] == 0; i++)
    for (uint32_t k = 0, c = table[i] = i; k < 8; k++)
      table[i] = c = c & 1 ? 0xEDB88320u ^ (c >> 1) : c >> 1;
  uint32_t crc = 0xFFFFFFFFu;
  for (size_t i = 0; i < count; i++)
    crc = table[(crc ^ bytes[i]) & 0xFF] ^ (crc >> 8);
  return ~crc;
}

static inline void fix_checksum(unsigned char *bytes, size_t size)
{
  uint32_t crc = crc_of(bytes, size - CRC);
  for (int i = 0; i < CRC; i++)
    bytes[size - CRC + (size_t)i] = (unsigned char)(crc >> (8 * i));
}

typedef struct packed {
  unsigned char *bytes;
  size_t size;
} packed;

/* In a block of just its size, so that a sanitizer sees any access beyond */
static inline packed pack(const jager_contact *contact)
{
  packed p = {.size = jager_contact_pack_size(contact)};
  p.bytes = malloc(p.size);
  ck_assert_ptr_nonnull(p.bytes);
  assert_ok(jager_contact_pack(contact, p.bytes, p.size));
  return p;
}

static inline packed copy_of(packed p, size_t size)
{
  packed copy = {malloc(size > 0 ? size : 1), size};
  ck_assert_ptr_nonnull(copy.bytes);
  memcpy(copy.bytes, p.bytes, size < p.size ? size : p.size);
  return copy;
}

/* Unpacks what must be refused. */
static inline jager_status refused(const jager_law *law, jager_pool *pool, const void *bytes, size_t size)
{
  jager_contact contact = untouched_contact(), before = contact;
  size_t used = 77, in_use = jager_pool_bytes_in_use(pool);
  jager_status status = jager_contact_unpack(&contact, law, pool, bytes, size, &used);
  if (status == JAGER_OK || memcmp(&contact, &before, sizeof before) != 0 || used != 77 ||
      jager_pool_bytes_in_use(pool) != in_use)
    ck_abort_msg("not refused without a trace: %s", jager_status_text(status));
  return status;
}

/* A contact with a history that was not only climbed */
static inline struct bench bench_with_history(int kind, uint32_t length, uint64_t *seed)
{
  struct bench b = bench_create(law_of_kind(kind));
  if (kind >= 5)
    swing_down(&b, 1e-3, (int)length);
  else
    climb(&b, length, 1e-4, seed);
  return b;
}

#endif
