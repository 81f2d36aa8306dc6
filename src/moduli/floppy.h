/* SPDX-License-Identifier: MIT */
/*
 * Floppy movements: a sphere moves, its neighbours do not, and no spring resists. A sphere with two contacts can spin
 * about the line through the two contact points; without friction, every sphere can rotate.
 *
 * Springs alone neither drive nor resist such a movement, and it changes no force: it may be held without any effect
 * on the stiffness. With the initial stress, forces turn with the axes of the contacts. For a sphere between two of
 * its own size this has no effect either, since the line of the force is the axis of the spin; otherwise the effect is
 * of second order in the force over the stiffness, about 1e-10, and the movement would be as large as rounding makes
 * it. So floppy movements are held, and counted.
 */
#ifndef JAGER_MODULI_FLOPPY_H
#define JAGER_MODULI_FLOPPY_H

#include "operator.h"

typedef struct moduli_floppy_movement {
  uint32_t sphere;
  double x[MODULI_UNKNOWNS]; /* of unit length, and orthogonal to the others of its sphere */
} moduli_floppy_movement;

typedef struct moduli_floppy {
  size_t count;
  moduli_floppy_movement *list;
} moduli_floppy;

/*
 * Finds them all; to be freed. Rotations without friction are not listed: their equations are 0 = 0. False: not enough
 * memory.
 */
bool moduli_floppy_find(moduli_floppy *floppy, const moduli_operator *k, error_info *error);
void moduli_floppy_free(moduli_floppy *floppy);

/* Takes the floppy movements out of x. */
void moduli_floppy_hold(const moduli_floppy *floppy, double *x);

#endif
