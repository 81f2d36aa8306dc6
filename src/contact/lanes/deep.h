/* SPDX-License-Identifier: MIT */
/*
 * Slips that drop the second segment, too: the walk down the path (path.h) in lanes, one segment a round.
 *
 * find_moves has marked them KIND_DEEP. In each round the entry below is read for each of them, and the segment that it
 * describes is looked at side by side. Where the cone contains its base, it becomes the second segment, and the
 * movement one that cuts it: KIND_CUT_SECOND. Contacts whose walk ends otherwise become KIND_OTHER. Records change only
 * later, with all others; the entries are dropped then.
 */
#ifndef JAGER_DEEP_H
#define JAGER_DEEP_H

#include "movements.h"

enum { ROUNDS_MAX = 4 }; /* hardly any slip drops more segments; those go the way of single contacts */

/* The walk of deep contacts; only their lanes have meaning. */
typedef struct deep_lanes {
  _Alignas(64) double p_x[CHUNK]; /* segment i as it is seen from the target: see seen_segment */
  double p_y[CHUNK], end[CHUNK], base[CHUNK], v_x[CHUNK], v_y[CHUNK], v_base_x[CHUNK], v_base_y[CHUNK];
  double error_x[CHUNK], error_y[CHUNK];
  double fn_base[CHUNK];                                               /* Fn at its base */
  double anchor_x[CHUNK], anchor_y[CHUNK], low_x[CHUNK], low_y[CHUNK]; /* Ft at its base */
  double bound[CHUNK];                                                 /* error bound at its end */
  double sum[CHUNK], left[CHUNK]; /* shares of dropped segments, and what the slip leaves of them */
  double below_x[CHUNK], below_y[CHUNK], below_base[CHUNK], below_bound[CHUNK]; /* the segment below */
  history_node *node[CHUNK];                                                    /* where that is */
  uint8_t fill[CHUNK];
  uint8_t dropped[CHUNK]; /* entries that are no longer in use */
} deep_lanes;

static JAGER_INLINE void put_seen(deep_lanes *d, size_t k, seen_segment s)
{
  real_store(d->p_x + k, s.p.x);
  real_store(d->p_y + k, s.p.y);
  real_store(d->end + k, s.end);
  real_store(d->base + k, s.base);
  real_store(d->v_x + k, s.v.x);
  real_store(d->v_y + k, s.v.y);
  real_store(d->v_base_x + k, s.v_base.x);
  real_store(d->v_base_y + k, s.v_base.y);
  real_store(d->error_x + k, s.v_error.x);
  real_store(d->error_y + k, s.v_error.y);
}

static JAGER_INLINE seen_segment get_seen(const deep_lanes *d, size_t k)
{
  return (seen_segment){lane_vec2(d->p_x, d->p_y, k),
                        real_load(d->end + k),
                        real_load(d->base + k),
                        lane_vec2(d->v_x, d->v_y, k),
                        lane_vec2(d->v_base_x, d->v_base_y, k),
                        lane_vec2(d->error_x, d->error_y, k)};
}

/* The walk begins at the second segment: the top is dropped. */
static JAGER_INLINE void begin_walk(deep_lanes *d, const lanes *l, size_t k, const lane_law *law)
{
  vec2 v = {real_load(l->dxi_x + k) * law->inverse_kappa, real_load(l->dxi_y + k) * law->inverse_kappa};
  v = vec2_add(v, lane_vec2(l->residual_x, l->residual_y, k));
  seen_segment top =
      see_top(lane_vec2(l->top_x, l->top_y, k), real_load(l->zeta_old + k), real_load(l->top_base + k), v);
  put_seen(d, k, see_below(top, lane_vec2(l->second_x, l->second_y, k), real_load(l->second_base + k)));
  integer low = real_bits(real_load(l->anchor_low + k)), bounds = real_bits(real_load(l->bounds + k));
  real_store(d->fn_base + k, real_load(l->second_fn + k));
  real_store(d->anchor_x + k, real_load(l->anchor_x + k));
  real_store(d->anchor_y + k, real_load(l->anchor_y + k));
  real_store(d->low_x + k, first_word(low));
  real_store(d->low_y + k, second_word(low));
  if (law->tolerance > 0.0) {
    real_store(d->bound + k, second_word(bounds));
    real_store(d->sum + k, first_word(bounds) - second_word(bounds));
    real_store(d->left + k, real_load(l->left + k));
  }
}

