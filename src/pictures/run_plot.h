/* SPDX-License-Identifier: MIT */
/*
 * Pictures of a run from DIR/series.csv: DIR/stress-strain, volumetric-strain, history-length and energy, each as .png
 * and .svg. What they are drawn over follows from the data: see run_axis.h.
 */
#ifndef JAGER_PICTURES_RUN_PLOT_H
#define JAGER_PICTURES_RUN_PLOT_H

#include "dem/case.h"
#include "dem/simulation.h"

typedef enum run_plot_result {
  RUN_PLOT_DRAWN,
  RUN_PLOT_SKIPPED, /* gnuplot is not installed, or there are too few rows: worth a warning, no failure */
  RUN_PLOT_FAILED
} run_plot_result;

/*
 * `run` gives the title and the names of the stages; NULL: without. If the result is not RUN_PLOT_DRAWN, the error
 * tells why.
 */
run_plot_result run_plot_draw(const char *dir, const dem_case *run, error_info *error);

#endif
