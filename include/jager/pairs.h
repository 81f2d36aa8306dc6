/* SPDX-License-Identifier: MIT */
/*
 * Many pairs of particles at once: the whole way from positions and rotations to forces, torques, virial and energies.
 *
 * A jager_pairs holds the contacts of many pairs with their places in space. The caller has the particles in one array
 * and the pairs that are near in another; in each time step, after the particles have moved, one call of
 * jager_pairs_move finds the movements (jager/pair.h), moves the contacts, adds dashpots, turns the forces into global
 * axes and adds them up:
 *
 *     jager_pairs *pairs = jager_pairs_create(0);
 *     jager_sweep sweep = jager_sweep_default();
 *     sweep.laws = &law;
 *     sweep.law_count = 1;
 *     sweep.particles = particles;
 *     sweep.pairs = list;
 *     sweep.count = count;
 *     sweep.loads = loads;
 *     for (each time step) {
 *       ... move the particles, set particle.rotation, set loads to zero ...
 *       if (jager_pairs_move(pairs, &sweep, &sums, &failed) != JAGER_OK)
 *         ... the pair list[failed] cannot be moved ...
 *     }
 *     jager_pairs_destroy(pairs);
 *
 * Contacts begin and end by themselves: a pair of the list without a contact gets one when the particles overlap, and
 * loses it when they have parted. All results are bit for bit equal to jager_pair_move, jager_contact_move and
 * jager_dashpot_damp one by one, on any processor: as many pairs are computed side by side as its vector unit has room
 * for, up to eight. One thread works on a jager_pairs at a time; threads with a jager_pairs each may share the
 * particles, but not their loads.
 */
#ifndef JAGER_PAIRS_H
#define JAGER_PAIRS_H

#include "jager/pair.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Particles and pairs --------------------------------------------------------------------------------------- */

/* A sphere, as a sweep sees it: one cache line. */
typedef struct jager_particle {
  double x[3];        /* position, m */
  double radius;      /* m */
  double rotation[3]; /* Cayley's vector of the rotation in the step: jager_pair_cayley of the rotation vector */
  double mass;        /* kg, for dashpots; at most 1e60, for a sphere that cannot move */
} jager_particle;

/* Force, N, and torque about the centre, N m, on a particle. */
typedef struct jager_wrench {
  double force[3];  /* N */
  double torque[3]; /* N m */
} jager_wrench;

/* In jager_pair.contact: the pair has no contact. In jager_pair.wrench: the wrench on q is added to its load. */
#define JAGER_NONE UINT32_MAX

/* Two particles that are near each other. Their order must not change while they touch. */
typedef struct jager_pair {
  uint32_t p;       /* index of the first particle */
  uint32_t q;       /* index of the second */
  uint32_t contact; /* number of the contact in the jager_pairs, or JAGER_NONE; jager_pairs_move changes it */
  uint32_t wrench;  /* where the wrench on q is stored in sweep.wrenches; JAGER_NONE: it is added to loads[q] */
  uint16_t shift;   /* index into sweep.shifts: which periodic image of q */
  uint16_t law;     /* index into sweep.laws; pairs of one law should follow each other */
} jager_pair;

/* What a pair has done in a sweep; forces act on q, along the normal and the two tangents. */
typedef struct jager_pair_motion {
  double zeta0;      /* half-overlap ζ before, m; negative: half the gap */
  double zeta;       /* half-overlap ζ after, m */
  double dxi[2];     /* half-shift Δξ, m */
  double fn;         /* of the contact, without dashpots, N */
  double ft0[2];     /* of the contact before the step, N */
  double ft[2];      /* of the contact, without dashpots, N */
  double dashpot[3]; /* force of the dashpots: normal, tangential, N */
  double dissipated; /* by the dashpots, J */
} jager_pair_motion;

/*
 * What sweeps note of a contact besides its history: less than its motion. The account of a contact that begins in a
 * sweep begins with zeros; those of others are the caller's, also when contacts get other numbers.
 */
