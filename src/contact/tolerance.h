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

#include "contact/lanes/account.h"
#include "history.h"

/* ---- Two segments made one --------------------------------------------------------------------------------------- */

/*
 * Joins the top segment, cut at (zeta_cut, fn_cut), and a segment of slope *p from there to zeta_end into one, if the
 * tolerance allows: *p becomes the slope of both.
 */
static JAGER_INLINE bool join_top(const jager_law *law, contact_data *c, double zeta_cut, double fn_cut,
                                  double zeta_end, vec2 *p)
{
  vec2 lower = c->top.p, bend = vec2_subtract(*p, lower);
  if (vec2_is_zero(bend)) /* the top segment only grows */
    return true;
  if (c->length == 2 || !(c->top.fn_base > 0.0)) /* at ζ = 0 the tolerance is zero */
    return false;
  tent t = tent_of(curvature_factor(law), bend, c->top.zeta_base, c->top.fn_base, zeta_cut, fn_cut, zeta_end);
  double below = double_from_high32(c->error_bound.second), bound = double_from_high32(c->error_bound.top) + t.cost;
  if (!tent_is_allowed(law->tolerance * law->friction, c->top.fn_base, below, bound))
    return false;
  c->error_bound.top = double_high32_above(bound);
  *p = vec2_add_scaled(lower, t.weight, bend);
  return true;
}

/* ---- The bounds of dropped segments ------------------------------------------------------------------------------ */

static JAGER_INLINE double slip_factor(const jager_law *law)
{
  return slip_factor_of(law->exponent, law->friction);
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
  if (dropped->left > 0.0 && reduces && (SIZE_IS_FIXED || law->tolerance > 0.0)) {
    double left = bound_after_slip(slip_factor(law), law->friction, dropped->sum, c->zeta, c->fn, v_base, depth);
    dropped->left = real_min(dropped->left, left);
  }
}

/* The second segment is cut under a new top: it keeps its bound, and the new top adds what the dropped shares leave. */
static JAGER_INLINE void set_bound_of_new_top(contact_data *c, double left)
{
  uint32_t second = c->error_bound.second;
  c->error_bound.top = left > 0.0 ? double_high32_above(double_from_high32(second) + left) : second;
}

/* ---- Shortening -------------------------------------------------------------------------------------------------- */

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
