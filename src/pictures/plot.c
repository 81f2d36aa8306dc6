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
