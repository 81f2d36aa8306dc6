/* SPDX-License-Identifier: MIT */
/* Units for the axes of pictures. */
#ifndef JAGER_PICTURES_PLOT_UNIT_H
#define JAGER_PICTURES_PLOT_UNIT_H

/* A unit with the prefix that makes the numbers handy. */
typedef struct plot_unit {
  const char *prefix;
  double factor; /* from SI to it */
} plot_unit;

/* For numbers up to `size`. */
plot_unit plot_unit_for(double size);

#endif
