/* SPDX-License-Identifier: MIT */
/* A panel of a run's picture. */
#include "run_panel.h"
#include "plot.h"

#include <math.h>

_Static_assert((int)RUN_PANEL_CURVES_MAX <= (int)PLOT_CURVE_STYLES, "each curve has a style of its own");

enum { POINTS_MAX = 4000, LOOP_POINTS_MAX = 20000 };

/* ---- Ranges ------------------------------------------------------------------------------------------------------ */

/* A logarithmic axis shows positive values only. */
static void widen_by_rows(plot_range *of, const run_view *view, run_quantity which, bool is_log)
{
  for (size_t row = view->loading.first; row < view->loading.end; row++) {
    double value = run_quantity_value(view, which, row);
    if (!is_log || value > 0.0)
      plot_range_widen(of, value);
  }
}

static bool has_data(plot_range of)
{
  return of.low <= of.high;
}

/*
 * Adds a margin: a share of the range, or `unit` if all values are zero. The result is at least 0.2 % of the size of
 * the values, so that the numbers at the axis need few digits.
 */
static plot_range with_margin(plot_range of, double share, double unit)
{
  const double least = 2e-3 * plot_range_size(of);
  double width = of.high - of.low;
  double margin = plot_range_size(of) > 0.0 ? fmax(share * width, 0.5 * (least - width)) : unit;
  return has_data(of) ? (plot_range){of.low - margin, of.high + margin} : (plot_range){0.0, unit};
}

/* Widens the range to whole decades. */
static plot_range decades(plot_range of)
{
  if (!has_data(of))
    return (plot_range){1e-1, 1.0};
  double low = floor(log10(of.low)), high = ceil(log10(of.high));
  return (plot_range){pow(10.0, low), pow(10.0, high > low ? high : low + 1.0)};
}

/* ---- Writing ----------------------------------------------------------------------------------------------------- */

/* For loops, which lie close to each other: of one colour, or coloured by the third column, their cycles. */
static const char thin_style[] = "lw 1.5 lc rgb '#15396b'", coloured_style[] = "lw 1.6 lc palette";

static bool is_loop(const run_panel *panel, const run_view *view)
{
  return view->loading.is_cyclic && panel->across != RUN_STEPS && panel->across != RUN_CYCLES;
}

bool run_panel_has_colours(const run_panel *panel, const run_view *view)
{
  return view->loading.counts_cycles && is_loop(panel, view);
}

int run_panel_curves(const run_panel *panel)
{
  int count = 0;
  while (count < RUN_PANEL_CURVES_MAX && panel->up[count] != RUN_NOTHING)
    count++;
  return count;
}

/* Ends a text. It makes gnuplot keep all spaces in SVG; otherwise some programs drop spaces next to a symbol. */
#define TWO_SPACES "  "

/* "name since the start of stage 2  (unit)". If the run has packing only, its start is that of the run. */
static void write_label(const run_view *view, char axis, const char *name, const char *unit, bool is_since_start,
                        FILE *script)
{
  fprintf(script, "set %clabel '%s", axis, name);
  if (is_since_start && view->loading.first_stage == 0)
    fprintf(script, " since the start of the run");
  else if (is_since_start)
    fprintf(script, " since the start of stage %d", view->loading.first_stage);
  fprintf(script, *unit ? "  (%s)'" : TWO_SPACES "'", unit);
  fprintf(script, axis == 'y' ? " offset 0.3,0\n" : "\n");
}

/* A panel with its ranges and units. */
typedef struct drawing {
  const run_view *view;
  const run_panel *of;
  int curves;
  plot_range across, up;
  run_scale across_scale, up_scale;
  bool is_empty; /* no row has numbers to draw */
} drawing;

