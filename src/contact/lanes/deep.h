/* SPDX-License-Identifier: MIT */
/*
 * Slips that drop the second segment, too: the walk down the path (path.h) in lanes, one segment a round.
 *
 * find_moves has marked them KIND_DEEP. They are few, so that they are put side by side in lanes of their own. In each
 * round the entry below is read for each of them, and the segment that it describes is looked at. Where the cone
 * contains its base, the contact is cut there: that segment becomes the second one. Contacts whose walk ends otherwise
 * go the way of a single contact.
 */
#ifndef JAGER_DEEP_H
#define JAGER_DEEP_H

#include "movements.h"

enum { ROUNDS_MAX = 4 }; /* hardly any slip drops more segments; those go the way of single contacts */

/* The walks of the contacts of a chunk that are deep, side by side: walk j is that of contact of[j]. */
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
  double row[4][4][CHUNK];                        /* of the cores of the contacts that are cut */
  history_node *node[CHUNK];                      /* where the segment below is */
  uint8_t fill[CHUNK], dropped[CHUNK], of[CHUNK]; /* dropped: entries that are no longer in use */
  size_t count;
} deep_lanes;

static JAGER_INLINE void put_seen(deep_lanes *d, size_t j, seen_segment s)
{
  real_store(d->p_x + j, s.p.x);
  real_store(d->p_y + j, s.p.y);
  real_store(d->end + j, s.end);
  real_store(d->base + j, s.base);
  real_store(d->v_x + j, s.v.x);
  real_store(d->v_y + j, s.v.y);
  real_store(d->v_base_x + j, s.v_base.x);
  real_store(d->v_base_y + j, s.v_base.y);
  real_store(d->error_x + j, s.v_error.x);
  real_store(d->error_y + j, s.v_error.y);
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
  put_seen(d, j, see_below(top, walk_vec2(d, l->second_x, l->second_y, j), walk_load(d, l->second_base, j)));
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
static JAGER_INLINE real drop_share_of(deep_lanes *d, size_t j, const lane_law *law, seen_segment i)
{
  real share = real_load(d->bound + j) - real_load(d->below_bound + j), sum = real_load(d->sum + j) + share;
  real grown = real_load(d->left + j) + share;
  real left = bound_after_slip(law->slip_factor, law->friction, sum, real_load(d->zeta_old + j),
                               real_load(d->fn_old + j), i.v_base, real_load(d->target + j) - i.base);
  left = choose(grown > 0.0, real_min(grown, left), grown);
  real_store(d->sum + j, sum);
  real_store(d->left + j, left);
  real_store(d->bound + j, real_load(d->below_bound + j));
  return left;
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

/* The walks go on below segment s. */
static JAGER_INLINE void keep_walking(deep_lanes *d, size_t j, seen_segment s, real fn, compensated_vec2 anchor)
{
  put_seen(d, j, s);
  real_store(d->fn_base + j, fn);
  real_store(d->anchor_x + j, anchor.high.x);
  real_store(d->anchor_y + j, anchor.high.y);
  real_store(d->low_x + j, stored_low(anchor.low.x));
  real_store(d->low_y + j, stored_low(anchor.low.y));
}

/* How a round has ended for the walks j ..., as bits */
typedef struct walk_ends {
  unsigned cut, goes_on; /* neither: another movement */
} walk_ends;

static JAGER_INLINE void put_row(deep_lanes *d, int row, size_t j, truth where, real a, real b, real c, real e)
{
  const real values[4] = {a, b, c, e};
  for (int i = 0; i < 4; i++)
    real_store(d->row[row][i] + j, choose(where, values[i], real_load(d->row[row][i] + j)));
}

/* One round for the walks j ...: looks at the segment below. */
static JAGER_INLINE walk_ends walk_down(deep_lanes *d, size_t j, const lane_law *law)
{
  const double f = law->friction;
  const real target = real_load(d->target + j), stiffness = real_load(d->stiffness + j);
  const seen_segment i = get_seen(d, j);
  const seen_segment s = see_below(i, lane_vec2(d->below_x, d->below_y, j), real_load(d->below_base + j));
  const truth is_last = s.base == 0.0;
  const real fn = normal_force_of_spheres(stiffness, s.base);
  const compensated_vec2 anchor = lower_anchor(d, j, s.p, fn, is_last);
  const truth regular = is_last | truth_not(magnitude_falls(fn, real_load(d->fn_base + j)));
  integer bounds = real_bits(real_of(0.0));
  if (law->tolerance > 0.0) {
    real left = drop_share_of(d, j, law, i);
    bounds = bounds_of_new_top(join_words(bounds, real_bits(real_load(d->below_bound + j))), left);
  }
  const truth contains = cone_contains(f, target - s.base, s.v_base);
  const real cut = cone_entry(f, target, s);
  const cone_way way = way_from(s, cut, target);
  const real square = vec2_dot(way.v, way.v);
  const vec2 p = vec2_scale_to(way.v, square, f), rest = way_residual(way, p);
  const truth walks = (real_load(d->walks + j) > 0.0) & regular;
  const truth cuts = walks & contains & (cut < target) & (cut > s.base) & square_is_in_range(square);
  const truth goes_on = walks & truth_not(contains) & truth_not(is_last);
  const integer low = join_words(real_bits(anchor.low.x), real_bits(anchor.low.y));
  put_row(d, 0, j, cuts, target, real_load(d->fn + j), p.x, p.y);
  put_row(d, 1, j, cuts, cut, normal_force_of_spheres(stiffness, cut), s.p.x, s.p.y);
  put_row(d, 2, j, cuts, s.base, fn, anchor.high.x, anchor.high.y);
  put_row(d, 3, j, cuts, real_from_bits(low), real_from_bits(bounds), rest.x, rest.y);
  keep_walking(d, j, s, fn, anchor);
  real_store(d->walks + j, choose(goes_on, real_of(1.0), real_of(0.0)));
  return (walk_ends){truth_bits(cuts), truth_bits(goes_on)};
}

/* Walks down all paths. Returns the bits of the walks that end with a cut: their contacts are in d->row. */
static JAGER_INLINE chunk_bits walk_deep(lanes *l, deep_lanes *d, const lane_law *law)
{
  const size_t whole = (d->count + JAGER_WIDTH - 1) / JAGER_WIDTH * JAGER_WIDTH;
  for (size_t j = d->count; j < whole; j++)
    d->of[j] = d->of[0];
  for (size_t j = 0; j < whole; j += JAGER_WIDTH)
    begin_walk(d, l, j, law);
  chunk_bits walking = bits_below(d->count), cut = 0;
  for (int round = 0; walking && round < ROUNDS_MAX; round++) {
    chunk_bits next = 0;
    FOR_EACH_BIT(j, walking)
    read_below(d, j);
    for (size_t j = 0; j < whole; j += JAGER_WIDTH)
      if (group_bits(walking, j)) {
        walk_ends ends = walk_down(d, j, law);
        cut |= walking & (chunk_bits)ends.cut << j;
        next |= (chunk_bits)ends.goes_on << j;
      }
    walking &= next; /* not the lanes without a walk */
  }
  return cut;
}

/* Stores the contacts whose walks have ended with a cut, and their forces. Returns their bits in the chunk. */
static JAGER_INLINE chunk_bits store_cuts(lanes *l, const deep_lanes *d, double *const core[CHUNK], chunk_bits cut)
{
  chunk_bits stored = 0;
  for (size_t j = 0; j < d->count; j += JAGER_WIDTH) {
    double rows[JAGER_WIDTH][ROW_LAST], *at[JAGER_WIDTH], ft_x[JAGER_WIDTH], ft_y[JAGER_WIDTH];
    real row[4][4];
    for (int r = 0; r < 4; r++) {
      for (int i = 0; i < 4; i++)
        row[r][i] = real_load(d->row[r][i] + j);
      for (int lane = 0; lane < JAGER_WIDTH; lane++)
        at[lane] = rows[lane] + 4 * r;
      turn_out(at, row[r]);
    }
    vec2 ft = force_of_rows((const real(*)[4])row);
    real_store(ft_x, ft.x);
    real_store(ft_y, ft.y);
    FOR_EACH_BIT(lane, group_bits(cut, j))
    {
      unsigned k = d->of[j + lane];
      memcpy(core[k], rows[lane], sizeof rows[lane]);
      l->ft_x[k] = ft_x[lane];
      l->ft_y[k] = ft_y[lane];
      stored |= (chunk_bits)1 << k;
    }
  }
  return stored;
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
