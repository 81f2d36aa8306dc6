/* SPDX-License-Identifier: MIT */
/*
 * The pictures of a run, drawn from DIR/series.csv: DIR/stress-strain, volumetric-strain, history-length and energy,
 * each as .png and .svg. Each picture has two panels. The kind of loading (run_loading.h) decides which quantities they
 * show.
 */
#ifndef JAGER_PICTURES_RUN_PICTURE_H
#define JAGER_PICTURES_RUN_PICTURE_H

#include "base/error.h"
#include "dem/case.h"
#include "files/series.h"

#include <stdio.h>

typedef enum run_picture_result {
  RUN_PICTURE_DRAWN,
  RUN_PICTURE_SKIPPED, /* gnuplot is not installed, or the series has fewer than two rows: worth a warning */
  RUN_PICTURE_FAILED
} run_picture_result;

/* Draws all pictures. The case gives the title and the stages. Unless all are drawn, the error tells why. */
run_picture_result run_picture_draw_all(const char *dir, const dem_case *run, error_info *error);

/* The names of the pictures, as "stress-strain", by their numbers from 0; NULL: there are no more. */
const char *run_picture_name(int number);

/*
 * Writes the script of a picture. `terminal` is from gnuplot_terminal. The table must have rows. The caller checks
 * the stream for errors of writing.
 */
void run_picture_write(int number, const series_table *table, const dem_case *run, const char *terminal, FILE *script);

#endif
