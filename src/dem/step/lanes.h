/* SPDX-License-Identifier: MIT */
/*
 * Vectorised loops and their sums.
 *
 * Sums run in LANES interleaved partial sums: term k goes to partial sum k % LANES. The result has the same bits for
 * every width of vectors that divides LANES.
 */
#ifndef JAGER_DEM_STEP_LANES_H
#define JAGER_DEM_STEP_LANES_H

#include <stddef.h>

enum { LANES = 4 };

/*
 * Marks functions whose loops are compiled for wider vectors too; the processor decides when the program starts. The
 * bits are the same. (Sanitizers cannot run the code that decides so early.)
 */
#if defined(JAGER_CLONES) && defined(__x86_64__) && defined(__GNUC__) && defined(__GLIBC__)
#define VECTORISED __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define VECTORISED
#endif

static inline double lane_total(const double part[LANES])
{
  return (part[0] + part[1]) + (part[2] + part[3]);
}

/* The number of elements in whole lanes that holds `count`. */
static inline size_t lane_round_up(size_t count)
{
  return (count + LANES - 1) / LANES * LANES;
}

#endif
