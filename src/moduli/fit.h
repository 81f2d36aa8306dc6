/* SPDX-License-Identifier: MIT */
/* The straight line through points in logarithmic axes, y = factor x^exponent, by least squares. */
#ifndef JAGER_MODULI_FIT_H
#define JAGER_MODULI_FIT_H

typedef struct moduli_fit {
  double exponent, factor;
  double standard_error; /* of the exponent, from the scatter of the points; 0 for two points, which have none */
} moduli_fit;

/* All values are positive, `count` is at least 2, and not all x are equal. */
moduli_fit moduli_fit_power(const double x[], const double y[], int count);

#endif
