/* SPDX-License-Identifier: MIT */
/*
 * The two spaces in which the algorithm runs.
 *
 * The history is a path E(z) with the slopes p*; z is the indentation, and E the tangential half-movement over κ. Read
 * against Fn instead of z, the same path is Ft: Ft = Σ p* ΔFn*. So the algorithm finds the force of a movement in the
 * space (z, E), and the movement of a force in the space (Fn, Ft). The height, the first coordinate, is ζ or Fn; the
 * second coordinate is E or Ft.
 */
#ifndef JAGER_SPACE_H
#define JAGER_SPACE_H

#include "history.h"

enum space { SPACE_MOVEMENT, SPACE_FORCE };

/* Where a step ends: the point T */
typedef struct step_target {
  double zeta, fn; /* of the target, ζ > 0 */
  vec2 v;          /* from the top of the history sideways to T: Δξ/κ, or ΔFt */
  enum space space;
} step_target;

/* The height of a point (ζ*, Fn*) */
static JAGER_INLINE double space_height(enum space space, double zeta, double fn)
{
  return space == SPACE_FORCE ? fn : zeta;
}

/* The same, where Fn* is not at hand */
static JAGER_INLINE double space_height_at(const jager_law *law, const contact_data *c, enum space space, double zeta)
{
  return space == SPACE_FORCE ? normal_force(law, c->stiffness, zeta) : zeta;
}

static JAGER_INLINE double target_height(step_target t)
{
  return space_height(t.space, t.zeta, t.fn);
}

/* How far the target lies above the top of the history */
static JAGER_INLINE double target_rise(const contact_data *c, step_target t)
{
  return target_height(t) - space_height(t.space, c->zeta, c->fn);
}

/* The ζ* of a height */
static JAGER_INLINE double space_zeta(const jager_law *law, const contact_data *c, enum space space, double height)
{
  return space == SPACE_FORCE ? jager_zeta_at_force(law, c->stiffness, height) : height;
}

/* The target of a movement to ζ > 0 and by e = Δξ/κ */
static JAGER_INLINE step_target movement_target(const jager_law *law, const contact_data *c, double zeta, vec2 e)
{
  double fn = normal_force(law, c->stiffness, zeta);
  step_target t = {zeta, fn, vec2_add(e, c->xi_residual), SPACE_MOVEMENT};
  return t;
}

#endif
