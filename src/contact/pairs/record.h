/* SPDX-License-Identifier: MIT */
/*
 * How a jager_pairs stores the contact of a pair and its place in space: three cache lines.
 *
 * The first 17 numbers are those of contact_data, in its order. The length of the history is in its topmost node; the
 * node is a number instead of a pointer; and friction and model, which many contacts share, are an entry of a table.
 */
#ifndef JAGER_RECORD_H
#define JAGER_RECORD_H

#include "contact/contact_data.h"

enum { RECORD_CORE = 17 }; /* numbers that a record has in common with contact_data */
enum { CORE_ZETA = 0, CORE_FN = 1 };

/* Rows of four numbers in the core */
enum { ROW_TOP = 0, ROW_BASE = 4, ROW_SECOND = 8, ROW_REST = 12, ROW_LAST = 16 };

typedef struct pair_record {
  double core[RECORD_CORE];
  uint32_t node;             /* number of the topmost node, or NO_NODE */
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

#endif
