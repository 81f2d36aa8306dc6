/* SPDX-License-Identifier: MIT */
/* Parts of gnuplot scripts that all pictures share: their look, ranges and units of axes, texts of the user. */
#ifndef JAGER_PICTURES_PLOT_H
#define JAGER_PICTURES_PLOT_H

#include <stdio.h>

/*
 * Writes the first commands of a script: terminal, grid, border, tics, and a legend above each panel with `legend_rows`
 * rows, whose line samples are `sample_length` letters long.
 */
void plot_write_style(const char *terminal, int legend_rows, double sample_length, FILE *script);

/*
 * Writes a text of the user for a string in double quotes that gnuplot does not enhance. Characters that would end the
 * string or run a command become underscores.
 */
void plot_write_text(const char *text, FILE *script);

enum { PLOT_CURVE_STYLES = 6 };

/*
 * The look of the k-th curve of a panel. Curves differ in dashes and brightness as well as in colour, so that they can
 * be told apart in grey.
 */
const char *plot_curve_style(int k);

/* Writes a panel without data. */
void plot_write_nothing(FILE *script);

/* Writes a palette for 0 to `cycles` cycles, with its legend at the right edge of the picture. Dark means early. */
void plot_write_palette(double cycles, FILE *script);

/* The values of an axis. {INFINITY, -INFINITY} is empty. */
typedef struct plot_range {
  double low, high;
} plot_range;

/* Makes the range hold the value. Values that are not finite are ignored. */
void plot_range_widen(plot_range *range, double value);

/* The largest absolute value in the range. */
double plot_range_size(plot_range range);

/* An SI prefix for the numbers of an axis. */
typedef struct plot_unit {
  const char *prefix;
  double factor; /* multiplies numbers in SI units */
} plot_unit;

/* The prefix that makes numbers up to `size` handy. */
plot_unit plot_unit_for(double size);

#endif
