/* SPDX-License-Identifier: MIT */
/* Contacts moved by whole arrays, whose vectors lie one after the other, as other languages keep them; impacts. */
#include "handles.h"
#include "laws/impact.h"

#include <math.h>
#include <string.h>

enum { BLOCK = 512 }; /* contacts whose movements are put into columns at a time: they stay in the cache */

/* Limits of jager_contact_move. */
#define ZETA_MAX 1e60
#define SHIFT_MAX 1e150

static double element(const double *values, size_t row, int columns, int column)
{
  return column < columns ? values[row * (size_t)columns + (size_t)column] : 0.0;
}

/* ---- One contact along a path ------------------------------------------------------------------------------------ */

static jager_status move_all(const jager_law *law, jager_pool *pool, jager_contact *contact, const binding_walk *walk,
                             double at[2], size_t *failed)
{
  jager_balance balance;
  jager_status status = walk->normal ? jager_balance_begin(&balance, contact, law) : JAGER_OK;
  for (size_t k = 0; status == JAGER_OK && k < walk->count; k++) {
    jager_force force;
    double dxi[2];
    walk->reached[3 * k] = walk->zeta[k];
    for (int i = 0; i < 2; i++) {
      double value = element(walk->xi, k, walk->columns, i);
      dxi[i] = walk->is_change ? value : value - at[i];
      at[i] = walk->is_change ? at[i] + value : value;
      walk->reached[3 * k + 1 + (size_t)i] = at[i];
    }
    *failed = k;
    status = walk->normal ? jager_balance_move(&balance, contact, law, pool, walk->zeta[k], dxi, &force)
                          : jager_contact_move(contact, law, pool, walk->zeta[k], dxi, &force);
    if (status != JAGER_OK)
      return status;
    walk->fn[k] = force.fn;
    walk->ft[2 * k] = force.ft[0];
    walk->ft[2 * k + 1] = force.ft[1];
    walk->state[k] = (uint8_t)jager_contact_state(contact);
    if (walk->normal) {
      const jager_energy energy = jager_balance_energy(&balance);
      walk->normal[k] = energy.normal;
      walk->tangential[k] = energy.tangential;
      walk->dissipated[k] = energy.dissipated;
    }
  }
  return status;
}

jager_status binding_contact_walk(const jager_law *law, jager_pool *pool, jager_contact *contact, binding_walk *walk,
                                  size_t *failed)
{
  jager_contact before = {{0}};
  double at[2] = {walk->start[0], walk->start[1]};
  *failed = 0;
  jager_status status = jager_contact_clone(contact, pool, &before);
  if (status != JAGER_OK)
    return status;
  status = move_all(law, pool, contact, walk, at, failed);
  if (status == JAGER_OK) {
    walk->start[0] = at[0];
    walk->start[1] = at[1];
    jager_contact_release(&before, pool);
  } else {
    jager_contact_release(contact, pool);
    *contact = before;
  }
  return status;
}

/* ---- Many contacts ----------------------------------------------------------------------------------------------- */

static jager_status check_movements(const binding_moves *moves, size_t *failed)
{
  for (size_t k = 0; k < moves->count; k++) {
    double zeta = moves->zeta[k], x = element(moves->dxi, k, moves->columns, 0),
           y = element(moves->dxi, k, moves->columns, 1);
    *failed = k;
    if (!isfinite(zeta) || !isfinite(x) || !isfinite(y))
      return JAGER_ERROR_NOT_FINITE;
    if (fabs(zeta) > ZETA_MAX || fabs(x) > 0.5 * SHIFT_MAX || fabs(y) > 0.5 * SHIFT_MAX)
      return JAGER_ERROR_TOO_LARGE;
  }
  return JAGER_OK;
}

/* The movements of the contacts from `first` on, in columns, and their forces back into rows. */
static jager_status move_block(const jager_law *law, jager_pool *pool, const binding_moves *moves, size_t first,
                               size_t count, size_t *moved)
{
  jager_contact *contacts[BLOCK];
  double dxi[2][BLOCK], ft[2][BLOCK];
  jager_state state[BLOCK];
  for (size_t k = 0; k < count; k++) {
    contacts[k] = moves->contacts + first + k;
    for (int i = 0; i < 2; i++)
      dxi[i][k] = element(moves->dxi, first + k, moves->columns, i);
  }
  jager_moves block = {.count = count,
                       .contacts = contacts,
                       .zeta = moves->zeta + first,
                       .dxi = {dxi[0], dxi[1]},
                       .fn = moves->fn + first,
                       .ft = {ft[0], ft[1]},
                       .state = state};
  jager_status status = jager_contacts_move(&block, law, pool, moved);
  for (size_t k = 0; k < *moved; k++) {
    moves->ft[2 * (first + k)] = ft[0][k];
    moves->ft[2 * (first + k) + 1] = ft[1][k];
    moves->state[first + k] = (uint8_t)state[k];
  }
  return status;
}

