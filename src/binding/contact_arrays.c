/* SPDX-License-Identifier: MIT */
/* Contacts moved by whole arrays, whose vectors lie one after the other, as other languages keep them. */
#include "binding.h"

#include <math.h>

enum { BLOCK = 512 }; /* contacts whose movements are put into columns at a time: they stay in the cache */

/* Limits of jager_contact_move. */
#define ZETA_MAX 1e60
#define SHIFT_MAX 1e150

static double element(const double *values, size_t row, int columns, int column)
{
  return column < columns ? values[row * (size_t)columns + (size_t)column] : 0.0;
}

/* ---- One contact along a path ------------------------------------------------------------------------------------ */

/* The shift of movement k, and the position at its end. */
static void find_shift(const binding_walk *walk, size_t k, double at[2], double dxi[2])
{
  for (int i = 0; i < 2; i++) {
    double value = element(walk->xi, k, walk->columns, i);
    dxi[i] = walk->is_change ? value : value - at[i];
    at[i] = walk->is_change ? at[i] + value : value;
  }
}

static void store_step(const binding_walk *walk, size_t k, const double at[2], const jager_force *force,
                       jager_state state)
{
  walk->reached[3 * k] = walk->zeta[k];
  walk->reached[3 * k + 1] = at[0];
  walk->reached[3 * k + 2] = at[1];
  walk->fn[k] = force->fn;
  walk->ft[2 * k] = force->ft[0];
  walk->ft[2 * k + 1] = force->ft[1];
  walk->state[k] = (uint8_t)state;
}

static void store_energies(const binding_walk *walk, size_t k, const jager_balance *balance)
{
  walk->normal[k] = balance->normal;
  walk->tangential[k] = balance->tangential;
  walk->dissipated[k] = balance->dissipated;
}

static jager_status move_all(const jager_law *law, jager_pool *pool, jager_contact *contact, const binding_walk *walk,
                             double at[2], size_t *failed)
{
  jager_balance balance;
  jager_status status = walk->normal ? jager_balance_begin(&balance, law, contact) : JAGER_OK;
  for (size_t k = 0; status == JAGER_OK && k < walk->count; k++) {
    jager_force force;
    double dxi[2];
    find_shift(walk, k, at, dxi);
    *failed = k;
    status = walk->normal ? jager_balance_move(&balance, law, pool, contact, walk->zeta[k], dxi, &force)
                          : jager_contact_move(law, pool, contact, walk->zeta[k], dxi, &force);
    if (status != JAGER_OK)
      return status;
    store_step(walk, k, at, &force, jager_contact_state(contact));
    if (walk->normal)
      store_energies(walk, k, &balance);
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
    jager_contact_release(pool, &before);
  } else {
    jager_contact_release(pool, contact);
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
  jager_status status = jager_contacts_move(law, pool, &block, moved);
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
