/* SPDX-License-Identifier: MIT */
/*
 * The interface of the code for lanes. Each file kernel_W.c compiles kernel.inc for W lanes; the processor decides
 * which one runs (dispatch.c).
 */
#ifndef JAGER_KERNEL_H
#define JAGER_KERNEL_H

#include "contact/pairs/record.h"
#include "jager/pairs.h"

enum { CHUNK = 64 }; /* contacts: their numbers fit into the nearest cache, and one bit each into 32 */

/* A part of the movements of jager_contacts_move, at most a chunk */
typedef struct contact_chunk {
  const jager_law *law;
  jager_pool *pool;
  const jager_moves *moves;
  size_t first, count;
} contact_chunk;

/* Pairs of one law, and how far a sweep over them has come */
typedef struct pair_sweep {
  const jager_sweep *sweep;
  jager_pairs *pairs;
  const jager_law *law;
  const jager_dashpot *dashpot; /* NULL: none */
  uint16_t origin;              /* number of the law's friction and model; histories of other numbers are not common */
  size_t next, end;             /* indices of pairs: the next one, and the end of those of this law */
  size_t failed;                /* index of the pair that could not be moved */
  double virial[6][4], overlap[4], tangential_work[4], normal_force[4]; /* four interleaved sums each */
  double viscous, seconds;
  size_t contacts, ended;
} pair_sweep;

typedef struct lane_kernel {
  int width;
  /* Moves all contacts of a chunk, or none. */
  jager_status (*move_contacts)(const contact_chunk *part);
  /* Moves all pairs of the sweep; those before `failed`, if one cannot be moved. */
  jager_status (*move_pairs)(pair_sweep *s);
} lane_kernel;

/* The kernel of this width, or NULL if the processor has none; 0: the widest. */
const lane_kernel *jager_lane_kernel(int width);

/* jager_contacts_move with this kernel */
jager_status jager_contacts_move_by(const lane_kernel *kernel, const jager_law *law, jager_pool *pool,
                                    const jager_moves *moves, size_t *moved);

/* ---- The way of a single contact (single.c) ---------------------------------------------------------------------- */

jager_status jager_single_check(const jager_law *law, const jager_pool *pool, const jager_contact *contact, double zeta,
                                const double dxi[2]);

/* Shortens the history after a push, if it is due; the force may change. */
bool jager_single_shorten(const jager_law *law, jager_pool *pool, contact_data *c, jager_force *force);

/* The contact of a record, which shares its history */
void jager_record_view(const jager_pairs *pairs, const pair_record *record, contact_data *view);

/* Makes the contact, whose history lies in the pool of the pairs, that of the record. */
void jager_record_set(pair_record *record, const contact_data *c, uint16_t origin);

/* Moves the contact of a record; check and reserved memory make sure that it cannot fail. */
jager_status jager_record_check(const jager_pairs *pairs, const pair_record *record, const jager_law *law, double zeta,
                                const double dxi[2]);
jager_status jager_record_move(jager_pairs *pairs, pair_record *record, const jager_law *law, uint16_t origin,
                               double zeta, const double dxi[2], jager_force *before, jager_force *force);
bool jager_record_shorten(jager_pairs *pairs, pair_record *record, const jager_law *law, jager_force *force);

#endif
