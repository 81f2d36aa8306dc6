/* SPDX-License-Identifier: MIT */
/*
 * Solves K x = f by GMRES (Saad and Schultz), restarted, with the factors of K0 on the right: K M⁻¹ y = f, x = M⁻¹ y.
 * K need be neither symmetric nor positive. Floppy movements are held. That a singular K0 remains, since the assembly
 * can be shifted as a whole, does no harm: f is orthogonal to its null space, and so is the residual of every step.
 *
 * If M is the factor of the whole matrix, K M⁻¹ differs from 1 by the initial-stress term alone, and few steps are
 * enough. All sums are in a fixed order.
 */
#ifndef JAGER_MODULI_SOLVE_H
#define JAGER_MODULI_SOLVE_H

#include "factor.h"
#include "floppy.h"

/* Accuracy that is asked for: the residual over the scale. */
#define MODULI_TOLERANCE 1e-13

typedef struct moduli_solution {
  double residual; /* |f - K x| over the scale */
  int steps;
} moduli_solution;

/* Is told the residual over the scale after each step. */
typedef void moduli_solve_watcher(void *context, double residual);

typedef struct moduli_equations {
  const moduli_operator *k;
  const moduli_factor *factor;
  const moduli_floppy *floppy; /* movements that are held */
  const double *f;
  double scale;                  /* of the forces, which |f| may be far below: see moduli_operator_load */
  moduli_solve_watcher *watcher; /* may be NULL */
  void *context;
} moduli_equations;

/* x, on entry a guess, becomes the solution. False: not enough memory, or the tolerance was not reached. */
bool moduli_solve(const moduli_equations *of, double *x, moduli_solution *solution, error_info *error);

#endif
