/* SPDX-License-Identifier: MIT */
/*
 * One step of the Jäger contact: the algorithm of M. R. Kuhn, "Implementation of the Jäger contact model for discrete
 * element simulations". Numbers in brackets are lines of the paper's listing. Its symbols: ζ (zeta) and ξ (xi) are half
 * the approach and half the tangential shift of the two bodies, κ the ratio of normal to tangential stiffness, f the
 * friction coefficient, Fn and Ft the forces; * marks a point of the history.
 *
 * The history is a path E(z) = ∫ p* dz, z from 0 to ζ: straight segments with slopes p*, |p*| <= f. E is a tangential
 * half-movement over κ. A movement by (Δζ, Δξ) puts a target T = (ζ, E(ζ) + Δξ/κ). From T a cone of slope f opens
 * downward (cone.h). v leads from a point of the path sideways to T, in units of E.
 *
 *   - The top of the path is inside the cone: the step is elastic, and one segment leads straight to T.        [15-18]
 *   - Otherwise the contact slips. Walk down the path to the point where it enters the cone, cut it there, and go to T
 *     along the cone. What was above the cut, the slip annulus, is forgotten.                                  [22-71]
 *   - The path enters the cone nowhere, not even at z = 0: gross sliding.                                      [22-23]
 *
 * A step in the space of forces is the same with Fn in place of ζ and Ft in place of E. Lines 1-14 of the listing
 * (frames, separation, Fn) are not here. Read `step`, near the end, first; what it calls stands above it: the upper end
 * of a history, the two spaces, the tolerance, the path.
 *
 * This is the text that libjager (src/contact/step.h) and jager/compact.h share; only these include it, after cone.h.
 * It has no guard: a file may include it several times, under other names. It does not know where segments are stored.
 * The two topmost, `top` and `second`, are in a contact_data; the others are entries, which the including file defines:
 *
 *     contact_data, jager_law, jager_force, jager_pool     pool: what entries are taken from
 *     entry_push, entry_pop, has_entries                   the stack of entries
 *     entry_cursor, _top, _descend, entry_exists, entry_end, entry_slope, set_entry_slope, entry_error_bound
 *     error_bound_below_second, count_first_point, count_new_point, count_dropped_point
 *     normal_force, zeta_at_force, curvature_factor        Fn(ζ), its inverse, and (α + 1)/α² of the contour
 *     may_merge, shorten_if_due, has_grown_long            when histories are simplified
 *     JAGER_SIZE_IS_FIXED                                  are histories shortened without a tolerance, too?
 *     word, number_high32, number_from_high32              upper 32 bits of a number, in which errors are stored
 *     state_word                                           the type of contact_data.state
 *     force_magnitude                                      rises by one with each factor of 2^16
 *     jager_history_sum_anchor                             sum_anchor, compiled once: it is rarely called
 *     JAGER_ROUNDING_MAX, JAGER_ASSERT                     relative error of some operations, for assertions
 */

/* ==== Numbers ===================================================================================================== */

/* Rounded up, value >= 0: for upper bounds. */
JAGER_FUNCTION word number_high32_above(scalar value)
{
  word high = number_high32(value);
  return high + (number_from_high32(high) < value);
}

JAGER_FUNCTION bool vec2_is_zero(vec2 a)
{
  return a.x == 0 && a.y == 0;
}

/* v scaled to this length; the zero vector stays zero. */
JAGER_FUNCTION vec2 vec2_with_length(vec2 v, scalar length)
{
  scalar square = vec2_dot(v, v);
  if (!square_is_in_range(square)) {
    scalar largest = real_max(real_abs(v.x), real_abs(v.y));
    if (!(largest > 0))
      return vec2_of(0, 0);
    v = vec2_divide(v, largest);
    square = vec2_dot(v, v);
  }
  return vec2_scale_to(v, square, length);
}

