/* SPDX-License-Identifier: MIT */
/*
 * The interface of the code for lanes. lanes.c and each kernel_W.c compile sweep.inc, for 1 and for W lanes; the
 * processor decides which one runs.
 */
#ifndef JAGER_LANES_H
#define JAGER_LANES_H

#include "contact/pairs/records.h"

enum { CHUNK = 64 }; /* contacts: their numbers fit into the nearest cache, and one bit each into a chunk_bits */

/* Pairs of one law, and how far a sweep over them has come */
typedef struct pair_sweep {
  const jager_sweep *sweep;
  jager_pairs *pairs;
  const jager_law *law;
  const jager_dashpot *dashpot; /* NULL: none */
  uint16_t origin;              /* number of the law's friction and model; histories of other numbers are not common */
  uint16_t law_number;          /* of the law, in the sweep */
  size_t next, end;             /* indices of pairs: the next one, and the end of this law, as far as it is known */
  size_t failed;                /* index of the pair that could not be moved */
  double virial[6][4], overlap[4], tangential_work[4], normal_force[4]; /* four interleaved sums each */
  double viscous, account_work;
  size_t contacts, ended;
} pair_sweep;

typedef struct lane_kernel {
  int width;
  /* Moves all pairs of the sweep; those before `failed`, if one cannot be moved. */
  jager_status (*move_pairs)(pair_sweep *s);
} lane_kernel;

/* The kernel of this width, or NULL if the processor has none; 0: the widest. */
const lane_kernel *jager_lane_kernel(int width);

#endif
