/* SPDX-License-Identifier: MIT */
/*
 * Slips that drop the second segment, too: the walk down the path (algorithm.h) in lanes, one segment a round.
 *
 * find_moves has marked them KIND_DEEP. They are few, so they are collected in separate lanes. In each round the entry
 * below is read for each of them, and its segment is examined: if the cone contains its base, the walk has found the
 * segment to cut. All contacts are cut after the last round, since a cut takes longer than a round; the segment found
 * becomes the second one. Contacts whose walk ends otherwise are moved as single contacts.
 */
#ifndef JAGER_DEEP_H
#define JAGER_DEEP_H

#include "movements.h"

enum { ROUNDS_MAX = 4 }; /* slips that drop more segments are rare, and are moved as single contacts */

/* The walks of the deep contacts of a chunk, side by side: walk j belongs to contact of[j]. */
typedef struct deep_lanes {
  _Alignas(64) double p_x[CHUNK]; /* segment i as it is seen from the target: see seen_segment */
  double p_y[CHUNK], end[CHUNK], base[CHUNK], v_x[CHUNK], v_y[CHUNK], v_base_x[CHUNK], v_base_y[CHUNK];
  double error_x[CHUNK], error_y[CHUNK];
  double fn_base[CHUNK];                                               /* Fn at its base */
  double anchor_x[CHUNK], anchor_y[CHUNK], low_x[CHUNK], low_y[CHUNK]; /* Ft at its base */
  double bound[CHUNK];                                                 /* error bound at its end */
  double sum[CHUNK], left[CHUNK]; /* shares of dropped segments, and what the slip leaves of them */
  double below_x[CHUNK], below_y[CHUNK], below_base[CHUNK], below_bound[CHUNK]; /* the segment below */
  double target[CHUNK], fn[CHUNK], stiffness[CHUNK], zeta_old[CHUNK], fn_old[CHUNK];
  double walks[CHUNK];                            /* 1: the walk goes on */
  history_node *node[CHUNK];                      /* where the segment below is */
  uint8_t fill[CHUNK], dropped[CHUNK], of[CHUNK]; /* dropped: entries that are no longer in use */
  size_t count;
} deep_lanes;

static JAGER_INLINE void put_where(double *to, truth where, real a)
{
  real_store(to, choose(where, a, real_load(to)));
}

static JAGER_INLINE void put_seen(deep_lanes *d, size_t j, truth where, seen_segment s)
{
  put_where(d->p_x + j, where, s.p.x);
  put_where(d->p_y + j, where, s.p.y);
  put_where(d->end + j, where, s.end);
  put_where(d->base + j, where, s.base);
  put_where(d->v_x + j, where, s.v.x);
  put_where(d->v_y + j, where, s.v.y);
  put_where(d->v_base_x + j, where, s.v_base.x);
  put_where(d->v_base_y + j, where, s.v_base.y);
  put_where(d->error_x + j, where, s.v_error.x);
  put_where(d->error_y + j, where, s.v_error.y);
}

static JAGER_INLINE seen_segment get_seen(const deep_lanes *d, size_t j)
{
  return (seen_segment){lane_vec2(d->p_x, d->p_y, j),
                        real_load(d->end + j),
                        real_load(d->base + j),
                        lane_vec2(d->v_x, d->v_y, j),
                        lane_vec2(d->v_base_x, d->v_base_y, j),
                        lane_vec2(d->error_x, d->error_y, j)};
}

/* Adds the walk of contact k, whose topmost entry is at (node, fill). */
static JAGER_INLINE void add_walk(deep_lanes *d, unsigned k, history_node *node, unsigned fill)
{
  d->node[d->count] = node;
  d->fill[d->count] = (uint8_t)fill;
  d->dropped[d->count] = 0;
  d->of[d->count++] = (uint8_t)k;
}

/* The numbers of an array of the chunk for the walks j ... */
static JAGER_INLINE real walk_load(const deep_lanes *d, const double *from, size_t j)
{
#if JAGER_WIDTH == 1
  return from[d->of[j]];
#else
  real a = real_of(0.0);
  for (size_t lane = 0; lane < JAGER_WIDTH; lane++)
    a[lane] = from[d->of[j + lane]];
  return a;
#endif
}

static JAGER_INLINE vec2 walk_vec2(const deep_lanes *d, const double *x, const double *y, size_t j)
{
  return (vec2){walk_load(d, x, j), walk_load(d, y, j)};
}

