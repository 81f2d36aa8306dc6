/* SPDX-License-Identifier: MIT */
/*
 * Small movements of the elastic network: the forces and torques that they cause, and the stresses.
 *
 * Sphere i moves by u_i and rotates by θ_i, both small; the cell shrinks by the strain ε, compression positive, without
 * rotation, x becomes x - ε x. The branch l = d n of a contact, from p to q, then changes by dl = u_q - u_p - ε l. The
 * kinematics of jager/pair.h are, for small steps,
 *
 *     d(2ζ) = -n·dl,      d(2ξ) = P dl - (h_p θ_p + h_q θ_q) × n,      P = 1 - nn,
 *     dn = P dl/d,        de = -n (e·dn) + ω n × e,                    ω = n·(θ_p + θ_q)/2:
 *
 * the axes tumble with the normal and twirl by the mean spin. With the arms h = R - ζ, which sum to d, and the shear
 * force T = Ft1 e + Ft2 f, the force on q, F = Fn n - T, changes by
 *
 *     dF = kn d(2ζ) n - kt d(2ξ)                        springs
 *        + Fn dn + n (T·dn) - ω n × T                   initial stress: the forces follow the axes,
 *
 * and the torques on the two spheres, -h n × F, by
 *
 *     -h n × dF - (dh n + h dn) × F,      dh = n·dl/2,
 *
 * of which the first is due to springs (with their dF), and all others are due to the initial stress.
 *
 * Equilibrium of all spheres: K x = f, where x holds all u and θ, f the forces and torques that ε alone causes, and -K
 * x those that x alone causes. Springs alone give K0 = Σ Gᵀ D G with G x = u_q - u_p - (h_p θ_p + h_q θ_q) × n and D =
 * kn nn + kt P: symmetric and never negative. The term of Fn is symmetric, (-Fn/d) P in the translations: it softens.
 * The terms of T are not symmetric, since forces that follow the mean spin have no potential. K may be indefinite.
 *
 * The stress σ = Σ F ⊗ l / V is that of Cauchy, and changes by
 *
 *     dσ = Σ (dF ⊗ l + F ⊗ dl) / V + σ tr ε.
 *
 * Without initial stress only the springs' part of dF remains: the energy Σ w·D w / 2 over V, w = G x - ε l, is that of
 * the symmetric stiffness dσ/dε then.
 *
 * Unknowns: six for a sphere, u and a θ, with a mean radius a, so that all have the unit of a length, and K that of a
 * stiffness. They are stored one sphere after the other.
 */
#ifndef JAGER_MODULI_OPERATOR_H
#define JAGER_MODULI_OPERATOR_H

#include "network.h"

enum { MODULI_UNKNOWNS = 6 }; /* of a sphere */

typedef struct moduli_operator {
  const moduli_network *network;
  bool has_initial_stress;
  double length; /* a, m */
} moduli_operator;

/* The operator of a network with one sphere or more. */
moduli_operator moduli_operator_of(const moduli_network *network, bool has_initial_stress);

/* The number of unknowns. */
size_t moduli_operator_size(const moduli_operator *k);

/* y = K x */
void moduli_operator_apply(const moduli_operator *k, const double *x, double *y);

/*
 * f: forces and torques over a that the strain causes. Returns the root of Σ (kn |dl|)² over the contacts, to which the
 * accuracy of the solution refers: f itself is zero in lattices.
 */
double moduli_operator_load(const moduli_operator *k, const double strain[3][3], double *f);

/* dσ, Pa, for the strain and the movements x; NULL: no movements, the affine stress. */
void moduli_operator_stress(const moduli_operator *k, const double strain[3][3], const double *x, double change[3][3]);

/*
 * The part of K0 that one contact adds to the unknowns of p and q, row by row: those of p come first. The springs' part
 * only.
 */
enum { MODULI_PAIR_UNKNOWNS = 2 * MODULI_UNKNOWNS, MODULI_BLOCK_ENTRIES = MODULI_UNKNOWNS * MODULI_UNKNOWNS };
void moduli_operator_pair_matrix(const moduli_operator *k, const moduli_contact *contact,
                                 double matrix[MODULI_PAIR_UNKNOWNS][MODULI_PAIR_UNKNOWNS]);

/* The diagonal blocks of K0, row by row: the stiffness of each sphere while its neighbours are held. */
void moduli_operator_blocks(const moduli_operator *k, double (*blocks)[MODULI_BLOCK_ENTRIES]);

#endif