JAGER_FUNCTION scalar vec2_length(vec2 v)
{
  scalar square = vec2_dot(v, v);
  if (square_is_in_range(square))
    return real_sqrt(square);
  scalar largest = real_max(real_abs(v.x), real_abs(v.y));
  if (!(largest > 0))
    return 0;
  v = vec2_divide(v, largest);
  return largest * real_sqrt(vec2_dot(v, v));
}

/* ==== The upper end of a history ================================================================================== */

/*
 * The force Ft = Σ p* ΔFn* is anchored at the base of the second segment. The anchor changes only when a segment moves
 * between the contact and the entries, and then by the same term as when it moved the other way; as it is a compensated
 * sum, it does not drift. Its rounding error is relative to the largest force that it has held. Therefore the anchor is
 * summed anew when Fn at the base of the second segment falls below a power of 2^16.
 *
 * The history changes in place. Only a push can fail, for want of memory; a failed push changes nothing.
 */

JAGER_FUNCTION compensated_vec2 anchor_of(const contact_data *c)
{
  compensated_vec2 ft = {c->anchor.ft,
                         {number_from_high32(c->anchor.ft_low[0]), number_from_high32(c->anchor.ft_low[1])}};
  return ft;
}

JAGER_FUNCTION void set_anchor(contact_data *c, compensated_vec2 ft)
{
  c->anchor.ft = ft.high;
  c->anchor.ft_low[0] = number_high32(ft.low.x);
  c->anchor.ft_low[1] = number_high32(ft.low.y);
}

/* Sums the anchor from the segments below it. */
JAGER_FUNCTION void sum_anchor(const jager_law *law, contact_data *c)
{
  compensated_vec2 ft = {{0, 0}, {0, 0}};
  scalar fn = c->second.fn_base;
  for (entry_cursor at = entry_cursor_top(c); entry_exists(at);) {
    vec2 p = entry_slope(at);
    entry_cursor_descend(&at);
    scalar fn_base = normal_force(law, c->stiffness, entry_end(at));
    compensated_vec2_add(&ft, fn - fn_base, p);
    fn = fn_base;
  }
  set_anchor(c, ft);
}

JAGER_FUNCTION void set_top_base(contact_data *c, scalar zeta, scalar fn)
{
  c->top.zeta_base = zeta;
  c->top.fn_base = fn;
}

/* The top segment gets a new end and a new slope. */
JAGER_FUNCTION void set_top(contact_data *c, scalar zeta, scalar fn, vec2 p, vec2 xi_residual)
{
  JAGER_ASSERT(c->top.zeta_base < zeta);
  c->xi_residual = xi_residual;
  c->zeta = zeta;
  c->fn = fn;
  c->top.p = p;
}

/* Drops the second segment: the top starts where the second one did. */
JAGER_FUNCTION void history_drop_second(const jager_law *law, jager_pool *pool, contact_data *c)
{
  JAGER_ASSERT(c->length > 2);
  const scalar fn_base = c->second.fn_base;
  set_top_base(c, c->second.zeta_base, fn_base);
  c->error_bound.second = error_bound_below_second(c);
  count_dropped_point(c);
  if (c->length == 2) {
    c->second.p = vec2_of(0, 0);
    return; /* its base and the anchor are zero already */
  }
  const vec2 p = entry_pop(pool, c);
  if (!has_entries(c)) {
    const history_segment lowest = {p, 0, 0};
    const compensated_vec2 zero = {{0, 0}, {0, 0}};
    c->second = lowest;
    set_anchor(c, zero);
    return;
  }
  const scalar zeta = entry_end(entry_cursor_top(c)), fn = normal_force(law, c->stiffness, zeta);
  compensated_vec2 ft = anchor_of(c);
  compensated_vec2_add(&ft, -(fn_base - fn), p);
  const history_segment second = {p, zeta, fn};
  c->second = second;
  set_anchor(c, ft);
  if (force_magnitude(fn) < force_magnitude(fn_base))
    jager_history_sum_anchor(law, c);
}

