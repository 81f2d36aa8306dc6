/* SPDX-License-Identifier: MIT */
/*
 * Small movements of the elastic network: the forces and torques that they cause, and the stresses.
 *
 * First for spheres. Sphere i moves by u_i and rotates by θ_i, both small; the cell shrinks by the strain ε,
 * compression positive, without rotation, x becomes x - ε x. The branch l = d n of a contact, from p to q, then changes
 * by dl = u_q - u_p - ε l. The kinematics of jager/pair.h are, for small steps,
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
 * Cauchy's stress σ = Σ F ⊗ l / V changes by
 *
 *     dσ = Σ (dF ⊗ l + F ⊗ dl) / V + σ tr ε.
 *
 * Without initial stress only the springs' part of dF remains: the stiffness dσ/dε is symmetric then, and its energy is
 * Σ w·D w / 2 over V, w = G x - ε l.
 *
 * Grains of several spheres: u is now the displacement of the centroid. The cell moves centroids, and a grain takes its
 * spheres along. With the centre of the touching sphere at c from the centroid and the branch between centroids
 * L = l + c_p - c_q,
 *
 *     dL = u_q - u_p - ε L,      dl = dL + θ_q × c_q - θ_p × c_p.
 *
 * All that is said above about dF and the torques about the centres of the two spheres holds with this dl. The force on
 * a sphere, F on q and -F on p, has the moment c × F about the centroid besides, which changes by
 *
 *     c × dF                springs (with their dF) and initial stress
 *        + (θ × c) × F      initial stress: the force acts at another place,
 *
 * and the stress is that of branches between centroids, dσ = Σ (dF ⊗ L + F ⊗ dL) / V + σ tr ε. In K0, G x = u_q - u_p
 * + θ_q × r_q - θ_p × r_p with the ways r_p = c_p + h_p n and r_q = c_q - h_q n to the contact point. (θ × c) × F alone
 * is not symmetric, but its sum over a grain is where the moments c × F balance, as they do without friction. Contacts
 * between the same two grains add up. If c = 0, all this is zero, and the bits are those of spheres.
 *
 * Unknowns: six for a grain, u and a θ, with a mean radius a, so that all are lengths, and K is a stiffness; the radius
 * of a clump is that of the sphere of its volume. They are stored one grain after the other.
 */
#ifndef JAGER_MODULI_OPERATOR_H
#define JAGER_MODULI_OPERATOR_H

#include "network.h"

enum { MODULI_UNKNOWNS = 6 }; /* of a grain */

typedef struct moduli_operator {
  const moduli_network *network;
  bool has_initial_stress;
  double length; /* a, m */
} moduli_operator;

/* The operator of a network with one grain or more. */
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

/* Vectors of unknowns: a·b and to += factor of. The sums are in a fixed order. */
double moduli_dot(const double *a, const double *b, size_t size);
void moduli_add_scaled(double *to, double factor, const double *of, size_t size);

/* The diagonal blocks of K0, row by row: the stiffness of each grain while its neighbours are held. */
void moduli_operator_blocks(const moduli_operator *k, double (*blocks)[MODULI_BLOCK_ENTRIES]);

/* ---- Floppy movements -------------------------------------------------------------------------------------------- */

/*
 * Floppy movements: a grain moves, its neighbours do not, and no spring resists. A grain with two contacts can spin
 * about the line through the two contact points; without friction, every sphere can rotate, and every body of
 * revolution about its axis.
 *
 * Equilibrium does not say how large such a movement is. The two contact forces of that grain act along the line, so
 * that no force and no change of a force has a moment about it: with the springs and with the initial stress alike, the
 * row of the movement v in K is zero, v·K = 0, and so is its load, v·f = 0. Its column is zero with springs alone: then
 * the movement has no effect on the stiffness. With the initial stress the forces turn with the axes of the contacts.
 * If neighbours differ in size, K v is of the order of the forces, and the stiffness depends on the movement: by up to
 * 1e-4 of it at 10 MPa, 6e-6 at 100 kPa, in packings with a floppy sphere in twenty.
 *
 * The equations of motion decide: with M, the masses and moments of inertia, v·M x keeps its value, the angular
 * momentum of the grain about its line, since nothing changes it; the same holds for the momentum of the assembly. So
 * x is the solution with v·M x = 0 for all floppy movements and t·M x = 0 for the three shifts t. Any other choice (x·v
 * = 0, or the shortest x) depends on the unit of rotations.
 *
 * Without friction, a clump may have too few contacts to be held by springs alone, and the initial stress holds it: K v
 * is not zero then, and K decides how large the movement is. K0 does not, and its stiffness does not depend on it. Such
 * movements are not listed, only those that the initial stress does not resist either.
 */
typedef struct moduli_floppy_movement {
  uint32_t grain;
  double v[MODULI_UNKNOWNS];        /* v·M v = 1, and v·M w = 0 for another movement w of the grain */
  double momentum[MODULI_UNKNOWNS]; /* M v */
} moduli_floppy_movement;

typedef struct moduli_floppy {
  size_t count;
  moduli_floppy_movement *list;
  size_t size;
  double *shift[3], *shift_momentum[3]; /* shifts t of the assembly without their floppy part, and M t */
} moduli_floppy;

/*
 * Finds them all; to be freed. If all grains are spheres, rotations without friction are not listed: their equations
 * are 0 = 0. False: not enough memory.
 */
bool moduli_floppy_find(moduli_floppy *floppy, const moduli_operator *k, error_info *error);
void moduli_floppy_free(moduli_floppy *floppy);

/* Takes momentum out of x: x becomes P x = x - Σ v (v·M x), over floppy movements and shifts. */
void moduli_floppy_hold(const moduli_floppy *floppy, double *x);

/* M x: M in units of the mass of a sphere with the radius a. */
void moduli_floppy_momentum(const moduli_operator *k, const double *x, double *momentum);

/*
 * Takes forces that nothing resists out of f, which becomes Pᵀ f = f - Σ M v (v·f): rounding errors, and forces that
 * are out of balance.
 */
void moduli_floppy_balance(const moduli_floppy *floppy, double *f);

#endif
