/* SPDX-License-Identifier: MIT */
/* A panel of a run's picture, as commands for gnuplot: curves of up to six quantities over another one. */
#ifndef JAGER_PICTURES_RUN_PANEL_H
#define JAGER_PICTURES_RUN_PANEL_H

#include "run_quantity.h"

#include <stdbool.h>
#include <stdio.h>

enum { RUN_PANEL_CURVES_MAX = 6 };

typedef struct run_panel {
  run_quantity across;
  run_quantity up[RUN_PANEL_CURVES_MAX]; /* the last ones may be RUN_NOTHING */
  const char *up_label;                  /* of the vertical axis; NULL: the name of the only curve */
  bool is_log;                           /* the vertical axis is logarithmic */
} run_panel;

int run_panel_curves(const run_panel *panel);

/* Are its curves loops, coloured by their cycles? The caller has then written a palette, and left room for it. */
bool run_panel_has_colours(const run_panel *panel, const run_view *view);

/* The caller checks the stream for errors of writing. */
void run_panel_write(const run_panel *panel, const run_view *view, FILE *script);

#endif
