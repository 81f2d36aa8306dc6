/* SPDX-License-Identifier: MIT */
/* The picture of a contact's path: shear force over shear movement, and the path in the plane of the forces. */
#ifndef JAGER_CLI_CONTACT_PLOT_H
#define JAGER_CLI_CONTACT_PLOT_H

#include "jager/jager.h"
#include "plot_trace.h"

#include <stddef.h>
#include <stdio.h>

typedef struct plot_contents {
  const plot_trace *trace;
  const jager_law *law;
  const jager_point *history; /* the final one */
  size_t history_count;       /* 0: the model has none */
  const char *path_name;
  const char *terminal; /* from gnuplot_terminal */
} plot_contents;

/* Writes gnuplot's commands. Errors of writing stay with the stream. */
void contact_plot_write(const plot_contents *contents, FILE *script);

#endif
