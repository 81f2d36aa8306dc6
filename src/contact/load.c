/* SPDX-License-Identifier: MIT */
/* A contact driven by forces: the algorithm in the space of forces finds the movement that a force takes. */
#include "contact/energy/energy.h"

#define LIMIT_ROUNDING 1e-14 /* a force read from a sliding contact must be accepted */

static jager_status check_force(const jager_law *law, const contact_data *c, const jager_force *force)
{
  if (!isfinite(force->fn) || !isfinite(force->ft[0]) || !isfinite(force->ft[1]))
    return JAGER_ERROR_NOT_FINITE;
  if (force->fn < 0.0)
    return JAGER_ERROR_PULL;
  if (!(force->fn <= JAGER_FN_MAX) || !(jager_zeta_at_force(law, c->stiffness, force->fn) <= JAGER_ZETA_MAX))
    return JAGER_ERROR_TOO_LARGE;
  if (!(force->fn > 0.0))
    return force->ft[0] == 0.0 && force->ft[1] == 0.0 ? JAGER_OK : JAGER_ERROR_BEYOND_FRICTION;
  double limit = law->friction * (1.0 + LIMIT_ROUNDING);
  vec2 ratio = vec2_divide(vec2_from(force->ft), force->fn);
  return vec2_dot(ratio, ratio) <= limit * limit ? JAGER_OK : JAGER_ERROR_BEYOND_FRICTION;
}

static jager_status check_load(const jager_law *law, const jager_pool *pool, const contact_data *c,
                               const jager_force *force, const jager_movement *movement)
{
  if (!law || !pool || !c || !force || !movement)
    return JAGER_ERROR_NULL;
  jager_status status = check_law_of(law, c);
  if (status != JAGER_OK)
    return status;
  if (law->model != JAGER_MODEL_JAGER)
    return JAGER_ERROR_UNSUPPORTED;
  if (!(law->friction >= 0.0 && law->friction <= JAGER_FRICTION_MAX))
    return JAGER_ERROR_FRICTION;
  return check_force(law, c, force);
}

/* The target of a step to this force. Its Fn belongs to its ζ, as at all points of a history; ζ = 0: separation. */
static step_target force_target(const jager_law *law, const contact_data *c, const jager_force *force)
{
  double zeta = zeta_in_range(jager_zeta_at_force(law, c->stiffness, force->fn));
  if (force->fn < JAGER_FN_MIN)
    zeta = 0.0;
  jager_force now = force_of(c);
  vec2 v = {force->ft[0] - now.ft[0], force->ft[1] - now.ft[1]};
  return (step_target){zeta, zeta > 0.0 ? normal_force(law, c->stiffness, zeta) : 0.0, v, SPACE_FORCE};
}

/* Δξ/κ between two paths that are the same below `parting`: E at the end of the new minus E at the end of the old. */
static vec2 shift_between(const contact_data *before, const contact_data *after, double parting)
{
  vec2 e = {0.0, 0.0};
  if (after->zeta > parting)
    e = vec2_add_scaled(e, after->zeta - parting, after->top.p);
  FOR_EACH_SEGMENT(at, before)
  {
    e = vec2_add_scaled(e, -(at.zeta - fmax(at.zeta_base, parting)), at.p);
    if (at.zeta_base <= parting)
      break;
  }
  return e;
}

/* Steps from `before` to `after`; *e is the shift that it takes. */
static jager_status step_to_force(const jager_law *law, jager_pool *pool, step_trial *trial, const jager_force *force,
                                  vec2 *e, double *zeta_slip)
{
  contact_data *c = &trial->after;
  step_target target = force_target(law, c, force);
  if (!(target.zeta > 0.0)) { /* at Fn = 0 the only possible point of the path is the origin */
    *zeta_slip = 0.0;
    jager_contact_separate(law, pool, c, fmin(c->zeta, 0.0));
    *e = shift_between(&trial->before, c, 0.0);
    return JAGER_OK;
  }
  if (!(c->zeta > 0.0))
    step_first(law, c, target, zeta_slip);
  else if (!step(law, pool, c, target, zeta_slip))
    return JAGER_ERROR_MEMORY;
  c->friction = law->friction;
  assert(jager_history_is_valid(c));
  *e = shift_between(&trial->before, c, c->top.zeta_base);
  return JAGER_OK;
}

static bool is_loaded_to(const contact_data *c, const jager_force *force)
{
  jager_force now = force_of(c);
  return now.fn == force->fn && now.ft[0] == force->ft[0] && now.ft[1] == force->ft[1];
}

jager_status jager_load_dissipating(const jager_law *law, jager_pool *pool, contact_data *c, const jager_force *force,
                                    jager_movement *movement, double *dissipated)
{
  jager_status status = check_load(law, pool, c, force, movement);
  if (status != JAGER_OK)
    return status;
  step_trial trial;
  status = jager_trial_begin(law, pool, c, force_target(law, c, force), &trial);
  if (status != JAGER_OK)
    return status;
  double lost = trial.friction_drop_energy, zeta_slip;
  vec2 e = {0.0, 0.0};
  if (!is_loaded_to(&trial.before, force)) {
    status = step_to_force(law, pool, &trial, force, &e, &zeta_slip);
    if (status == JAGER_OK && dissipated)
      lost += jager_dissipation(law, &trial.before, fmax(0.0, trial.after.zeta), e, zeta_slip);
  }
  if (status == JAGER_OK && dissipated)
    *dissipated = lost;
  jager_trial_end(pool, c, &trial, status == JAGER_OK);
  if (status == JAGER_OK)
    *movement = (jager_movement){.zeta = c->zeta, .dxi = {law->kappa * e.x, law->kappa * e.y}};
  return status;
}

jager_status jager_contact_load(jager_contact *contact, const jager_law *law, jager_pool *pool,
                                const jager_force *force, jager_movement *movement)
{
  return jager_load_dissipating(law, pool, data_of(contact), force, movement, NULL);
}
