/* SPDX-License-Identifier: MIT */
/* Figure JagerPath: nine movements of one contact, and what becomes of its equivalent load history. */
#ifndef JAGER_PAPER_PATH_H
#define JAGER_PAPER_PATH_H

#include "jager/jager.h"
#include "dem/simulation.h"

#include <stdbool.h>

enum { PATH_MOVEMENTS = 9, PATH_POINTS_MAX = 12, PATH_LABEL_SIZE = 24 };

/* A history, with the paper's names of its points. */
typedef struct named_history {
  int count;
  jager_point points[PATH_POINTS_MAX];
  double ft[PATH_POINTS_MAX];
  char labels[PATH_POINTS_MAX][PATH_LABEL_SIZE];
} named_history;

/* After a movement. The zeroth is before the first. */
typedef struct path_stage {
  double zeta, xi;
  jager_force force;
  jager_state state;
  named_history history;
} path_stage;

typedef struct path_results {
  path_stage stages[PATH_MOVEMENTS + 1];
  double contact_radius;
  double traction_difference; /* largest, between the library's traction and the sum of Cattaneo-Mindlin functions */
  double traction_max;        /* largest shear traction */
} path_results;

/* The history of a contact, and the tangential force at each of its points. */
bool named_history_read(const jager_law *law, const jager_contact *contact, named_history *history, error_info *error);

/* Names the points of a history, given the one before the movement of this number. */
void named_history_name(named_history *now, const named_history *before, int movement);

/* "0-1-1a-5" */
void named_history_print(const named_history *history, char *text, size_t size);

bool paper_path_compute(path_results *results, error_info *error);

#endif