/*
 * The top segment, cut at (zeta_cut, fn_cut), becomes the second one, and a new top starts there. set_top must follow.
 * False: out of memory, and nothing has changed.
 */
JAGER_FUNCTION bool history_push(jager_pool *pool, contact_data *c, scalar zeta_cut, scalar fn_cut)
{
  JAGER_ASSERT(c->top.zeta_base < zeta_cut);
  const vec2 second_p = c->second.p;
  if (c->length > 2 && !entry_push(pool, c, c->top.zeta_base, second_p, c->error_bound.second))
    return false;
  compensated_vec2 ft = anchor_of(c);
  compensated_vec2_add(&ft, c->top.fn_base - c->second.fn_base, second_p);
  set_anchor(c, ft);
  c->second = c->top;
  set_top_base(c, zeta_cut, fn_cut);
  c->error_bound.second = c->error_bound.top;
  count_new_point(c);
  return true;
}

/* Ft = Σ p* ΔFn* */
JAGER_FUNCTION jager_force force_of(const contact_data *c)
{
  scalar top_rise = c->fn - c->top.fn_base, second_rise = c->top.fn_base - c->second.fn_base;
  scalar low_x = number_from_high32(c->anchor.ft_low[0]), low_y = number_from_high32(c->anchor.ft_low[1]);
  jager_force force = {c->fn,
                       {force_component(c->anchor.ft.x, low_x, c->second.p.x, second_rise, c->top.p.x, top_rise),
                        force_component(c->anchor.ft.y, low_y, c->second.p.y, second_rise, c->top.p.y, top_rise)}};
  return force;
}

/* ==== The two spaces in which the algorithm runs ================================================================== */

/*
 * The history is a path E(z) with the slopes p*; z is the indentation, and E the tangential half-movement over κ. Read
 * against Fn instead of z, the same path is Ft: Ft = Σ p* ΔFn*. So the algorithm finds the force of a movement in the
 * space (z, E), and the movement of a force in the space (Fn, Ft). The height, the first coordinate, is ζ or Fn; the
 * second coordinate is E or Ft.
 */

enum space { SPACE_MOVEMENT, SPACE_FORCE };

/* Where a step ends: the point T */
typedef struct step_target {
  scalar zeta, fn; /* of the target, ζ > 0 */
  vec2 v;          /* from the top of the history sideways to T: Δξ/κ, or ΔFt */
  enum space space;
} step_target;

/* The height of a point (ζ*, Fn*) */
JAGER_FUNCTION scalar space_height(enum space space, scalar zeta, scalar fn)
{
  return space == SPACE_FORCE ? fn : zeta;
}

/* The same, where Fn* is not at hand */
JAGER_FUNCTION scalar space_height_at(const jager_law *law, const contact_data *c, enum space space, scalar zeta)
{
  return space == SPACE_FORCE ? normal_force(law, c->stiffness, zeta) : zeta;
}

JAGER_FUNCTION scalar target_height(step_target t)
{
  return space_height(t.space, t.zeta, t.fn);
}

/* How far the target lies above the top of the history */
JAGER_FUNCTION scalar target_rise(const contact_data *c, step_target t)
{
  return target_height(t) - space_height(t.space, c->zeta, c->fn);
}

/* The ζ* of a height */
JAGER_FUNCTION scalar space_zeta(const jager_law *law, const contact_data *c, enum space space, scalar height)
{
  return space == SPACE_FORCE ? zeta_at_force(law, c->stiffness, height) : height;
}

/* The target of a movement to ζ > 0 and by e = Δξ/κ */
JAGER_FUNCTION step_target movement_target(const jager_law *law, const contact_data *c, scalar zeta, vec2 e)
{
  scalar fn = normal_force(law, c->stiffness, zeta);
  step_target t = {zeta, fn, vec2_add(e, c->xi_residual), SPACE_MOVEMENT};
  return t;
}

/* ==== The tolerance =============================================================================================== */

