/* SPDX-License-Identifier: MIT */
/*
 * The picture of a contact's path. Left: shear force over shear movement. Right: the plane of the forces (Fn, Ft) with
 * the path, the cone |Ft| = f Fn that it cannot leave, and the equivalent history that is left at its end.
 *
 * The line of the path is thin and bright, that of the history thick and dark with open circles: they differ in print
 * without colours, too.
 */
#include "contact_plot.h"
#include "plot_unit.h"

#include <math.h>
#include <string.h>

#define PATH_STYLE "lw 1.8 lc rgb '#2f87c9'"
#define SECOND_STYLE "lw 1.8 dt (8,5) lc rgb '#8a4a00'"
#define HISTORY_STYLE "lw 3.5 lc rgb '#7a0c2e'"
#define CONE_STYLE "lw 2.2 dt (2,4) lc rgb '#333333'"

/* ---- Ranges ------------------------------------------------------------------------------------------------------ */

typedef struct plot_range {
  double low, high;
} plot_range;

static void widen(plot_range *range, double value)
{
  range->low = fmin(range->low, value);
  range->high = fmax(range->high, value);
}

static void widen_by(plot_range *range, plot_range other)
{
  widen(range, other.low);
  widen(range, other.high);
}

static double largest(plot_range range)
{
  return fmax(fabs(range.low), fabs(range.high));
}

/* Room around the data: a share of their range, or `unit` where they have none. */
static plot_range with_margin(plot_range range, double share, double unit)
{
  double width = range.high - range.low;
  double margin = width > 0.0 ? share * width : largest(range) > 0.0 ? 0.1 * largest(range) : unit;
  range.low -= margin;
  range.high += margin;
  return range;
}

/* Everything that is derived from the data before drawing. */
typedef struct plot_figure {
  const plot_contents *contents;
  plot_range xi[2], ft[2], fn;
  plot_unit length, force;
  int main;     /* the component that the right panel shows: the one with the larger force */
  bool has_two; /* both components are there */
} plot_figure;

static void measure(plot_figure *figure, const plot_point *point)
{
  for (int i = 0; i < 2; i++) {
    widen(&figure->xi[i], point->xi[i]);
    widen(&figure->ft[i], point->ft[i]);
  }
  widen(&figure->fn, point->fn);
}

static plot_figure measure_all(const plot_contents *contents)
{
  plot_figure figure = {.contents = contents};
  const plot_trace *trace = contents->trace;
  for (size_t i = 0; i < trace->count; i++)
    measure(&figure, &trace->points[i]);
  measure(&figure, &trace->last);
  figure.main = largest(figure.ft[1]) > largest(figure.ft[0]);
  int other = 1 - figure.main;
  figure.has_two = largest(figure.ft[other]) > 0.0 || largest(figure.xi[other]) > 0.0;
  if (largest(figure.ft[0]) == 0.0 && largest(figure.ft[1]) == 0.0)
    figure.main = largest(figure.xi[1]) > largest(figure.xi[0]);
  figure.length = plot_unit_for(fmax(largest(figure.xi[0]), largest(figure.xi[1])));
  figure.force = plot_unit_for(fmax(largest(figure.fn), fmax(largest(figure.ft[0]), largest(figure.ft[1]))));
  return figure;
}

/* ---- Data -------------------------------------------------------------------------------------------------------- */

static void write_point(const plot_figure *figure, const plot_point *point, FILE *script)
{
  double length = figure->length.factor, force = figure->force.factor;
  fprintf(script, "%.9g %.9g %.9g %.9g %.9g", length * point->xi[0], length * point->xi[1], force * point->fn,
          force * point->ft[0], force * point->ft[1]);
}

static void write_trace(const plot_figure *figure, FILE *script)
{
  const plot_trace *trace = figure->contents->trace;
  fprintf(script, "$path << EOD\n");
  for (size_t i = 0; i < trace->count; i++) {
    write_point(figure, &trace->points[i], script);
    fputc('\n', script);
  }
  write_point(figure, &trace->last, script);
  fprintf(script, "\nEOD\n");
}

/* The history is straight between its points: Ft = Σ p* ΔFn*. */
static void write_history(const plot_figure *figure, FILE *script)
{
  const jager_point *points = figure->contents->history;
  double ft = 0.0;
  fprintf(script, "$history << EOD\n");
  for (size_t k = 0; k < figure->contents->history_count; k++) {
    if (k > 0)
      ft += points[k].p[figure->main] * (points[k].fn - points[k - 1].fn);
    fprintf(script, "%.9g %.9g\n", figure->force.factor * points[k].fn, figure->force.factor * ft);
  }
  fprintf(script, "EOD\n");
}

/* ---- Text and style --------------------------------------------------------------------------------------------- */

/* The paper's symbol with the component's index, which is left out where there is only one component. */
static const char *symbol(const plot_figure *figure, const char *letter, const char *index, int component,
                          char text[64])
{
  if (figure->has_two || component == 1)
    snprintf(text, 64, "{/:Italic %s}_{%s%d}", letter, index, component + 1);
  else if (*index)
    snprintf(text, 64, "{/:Italic %s}_{%s}", letter, index);
  else
    snprintf(text, 64, "{/:Italic %s}", letter);
  return text;
}

