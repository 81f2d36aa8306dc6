/* SPDX-License-Identifier: MIT */
/* One contact along a path. */
#include "history.h"

static bool wants_energies(const jager_path *path)
{
  return path->normal || path->tangential || path->dissipated;
}

/* Writes a number, if there is an array for it. */
static void write_number(double *array, size_t at, double value)
{
  if (array)
    array[at] = value;
}

/* The outputs of movement `at` */
static void tell_movement(const jager_path *path, size_t at, const jager_contact *contact, const jager_force *force,
                          const jager_balance *balance)
{
  write_number(path->fn, at, force->fn);
  write_number(path->ft[0], at, force->ft[0]);
  write_number(path->ft[1], at, force->ft[1]);
  write_number(path->normal, at, balance->normal);
  write_number(path->tangential, at, balance->tangential);
  write_number(path->dissipated, at, balance->dissipated);
  if (path->state)
    path->state[at] = (jager_state)data_of_const(contact)->state;
}

jager_status jager_contact_move_path(const jager_law *law, jager_pool *pool, jager_contact *contact,
                                     const jager_path *path, size_t *moved)
{
  if (moved)
    *moved = 0;
  if (!law || !pool || !contact || !path || (path->count > 0 && !(path->zeta && path->dxi[0] && path->dxi[1])))
    return JAGER_ERROR_NULL;
  const bool with_energies = wants_energies(path);
  jager_balance balance = {0};
  jager_status status = with_energies ? jager_balance_begin(&balance, law, contact) : JAGER_OK;
  for (size_t at = 0; at < path->count && status == JAGER_OK; at++) {
    const double dxi[2] = {path->dxi[0][at], path->dxi[1][at]};
    jager_force force;
    status = with_energies ? jager_balance_move(&balance, law, pool, contact, path->zeta[at], dxi, &force)
                           : jager_contact_move(law, pool, contact, path->zeta[at], dxi, &force);
    if (status != JAGER_OK)
      break;
    tell_movement(path, at, contact, &force, &balance);
    if (moved)
      *moved = at + 1;
  }
  return status;
}