/*
 * A tolerance τ > 0 lets the path differ from the exact one by δ(z). Then Ft is wrong by |∫ δ Fn" dz|, at most by ∫ |δ|
 * Fn" dz, which movements along a line cannot increase (docs/theory.md). The error bound of a segment is an upper bound
 * of this integral from 0 to the end of the segment: a force. By how much it grows over a segment is the segment's
 * share. The path is simplified only where the bound stays below τ f Fn, with Fn taken at the base of the simplified
 * segment and at the bases of all segments above it that have a share. So the error of Ft is at most τ f Fn, now and
 * after any unloading.
 */

/* ---- Two segments made one --------------------------------------------------------------------------------------- */

/*
 * Joins the top segment, cut at (zeta_cut, fn_cut), and a segment of slope *p from there to zeta_end into one, if the
 * tolerance allows: *p becomes the slope of both.
 */
JAGER_FUNCTION bool join_top(const jager_law *law, contact_data *c, scalar zeta_cut, scalar fn_cut, scalar zeta_end,
                             vec2 *p)
{
  vec2 lower = c->top.p, bend = vec2_subtract(*p, lower);
  if (vec2_is_zero(bend)) /* the top segment only grows */
    return true;
  if (c->length == 2 || !(c->top.fn_base > 0)) /* at ζ = 0 the tolerance is zero */
    return false;
  tent t = tent_of(curvature_factor(law), bend, c->top.zeta_base, c->top.fn_base, zeta_cut, fn_cut, zeta_end);
  scalar below = number_from_high32(c->error_bound.second), bound = number_from_high32(c->error_bound.top) + t.cost;
  if (!tent_is_allowed(law->tolerance * law->friction, c->top.fn_base, below, bound))
    return false;
  c->error_bound.top = number_high32_above(bound);
  *p = vec2_add_scaled(lower, t.weight, bend);
  return true;
}

/* ---- The bounds of dropped segments ------------------------------------------------------------------------------ */

JAGER_FUNCTION scalar slip_factor(const jager_law *law)
{
  return slip_factor_of(law->exponent, law->friction);
}

/* Shares of the top and of the second segment */
JAGER_FUNCTION scalar top_share(const contact_data *c)
{
  return number_from_high32(c->error_bound.top) - number_from_high32(c->error_bound.second);
}

JAGER_FUNCTION scalar second_share(const contact_data *c)
{
  return number_from_high32(c->error_bound.second) - number_from_high32(error_bound_below_second(c));
}

/* The shares of the segments that a step has dropped, and how much of them the slip leaves */
typedef struct dropped_shares {
  scalar sum, left;
} dropped_shares;

/*
 * A segment is dropped whose base lies `depth` below the target. Only movements reduce the bound; a step in the space
 * of forces keeps it.
 */
JAGER_FUNCTION void drop_share(const jager_law *law, const contact_data *c, scalar share, bool reduces, vec2 v_base,
                               scalar depth, dropped_shares *dropped)
{
  dropped->sum += share;
  dropped->left += share;
  if (dropped->left > 0 && reduces && (JAGER_SIZE_IS_FIXED || law->tolerance > 0)) {
    scalar left = bound_after_slip(slip_factor(law), law->friction, dropped->sum, c->zeta, c->fn, v_base, depth);
    dropped->left = real_min(dropped->left, left);
  }
}

/* The second segment is cut under a new top: it keeps its bound, and the new top adds what the dropped shares leave. */
JAGER_FUNCTION void set_bound_of_new_top(contact_data *c, scalar left)
{
  word second = c->error_bound.second;
  c->error_bound.top = left > 0 ? number_high32_above(number_from_high32(second) + left) : second;
}

/* ==== The path ==================================================================================================== */

/*
 * The parts of the algorithm that change the path: giving up segments from the top down, cutting one, sliding, merging.
 * i is the number of the segment that the walk has reached, as in the paper; numbers in brackets are lines of its
 * listing.
 */

/* ---- Walking down ------------------------------------------------------------------------------------------------ */