/* The file's name without its directory, and without what would end the quotes. */
static void write_title(const plot_figure *figure, FILE *script)
{
  const char *slash = strrchr(figure->contents->path_name, '/');
  fprintf(script, "set multiplot layout 1,2 margins 0.078,0.985,0.12,0.855 spacing 0.095 title \"");
  for (const char *c = slash ? slash + 1 : figure->contents->path_name; *c; c++)
    fputc(*c == '"' || *c == '\\' || *c == '`' || (unsigned char)*c < ' ' ? '_' : *c, script);
  unsigned long long steps = figure->contents->trace->steps;
  fprintf(script, ": model %s, f = %g, %llu step%s\" font ',14' noenhanced\n",
          jager_model_name(figure->contents->law->model), figure->contents->law->friction, steps,
          steps == 1 ? "" : "s");
}

/* ---- Panel ------------------------------------------------------------------------------------------------------- */

/* One of the two diagrams: Ft over ξ, or Ft over Fn. */
typedef struct plot_panel {
  bool is_over_fn;
  int component;
  plot_range across, up;
} plot_panel;

static double across_of(const plot_panel *panel, const plot_point *point)
{
  return panel->is_over_fn ? point->fn : point->xi[panel->component];
}

static double across_factor(const plot_figure *figure, const plot_panel *panel)
{
  return panel->is_over_fn ? figure->force.factor : figure->length.factor;
}

static void write_ranges(const plot_figure *figure, const plot_panel *panel, FILE *script)
{
  double across = across_factor(figure, panel), up = figure->force.factor;
  fprintf(script, "set xrange [%.9g:%.9g]\nset yrange [%.9g:%.9g]\n", across * panel->across.low,
          across * panel->across.high, up * panel->up.low, up * panel->up.high);
}

/* A place in the picture, where both ranges have length 1. */
typedef struct plot_place {
  double across, up;
} plot_place;

static plot_place place_of(const plot_panel *panel, const plot_point *point)
{
  return (plot_place){
      (across_of(panel, point) - panel->across.low) / (panel->across.high - panel->across.low),
      (point->ft[panel->component] - panel->up.low) / (panel->up.high - panel->up.low),
  };
}

/* Distance from the cone's nearer line; the ranges have length 1. */
static double distance_from_cone(const plot_figure *figure, const plot_panel *panel, plot_place place)
{
  double width = panel->across.high - panel->across.low, height = panel->up.high - panel->up.low;
  double slope = figure->contents->law->friction * width / height, axis = -panel->up.low / height;
  return fabs(fabs(place.up - axis) - slope * place.across) / hypot(1.0, slope);
}

/* Distance from the nearest point of the path, or from the cone. */
static double clearance(const plot_figure *figure, const plot_panel *panel, plot_place place)
{
  const plot_trace *trace = figure->contents->trace;
  double nearest = panel->is_over_fn ? distance_from_cone(figure, panel, place) : INFINITY;
  for (size_t i = 0; i < trace->count; i++) {
    plot_place point = place_of(panel, &trace->points[i]);
    nearest = fmin(nearest, hypot(point.across - place.across, point.up - place.up));
  }
  return nearest;
}

/* Where the number of a step stands: beside the step's end, on the side that leaves most room. */
static plot_place place_of_number(const plot_figure *figure, const plot_panel *panel, uint64_t step)
{
  enum { SIDES = 16 };
  const double distance = 0.032, turn = 6.283185307179586 / SIDES;
  const plot_trace *trace = figure->contents->trace;
  plot_place end = place_of(panel, &trace->ends[step]), best = end;
  double most_room = -1.0;
  for (int i = 0; i < SIDES; i++) {
    plot_place place = {end.across + distance * sin(turn * i), end.up + distance * cos(turn * i)};
    double room = clearance(figure, panel, place);
    if (room > most_room) {
      most_room = room;
      best = place;
    }
  }
  return best;
}

static bool has_numbered_steps(const plot_figure *figure)
{
  return figure->contents->trace->steps <= PLOT_STEPS_MAX;
}

/* The ends of the steps, and where their numbers stand. */
static void write_step_data(const plot_figure *figure, const plot_panel *panel, FILE *script)
{
  const plot_trace *trace = figure->contents->trace;
  const double factor = across_factor(figure, panel);
  fprintf(script, "$steps << EOD\n");
  for (uint64_t i = 0; i < trace->steps && has_numbered_steps(figure); i++) {
    double across = across_of(panel, &trace->ends[i]), up = trace->ends[i].ft[panel->component];
    plot_place number = place_of_number(figure, panel, i);
    fprintf(script, "%.9g %.9g %.9g %.9g %llu\n", factor * across, figure->force.factor * up,
            factor * (panel->across.low + number.across * (panel->across.high - panel->across.low)),
            figure->force.factor * (panel->up.low + number.up * (panel->up.high - panel->up.low)),
            (unsigned long long)i + 1);
  }
  fprintf(script, "EOD\n");
}

