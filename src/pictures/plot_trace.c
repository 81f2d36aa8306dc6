/* SPDX-License-Identifier: MIT */
/* The path of a contact, kept for a picture. When it is full, every second point goes, and from then on only half as
   many come in. */
#include "plot_trace.h"

void plot_trace_start(plot_trace *trace)
{
  const plot_point origin = {{0.0, 0.0}, 0.0, {0.0, 0.0}};
  trace->count = 0;
  trace->stride = 1;
  trace->seen = 0;
  trace->steps = 0;
  plot_trace_add(trace, &origin);
}

/* Drops every second point. */
static void thin_out(plot_trace *trace)
{
  for (size_t i = 0; 2 * i < trace->count; i++)
    trace->points[i] = trace->points[2 * i];
  trace->count = (trace->count + 1) / 2;
  trace->stride *= 2;
}

void plot_trace_add(plot_trace *trace, const plot_point *point)
{
  trace->last = *point;
  if (trace->seen++ % trace->stride != 0)
    return;
  trace->points[trace->count++] = *point;
  if (trace->count == PLOT_POINTS_MAX)
    thin_out(trace);
}

void plot_trace_end_step(plot_trace *trace, const plot_point *point)
{
  plot_trace_add(trace, point);
  if (trace->steps < PLOT_STEPS_MAX)
    trace->ends[trace->steps] = *point;
  trace->steps++;
}

bool plot_trace_wants_detail(const plot_trace *trace)
{
  return trace->stride == 1;
}
