/* SPDX-License-Identifier: MIT */
/*
 * The cone of a target, and where a path enters it.
 *
 * From the target T of a step a cone of slope f opens downward: the points that lie x > 0 below T and less than f x
 * beside it. As no slope of the path exceeds f, a path that has entered the cone on its way down stays in it. So the
 * segment that enters is the first one, from the top down, whose base is inside.
 *
 * Where the segment enters. Prolong the segment of slope p to the height of T, and let v lead from there sideways to T
 * (Δe' in the paper). At the depth x below T the line is at v + p x from T, so that it enters where
 *
 *     |v + p x| = f x,   or   c x² - 2 (v·p) x - |v|² = 0,   c = f² - |p|² >= 0.
 *
 * The positive root, written without cancellation, with r = √((v·p)² + c|v|²), is
 *
 *     x = |v|² / (r - v·p)   if v·p <= 0,   else   x = (r + v·p) / c.          [lines 34, 37: ζ* = ζ - x]
 *
 * So the new segment from the cut to T has the slope f to rounding even where the cut is close to T. On a slip segment
 * (|p| = f) c vanishes, and the second form may give infinity or NaN; but the base is known to be inside the cone, and
 * then the cut is at the base. The paper's test |p| = f ± ε and its rule "the old cone simply expands" [lines 28-35]
 * are not needed: the test at the base decides, without any tolerance.
 *
 * The functions take values and have no branches, so that they serve one contact as well as several side by side
 * (lanes/real.h).
 */
#ifndef JAGER_CONE_H
#define JAGER_CONE_H

#include "compensated.h"

/* Is a point inside the cone that lies `depth` below T, with v leading from it sideways to T? */
static JAGER_INLINE truth cone_contains(double f, real depth, vec2 v)
{
  return (depth > 0.0) & (vec2_dot(v, v) < f * f * depth * depth);
}

/*
 * The same for the top of the path, from which an elastic step goes straight to T [line 15]. The squares are rounded
 * differently, which matters only on the edge of the cone; results of earlier versions depend on it.
 */
static JAGER_INLINE truth cone_contains_top(double f, real depth, vec2 v)
{
  real reach = f * depth;
  return (depth > 0.0) & (vec2_dot(v, v) < reach * reach);
}

/* A segment as it is seen from T */
typedef struct seen_segment {
  vec2 p;         /* slope p*ᵢ */
  real end, base; /* heights of its two ends: ζ*ᵢ and ζ*ᵢ₋₁ (or Fn*) */
  vec2 v, v_base; /* from its end and from its base sideways to T */
  vec2 v_error;   /* rounding errors of the sums that v has been through, from the top of the path down */
} seen_segment;

/* The top segment; v leads from its end sideways to T. */
static JAGER_INLINE seen_segment see_top(vec2 p, real end, real base, vec2 v)
{
  seen_segment top = {p, end, base, v, vec2_add_scaled(v, end - base, p), {real_of(0.0), real_of(0.0)}};
  return top;
}

/* The segment below `above`, of slope p, down to `base` */
static JAGER_INLINE seen_segment see_below(seen_segment above, vec2 p, real base)
{
  vec2 error = vec2_add_scaled_error(above.v, above.end - above.base, above.p, above.v_base);
  vec2 v_base = vec2_add_scaled(above.v_base, above.base - base, p);
  seen_segment below = {p, above.base, base, above.v_base, v_base, vec2_add(above.v_error, error)};
  return below;
}

/* x of the derivation above; may be infinite or NaN. */
static JAGER_INLINE real cone_entry_depth(double f, vec2 p, vec2 v)
{
  real v_square = vec2_dot(v, v), vp = vec2_dot(v, p), c = f * f - vec2_dot(p, p);
  real r = real_sqrt(real_max(real_of(0.0), vp * vp + c * v_square));
  real numerator = choose(vp <= 0.0, v_square, r + vp);
  real denominator = choose(vp <= 0.0, r - vp, c);
  return choose(v_square > 0.0, numerator / denominator, real_of(0.0));
}

/* One of two segments, in each lane */
static JAGER_INLINE seen_segment choose_segment(truth condition, seen_segment a, seen_segment b)
{
  seen_segment chosen = {vec2_choose(condition, a.p, b.p),           choose(condition, a.end, b.end),
                         choose(condition, a.base, b.base),          vec2_choose(condition, a.v, b.v),
                         vec2_choose(condition, a.v_base, b.v_base), vec2_choose(condition, a.v_error, b.v_error)};
  return chosen;
}

/* The height at which the segment, whose base is inside the cone, enters it; between its base and its end. */
static JAGER_INLINE real cone_entry(double f, real target, seen_segment s)
{
  vec2 v_level = vec2_add_scaled(s.v, s.end - target, s.p);
  real x = cone_entry_depth(f, s.p, v_level), deepest = target - s.base;
  real within = real_min(real_max(x, target - s.end), deepest);
  return target - choose(x >= 0.0, within, deepest);
}

/* From a point of a segment to T */
typedef struct cone_way {
  real rise;
  vec2 v;       /* sideways */
  vec2 v_error; /* rounding errors of the sums that v has been through */
} cone_way;

static JAGER_INLINE cone_way way_from(seen_segment s, real height, real target)
{
  vec2 v = vec2_add_scaled(s.v, s.end - height, s.p);
  vec2 error = vec2_add_scaled_error(s.v, s.end - height, s.p, v);
  cone_way way = {target - height, v, vec2_add(s.v_error, error)};
  return way;
}

/* By what a straight segment of slope p misses T: rounding errors, which the next movement makes up for. */
static JAGER_INLINE vec2 way_residual(cone_way way, vec2 p)
{
  return vec2_add(way.v_error, vec2_add_scaled(way.v, -way.rise, p));
}

#endif