/* The last part of a plot command. */
static void write_step_marks(const plot_figure *figure, FILE *script)
{
  if (has_numbered_steps(figure))
    fprintf(script, ", $steps using 1:2 with points pt 7 ps 0.7 lc rgb '#1d5f91' notitle"
                    ", $steps using 3:4:5 with labels font ',10' textcolor rgb '#1d3f5f' notitle");
  fprintf(script, "\n");
}

/* ---- The two diagrams ----------------------------------------------------------------------------------------------
 */

static void write_left_panel(const plot_figure *figure, FILE *script)
{
  char xi[64], ft[64], second_xi[64], second_ft[64];
  int first = figure->has_two ? 0 : figure->main;
  plot_panel panel = {.component = first, .across = figure->xi[first], .up = figure->ft[first]};
  symbol(figure, "ξ", "", first, xi);
  symbol(figure, "F", "t", first, ft);
  symbol(figure, "ξ", "", 1, second_xi);
  symbol(figure, "F", "t", 1, second_ft);
  if (figure->has_two) {
    widen_by(&panel.across, figure->xi[1]);
    widen_by(&panel.up, figure->ft[1]);
  }
  panel.across = with_margin(panel.across, 0.06, 1.0 / figure->length.factor);
  panel.up = with_margin(panel.up, 0.08, 1.0 / figure->force.factor);
  write_ranges(figure, &panel, script);
  write_step_data(figure, &panel, script);
  const char *also = figure->has_two ? ", " : "";
  fprintf(script, "set xlabel '%s%s%s  (%sm)'\nset ylabel '%s%s%s  (%sN)' offset 0.3,0\n", xi, also,
          figure->has_two ? second_xi : "", figure->length.prefix, ft, also, figure->has_two ? second_ft : "",
          figure->force.prefix);
  fprintf(script, "set key width -2\nplot $path using %d:%d with lines " PATH_STYLE " title '%s over %s'", 1 + first,
          4 + first, ft, xi);
  if (figure->has_two)
    fprintf(script, ", $path using 2:5 with lines " SECOND_STYLE " title '%s over %s'", second_ft, second_xi);
  write_step_marks(figure, script);
}

/* Room for the path, and for the cone unless that would make the path small. */
static plot_range height_of_right_panel(const plot_figure *figure)
{
  plot_range up = figure->ft[figure->main];
  double cone = figure->contents->law->friction * figure->fn.high;
  double size = largest(up);
  double shown = size > 0.0 ? fmin(cone, 1.6 * size) : cone;
  widen(&up, shown);
  widen(&up, -shown);
  return with_margin(up, 0.05, 1.0 / figure->force.factor);
}

static void write_right_panel(const plot_figure *figure, FILE *script)
{
  char ft[64];
  int main = figure->main;
  plot_panel panel = {.is_over_fn = true,
                      .component = main,
                      .across = {0.0, with_margin(figure->fn, 0.06, 1.0 / figure->force.factor).high},
                      .up = height_of_right_panel(figure)};
  double edge = figure->force.factor * panel.across.high, friction = figure->contents->law->friction;
  symbol(figure, "F", "t", main, ft);
  write_ranges(figure, &panel, script);
  write_step_data(figure, &panel, script);
  fprintf(script, "set xlabel '{/:Italic F}_{n}  (%sN)'\nset ylabel '%s  (%sN)' offset 0.3,0\n", figure->force.prefix,
          ft, figure->force.prefix);
  fprintf(script, "$cone << EOD\n%.9g %.9g\n0 0\n%.9g %.9g\nEOD\n", edge, friction * edge, edge, -friction * edge);
  fprintf(script, "set key width %d\nplot $cone using 1:2 with lines " CONE_STYLE " title '±{/:Italic f F}_{n}'",
          figure->contents->history_count > 0 ? -10 : 0);
  fprintf(script, ", $path using 3:%d with lines " PATH_STYLE " title 'path'", 4 + main);
  if (figure->contents->history_count > 0)
    fprintf(script, ", $history using 1:2 with lines " HISTORY_STYLE " notitle"
                    ", $history using 1:2 with points pt 7 ps 1.5 lc rgb '#7a0c2e' notitle"
                    ", $history using 1:2 with points pt 7 ps 0.9 lc rgb '#ffffff' notitle"
                    ", keyentry with linespoints pt 6 ps 1.3 " HISTORY_STYLE " title 'equivalent history'");
  write_step_marks(figure, script);
}

void contact_plot_write(const void *contents, const char *terminal, FILE *script)
{
  plot_figure figure = measure_all(contents);
  picture_write_style(terminal, 1, 2.5, script);
  write_trace(&figure, script);
  write_history(&figure, script);
  write_title(&figure, script);
  write_left_panel(&figure, script);
  write_right_panel(&figure, script);
  fprintf(script, "unset multiplot\n");
}
