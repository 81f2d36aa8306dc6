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
  return (vec2){dxi[0] * factor, dxi[1] * factor};
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

/* Any movement of the exact law */
jager_status jager_move_any(const jager_law *law, jager_pool *pool, contact_data *c, double zeta, vec2 e,
                            double *zeta_slip);

/*
 * If the law's friction is lower than that of the history, makes the history obey it, and makes sure that a node is
 * free for the movement that follows (change.c).
 */
jager_status jager_adopt_friction(const jager_law *law, jager_pool *pool, contact_data *c);

#endif
