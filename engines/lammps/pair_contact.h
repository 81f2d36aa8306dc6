/* SPDX-License-Identifier: MIT */
/*
 * Contacts of spheres in space, in batches: the part of the pair style that uses libjager and is independent of LAMMPS.
 *
 * A contact has a first sphere p and a second sphere q. Their order does not change while they touch, since the history
 * contains directions. The contact stores the branch and one tangential axis of the last step; the movement of a step
 * follows from them and from the present positions. The formulas are those of the simulator (docs/theory.md,
 * jager/pair.h).
 */
#ifndef JAGER_LAMMPS_PAIR_CONTACT_H
#define JAGER_LAMMPS_PAIR_CONTACT_H

#include "jager/jager.h"
#include "jager/pair.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { PAIR_BATCH = 64 }; /* contacts */

/* The mass of a frozen sphere, kg. Its square does not overflow. */
#define PAIR_FROZEN 1e60

/* The parameters that all contacts of two materials share */
typedef struct pair_law {
  jager_law law;
  jager_dashpot dashpot;
} pair_law;

/* The state of a touching pair after the last step */
typedef struct pair_state {
  double branch[3];  /* x_q - x_p */
  double axis[3];    /* e: across the branch; the second axis is n × e */
  double ft[2];      /* of the springs */
  double dashpot[3]; /* force of the dashpots: normal, tangential */
  double work;       /* of the tangential spring force, since the spheres began to touch */
} pair_state;

/* Four cache lines. */
typedef struct pair_contact {
  jager_contact contact;
  pair_state state;
} pair_contact;

/* Whether two contacts have the same coefficient of Fn(ζ), up to rounding errors of their radii and moduli */
static inline int pair_stiffness_is_same(const jager_contact *a, const jager_contact *b)
{
  return fabs(jager_contact_coefficient(a) - jager_contact_coefficient(b)) <= 1e-9 * jager_contact_coefficient(b);
}

/* Sums over all contacts and steps */
typedef struct pair_sums {
  double work;    /* of tangential forces: stored energy and frictional dissipation */
  double viscous; /* dissipation of the dashpots */
} pair_sums;

/* The contacts that are computed together. Vectors are three arrays: x, y, z. */
typedef struct pair_batch {
  double branch[3][PAIR_BATCH], square[PAIR_BATCH], radius_p[PAIR_BATCH], radius_q[PAIR_BATCH];
  double turn_p[3][PAIR_BATCH], turn_q[3][PAIR_BATCH]; /* rotation vectors of the step */
  double mass_p[PAIR_BATCH], mass_q[PAIR_BATCH];       /* PAIR_FROZEN: that sphere does not move */
  double weight[PAIR_BATCH];                           /* share of the sums */
  const pair_law *law[PAIR_BATCH];
  uint32_t contact[PAIR_BATCH]; /* number in the array of contacts */
  int p[PAIR_BATCH], q[PAIR_BATCH];
  size_t count;
  double force[3][PAIR_BATCH]; /* on q */
  double torque_p[3][PAIR_BATCH], torque_q[3][PAIR_BATCH];
  /* results of one pass for the next */
  double branch0[3][PAIR_BATCH], e0[3][PAIR_BATCH];
  double zeta0[PAIR_BATCH], zeta[PAIR_BATCH], dxi[2][PAIR_BATCH];
  double n[3][PAIR_BATCH], e[3][PAIR_BATCH], f[3][PAIR_BATCH];
  double fn[PAIR_BATCH], ft[2][PAIR_BATCH];
  jager_state state[PAIR_BATCH];
  double factor[PAIR_BATCH], half_exponent[PAIR_BATCH], across[PAIR_BATCH]; /* of a jager_dashpot */
  double dashpot[3][PAIR_BATCH], lost[PAIR_BATCH];
} pair_batch;

/* `viscous` is the share of critical damping: JAGER_ERROR_DAMPING if it is not in [0, 1]. */
jager_status pair_law_set(pair_law *law, const jager_law *contact_law, double viscous);

/*
 * Initialises the contact of two spheres that begin to touch; `pair` holds no history. `shift` is the displacement of q
 * relative to p in this step. It gives the positions before the step, and so the part of the step during which the
 * spheres touch. If `shift` is NULL, or if the spheres overlapped before the step, the contact is loaded in the normal
 * direction only.
 */
jager_status pair_contact_touch(pair_contact *pair, const pair_law *law, jager_pool *pool, const double radii[2],
                                const double branch[3], const double shift[3]);

/* Moves all contacts of the batch and computes their forces. On an error, `failed` is the contact that caused it. */
jager_status pair_batch_move(pair_batch *batch, pair_contact *contacts, jager_pool *pool, double dt, pair_sums *sums,
                             size_t *failed);

/* Computes the forces of the last step again; contacts do not move. */
void pair_batch_recall(pair_batch *batch, const pair_contact *contacts);

/* The force of one contact on q in the last step */
void pair_contact_force(const pair_contact *pair, double normal[3], double tangential[3]);

#ifdef __cplusplus
}
#endif

#endif
