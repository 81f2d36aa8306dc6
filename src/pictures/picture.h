/* SPDX-License-Identifier: MIT */
/* Pictures in files, drawn by gnuplot. A file appears only when the picture in it is complete. */
#ifndef JAGER_PICTURES_PICTURE_H
#define JAGER_PICTURES_PICTURE_H

#include "base/error.h"
#include "base/whole_file.h"
#include "gnuplot.h"

#include <stdbool.h>
#include <stdio.h>

/* Writes the commands and data of a picture. The command `terminal`, from gnuplot_terminal, must come first. */
typedef void picture_script(const void *contents, const char *terminal, FILE *script);

typedef struct picture {
  gnuplot_shape shape;
  picture_script *script;
  const void *contents; /* the argument of `script` */
} picture;

/* The formats in which each picture is drawn, as endings of file names. */
enum { PICTURE_ENDINGS = 2 };
extern const char *const picture_endings[PICTURE_ENDINGS];

/* Draws DIR/NAME.png and DIR/NAME.svg. */
bool picture_draw(const char *dir, const char *name, const picture *of, error_info *error);

/*
 * Draws into a file that was opened for `path` and puts it in its place. On failure returns false and leaves an older
 * file at `path` as it was; the caller discards the new one.
 */
bool picture_write(whole_file *file, const char *path, const picture *of, error_info *error);

#endif