/* The walks j ... begin at the second segment: the top is dropped. */
static JAGER_INLINE void begin_walk(deep_lanes *d, const lanes *l, size_t j, const lane_law *law)
{
  vec2 dxi = walk_vec2(d, l->dxi_x, l->dxi_y, j), v = {dxi.x * law->inverse_kappa, dxi.y * law->inverse_kappa};
  v = vec2_add(v, walk_vec2(d, l->residual_x, l->residual_y, j));
  real zeta_old = walk_load(d, l->zeta_old, j);
  seen_segment top = see_top(walk_vec2(d, l->top_x, l->top_y, j), zeta_old, walk_load(d, l->top_base, j), v);
  put_seen(d, j, truth_of(true),
           see_below(top, walk_vec2(d, l->second_x, l->second_y, j), walk_load(d, l->second_base, j)));
  integer low = real_bits(walk_load(d, l->anchor_low, j));
  real_store(d->fn_base + j, walk_load(d, l->second_fn, j));
  real_store(d->anchor_x + j, walk_load(d, l->anchor_x, j));
  real_store(d->anchor_y + j, walk_load(d, l->anchor_y, j));
  real_store(d->low_x + j, first_word(low));
  real_store(d->low_y + j, second_word(low));
  real_store(d->walks + j, real_of(1.0));
  real_store(d->target + j, walk_load(d, l->zeta, j));
  real_store(d->fn + j, walk_load(d, l->fn, j));
  real_store(d->stiffness + j, walk_load(d, l->stiffness, j));
  if (law->tolerance > 0.0) {
    integer bounds = real_bits(walk_load(d, l->bounds, j));
    real_store(d->bound + j, second_word(bounds));
    real_store(d->sum + j, first_word(bounds) - second_word(bounds));
    real_store(d->left + j, walk_load(d, l->left, j));
    real_store(d->zeta_old + j, zeta_old);
    real_store(d->fn_old + j, walk_load(d, l->fn_old, j));
  }
}

/* Reads the entry below segment i. */
static JAGER_INLINE void read_below(deep_lanes *d, unsigned j)
{
  history_node *node = d->node[j];
  unsigned fill = d->fill[j];
  const history_entry *entry = &node->entry[fill - 1];
  uint64_t bound = (uint64_t)node->error_bound[fill - 1] << 32;
  d->below_x[j] = entry->p.x;
  d->below_y[j] = entry->p.y;
  memcpy(&d->below_bound[j], &bound, sizeof bound);
  if (--fill == 0) {
    node = node->below;
    fill = NODE_ENTRIES;
  }
  d->below_base[j] = node ? node->entry[fill - 1].zeta : 0.0;
  d->node[j] = node;
  d->fill[j] = (uint8_t)fill;
  d->dropped[j]++;
}

/* What the slip leaves of the shares when segment i is dropped, too */
static JAGER_INLINE void drop_lane_shares(deep_lanes *d, size_t j, truth where, const lane_law *law, seen_segment i)
{
  real share = real_load(d->bound + j) - real_load(d->below_bound + j), sum = real_load(d->sum + j) + share;
  real grown = real_load(d->left + j) + share;
  real left = bound_after_slip(law->slip_factor, law->friction, sum, real_load(d->zeta_old + j),
                               real_load(d->fn_old + j), i.v_base, real_load(d->target + j) - i.base);
  put_where(d->sum + j, where, sum);
  put_where(d->left + j, where, choose(grown > 0.0, real_min(grown, left), grown));
  put_where(d->bound + j, where, real_load(d->below_bound + j));
}