typedef struct jager_pair_account {
  double dashpot[3]; /* force of the dashpots in the last sweep that had any: normal, tangential, N */
  double work;       /* of the tangential force of the contact, without dashpots, in all sweeps, J */
} jager_pair_account;

/*
 * Everything that a step is computed from, and where its results go. Begin with jager_sweep_default. Later versions may
 * add members at the end: `size` tells the library which ones there are.
 */
typedef struct jager_sweep {
  size_t size;                     /* of this structure; jager_sweep_default sets it */
  const jager_law *laws;           /* of the pairs */
  const jager_dashpot *dashpots;   /* one for each law; NULL: none */
  size_t law_count;                /* of laws */
  double dt;                       /* length of the step, s, for dashpots */
  const jager_particle *particles; /* after the step */
  const double (*shifts)[4];       /* x, y, z to be added to x_q - x_p, and a number that is not used; NULL: none */
  const double (*before)[3];       /* x_q - x_p (with shift) before the step, one for each pair of the list, to tell at
                                      what point of the step particles touched; NULL: along the present branch */
  jager_pair *pairs;               /* all pairs with contacts, and any that may come to have one */
  size_t count;                    /* of pairs */
  jager_wrench *loads;             /* one for each particle: forces and torques are added */
  jager_wrench *wrenches;          /* see jager_pair.wrench; NULL if no pair has one */
  jager_pair_motion *motions;      /* out: one for each pair; may be NULL; not written without a contact */
  int normalise;                   /* makes the tangents unit vectors again: in each sweep, or once in ten or so */
  jager_pair_account *accounts;    /* by the numbers of contacts; NULL: none */
  size_t account_count;            /* of accounts; contacts with numbers from there on have none */
} jager_sweep;

/* A sweep without pairs: NULL and zero, but for its size. */
static inline jager_sweep jager_sweep_default(void)
{
  jager_sweep sweep = {
      sizeof(jager_sweep), NULL, NULL, 0, 0.0, NULL, NULL, NULL, NULL, 0, NULL, NULL, NULL, 0, NULL, 0};
  return sweep;
}

/* Sums over the pairs of a sweep. Overwritten by each sweep, not accumulated. */
typedef struct jager_sums {
  double virial[6];       /* Σ force on q × branch: xx, yy, zz, xy (force x, branch y), xz, yz, N m */
  double tangential_work; /* Σ Ft · d(2ξ) by the mean force of the step, J */
  double viscous;         /* energy dissipated by the dashpots, J */
  double normal_force;    /* Σ Fn of the contacts, N */
  double overlap;         /* largest 2ζ over the smaller radius */
  size_t contacts;        /* pairs that touch */
  size_t ended;           /* contacts that have ended */
  double account_work;    /* with accounts: as tangential_work, but only since particles touch, J */
  double reserved[7];     /* zero; for sums of later versions */
} jager_sums;

/* ---- The contacts of many pairs -------------------------------------------------------------------------------- */

/* The contacts of many pairs, 192 bytes each with its place in space, and their histories. */
typedef struct jager_pairs jager_pairs;

/* Makes an empty one that grows on demand up to byte_limit bytes (0: no limit). NULL: there is no memory. */
JAGER_API jager_pairs *jager_pairs_create(size_t byte_limit);

/*
 * The same with an allocator of the caller, which must exist as long as the pairs; NULL: the C library's. Returns NULL
 * if there is no memory, or if a function of the allocator is NULL.
 */
JAGER_API jager_pairs *jager_pairs_create_with(size_t byte_limit, const jager_allocator *allocator);

/* Frees everything. NULL is allowed. */
JAGER_API void jager_pairs_destroy(jager_pairs *pairs);

