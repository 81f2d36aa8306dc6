/* SPDX-License-Identifier: MIT */
/*
 * How a contact and its equivalent load history are stored.
 *
 * The history is a stack of straight segments. Segment i runs from ζ*ᵢ₋₁ (its base) to ζ*ᵢ (its end) with the slope
 * p*ᵢ; the lowest one starts at ζ* = 0. The two topmost segments, `top` and `second`, lie in the contact itself. The
 * others lie in nodes of the pool, four in each, as entries. Most slips drop the top, cut the second segment and put a
 * new top on it: they touch no node.
 *
 * The force Ft = Σ p* ΔFn* is anchored at the base of the second segment. The anchor changes only when a segment moves
 * between the contact and the nodes, and then by the same term as when it moved the other way; as it is a compensated
 * sum, it does not drift. Its rounding error is relative to the largest force that it has held. Therefore the anchor is
 * summed anew when Fn at the base of the second segment falls below a power of 2^16.
 *
 * The history changes in place. Only a push can fail, for want of memory; a failed push changes nothing.
 */
#ifndef JAGER_HISTORY_H
#define JAGER_HISTORY_H

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

#define FOR_EACH_ENTRY(at, c) for (entry_cursor at = entry_cursor_top(c); (at).node; entry_cursor_descend(&(at)))

static JAGER_INLINE history_entry *entry_at(entry_cursor at)
{
  return &at.node->entry[at.fill - 1];
}

static JAGER_INLINE uint32_t *entry_error_bound(entry_cursor at)
{
  return &at.node->error_bound[at.fill - 1];
}

/* ζ* at which the entry ends: the base of the segment above it; 0 below the lowest one */
static JAGER_INLINE double entry_end(entry_cursor at)
{
  return at.node ? entry_at(at)->zeta : 0.0;
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
static JAGER_INLINE bool entry_push(jager_pool *pool, contact_data *c, history_entry entry, uint32_t error_bound)
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
  c->node->entry[c->fill] = entry;
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

/* ---- Changes at the upper end ------------------------------------------------------------------------------------ */

static JAGER_INLINE compensated_vec2 anchor_of(const contact_data *c)
{
  return (compensated_vec2){c->anchor.ft,
                            {double_from_high32(c->anchor.ft_low[0]), double_from_high32(c->anchor.ft_low[1])}};
}

static JAGER_INLINE void set_anchor(contact_data *c, compensated_vec2 ft)
{
  c->anchor.ft = ft.high;
  c->anchor.ft_low[0] = double_high32(ft.low.x);
  c->anchor.ft_low[1] = double_high32(ft.low.y);
}

/* Sums the anchor from the segments below it. */
void jager_history_sum_anchor(const jager_law *law, contact_data *c);

/* Rises by one with each factor of 2^16. */
static JAGER_INLINE uint8_t force_magnitude(double fn)
{
  return (uint8_t)(double_bits(fn) >> 56);
}

static JAGER_INLINE void set_top_base(contact_data *c, double zeta, double fn)
{
  c->top.zeta_base = zeta;
  c->top.fn_base = fn;
}

/* The top segment gets a new end and a new slope. */
static JAGER_INLINE void set_top(contact_data *c, double zeta, double fn, vec2 p, vec2 xi_residual)
{
  assert(c->top.zeta_base < zeta);
  c->xi_residual = xi_residual;
  c->zeta = zeta;
  c->fn = fn;
  c->top.p = p;
}

/* Error bound at the base of the second segment */
static JAGER_INLINE uint32_t error_bound_below_second(const contact_data *c)
{
  return c->node ? *entry_error_bound(entry_cursor_top(c)) : 0;
}

/* There is a point less. Where there were too many to count, all points that are left may be new. */
static JAGER_INLINE void count_dropped_point(contact_data *c)
{
  c->points_since_shortening = points_after_drop(c->points_since_shortening, --c->length);
}

/* Drops the second segment: the top starts where the second one did. */
static JAGER_INLINE void history_drop_second(const jager_law *law, jager_pool *pool, contact_data *c)
{
  assert(c->length > 2);
  double fn_base = c->second.fn_base;
  set_top_base(c, c->second.zeta_base, fn_base);
  c->error_bound.second = error_bound_below_second(c);
  count_dropped_point(c);
  if (c->length == 2) {
    c->second.p = (vec2){0.0, 0.0};
    return; /* its base and the anchor are zero already */
  }
  vec2 p = entry_pop(pool, c);
  if (!c->node) {
    c->second = (history_segment){p, 0.0, 0.0};
    set_anchor(c, (compensated_vec2){{0.0, 0.0}, {0.0, 0.0}});
    return;
  }
  double zeta = entry_end(entry_cursor_top(c)), fn = normal_force(law, c->stiffness, zeta);
  compensated_vec2 ft = anchor_of(c);
  compensated_vec2_add(&ft, -(fn_base - fn), p);
  c->second = (history_segment){p, zeta, fn};
  set_anchor(c, ft);
  if (force_magnitude(fn) < force_magnitude(fn_base))
    jager_history_sum_anchor(law, c);
}

/*
 * The top segment, cut at (zeta_cut, fn_cut), becomes the second one, and a new top starts there. set_top must follow.
 * False: out of memory, and nothing has changed.
 */
static JAGER_INLINE bool history_push(jager_pool *pool, contact_data *c, double zeta_cut, double fn_cut)
{
  assert(c->top.zeta_base < zeta_cut);
  vec2 second_p = c->second.p;
  if (c->length > 2 && !entry_push(pool, c, (history_entry){c->top.zeta_base, second_p}, c->error_bound.second))
    return false;
  compensated_vec2 ft = anchor_of(c);
  compensated_vec2_add(&ft, c->top.fn_base - c->second.fn_base, second_p);
  set_anchor(c, ft);
  c->second = c->top;
  set_top_base(c, zeta_cut, fn_cut);
  c->error_bound.second = c->error_bound.top;
  c->points_since_shortening = (uint8_t)(c->points_since_shortening + (c->points_since_shortening < UINT8_MAX));
  c->length++;
  return true;
}

/* ---- The whole --------------------------------------------------------------------------------------------------- */

/* Ft = Σ p* ΔFn* */
static JAGER_INLINE jager_force force_of(const contact_data *c)
{
  double top_rise = c->fn - c->top.fn_base, second_rise = c->top.fn_base - c->second.fn_base;
  double low_x = double_from_high32(c->anchor.ft_low[0]), low_y = double_from_high32(c->anchor.ft_low[1]);
  return (jager_force){.fn = c->fn,
                       .ft = {c->anchor.ft.x + (low_x + (c->second.p.x * second_rise + c->top.p.x * top_rise)),
                              c->anchor.ft.y + (low_y + (c->second.p.y * second_rise + c->top.p.y * top_rise))}};
}

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

#endif
