/* SPDX-License-Identifier: MIT */
/* The picture of elastic moduli over pressure. */
#include "moduli_picture.h"
#include "plot.h"

#include <math.h>

#define SHEAR_STYLE "lc rgb '#2f87c9'"
#define BULK_STYLE "lc rgb '#7a0c2e'"

/* Points without a wave, or of no stress, cannot be drawn in logarithmic axes. */
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

static plot_range range_of(const moduli_picture *of)
{
  plot_range range = {INFINITY, -INFINITY};
  for (size_t i = 0; i < of->count; i++)
    if (of->points[i].p > 0.0)
      plot_range_widen(&range, 1e-3 * of->points[i].p);
  return range;
}

static void write_axis(plot_range range, FILE *script)
{
  fprintf(script, "set logscale xy\nset xlabel '{/:Italic p}  (kPa)'\n");
  if (range.low < range.high)
    fprintf(script, "set xrange [%.9g:%.9g]\n", 0.8 * range.low, 1.25 * range.high);
}

/* In MPa over p in kPa. */
static void write_fit(const char *name, const moduli_picture_fit *fit, FILE *script)
{
  fprintf(script, "%s(x) = %.9g * (1e3 * x)**%.9g\n", name, 1e-6 * fit->factor, fit->exponent);
}

static void write_moduli(const moduli_picture *of, FILE *script)
{
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

static void write_waves(FILE *script)
{
  fprintf(script,
          "set ylabel 'velocity  (m/s)' offset 0.5,0\n"
          "plot $points using 1:6 with linespoints pt 5 ps 1.2 lw 1.6 dt (8,5) " BULK_STYLE " title '{/:Italic V}_{p}'"
          ", $points using 1:7 with linespoints pt 7 ps 1.2 lw 1.6 " SHEAR_STYLE " title '{/:Italic V}_{s}'\n");
}

void moduli_picture_write(const void *contents, const char *terminal, FILE *script)
{
  const moduli_picture *of = contents;
  plot_write_style(terminal, 2, 2.5, script);
  write_points(of, script);
  write_axis(range_of(of), script);
  if (of->has_fits) {
    write_fit("g", &of->shear, script);
    write_fit("k", &of->bulk, script);
  }
  fprintf(script, "set multiplot layout 1,2 margins 0.078,0.985,0.12,0.845 spacing 0.095\n");
  write_moduli(of, script);
  write_waves(script);
  fprintf(script, "unset multiplot\n");
}
