/* SPDX-License-Identifier: MIT */
/*
 * Runs the paths of path.h on the host and prints their hashes. languages.sh compiles it as C, C++ and CUDA, and
 * compares the output. LANGUAGES_FUNCTOR calls the functions from a functor, as Kokkos does.
 */
#include "path.h"

#include <stdio.h>

enum { CONTACTS = 50, MOVEMENTS = 500 };

#if defined(__CUDACC__)
/* Compiled for the device; there it needs a GPU to run. */
__global__ void move_contacts(path_end *ends, jager_compact_word *pairs, int movements)
{
  const jager_compact_word k = blockIdx.x * blockDim.x + threadIdx.x;
  path_run(k, movements, &ends[k]);
  pairs[k] = path_pair(k, movements);
}
#endif

#if defined(LANGUAGES_FUNCTOR)
struct mover {
  path_end *ends;
  JAGER_COMPACT_FUNCTION int operator()(int k) const
  {
    return path_run((jager_compact_word)k, MOVEMENTS, &ends[k]);
  }
};
#endif

int main(void)
{
  static path_end ends[CONTACTS];
  jager_compact_word slips = 0, slides = 0, parted = 0, bounded = 0;
#if defined(LANGUAGES_FUNCTOR)
  const mover move = {ends};
#endif
  for (int k = 0; k < CONTACTS; k++) {
#if defined(LANGUAGES_FUNCTOR)
    const int status = move(k);
#else
    const int status = path_run((jager_compact_word)k, MOVEMENTS, &ends[k]);
#endif
    if (status != JAGER_OK) {
      printf("contact %d: status %d\n", k, status);
      return 1;
    }
    slips += ends[k].slips;
    slides += ends[k].slides;
    parted += ends[k].parted;
    bounded += ends[k].bounded;
  }
  printf("%u bytes, contacts %08x, pairs %08x\n", (unsigned)sizeof(jager_compact),
         (unsigned)path_hash(2166136261u, ends, sizeof ends), (unsigned)path_pair(1, MOVEMENTS));
  if (slips < 1000 || slides < 500 || parted < 20 || bounded < 1000) {
    printf("too little was tried: %u slips, %u slides, %u apart, %u with points joined\n", (unsigned)slips,
           (unsigned)slides, (unsigned)parted, (unsigned)bounded);
    return 1;
  }
  return 0;
}
