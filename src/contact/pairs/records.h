/* SPDX-License-Identifier: MIT */
/* The content of a jager_pairs: records of its contacts. */
#ifndef JAGER_PAIR_RECORDS_H
#define JAGER_PAIR_RECORDS_H

#include "contact/contact_data.h"
#include "jager/pairs.h"

/* ---- A record ---------------------------------------------------------------------------------------------------- */

/*
 * How a jager_pairs stores the contact of a pair and its place in space: three cache lines.
 *
 * The first 17 numbers are the first 17 of contact_data. The length of the history is in its topmost node; the
 * node is a number instead of a pointer; and friction and model, which many contacts share, are an entry of a table.
 */

enum { RECORD_CORE = 17 }; /* numbers that a record has in common with contact_data */
enum { CORE_ZETA = 0, CORE_FN = 1 };

/* Rows of four numbers in the core */
enum { ROW_TOP = 0, ROW_BASE = 4, ROW_SECOND = 8, ROW_REST = 12, ROW_LAST = 16 };

typedef struct pair_record {
  double core[RECORD_CORE];
  uint32_t node;             /* number of the topmost node, or NO_NODE; of the next record that is not in use */
  uint8_t shape;             /* state, segments in the record, entries in the node: see below */
  uint8_t points;            /* points_since_shortening */
  uint16_t origin;           /* number in the table of friction and model */
  double branch[3], axis[3]; /* x_q - x_p, first tangent */
} pair_record;

_Static_assert(sizeof(pair_record) == 192, "a record is three cache lines");
_Static_assert(offsetof(contact_data, zeta) == CORE_ZETA * sizeof(double) &&
                   offsetof(contact_data, fn) == CORE_FN * sizeof(double),
               "where zeta and Fn are in the core");
_Static_assert(offsetof(contact_data, friction) == RECORD_CORE * sizeof(double), "both have the same core");

/*
 * shape: bits 0-1 the state; bits 2-3 the number of segments in the record, 0 (apart), 1 (top) or 2; bits 4-6 the
 * entries in use in the topmost node.
 */
enum { SHAPE_SEGMENTS = 2, SHAPE_FILL = 4 };

static JAGER_INLINE uint8_t shape_of(unsigned state, unsigned segments, unsigned fill)
{
  return (uint8_t)(state | segments << SHAPE_SEGMENTS | fill << SHAPE_FILL);
}

/* What the histories of many contacts were made with */
typedef struct history_origin {
  double friction;
  uint8_t model;
} history_origin;

/* ---- All of them ------------------------------------------------------------------------------------------------- */

struct jager_pairs {
  pair_record *records;    /* contacts by number; those that are not in use have the shape RECORD_FREE */
  size_t count, room;      /* numbers given out; numbers for which there are records */
  uint32_t free;           /* number of a record that is not in use and leads to the others, or JAGER_NONE */
  jager_pool *pool;        /* of the histories */
  history_origin *origins; /* what histories were made with */
  size_t origin_count, origin_room;
  const struct lane_kernel *kernel; /* lanes/lanes.h */
};

/*
 * How many pairs are computed side by side: 1, 2, 4 or 8; 0: as many as the processor allows (the default). No result
 * depends on it. For tests. Errors: UNSUPPORTED (not by this processor or build).
 */
jager_status jager_pairs_set_width(jager_pairs *pairs, int width);

enum { RECORD_FREE = 0xFF }; /* shape of a record that is not in use */

static JAGER_INLINE bool pairs_has(const jager_pairs *pairs, uint32_t number)
{
  return number < pairs->count && pairs->records[number].shape != RECORD_FREE;
}

/* ---- Records as contacts, one by one ----------------------------------------------------------------------------- */

/* The contact of a record, which shares its history */
void jager_record_view(const jager_pairs *pairs, const pair_record *record, contact_data *view);

/* Stores in the record a contact whose history lies in the pool of the pairs. */
void jager_record_set(pair_record *record, const contact_data *c, uint16_t origin);

/* Moves the contact of a record; check and reserved memory make sure that it cannot fail. */
jager_status jager_record_check(const jager_pairs *pairs, const pair_record *record, const jager_law *law, double zeta,
                                const double dxi[2]);
jager_status jager_record_move(jager_pairs *pairs, pair_record *record, const jager_law *law, uint16_t origin,
                               double zeta, const double dxi[2], jager_force *before, jager_force *force);

/* Shortens the history after a push, if it is due; the force may change. */
bool jager_record_shorten(jager_pairs *pairs, pair_record *record, const jager_law *law, jager_force *force);

#endif