/*
 * Moves all pairs of the sweep. On an error *failed is the index of the pair that cannot be moved: this pair and all
 * later ones are as they were, and so are their contacts, except that contacts of later pairs may have begun, or ended
 * where the particles have parted; loads, wrenches and sums are not complete. `sums` and `failed` may be NULL. Errors:
 * NULL, LAYOUT (the sweep's size is unknown), those of jager_law_check and jager_contact_move (MODEL if a contact was
 * made with another model), NOT_FINITE also where a force is no number, RADIUS, MEMORY.
 */
JAGER_API jager_status jager_pairs_move(jager_pairs *pairs, const jager_sweep *sweep, jager_sums *sums, size_t *failed);

/*
 * Begins the contact of two particles by itself, as jager_pairs_move does: `branch` is x_q - x_p now, `before` a step
 * ago, NULL if that is not known. Errors: those of jager_contact_init, DIRECTION, MEMORY.
 */
JAGER_API jager_status jager_pairs_begin(jager_pairs *pairs, const jager_law *law, double radius_p, double radius_q,
                                         const double branch[3], const double before[3], uint32_t *number);

/* Ends a contact and forgets its history. Its number may be given to a new one. */
JAGER_API void jager_pairs_end(jager_pairs *pairs, uint32_t number);

/*
 * Renumbers the contacts: contact order[k] becomes number k. Contacts that follow each other in the list of pairs
 * should follow each other in memory. Contacts that are not in `order` end. Errors: MEMORY; CAPACITY (a number is not
 * that of a contact, or occurs twice).
 */
JAGER_API jager_status jager_pairs_arrange(jager_pairs *pairs, const uint32_t *order, size_t count);

/* ---- Single contacts ------------------------------------------------------------------------------------------- */

/*
 * A view of a contact, for all functions that only read one: jager_contact_force, _history, _pack, _stored, _stiffness,
 * _clone ... It must not be moved or released, and is valid until the contacts change.
 */
JAGER_API jager_status jager_pairs_view(const jager_pairs *pairs, uint32_t number, jager_contact *view);

/*
 * The half-overlap ζ and the stiffnesses of a contact (jager_contact_stiffness), without a look at its history: faster
 * than a view. The law is not checked: it must be one that moves contacts. Errors: NULL; UNINITIALISED; MODEL.
 */
JAGER_API jager_status jager_pairs_stiffness(const jager_pairs *pairs, const jager_law *law, uint32_t number,
                                             double *half_overlap, jager_stiffness *stiffness);

/*
 * The energies that a contact stores, as jager_contact_stored finds them, in constant time, amortised. Errors: those of
 * jager_contact_stored.
 */
JAGER_API jager_status jager_pairs_stored(const jager_pairs *pairs, const jager_law *law, uint32_t number,
                                          jager_energy *energy);

/* Branch and first tangent of a contact after its last step. */
JAGER_API jager_status jager_pairs_frame(const jager_pairs *pairs, uint32_t number, double branch[3], double axis[3]);

/*
 * Puts a copy of a contact in, with its branch and first tangent, or a packed one: see jager_contact_unpack. Errors:
 * those of jager_contact_clone and jager_contact_unpack.
 */
JAGER_API jager_status jager_pairs_add(jager_pairs *pairs, const jager_contact *contact, const double branch[3],
                                       const double axis[3], uint32_t *number);
JAGER_API jager_status jager_pairs_unpack(jager_pairs *pairs, const jager_law *law, const void *bytes, size_t size,
                                          size_t *used, const double branch[3], const double axis[3], uint32_t *number);

/* jager_contact_restiffen for a contact of the pairs. Errors: as there. */
JAGER_API jager_status jager_pairs_restiffen(jager_pairs *pairs, const jager_law *law, uint32_t number, double radius_p,
                                             double radius_q);

/* Bytes taken from the allocator, all overhead counted, and bytes that hold histories now. 0 for NULL. */
JAGER_API size_t jager_pairs_bytes(const jager_pairs *pairs);
JAGER_API size_t jager_pairs_bytes_in_use(const jager_pairs *pairs);

#ifdef __cplusplus
}
#endif

#endif
