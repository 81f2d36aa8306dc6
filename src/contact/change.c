/* SPDX-License-Identifier: MIT */
/* Friction and stiffness of a contact that change while it touches. */
#include "movement.h"

/* ---- Friction has fallen ----------------------------------------------------------------------------------------- */

static vec2 clamp_slope(vec2 p, double friction)
{
  return vec2_dot(p, p) > friction * friction ? vec2_with_length(p, friction) : p;
}

/* Reduces the slopes of all segments below the top to f, each in its own direction. */
static void clamp_slopes(const jager_law *law, contact_data *c)
{
  c->second.p = clamp_slope(c->second.p, law->friction);
  FOR_EACH_ENTRY(at, c)
  entry_at(at)->p = clamp_slope(entry_at(at)->p, law->friction);
  jager_history_sum_anchor(law, c);
}

/*
 * The contact slips where it stands until the lower friction holds it: a step without movement. Segments below the cut
 * may still be steeper than the new f. They are clamped, because the algorithm relies on |p*| <= f. The step takes at
 * most one node, and the movement that follows another. The step is exact: a chord over segments that are still too
 * steep would be too steep itself.
 */
JAGER_COLD jager_status jager_adopt_friction(const jager_law *law, jager_pool *pool, contact_data *c)
{
  if (law->friction >= c->friction || !(c->zeta > 0.0))
    return JAGER_OK;
  if (!jager_pool_reserve(pool, 2))
    return JAGER_ERROR_MEMORY;
  uint8_t state = c->state;
  double zeta_slip;
  jager_law exact = *law;
  exact.tolerance = 0.0;
  step_target here = {c->zeta, c->fn, {0.0, 0.0}, SPACE_MOVEMENT};
  if (!step(&exact, pool, c, here, &zeta_slip))
    return JAGER_ERROR_MEMORY;
  clamp_slopes(law, c);
  if (zeta_slip >= c->zeta) /* the contact has held */
    c->state = state;
  c->friction = law->friction;
  return JAGER_OK;
}

/* ---- Stiffness has changed --------------------------------------------------------------------------------------- */

/* Error bounds are forces and grow with them; rounded up, they keep their order. */
static uint32_t scale_bound(uint32_t bound, double factor)
{
  return double_high32_above(factor * double_from_high32(bound));
}

static void scale_bounds(contact_data *c, double factor)
{
  if (c->error_bound.top == 0)
    return;
  c->error_bound.top = scale_bound(c->error_bound.top, factor);
  c->error_bound.second = scale_bound(c->error_bound.second, factor);
  FOR_EACH_ENTRY(at, c)
  *entry_error_bound(at) = scale_bound(*entry_error_bound(at), factor);
}

jager_status jager_contact_restiffen(const jager_law *law, jager_contact *contact, double radius_a, double radius_b)
{
  jager_contact like = {0};
  jager_status status = contact ? jager_contact_init(&like, law, radius_a, radius_b) : JAGER_ERROR_NULL;
  if (status != JAGER_OK)
    return status;
  contact_data *c = data_of(contact);
  if (c->model != JAGER_MODEL_JAGER || law->model != JAGER_MODEL_JAGER)
    return JAGER_ERROR_UNSUPPORTED;
  if (c->length == 0)
    return JAGER_ERROR_UNINITIALISED;
  double stiffness = data_of(&like)->stiffness, factor = stiffness / c->stiffness;
  c->stiffness = stiffness;
  if (!(c->zeta > 0.0))
    return JAGER_OK;
  c->fn = normal_force(law, stiffness, c->zeta);
  c->top.fn_base = normal_force(law, stiffness, c->top.zeta_base);
  c->second.fn_base = normal_force(law, stiffness, c->second.zeta_base);
  scale_bounds(c, factor);
  jager_history_sum_anchor(law, c);
  return JAGER_OK;
}
