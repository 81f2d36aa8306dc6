/* SPDX-License-Identifier: MIT */
/*
 * A contact and its equivalent load history: where segments lie, and what concerns the history as a whole.
 *
 * The history is a stack of straight segments. Segment i runs from ζ*ᵢ₋₁ (its base) to ζ*ᵢ (its end) with the slope
 * p*ᵢ; the lowest one starts at ζ* = 0. The two topmost, `top` and `second`, are in the contact itself, the others in
 * nodes of the pool, four in each, as entries. Most slips drop the top, cut the second segment and put a new top on it:
 * they touch no entry. jager/compact.h stores its entries in another way.
 */
#ifndef JAGER_HISTORY_H
#define JAGER_HISTORY_H

#include "contact_data.h"
#include "contour.h"

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

/* Fetches the upper end of a history into the cache, some movements before it is needed. */
static JAGER_INLINE void history_prefetch(const contact_data *c)
{
  if (c->node) {
    JAGER_PREFETCH(c->node);
    JAGER_PREFETCH((const char *)c->node + 64);
  }
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

/* Slopes are changed from the top down: no node above has sums that this one makes wrong. */
static JAGER_INLINE void set_entry_slope(entry_cursor at, vec2 p)
{
  entry_at(at)->p = p;
  at.node->sums_are_known = false;
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

/* Pops the topmost entry and returns its slope. There must be one. */
static JAGER_INLINE vec2 entry_pop(jager_pool *pool, contact_data *c)
{
  assert(c->node && c->fill > 0 && c->fill <= NODE_ENTRIES);
  unsigned fill = c->fill;
  vec2 p = c->node->entry[fill - 1].p;
  c->node = pop_entry(pool, c->node, &fill);
  c->fill = (uint8_t)fill;
  return p;
}

/* Pushes an entry. False: out of memory, and nothing has changed. */
static JAGER_INLINE bool entry_push(jager_pool *pool, contact_data *c, double zeta, vec2 p, uint32_t error_bound)
{
  unsigned fill = c->fill;
  if ((!c->node || fill == NODE_ENTRIES) && !jager_pool_reserve(pool, 1))
    return false;
  c->node = push_entry(pool, c->node, &fill, (history_entry){zeta, p}, error_bound);
  c->fill = (uint8_t)fill;
  return true;
}

/* ---- Segments, from the top down --------------------------------------------------------------------------------- */

typedef struct segment_cursor {
  vec2 p;                 /* slope of the segment */
  double zeta, zeta_base; /* its end and its base */
  uint32_t segments_left; /* number of segments from this one down; 0: below the lowest one */
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
#define JAGER_SIZE_IS_FIXED false

/* ---- Points counted ---------------------------------------------------------------------------------------------- */

/* A history of two points, 0 and T */
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

/* One point fewer. If there were too many to count, all remaining points may be new. */
static JAGER_INLINE void count_dropped_point(contact_data *c)
{
  c->points_since_shortening = points_after_drop(c->points_since_shortening, --c->length);
}

/* ---- When histories are simplified ------------------------------------------------------------------------------- */

/* |p| = f to rounding */
static JAGER_INLINE bool slope_is_slip(vec2 p, double friction)
{
  return vec2_dot(p, p) >= friction * friction * (1.0 - 1e-12);
}

static JAGER_INLINE bool may_merge(const jager_law *law, vec2 p, vec2 q)
{
  if (p.x == q.x && p.y == q.y)
    return true;
  if (!(law->dp_max > 0.0) || slope_is_slip(p, law->friction) || slope_is_slip(q, law->friction))
    return false;
  vec2 difference = vec2_subtract(p, q);
  return vec2_dot(difference, difference) <= law->dp_max * law->dp_max;
}

/* Is the whole history to be shortened? */
static JAGER_INLINE bool has_grown_long(const contact_data *c)
{
  return c->points_since_shortening >= SHORTEN_WINDOW;
}

/* How many of the topmost segments may change in the next step, if that shortens the history; a step adds one point. */
static JAGER_INLINE uint32_t segments_to_shorten(const contact_data *c)
{
  return c->points_since_shortening + 1 >= SHORTEN_WINDOW ? c->length : (uint32_t)SHORTEN_WINDOW;
}

/* Replaces segments by chords, as far as the tolerance allows (shorten.c). */
void jager_history_shorten(const jager_law *law, jager_pool *pool, contact_data *c);

static JAGER_INLINE void shorten_if_due(const jager_law *law, jager_pool *pool, contact_data *c)
{
  if (c->points_since_shortening >= GROWTH_MAX && c->length > LENGTH_SHORT && law->tolerance > 0.0)
    jager_history_shorten(law, pool, c);
}

/* ---- The whole (history.c) --------------------------------------------------------------------------------------- */

/* A contact without a history: ζ = 0, not touching */
static JAGER_INLINE contact_data contact_untouched(double stiffness, double friction, uint8_t model)
{
  return (contact_data){
      .stiffness = stiffness, .friction = friction, .length = 1, .state = JAGER_STATE_APART, .model = model};
}

/* True if the contact holds a history; overwriting it would leak the nodes. */
static inline bool contact_is_in_use(const contact_data *c)
{
  return c->length > 1;
}

/* Why the law and the contact cannot be used together, or JAGER_OK */
static JAGER_INLINE jager_status check_law_of(const jager_law *law, const contact_data *c)
{
  if (!(law->modulus > 0.0))
    return JAGER_ERROR_NO_MATERIAL;
  if (c->length == 0)
    return JAGER_ERROR_UNINITIALISED;
  return (int)law->model == (int)c->model ? JAGER_OK : JAGER_ERROR_MODEL;
}

/* Gives the nodes down to `end` (not included) back to the pool. */
void jager_history_free_nodes(jager_pool *pool, history_node *node, const history_node *end);

/* Copies the nodes from `from` down to `end`, which is shared, and links the copies to *link. They must be free. */
void jager_history_copy_nodes(jager_pool *pool, const history_node *from, history_node *end, history_node **link);

/* Gives the history of a contact of any law back to the pool. */
void jager_contact_forget(jager_pool *pool, contact_data *c);

/* The bodies separate: half the gap is -zeta, zeta <= 0. */
void jager_contact_separate(const jager_law *law, jager_pool *pool, contact_data *c, double zeta);

/* A copy with nodes of its own. */
jager_status jager_contact_copy(const contact_data *from, jager_pool *pool, contact_data *to);

/*
 * For assertions: the invariants of a touching contact of the exact law. ζ* rises strictly, |p*| <= f, the error bounds
 * do not fall, `fill` and `length` agree, and |Ft| <= f Fn. Looks at no more than the topmost segments, so that debug
 * builds can afford it after each movement.
 */
bool jager_history_is_valid(const contact_data *c);

/* sum_anchor out of line, since it is rarely called */
void jager_history_sum_anchor(const jager_law *law, contact_data *c);

/* Rises by one with each factor of 2^16. */
static JAGER_INLINE uint8_t force_magnitude(double fn)
{
  return (uint8_t)(double_bits(fn) >> 56);
}

#endif
