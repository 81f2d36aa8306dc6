/* SPDX-License-Identifier: MIT */
/* Units for the axes of pictures. */
#include "plot_unit.h"

#include <math.h>

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
