/* SPDX-License-Identifier: MIT */
/* What packing a contact (pack.c) and checking a packed one (pack_check.c) share. */
#ifndef JAGER_PACK_H
#define JAGER_PACK_H

#include "contact/history.h"

enum { DOUBLE_BYTES = 8, HIGH32_BYTES = 4, ENTRY_BYTES = 28 };

/* A little-endian number */
static inline uint64_t get_bytes(const unsigned char *from, int bytes)
{
  uint64_t value = 0;
  for (int i = 0; i < bytes; i++)
    value |= (uint64_t)from[i] << (8 * i);
  return value;
}

static inline double get_double(const unsigned char *from)
{
  return double_from_bits(get_bytes(from, DOUBLE_BYTES));
}

typedef struct packed_entry {
  history_entry entry;
  uint32_t error_bound;
} packed_entry;

static inline packed_entry get_entry(const unsigned char *from)
{
  vec2 p = {get_double(from + DOUBLE_BYTES), get_double(from + 2 * DOUBLE_BYTES)};
  return (packed_entry){{get_double(from), p}, (uint32_t)get_bytes(from + 3 * DOUBLE_BYTES, HIGH32_BYTES)};
}

/*
 * Is this contact, with these packed entries, a possible state of the law? All fields are finite. Its node and fill are
 * not looked at.
 */
bool jager_packed_is_possible(const jager_law *law, const contact_data *c, const unsigned char *from, size_t entries);

#endif
