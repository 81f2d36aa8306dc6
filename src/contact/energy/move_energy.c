/* SPDX-License-Identifier: MIT */
/* Movements with the change of their energies: steps tried on a copy of the upper part of a history. */
#include "energy.h"

#include "contact/compare/laws.h"

/* ---- Trials: how much of the history a step may change ----------------------------------------------------------- */

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
  trial->friction_drop_energy =
      fmax(0.0, jager_shear_energy(law, pool, c) - jager_shear_energy(law, pool, &trial->before));
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

/* ---- Movements --------------------------------------------------------------------------------------------------- */

/* The step of a movement that may touch or separate the bodies */
static step_target target_of(const jager_law *law, const contact_data *c, double zeta, vec2 e)
{
  if (zeta > 0.0)
    return movement_target(law, c, zeta, e);
  return (step_target){zeta, 0.0, vec2_add(e, c->xi_residual), SPACE_MOVEMENT};
}

static jager_status move_jager(const jager_law *law, jager_pool *pool, contact_data *c, double zeta,
                               const double dxi[2], double *dissipated)
{
  vec2 e = shift_while_touching(law, c, zeta, dxi);
  step_target target = target_of(law, c, zeta, e);
  double zeta_slip;
  if (c->zeta > 0.0 && law->friction >= c->friction && step_is_elastic(law, c, target)) {
    *dissipated = 0.0; /* an elastic movement needs no trial */
    return jager_move_any(law, pool, c, zeta, e, &zeta_slip);
  }
  step_trial trial;
  jager_status status = jager_trial_begin(law, pool, c, target, &trial);
  if (status != JAGER_OK)
    return status;
  status = jager_move_any(law, pool, &trial.after, zeta, e, &zeta_slip);
  if (status == JAGER_OK) {
    *dissipated = trial.friction_drop_energy + jager_dissipation(law, &trial.before, fmax(0.0, zeta), e, zeta_slip);
    if (!isfinite(*dissipated))
      status = JAGER_ERROR_TOO_LARGE;
  }
  jager_trial_end(pool, c, &trial, status == JAGER_OK);
  return status;
}

/* For a comparison law: the work minus the growth of the stored energy; negative where the law creates energy. */
static jager_status move_compared(const jager_law *law, jager_pool *pool, contact_data *c, double zeta,
                                  const double dxi[2], double *dissipated)
{
  double stored = jager_compare_shear_energy(law, c);
  vec2 e = shift_while_touching(law, c, zeta, dxi);
  jager_force before = force_of(c);
  jager_status status = jager_compare_move(law, pool, c, zeta, dxi);
  if (status != JAGER_OK)
    return status;
  jager_force after = force_of(c);
  double work = law->kappa * ((before.ft[0] + after.ft[0]) * e.x + (before.ft[1] + after.ft[1]) * e.y);
  *dissipated = work - (jager_compare_shear_energy(law, c) - stored);
  return JAGER_OK;
}

jager_status jager_move_dissipating(const jager_law *law, jager_pool *pool, contact_data *c, double zeta,
                                    const double dxi[2], double *dissipated)
{
  jager_status status = check_movement(law, pool, c, zeta, dxi);
  if (status != JAGER_OK)
    return status;
  zeta = zeta_in_range(zeta);
  return law->model == JAGER_MODEL_JAGER ? move_jager(law, pool, c, zeta, dxi, dissipated)
                                         : move_compared(law, pool, c, zeta, dxi, dissipated);
}

/* ---- The energies of a contact, followed from movement to movement ----------------------------------------------- */

static balance_data *balance_of(jager_balance *balance)
{
  return (balance_data *)(void *)balance;
}

/* After a movement or load that has dissipated so much */
static jager_status balance_add(balance_data *balance, const jager_contact *contact, const jager_law *law,
                                jager_pool *pool, double dissipated)
{
  jager_energy stored;
  jager_status status = jager_contact_stored(contact, law, pool, &stored);
  if (status != JAGER_OK)
    return status;
  balance->now.normal = stored.normal;
  balance->now.tangential = stored.tangential;
  compensated_add(&balance->now.dissipated, &balance->dissipated_low, dissipated);
  return JAGER_OK;
}

jager_status jager_balance_begin(jager_balance *balance, const jager_contact *contact, const jager_law *law)
{
  if (!balance)
    return JAGER_ERROR_NULL;
  jager_balance begun = {{0}};
  jager_status status = balance_add(balance_of(&begun), contact, law, NULL, 0.0);
  if (status == JAGER_OK)
    *balance = begun;
  return status;
}

jager_status jager_balance_move(jager_balance *balance, jager_contact *contact, const jager_law *law, jager_pool *pool,
                                double zeta, const double dxi[2], jager_force *force)
{
  if (!balance || !contact)
    return JAGER_ERROR_NULL;
  contact_data *c = data_of(contact);
  double dissipated;
  jager_status status = jager_move_dissipating(law, pool, c, zeta, dxi, &dissipated);
  if (status != JAGER_OK)
    return status;
  if (force)
    *force = force_of(c);
  return balance_add(balance_of(balance), contact, law, pool, dissipated);
}

jager_status jager_balance_load(jager_balance *balance, jager_contact *contact, const jager_law *law, jager_pool *pool,
                                const jager_force *force, jager_movement *movement)
{
  if (!balance || !contact)
    return JAGER_ERROR_NULL;
  double dissipated;
  jager_status status = jager_load_dissipating(law, pool, data_of(contact), force, movement, &dissipated);
  return status == JAGER_OK ? balance_add(balance_of(balance), contact, law, pool, dissipated) : status;
}

jager_energy jager_balance_energy(const jager_balance *balance)
{
  return ((const balance_data *)(const void *)balance)->now;
}
