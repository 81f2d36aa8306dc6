/* SPDX-License-Identifier: MIT */
/*
 * The picture of a contact's path. The path is drawn thin and bright, the history thick and dark with open circles,
 * so that they differ in print without colours.
 */
#include "contact_picture.h"
#include "pictures/plot.h"

#include <math.h>
#include <string.h>

#define PATH_STYLE "lw 1.8 lc rgb '#2f87c9'"
#define SECOND_STYLE "lw 1.8 dt (8,5) lc rgb '#8a4a00'"
#define HISTORY_STYLE "lw 3.5 lc rgb '#7a0c2e'"
#define CONE_STYLE "lw 2.2 dt (2,4) lc rgb '#333333'"

/* ---- Ranges and units -------------------------------------------------------------------------------------------- */

static plot_range join(plot_range a, plot_range b)
{
  return (plot_range){fmin(a.low, b.low), fmax(a.high, b.high)};
}

/* Adds a margin: a share of the range, or `unit` if all values are zero. */
static plot_range with_margin(plot_range range, double share, double unit)
{
  double width = range.high - range.low, size = plot_range_size(range);
  double margin = width > 0.0 ? share * width : size > 0.0 ? 0.1 * size : unit;
  return (plot_range){range.low - margin, range.high + margin};
}

/* The picture with its ranges, units and components. */
typedef struct figure {
  const contact_picture *of;
  plot_range xi[2], ft[2], fn;
  plot_unit length, force; /* the factor of `length` makes ξ the number on the axis */
  int main;                /* the tangential component that the right panel shows: the one with the larger force */
  bool has_two;            /* both tangential components occur */
} figure;

static void measure_point(figure *f, const contact_path_point *point)
{
  for (int i = 0; i < 2; i++) {
    plot_range_widen(&f->xi[i], point->xi[i]);
    plot_range_widen(&f->ft[i], point->ft[i]);
  }
  plot_range_widen(&f->fn, point->fn);
}

static figure measure(const contact_picture *of)
{
  figure f = {.of = of};
  for (size_t i = 0; i < of->path->count; i++)
    measure_point(&f, &of->path->points[i]);
  measure_point(&f, &of->path->last);
  const double xi[2] = {plot_range_size(f.xi[0]), plot_range_size(f.xi[1])};
  const double ft[2] = {plot_range_size(f.ft[0]), plot_range_size(f.ft[1])};
  f.main = ft[1] > ft[0];
  f.has_two = ft[1 - f.main] > 0.0 || xi[1 - f.main] > 0.0;
  if (ft[0] == 0.0 && ft[1] == 0.0)
    f.main = xi[1] > xi[0];
  f.length = plot_unit_for((of->is_whole ? 2.0 : 1.0) * fmax(xi[0], xi[1]));
  f.length.factor *= of->is_whole ? 2.0 : 1.0;
  f.force = plot_unit_for(fmax(plot_range_size(f.fn), fmax(ft[0], ft[1])));
  return f;
}

/* ---- Data -------------------------------------------------------------------------------------------------------- */

static void write_point(const figure *f, const contact_path_point *point, FILE *script)
{
  double length = f->length.factor, force = f->force.factor;
  fprintf(script, "%.9g %.9g %.9g %.9g %.9g", length * point->xi[0], length * point->xi[1], force * point->fn,
          force * point->ft[0], force * point->ft[1]);
}

static void write_path(const figure *f, FILE *script)
{
  const contact_path *path = f->of->path;
  fprintf(script, "$path << EOD\n");
  for (size_t i = 0; i < path->count; i++) {
    write_point(f, &path->points[i], script);
    fputc('\n', script);
  }
  write_point(f, &path->last, script);
  fprintf(script, "\nEOD\n");
}

/* The history is straight between its points: Ft = Σ p* ΔFn*. */
static void write_history(const figure *f, FILE *script)
{
  const jager_point *points = f->of->history;
  double ft = 0.0;
  fprintf(script, "$history << EOD\n");
  for (size_t k = 0; k < f->of->history_count; k++) {
    if (k > 0)
      ft += points[k].p[f->main] * (points[k].fn - points[k - 1].fn);
    fprintf(script, "%.9g %.9g\n", f->force.factor * points[k].fn, f->force.factor * ft);
  }
  fprintf(script, "EOD\n");
}

/* ---- Text and style ---------------------------------------------------------------------------------------------- */

/* The paper's symbol with the number of its component, which is left out where only the first component occurs. */
static const char *symbol(const figure *f, const char *letter, const char *index, int component, char text[64])
{
  if (f->has_two || component == 1)
    snprintf(text, 64, "{/:Italic %s}_{%s%d}", letter, index, component + 1);
  else if (*index)
    snprintf(text, 64, "{/:Italic %s}_{%s}", letter, index);
  else
    snprintf(text, 64, "{/:Italic %s}", letter);
  return text;
}

