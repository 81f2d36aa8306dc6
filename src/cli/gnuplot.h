/* SPDX-License-Identifier: MIT */
/* gnuplot, as another program at the end of a pipe. */
#ifndef JAGER_CLI_GNUPLOT_H
#define JAGER_CLI_GNUPLOT_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

typedef struct gnuplot {
  FILE *script; /* its input: commands and data */
  pid_t process;
} gnuplot;

/* gnuplot can be found in PATH. */
bool gnuplot_is_installed(void);

/* Two panels side by side, or two rows of them. */
typedef enum gnuplot_shape { GNUPLOT_WIDE, GNUPLOT_TALL, GNUPLOT_SHAPES } gnuplot_shape;

/* The command that chooses the picture's format by the file's ending; NULL if that is not .png, .svg or .pdf. */
const char *gnuplot_terminal(const char *path, gnuplot_shape shape);

/* Starts gnuplot; it writes its picture to `picture`. On failure returns false, with errno. */
bool gnuplot_start(gnuplot *plot, int picture);

/* Ends the script and waits. Returns whether all went well; if not, gnuplot has told why on stderr. */
bool gnuplot_finish(gnuplot *plot);

#endif
