/* SPDX-License-Identifier: MIT */
/* What the movements of one contact (contact.c), of many (batch.c) and those with energies (move_energy.c) share. */
#ifndef JAGER_MOVEMENT_H
#define JAGER_MOVEMENT_H

#include "algorithm.h"

/*
 * A common movement, as nearly all are: numbers in range, contact touching before and after, friction as before. The
 * contact must be of the exact law.
 */
static JAGER_INLINE bool movement_is_common(double size, double zeta_old, double zeta, double friction_old,
                                            double friction)
{
  return (size <= JAGER_XI_MAX) & (zeta > 0.0) & (zeta_old > 0.0) & (friction_old == friction);
}

/* Why a movement cannot be made, or JAGER_OK */
static JAGER_INLINE jager_status check_movement(const jager_law *law, const jager_pool *pool, const contact_data *c,
                                                double zeta, const double dxi[2])
{
  if (!law || !pool || !c || !dxi)
    return JAGER_ERROR_NULL;
  jager_status status = check_law_of(law, c);
  if (status != JAGER_OK)
    return status;
  if (!(law->friction >= 0.0 && law->friction <= JAGER_FRICTION_MAX))
    return JAGER_ERROR_FRICTION;
  if (fabs(zeta) <= JAGER_ZETA_MAX && fabs(dxi[0]) <= JAGER_XI_MAX && fabs(dxi[1]) <= JAGER_XI_MAX)
    return JAGER_OK;
  return isfinite(zeta) && isfinite(dxi[0]) && isfinite(dxi[1]) ? JAGER_ERROR_TOO_LARGE : JAGER_ERROR_NOT_FINITE;
}

/* e = Δξ/κ of the part of the movement in which the bodies touch: they may touch or separate on the way. */
static JAGER_INLINE vec2 shift_while_touching(const jager_law *law, const contact_data *c, double zeta,
                                              const double dxi[2])
{
  double from = c->zeta, factor = law->inverse_kappa;
  if (from < 0.0 && zeta > 0.0)
    factor *= zeta / (zeta - from);
  else if (from > 0.0 && zeta < 0.0)
    factor *= from / (from - zeta);
  return vec2_of(dxi[0] * factor, dxi[1] * factor);
}

/* A touching contact moves to ζ > 0 and by e = Δξ/κ; friction is as before. For zeta_slip see algorithm.h. */
static JAGER_INLINE jager_status move_touching(const jager_law *law, jager_pool *pool, contact_data *c, double zeta,
                                               vec2 e, double *zeta_slip)
{
  if (zeta == c->zeta && vec2_is_zero(e)) { /* nothing moves: the history keeps every bit */
    *zeta_slip = zeta;
    return JAGER_OK;
  }
  step_target target = movement_target(law, c, zeta, e);
  return step(law, pool, c, target, zeta_slip) ? JAGER_OK : JAGER_ERROR_MEMORY;
}

/* ---- Friction that has fallen ------------------------------------------------------------------------------------ */

static inline vec2 clamp_slope(vec2 p, double friction)
{
  return vec2_dot(p, p) > friction * friction ? vec2_with_length(p, friction) : p;
}

/* Reduces the slopes of all segments below the top to f, each in its own direction. */
static inline void clamp_slopes(const jager_law *law, contact_data *c)
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
static inline bool lower_friction(const jager_law *law, jager_pool *pool, contact_data *c)
{
  const uint8_t state = c->state;
  double zeta_slip;
  jager_law exact = *law;
  exact.tolerance = 0.0;
  const step_target here = {c->zeta, c->fn, {0.0, 0.0}, SPACE_MOVEMENT};
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
static inline uint32_t scale_bound(uint32_t bound, double factor)
{
  return double_high32_above(factor * double_from_high32(bound));
}

static inline void scale_bounds(contact_data *c, double factor)
{
  if (c->error_bound.top == 0)
    return;
  c->error_bound.top = scale_bound(c->error_bound.top, factor);
  c->error_bound.second = scale_bound(c->error_bound.second, factor);
  for (entry_cursor at = entry_cursor_top(c); entry_exists(at); entry_cursor_descend(&at))
    *entry_error_bound(at) = scale_bound(*entry_error_bound(at), factor);
}

/* The points of the history stay, and the forces become those of the new stiffness. */
static inline void set_stiffness(const jager_law *law, contact_data *c, double stiffness)
{
  const double factor = stiffness / c->stiffness;
  c->stiffness = stiffness;
  if (!(c->zeta > 0.0))
    return;
  c->fn = normal_force(law, stiffness, c->zeta);
  c->top.fn_base = normal_force(law, stiffness, c->top.zeta_base);
  c->second.fn_base = normal_force(law, stiffness, c->second.zeta_base);
  scale_bounds(c, factor);
  jager_history_sum_anchor(law, c);
}

/* ---- Any movement ------------------------------------------------------------------------------------------------ */

/* Any movement of the exact law (contact.c) */
jager_status jager_move_any(const jager_law *law, jager_pool *pool, contact_data *c, double zeta, vec2 e,
                            double *zeta_slip);

/* If friction has fallen, makes the history obey it; a node is free for the movement that follows (change.c). */
jager_status jager_adopt_friction(const jager_law *law, jager_pool *pool, contact_data *c);

#endif
