/* SPDX-License-Identifier: MIT */
/*
 * Pictures are drawn by the Python package, python/jager/_pictures, in a child process. It reads the files of a run, or
 * numbers as JSON from its stdin. A child that fails, crashes or hangs is an error with a reason of one line; it never
 * leaves half a picture.
 */
#ifndef JAGER_RUN_DRAWER_H
#define JAGER_RUN_DRAWER_H

#include "base/error.h"
#include "base/file_system.h"

#include <stdbool.h>
#include <stddef.h>

struct run_watcher;

typedef struct drawer {
  const char *python;  /* path of the interpreter */
  const char *package; /* folder in which the package jager lies */
  int seconds_max;     /* a child that takes longer is ended; 0: DRAWER_SECONDS_MAX */
} drawer;

enum { DRAWER_SECONDS_MAX = 600 };

/* True if the interpreter and the package are there. Their needs, such as matplotlib, only the child finds missing. */
bool drawer_is_there(const drawer *of, error_info *error);

/*
 * Draws the pictures of the run in `dir`, or those in `names`, a list that ends with NULL. The watcher gets a notice
 * for each that is missing. Returns whether some were drawn.
 */
bool drawer_draw_run(const drawer *of, const char *dir, const char *const names[], const struct run_watcher *watcher);

/* True if the file ends with .png, .svg or .pdf. */
bool drawer_knows_format(const char *path);

/* Draws a picture of `what`, "contact", "impact" or "moduli", of these numbers into an open file, and finishes it. */
bool drawer_draw(const drawer *of, const char *what, const char *json, size_t length, whole_file *file,
                 const char *path, error_info *error);

#endif
