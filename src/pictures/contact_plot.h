/* SPDX-License-Identifier: MIT */
/* The picture of a contact's path: shear force over shear movement, and the path in the plane of the forces. */
#ifndef JAGER_PICTURES_CONTACT_PLOT_H
#define JAGER_PICTURES_CONTACT_PLOT_H

#include "jager/jager.h"
#include "picture.h"
#include "plot_trace.h"

#include <stddef.h>
#include <stdio.h>

typedef struct plot_contents {
  const plot_trace *trace;
  const jager_law *law;
  const jager_point *history; /* the final one */
  size_t history_count;       /* 0: the model has none */
  const char *path_name;
} plot_contents;

/* Writes gnuplot's commands for a plot_contents. Errors of writing stay with the stream. */
picture_script contact_plot_write;

#endif
