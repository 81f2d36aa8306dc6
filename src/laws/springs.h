/* SPDX-License-Identifier: MIT */
/*
 * The law "springs": independent springs. It is no jager_model: it is slow, and for one contact.
 *
 * The contact is the row of springs of the method of dimensionality reduction (docs/theory.md, "Energies"). A spring
 * that engages at the indentation z carries the shear w, in units of movement over κ, and
 *
 *     Ft = ∫ Fn"(z) w(z) dz,   |w(z)| <= f (ζ - z).
 *
 * Each spring sticks, or slides against its own shear. Jäger's contact lets the whole annulus slip in one direction.
 * For collinear movements both are the same, and exact, as the number of springs grows. In two directions both are
 * models of the half-space with Coulomb's friction at every point: springs are no points, and lose 78 % of what it
 * loses on a circle (docs/theory.md, "Two directions").
 *
 * With v = z^(1/α) the density Fn" dz is constant in v: `count` cells of equal width, a spring in each, from the middle
 * of the contact to its rim. Straight movements are followed exactly, whatever their size, so that the number of
 * springs is the only source of error. It is of second order; a second row with half as many springs moves beside the
 * first, and their difference is the estimate of the error.
 *
 * The row reaches as far as the contact at first touch, or as far as the caller expects it. Where the contact outgrows
 * it, neighbours are joined in pairs and the row reaches twice as far: the contact then has count/2 to count springs.
 */
#ifndef JAGER_LAWS_SPRINGS_H
#define JAGER_LAWS_SPRINGS_H

#include "jager/jager.h"

enum { SPRINGS_COUNT_MIN = 8, SPRINGS_COUNT_MAX = 1000000, SPRINGS_COUNT_DEFAULT = 1000 };

typedef struct springs springs;

/* How finely a contact is divided. */
typedef struct springs_grid {
  int count;           /* springs, from SPRINGS_COUNT_MIN to SPRINGS_COUNT_MAX */
  double zeta_largest; /* largest ζ that is expected, m; 0: the ζ of the first touch */
} springs_grid;

/*
 * Makes a contact of the bodies of the law; its model, tolerance and dp_max are ignored. Errors: those of
 * jager_contact_init; MEMORY; CAPACITY (count out of range).
 */
jager_status springs_create(springs **made, const jager_law *law, double radius_a, double radius_b, springs_grid grid);

/* NULL is allowed. */
void springs_destroy(springs *s);

/* Takes over the state of another contact of the same law, bodies and grid. */
void springs_copy(springs *to, const springs *from);

/* Moves as jager_contact_move does. Errors: NOT_FINITE, TOO_LARGE (|ζ| > 1e60, |Δξ| > 1e60). */
jager_status springs_move(springs *s, double zeta, const double dxi[2]);

/* The present forces. */
jager_force springs_force(const springs *s);

/* |Ft - Ft'|, N, with Ft' of half as many springs: more than the error of Ft. */
double springs_force_error(const springs *s);

/* Energies stored now, and dissipated since the contact was made, J. */
jager_energy springs_energy(const springs *s);

/* "slip": some springs slid in the last movement; "slide": all of them. */
jager_state springs_state(const springs *s);

/* Springs that are engaged now. */
int springs_engaged(const springs *s);

/* ζ, m; negative: half the gap. */
double springs_zeta(const springs *s);

#endif