/* The segment i that the walk has reached: the top, or the second segment once the top is given up */
typedef struct path_walk {
  seen_segment i;
  bool in_second;
  dropped_shares dropped;
} path_walk;

JAGER_FUNCTION path_walk walk_from_top(const contact_data *c, step_target t)
{
  scalar end = space_height(t.space, c->zeta, c->fn);
  scalar base = space_height(t.space, c->top.zeta_base, c->top.fn_base);
  path_walk w = {see_top(c->top.p, end, base, t.v), false, {0, 0}};
  return w;
}

/* Is i the lowest segment, i = 1? */
JAGER_FUNCTION bool is_last(const contact_data *c, const path_walk *w)
{
  return c->length == (w->in_second ? 3 : 2);
}

/*
 * Gives segment i up: i = i - 1. The top segment stays in place until set_top overwrites it: giving it up only sets
 * in_second. [50-53]
 */
JAGER_FUNCTION void drop(const jager_law *law, jager_pool *pool, contact_data *c, step_target t, path_walk *w)
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
JAGER_FUNCTION void slide(const jager_law *law, jager_pool *pool, contact_data *c, step_target t, vec2 p)
{
  if (c->length > 2)
    history_drop_second(law, pool, c);
  JAGER_ASSERT(c->length == 2);
  set_top(c, t.zeta, t.fn, p, vec2_of(0, 0));
  c->error_bound.top = 0;
  c->state = JAGER_STATE_SLIDE;
}

/* ---- Cutting ----------------------------------------------------------------------------------------------------- */

/* Where segment i is cut, and the new segment from there to T */
typedef struct slip_cut {
  bool in_second;      /* i is the second segment; the top has been given up */
  bool whole;          /* no part of i is left */
  scalar zeta, fn;     /* ζ*, Fn* of the cut */
  vec2 p, xi_residual; /* of the new segment */
  scalar bound_left;   /* by the dropped segments */
} slip_cut;

/* Segment i has its base inside the cone: cut it at ζ* where it enters, and go to T along the cone. [60-65] */
JAGER_FUNCTION slip_cut find_cut(const jager_law *law, const contact_data *c, step_target t, const path_walk *w)
{
  const scalar target = target_height(t), entry = cone_entry(law->friction, target, w->i);
  JAGER_ASSERT(real_abs(entry - w->i.base) <= w->i.end - w->i.base + JAGER_ROUNDING_MAX * (target + w->i.end));
  const scalar zeta = space_zeta(law, c, t.space, entry);
  const scalar zeta_base = w->in_second ? c->second.zeta_base : c->top.zeta_base;
  const bool back = zeta >= t.zeta;             /* straight back along segment i, which becomes shorter */
  const bool whole = back || zeta <= zeta_base; /* or the cut is rounded to its base */
  cone_way way = way_from(w->i, back ? target : whole ? w->i.base : entry, target);
  if (back)
    way.v_error = w->i.v_error;
  vec2 p = back ? w->i.p : vec2_with_length(way.v, law->friction); /* [62, 65] */
  const scalar fn = whole ? 0 : normal_force(law, c->stiffness, zeta);
  const vec2 residual = t.space == SPACE_MOVEMENT ? way_residual(way, p) : vec2_of(0, 0);
  slip_cut cut = {w->in_second, whole, zeta, fn, p, residual, w->dropped.left};
  return cut;
}

