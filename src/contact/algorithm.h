/* SPDX-License-Identifier: MIT */
/*
 * One step of the Jäger contact: the algorithm of M. R. Kuhn, "Implementation of the Jäger contact model for discrete
 * element simulations". Numbers in brackets are lines of the paper's listing. Its symbols: ζ (zeta) and ξ (xi) are half
 * the approach and half the tangential shift of the two bodies, κ the ratio of normal to tangential stiffness, f the
 * friction coefficient, Fn and Ft the forces; * marks a point of the history.
 *
 * The history is a path E(z) = ∫ p* dz, z from 0 to ζ: straight segments with slopes p*, |p*| <= f (history.h). E is a
 * tangential half-movement over κ. A movement by (Δζ, Δξ) puts a target T = (ζ, E(ζ) + Δξ/κ). From T a cone of slope f
 * opens downward (cone.h). v leads from a point of the path sideways to T, in units of E.
 *
 *   - The top of the path is inside the cone: the step is elastic, and one segment leads straight to T.        [15-18]
 *   - Otherwise the contact slips. Walk down the path to the point where it enters the cone, cut it there, and go to T
 *     along the cone. What was above the cut, the slip annulus, is forgotten.                                  [22-71]
 *   - The path enters the cone nowhere, not even at z = 0: gross sliding.                                      [22-23]
 *
 * A step in the space of forces is the same with Fn in place of ζ and Ft in place of E (space.h). The operations on the
 * path are in path.h; its storage in history.h; rounding errors in compensated.h; the tolerance in tolerance.h. Lines
 * 1-14 of the listing (frames, separation, Fn) are in frame.c and contact.c.
 */
#ifndef JAGER_ALGORITHM_H
#define JAGER_ALGORITHM_H

#include "path.h"

/* Is the step elastic: is the top of the history inside the cone? [15] */
static JAGER_INLINE bool step_is_elastic(const jager_law *law, const contact_data *c, step_target t)
{
  return cone_contains_top(law->friction, target_rise(c, t), t.v);
}

/*
 * Elastic: p = Δξ/(κΔζ); a new segment from the top to T, unless it can be made one with the top segment: join_top
 * within the tolerance, merge_top for equal slopes and by dp_max. [16-18, 72-81]
 */
static JAGER_INLINE bool step_elastic(const jager_law *law, jager_pool *pool, contact_data *c, step_target t)
{
  vec2 p = vec2_divide(t.v, target_rise(c, t));
  const bool tolerant = t.space == SPACE_MOVEMENT && law->tolerance > 0.0;
  bool joined = tolerant ? join_top(law, c, c->zeta, c->fn, t.zeta, &p) : merge_top(law, pool, c, t.fn, &p);
  if (!joined && !history_push(pool, c, c->zeta, c->fn))
    return false;
  set_top(c, t.zeta, t.fn, p, vec2_of(0.0, 0.0));
  c->state = JAGER_STATE_ELASTIC;
  if (tolerant || SIZE_IS_FIXED)
    shorten_if_due(law, pool, c);
  return true;
}

/*
 * A touching contact steps to T. *zeta_slip becomes the ζ* above which it has slipped: ζ if it was elastic, 0 if it
 * slid. False: out of memory, and nothing has changed. Only a push can fail, and a step pushes only if it is elastic or
 * cuts the top segment; then it has dropped nothing.
 */
static JAGER_INLINE bool step(const jager_law *law, jager_pool *pool, contact_data *c, step_target t, double *zeta_slip)
{
  const double f = law->friction;
  if (step_is_elastic(law, c, t)) { /* [15-18] */
    *zeta_slip = t.zeta;
    return step_elastic(law, pool, c, t);
  }
  path_walk w = walk_from_top(c, t); /* w.i: segment i as seen from T; v_base leads from its base sideways to T */
  while (!cone_contains(f, target_height(t) - w.i.base, w.i.v_base)) { /* [22-59] */
    if (is_last(c, &w)) {                                              /* not even the point 0 is inside */
      *zeta_slip = 0.0;
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
static JAGER_INLINE void step_first(const jager_law *law, contact_data *c, step_target t, double *zeta_slip)
{
  double height = target_height(t);
  bool elastic = cone_contains_top(law->friction, height, t.v);
  *zeta_slip = elastic ? t.zeta : 0.0;
  c->error_bound.top = c->error_bound.second = 0;
  count_first_point(c);
  c->state = elastic ? JAGER_STATE_ELASTIC : JAGER_STATE_SLIDE;
  vec2 p = elastic ? vec2_divide(t.v, height) : vec2_with_length(t.v, law->friction);
  set_top(c, t.zeta, t.fn, p, vec2_of(0.0, 0.0));
}

#endif
