/* SPDX-License-Identifier: MIT */
/* Least squares in logarithmic axes. */
#include "fit.h"

#include <math.h>

moduli_fit moduli_fit_power(const double x[], const double y[], int count)
{
  double u = 0.0, v = 0.0, uu = 0.0, uv = 0.0, scatter = 0.0;
  for (int i = 0; i < count; i++) {
    u += log(x[i]) / count;
    v += log(y[i]) / count;
  }
  for (int i = 0; i < count; i++) {
    uu += (log(x[i]) - u) * (log(x[i]) - u);
    uv += (log(x[i]) - u) * (log(y[i]) - v);
  }
  moduli_fit fit = {.exponent = uv / uu, .factor = exp(v - uv / uu * u)};
  for (int i = 0; i < count; i++) {
    double off = log(y[i]) - v - fit.exponent * (log(x[i]) - u);
    scatter += off * off;
  }
  fit.standard_error = count > 2 ? sqrt(scatter / (count - 2) / uu) : 0.0;
  return fit;
}
