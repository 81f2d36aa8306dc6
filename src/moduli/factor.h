/* SPDX-License-Identifier: MIT */
/*
 * Sparse factors L D Lᵀ of the springs' stiffness K0, by LDL with the ordering of AMD, both of SuiteSparse.
 *
 * The spheres are divided into groups of neighbours, and each group has a factor of its own, with the spheres of other
 * groups held. Small assemblies are one group. The factors make the iteration of solve.h short; its result does not
 * depend on them.
 *
 * K0 is singular: the whole assembly can be shifted, and a sphere with two contacts can spin. So the diagonal of each
 * sphere is increased by the size of its initial-stress term, Σ Fn/d over its contacts.
 *
 * Why LDL: K0 is symmetric and, with that diagonal, positive definite, so that no pivoting is needed. LDL uses no
 * BLAS, allocates nothing, and works in one thread: the same bits everywhere. (CHOLMOD's fast supernodal factors
 * depend on the BLAS, and are under the GPL.)
 */
#ifndef JAGER_MODULI_FACTOR_H
#define JAGER_MODULI_FACTOR_H

#include "operator.h"

typedef struct moduli_factor moduli_factor;

/*
 * Factors of K0 for groups of at most `group_spheres` (at most MODULI_GROUP_MAX). NULL: not enough memory, or a matrix
 * that is not positive.
 */
enum { MODULI_GROUP_MAX = 10000 }; /* the entries of a factor are counted by an int */
moduli_factor *moduli_factor_create(const moduli_operator *k, size_t group_spheres, error_info *error);
void moduli_factor_destroy(moduli_factor *factor);

/*
 * y: the solution of M y = x for the factored matrix M. `y` and `x` may be the same; `scratch` has the size of both.
 * Several threads may call it.
 */
void moduli_factor_solve(const moduli_factor *factor, const double *x, double *y, double *scratch);

/* Entries of all factors L. */
size_t moduli_factor_entries(const moduli_factor *factor);

#endif
