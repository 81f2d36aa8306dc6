/* SPDX-License-Identifier: MIT */
/*
 * Solves K x = f by GMRES (Saad and Schultz) with the factors of K0 on the right: K M⁻¹ y = f, x = M⁻¹ y. Restarts keep
 * the softest directions (deflation, in the manner of GCRO). K need be neither symmetric nor positive. Floppy movements
 * are held. That a singular K0 remains, since the assembly can be shifted as a whole, does no harm: f is orthogonal to
 * its null space, and so is the residual of every step.
 *
 * If M is the factor of the whole matrix, K M⁻¹ differs from 1 by the initial-stress term alone, and few steps are
 * enough. All sums are in a fixed order.
 */
#ifndef JAGER_MODULI_SOLVE_H
#define JAGER_MODULI_SOLVE_H

#include "operator.h"

#include <stdatomic.h>

/* ---- The factors ------------------------------------------------------------------------------------------------- */

/*
 * Sparse factors L D Lᵀ of the springs' stiffness K0, by LDL with the ordering of AMD, both of SuiteSparse.
 *
 * The grains are divided into groups of neighbours, and each group has a factor of its own, with the grains of other
 * groups held. Small assemblies are one group. The factors make the iteration short; its result does not
 * depend on them.
 *
 * K0 is singular: the whole assembly can be shifted, and a grain with two contacts can spin. So the diagonal of each
 * grain is increased by the size of its initial-stress term, Σ Fn/d over its contacts.
 *
 * Why LDL: K0 is symmetric and, with that diagonal, positive definite, so that no pivoting is needed. LDL uses no
 * BLAS, allocates nothing, and works in one thread: the same bits everywhere. (CHOLMOD's fast supernodal factors
 * depend on the BLAS, and are under the GPL.)
 */
typedef struct moduli_factor moduli_factor;

/*
 * Factors of K0 for groups of at most `group_grains` (at most MODULI_GROUP_MAX). NULL: not enough memory, or a matrix
 * that is not positive.
 */
enum { MODULI_GROUP_MAX = 10000 }; /* the entries of a factor are counted by an int */
moduli_factor *moduli_factor_create(const moduli_operator *k, size_t group_grains, error_info *error);
void moduli_factor_destroy(moduli_factor *factor);

/*
 * y: the solution of M y = x for the factored matrix M. `y` and `x` may be the same; `scratch` has the size of both.
 * Several threads may call it.
 */
void moduli_factor_solve(const moduli_factor *factor, const double *x, double *y, double *scratch);

/* Entries of all factors L. */
size_t moduli_factor_entries(const moduli_factor *factor);

/* ---- The solution ------------------------------------------------------------------------------------------------ */

/* Accuracy that is asked for: the residual over the scale. */
#define MODULI_TOLERANCE 1e-13

typedef struct moduli_solution {
  double residual; /* |f - K x| over the scale */
  int steps;
} moduli_solution;

/* Called after each step with the residual over the scale. */
typedef void moduli_solve_watcher(void *context, double residual);

typedef struct moduli_equations {
  const moduli_operator *k;
  const moduli_factor *factor;
  const moduli_floppy *floppy; /* movements that are held */
  const double *f;
  double scale;                  /* of the forces, which |f| may be far below: see moduli_operator_load */
  moduli_solve_watcher *watcher; /* may be NULL */
  void *context;
  const atomic_int *stop; /* not 0: moduli_solve fails after its present step; NULL: none */
} moduli_equations;

/* x, on entry a guess, becomes the solution. False: not enough memory, stopped, or the tolerance was not reached. */
bool moduli_solve(const moduli_equations *of, double *x, moduli_solution *solution, error_info *error);

#endif
