/* SPDX-License-Identifier: MIT */
/* The pictures of ready tests. */
#include "ready_test_picture.h"
#include "picture.h"
#include "plot.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Curves differ in their points as well as in colour. Open points that coincide can be told apart. */
static const struct {
  int point, open_point;
  const char *colour;
} styles[] = {{7, 6, "#15396b"},   {9, 8, "#c8552b"},   {5, 4, "#2c7a4b"},
              {13, 12, "#e0a526"}, {11, 10, "#7a4fa3"}, {15, 14, "#6f7f8c"}};
enum { STYLES = sizeof styles / sizeof *styles };

static void write_points(int curve, FILE *script)
{
  fprintf(script, "with linespoints lw 2.6 pt %d ps 1.2 lc rgb '%s' ", styles[curve % STYLES].point,
          styles[curve % STYLES].colour);
}

static void write_title(const char *title, const char *text, FILE *script)
{
  fprintf(script, "set multiplot layout 1,2 margins 0.088,0.985,0.13,0.85 spacing 0.105 title \"");
  if (title) {
    plot_write_text(title, script);
    fprintf(script, ": ");
  }
  fprintf(script, "%s\" font ',14' noenhanced\n", text);
}

/* A value of a data line; "?" is no point. */
static void put(double value, FILE *script)
{
  if (isfinite(value))
    fprintf(script, " %.9g", value);
  else
    fprintf(script, " ?");
}

/* Whole decades around a range of positive numbers, and at least one; numbers may be just outside. */
static plot_range decades(plot_range of, plot_range if_empty)
{
  const double outside = 1e-3; /* of a decade */
  if (!(of.low <= of.high))
    return if_empty;
  double low = floor(log10(of.low) + outside), high = ceil(log10(of.high) - outside);
  return (plot_range){pow(10.0, low), pow(10.0, high > low ? high : low + 1.0)};
}

/* ---- Modulus reduction ------------------------------------------------------------------------------------------- */

static bool is_same_curve(const reduction_row *a, const reduction_row *b)
{
  return a->test == b->test && strcmp(a->model, b->model) == 0;
}

/* A value for a logarithmic axis */
static double if_positive(double value)
{
  return value > 0.0 ? value : NAN;
}

/* The data of each curve as a block $c0, $c1, ...: γ, G/Gmax, D, its numerical part. Returns the number of curves. */
static int write_reduction_data(const reduction_contents *of, FILE *script)
{
  int curves = 0;
  for (size_t i = 0; i < of->count; i++) {
    const reduction_row *row = &of->rows[i];
    if (i == 0 || !is_same_curve(row, row - 1))
      fprintf(script, "%s$c%d << EOD\n", i > 0 ? "EOD\n" : "", curves++);
    const double values[] = {row->gamma, row->modulus_ratio, if_positive(100.0 * row->damping_ratio),
                             if_positive(100.0 * row->damping_ratio_numerical)};
    for (int k = 0; k < 4; k++)
      put(values[k], script);
    fputc('\n', script);
  }
  if (curves > 0)
    fprintf(script, "EOD\n");
  return curves;
}

/* "jager", with the number of the test if there are several. */
static void write_name(const reduction_contents *of, size_t row, FILE *script)
{
  fprintf(script, "\"");
  plot_write_text(of->rows[row].model, script);
  if (of->rows[of->count - 1].test > 1.0)
    fprintf(script, ", test %.0f", of->rows[row].test);
  fprintf(script, "\"");
}

static void write_reduction_curves(const reduction_contents *of, int column, FILE *script)
{
  int curve = 0;
  const char *separator = "plot";
  for (size_t i = 0; i < of->count; i++) {
    if (i > 0 && is_same_curve(&of->rows[i], &of->rows[i - 1]))
      continue;
    fprintf(script, "%s $c%d using 1:%d ", separator, curve, column);
    write_points(curve, script);
    fprintf(script, "title ");
    write_name(of, i, script);
    separator = ",";
    if (column == 3)
      fprintf(script, ", $c%d using 1:4 with lines dt (4,4) lw 2 lc rgb '%s' title \"%s\"", curve,
              styles[curve % STYLES].colour, curve == 0 ? "numerical part, subtracted" : "");
    curve++;
  }
  fputc('\n', script);
}

