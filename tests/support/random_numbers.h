/* SPDX-License-Identifier: MIT */
/* Random numbers of the tests: splitmix64, the same numbers on every machine. */
#ifndef TEST_RANDOM_NUMBERS_H
#define TEST_RANDOM_NUMBERS_H

#include <stdint.h>

static inline uint64_t random_bits(uint64_t *state)
{
  uint64_t z = (*state += 0x9E3779B97F4A7C15u);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

/* in [low, high) */
static inline double random_in(uint64_t *state, double low, double high)
{
  return low + (high - low) * ((double)(random_bits(state) >> 11) * 0x1p-53);
}

/* 0 to count - 1 */
static inline unsigned random_below(uint64_t *state, unsigned count)
{
  return (unsigned)((random_bits(state) >> 32) * count >> 32);
}

#endif
