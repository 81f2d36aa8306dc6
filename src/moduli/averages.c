/* SPDX-License-Identifier: MIT */
/* Averages, waves and pivots of stiffnesses. */
#include "averages.h"

#include <math.h>

enum { SIZE = MODULI_VOIGT };

#define PIVOT_LEAST 1e-9

moduli_averages moduli_averages_of(const double stiffness[SIZE][SIZE])
{
  double diagonal = 0.0, others = 0.0, shears = 0.0, square = 0.0;
  for (int i = 0; i < 3; i++) {
    diagonal += stiffness[i][i];
    others += 0.5 * (stiffness[i][(i + 1) % 3] + stiffness[(i + 1) % 3][i]);
    shears += stiffness[i + 3][i + 3];
  }
  double bulk = (diagonal + 2.0 * others) / 9.0, shear = (diagonal - others + 3.0 * shears) / 15.0;
  for (int i = 0; i < SIZE; i++)
    for (int j = 0; j < SIZE; j++) {
      bool both_normal = i < 3 && j < 3;
      double isotropic = both_normal ? bulk - 2.0 / 3.0 * shear + (i == j ? 2.0 * shear : 0.0) : i == j ? shear : 0.0;
      double weight = (i < 3 ? 1.0 : 2.0) * (j < 3 ? 1.0 : 2.0); /* components of the tensor that are equal */
      square += weight * (stiffness[i][j] - isotropic) * (stiffness[i][j] - isotropic);
    }
  double sum = 3.0 * bulk + shear, norm = sqrt(9.0 * bulk * bulk + 20.0 * shear * shear);
  return (moduli_averages){.bulk = bulk,
                           .shear = shear,
                           .young = sum != 0.0 ? 9.0 * bulk * shear / sum : 0.0,
                           .poisson = sum != 0.0 ? (3.0 * bulk - 2.0 * shear) / (2.0 * sum) : 0.0,
                           .anisotropy = norm > 0.0 ? sqrt(square) / norm : 0.0};
}

static double velocity(double modulus, double density)
{
  return modulus > 0.0 ? sqrt(modulus / density) : 0.0;
}

moduli_waves moduli_waves_of(const double stiffness[SIZE][SIZE], const double stress[SIZE], double density)
{
  moduli_waves waves;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      int shear = 6 - i - j; /* yz, xz, xy are 3, 4, 5 */
      waves.p[i] = velocity(stiffness[i][i], density);
      waves.s[i][j] = i == j ? 0.0 : velocity(stiffness[shear][shear] + 0.5 * (stress[j] - stress[i]), density);
    }
  return waves;
}

/* Gauss' elimination with the largest pivot of the diagonal. */
int moduli_positive_pivots(const double stiffness[SIZE][SIZE])
{
  double a[SIZE][SIZE], least = 0.0;
  bool is_used[SIZE] = {false};
  for (int i = 0; i < SIZE; i++)
    for (int j = 0; j < SIZE; j++)
      a[i][j] = 0.5 * (stiffness[i][j] + stiffness[j][i]);
  for (int i = 0; i < SIZE; i++)
    least = fmax(least, PIVOT_LEAST * fabs(a[i][i]));
  for (int count = 0; count < SIZE; count++) {
    int pivot = -1;
    for (int i = 0; i < SIZE; i++)
      if (!is_used[i] && (pivot < 0 || a[i][i] > a[pivot][pivot]))
        pivot = i;
    if (!(a[pivot][pivot] > least))
      return count;
    is_used[pivot] = true;
    for (int i = 0; i < SIZE; i++)
      for (int j = 0; j < SIZE; j++)
        if (!is_used[i] && !is_used[j])
          a[i][j] -= a[i][pivot] * a[pivot][j] / a[pivot][pivot];
  }
  return SIZE;
}