/* Of D in %; two decades more at most for its numerical part, which may be as small as rounding. */
static plot_range damping_range(const reduction_contents *of)
{
  plot_range range = {INFINITY, -INFINITY}, numerical = range;
  for (size_t i = 0; i < of->count; i++) {
    plot_range_widen(&range, if_positive(100.0 * of->rows[i].damping_ratio));
    plot_range_widen(&numerical, if_positive(100.0 * of->rows[i].damping_ratio_numerical));
  }
  if (range.low <= range.high && numerical.low < range.low)
    range.low = fmax(numerical.low, 0.01 * range.low);
  return decades(range, (plot_range){0.01, 100.0});
}

void reduction_picture_write(const void *contents, const char *terminal, FILE *script)
{
  const reduction_contents *of = contents;
  plot_range gamma = {INFINITY, -INFINITY};
  for (size_t i = 0; i < of->count; i++)
    plot_range_widen(&gamma, of->rows[i].gamma);
  gamma = decades(gamma, (plot_range){1e-6, 1e-3});
  plot_write_style(terminal, 2, 3.0, script);
  (void)write_reduction_data(of, script);
  write_title(of->title, "modulus reduction and damping", script);
  fprintf(script, "set xrange [%.9g:%.9g]\n", 0.999 * gamma.low, 1.001 * gamma.high);
  fprintf(script, "set logscale x\nset format x '10^{%%L}'\nset xlabel 'shear strain amplitude γ'\n"
                  "set yrange [0:1.05]\nset ylabel 'G / G_{max}' offset 0.3,0\n");
  write_reduction_curves(of, 2, script);
  plot_range damping = damping_range(of);
  fprintf(script,
          "set logscale y\nset yrange [%.9g:%.9g]\nset format y '%%g'\n"
          "set ylabel 'damping ratio D  (%%)' offset 0.3,0\n",
          damping.low, damping.high);
  write_reduction_curves(of, 3, script);
  fprintf(script, "unset multiplot\n");
}

bool reduction_picture_draw(const char *dir, const reduction_contents *of, error_info *error)
{
  const picture drawn = {GNUPLOT_WIDE, reduction_picture_write, of};
  return of->count == 0 || picture_draw(dir, REDUCTION_PICTURE, &drawn, error);
}

/* ---- Liquefaction resistance ------------------------------------------------------------------------------------- */

/* Columns of the data of a curve: CSR, cycles to liquefaction, cycles of tests that did not liquefy, largest r_u. */
enum { CSR = 1, CYCLES, CYCLES_DONE, R_U, RESISTANCE_COLUMNS = R_U };

static double resistance_value(const resistance_row *row, int column)
{
  switch (column) {
  case CSR:
    return row->csr;
  case CYCLES:
    return row->cycles;
  case R_U:
    return row->r_u_max;
  default:
    return isnan(row->cycles) ? row->cycles_done : NAN;
  }
}

static bool is_first_of_model(const resistance_contents *of, size_t row)
{
  return row == 0 || strcmp(of->rows[row].model, of->rows[row - 1].model) != 0;
}

static void write_resistance_data(const resistance_contents *of, FILE *script)
{
  int curves = 0;
  for (size_t i = 0; i < of->count; i++) {
    if (is_first_of_model(of, i))
      fprintf(script, "%s$c%d << EOD\n", i > 0 ? "EOD\n" : "", curves++);
    for (int k = CSR; k <= RESISTANCE_COLUMNS; k++)
      put(resistance_value(&of->rows[i], k), script);
    fputc('\n', script);
  }
  if (curves > 0)
    fprintf(script, "EOD\n");
}

