/* SPDX-License-Identifier: MIT */
/* The picture of elastic moduli over pressure. */
#include "moduli_picture.h"
#include "plot.h"

#include <math.h>
#include <stdbool.h>

#define SHEAR_STYLE "lc rgb '#2f87c9'"
#define BULK_STYLE "lc rgb '#7a0c2e'"

static const plot_range empty = {INFINITY, -INFINITY};

static void write_points(const moduli_picture *of, FILE *script)
{
  fprintf(script, "$points << EOD\n");
  for (size_t i = 0; i < of->count; i++) {
    const moduli_picture_point *at = &of->points[i];
    fprintf(script, "%.9g %.9g %.9g %.9g %.9g %.9g %.9g\n", 1e-3 * at->p, 1e-6 * at->shear, 1e-6 * at->bulk,
            1e-6 * at->shear_affine, 1e-6 * at->bulk_affine, at->vp, at->vs);
  }
  fprintf(script, "EOD\n");
}

/* Labels at 1, 2 and 5 times powers of ten; at more numbers on an axis that is shorter than a decade. */
static void write_tics(const char *axis, plot_range range, FILE *script)
{
  static const double few[] = {1.0, 2.0, 5.0}, many[] = {1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0};
  bool is_short = range.high < 10.0 * range.low;
  const double *digits = is_short ? many : few;
  int count = is_short ? (int)(sizeof many / sizeof *many) : (int)(sizeof few / sizeof *few);
  const char *comma = "";
  fprintf(script, "set %stics (", axis);
  for (int power = (int)floor(log10(range.low)); power <= (int)floor(log10(range.high)); power++)
    for (int k = 0; k < count; k++) {
      fprintf(script, "%s%.1fe%d", comma, digits[k], power);
      comma = ", ";
    }
  fprintf(script, ")\n");
}

/* A logarithmic axis with some room at its ends. Values that are not positive cannot be drawn. */
static void write_axis(const char *axis, plot_range range, FILE *script)
{
  if (!(range.low > 0.0 && range.low <= range.high && isfinite(range.high)))
    return;
  range = (plot_range){0.8 * range.low, 1.25 * range.high};
  fprintf(script, "set logscale %s\nset %srange [%.9g:%.9g]\n", axis, axis, range.low, range.high);
  write_tics(axis, range, script);
}

static void widen(plot_range *range, double value)
{
  if (value > 0.0)
    plot_range_widen(range, value);
}

/* In MPa over p in kPa. */
static void write_fit(const char *name, const moduli_picture_fit *fit, FILE *script)
{
  fprintf(script, "%s(x) = %.9g * (1e3 * x)**%.9g\n", name, 1e-6 * fit->factor, fit->exponent);
}

static void write_moduli(const moduli_picture *of, FILE *script)
{
  plot_range range = empty;
  for (size_t i = 0; i < of->count; i++) {
    const moduli_picture_point *at = &of->points[i];
    const double values[] = {at->shear, at->bulk, at->shear_affine, at->bulk_affine};
    for (int k = 0; k < 4; k++)
      widen(&range, 1e-6 * values[k]);
  }
  write_axis("y", range, script);
  fprintf(script, "set ylabel 'modulus  (MPa)' offset 0.5,0\nplot ");
  if (of->has_fits)
    fprintf(script,
            "g(x) with lines lw 1.6 " SHEAR_STYLE " title '{/:Italic G} ∝ {/:Italic p}^{%.3f}'"
            ", k(x) with lines lw 1.6 dt (8,5) " BULK_STYLE " title '{/:Italic K} ∝ {/:Italic p}^{%.3f}', ",
            of->shear.exponent, of->bulk.exponent);
  fprintf(script, "$points using 1:2 with points pt 7 ps 1.2 " SHEAR_STYLE " title '{/:Italic G}'"
                  ", $points using 1:3 with points pt 5 ps 1.2 " BULK_STYLE " title '{/:Italic K}'"
                  ", $points using 1:4 with points pt 6 ps 1.2 " SHEAR_STYLE " title '{/:Italic G}, affine'"
                  ", $points using 1:5 with points pt 4 ps 1.2 " BULK_STYLE " title '{/:Italic K}, affine'\n");
}

static void write_waves(const moduli_picture *of, FILE *script)
{
  plot_range range = empty;
  for (size_t i = 0; i < of->count; i++) {
    widen(&range, of->points[i].vp);
    widen(&range, of->points[i].vs);
  }
  write_axis("y", range, script);
  fprintf(script,
          "set ylabel 'velocity  (m/s)' offset 0.5,0\n"
          "plot $points using 1:6 with linespoints pt 5 ps 1.2 lw 1.6 dt (8,5) " BULK_STYLE " title '{/:Italic V}_{p}'"
          ", $points using 1:7 with linespoints pt 7 ps 1.2 lw 1.6 " SHEAR_STYLE " title '{/:Italic V}_{s}'\n");
}

void moduli_picture_write(const void *contents, const char *terminal, FILE *script)
{
  const moduli_picture *of = contents;
  plot_range pressures = empty;
  for (size_t i = 0; i < of->count; i++)
    widen(&pressures, 1e-3 * of->points[i].p);
  plot_write_style(terminal, 2, 2.5, script);
  write_points(of, script);
  write_axis("x", pressures, script);
  fprintf(script, "set xlabel '{/:Italic p}  (kPa)'\n");
  if (of->has_fits) {
    write_fit("g", &of->shear, script);
    write_fit("k", &of->bulk, script);
  }
  fprintf(script, "set multiplot layout 1,2 margins 0.078,0.985,0.12,0.845 spacing 0.095\n");
  write_moduli(of, script);
  write_waves(of, script);
  fprintf(script, "unset multiplot\n");
}
