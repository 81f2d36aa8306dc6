/* SPDX-License-Identifier: MIT */
/*
 * A panel of a run's picture. Curves differ in dashes and brightness as well as in colour, so that they can be told
 * apart in grey.
 */
#include "run_panel.h"
#include "plot.h"

#include <math.h>

enum { POINTS_MAX = 4000 };

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

static const char *const styles[RUN_PANEL_CURVES_MAX] = {
    "lw 3.2 lc rgb '#15396b'",               /* dark, solid */
    "lw 2.6 dt (14,5) lc rgb '#c8552b'",     /* middle, long dashes */
    "lw 3.0 dt (3,4) lc rgb '#2c7a4b'",      /* middle, dots */
    "lw 3.4 lc rgb '#e0a526'",               /* light, solid */
    "lw 2.6 dt (14,4,3,4) lc rgb '#7a4fa3'", /* dark, dashes and dots */
    "lw 2.6 dt (6,4) lc rgb '#6f7f8c'",      /* grey, short dashes */
};

/* For loops, which lie close to each other. */
static const char thin_style[] = "lw 1.5 lc rgb '#15396b'";

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

/* About POINTS_MAX rows at most, evenly spaced, and always the last one. */
static void write_data(const drawing *of, FILE *script)
{
  const run_loading *loading = &of->view->loading;
  size_t stride = (loading->end - loading->first) / POINTS_MAX + 1;
  fprintf(script, "$data << EOD\n");
  for (size_t row = loading->first; row < loading->end; row++) {
    if ((row - loading->first) % stride != 0 && row + 1 != loading->end)
      continue;
    fprintf(script, "%.9g", of->across_scale.factor * run_quantity_value(of->view, of->of->across, row));
    for (int i = 0; i < of->curves; i++)
      fprintf(script, " %.9g", of->up_scale.factor * run_quantity_value(of->view, of->of->up[i], row));
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
  const bool is_loop = of->view->loading.is_cyclic && of->of->across != RUN_STEPS;
  char name[RUN_LABEL_SIZE];
  fprintf(script,
          of->up.low < 0.0 && of->up.high > 0.0 ? "set xzeroaxis lt 1 lw 1.2 lc rgb '#888888'\n" : "unset xzeroaxis\n");
  fprintf(script, "plot ");
  for (int i = 0; i < of->curves; i++) {
    run_quantity_name(of->view, of->of->up[i], name);
    fprintf(script, "%s$data using 1:%d with lines %s ", i > 0 ? ", " : "", i + 2, is_loop ? thin_style : styles[i]);
    if (of->curves > 1)
      fprintf(script, "title '%s" TWO_SPACES "'", name);
    else
      fprintf(script, "notitle");
  }
  fprintf(script, "\n");
}

/* gnuplot refuses a panel without a curve, so this one has a curve outside of it. */
static void write_nothing(FILE *script)
{
  fprintf(script, "set label 1 'nothing to show' at graph 0.5,0.5 center textcolor rgb '#666666'\n"
                  "plot 1e99 notitle\nunset label 1\n");
}

void run_panel_write(const run_panel *panel, const run_view *view, FILE *script)
{
  const drawing of = prepare(view, panel);
  write_axes(&of, script);
  if (of.is_empty) {
    write_nothing(script);
    return;
  }
  write_data(&of, script);
  write_curves(&of, script);
}
