/* SPDX-License-Identifier: MIT */
/*
 * The parts of the algorithm that change the path: giving up segments from the top down, cutting one, sliding, merging.
 * i is the number of the segment that the walk has reached, as in the paper; numbers in brackets are lines of its
 * listing.
 */
#ifndef JAGER_PATH_H
#define JAGER_PATH_H

#include "cone.h"
#include "space.h"
#include "tolerance.h"

/* ---- Walking down ------------------------------------------------------------------------------------------------ */

/* The segment i that the walk has reached: the top, or the second segment once the top is given up */
typedef struct path_walk {
  seen_segment i;
  bool in_second;
  dropped_shares dropped;
} path_walk;

static JAGER_INLINE path_walk walk_from_top(const contact_data *c, step_target t)
{
  double end = space_height(t.space, c->zeta, c->fn);
  double base = space_height(t.space, c->top.zeta_base, c->top.fn_base);
  path_walk w = {see_top(c->top.p, end, base, t.v), false, {0.0, 0.0}};
  return w;
}

/* Is i the lowest segment, i = 1? */
static JAGER_INLINE bool is_last(const contact_data *c, const path_walk *w)
{
  return c->length == (w->in_second ? 3 : 2);
}

/*
 * Gives segment i up: i = i - 1. The top segment stays in place until set_top overwrites it: giving it up only sets
 * in_second. [50-53]
 */
static JAGER_INLINE void drop(const jager_law *law, jager_pool *pool, contact_data *c, step_target t, path_walk *w)
{
  if (c->error_bound.top > 0)
    drop_share(law, c, w->in_second ? second_share(c) : top_share(c), t.space == SPACE_MOVEMENT, w->i.v_base,
               target_height(t) - w->i.base, &w->dropped);
  if (w->in_second)
    history_drop_second(law, pool, c);
  w->in_second = true;
  w->i = see_below(w->i, c->second.p, space_height(t.space, c->second.zeta_base, c->second.fn_base));
}

/* Gross sliding: the path is one segment along the cone from 0, |p| = f, and exact again. */
static JAGER_INLINE void slide(const jager_law *law, jager_pool *pool, contact_data *c, step_target t, vec2 p)
{
  if (c->length > 2)
    history_drop_second(law, pool, c);
  assert(c->length == 2);
  set_top(c, t.zeta, t.fn, p, vec2_of(0.0, 0.0));
  c->error_bound.top = 0;
  c->state = JAGER_STATE_SLIDE;
}

/* ---- Cutting ----------------------------------------------------------------------------------------------------- */

/* Where segment i is cut, and the new segment from there to T */
typedef struct slip_cut {
  bool in_second;      /* i is the second segment; the top has been given up */
  bool whole;          /* no part of i is left */
  double zeta, fn;     /* ζ*, Fn* of the cut */
  vec2 p, xi_residual; /* of the new segment */
  double bound_left;   /* by the dropped segments */
} slip_cut;

/* Segment i has its base inside the cone: cut it at ζ* where it enters, and go to T along the cone. [60-65] */
static JAGER_INLINE slip_cut find_cut(const jager_law *law, const contact_data *c, step_target t, const path_walk *w)
{
  const double target = target_height(t), entry = cone_entry(law->friction, target, w->i);
  assert(real_abs(entry - w->i.base) <= w->i.end - w->i.base + 1e-15 * (target + w->i.end));
  const double zeta = space_zeta(law, c, t.space, entry);
  const double zeta_base = w->in_second ? c->second.zeta_base : c->top.zeta_base;
  const bool back = zeta >= t.zeta;             /* straight back along segment i, which becomes shorter */
  const bool whole = back || zeta <= zeta_base; /* or the cut is rounded to its base */
  cone_way way = way_from(w->i, back ? target : whole ? w->i.base : entry, target);
  if (back)
    way.v_error = w->i.v_error;
  vec2 p = back ? w->i.p : vec2_with_length(way.v, law->friction); /* [62, 65] */
  const double fn = whole ? 0.0 : normal_force(law, c->stiffness, zeta);
  const vec2 residual = t.space == SPACE_MOVEMENT ? way_residual(way, p) : vec2_of(0.0, 0.0);
  slip_cut cut = {w->in_second, whole, zeta, fn, p, residual, w->dropped.left};
  return cut;
}

/* Cuts segment i, and joins the rest of it with the new segment or puts that on it. [49-51, 57, 67-71] */
static JAGER_INLINE bool slip(const jager_law *law, jager_pool *pool, contact_data *c, step_target t, slip_cut cut)
{
  if (cut.in_second) {
    set_bound_of_new_top(c, cut.bound_left);
    if (cut.whole)
      history_drop_second(law, pool, c);
    else
      set_top_base(c, cut.zeta, cut.fn);
  } else if (!cut.whole) {
    bool tolerant = t.space == SPACE_MOVEMENT && law->tolerance > 0.0;
    if (!(tolerant && join_top(law, c, cut.zeta, cut.fn, t.zeta, &cut.p)) && !history_push(pool, c, cut.zeta, cut.fn))
      return false;
  }
  set_top(c, t.zeta, t.fn, cut.p, cut.xi_residual);
  c->state = JAGER_STATE_SLIP;
  /* a cut in the second segment adds no point: only a history that was long before is shortened then */
  if (t.space == SPACE_MOVEMENT && (!cut.in_second || has_grown_long(c)))
    shorten_if_due(law, pool, c);
  return true;
}

/* ---- Merging: without loss for equal slopes, and as the paper does for elastic segments within dp_max [72-81] ---- */

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

/* The mean slope of two segments, weighted with ΔFn so that Ft stays [lines 76-78] */
static JAGER_INLINE vec2 mean_slope(double fn_base, vec2 lower, double fn_middle, vec2 upper, double fn_end)
{
  if (!(fn_end > fn_base)) /* ζ has risen by a rounding unit, and Fn has not */
    return upper;
  double weight = (fn_end - fn_middle) / (fn_end - fn_base);
  return vec2_add_scaled(lower, weight, vec2_subtract(upper, lower));
}

/* Merges a new segment of slope *p, up to Fn, with the top and then with the segments below it, as far as they may. */
static JAGER_INLINE bool merge_top(const jager_law *law, jager_pool *pool, contact_data *c, double fn, vec2 *p)
{
  if (!may_merge(law, c->top.p, *p))
    return false;
  *p = mean_slope(c->top.fn_base, c->top.p, c->fn, *p, fn);
  while (c->length > 2 && may_merge(law, c->second.p, *p)) {
    *p = mean_slope(c->second.fn_base, c->second.p, c->top.fn_base, *p, fn);
    history_drop_second(law, pool, c);
  }
  return true;
}

#endif
