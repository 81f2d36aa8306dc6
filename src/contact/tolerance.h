/* SPDX-License-Identifier: MIT */
/*
 * Histories kept short: the account of the tolerance.
 *
 * A tolerance τ > 0 lets the path differ from the exact one by δ(z). Then Ft is wrong by |∫ δ Fn" dz|, at most by ∫ |δ|
 * Fn" dz, which movements along a line cannot increase (docs/theory.md). The error bound of a segment is an upper bound
 * of this integral from 0 to the end of the segment: a force. By how much it grows over a segment is the segment's
 * share. The path is simplified only where the bound stays below τ f Fn, with Fn taken at the base of the simplified
 * segment and at the bases of all segments above it that have a share. So the error of Ft is at most τ f Fn, now and
 * after any unloading.
 */
#ifndef JAGER_TOLERANCE_H
#define JAGER_TOLERANCE_H

#include "history.h"

/* ---- Two segments made one --------------------------------------------------------------------------------------- */

/* What a new top may use of the tolerance that is left; the rest is kept for segments that stay longer. */
#define JOIN_SHARE 0.02

/*
 * Joins the top segment, cut at (zeta_cut, fn_cut), and a segment of slope *p from there to zeta_end into one, if the
 * tolerance allows: *p becomes the slope of both. δ is then a tent over the cut, of the height h.
 */
static JAGER_INLINE bool join_top(const jager_law *law, contact_data *c, double zeta_cut, double fn_cut,
                                  double zeta_end, vec2 *p)
{
  vec2 lower = c->top.p, bend = vec2_subtract(*p, lower);
  if (vec2_is_zero(bend)) /* the top segment only grows */
    return true;
  if (c->length == 2 || !(c->top.fn_base > 0.0)) /* at ζ = 0 the tolerance is zero */
    return false;
  double zeta_base = c->top.zeta_base;
  double rise = zeta_cut - zeta_base, run = zeta_end - zeta_cut, both = zeta_end - zeta_base;
  double h = sqrt(vec2_dot(bend, bend)) * rise * run / both;
  double tent =
      0.5 * h *
      (normal_curvature(law, zeta_base, c->top.fn_base) * rise + normal_curvature(law, zeta_cut, fn_cut) * run);
  double below = double_from_high32(c->error_bound.second), bound = double_from_high32(c->error_bound.top) + tent;
  if (!(bound - below <= JOIN_SHARE * (law->tolerance * law->friction * c->top.fn_base - below)))
    return false;
  c->error_bound.top = double_high32_above(bound);
  *p = vec2_add_scaled(lower, run / both, bend);
  return true;
}

/* ---- The bounds of dropped segments ------------------------------------------------------------------------------ */

/*
 * Slip replaces the path above a point by the cone. Let `gap` be the distance of that point from the cone. No point of
 * the path above it is nearer to the cone, so that there |δ| falls by `gap` at least. Let a be an upper bound of ∫ |δ|
 * Fn" dz from the point to the end of the path, where δ is zero. As no slope exceeds f, |δ| changes by at most 2f per
 * unit of z; of all such δ with the same integral a, a narrow peak keeps most of it: (√a - gap √(Fn"/4f))². Fn" is
 * least at the end of the path, where Fn"/4f is slip_factor(law) Fn/ζ².
 */
static JAGER_INLINE double slip_factor(const jager_law *law)
{
  return (law->exponent + 1.0) / (4.0 * law->exponent * law->exponent * law->friction);
}

/* What is left of a. The old path ends at (ζ, Fn); v leads from the point sideways to the target, `depth` above it. */
static JAGER_INLINE double bound_after_slip(double factor, double f, double a, double zeta, double fn, vec2 v,
                                            double depth)
{
  double gap = sqrt(vec2_dot(v, v)) - f * depth;
  double root = sqrt(a) - double_max(gap, 0.0) * (sqrt(factor * fn) / zeta);
  double left = root > 0.0 ? double_min(root * root, a) : 0.0;
  return a > 0.0 ? left : 0.0;
}

/* Shares of the top and of the second segment */
static JAGER_INLINE double top_share(const contact_data *c)
{
  return double_from_high32(c->error_bound.top) - double_from_high32(c->error_bound.second);
}

static JAGER_INLINE double second_share(const contact_data *c)
{
  return double_from_high32(c->error_bound.second) - double_from_high32(error_bound_below_second(c));
}

/* The shares of the segments that a step has dropped, and how much of them the slip leaves */
typedef struct dropped_shares {
  double sum, left;
} dropped_shares;

/*
 * A segment is dropped whose base lies `depth` below the target. Only movements reduce the bound; a step in the space
 * of forces keeps it.
 */
static JAGER_INLINE void drop_share(const jager_law *law, const contact_data *c, double share, bool reduces,
                                    vec2 v_base, double depth, dropped_shares *dropped)
{
  dropped->sum += share;
  dropped->left += share;
  if (dropped->left > 0.0 && reduces && law->tolerance > 0.0) {
    double left = bound_after_slip(slip_factor(law), law->friction, dropped->sum, c->zeta, c->fn, v_base, depth);
    dropped->left = double_min(dropped->left, left);
  }
}

/* The second segment is cut under a new top: it keeps its bound, and the new top adds what the dropped shares leave. */
static JAGER_INLINE void set_bound_of_new_top(contact_data *c, double left)
{
  uint32_t second = c->error_bound.second;
  c->error_bound.top = left > 0.0 ? double_high32_above(double_from_high32(second) + left) : second;
}

/* ---- Shortening -------------------------------------------------------------------------------------------------- */

/*
 * A history is shortened when it has grown by GROWTH_MAX points and has more than LENGTH_SHORT points. SHORTEN_WINDOW
 * of the topmost segments are looked at. A history that is moved with a tolerance never grows by so many points between
 * two shortenings; one that has, by movements without a tolerance or by loads, is looked at as a whole.
 */
enum { GROWTH_MAX = 14, LENGTH_SHORT = 12, SHORTEN_WINDOW = 32 };

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

#endif
