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
 * inside the cone. The equation for the cut is solved only then, and measured down from the target: with v the way
 * sideways from the segment's line, prolonged to the height of T, to T itself (the paper's Δe'), and x = ζ - ζ*,
 *
 *     |v + p x| = f x,     or   c x² - 2 (v·p) x - |v|² = 0,   c = f² - |p|² >= 0,
 *     x = |v|² / (r - v·p)   if v·p <= 0,   else   (r + v·p) / c,      r = √((v·p)² + c|v|²).
 *
 * Nothing cancels in either form, so that the path closes on T to rounding of f x even when the cut is close by. Where
 * c vanishes (a slip segment, the paper's eq. Zetas2) the second form may run away, but the base is known to be inside:
 * then x ends there. The paper's test |p| = f ± ε and its rule "the old cone simply expands" are what the test at the
 * base finds by itself.
 *
 * The cut is a number among a finite set, and a slow steady slip would be rounded the same way in each step; so what the
 * new path misses T by, some ε f ζ, is kept, with what the sums on the way have lost, and taken along by the next
 * movement: the error does not add up.
 *
 * The history changes in place. Only a push can fail, for want of memory, and a walk that pushes has dropped nothing
 * before: so a failure leaves the contact as it was.
 */
#ifndef JAGER_WALK_H
#define JAGER_WALK_H

#include "internal.h"

#include <string.h>

/* ---- Segments: the top one, the one under it, and the rest in nodes --------------------------------------------- */

/* A force with what rounding took from it: adding and later subtracting the same share leaves nothing behind. */
typedef struct jager_sum {
  vec2 high, low;
} jager_sum;

/* What rounding took from sum = a + b: Knuth's two-sum */
static JAGER_INLINE double jager_lost_one(double a, double b, double sum)
{
  double of_b = sum - a;
  return (a - (sum - of_b)) + (b - of_b);
}

static JAGER_INLINE void jager_sum_add_one(double *high, double *low, double term)
{
  double sum = *high + term;
  double rest = *low + jager_lost_one(*high, term, sum);
  *high = sum + rest;
  *low = rest - (*high - sum);
}

/* sum + scale * p */
static JAGER_INLINE void jager_sum_add(jager_sum *sum, double scale, vec2 p)
{
  jager_sum_add_one(&sum->high.x, &sum->low.x, scale * p.x);
  jager_sum_add_one(&sum->high.y, &sum->low.y, scale * p.y);
}

/* Of what rounding took from a force the first digits do, but at any size: half of a double's bits has its exponent. */
static JAGER_INLINE uint32_t jager_half(double value)
{
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return (uint32_t)(bits >> 32);
}

static JAGER_INLINE double jager_whole(uint32_t half)
{
  uint64_t bits = (uint64_t)half << 32;
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

/*
 * The top segment and the one under it lie in the contact. Most slips drop the top, cut the segment under it and put a
 * new top on: they touch nothing else, no node and no sum. Ft is anchored at the start of the segment under the top; it
 * changes only when a segment comes to lie there or leaves, by just the same share, so it never drifts. What it has
 * lost to rounding is a share of the largest force since; so when the force there falls below a power of 2^16, it is
 * summed up anew.
 */
static JAGER_INLINE jager_sum jager_anchor(const jager_contact *c)
{
  return (jager_sum){jager_vec2(c->ft_under), {jager_whole(c->ft_under_low[0]), jager_whole(c->ft_under_low[1])}};
}

static JAGER_INLINE void jager_set_anchor(jager_contact *c, jager_sum ft)
{
  c->ft_under[0] = ft.high.x;
  c->ft_under[1] = ft.high.y;
  c->ft_under_low[0] = jager_half(ft.low.x);
  c->ft_under_low[1] = jager_half(ft.low.y);
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

/* The top segment gets a new end and slope. `rest`: see jager_contact. */
static JAGER_INLINE void jager_set_top(jager_contact *c, double zeta, double fn, vec2 p, vec2 rest)
{
  c->rest[0] = rest.x;
  c->rest[1] = rest.y;
  c->zeta = zeta;
  c->fn = fn;
  c->p[0] = p.x;
  c->p[1] = p.y;
}

/* Rises by one with each factor of 2^16. */
static JAGER_INLINE uint8_t jager_scale_of(double fn)
{
  uint64_t bits;
  memcpy(&bits, &fn, sizeof bits);
  return (uint8_t)(bits >> 56);
}

/* Sums the anchor up from the history below it. */
void jager_sum_anchor(const jager_law *law, jager_contact *c);

/* Of the tolerance: up to the start of the segment under the top */
static JAGER_INLINE uint32_t jager_spent_below(const jager_contact *c)
{
  return c->node ? c->node->spent[c->fill - 1] : 0;
}

/* Drops the segment under the top: the top starts where that one did. */
static JAGER_INLINE void jager_drop_under(const jager_law *law, jager_pool *pool, jager_contact *c)
{
  double fn_base = c->fn_under;
  jager_set_base(c, c->zeta_under, fn_base);
  c->spent_under = jager_spent_below(c);
  c->fresh = (uint8_t)(c->fresh - (c->fresh > 0));
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
  if (jager_scale_of(fn) < jager_scale_of(fn_base))
    jager_sum_anchor(law, c);
}

/* The top, up to the cut, comes to lie under a new one, which starts there. */
static JAGER_INLINE bool jager_cover_top(jager_pool *pool, jager_contact *c, double zeta_cut, double fn_cut)
{
  vec2 p_under = jager_vec2(c->p_under);
  if (c->length > 2 && !jager_push(pool, c, (jager_entry){c->zeta_base, p_under}, c->spent_under))
    return false;
  jager_sum ft = jager_anchor(c);
  jager_sum_add(&ft, c->fn_base - c->fn_under, p_under);
  jager_set_anchor(c, ft);
  jager_set_under(c, jager_vec2(c->p), c->zeta_base, c->fn_base);
  jager_set_base(c, zeta_cut, fn_cut);
  c->spent_under = c->spent;
  c->fresh = (uint8_t)(c->fresh + (c->fresh < UINT8_MAX));
  c->length++;
  return true;
}

/* ---- Histories kept short -------------------------------------------------------------------------------------- */

/*
 * A tolerance τ > 0 lets the path differ from the exact one, by δ(z). Then Ft is off by |∫ δ Fn" dz|, and by no more than
 * ∫ |δ| Fn" dz, which movements along a line cannot enlarge (docs/theory.md). `spent` bounds this integral up to a
 * segment's end: a force; a segment's share is by how much it grows over the segment. Paths are only simplified where it stays
 * below τ f Fn, at the start of what is simplified and at that of all segments above that have spent something. So Ft is
 * never off by more than τ f Fn, now and after any unloading.
 */

/* Forces spent are kept as halves of doubles, rounded up. */
static JAGER_INLINE uint32_t jager_half_above(double value)
{
  uint32_t half = jager_half(value);
  return half + (jager_whole(half) < value);
}

/* Fn"(ζ), ζ > 0; it falls with ζ, or is constant */
static JAGER_INLINE double jager_normal_bend(const jager_law *law, double zeta, double fn)
{
  double alpha = law->exponent;
  return (alpha + 1.0) / (alpha * alpha) * (fn / zeta / zeta);
}

#define JAGER_JOIN_SHARE 0.02

/*
 * The top segment up to z1, where the normal force is fn1, and one of slope *p from there to z2 are made one: δ gets a tent of
 * height h over z1. The top may spend a small part of what the tolerance leaves: more is for segments that stay.
 */
static JAGER_INLINE bool jager_join_top(const jager_law *law, jager_contact *c, double z1, double fn1, double z2,
                                        vec2 *p)
{
  vec2 lower = jager_vec2(c->p), bend = jager_along(*p, -1.0, lower);
  if (bend.x == 0.0 && bend.y == 0.0) /* it only goes on straight */
    return true;
  if (c->length == 2 || !(c->fn_base > 0.0)) /* nothing may be spent at ζ = 0 */
    return false;
  double z0 = c->zeta_base, rise = z1 - z0, run = z2 - z1, both = z2 - z0;
  double h = sqrt(jager_dot(bend, bend)) * rise * run / both;
  double tent = 0.5 * h * (jager_normal_bend(law, z0, c->fn_base) * rise + jager_normal_bend(law, z1, fn1) * run);
  double before = jager_whole(c->spent_under), sum = jager_whole(c->spent) + tent;
  if (!(sum - before <= JAGER_JOIN_SHARE * (law->tolerance * law->friction * c->fn_base - before)))
    return false;
  c->spent = jager_half_above(sum);
  *p = jager_along(lower, run / both, bend);
  return true;
}

/*
 * Of the path above a point that is outside the cone, and at the distance `gap` from it, no part comes nearer to the cone:
 * where that takes its place, |δ| falls by as much. Let a bound ∫ |δ| Fn" dz from there to the path's end, where δ is zero.
 * As slopes are f at most, |δ| rises and falls by no more than 2f a unit of z: of all such δ with the same integral, a
 * narrow peak keeps most, (√a - gap √(Fn"/4f))². Fn"/4f, least at the end, is Fn there times jager_peak_factor, over ζ².
 */
static JAGER_INLINE double jager_peak_factor(const jager_law *law)
{
  return (law->exponent + 1.0) / (4.0 * law->exponent * law->exponent * law->friction);
}

/* The path ends at (ζ, Fn); v leads from the point to the target, `depth` above. */
static JAGER_INLINE double jager_carry(double factor, double f, double a, double zeta, double fn, vec2 v, double depth)
{
  double gap = sqrt(jager_dot(v, v)) - f * depth, root = sqrt(a) - jager_max(gap, 0.0) * (sqrt(factor * fn) / zeta);
  double left = root > 0.0 ? jager_min(root * root, a) : 0.0;
  return a > 0.0 ? left : 0.0;
}

/* The new top lies on what is left of a segment: that one keeps its share, and the top takes what others have left. */
static JAGER_INLINE void jager_take_over(jager_contact *c, uint32_t spent, double carried)
{
  c->spent = carried > 0.0 ? jager_half_above(jager_whole(spent) + carried) : spent;
}

/* Points by which a history grows before it is simplified, its length from which on that is worth while, and how many
   of the topmost segments are looked at */
enum { JAGER_FRESH_MAX = 14, JAGER_LENGTH_SHORT = 12, JAGER_WINDOW = 32 };

/* Simplifies the upper end of the history, as far as the tolerance allows. */
void jager_shorten(const jager_law *law, jager_pool *pool, jager_contact *c);

static JAGER_INLINE void jager_keep_short(const jager_law *law, jager_pool *pool, jager_contact *c)
{
  if (c->fresh >= JAGER_FRESH_MAX && c->length > JAGER_LENGTH_SHORT && law->tolerance > 0.0)
    jager_shorten(law, pool, c);
}

/* ---- The walk -------------------------------------------------------------------------------------------------- */

enum jager_space { JAGER_IN_MOVEMENTS, JAGER_IN_FORCES };

/* x of the derivation above: how far below the target a segment enters its cone. May be infinite. */
static JAGER_INLINE double jager_entry_into_cone(vec2 p, double f, vec2 v)
{
  double v_square = jager_dot(v, v), vp = jager_dot(v, p), c = f * f - jager_dot(p, p);
  double root = sqrt(jager_max(0.0, vp * vp + c * v_square));
  double numerator = vp <= 0.0 ? v_square : root + vp;
  double denominator = vp <= 0.0 ? root - vp : c;
  return v_square > 0.0 ? numerator / denominator : 0.0;
}

static JAGER_INLINE bool jager_is_inside(double f, double depth, vec2 v)
{
  return depth > 0.0 && jager_dot(v, v) < f * f * depth * depth;
}

/* What rounding took from sum = a + s b */
static JAGER_INLINE vec2 jager_lost(vec2 a, double s, vec2 b, vec2 sum)
{
  return (vec2){jager_lost_one(a.x, s * b.x, sum.x), jager_lost_one(a.y, s * b.y, sum.y)};
}

/* Gross sliding: the path is the cone, whatever it was before, and exact again. */
static JAGER_INLINE void jager_slide(jager_contact *c, double zeta, double fn, vec2 p)
{
  jager_set_top(c, zeta, fn, p, (vec2){0.0, 0.0});
  c->spent = 0;
  c->state = JAGER_SLIDE;
}

/* A slip of slope p to ζ that cuts the top: it comes to lie on what is left of it, or both become one, if they may. */
static JAGER_INLINE bool jager_cut_top(const jager_law *law, jager_pool *pool, jager_contact *c, double zeta,
                                       double zeta_cut, double fn_cut, vec2 *p, enum jager_space space)
{
  if (space == JAGER_IN_MOVEMENTS && law->tolerance > 0.0 && jager_join_top(law, c, zeta_cut, fn_cut, zeta, p))
    return true;
  return jager_cover_top(pool, c, zeta_cut, fn_cut);
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
  vec2 lost = {0.0, 0.0}; /* what rounding took from v */
  vec2 p = jager_vec2(c->p), v_base = jager_along(v, end - base, p);
  bool under = false;                  /* is it the segment under the top that is looked at? */
  double dropped = 0.0, carried = 0.0; /* what dropped segments have spent, and what they leave of it */

  while (!jager_is_inside(f, target - base, v_base)) {
    if (c->spent > 0) {
      double a = under ? jager_whole(c->spent_under) - jager_whole(jager_spent_below(c))
                       : jager_whole(c->spent) - jager_whole(c->spent_under);
      dropped += a;
      carried += a;
      if (carried > 0.0 && !forces && law->tolerance > 0.0) {
        double left = jager_carry(jager_peak_factor(law), f, dropped, c->zeta, c->fn, v_base, target - base);
        carried = jager_min(carried, left);
      }
    }
    if (under)
      jager_drop_under(law, pool, c);
    if (c->length == 2) { /* the path never enters the cone: gross sliding */
      *zeta_slip = 0.0;
      jager_slide(c, zeta, fn, jager_with_length(v_base, f));
      return true;
    }
    under = true;
    lost = jager_along(lost, 1.0, jager_lost(v, end - base, p, v_base));
    end = base;
    base = forces ? c->fn_under : c->zeta_under;
    p = jager_vec2(c->p_under);
    v = v_base;
    v_base = jager_along(v, end - base, p);
  }
  vec2 v_level = jager_along(v, end - target, p);
  double x = jager_entry_into_cone(p, f, v_level);
  x = x >= 0.0 ? jager_min(jager_max(x, target - end), target - base) : target - base;
  double cut = target - x;
  double zeta_cut = forces ? jager_zeta_at(law, stiffness, cut) : cut;
  double zeta_base = under ? c->zeta_under : c->zeta_base;
  double fn_cut = 0.0, x_way = target - base; /* x_way, way: from the cut to the target, up and sideways */
  vec2 way = v_base, p_new, rest = {0.0, 0.0};
  *zeta_slip = zeta_cut;
  const bool back = zeta_cut >= zeta;               /* straight back along the segment, which becomes shorter */
  const bool whole = back || zeta_cut <= zeta_base; /* or the cut is rounded onto the base: no part is left */
  if (back) {
    x_way = 0.0;
    way = v_level;
  } else if (!whole) {
    fn_cut = jager_normal_force(law, stiffness, zeta_cut);
    x_way = target - cut; /* x but for rounding */
    way = jager_along(v, end - cut, p);
  }
  if (!back)
    lost = jager_along(lost, 1.0, jager_lost(v, end - (whole ? base : cut), p, way));
  p_new = back ? p : jager_with_length(way, f);
  if (!forces)
    rest = jager_along(lost, 1.0, jager_along(way, -x_way, p_new));
  const uint32_t spent = c->spent_under; /* if it is the segment under the top that is cut */
  if (whole) {
    if (under)
      jager_drop_under(law, pool, c);
  } else if (under) {
    jager_set_base(c, zeta_cut, fn_cut);
  } else if (!jager_cut_top(law, pool, c, zeta, zeta_cut, fn_cut, &p_new, space)) {
    return false;
  }
  if (under)
    jager_take_over(c, spent, carried);
  jager_set_top(c, zeta, fn, p_new, rest);
  c->state = JAGER_SLIP;
  if (!under && !forces)
    jager_keep_short(law, pool, c);
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
  if (!(fn_end > fn_start)) /* ζ has risen by an ulp or so, and Fn not at all */
    return upper;
  double weight = (fn_end - fn_middle) / (fn_end - fn_start);
  return jager_along(lower, weight, jager_along(upper, -1.0, lower));
}

/* A segment of slope *p on the top and the top are made one, and then with those below, as far as may be [lines 72-81]. */
static JAGER_INLINE bool jager_merge_top(const jager_law *law, jager_pool *pool, jager_contact *c, double fn, vec2 *p)
{
  if (!jager_may_merge(law, jager_vec2(c->p), *p))
    return false;
  *p = jager_mean_slope(c->fn_base, jager_vec2(c->p), c->fn, *p, fn);
  while (c->length > 2 && jager_may_merge(law, jager_vec2(c->p_under), *p)) {
    *p = jager_mean_slope(c->fn_under, jager_vec2(c->p_under), c->fn_base, *p, fn);
    jager_drop_under(law, pool, c);
  }
  return true;
}

/* Elastic: a straight segment of slope p on the old top, or one with it. */
static JAGER_INLINE bool jager_climb(const jager_law *law, jager_pool *pool, jager_contact *c, double zeta, double fn,
                                     vec2 p, enum jager_space space)
{
  const bool tolerant = space == JAGER_IN_MOVEMENTS && law->tolerance > 0.0;
  bool joined = tolerant ? jager_join_top(law, c, c->zeta, c->fn, zeta, &p) : jager_merge_top(law, pool, c, fn, &p);
  if (!joined && !jager_cover_top(pool, c, c->zeta, c->fn))
    return false;
  jager_set_top(c, zeta, fn, p, (vec2){0.0, 0.0});
  c->state = JAGER_ELASTIC;
  if (tolerant)
    jager_keep_short(law, pool, c);
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
  c->spent = c->spent_under = 0;
  c->fresh = 0;
  c->state = elastic ? JAGER_ELASTIC : JAGER_SLIDE;
  jager_set_top(c, zeta, fn, elastic ? (vec2){v.x / rise, v.y / rise} : jager_with_length(v, law->friction),
                (vec2){0.0, 0.0});
}

/* A contact that touches steps on to (ζ, Fn), ζ > 0, and by v sideways. False: no memory, and nothing has changed. */
static JAGER_INLINE bool jager_step_on(const jager_law *law, jager_pool *pool, jager_contact *c, double zeta, double fn,
                                       vec2 v, enum jager_space space, double *zeta_slip)
{
  double rise = space == JAGER_IN_FORCES ? fn - c->fn : zeta - c->zeta;
  double reach = law->friction * rise;
  if (!(rise > 0.0 && jager_dot(v, v) < reach * reach))
    return jager_slip(law, pool, c, zeta, fn, v, space, zeta_slip);
  *zeta_slip = zeta;
  return jager_climb(law, pool, c, zeta, fn, (vec2){v.x / rise, v.y / rise}, space);
}

/* ---- What a step may change ------------------------------------------------------------------------------------ */

/* Fn or ζ at a point of the history */
static JAGER_INLINE double jager_height(const jager_law *law, const jager_contact *c, double zeta,
                                        enum jager_space space)
{
  return space == JAGER_IN_FORCES ? jager_normal_force(law, c->stiffness, zeta) : zeta;
}

/* Segments that jager_merge_top makes one with a new one of slope p */
static inline uint32_t jager_segments_merged(const jager_law *law, const jager_contact *c, double fn, vec2 p)
{
  uint32_t count = 0;
  double fn_end = c->fn;
  for (jager_cursor at = jager_cursor_top(c); jager_may_merge(law, at.p, p); jager_cursor_descend(&at)) {
    double fn_start = jager_normal_force(law, c->stiffness, at.zeta_base);
    p = jager_mean_slope(fn_start, at.p, fn_end, p, fn);
    fn_end = fn_start;
    count++;
    if (jager_cursor_at_bottom(&at))
      break;
  }
  return count;
}

/* Segments that jager_slip drops or cuts */
static inline uint32_t jager_segments_slipping(const jager_law *law, const jager_contact *c, double target, vec2 v,
                                               enum jager_space space)
{
  jager_cursor at = jager_cursor_top(c);
  double end = jager_height(law, c, c->zeta, space);
  for (uint32_t count = 1;; count++, jager_cursor_descend(&at)) {
    double base = jager_height(law, c, at.zeta_base, space);
    v = jager_along(v, end - base, at.p);
    if (jager_is_inside(law->friction, target - base, v) || jager_cursor_at_bottom(&at))
      return count;
    end = base;
  }
}

/*
 * How many of the topmost segments the step (see jager_step_on) may change. Found by the same operations as those of
 * the step itself; a copy of as many segments has some to spare (jager_trial_begin).
 */
static inline uint32_t jager_segments_at_stake(const jager_law *law, const jager_contact *c, double zeta, double fn,
                                               vec2 v, enum jager_space space)
{
  if (!(zeta > 0.0) || !(c->zeta > 0.0)) /* they part or touch: all there is */
    return c->length;
  const bool forces = space == JAGER_IN_FORCES;
  double rise = forces ? fn - c->fn : zeta - c->zeta, reach = law->friction * rise;
  uint32_t shortened = law->tolerance > 0.0 && !forces ? JAGER_WINDOW : 1, count;
  if (rise > 0.0 && jager_dot(v, v) < reach * reach)
    count = jager_segments_merged(law, c, fn, (vec2){v.x / rise, v.y / rise});
  else
    count = jager_segments_slipping(law, c, forces ? fn : zeta, v, space);
  return count > shortened ? count : shortened;
}

/* ---- What movements of one contact and of many share ------------------------------------------------------------ */

/* Why a movement cannot be made, or JAGER_OK */
static JAGER_INLINE jager_status jager_check_movement(const jager_law *law, const jager_pool *pool,
                                                      const jager_contact *contact, double zeta, const double dxi[2])
{
  if (!law || !pool || !contact || !dxi)
    return JAGER_ERROR_NULL;
  if ((int)law->model != (int)contact->model)
    return JAGER_ERROR_MODEL;
  if (!(law->friction >= 0.0 && law->friction <= JAGER_FRICTION_MAX))
    return JAGER_ERROR_FRICTION;
  if (fabs(zeta) <= JAGER_ZETA_MAX && fabs(dxi[0]) <= JAGER_XI_MAX && fabs(dxi[1]) <= JAGER_XI_MAX)
    return JAGER_OK;
  return isfinite(zeta) && isfinite(dxi[0]) && isfinite(dxi[1]) ? JAGER_ERROR_TOO_LARGE : JAGER_ERROR_NOT_FINITE;
}

/* The movement that nearly all are: of numbers in range, of a touching "jager" contact, friction as before. */
static JAGER_INLINE bool jager_is_common(const jager_law *law, const jager_contact *contact, double zeta,
                                         const double dxi[2])
{
  double size = fabs(zeta) * (JAGER_XI_MAX / JAGER_ZETA_MAX) + fabs(dxi[0]) + fabs(dxi[1]);
  return law->model == JAGER_MODEL_JAGER && contact->model == JAGER_MODEL_JAGER && size <= JAGER_XI_MAX && zeta > 0.0 &&
         contact->zeta > 0.0 && law->friction == contact->friction;
}

static JAGER_INLINE jager_force jager_force_of(const jager_contact *contact)
{
  double rise = contact->fn - contact->fn_base, rise_under = contact->fn_base - contact->fn_under;
  jager_force force = {.fn = contact->fn};
  for (int i = 0; i < 2; i++)
    force.ft[i] = contact->ft_under[i] +
                  (jager_whole(contact->ft_under_low[i]) + (contact->p_under[i] * rise_under + contact->p[i] * rise));
  return force;
}

#endif