/* The name of the path's file, the model, the friction coefficient and the number of steps. */
static void write_title(const figure *f, FILE *script)
{
  const char *slash = strrchr(f->of->path_name, '/');
  fprintf(script, "set multiplot layout 1,2 margins 0.078,0.985,0.12,0.855 spacing 0.095 title \"");
  plot_write_text(slash ? slash + 1 : f->of->path_name, script);
  unsigned long long steps = f->of->path->steps;
  fprintf(script, ": model %s, f = %g, %llu step%s\" font ',14' noenhanced\n", f->of->law, f->of->friction, steps,
          steps == 1 ? "" : "s");
}

/* ---- Axes of a panel --------------------------------------------------------------------------------------------- */

/* Ft over ξ, or Ft over Fn. */
typedef struct panel_axes {
  bool is_over_fn;
  int component;
  plot_range across, up;
} panel_axes;

static double across_of(const panel_axes *panel, const contact_path_point *point)
{
  return panel->is_over_fn ? point->fn : point->xi[panel->component];
}

static double across_factor(const figure *f, const panel_axes *panel)
{
  return panel->is_over_fn ? f->force.factor : f->length.factor;
}

static void write_ranges(const figure *f, const panel_axes *panel, FILE *script)
{
  double across = across_factor(f, panel), up = f->force.factor;
  fprintf(script, "set xrange [%.9g:%.9g]\nset yrange [%.9g:%.9g]\n", across * panel->across.low,
          across * panel->across.high, up * panel->up.low, up * panel->up.high);
}

/* A place in a panel, in shares of its width and height. */
typedef struct panel_place {
  double across, up;
} panel_place;

static panel_place place_of(const panel_axes *panel, const contact_path_point *point)
{
  return (panel_place){
      (across_of(panel, point) - panel->across.low) / (panel->across.high - panel->across.low),
      (point->ft[panel->component] - panel->up.low) / (panel->up.high - panel->up.low),
  };
}

/* Distance from the nearer of the two lines Ft = ±f Fn. */
static double distance_from_cone(const figure *f, const panel_axes *panel, panel_place place)
{
  double width = panel->across.high - panel->across.low, height = panel->up.high - panel->up.low;
  double slope = f->of->friction * width / height, axis = -panel->up.low / height;
  return fabs(fabs(place.up - axis) - slope * place.across) / hypot(1.0, slope);
}

/* Distance from the nearest point of the path or, if nearer, from the friction limit. */
static double clearance(const figure *f, const panel_axes *panel, panel_place place)
{
  const contact_path *path = f->of->path;
  double nearest = panel->is_over_fn ? distance_from_cone(f, panel, place) : INFINITY;
  for (size_t i = 0; i < path->count; i++) {
    panel_place point = place_of(panel, &path->points[i]);
    nearest = fmin(nearest, hypot(point.across - place.across, point.up - place.up));
  }
  return nearest;
}

/* The number of a step stands beside the end of the step, on the side with the most room. */
static panel_place place_of_number(const figure *f, const panel_axes *panel, uint64_t step)
{
  enum { SIDES = 16 };
  const double distance = 0.032, turn = 6.283185307179586 / SIDES;
  const contact_path *path = f->of->path;
  panel_place end = place_of(panel, &path->ends[step]), best = end;
  double most_room = -1.0;
  for (int i = 0; i < SIDES; i++) {
    panel_place place = {end.across + distance * sin(turn * i), end.up + distance * cos(turn * i)};
    double room = clearance(f, panel, place);
    if (room > most_room) {
      most_room = room;
      best = place;
    }
  }
  return best;
}

static bool has_numbered_steps(const figure *f)
{
  return f->of->path->steps <= CONTACT_PATH_STEPS_MAX;
}

/* The ends of the steps and the places of their numbers. */
static void write_step_data(const figure *f, const panel_axes *panel, FILE *script)
{
  const contact_path *path = f->of->path;
  const double factor = across_factor(f, panel);
  fprintf(script, "$steps << EOD\n");
  for (uint64_t i = 0; i < path->steps && has_numbered_steps(f); i++) {
    double across = across_of(panel, &path->ends[i]), up = path->ends[i].ft[panel->component];
    panel_place number = place_of_number(f, panel, i);
    fprintf(script, "%.9g %.9g %.9g %.9g %llu\n", factor * across, f->force.factor * up,
            factor * (panel->across.low + number.across * (panel->across.high - panel->across.low)),
            f->force.factor * (panel->up.low + number.up * (panel->up.high - panel->up.low)),
            (unsigned long long)i + 1);
  }
  fprintf(script, "EOD\n");
}

