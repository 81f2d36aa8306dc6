/* SPDX-License-Identifier: MIT */
/* A 64-bit hash of bytes, to recognise equal states and damaged files. It is not cryptographic. */
#ifndef JAGER_BASE_HASH_H
#define JAGER_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct hash {
  uint64_t state;
} hash;

static inline hash hash_start(void)
{
  return (hash){0x6A09E667F3BCC908u};
}

/* An odd multiplier and a shift make each step a bijection: a change of any one word changes the result. */
static inline void hash_word(hash *h, uint64_t word)
{
  uint64_t z = (h->state ^ word) * 0x9E3779B97F4A7C15u;
  h->state = z ^ (z >> 29);
}

static inline void hash_add(hash *h, const void *bytes, size_t size)
{
  const unsigned char *at = bytes;
  uint64_t word;
  for (; size >= sizeof word; size -= sizeof word, at += sizeof word) {
    memcpy(&word, at, sizeof word);
    hash_word(h, word);
  }
  if (size > 0) {
    word = 0;
    memcpy(&word, at, size);
    hash_word(h, word);
  }
}

static inline uint64_t hash_value(const hash *h)
{
  uint64_t z = h->state;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  return z ^ (z >> 31);
}

#endif
