/* SPDX-License-Identifier: MIT */
/*
 * Elastic segments merged [lines 72-81]: without loss if they have the same slope, and as the paper does if both are
 * elastic and their slopes differ by at most dp_max.
 */
#ifndef JAGER_MERGE_H
#define JAGER_MERGE_H

#include "history.h"

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
