/* SPDX-License-Identifier: MIT */
/* Pictures that gnuplot draws into files: each as NAME.png and NAME.svg, which appear only when they are whole. */
#ifndef JAGER_PICTURES_PICTURE_H
#define JAGER_PICTURES_PICTURE_H

#include "gnuplot.h"
#include "base/whole_file.h"
#include "base/error.h"

#include <stdbool.h>
#include <stdio.h>

/* Writes commands and data; `terminal` is from gnuplot_terminal, and comes first. */
typedef void picture_script(const void *contents, const char *terminal, FILE *script);

/* What is drawn, and how. */
typedef struct picture {
  gnuplot_shape shape;
  picture_script *script;
  const void *contents;
} picture;

enum { PICTURE_ENDINGS = 2 };
extern const char *const picture_endings[PICTURE_ENDINGS];

/* DIR/NAME.png and DIR/NAME.svg. */
bool picture_draw(const char *dir, const char *name, const picture *of, error_info *error);

/*
 * Draws into a file that was opened for `path` and puts it in its place, if the picture is whole and could be written.
 * Otherwise returns false, and what was there stays; the caller discards the file.
 */
bool picture_write(whole_file *file, const char *path, const picture *of, error_info *error);

/* The look that all pictures have: grid, border, tics, and a legend of so many rows above each panel. */
void picture_write_style(const char *terminal, int legend_rows, double sample_length, FILE *script);

#endif
