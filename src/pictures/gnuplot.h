/* SPDX-License-Identifier: MIT */
/* The program gnuplot, run as a child process. */
#ifndef JAGER_PICTURES_GNUPLOT_H
#define JAGER_PICTURES_GNUPLOT_H

#include <stdbool.h>
#include <stddef.h>

/* True if gnuplot is in PATH. */
bool gnuplot_is_installed(void);

/* Two panels side by side, or two rows of them. */
typedef enum gnuplot_shape { GNUPLOT_WIDE, GNUPLOT_TALL, GNUPLOT_SHAPES } gnuplot_shape;

/* The command that chooses the picture's format by the file's ending; NULL if that is not .png, .svg or .pdf. */
const char *gnuplot_terminal(const char *path, gnuplot_shape shape);

/*
 * Runs the script. The caller frees the picture. On failure returns false: with errno if gnuplot could not be run, with
 * errno = 0 if it ended with an exit code; then it has written the reason to stderr.
 */
bool gnuplot_draw(const char *script, size_t length, char **picture, size_t *size);

/* True if the bytes end as a complete picture in the format of the path does. */
bool gnuplot_picture_is_whole(const char *path, const char *bytes, size_t size);

#endif
