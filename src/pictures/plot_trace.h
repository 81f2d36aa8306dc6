/* SPDX-License-Identifier: MIT */
/* The path of a contact, kept for a picture in constant memory. */
#ifndef JAGER_PICTURES_PLOT_TRACE_H
#define JAGER_PICTURES_PLOT_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct plot_point {
  double xi[2], fn, ft[2];
} plot_point;

enum {
  PLOT_POINTS_MAX = 20000,
  PLOT_STEPS_MAX = 20, /* ends of steps that are numbered in the picture, if there are no more */
};

/* The path, thinned out while it grows so that it never takes more memory. It starts in (0, 0). */
typedef struct plot_trace {
  size_t count;
  uint64_t stride, seen; /* one of `stride` points is kept */
  plot_point last;       /* kept in any case */
  uint64_t steps;
  plot_point ends[PLOT_STEPS_MAX];
  plot_point points[PLOT_POINTS_MAX];
} plot_trace;

void plot_trace_start(plot_trace *trace);

/* A point on the way of a step, and the point where it ends. */
void plot_trace_add(plot_trace *trace, const plot_point *point);
void plot_trace_end_step(plot_trace *trace, const plot_point *point);

/* The trace has room for the way between the ends of steps. */
bool plot_trace_wants_detail(const plot_trace *trace);

#endif