/* Marks and numbers at the ends of the steps: the last part of a plot command. */
static void write_step_marks(const figure *f, FILE *script)
{
  if (has_numbered_steps(f))
    fprintf(script, ", $steps using 1:2 with points pt 7 ps 0.7 lc rgb '#1d5f91' notitle"
                    ", $steps using 3:4:5 with labels font ',10' textcolor rgb '#1d3f5f' notitle");
  fprintf(script, "\n");
}

/* ---- Panels ------------------------------------------------------------------------------------------------------ */

static void write_left_panel(const figure *f, FILE *script)
{
  char xi[64], ft[64], second_xi[64], second_ft[64];
  int first = f->has_two ? 0 : f->main;
  panel_axes panel = {.component = first, .across = f->xi[first], .up = f->ft[first]};
  const char *letter = f->of->is_whole ? "2ξ" : "ξ";
  symbol(f, letter, "", first, xi);
  symbol(f, "F", "t", first, ft);
  symbol(f, letter, "", 1, second_xi);
  symbol(f, "F", "t", 1, second_ft);
  if (f->has_two) {
    panel.across = join(panel.across, f->xi[1]);
    panel.up = join(panel.up, f->ft[1]);
  }
  panel.across = with_margin(panel.across, 0.06, 1.0 / f->length.factor);
  panel.up = with_margin(panel.up, 0.08, 1.0 / f->force.factor);
  write_ranges(f, &panel, script);
  write_step_data(f, &panel, script);
  const char *also = f->has_two ? ", " : "";
  fprintf(script, "set xlabel '%s%s%s  (%sm)'\nset ylabel '%s%s%s  (%sN)' offset 0.3,0\n", xi, also,
          f->has_two ? second_xi : "", f->length.prefix, ft, also, f->has_two ? second_ft : "", f->force.prefix);
  fprintf(script, "set key width -2\nplot $path using %d:%d with lines " PATH_STYLE " title '%s over %s'", 1 + first,
          4 + first, ft, xi);
  if (f->has_two)
    fprintf(script, ", $path using 2:5 with lines " SECOND_STYLE " title '%s over %s'", second_ft, second_xi);
  write_step_marks(f, script);
}

/* The range shows the path, and of the friction limit as much as leaves the path large. */
static plot_range height_of_right_panel(const figure *f)
{
  plot_range up = f->ft[f->main];
  double cone = f->of->friction * f->fn.high;
  double size = plot_range_size(up);
  double shown = size > 0.0 ? fmin(cone, 1.6 * size) : cone;
  plot_range_widen(&up, shown);
  plot_range_widen(&up, -shown);
  return with_margin(up, 0.05, 1.0 / f->force.factor);
}

static void write_right_panel(const figure *f, FILE *script)
{
  char ft[64];
  int main = f->main;
  panel_axes panel = {.is_over_fn = true,
                      .component = main,
                      .across = {0.0, with_margin(f->fn, 0.06, 1.0 / f->force.factor).high},
                      .up = height_of_right_panel(f)};
  double edge = f->force.factor * panel.across.high, friction = f->of->friction;
  symbol(f, "F", "t", main, ft);
  write_ranges(f, &panel, script);
  write_step_data(f, &panel, script);
  fprintf(script, "set xlabel '{/:Italic F}_{n}  (%sN)'\nset ylabel '%s  (%sN)' offset 0.3,0\n", f->force.prefix, ft,
          f->force.prefix);
  fprintf(script, "$cone << EOD\n%.9g %.9g\n0 0\n%.9g %.9g\nEOD\n", edge, friction * edge, edge, -friction * edge);
  fprintf(script, "set key width %d\nplot $cone using 1:2 with lines " CONE_STYLE " title '±{/:Italic f F}_{n}'",
          f->of->history_count > 0 ? -10 : 0);
  fprintf(script, ", $path using 3:%d with lines " PATH_STYLE " title 'path'", 4 + main);
  if (f->of->history_count > 0)
    fprintf(script, ", $history using 1:2 with lines " HISTORY_STYLE " notitle"
                    ", $history using 1:2 with points pt 7 ps 1.5 lc rgb '#7a0c2e' notitle"
                    ", $history using 1:2 with points pt 7 ps 0.9 lc rgb '#ffffff' notitle"
                    ", keyentry with linespoints pt 6 ps 1.3 " HISTORY_STYLE " title 'equivalent history'");
  write_step_marks(f, script);
}

void contact_picture_write(const void *contents, const char *terminal, FILE *script)
{
  const figure f = measure(contents);
  plot_write_style(terminal, 1, 2.5, script);
  write_path(&f, script);
  write_history(&f, script);
  write_title(&f, script);
  write_left_panel(&f, script);
  write_right_panel(&f, script);
  fprintf(script, "unset multiplot\n");
}
