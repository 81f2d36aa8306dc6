/* SPDX-License-Identifier: MIT */
/* Movements with the change of their energies. */
#include "contact/compare/laws.h"
#include "energy.h"
#include "contact/movement.h"
#include "trial.h"

/* The step of a movement that may touch or separate the bodies */
static step_target target_of(const jager_law *law, const contact_data *c, double zeta, vec2 e)
{
  if (zeta > 0.0)
    return movement_target(law, c, zeta, e);
  return (step_target){zeta, 0.0, vec2_add(e, c->xi_residual), SPACE_MOVEMENT};
}

/* An elastic movement, made without a trial: it dissipates nothing. */
static jager_status move_elastic(const jager_law *law, jager_pool *pool, contact_data *c, double zeta, vec2 e,
                                 energy_change *change)
{
  double zeta_before = c->zeta, zeta_slip;
  jager_force before = force_of(c);
  jager_status status = jager_move_any(law, pool, c, zeta, e, &zeta_slip);
  change->dissipated = 0.0;
  if (status == JAGER_OK && change->wants_tangential)
    change->tangential = jager_shear_energy_change_elastic(law, c, zeta_before, before.ft);
  return status;
}

static jager_status move_jager(const jager_law *law, jager_pool *pool, contact_data *c, double zeta,
                               const double dxi[2], energy_change *change)
{
  vec2 e = shift_while_touching(law, c, zeta, dxi);
  step_target target = target_of(law, c, zeta, e);
  bool elastic = c->zeta > 0.0 && law->friction >= c->friction && step_is_elastic(law, c, target);
  bool may_merge_below = law->tolerance > 0.0 || law->dp_max > 0.0;
  if (elastic && !(may_merge_below && change->wants_tangential))
    return move_elastic(law, pool, c, zeta, e, change);
  step_trial trial;
  jager_status status = jager_trial_begin(law, pool, c, target, &trial);
  if (status != JAGER_OK)
    return status;
  double zeta_slip;
  status = jager_move_any(law, pool, &trial.after, zeta, e, &zeta_slip);
  if (status == JAGER_OK) {
    change->dissipated =
        trial.friction_drop_energy + jager_dissipation(law, &trial.before, fmax(0.0, zeta), e, zeta_slip);
    if (change->wants_tangential)
      change->tangential = jager_shear_energy_change(law, c, &trial.after, trial_depth(&trial));
    if (!isfinite(change->dissipated))
      status = JAGER_ERROR_TOO_LARGE;
  }
  jager_trial_end(pool, c, &trial, status == JAGER_OK);
  return status;
}

/* Of a comparison law: the work minus the growth of the stored energy; negative where such a law creates energy. */
static jager_status move_compared(const jager_law *law, jager_pool *pool, contact_data *c, double zeta,
                                  const double dxi[2], energy_change *change)
{
  double stored = jager_compare_shear_energy(law, c);
  vec2 e = shift_while_touching(law, c, zeta, dxi);
  jager_force before = force_of(c);
  jager_status status = jager_compare_move(law, pool, c, zeta, dxi);
  if (status != JAGER_OK)
    return status;
  jager_force after = force_of(c);
  double work = law->kappa * ((before.ft[0] + after.ft[0]) * e.x + (before.ft[1] + after.ft[1]) * e.y);
  change->tangential = jager_compare_shear_energy(law, c) - stored;
  change->dissipated = work - change->tangential;
  return JAGER_OK;
}

jager_status jager_move_with_energy(const jager_law *law, jager_pool *pool, contact_data *c, double zeta,
                                    const double dxi[2], energy_change *change)
{
  jager_status status = check_movement(law, pool, c, zeta, dxi);
  if (status != JAGER_OK)
    return status;
  return law->model == JAGER_MODEL_JAGER ? move_jager(law, pool, c, zeta, dxi, change)
                                         : move_compared(law, pool, c, zeta, dxi, change);
}

jager_status jager_contact_move_energy(const jager_law *law, jager_pool *pool, jager_contact *contact, double zeta,
                                       const double dxi[2], jager_force *force, jager_energy *energy)
{
  if (!energy)
    return JAGER_ERROR_NULL;
  energy_change change = {.wants_tangential = false};
  jager_status status = jager_move_with_energy(law, pool, data_of(contact), zeta, dxi, &change);
  if (status != JAGER_OK)
    return status;
  if (force)
    *force = jager_contact_force(contact);
  status = jager_contact_stored(law, contact, energy);
  energy->dissipated = change.dissipated;
  return status;
}
