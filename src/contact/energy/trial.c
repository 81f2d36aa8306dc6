/* SPDX-License-Identifier: MIT */
/* Steps tried on a copy of the upper part of a history. */
#include "trial.h"

#include "energy.h"
#include "contact/movement.h"

/* ---- How much of the history a step may change ------------------------------------------------------------------- */

/* Segments that merge_top makes one with a new segment of slope p, up to Fn */
static uint32_t segments_merged(const jager_law *law, const contact_data *c, double fn, vec2 p)
{
  uint32_t count = 0;
  double fn_end = c->fn;
  FOR_EACH_SEGMENT(at, c)
  {
    if (!may_merge(law, at.p, p))
      break;
    double fn_base = normal_force(law, c->stiffness, at.zeta_base);
    p = mean_slope(fn_base, at.p, fn_end, p, fn);
    fn_end = fn_base;
    count++;
  }
  return count;
}

/* Segments that a slip to the target drops or cuts */
static uint32_t segments_slipping(const jager_law *law, const contact_data *c, step_target t)
{
  seen_segment i = {.base = space_height(t.space, c->zeta, c->fn), .v_base = t.v};
  uint32_t count = 0;
  FOR_EACH_SEGMENT(at, c)
  {
    i = see_below(i, at.p, space_height_at(law, c, t.space, at.zeta_base));
    count++;
    if (cone_contains(law->friction, target_height(t) - i.base, i.v_base))
      break;
  }
  return count;
}

/* How many of the topmost segments the step may change */
static uint32_t segments_changed(const jager_law *law, const contact_data *c, step_target t)
{
  if (!(t.zeta > 0.0) || !(c->zeta > 0.0)) /* the bodies separate or touch: all */
    return c->length;
  uint32_t shortened = law->tolerance > 0.0 && t.space == SPACE_MOVEMENT ? segments_to_shorten(c) : 1, count;
  if (step_is_elastic(law, c, t))
    count = segments_merged(law, c, t.fn, vec2_divide(t.v, target_rise(c, t)));
  else
    count = segments_slipping(law, c, t);
  return count > shortened ? count : shortened;
}

/* ---- Copies ------------------------------------------------------------------------------------------------------ */

/*
 * Copies the nodes that hold the topmost segments and shares the nodes below. The top node is always copied, as the
 * next push may write to it. The two segments that lie in the contact are counted as well, so that at most
 * two entries too many are copied.
 */
static jager_status copy_upper(const contact_data *c, jager_pool *pool, uint32_t segments, step_trial *trial)
{
  size_t nodes = 0, entries = 0;
  history_node *shared = c->node;
  for (unsigned fill = c->fill; shared && (nodes == 0 || entries < segments); fill = NODE_ENTRIES) {
    entries += fill;
    nodes++;
    shared = shared->below;
  }
  if (!jager_pool_reserve(pool, nodes))
    return JAGER_ERROR_MEMORY;
  trial->after = *c;
  trial->shared = shared;
  jager_history_copy_nodes(pool, c->node, shared, &trial->after.node);
  return JAGER_OK;
}

/* Friction has fallen: the history changes down to its base, and both sides of the step need a copy of their own. */
static JAGER_COLD jager_status copy_with_less_friction(const jager_law *law, jager_pool *pool, const contact_data *c,
                                                       step_trial *trial)
{
  jager_status status = jager_contact_copy(c, pool, &trial->before);
  if (status != JAGER_OK)
    return status;
  status = jager_adopt_friction(law, pool, &trial->before);
  if (status == JAGER_OK)
    status = jager_contact_copy(&trial->before, pool, &trial->after);
  if (status != JAGER_OK) {
    jager_contact_forget(pool, &trial->before);
    return status;
  }
  trial->before_is_copy = true;
  trial->friction_drop_energy = fmax(0.0, jager_shear_energy(law, c) - jager_shear_energy(law, &trial->before));
  return JAGER_OK;
}

jager_status jager_trial_begin(const jager_law *law, jager_pool *pool, const contact_data *c, step_target target,
                               step_trial *trial)
{
  *trial = (step_trial){.before = *c};
  if (law->friction < c->friction)
    return copy_with_less_friction(law, pool, c, trial);
  return copy_upper(c, pool, segments_changed(law, c, target), trial);
}

void jager_trial_end(jager_pool *pool, contact_data *c, step_trial *trial, bool keep)
{
  if (trial->before_is_copy)
    jager_contact_forget(pool, &trial->before);
  jager_history_free_nodes(pool, keep ? c->node : trial->after.node, trial->shared);
  if (keep)
    *c = trial->after;
}
