/* SPDX-License-Identifier: MIT */
/* Figure Jager_approx: six movements, with exact histories and with the memory-saving approximation. */
#ifndef JAGER_PAPER_APPROX_H
#define JAGER_PAPER_APPROX_H

#include "named_history.h"

enum { APPROX_MOVEMENTS = 6, APPROX_WAYS = 2 };

typedef struct approx_results {
  named_stage stages[APPROX_WAYS][APPROX_MOVEMENTS + 1]; /* exact [0] and approximate [1], after each movement */
  double error;                                          /* of Ft after the last movement, relative to the exact Ft */
} approx_results;

bool paper_approx_compute(approx_results *results, error_info *error);

#endif
