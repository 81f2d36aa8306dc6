/* SPDX-License-Identifier: MIT */
/*
 * One step of a contact: the text of the algorithm (jager/detail/algorithm.h) with histories on nodes, and what the
 * movements of one contact, of pairs and those with energies share.
 */
#ifndef JAGER_STEP_H
#define JAGER_STEP_H

#include "history.h"

#define JAGER_ASSERT(condition) assert(condition)
#define JAGER_ROUNDING_MAX 1e-15
typedef uint8_t state_word;
#define zeta_at_force jager_zeta_at_force
#include "jager/detail/algorithm.h"

/*
 * A common movement, as nearly all are: numbers in range, contact touching before and after, friction as before. The
 * contact must be of the exact law.
 */
static JAGER_INLINE bool movement_is_common(double size, double zeta_old, double zeta, double friction_old,
                                            double friction)
{
  return (size <= JAGER_XI_MAX) & (zeta >= JAGER_ZETA_MIN) & (zeta_old > 0.0) & (friction_old == friction);
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

/* Any movement of the exact law (contact.c) */
jager_status jager_move_any(const jager_law *law, jager_pool *pool, contact_data *c, double zeta, vec2 e,
                            double *zeta_slip);

/* If friction has fallen, makes the history obey it; a node is free for the movement that follows (contact.c). */
jager_status jager_adopt_friction(const jager_law *law, jager_pool *pool, contact_data *c);

#endif
