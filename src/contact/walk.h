/* SPDX-License-Identifier: MIT */
/*
 * One movement: the heart of the Jäger contact.
 *
 * The picture. Draw the history as a path E(z), z from 0 to ζ, with slope E' = p* on each segment and |p*| <= f; z is
 * indentation and E the tangential half-movement over κ. A movement (Δζ, Δξ) puts a target T = (ζ, E_top + Δξ/κ).
 * From T a cone of slope f opens downward. A path of slopes <= f that enters the cone stays in it further down.
 *
 *   - The old top is inside the cone: elastic. Go straight from it to T.                          [paper, lines 15-18]
 *   - Else walk down to where the path enters the cone, cut it there, and go to T along the cone: slip. What was
 *     above the cut, the slip annulus, is forgotten.                                                    [lines 22-71]
 *   - The path enters nowhere, not even at 0: gross sliding.                                            [lines 22-23]
 *
 * The force is the same path read against Fn: Ft = Σ p* ΔFn*. So the same walk also runs in the (Fn, Ft) plane, from a
 * given force to the movement.
 *
 * Why no tolerance is needed. Whether a segment is cut or dropped is decided at its base, by whether the base is
 * inside the cone; the equation for the cut is solved only then, measured from the base, and has one root in range:
 *
 *     |v_b - p s| = f (D - s),      v_b = E_T - E_base,   D = ζ - ζ_base,   s = ζ* - ζ_base
 *     A - 2 B s + c s² = 0,         A = f²D² - |v_b|²,    B = f²D - v_b·p,  c = f² - |p|²
 *     s = A / (B + √(B² - cA)).
 *
 * The base is inside, so A > 0 and, as |v_b| |p| <= |v_b| f < f²D, also B > 0: nothing cancels, and c = 0 (a slip
 * segment, the paper's eq. Zetas2) needs no case of its own. The paper's test |p| = f ± ε and its rule "the old cone
 * simply expands" are what the test at the base finds by itself.
 *
 * The history changes in place. Only a push can fail, for want of memory, and a walk that pushes has dropped nothing
 * before: so a failure leaves the contact as it was.
 */
#ifndef JAGER_WALK_H
#define JAGER_WALK_H

#include "internal.h"

/* ---- Segments: the top one, the one under it, and the rest in nodes --------------------------------------------- */

/* A force with what rounding took from it: adding and later subtracting the same share leaves nothing behind. */
typedef struct jager_sum {
  vec2 high, low;
} jager_sum;

static JAGER_INLINE void jager_sum_add_one(double *high, double *low, double term)
{
  double sum = *high + term; /* Knuth's two-sum */
  double of_term = sum - *high;
  double lost = (*high - (sum - of_term)) + (term - of_term);
  double rest = *low + lost;
  *high = sum + rest;
  *low = rest - (*high - sum);
}

/* sum + scale * p */
static JAGER_INLINE void jager_sum_add(jager_sum *sum, double scale, vec2 p)
{
  jager_sum_add_one(&sum->high.x, &sum->low.x, scale * p.x);
  jager_sum_add_one(&sum->high.y, &sum->low.y, scale * p.y);
}

/*
 * The top segment and the one under it lie in the contact. Most slips drop the top, cut the segment under it and put a
 * new top on: they touch nothing else, no node and no sum. Ft is anchored at the start of the segment under the top; it
 * changes only when a segment comes to lie there or leaves, by just the same share, so it never drifts.
 */
static JAGER_INLINE jager_sum jager_anchor(const jager_contact *c)
{
  return (jager_sum){jager_vec2(c->ft_under), jager_vec2(c->ft_under_low)};
}

static JAGER_INLINE void jager_set_anchor(jager_contact *c, jager_sum ft)
{
  c->ft_under[0] = ft.high.x;
  c->ft_under[1] = ft.high.y;
  c->ft_under_low[0] = ft.low.x;
  c->ft_under_low[1] = ft.low.y;
}

static JAGER_INLINE void jager_set_under(jager_contact *c, vec2 p, double zeta, double fn)
{
  c->p_under[0] = p.x;
  c->p_under[1] = p.y;
  c->zeta_under = zeta;
  c->fn_under = fn;
}

/* The top segment gets a new start. */
static JAGER_INLINE void jager_set_base(jager_contact *c, double zeta, double fn)
{
  c->zeta_base = zeta;
  c->fn_base = fn;
}

/* The top segment gets a new end and slope. */
static JAGER_INLINE void jager_set_top(jager_contact *c, double zeta, double fn, vec2 p)
{
  c->zeta = zeta;
  c->fn = fn;
  c->p[0] = p.x;
  c->p[1] = p.y;
}

