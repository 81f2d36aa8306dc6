/* SPDX-License-Identifier: MIT */
/* Floppy movements: null vectors of the diagonal blocks of K0. */
#include "floppy.h"

#include <math.h>
#include <stdlib.h>

enum { SIZE = MODULI_UNKNOWNS };

/* Pivots below this share of the largest diagonal entry are zero. */
#define PIVOT_LEAST 1e-9

/* Makes v orthogonal to the vectors before it, and of unit length. */
static void make_orthonormal(double v[SIZE], const double (*before)[SIZE], int count)
{
  for (int k = 0; k < count; k++) {
    double along = 0.0;
    for (int i = 0; i < SIZE; i++)
      along += v[i] * before[k][i];
    for (int i = 0; i < SIZE; i++)
      v[i] -= along * before[k][i];
  }
  double square = 0.0;
  for (int i = 0; i < SIZE; i++)
    square += v[i] * v[i];
  for (int i = 0; i < SIZE; i++)
    v[i] /= sqrt(square);
}

/* The largest diagonal entry that was not a pivot yet; -1: there is none. */
static int find_pivot(double a[SIZE][SIZE], const bool is_pivot[SIZE], int size, double least)
{
  int best = -1;
  for (int i = 0; i < size; i++)
    if (!is_pivot[i] && a[i][i] > least && (best < 0 || a[i][i] > a[best][best]))
      best = i;
  return best;
}

/* A step of Gauss and Jordan: row `pivot` is divided by its pivot and taken from all others. */
static void eliminate(double a[SIZE][SIZE], int pivot, int size)
{
  double inverse = 1.0 / a[pivot][pivot];
  for (int j = 0; j < size; j++)
    a[pivot][j] *= inverse;
  for (int i = 0; i < size; i++) {
    double factor = a[i][pivot];
    for (int j = 0; j < size && i != pivot; j++)
      a[i][j] -= factor * a[pivot][j];
  }
}

/* An orthonormal basis of the null space of the leading part of a block, which is symmetric and not negative. */
static int find_null_space(const double *block, int size, double basis[SIZE][SIZE])
{
  double a[SIZE][SIZE], least = 0.0;
  bool is_pivot[SIZE] = {false};
  for (int i = 0; i < size; i++)
    for (int j = 0; j < size; j++)
      a[i][j] = block[SIZE * i + j];
  for (int i = 0; i < size; i++)
    least = fmax(least, PIVOT_LEAST * a[i][i]);
  for (int pivot; (pivot = find_pivot(a, is_pivot, size, least)) >= 0;) {
    is_pivot[pivot] = true;
    eliminate(a, pivot, size);
  }
  int count = 0;
  for (int j = 0; j < size; j++) {
    if (is_pivot[j])
      continue;
    for (int i = 0; i < SIZE; i++)
      basis[count][i] = i == j ? 1.0 : i < size && is_pivot[i] ? -a[i][j] : 0.0;
    make_orthonormal(basis[count], (const double(*)[SIZE])basis, count);
    count++;
  }
  return count;
}

bool moduli_floppy_find(moduli_floppy *floppy, const moduli_operator *k, error_info *error)
{
  size_t spheres = k->network->sphere_count, room = 0;
  double(*blocks)[MODULI_BLOCK_ENTRIES] = malloc((spheres + 1) * sizeof *blocks), basis[SIZE][SIZE];
  int size = k->network->friction > 0.0 ? SIZE : 3;
  *floppy = (moduli_floppy){.count = 0};
  if (!blocks)
    return error_out_of_memory(error);
  moduli_operator_blocks(k, blocks);
  for (size_t i = 0; i < spheres; i++)
    room += (size_t)find_null_space(blocks[i], size, basis);
  floppy->list = malloc((room + 1) * sizeof *floppy->list);
  for (size_t i = 0; floppy->list && i < spheres; i++) {
    int count = find_null_space(blocks[i], size, basis);
    for (int n = 0; n < count; n++) {
      moduli_floppy_movement *movement = &floppy->list[floppy->count++];
      movement->sphere = (uint32_t)i;
      for (int j = 0; j < SIZE; j++)
        movement->x[j] = basis[n][j];
    }
  }
  free(blocks);
  return floppy->list || error_out_of_memory(error);
}

void moduli_floppy_free(moduli_floppy *floppy)
{
  free(floppy->list);
  *floppy = (moduli_floppy){.count = 0};
}

void moduli_floppy_hold(const moduli_floppy *floppy, double *x)
{
  for (size_t k = 0; k < floppy->count; k++) {
    const double *v = floppy->list[k].x;
    double *of = x + SIZE * (size_t)floppy->list[k].sphere, along = 0.0;
    for (int i = 0; i < SIZE; i++)
      along += v[i] * of[i];
    for (int i = 0; i < SIZE; i++)
      of[i] -= along * v[i];
  }
}
