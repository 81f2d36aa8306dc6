/* SPDX-License-Identifier: MIT */
/* Figure JagerPath: nine movements of one contact, and its equivalent load history after each of them. */
#ifndef JAGER_PAPER_PATH_H
#define JAGER_PAPER_PATH_H

#include "named_history.h"

enum { PATH_MOVEMENTS = 9 };

typedef struct path_results {
  named_stage stages[PATH_MOVEMENTS + 1];
  double contact_radius; /* m */
  double
      traction_difference; /* largest, between the library's traction and the sum of Cattaneo-Mindlin functions, Pa */
  double traction_max;     /* largest shear traction, Pa */
} path_results;

bool paper_path_compute(path_results *results, error_info *error);

#endif
