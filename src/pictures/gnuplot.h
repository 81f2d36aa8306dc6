/* SPDX-License-Identifier: MIT */
/* gnuplot, as another program between two pipes. */
#ifndef JAGER_PICTURES_GNUPLOT_H
#define JAGER_PICTURES_GNUPLOT_H

#include <stdbool.h>
#include <stddef.h>

/* gnuplot can be found in PATH. */
bool gnuplot_is_installed(void);

/* Two panels side by side, or two rows of them. */
typedef enum gnuplot_shape { GNUPLOT_WIDE, GNUPLOT_TALL, GNUPLOT_SHAPES } gnuplot_shape;

/* The command that chooses the picture's format by the file's ending; NULL if that is not .png, .svg or .pdf. */
const char *gnuplot_terminal(const char *path, gnuplot_shape shape);

/*
 * Lets gnuplot draw. The picture is allocated. False with errno if gnuplot could not be run, or with errno = 0 if it
 * ended with an exit code, in which case it has told why on stderr.
 */
bool gnuplot_draw(const char *script, size_t length, char **picture, size_t *size);

/* The bytes end as pictures of the path's format do. */
bool gnuplot_picture_is_whole(const char *path, const char *bytes, size_t size);

#endif