/* Ft at the base of the segment below, when segment i is dropped: as history_drop_second */
static JAGER_INLINE compensated_vec2 lower_anchor(const deep_lanes *d, size_t j, vec2 p, real fn, truth is_last)
{
  compensated_vec2 anchor = {lane_vec2(d->anchor_x, d->anchor_y, j), lane_vec2(d->low_x, d->low_y, j)};
  compensated_vec2_add(&anchor, -(real_load(d->fn_base + j) - fn), p);
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

/* How a round has ended for the walks j ..., as bits */
typedef struct walk_ends {
  unsigned found, goes_on; /* neither: another movement */
} walk_ends;

/* One round for the walks j ...: looks at the segment below. */
static JAGER_INLINE walk_ends walk_down(deep_lanes *d, size_t j, const lane_law *law)
{
  const seen_segment i = get_seen(d, j);
  const seen_segment s = see_below(i, lane_vec2(d->below_x, d->below_y, j), real_load(d->below_base + j));
  const truth is_last = s.base == 0.0;
  const real fn = choose(is_last, real_of(0.0), lane_normal_force(law, real_load(d->stiffness + j), s.base));
  const compensated_vec2 anchor = lower_anchor(d, j, s.p, fn, is_last);
  const truth regular = is_last | truth_not(magnitude_falls(fn, real_load(d->fn_base + j)));
  const truth contains = cone_contains(law->friction, real_load(d->target + j) - s.base, s.v_base);
  const truth walks = (real_load(d->walks + j) > 0.0) & regular, goes_on = walks & truth_not(contains | is_last);
  if (law->tolerance > 0.0)
    drop_lane_shares(d, j, walks, law, i);
  put_seen(d, j, walks, s);
  put_where(d->fn_base + j, walks, fn);
  put_where(d->anchor_x + j, walks, anchor.high.x);
  put_where(d->anchor_y + j, walks, anchor.high.y);
  put_where(d->low_x + j, walks, stored_low(anchor.low.x));
  put_where(d->low_y + j, walks, stored_low(anchor.low.y));
  real_store(d->walks + j, choose(goes_on, real_of(1.0), real_of(0.0)));
  return (walk_ends){truth_bits(walks & contains), truth_bits(goes_on)};
}

/* The cores of the contacts j ..., cut in the segments that were found. Returns the bits of those that can be cut. */
static JAGER_INLINE unsigned cut_found(const deep_lanes *d, size_t j, const lane_law *law, real row[4][4])
{
  const real target = real_load(d->target + j);
  const seen_segment s = get_seen(d, j);
  const real cut = cone_entry(law->friction, target, s);
  const cone_way way = way_from(s, cut, target);
  const real square = vec2_dot(way.v, way.v);
  const vec2 p = vec2_scale_to(way.v, square, law->friction), residual = way_residual(way, p);
  const integer low = join_words(real_bits(real_load(d->low_x + j)), real_bits(real_load(d->low_y + j)));
  integer bounds = real_bits(real_of(0.0));
  if (law->tolerance > 0.0)
    bounds = bounds_of_new_top(join_words(bounds, real_bits(real_load(d->bound + j))), real_load(d->left + j));
  const real core[4][4] = {{target, real_load(d->fn + j), p.x, p.y},
                           {cut, lane_normal_force(law, real_load(d->stiffness + j), cut), s.p.x, s.p.y},
                           {s.base, real_load(d->fn_base + j), real_load(d->anchor_x + j), real_load(d->anchor_y + j)},
                           {real_from_bits(low), real_from_bits(bounds), residual.x, residual.y}};
  memcpy(row, core, sizeof core);
  return truth_bits((cut < target) & (cut > s.base) & square_is_in_range(square));
}

/* Walks down all paths. Returns the bits of the walks that have found the segment to cut. */
static JAGER_INLINE chunk_bits walk_deep(const lanes *l, deep_lanes *d, const lane_law *law)
{
  const size_t whole = (d->count + JAGER_WIDTH - 1) / JAGER_WIDTH * JAGER_WIDTH;
  for (size_t j = d->count; j < whole; j++)
    d->of[j] = d->of[0];
  for (size_t j = 0; j < whole; j += JAGER_WIDTH)
    begin_walk(d, l, j, law);
  chunk_bits walking = bits_below(d->count), found = 0;
  for (int round = 0; walking && round < ROUNDS_MAX; round++) {
    chunk_bits next = 0;
    FOR_EACH_BIT(j, walking)
    read_below(d, j);
    for (size_t j = 0; j < whole; j += JAGER_WIDTH)
      if (group_bits(walking, j)) {
        walk_ends ends = walk_down(d, j, law);
        found |= walking & (chunk_bits)ends.found << j;
        next |= (chunk_bits)ends.goes_on << j;
      }
    walking &= next; /* not the lanes without a walk */
  }
  return found;
}

/* Cuts the contacts whose walks have found a segment, and stores their forces. Returns the bits of these walks. */
static JAGER_INLINE chunk_bits store_cuts(lanes *l, const deep_lanes *d, const lane_law *law, double *const core[CHUNK],
                                          chunk_bits found)
{
  chunk_bits cut = 0;
  for (size_t j = 0; j < d->count; j += JAGER_WIDTH) {
    double rows[JAGER_WIDTH][ROW_LAST], *at[JAGER_WIDTH], ft_x[JAGER_WIDTH], ft_y[JAGER_WIDTH];
    real row[4][4];
    const chunk_bits cut_here = group_bits(found, j) & cut_found(d, j, law, row);
    for (int r = 0; r < 4; r++) {
      for (int lane = 0; lane < JAGER_WIDTH; lane++)
        at[lane] = rows[lane] + 4 * r;
      transpose_out(at, row[r]);
    }
    vec2 ft = force_of_rows((const real(*)[4])row);
    real_store(ft_x, ft.x);
    real_store(ft_y, ft.y);
    FOR_EACH_BIT(lane, cut_here)
    {
      unsigned k = d->of[j + lane];
      memcpy(core[k], rows[lane], sizeof rows[lane]);
      l->ft_x[k] = ft_x[lane];
      l->ft_y[k] = ft_y[lane];
    }
    cut |= cut_here << j;
  }
  return cut;
}

/* The contacts of the chunk that these walks belong to */
static JAGER_INLINE chunk_bits contacts_of_walks(const deep_lanes *d, chunk_bits walks)
{
  chunk_bits contacts = 0;
  FOR_EACH_BIT(j, walks)
  contacts |= (chunk_bits)1 << d->of[j];
  return contacts;
}

#endif