/* Cuts segment i, and joins the rest of it with the new segment or puts that on it. [49-51, 57, 67-71] */
JAGER_FUNCTION bool slip(const jager_law *law, jager_pool *pool, contact_data *c, step_target t, slip_cut cut)
{
  if (cut.in_second) {
    set_bound_of_new_top(c, cut.bound_left);
    if (cut.whole)
      history_drop_second(law, pool, c);
    else
      set_top_base(c, cut.zeta, cut.fn);
  } else if (!cut.whole) {
    bool tolerant = t.space == SPACE_MOVEMENT && law->tolerance > 0;
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

/* The mean slope of two segments, weighted with ΔFn so that Ft stays [lines 76-78] */
JAGER_FUNCTION vec2 mean_slope(scalar fn_base, vec2 lower, scalar fn_middle, vec2 upper, scalar fn_end)
{
  if (!(fn_end > fn_base)) /* ζ has risen by a rounding unit, and Fn has not */
    return upper;
  scalar weight = (fn_end - fn_middle) / (fn_end - fn_base);
  return vec2_add_scaled(lower, weight, vec2_subtract(upper, lower));
}

/* Merges a new segment of slope *p, up to Fn, with the top and then with the segments below it, as far as they may. */
JAGER_FUNCTION bool merge_top(const jager_law *law, jager_pool *pool, contact_data *c, scalar fn, vec2 *p)
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

/* ==== The step ==================================================================================================== */

/* Is the step elastic: is the top of the history inside the cone? [15] */
JAGER_FUNCTION bool step_is_elastic(const jager_law *law, const contact_data *c, step_target t)
{
  return cone_contains_top(law->friction, target_rise(c, t), t.v);
}

/*
 * Elastic: p = Δξ/(κΔζ); a new segment from the top to T, unless it can be made one with the top segment: join_top
 * within the tolerance, merge_top for equal slopes and by dp_max. [16-18, 72-81]
 */
JAGER_FUNCTION bool step_elastic(const jager_law *law, jager_pool *pool, contact_data *c, step_target t)
{
  vec2 p = vec2_divide(t.v, target_rise(c, t));
  const bool tolerant = t.space == SPACE_MOVEMENT && law->tolerance > 0;
  bool joined = tolerant ? join_top(law, c, c->zeta, c->fn, t.zeta, &p) : merge_top(law, pool, c, t.fn, &p);
  if (!joined && !history_push(pool, c, c->zeta, c->fn))
    return false;
  set_top(c, t.zeta, t.fn, p, vec2_of(0, 0));
  c->state = JAGER_STATE_ELASTIC;
  if (tolerant || JAGER_SIZE_IS_FIXED)
    shorten_if_due(law, pool, c);
  return true;
}

/*
 * A touching contact steps to T. *zeta_slip becomes the ζ* above which it has slipped: ζ if it was elastic, 0 if it
 * slid. False: out of memory, and nothing has changed. Only a push can fail, and a step pushes only if it is elastic or
 * cuts the top segment; then it has dropped nothing.
 */
JAGER_FUNCTION bool step(const jager_law *law, jager_pool *pool, contact_data *c, step_target t, scalar *zeta_slip)
{
  const scalar f = law->friction;
  if (step_is_elastic(law, c, t)) { /* [15-18] */
    *zeta_slip = t.zeta;
    return step_elastic(law, pool, c, t);
  }
  path_walk w = walk_from_top(c, t); /* w.i: segment i as seen from T; v_base leads from its base sideways to T */
  while (!cone_contains(f, target_height(t) - w.i.base, w.i.v_base)) { /* [22-59] */
    if (is_last(c, &w)) {                                              /* not even the point 0 is inside */
      *zeta_slip = 0;
      slide(law, pool, c, t, vec2_with_length(w.i.v_base, f));
      return true;
    }
    drop(law, pool, c, t, &w);
  }
  slip_cut cut = find_cut(law, c, t, &w); /* [60-65] */
  *zeta_slip = cut.zeta;
  return slip(law, pool, c, t, cut); /* [67-71] */
}

/* First touch: the path is the point 0, and one segment leads from there to T. */
JAGER_FUNCTION void step_first(const jager_law *law, contact_data *c, step_target t, scalar *zeta_slip)
{
  scalar height = target_height(t);
  bool elastic = cone_contains_top(law->friction, height, t.v);
  *zeta_slip = elastic ? t.zeta : 0;
  c->error_bound.top = c->error_bound.second = 0;
  count_first_point(c);
  c->state = elastic ? JAGER_STATE_ELASTIC : JAGER_STATE_SLIDE;
  vec2 p = elastic ? vec2_divide(t.v, height) : vec2_with_length(t.v, law->friction);
  set_top(c, t.zeta, t.fn, p, vec2_of(0, 0));
}

/* ==== Movements, and friction and stiffness that change =========================================================== */

/* e = Δξ/κ of the part of the movement in which the bodies touch: they may touch or separate on the way. */
JAGER_FUNCTION vec2 shift_while_touching(const jager_law *law, const contact_data *c, scalar zeta, const scalar dxi[2])
{
  scalar from = c->zeta, factor = law->inverse_kappa;
  if (from < 0 && zeta > 0)
    factor *= zeta / (zeta - from);
  else if (from > 0 && zeta < 0)
    factor *= from / (from - zeta);
  return vec2_of(dxi[0] * factor, dxi[1] * factor);
}

/* ---- Friction that has fallen ------------------------------------------------------------------------------------ */

JAGER_FUNCTION vec2 clamp_slope(vec2 p, scalar friction)
{
  return vec2_dot(p, p) > friction * friction ? vec2_with_length(p, friction) : p;
}

/* Reduces the slopes of all segments below the top to f, each in its own direction. */
JAGER_FUNCTION void clamp_slopes(const jager_law *law, contact_data *c)
{
  c->second.p = clamp_slope(c->second.p, law->friction);
  for (entry_cursor at = entry_cursor_top(c); entry_exists(at); entry_cursor_descend(&at))
    set_entry_slope(at, clamp_slope(entry_slope(at), law->friction));
  jager_history_sum_anchor(law, c);
}

/*
 * The contact slips where it stands until the lower friction holds it: a step without movement. Segments below the cut
 * may still be steeper than the new f. They are clamped, because the algorithm relies on |p*| <= f. The step is exact:
 * a chord over segments that are still too steep would be too steep itself.
 */
JAGER_FUNCTION bool lower_friction(const jager_law *law, jager_pool *pool, contact_data *c)
{
  const state_word state = c->state;
  scalar zeta_slip;
  jager_law exact = *law;
  exact.tolerance = 0;
  const step_target here = {c->zeta, c->fn, {0, 0}, SPACE_MOVEMENT};
  if (!step(&exact, pool, c, here, &zeta_slip))
    return false;
  clamp_slopes(law, c);
  if (zeta_slip >= c->zeta) /* the contact has held */
    c->state = state;
  c->friction = law->friction;
  return true;
}

/* ---- Stiffness that changes -------------------------------------------------------------------------------------- */

/* Error bounds are forces and grow with them; rounded up, they keep their order. */
JAGER_FUNCTION word scale_bound(word bound, scalar factor)
{
  return number_high32_above(factor * number_from_high32(bound));
}

JAGER_FUNCTION void scale_bounds(contact_data *c, scalar factor)
{
  if (c->error_bound.top == 0)
    return;
  c->error_bound.top = scale_bound(c->error_bound.top, factor);
  c->error_bound.second = scale_bound(c->error_bound.second, factor);
  for (entry_cursor at = entry_cursor_top(c); entry_exists(at); entry_cursor_descend(&at))
    *entry_error_bound(at) = scale_bound(*entry_error_bound(at), factor);
}

/* The points of the history stay; the forces follow the new stiffness. */
JAGER_FUNCTION void set_stiffness(const jager_law *law, contact_data *c, scalar stiffness)
{
  const scalar factor = stiffness / c->stiffness;
  c->stiffness = stiffness;
  if (!(c->zeta > 0))
    return;
  c->fn = normal_force(law, stiffness, c->zeta);
  c->top.fn_base = normal_force(law, stiffness, c->top.zeta_base);
  c->second.fn_base = normal_force(law, stiffness, c->second.zeta_base);
  scale_bounds(c, factor);
  jager_history_sum_anchor(law, c);
}