/* Reads the entry below segment i. */
static JAGER_INLINE void read_below(deep_lanes *d, unsigned k)
{
  history_node *node = d->node[k];
  unsigned fill = d->fill[k];
  const history_entry *entry = &node->entry[fill - 1];
  uint64_t bound = (uint64_t)node->error_bound[fill - 1] << 32;
  d->below_x[k] = entry->p.x;
  d->below_y[k] = entry->p.y;
  memcpy(&d->below_bound[k], &bound, sizeof bound);
  if (--fill == 0) {
    node = node->below;
    fill = NODE_ENTRIES;
  }
  d->below_base[k] = node ? node->entry[fill - 1].zeta : 0.0;
  d->node[k] = node;
  d->fill[k] = (uint8_t)fill;
  d->dropped[k]++;
}

/* What the slip leaves of the shares when segment i is dropped, too */
static JAGER_INLINE void drop_share_of(deep_lanes *d, const lanes *l, size_t k, const lane_law *law, seen_segment i)
{
  real share = real_load(d->bound + k) - real_load(d->below_bound + k), sum = real_load(d->sum + k) + share;
  real grown = real_load(d->left + k) + share;
  real left = bound_after_slip(law->slip_factor, law->friction, sum, real_load(l->zeta_old + k),
                               real_load(l->fn_old + k), i.v_base, real_load(l->zeta + k) - i.base);
  real_store(d->sum + k, sum);
  real_store(d->left + k, choose(grown > 0.0, real_min(grown, left), grown));
  real_store(d->bound + k, real_load(d->below_bound + k));
}

/* Ft at the base of the segment below, when segment i is dropped: as history_drop_second */
static JAGER_INLINE compensated_vec2 lower_anchor(const deep_lanes *d, size_t k, vec2 p, real fn, truth is_last)
{
  compensated_vec2 anchor = {lane_vec2(d->anchor_x, d->anchor_y, k), lane_vec2(d->low_x, d->low_y, k)};
  compensated_vec2_add(&anchor, -(real_load(d->fn_base + k) - fn), p);
  const vec2 zero = {real_of(0.0), real_of(0.0)};
  return (compensated_vec2){vec2_choose(is_last, zero, anchor.high), vec2_choose(is_last, zero, anchor.low)};
}

/* The lower half of a rounding error is not stored. */
static JAGER_INLINE real stored_low(real low)
{
  return real_from_bits(real_bits(low) & UPPER_HALF);
}

static JAGER_INLINE truth magnitude_falls(real fn, real fn_base)
{
  return (real_bits(fn) >> 56) < (real_bits(fn_base) >> 56);
}

static JAGER_INLINE void store_where(double *to, size_t k, truth where, real value)
{
  real_store(to + k, choose(where, value, real_load(to + k)));
}

/* The segment below becomes the second one of the contacts that are cut there. */
static JAGER_INLINE void commit_cut(lanes *l, const deep_lanes *d, size_t k, truth cuts, seen_segment s, real fn,
                                    compensated_vec2 anchor)
{
  store_where(l->second_x, k, cuts, s.p.x);
  store_where(l->second_y, k, cuts, s.p.y);
  store_where(l->second_base, k, cuts, s.base);
  store_where(l->second_fn, k, cuts, fn);
  store_where(l->anchor_x, k, cuts, anchor.high.x);
  store_where(l->anchor_y, k, cuts, anchor.high.y);
  integer low = join_words(real_bits(anchor.low.x), real_bits(anchor.low.y));
  store_where(l->anchor_low, k, cuts, real_from_bits(low));
  integer bounds = real_bits(real_load(l->bounds + k));
  bounds = join_words(real_bits(first_word(bounds)), real_bits(real_load(d->below_bound + k)));
  store_where(l->bounds, k, cuts, real_from_bits(bounds));
}

