/* SPDX-License-Identifier: MIT */
/*
 * Where the segments of a history lie: the two topmost, `top` and `second`, in the contact itself, the others in nodes
 * of the pool, four in each, as entries. jager/compact.h stores its entries in another way (compact/storage.h).
 */
#ifndef JAGER_ENTRIES_H
#define JAGER_ENTRIES_H

#include "contact_data.h"
#include "contour.h"

#include <assert.h>

/* ---- The contact ------------------------------------------------------------------------------------------------- */

/*
 * The only casts between the public type and its content. Within the library every access goes through contact_data;
 * users only copy a jager_contact as a whole. Its first member is an array of characters, which may alias everything:
 * compilers keep the order of such copies and of the library's accesses.
 */
static JAGER_INLINE contact_data *data_of(jager_contact *contact)
{
  return (contact_data *)(void *)contact;
}

static JAGER_INLINE const contact_data *data_of_const(const jager_contact *contact)
{
  return (const contact_data *)(const void *)contact;
}

/* ---- Entries in the nodes, from the top down --------------------------------------------------------------------- */

/* A place in the nodes: the entry number `fill - 1` of `node`; `node` is NULL below the lowest one. */
typedef struct entry_cursor {
  history_node *node;
  unsigned fill;
} entry_cursor;

static JAGER_INLINE entry_cursor entry_cursor_top(const contact_data *c)
{
  return (entry_cursor){c->node, c->fill};
}

static JAGER_INLINE void entry_cursor_descend(entry_cursor *at)
{
  if (--at->fill == 0) {
    at->node = at->node->below;
    at->fill = NODE_ENTRIES;
  }
}

#define FOR_EACH_ENTRY(at, c) for (entry_cursor at = entry_cursor_top(c); entry_exists(at); entry_cursor_descend(&(at)))

static JAGER_INLINE history_entry *entry_at(entry_cursor at)
{
  return &at.node->entry[at.fill - 1];
}

static JAGER_INLINE uint32_t *entry_error_bound(entry_cursor at)
{
  return &at.node->error_bound[at.fill - 1];
}

/* Is there an entry at this place, or is it below the lowest one? */
static JAGER_INLINE bool entry_exists(entry_cursor at)
{
  return at.node != NULL;
}

static JAGER_INLINE vec2 entry_slope(entry_cursor at)
{
  return entry_at(at)->p;
}

static JAGER_INLINE void set_entry_slope(entry_cursor at, vec2 p)
{
  entry_at(at)->p = p;
}

/* ζ* at which the entry ends: the base of the segment above it; 0 below the lowest one */
static JAGER_INLINE double entry_end(entry_cursor at)
{
  return at.node ? entry_at(at)->zeta : 0.0;
}

/* Error bound at the base of the second segment */
static JAGER_INLINE uint32_t error_bound_below_second(const contact_data *c)
{
  return c->node ? *entry_error_bound(entry_cursor_top(c)) : 0;
}

static JAGER_INLINE bool has_entries(const contact_data *c)
{
  return c->node != NULL;
}

/* Takes the topmost entry off and returns its slope. There must be one. */
static JAGER_INLINE vec2 entry_pop(jager_pool *pool, contact_data *c)
{
  assert(c->node && c->fill > 0 && c->fill <= NODE_ENTRIES);
  history_node *node = c->node;
  vec2 p = node->entry[c->fill - 1].p;
  if (--c->fill == 0) {
    c->node = node->below;
    c->fill = c->node ? NODE_ENTRIES : 0;
    pool_give(pool, node);
  }
  return p;
}

static JAGER_INLINE bool entry_push_needs_node(const contact_data *c)
{
  return !c->node || c->fill == NODE_ENTRIES;
}

/* Puts one on top. False: out of memory, and nothing has changed. */
static JAGER_INLINE bool entry_push(jager_pool *pool, contact_data *c, double zeta, vec2 p, uint32_t error_bound)
{
  if (entry_push_needs_node(c)) {
    if (!jager_pool_reserve(pool, 1))
      return false;
    history_node *node = pool_take(pool);
    node->below = c->node;
    node->entries_below = c->node ? c->node->entries_below + NODE_ENTRIES : 0;
    c->node = node;
    c->fill = 0;
  }
  c->node->entry[c->fill] = (history_entry){zeta, p};
  c->node->error_bound[c->fill++] = error_bound;
  return true;
}

/* ---- Segments, from the top down --------------------------------------------------------------------------------- */

typedef struct segment_cursor {
  vec2 p;                 /* slope of the segment */
  double zeta, zeta_base; /* its end and its base */
  uint32_t segments_left; /* this one and those below it; 0: below the lowest one */
  bool at_top;
  vec2 second_p; /* of the second segment, until the cursor has come there */
  double second_zeta_base;
  entry_cursor below; /* the segment below the second one, or below this one if that is lower */
} segment_cursor;

static JAGER_INLINE segment_cursor segment_cursor_top(const contact_data *c)
{
  return (segment_cursor){.p = c->top.p,
                          .zeta = c->zeta,
                          .zeta_base = c->top.zeta_base,
                          .segments_left = c->length > 1 ? c->length - 1 : 0,
                          .at_top = true,
                          .second_p = c->second.p,
                          .second_zeta_base = c->second.zeta_base,
                          .below = entry_cursor_top(c)};
}

static JAGER_INLINE void segment_cursor_descend(segment_cursor *at)
{
  at->zeta = at->zeta_base;
  at->segments_left--;
  if (at->at_top) {
    at->at_top = false;
    at->p = at->second_p;
    at->zeta_base = at->second_zeta_base;
  } else if (at->segments_left > 0) {
    at->p = entry_at(at->below)->p;
    entry_cursor_descend(&at->below);
    at->zeta_base = entry_end(at->below);
  }
}

/* A contact that does not touch has no segments. */
#define FOR_EACH_SEGMENT(at, c)                                                                                        \
  for (segment_cursor at = segment_cursor_top(c); (at).segments_left > 0; segment_cursor_descend(&(at)))

/* Histories of the library have any size: only a law with a tolerance shortens them and gives error bounds back. */
#define SIZE_IS_FIXED false

/* ---- Points counted ---------------------------------------------------------------------------------------------- */

/* The points 0 and T */
static JAGER_INLINE void count_first_point(contact_data *c)
{
  c->length = 2;
  c->points_since_shortening = 0;
}

static JAGER_INLINE void count_new_point(contact_data *c)
{
  c->points_since_shortening = (uint8_t)(c->points_since_shortening + (c->points_since_shortening < UINT8_MAX));
  c->length++;
}

/* There is a point less. Where there were too many to count, all points that are left may be new. */
static JAGER_INLINE void count_dropped_point(contact_data *c)
{
  c->points_since_shortening = points_after_drop(c->points_since_shortening, --c->length);
}

#endif
