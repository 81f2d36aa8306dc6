/* SPDX-License-Identifier: MIT */
/* Equivalent load histories with the names that the paper gives to their points, as 0-1-1a-5. */
#ifndef JAGER_PAPER_NAMED_HISTORY_H
#define JAGER_PAPER_NAMED_HISTORY_H

#include "labelled_panel.h"
#include "paper.h"

enum { NAMED_HISTORY_MAX = 12, NAMED_HISTORY_LABEL_SIZE = 24 };

typedef struct named_history {
  int count;
  jager_point points[NAMED_HISTORY_MAX];
  double ft[NAMED_HISTORY_MAX]; /* tangential force at each point, N */
  char labels[NAMED_HISTORY_MAX][NAMED_HISTORY_LABEL_SIZE];
} named_history;

/* A contact after a movement. */
typedef struct named_stage {
  double zeta, xi; /* m */
  jager_force force;
  jager_state state;
  named_history history;
} named_stage;

/* A movement Δζ, Δξ in 10⁻³ m; the radius of the spheres is 1 m. */
typedef double named_movement[2];

/* Makes the movements. stages[0] is the contact before the first of them, stages[i] that after movement i. */
bool named_history_follow(paper_contact *of, const named_movement movements[], int count, named_stage stages[],
                          error_info *error);

/* Prints the names of the points: "0-1-1a-5". */
void named_history_print(const named_history *history, char *text, size_t size);

/* Adds the path (ζ, ξ) of `count` movements to a panel, in 10⁻³ m, with the numbers of the movements. */
void named_history_add_movements(labelled_panel *panel, const named_stage stages[], int count);

#endif
