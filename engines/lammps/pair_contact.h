/* SPDX-License-Identifier: MIT */
/*
 * Contacts of spheres in space, in batches: what the pair style does with libjager, without anything of LAMMPS.
 *
 * A contact has a first sphere p and a second one q; who is who never changes while they touch, since the history knows
 * directions. It keeps the branch and one tangential axis of the last step; the movement of a step follows from them
 * and from where the spheres are now. The formulas are those of the simulator (docs/theory.md, jager/pair.h).
 */
#ifndef JAGER_LAMMPS_PAIR_CONTACT_H
#define JAGER_LAMMPS_PAIR_CONTACT_H

#include "jager/jager.h"
#include "jager/pair.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { PAIR_BATCH = 64 }; /* contacts */

/* A mass, kg, that nothing moves; its square is a number still. */
#define PAIR_FROZEN 1e60

/* What is the same for all contacts of two materials. */
typedef struct pair_law {
  jager_law law;
  jager_dashpot dashpot;
} pair_law;

/* How a touching pair was after the last step. */
typedef struct pair_state {
  double branch[3];  /* x_q - x_p */
  double axis[3];    /* e: across the branch; the second axis is n × e */
  double ft[2];      /* of the springs */
  double dashpot[3]; /* force of the dashpots: normal, tangential */
  double work;       /* of the springs' tangential force, since the touch */
} pair_state;

/* Four cache lines. */
typedef struct pair_contact {
  jager_contact contact;
  pair_state state;
} pair_contact;

/* Whether two contacts have the same coefficient of Fn(ζ), but for the rounding of their radii and moduli. */
static inline int pair_stiffness_is_same(const jager_contact *a, const jager_contact *b)
{
  return fabs(jager_contact_coefficient(a) - jager_contact_coefficient(b)) <= 1e-9 * jager_contact_coefficient(b);
}

/* What a batch adds up. */
typedef struct pair_sums {
  double work;    /* of tangential forces, which is stored or lost in friction */
  double viscous; /* that dashpots have taken */
} pair_sums;

/* Contacts on their way. Vectors are (x, y, z) in three arrays. */
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
  /* between the passes */
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
 * Two spheres touch: `pair` holds no history. `shift` is how far q has moved against p in the step: it tells where they
 * stood before it, and so which part of the step's movement was in touch. Without one (NULL), or if they overlapped
 * already, they have no past and are pressed straight.
 */
jager_status pair_contact_touch(pair_contact *pair, const pair_law *law, jager_pool *pool, const double radii[2],
                                const double branch[3], const double shift[3]);

/* All contacts of the batch move and push. `failed` tells which one could not. */
jager_status pair_batch_move(pair_batch *batch, pair_contact *contacts, jager_pool *pool, double dt, pair_sums *sums,
                             size_t *failed);

/* The forces of the last step once more; nothing moves. */
void pair_batch_recall(pair_batch *batch, const pair_contact *contacts);

/* Force of one contact on q, as in the last step. Changes nothing. */
void pair_contact_force(const pair_contact *pair, double normal[3], double tangential[3]);

#ifdef __cplusplus
}
#endif

#endif
