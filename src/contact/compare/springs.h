/* SPDX-License-Identifier: MIT */
/*
 * Two springs with a cap: "linear" has constant stiffnesses; "hertz-mindlin" has kt(ζ), and Ft shrinks with the radius
 * of contact when N falls. Both are capped at f N.
 */
#ifndef JAGER_COMPARE_SPRINGS_H
#define JAGER_COMPARE_SPRINGS_H

#include "step.h"

static JAGER_INLINE jager_status move_spring(const jager_law *law, jager_pool *pool, contact_data *c,
                                             const compare_step *s)
{
  double kt = shear_stiffness(law, c, s->zeta), kept = 1.0;
  if (law->model == JAGER_MODEL_HERTZ_MINDLIN && s->zeta < c->zeta) /* a/a_old, as Fn' ~ a */
    kept = kt / shear_stiffness(law, c, c->zeta);
  vec2 ft = {kept * c->anchor.ft.x + kt * s->shift.x, kept * c->anchor.ft.y + kt * s->shift.y};
  if (!is_finite(ft))
    return JAGER_ERROR_TOO_LARGE;
  store_result(law, pool, c, s, ft, (turning_points){{0.0, 0.0}, 0}, JAGER_STATE_ELASTIC);
  return JAGER_OK;
}

#endif
