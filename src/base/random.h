/* SPDX-License-Identifier: MIT */
/* Random numbers by SplitMix64, the same with every compiler. */
#ifndef JAGER_BASE_RANDOM_H
#define JAGER_BASE_RANDOM_H

#include <stdint.h>

static inline uint64_t random_bits(uint64_t *state)
{
  uint64_t z = *state += 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

/* In [0, 1) */
static inline double random_unit(uint64_t *state)
{
  return (double)(random_bits(state) >> 11) * 0x1p-53;
}

#endif
