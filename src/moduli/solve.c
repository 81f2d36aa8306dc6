/* SPDX-License-Identifier: MIT */
/* GMRES with Arnoldi's basis by modified Gram-Schmidt, and Givens' rotations: see solve.h. */
#include "solve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BASIS = 60, STEPS_MAX = 20000 }; /* steps between restarts, and in all */

#define STUCK 0.9    /* a restart that leaves more than this share of the residual is the last one */
#define ENOUGH 1e-10 /* the residual over the scale that is accepted when more steps do not help */

typedef struct arnoldi {
  const moduli_equations *of;
  size_t size;
  double *basis;   /* BASIS + 1 vectors */
  double *scratch; /* two vectors */
  double h[BASIS + 1][BASIS];
  double cosine[BASIS], sine[BASIS], g[BASIS + 1];
} arnoldi;

static double dot(const double *a, const double *b, size_t size)
{
  double sum[4] = {0.0, 0.0, 0.0, 0.0};
  size_t whole = size / 4 * 4;
  for (size_t i = 0; i < whole; i += 4)
    for (size_t j = 0; j < 4; j++)
      sum[j] += a[i + j] * b[i + j];
  for (size_t i = whole; i < size; i++)
    sum[i - whole] += a[i] * b[i];
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

static void add_scaled(double *to, double factor, const double *of, size_t size)
{
  for (size_t i = 0; i < size; i++)
    to[i] += factor * of[i];
}

static void scale_by(double *of, double factor, size_t size)
{
  for (size_t i = 0; i < size; i++)
    of[i] *= factor;
}

/* The next vector of the basis, and column j of H. */
static void extend_basis(arnoldi *a, int j)
{
  double *next = a->basis + (size_t)(j + 1) * a->size, *solved = a->scratch;
  moduli_factor_solve(a->of->factor, a->basis + (size_t)j * a->size, solved, a->scratch + a->size);
  moduli_floppy_hold(a->of->floppy, solved);
  moduli_operator_apply(a->of->k, solved, next);
  moduli_floppy_hold(a->of->floppy, next);
  for (int i = 0; i <= j; i++) {
    const double *before = a->basis + (size_t)i * a->size;
    a->h[i][j] = dot(before, next, a->size);
    add_scaled(next, -a->h[i][j], before, a->size);
  }
  a->h[j + 1][j] = sqrt(dot(next, next, a->size));
  if (a->h[j + 1][j] > 0.0)
    scale_by(next, 1.0 / a->h[j + 1][j], a->size);
}

static void rotate(double cosine, double sine, double *upper, double *lower)
{
  double rotated = cosine * *upper + sine * *lower;
  *lower = cosine * *lower - sine * *upper;
  *upper = rotated;
}

/* Makes column j of H upper triangular. Returns the norm of the residual. */
static double rotate_column(arnoldi *a, int j)
{
  for (int i = 0; i < j; i++)
    rotate(a->cosine[i], a->sine[i], &a->h[i][j], &a->h[i + 1][j]);
  double length = hypot(a->h[j][j], a->h[j + 1][j]);
  a->cosine[j] = length > 0.0 ? a->h[j][j] / length : 1.0;
  a->sine[j] = length > 0.0 ? a->h[j + 1][j] / length : 0.0;
  rotate(a->cosine[j], a->sine[j], &a->h[j][j], &a->h[j + 1][j]);
  a->g[j + 1] = 0.0;
  rotate(a->cosine[j], a->sine[j], &a->g[j], &a->g[j + 1]);
  return fabs(a->g[j + 1]);
}

/* x += M⁻¹ Σ y_i v_i, where H y = g for the first `count` columns. */
static void add_correction(arnoldi *a, int count, double *x)
{
  double y[BASIS], *sum = a->scratch;
  for (int i = count - 1; i >= 0; i--) {
    y[i] = a->g[i];
    for (int j = i + 1; j < count; j++)
      y[i] -= a->h[i][j] * y[j];
    y[i] = a->h[i][i] != 0.0 ? y[i] / a->h[i][i] : 0.0;
  }
  memset(sum, 0, a->size * sizeof *sum);
  for (int i = 0; i < count; i++)
    add_scaled(sum, y[i], a->basis + (size_t)i * a->size, a->size);
  moduli_factor_solve(a->of->factor, sum, sum, a->scratch + a->size);
  moduli_floppy_hold(a->of->floppy, sum);
  add_scaled(x, 1.0, sum, a->size);
}

/* Sets the first vector of the basis to f - K x, and returns its length. */
static double begin_residual(arnoldi *a, const double *x)
{
  const double *f = a->of->f;
  moduli_operator_apply(a->of->k, x, a->basis);
  for (size_t i = 0; i < a->size; i++)
    a->basis[i] = f[i] - a->basis[i];
  moduli_floppy_hold(a->of->floppy, a->basis);
  return sqrt(dot(a->basis, a->basis, a->size));
}

/* Up to BASIS steps from the residual that begin_residual has left. Returns their number. */
static int improve(arnoldi *a, double length, double *x)
{
  const moduli_equations *of = a->of;
  int count = 0;
  double residual = length;
  scale_by(a->basis, 1.0 / length, a->size);
  a->g[0] = length;
  while (count < BASIS && residual > 0.5 * MODULI_TOLERANCE * of->scale) {
    extend_basis(a, count);
    residual = rotate_column(a, count++);
    if (of->watcher)
      of->watcher(of->context, residual / of->scale);
  }
  add_correction(a, count, x);
  return count;
}

/* Restarts until the tolerance is reached, or the residual no longer falls. */
static void iterate(arnoldi *a, double *x, moduli_solution *solution)
{
  double before = INFINITY;
  for (;;) {
    double length = begin_residual(a, x);
    solution->residual = length / a->of->scale;
    bool is_stuck = !(length < STUCK * before);
    if (solution->residual <= MODULI_TOLERANCE || is_stuck || solution->steps >= STEPS_MAX)
      return;
    before = length;
    solution->steps += improve(a, length, x);
  }
}

bool moduli_solve(const moduli_equations *of, double *x, moduli_solution *solution, error_info *error)
{
  size_t size = moduli_operator_size(of->k);
  arnoldi *a = calloc(1, sizeof *a);
  double *basis = malloc((BASIS + 1) * size * sizeof *basis), *scratch = malloc(2 * size * sizeof *scratch);
  bool has_memory = a && basis && scratch;
  *solution = (moduli_solution){.residual = INFINITY};
  if (has_memory) {
    *a = (arnoldi){.of = of, .size = size, .basis = basis, .scratch = scratch};
    iterate(a, x, solution);
  }
  free(basis);
  free(scratch);
  free(a);
  if (!has_memory)
    return error_out_of_memory(error);
  return solution->residual <= ENOUGH ||
         error_set(error, "the equations of equilibrium could not be solved: after %d steps the residual is %.2g",
                   solution->steps, solution->residual);
}