/* Takes the topmost entry off its node, and its slope with it. */
static JAGER_INLINE vec2 jager_pop(jager_pool *pool, jager_contact *c)
{
  jager_node *node = c->node;
  vec2 p = node->entry[c->fill - 1].p;
  if (--c->fill == 0) {
    c->node = node->below;
    c->fill = c->node ? JAGER_NODE_ENTRIES : 0;
    jager_pool_give(pool, node);
  }
  return p;
}

static JAGER_INLINE bool jager_push(jager_pool *pool, jager_contact *c, jager_entry entry)
{
  if (!c->node || c->fill == JAGER_NODE_ENTRIES) {
    if (!jager_pool_reserve(pool, 1))
      return false;
    jager_node *node = jager_pool_take(pool);
    node->below = c->node;
    c->node = node;
    c->fill = 0;
  }
  c->node->entry[c->fill++] = entry;
  return true;
}

/* Drops the segment under the top: the top starts where that one did. */
static JAGER_INLINE void jager_drop_under(const jager_law *law, jager_pool *pool, jager_contact *c)
{
  double fn_base = c->fn_under;
  jager_set_base(c, c->zeta_under, fn_base);
  if (--c->length == 2) {
    c->p_under[0] = c->p_under[1] = 0.0;
    return; /* the start and Ft there are zero already */
  }
  vec2 p = jager_pop(pool, c);
  if (!c->node) {
    jager_set_under(c, p, 0.0, 0.0);
    jager_set_anchor(c, (jager_sum){{0.0, 0.0}, {0.0, 0.0}});
    return;
  }
  double zeta = c->node->entry[c->fill - 1].zeta, fn = jager_normal_force(law, c->stiffness, zeta);
  jager_sum ft = jager_anchor(c);
  jager_sum_add(&ft, -(fn_base - fn), p);
  jager_set_under(c, p, zeta, fn);
  jager_set_anchor(c, ft);
}

/* The top, up to the cut, comes to lie under a new one, which starts there. */
static JAGER_INLINE bool jager_cover_top(jager_pool *pool, jager_contact *c, double zeta_cut, double fn_cut)
{
  vec2 p_under = jager_vec2(c->p_under);
  if (c->length > 2 && !jager_push(pool, c, (jager_entry){c->zeta_base, p_under}))
    return false;
  jager_sum ft = jager_anchor(c);
  jager_sum_add(&ft, c->fn_base - c->fn_under, p_under);
  jager_set_anchor(c, ft);
  jager_set_under(c, jager_vec2(c->p), c->zeta_base, c->fn_base);
  jager_set_base(c, zeta_cut, fn_cut);
  c->length++;
  return true;
}

/* ---- The walk -------------------------------------------------------------------------------------------------- */

enum jager_space { JAGER_IN_MOVEMENTS, JAGER_IN_FORCES };

/* s of the derivation above: where, counted from its base, a segment enters the cone that its base is inside of. */
static JAGER_INLINE double jager_entry_into_cone(vec2 p, double f, double depth, vec2 v_base)
{
  double A = f * f * depth * depth - jager_dot(v_base, v_base);
  double B = f * f * depth - jager_dot(v_base, p);
  double c = f * f - jager_dot(p, p);
  return A / (B + sqrt(jager_max(0.0, B * B - c * A)));
}

static JAGER_INLINE bool jager_is_inside(double f, double depth, vec2 v)
{
  return depth > 0.0 && jager_dot(v, v) < f * f * depth * depth;
}

/*
 * Slip to (ζ, Fn): walks down from the top to where the path enters the cone of the target. v is what is to be covered
 * sideways: Δξ/κ in the plane of movements, ΔFt in that of forces. Springs that engage above zeta_slip slip.
 */