jager_status binding_contacts_move(const jager_law *law, jager_pool *pool, const binding_moves *moves, size_t *moved)
{
  size_t failed;
  *moved = 0;
  jager_status status = check_movements(moves, &failed);
  if (status != JAGER_OK) {
    *moved = failed;
    return status;
  }
  while (status == JAGER_OK && *moved < moves->count) {
    size_t left = moves->count - *moved, of_block = 0;
    status = move_block(law, pool, moves, *moved, left < BLOCK ? left : BLOCK, &of_block);
    *moved += of_block;
  }
  return status;
}

/* ---- Impacts of two bodies --------------------------------------------------------------------------------------- */

/* Checks that impact_compute does not make. */
static bool check_bodies(const binding_impact_bodies *b, binding_error *error)
{
  if (!(b->mass_a > 0.0 && b->mass_b > 0.0 && (isfinite(b->mass_a) || isfinite(b->mass_b))))
    return binding_error_set(error, BINDING_BAD_INPUT,
                             "the masses must be more than 0, and one of the bodies must be able to move");
  if (!isfinite(b->radius_a) || (isfinite(b->mass_b) && !isfinite(b->radius_b)))
    return binding_error_set(error, BINDING_BAD_INPUT,
                             "the first body must be a sphere, and a wall must have an infinite mass");
  if (!(b->damping >= 0.0 && b->damping <= 1.0))
    return binding_error_set(error, BINDING_BAD_INPUT, "the damping, %g, must lie between 0 and 1", b->damping);
  return (b->steps >= 10 && b->steps <= 1000000) ||
         binding_error_set(error, BINDING_BAD_INPUT, "the number of steps, %d, must lie between 10 and 1000000",
                           b->steps);
}

static void take_result(binding_impact *to, const impact *of, const impact_result *from)
{
  double unit = of->bodies.parameters.kappa * of->bodies.parameters.friction * of->approach;
  *to = (binding_impact){.rebound = from->rebound,
                         .shear = from->shear,
                         .spin_a = from->spin[0],
                         .spin_b = from->spin[1],
                         .energy_before = from->energy[0],
                         .energy_after = from->energy[1],
                         .dissipated = from->dissipated,
                         .viscous = from->viscous,
                         .depth = from->depth,
                         .force_error = from->force_error,
                         .psi1 = of->shear / unit,
                         .psi2 = from->shear / unit,
                         .steps = from->steps,
                         .separates = from->separates};
}

static bool collide(impact *of, size_t number, binding_impact *result, binding_error *error)
{
  impact_result found;
  if (!(of->approach > 0.0 && isfinite(of->approach) && isfinite(of->shear)))
    return binding_error_set(error, BINDING_BAD_INPUT,
                             "impact %zu: the normal velocity, %g, must be more than 0, and the tangential one, %g, a "
                             "number",
                             number, of->approach, of->shear);
  jager_status status = impact_compute(of, &found);
  if (of->stop && atomic_load(of->stop) != 0)
    return binding_error_interrupted(error);
  if (status == JAGER_ERROR_MEMORY)
    return binding_error_memory(error);
  if (status != JAGER_OK)
    return binding_error_set(error, BINDING_RUN_FAILED, "impact %zu, model %s: %s", number, law_name(of->bodies.law),
                             jager_status_text(status));
  take_result(result, of, &found);
  return true;
}

bool binding_impacts(const binding_impact_bodies *bodies, size_t count, const double *approach, const double *shear,
                     binding_impact *results, binding_watch *watch, binding_error *error)
{
  binding_error_clear(error);
  int law = 0;
  while (law < LAW_COUNT && strcmp(bodies->model, law_name(law)) != 0)
    law++;
  if (law == LAW_COUNT)
    return binding_error_set(error, BINDING_BAD_INPUT, "there is no model '%s'", bodies->model);
  if (!check_bodies(bodies, error))
    return false;
  impact of = {.bodies = {.law = law,
                          .parameters = bodies->law,
                          .radius_a = bodies->radius_a,
                          .radius_b = bodies->radius_b,
                          .grid = {SPRINGS_COUNT_DEFAULT, 0.0}},
               .mass_a = bodies->mass_a,
               .mass_b = bodies->mass_b,
               .damping = bodies->damping,
               .steps = bodies->steps,
               .stop = binding_watch_watcher(watch).stop};
  for (size_t i = 0; i < count; i++) {
    of.approach = approach[i];
    of.shear = shear[i];
    if (!collide(&of, i, &results[i], error))
      return false;
  }
  return true;
}