/* One round for the contacts k ...: looks at the segment below. Returns the bits of those that go on. */
static JAGER_INLINE unsigned walk_down(lanes *l, deep_lanes *d, size_t k, const lane_law *law)
{
  const double f = law->friction;
  const real target = real_load(l->zeta + k), stiffness = real_load(l->stiffness + k);
  const truth deep = real_load(l->kind + k) == (double)KIND_DEEP;
  const seen_segment i = get_seen(d, k);
  const seen_segment s = see_below(i, lane_vec2(d->below_x, d->below_y, k), real_load(d->below_base + k));
  const truth is_last = s.base == 0.0;
  const real fn = normal_force_of_spheres(stiffness, s.base);
  const compensated_vec2 anchor = lower_anchor(d, k, s.p, fn, is_last);
  const truth regular = is_last | truth_not(magnitude_falls(fn, real_load(d->fn_base + k)));
  if (law->tolerance > 0.0)
    drop_share_of(d, l, k, law, i);

  const truth contains = cone_contains(f, target - s.base, s.v_base);
  const real cut = cone_entry(f, target, s);
  const cone_way way = way_from(s, cut, target);
  const real square = vec2_dot(way.v, way.v);
  const vec2 p = vec2_scale_to(way.v, square, f), rest = way_residual(way, p);
  const truth inside = (cut < target) & (cut > s.base) & square_is_in_range(square);
  const truth cuts = deep & contains & regular & inside;
  const truth goes_on = deep & regular & truth_not(contains) & truth_not(is_last);
  commit_cut(l, d, k, cuts, s, fn, anchor);
  store_where(l->cut, k, cuts, cut);
  store_where(l->fn_cut, k, cuts, normal_force_of_spheres(stiffness, cut));
  store_where(l->p_x, k, cuts, p.x);
  store_where(l->p_y, k, cuts, p.y);
  store_where(l->rest_x, k, cuts, rest.x);
  store_where(l->rest_y, k, cuts, rest.y);
  if (law->tolerance > 0.0)
    store_where(l->left, k, cuts, real_load(d->left + k));
  real ended = choose(cuts, real_of(KIND_CUT_SECOND), real_of(KIND_OTHER));
  store_where(l->kind, k, deep & truth_not(goes_on), ended);
  put_seen(d, k, s);
  real_store(d->fn_base + k, fn);
  real_store(d->anchor_x + k, anchor.high.x);
  real_store(d->anchor_y + k, anchor.high.y);
  real_store(d->low_x + k, stored_low(anchor.low.x));
  real_store(d->low_y + k, stored_low(anchor.low.y));
  return truth_bits(goes_on);
}

/*
 * Walks down the paths of the contacts `deep`, whose node and fill are set; afterwards none is KIND_DEEP. Returns the
 * bits of those that are cut.
 */
static JAGER_INLINE chunk_bits walk_deep(lanes *l, deep_lanes *d, size_t whole, const lane_law *law, chunk_bits deep)
{
  const chunk_bits group = (chunk_bits)((1ul << JAGER_WIDTH) - 1);
  for (size_t k = 0; k < whole; k += JAGER_WIDTH)
    if (deep >> k & group)
      begin_walk(d, l, k, law);
  chunk_bits walking = deep;
  for (int round = 0; walking && round < ROUNDS_MAX; round++) {
    chunk_bits next = 0;
    FOR_EACH_BIT(k, walking)
    read_below(d, k);
    for (size_t k = 0; k < whole; k += JAGER_WIDTH)
      if (walking >> k & group)
        next |= (chunk_bits)walk_down(l, d, k, law) << k;
    walking = next;
  }
  FOR_EACH_BIT(k, walking)
  l->kind[k] = KIND_OTHER;
  chunk_bits cut = 0;
  FOR_EACH_BIT(k, deep)
  cut |= (chunk_bits)(l->kind[k] == (double)KIND_CUT_SECOND) << k;
  return cut;
}

/* Gives back the nodes that are no longer in use after `dropped` entries. */
static JAGER_INLINE history_node *drop_entries(jager_pool *pool, history_node *node, unsigned *fill, unsigned dropped)
{
  for (; dropped > 0; dropped--)
    if (--*fill == 0) {
      history_node *below = node->below;
      pool_give(pool, node);
      node = below;
      *fill = below ? NODE_ENTRIES : 0;
    }
  return node;
}

#endif