static JAGER_INLINE bool jager_slip(const jager_law *law, jager_pool *pool, jager_contact *c, double zeta, double fn,
                                    vec2 v, enum jager_space space, double *zeta_slip)
{
  const double f = law->friction, stiffness = c->stiffness;
  const bool forces = space == JAGER_IN_FORCES;
  const double target = forces ? fn : zeta;
  double end = forces ? c->fn : c->zeta, base = forces ? c->fn_base : c->zeta_base;
  vec2 p = jager_vec2(c->p), v_base = jager_along(v, end - base, p);
  bool under = false; /* is it the segment under the top that is looked at? */

  while (!jager_is_inside(f, target - base, v_base)) {
    if (under)
      jager_drop_under(law, pool, c);
    if (c->length == 2) { /* the path never enters the cone: gross sliding */
      *zeta_slip = 0.0;
      jager_set_top(c, zeta, fn, jager_with_length(v_base, f));
      c->state = JAGER_SLIDE;
      return true;
    }
    under = true;
    end = base;
    base = forces ? c->fn_under : c->zeta_under;
    p = jager_vec2(c->p_under);
    v = v_base;
    v_base = jager_along(v, end - base, p);
  }
  double cut = jager_min(base + jager_entry_into_cone(p, f, target - base, v_base), end);
  double zeta_cut = forces ? jager_zeta_at(law, stiffness, cut) : cut;
  double zeta_base = under ? c->zeta_under : c->zeta_base;
  vec2 p_new;
  *zeta_slip = zeta_cut;
  if (zeta_cut >= zeta || zeta_cut <= zeta_base) {
    /* straight back along the segment, which becomes shorter; or the cut is rounded onto the base */
    p_new = zeta_cut >= zeta ? p : jager_with_length(v_base, f);
    if (under)
      jager_drop_under(law, pool, c);
  } else {
    double fn_cut = jager_normal_force(law, stiffness, zeta_cut);
    p_new = jager_with_length(jager_along(v, end - cut, p), f);
    if (under)
      jager_set_base(c, zeta_cut, fn_cut);
    else if (!jager_cover_top(pool, c, zeta_cut, fn_cut))
      return false;
  }
  jager_set_top(c, zeta, fn, p_new);
  c->state = JAGER_SLIP;
  return true;
}

/* Two segments may be made one: if just the same, at no loss; if the user allows it, when elastic and nearly the same. */
static JAGER_INLINE bool jager_may_merge(const jager_law *law, vec2 p, vec2 q)
{
  if (p.x == q.x && p.y == q.y)
    return true;
  if (!(law->dp_max > 0.0) || jager_slope_is_slip(p, law->friction) || jager_slope_is_slip(q, law->friction))
    return false;
  vec2 difference = jager_along(p, -1.0, q);
  return jager_dot(difference, difference) <= law->dp_max * law->dp_max;
}

/* Slope of two segments in one: the mean, weighted with ΔFn so that Ft stays. */
static JAGER_INLINE vec2 jager_mean_slope(double fn_start, vec2 lower, double fn_middle, vec2 upper, double fn_end)
{
  double weight = (fn_end - fn_middle) / (fn_end - fn_start);
  return jager_along(lower, weight, jager_along(upper, -1.0, lower));
}

/* Elastic: a straight segment of slope p on the old top, merged with those below as far as may be [lines 72-81]. */
static JAGER_INLINE bool jager_climb(const jager_law *law, jager_pool *pool, jager_contact *c, double zeta, double fn,
                                     vec2 p)
{
  if (jager_may_merge(law, jager_vec2(c->p), p)) {
    p = jager_mean_slope(c->fn_base, jager_vec2(c->p), c->fn, p, fn);
    while (c->length > 2 && jager_may_merge(law, jager_vec2(c->p_under), p)) {
      p = jager_mean_slope(c->fn_under, jager_vec2(c->p_under), c->fn_base, p, fn);
      jager_drop_under(law, pool, c);
    }
  } else if (!jager_cover_top(pool, c, c->zeta, c->fn)) {
    return false;
  }
  jager_set_top(c, zeta, fn, p);
  c->state = JAGER_ELASTIC;
  return true;
}

/* First touch: one segment from 0, elastic or sliding */
static JAGER_INLINE void jager_touch(const jager_law *law, jager_contact *c, double zeta, double fn, double rise,
                                     vec2 v, double *zeta_slip)
{
  double reach = law->friction * rise;
  bool elastic = jager_dot(v, v) < reach * reach;
  *zeta_slip = elastic ? zeta : 0.0;
  c->length = 2;
  c->state = elastic ? JAGER_ELASTIC : JAGER_SLIDE;
  jager_set_top(c, zeta, fn, elastic ? (vec2){v.x / rise, v.y / rise} : jager_with_length(v, law->friction));
}

/* One step to (ζ, Fn), ζ > 0, and by v sideways. False: no memory, and nothing has changed. */
static JAGER_INLINE bool jager_step_to(const jager_law *law, jager_pool *pool, jager_contact *c, double zeta, double fn,
                                       vec2 v, enum jager_space space, double *zeta_slip)
{
  if (!(c->zeta > 0.0)) {
    jager_touch(law, c, zeta, fn, space == JAGER_IN_FORCES ? fn : zeta, v, zeta_slip);
    return true;
  }
  double rise = space == JAGER_IN_FORCES ? fn - c->fn : zeta - c->zeta;
  double reach = law->friction * rise;
  if (!(rise > 0.0 && jager_dot(v, v) < reach * reach))
    return jager_slip(law, pool, c, zeta, fn, v, space, zeta_slip);
  *zeta_slip = zeta;
  return jager_climb(law, pool, c, zeta, fn, (vec2){v.x / rise, v.y / rise});
}

#endif
