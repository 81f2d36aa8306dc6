/* SPDX-License-Identifier: MIT */
/* The picture of the grading. */
#include "grading_picture.h"
#include "pictures/plot.h"

#include <math.h>

enum { POINTS_MAX = 4000, CLASSES = 20 };

/* ---- Data -------------------------------------------------------------------------------------------------------- */

/* The curve is a staircase; of many spheres, about POINTS_MAX steps. */
static void write_curve(const dem_grading *g, double factor, FILE *script)
{
  size_t stride = g->count / POINTS_MAX + 1;
  fprintf(script, "$curve << EOD\n%.6g 0\n", factor * g->diameters[0]);
  for (size_t k = 0; k < g->count; k++)
    if (k % stride == 0 || k + 1 == g->count)
      fprintf(script, "%.6g %.6g\n", factor * g->diameters[k], 100.0 * g->passing[k]);
  fprintf(script, "EOD\n");
}

/* Horizontal and vertical lines to the characteristic diameters. */
static void write_marks(const dem_grading *g, double factor, double low, FILE *script)
{
  const double percent[] = {10.0, 30.0, 50.0, 60.0}, diameter[] = {g->d10, g->d30, g->d50, g->d60};
  fprintf(script, "$marks << EOD\n");
  for (int k = 0; k < 4; k++)
    fprintf(script, "%.6g %g\n%.6g %g\n%.6g 0\n\n", low, percent[k], factor * diameter[k], percent[k],
            factor * diameter[k]);
  fprintf(script, "EOD\n");
}

/* Classes are equal in the diameter. */
static void write_classes(const dem_grading *g, double factor, FILE *script)
{
  double mass[CLASSES] = {0.0}, number[CLASSES] = {0.0};
  double low = g->diameters[0], high = g->diameters[g->count - 1], before = 0.0;
  for (size_t k = 0; k < g->count; k++) {
    int class = high > low ? (int)((g->diameters[k] - low) / (high - low) * CLASSES) : CLASSES / 2;
    class = class < CLASSES ? class : CLASSES - 1;
    mass[class] += 100.0 * (g->passing[k] - before);
    number[class] += 100.0 / (double)g->count;
    before = g->passing[k];
  }
  double width = (high > low ? high - low : 0.2 * low) / CLASSES, start = high > low ? low : 0.9 * low;
  fprintf(script, "$classes << EOD\n");
  for (int k = 0; k < CLASSES; k++)
    fprintf(script, "%.6g %.6g %.6g %.6g\n", factor * (start + (k + 0.5) * width), mass[k], number[k], factor * width);
  fprintf(script, "EOD\n");
}

/* ---- Tics -------------------------------------------------------------------------------------------------------- */

/* The numbers 1, 2, 5, 10, 20, 50 … times a power of ten. */
static double round_number(int k, double power)
{
  static const double digits[3] = {1.0, 2.0, 5.0};
  return power * digits[k % 3] * pow(10.0, floor(k / 3.0));
}

static void write_round_tics(double low, double high, FILE *script)
{
  double power = pow(10.0, floor(log10(low)));
  fprintf(script, "set xtics (%.6g", power);
  for (int k = 1; round_number(k, power) <= high; k++)
    fprintf(script, ", %.6g", round_number(k, power));
  fprintf(script, ")\n");
}

static void write_even_tics(double low, double high, FILE *script)
{
  int k = 0;
  double power = pow(10.0, floor(log10(high - low)) - 1.0);
  while ((high - low) / round_number(k, power) > 8.0)
    k++;
  double step = round_number(k, power);
  int first = (int)ceil(low / step), last = (int)floor(high / step);
  fprintf(script, "set xtics (%.6g", first * step);
  for (int i = first + 1; i <= last; i++)
    fprintf(script, ", %.6g", i * step);
  fprintf(script, ")\n");
}

/* A logarithmic axis of about half a decade has evenly spaced numbers, longer ones 1, 2 and 5, or powers of ten. */
static void write_tics(double low, double high, FILE *script)
{
  if (high > 100.0 * low)
    fprintf(script, "set xtics autofreq\nset mxtics 10\n");
  else if (high > 4.0 * low)
    write_round_tics(low, high, script);
  else
    write_even_tics(low, high, script);
}

/* ---- Panels ------------------------------------------------------------------------------------------------------ */

static void write_title(const grading_contents *of, FILE *script)
{
  const dem_grading *g = of->grading;
  fprintf(script, "set multiplot layout 1,2 margins 0.088,0.985,0.12,0.87 spacing 0.105 title \"");
  if (of->run->title) {
    plot_write_text(of->run->title, script);
    fprintf(script, ": ");
  }
  fprintf(script, "grading of %zu sphere%s\" font ',14' noenhanced\n", g->count, g->count == 1 ? "" : "s");
}

static void write_values(const dem_grading *g, plot_unit unit, FILE *script)
{
  const struct {
    const char *name;
    double value;
  } sizes[] = {{"10", g->d10}, {"30", g->d30}, {"50", g->d50}, {"60", g->d60}};
  for (int k = 0; k < 4; k++)
    fprintf(script, "set label '{/:Italic D}_{%s} = %.4g %sm  ' at graph 0.04,graph %.2f\n", sizes[k].name,
            unit.factor * sizes[k].value, unit.prefix, 0.95 - 0.06 * k);
  fprintf(script, "set label '{/:Italic C}_u = %.3g  ' at graph 0.04,graph 0.69\n", g->uniformity);
  fprintf(script, "set label '{/:Italic C}_c = %.3g  ' at graph 0.04,graph 0.63\n", g->curvature);
}

void grading_picture_write(const void *contents, const char *terminal, FILE *script)
{
  const grading_contents *of = contents;
  const dem_grading *g = of->grading;
  double least = g->diameters[0], most = g->diameters[g->count - 1];
  const plot_unit unit = plot_unit_for(most);
  double ratio = fmax(most / least, 1.5), low = unit.factor * least / pow(ratio, 0.35),
         high = unit.factor * most * pow(ratio, 0.15);
  plot_write_style(terminal, 1, 3.0, script);
  write_title(of, script);
  write_curve(g, unit.factor, script);
  write_marks(g, unit.factor, low, script);
  write_classes(g, unit.factor, script);
  write_values(g, unit, script);
  write_tics(low, high, script);
  fprintf(script,
          "set logscale x\nset xrange [%.6g:%.6g]\nset yrange [0:102]\n"
          "set xlabel 'diameter  (%sm)'\nset ylabel 'finer by mass  (%%)' offset 0.3,0\n"
          "plot $curve using 1:2 with steps lw 3.2 lc rgb '#15396b' notitle, "
          "$marks using 1:2 with lines lw 1.4 dt (6,4) lc rgb '#c8552b' notitle\n",
          low, high, unit.prefix);
  fprintf(script,
          "unset label\nunset logscale x\nset xtics autofreq\nset mxtics default\nset xrange [*:*]\nset yrange [0:*]\n"
          "set ylabel 'share of a class  (%%)' offset 0.3,0\n"
          "plot $classes using 1:2:4 with boxes fs solid 0.45 border lc rgb '#15396b' fc rgb '#5b84b1' title 'mass  ', "
          "$classes using 1:3 with histeps lw 2.6 dt (14,5) lc rgb '#c8552b' title 'number  '\n"
          "unset multiplot\n");
}
