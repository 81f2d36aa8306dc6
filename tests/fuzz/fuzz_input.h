/* SPDX-License-Identifier: MIT */
/* Shared by the fuzzers: the input, which is read byte by byte, and what must hold. */
#ifndef FUZZ_INPUT_H
#define FUZZ_INPUT_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void require(int holds)
{
  if (!holds)
    abort();
}

typedef struct fuzz_input {
  const uint8_t *bytes;
  size_t size;
} fuzz_input;

/* The next byte; 0 after the last one */
static inline unsigned take(fuzz_input *in)
{
  if (in->size == 0)
    return 0;
  in->size--;
  return *in->bytes++;
}

/* In [-1, 1], in 255 steps, so that numbers often meet */
static inline double take_share(fuzz_input *in)
{
  return ((double)take(in) - 128.0) / 127.0;
}

#endif