static drawing prepare(const run_view *view, const run_panel *of)
{
  const plot_range none = {INFINITY, -INFINITY};
  drawing made = {.view = view, .of = of, .curves = run_panel_curves(of), .across = none, .up = none};
  widen_by_rows(&made.across, view, of->across, false);
  for (int i = 0; i < made.curves; i++)
    widen_by_rows(&made.up, view, of->up[i], of->is_log);
  made.is_empty = !has_data(made.across) || !has_data(made.up);
  if (of->across == RUN_MEAN_STRESS) /* stress paths show the origin, lengths of histories zero */
    plot_range_widen(&made.across, 0.0);
  if (of->up[0] == RUN_HISTORY_MEAN || of->up[0] == RUN_HISTORY_MAX)
    plot_range_widen(&made.up, 0.0);
  made.across_scale = run_quantity_scale(of->across, plot_range_size(made.across));
  made.up_scale = run_quantity_scale(of->up[0], plot_range_size(made.up));
  made.across = with_margin(made.across, 0.03, 1.0 / made.across_scale.factor);
  made.up = of->is_log ? decades(made.up) : with_margin(made.up, 0.06, 1.0 / made.up_scale.factor);
  return made;
}

/* About so many rows at most, evenly spaced, and always the last one. The last column of loops counts cycles. */
static void write_data(const drawing *of, FILE *script)
{
  const run_loading *loading = &of->view->loading;
  bool has_colours = run_panel_has_colours(of->of, of->view);
  size_t stride = (loading->end - loading->first) / (has_colours ? LOOP_POINTS_MAX : POINTS_MAX) + 1;
  fprintf(script, "$data << EOD\n");
  for (size_t row = loading->first; row < loading->end; row++) {
    if ((row - loading->first) % stride != 0 && row + 1 != loading->end)
      continue;
    fprintf(script, "%.9g", of->across_scale.factor * run_quantity_value(of->view, of->of->across, row));
    for (int i = 0; i < of->curves; i++)
      fprintf(script, " %.9g", of->up_scale.factor * run_quantity_value(of->view, of->of->up[i], row));
    if (has_colours)
      fprintf(script, " %.9g", run_quantity_value(of->view, RUN_CYCLES, row));
    fprintf(script, "\n");
  }
  fprintf(script, "EOD\n");
}

static void write_axes(const drawing *of, FILE *script)
{
  char across[RUN_LABEL_SIZE], up[RUN_LABEL_SIZE];
  double across_factor = of->across_scale.factor, up_factor = of->up_scale.factor;
  run_quantity_name(of->view, of->of->across, across);
  run_quantity_name(of->view, of->of->up[0], up);
  fprintf(script, "%s logscale y\nset format y '%s'\n", of->of->is_log ? "set" : "unset",
          of->of->is_log ? "10^{%L}" : "%h");
  fprintf(script, "set xrange [%.9g:%.9g]\nset yrange [%.9g:%.9g]\n", across_factor * of->across.low,
          across_factor * of->across.high, up_factor * of->up.low, up_factor * of->up.high);
  write_label(of->view, 'x', across, of->across_scale.unit, run_quantity_is_since_start(of->of->across), script);
  write_label(of->view, 'y', of->of->up_label ? of->of->up_label : up, of->up_scale.unit,
              run_quantity_is_since_start(of->of->up[0]), script);
}

/* A line at zero, if zero is within the range, and the curves. A single curve needs no legend. */
static void write_curves(const drawing *of, FILE *script)
{
  const char *style = run_panel_has_colours(of->of, of->view) ? coloured_style : thin_style;
  char name[RUN_LABEL_SIZE];
  fprintf(script,
          of->up.low < 0.0 && of->up.high > 0.0 ? "set xzeroaxis lt 1 lw 1.2 lc rgb '#888888'\n" : "unset xzeroaxis\n");
  fprintf(script, "plot ");
  for (int i = 0; i < of->curves; i++) {
    run_quantity_name(of->view, of->of->up[i], name);
    fprintf(script, "%s$data using 1:%d", i > 0 ? ", " : "", i + 2);
    if (style == coloured_style)
      fprintf(script, ":%d", of->curves + 2);
    fprintf(script, " with lines %s ", is_loop(of->of, of->view) ? style : plot_curve_style(i));
    if (of->curves > 1)
      fprintf(script, "title '%s" TWO_SPACES "'", name);
    else
      fprintf(script, "notitle");
  }
  fprintf(script, "\n");
}

void run_panel_write(const run_panel *panel, const run_view *view, FILE *script)
{
  const drawing of = prepare(view, panel);
  write_axes(&of, script);
  if (of.is_empty) {
    plot_write_nothing(script);
    return;
  }
  write_data(&of, script);
  write_curves(&of, script);
}
