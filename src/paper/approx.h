/* SPDX-License-Identifier: MIT */
/* Figure Jager_approx: six movements, with the exact history and with the memory-saving approximation. */
#ifndef JAGER_PAPER_APPROX_H
#define JAGER_PAPER_APPROX_H

#include "path.h"

enum { APPROX_MOVEMENTS = 6, APPROX_WAYS = 2 };

/* After each movement: exact [0], approximate [1]. */
typedef struct approx_results {
  double zeta[APPROX_MOVEMENTS + 1], xi[APPROX_MOVEMENTS + 1];
  jager_force force[APPROX_WAYS][APPROX_MOVEMENTS + 1];
  jager_state state[APPROX_MOVEMENTS + 1];
  named_history history[APPROX_WAYS][APPROX_MOVEMENTS + 1];
  double error; /* of Ft after the last movement, over the exact one */
} approx_results;

bool paper_approx_compute(approx_results *results, error_info *error);

#endif
