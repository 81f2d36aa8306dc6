/* SPDX-License-Identifier: MIT */
/* The picture of impacts. Laws differ by colour, by dashes and by marks, so that they differ in print. */
#include "impact_picture.h"
#include "law_style.h"
#include "pictures/plot.h"

#include <math.h>
#include <stdbool.h>

static void write_curves(const impact_picture *of, FILE *script)
{
  for (int k = 0; k < of->curve_count; k++) {
    fprintf(script, "$law%d << EOD\n", k);
    for (size_t i = 0; i < of->count; i++) {
      const impact_picture_point *point = &of->curves[k].points[i];
      fprintf(script, "%.9g %.9g %.9g\n", point->psi1, point->psi2, 100.0 * point->lost);
    }
    fprintf(script, "EOD\n");
  }
}

/* Curves of few points show them. Only the first panel names the laws. */
static void write_plots(const impact_picture *of, int column, bool has_names, FILE *script)
{
  enum { FEW = 40 };
  for (int k = 0; k < of->curve_count; k++) {
    fprintf(script, "%s$law%d using 1:%d with %s %s", k > 0 ? ", " : "", k, column,
            of->count <= FEW ? "linespoints" : "lines", law_style(k));
    if (of->count <= FEW)
      fprintf(script, " pt %d ps 0.7", law_mark(k));
    fprintf(script, " title '%s'", has_names ? of->curves[k].law : "");
  }
}

static double largest_psi(const impact_picture *of)
{
  double largest = 0.0;
  for (size_t i = 0; i < of->count; i++)
    largest = fmax(largest, of->curves[0].points[i].psi1);
  return largest > 0.0 ? largest : 1.0;
}

/* The line ψ₂ = ψ₁ - 4χ where impacts slide all the time, if ψ₁ gets there. */
static void write_sliding(const impact_picture *of, FILE *script)
{
  double from = 4.0 * of->chi - 1.0, to = largest_psi(of);
  if (to > from)
    fprintf(script,
            ", '+' using (%.9g + $0 * %.9g):($0 * %.9g - 1) every ::0::1 with lines lw 5 dt (2,3) lc rgb "
            "'#999999' title 'sliding: {/:Italic ψ}_1 - 4{/:Italic χ}'",
            from, to - from, to - from);
}

void impact_picture_write(const void *contents, const char *terminal, FILE *script)
{
  const impact_picture *of = contents;
  plot_write_style(terminal, 2, 2.5, script);
  write_curves(of, script);
  fprintf(script, "set samples 2\nset multiplot layout 1,2 margins 0.078,0.985,0.12,0.9 spacing 0.095 title \"");
  plot_write_text(of->title, script);
  fprintf(script, "\" font ',14' noenhanced\nset xrange [0:%.9g]\nset xzeroaxis lw 1 lc rgb '#555555'\n",
          1.02 * largest_psi(of));
  fprintf(script, "set key default inside left top Left reverse samplen 2.5\nset xlabel '{/:Italic ψ}_1'\nset ylabel "
                  "'{/:Italic ψ}_2' offset 0.3,0\nplot ");
  write_plots(of, 2, true, script);
  write_sliding(of, script);
  fprintf(script, "\nset ylabel 'energy lost (%% of the kinetic energy)' offset 0.3,0\nplot ");
  write_plots(of, 3, false, script);
  fprintf(script, "\nunset multiplot\n");
}
