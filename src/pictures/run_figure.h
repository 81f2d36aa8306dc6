/* SPDX-License-Identifier: MIT */
/* The pictures of a run, as commands for gnuplot. */
#ifndef JAGER_PICTURES_RUN_FIGURE_H
#define JAGER_PICTURES_RUN_FIGURE_H

#include "dem/case.h"
#include "run_axis.h"
#include "files/series.h"

#include <stdio.h>

typedef enum run_figure {
  RUN_FIGURE_STRESS,
  RUN_FIGURE_VOLUME,
  RUN_FIGURE_HISTORY,
  RUN_FIGURE_ENERGY,
  RUN_FIGURES
} run_figure;

/* What is drawn. */
typedef struct run_view {
  const series_table *table;
  const dem_case *run;
  run_axis axis;
} run_view;

/* The table must have rows. */
run_view run_view_of(const series_table *table, const dem_case *run);

/* As "stress-strain". */
const char *run_figure_name(run_figure figure);

/* `terminal` is from gnuplot_terminal. Errors of writing stay with the stream. */
void run_figure_write(const run_view *view, run_figure figure, const char *terminal, FILE *script);

#endif
