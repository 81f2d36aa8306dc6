/* SPDX-License-Identifier: MIT */
/* Driven by forces: the walk of walk.h in the (Fn, Ft) plane, from a force to the movement that it takes. */
#include "walk.h"

static jager_status check_load(const jager_law *law, const jager_pool *pool, const jager_contact *contact,
                               const jager_force *force, const jager_movement *movement)
{
  if (!law || !pool || !contact || !force || !movement)
    return JAGER_ERROR_NULL;
  if ((int)law->model != (int)contact->model)
    return JAGER_ERROR_MODEL;
  if (law->model != JAGER_MODEL_JAGER)
    return JAGER_ERROR_UNSUPPORTED;
  if (!(law->friction >= 0.0 && law->friction <= JAGER_FRICTION_MAX))
    return JAGER_ERROR_FRICTION;
  if (!isfinite(force->fn) || !isfinite(force->ft[0]) || !isfinite(force->ft[1]))
    return JAGER_ERROR_NOT_FINITE;
  if (force->fn < 0.0)
    return JAGER_ERROR_PULL;
  if (!(force->fn <= JAGER_FN_MAX) || !(jager_zeta_at(law, contact->stiffness, force->fn) <= JAGER_ZETA_MAX))
    return JAGER_ERROR_TOO_LARGE;
  if (!(force->fn > 0.0))
    return force->ft[0] == 0.0 && force->ft[1] == 0.0 ? JAGER_OK : JAGER_ERROR_BEYOND_FRICTION;
  double limit = law->friction * (1.0 + 1e-14); /* a force read off a sliding contact must pass */
  vec2 ratio = {force->ft[0] / force->fn, force->ft[1] / force->fn};
  if (!(jager_dot(ratio, ratio) <= limit * limit))
    return JAGER_ERROR_BEYOND_FRICTION;
  return JAGER_OK;
}

/* Δξ/κ of a step: E of the new path less E of the old one, both counted from the depth where they part. */
static vec2 shift_between(const jager_contact *old, const jager_contact *new, double parting)
{
  vec2 e = {0.0, 0.0};
  if (new->zeta > parting)
    e = jager_along(e, new->zeta - parting, jager_vec2(new->p));
  if (!(old->zeta > 0.0))
    return e;
  jager_cursor at = jager_cursor_top(old);
  for (;; jager_cursor_descend(&at)) {
    e = jager_along(e, -(at.zeta - fmax(at.zeta_base, parting)), at.p);
    if (at.zeta_base <= parting)
      return e;
  }
}

/* Steps from `held` to `moved`; e is the shift that it takes. */
static jager_status step_to_force(const jager_law *law, jager_pool *pool, jager_trial *trial, const jager_force *force,
                                  vec2 *e, double *zeta_slip)
{
  jager_contact *moved = &trial->moved;
  double zeta = jager_zeta_at(law, moved->stiffness, force->fn);
  if (!(zeta > 0.0)) { /* at Fn = 0 the only admissible point of the path is the origin */
    *zeta_slip = 0.0;
    jager_contact_part(law, pool, moved, fmin(moved->zeta, 0.0));
    *e = shift_between(&trial->held, moved, 0.0);
    return JAGER_OK;
  }
  double fn = jager_normal_force(law, moved->stiffness, zeta); /* not force->fn: all Fn* are Fn(ζ*) to the bit */
  jager_force now = jager_contact_force(moved);
  vec2 v = {force->ft[0] - now.ft[0], force->ft[1] - now.ft[1]};
  if (!(moved->zeta > 0.0))
    jager_touch(law, moved, zeta, fn, fn, v, zeta_slip);
  else if (!jager_step_on(law, pool, moved, zeta, fn, v, JAGER_IN_FORCES, zeta_slip))
    return JAGER_ERROR_MEMORY;
  moved->friction = law->friction;
  *e = shift_between(&trial->held, moved, moved->zeta_base);
  return JAGER_OK;
}

static bool is_loaded_to(const jager_contact *contact, const jager_force *force)
{
  jager_force now = jager_contact_force(contact);
  return now.fn == force->fn && now.ft[0] == force->ft[0] && now.ft[1] == force->ft[1];
}

/* Segments of the contact's history that the step to this force may change */
static uint32_t segments_at_stake(const jager_law *law, const jager_contact *contact, const jager_force *force)
{
  double zeta = jager_zeta_at(law, contact->stiffness, force->fn);
  double fn = zeta > 0.0 ? jager_normal_force(law, contact->stiffness, zeta) : 0.0;
  jager_force now = jager_contact_force(contact);
  vec2 v = {force->ft[0] - now.ft[0], force->ft[1] - now.ft[1]};
  return jager_segments_at_stake(law, contact, zeta, fn, v, JAGER_IN_FORCES);
}

jager_status jager_load_with_energy(const jager_law *law, jager_pool *pool, jager_contact *contact,
                                    const jager_force *force, jager_movement *movement, jager_energy_change *change)
{
  jager_status status = check_load(law, pool, contact, force, movement);
  if (status != JAGER_OK)
    return status;
  jager_trial trial;
  status = jager_trial_begin(law, pool, contact, segments_at_stake(law, contact, force), &trial);
  if (status != JAGER_OK)
    return status;
  double dissipated = trial.let_go, zeta_slip;
  vec2 e = {0.0, 0.0};
  if (!is_loaded_to(&trial.held, force)) {
    status = step_to_force(law, pool, &trial, force, &e, &zeta_slip);
    if (status == JAGER_OK && change)
      dissipated += jager_dissipation(law, &trial.held, fmax(0.0, trial.moved.zeta), e, zeta_slip);
  }
  if (status == JAGER_OK && change) {
    change->dissipated = dissipated;
    if (change->wants_tangential)
      change->tangential = jager_shear_energy_change(law, contact, &trial.moved, jager_trial_depth(&trial));
  }
  jager_trial_end(pool, contact, &trial, status == JAGER_OK);
  if (status == JAGER_OK)
    *movement = (jager_movement){.zeta = contact->zeta, .dxi = {law->kappa * e.x, law->kappa * e.y}};
  return status;
}

jager_status jager_contact_load(const jager_law *law, jager_pool *pool, jager_contact *contact,
                                const jager_force *force, jager_movement *movement, jager_energy *energy)
{
  jager_energy_change change = {.wants_tangential = false};
  jager_status status = jager_load_with_energy(law, pool, contact, force, movement, energy ? &change : NULL);
  if (status != JAGER_OK || !energy)
    return status;
  status = jager_contact_stored(law, contact, energy);
  energy->dissipated = change.dissipated;
  return status;
}
