/* SPDX-License-Identifier: MIT */
/* Pictures that gnuplot draws into files: each as NAME.png and NAME.svg, which appear only when they are whole. */
#ifndef JAGER_CLI_PICTURE_H
#define JAGER_CLI_PICTURE_H

#include "gnuplot.h"
#include "simulation.h"

#include <stdbool.h>
#include <stdio.h>

/* Writes commands and data; `terminal` is from gnuplot_terminal, and comes first. */
typedef void picture_script(const void *contents, const char *terminal, FILE *script);

/* DIR/NAME.png and DIR/NAME.svg. */
bool picture_draw(const char *dir, const char *name, gnuplot_shape shape, picture_script *script, const void *contents,
                  dem_error *error);

/* gnuplot has written nothing into the file. */
bool picture_is_empty(FILE *stream);

/* The look that all pictures have: grid, border, tics, and a legend of so many rows above each panel. */
void picture_write_style(const char *terminal, int legend_rows, double sample_length, FILE *script);

#endif
