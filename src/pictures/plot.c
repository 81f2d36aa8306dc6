/* SPDX-License-Identifier: MIT */
/* Parts of gnuplot scripts that all pictures share. */
#include "plot.h"

#include <math.h>

void plot_write_style(const char *terminal, int legend_rows, double sample_length, FILE *script)
{
  fprintf(script,
          "%s\n"
          "set encoding utf8\n"
          "set minussign\n"
          "set grid lt 1 lw 0.6 lc rgb '#dddddd'\n"
          "set border lw 1.0 lc rgb '#333333'\n"
          "set tics nomirror scale 0.6 textcolor rgb '#222222'\n"
          "set key at graph 0.5,1.025 bottom center vertical maxrows %d reverse Left samplen %g\n",
          terminal, legend_rows, sample_length);
}

void plot_write_text(const char *text, FILE *script)
{
  for (; *text; text++)
    fputc(*text == '"' || *text == '\\' || *text == '`' || (unsigned char)*text < ' ' ? '_' : *text, script);
}

const char *plot_curve_style(int k)
{
  static const char *const styles[PLOT_CURVE_STYLES] = {
      "lw 3.2 lc rgb '#15396b'",               /* dark, solid */
      "lw 2.6 dt (14,5) lc rgb '#c8552b'",     /* middle, long dashes */
      "lw 3.0 dt (3,4) lc rgb '#2c7a4b'",      /* middle, dots */
      "lw 3.4 lc rgb '#e0a526'",               /* light, solid */
      "lw 2.6 dt (14,4,3,4) lc rgb '#7a4fa3'", /* dark, dashes and dots */
      "lw 2.6 dt (6,4) lc rgb '#6f7f8c'",      /* grey, short dashes */
  };
  return styles[k];
}

/* gnuplot refuses a panel without a curve, so this one has a curve outside of it. */
void plot_write_nothing(FILE *script)
{
  fprintf(script, "set label 1 'nothing to show' at graph 0.5,0.5 center textcolor rgb '#666666'\n"
                  "plot 1e99 notitle\nunset label 1\n");
}

void plot_write_palette(double cycles, FILE *script)
{
  fprintf(script,
          "set palette defined (0 '#0d0887', 0.3 '#7e03a8', 0.6 '#cc4778', 0.85 '#f07f4f', 1 '#f9a63c')\n"
          "set cbrange [0:%.9g]\n"
          "set cblabel 'cycle' offset 0.4,0\n"
          "set cbtics scale 0.4\n"
          "set colorbox vertical user origin screen 0.93,0.12 size screen 0.013,0.785\n",
          cycles > 0.0 ? cycles : 1.0);
}

void plot_range_widen(plot_range *range, double value)
{
  if (isfinite(value)) {
    range->low = fmin(range->low, value);
    range->high = fmax(range->high, value);
  }
}

double plot_range_size(plot_range range)
{
  return range.low <= range.high ? fmax(fabs(range.low), fabs(range.high)) : 0.0;
}

plot_unit plot_unit_for(double size)
{
  static const struct {
    const char *prefix;
    int exponent;
  } prefixes[] = {{"p", -12}, {"n", -9}, {"µ", -6}, {"m", -3}, {"", 0}, {"k", 3}, {"M", 6}, {"G", 9}};
  enum { COUNT = sizeof prefixes / sizeof *prefixes };
  for (int i = 0; i < COUNT; i++)
    if (size >= pow(10.0, prefixes[i].exponent) && size < pow(10.0, prefixes[i].exponent + 3))
      return (plot_unit){prefixes[i].prefix, pow(10.0, -prefixes[i].exponent)};
  return (plot_unit){"", 1.0};
}