/* Has the curve that begins in this row a point in the column? A logarithmic axis shows positive values only. */
static bool has_point(const resistance_contents *of, size_t first, int column)
{
  for (size_t i = first; i < of->count && (i == first || !is_first_of_model(of, i)); i++)
    if (resistance_value(&of->rows[i], column) > 0.0)
      return true;
  return false;
}

static void write_model_title(const char *model, FILE *script)
{
  fprintf(script, "title \"");
  plot_write_text(model, script);
  fprintf(script, "\"");
}

/* A curve for each model over these columns; with open points for tests that did not liquefy if `has_open`. */
static void write_resistance_curves(const resistance_contents *of, int across, int up, bool has_open, FILE *script)
{
  int curve = -1;
  bool is_open_used = false;
  fprintf(script, "plot NaN notitle"); /* there may be no other points */
  for (size_t i = 0; i < of->count; i++) {
    if (!is_first_of_model(of, i))
      continue;
    curve++;
    bool has_curve = has_point(of, i, across == CSR ? up : across);
    if (has_curve) {
      fprintf(script, ", $c%d using %d:%d ", curve, across, up);
      write_points(curve, script);
      write_model_title(of->rows[i].model, script);
    }
    if (has_open && has_point(of, i, CYCLES_DONE)) {
      fprintf(script, ", $c%d using %d:%d with points pt %d ps 2.2 lw 2 lc rgb '%s' ", curve, CYCLES_DONE, CSR,
              styles[curve % STYLES].open_point, styles[curve % STYLES].colour);
      write_model_title(has_curve ? "" : of->rows[i].model, script);
      is_open_used = true;
    }
  }
  if (is_open_used)
    fprintf(script, ", keyentry with points pt 6 ps 1.6 lw 2 lc rgb '#777777' title \"open: not liquefied by then\"");
  fputc('\n', script);
}

static plot_range cycles_range(const resistance_contents *of)
{
  plot_range range = {INFINITY, -INFINITY};
  for (size_t i = 0; i < of->count; i++)
    for (int k = CYCLES; k <= CYCLES_DONE; k++)
      if (resistance_value(&of->rows[i], k) > 0.0)
        plot_range_widen(&range, resistance_value(&of->rows[i], k));
  return decades(range, (plot_range){1.0, 100.0});
}

void resistance_picture_write(const void *contents, const char *terminal, FILE *script)
{
  const resistance_contents *of = contents;
  plot_range range = cycles_range(of);
  double most = 0.0;
  for (size_t i = 0; i < of->count; i++)
    most = fmax(most, of->rows[i].csr);
  plot_write_style(terminal, 2, 3.0, script);
  write_resistance_data(of, script);
  write_title(of->title, "liquefaction resistance", script);
  fprintf(script,
          "set logscale x\nset xrange [%.9g:%.9g]\nset yrange [0:%.9g]\n"
          "set ylabel 'cyclic stress ratio CSR' offset 0.3,0\n"
          "set xlabel 'cycles to r_u = 0.95, or to γ = 3.75 %% (triaxial: γ = 1.5 ε_{zz})'\n",
          range.low, range.high, 1.1 * most);
  write_resistance_curves(of, CYCLES, CSR, true, script);
  fprintf(script,
          "unset logscale x\nset xrange [0:%.9g]\nset yrange [0:1.1]\nset xlabel 'cyclic stress ratio CSR'\n"
          "set ylabel 'largest pore pressure ratio r_u' offset 0.3,0\n",
          1.1 * most);
  write_resistance_curves(of, CSR, R_U, false, script);
  fprintf(script, "unset multiplot\n");
}

bool resistance_picture_draw(const char *dir, const resistance_contents *of, error_info *error)
{
  const picture drawn = {GNUPLOT_WIDE, resistance_picture_write, of};
  return of->count == 0 || picture_draw(dir, RESISTANCE_PICTURE, &drawn, error);
}
