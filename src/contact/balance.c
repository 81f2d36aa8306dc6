/* SPDX-License-Identifier: MIT */
/*
 * The energies of a contact, followed from movement to movement.
 *
 * The stored shear energy is a sum over the whole history; a movement changes it by what energy.c finds from the part
 * of the history that has changed. Changes are added up with what rounding takes from the sum. Their own rounding
 * errors add up, too; so after as many movements as half the history has points, and always while it is short, the
 * energy is summed up anew: that costs a few segments a movement.
 */
#include "walk.h"

enum { SHORT_LENGTH = 64 };

static bool must_sum_anew(const jager_balance *balance, const jager_contact *contact)
{
  return contact->length <= SHORT_LENGTH || balance->movements >= contact->length / 2;
}

static jager_status sum_anew(const jager_law *law, const jager_contact *contact, jager_balance *balance)
{
  jager_energy stored;
  jager_status status = jager_contact_stored(law, contact, &stored);
  if (status != JAGER_OK)
    return status;
  balance->normal = stored.normal;
  balance->tangential = stored.tangential;
  balance->tangential_low = 0.0;
  balance->movements = 0;
  return JAGER_OK;
}

/* After a movement or load that has succeeded */
static jager_status add_change(const jager_law *law, const jager_contact *contact, const jager_energy_change *change,
                               jager_balance *balance)
{
  jager_sum_add_one(&balance->dissipated, &balance->dissipated_low, change->dissipated);
  double tangential = balance->tangential + change->tangential;
  if (!change->wants_tangential || !(tangential >= 0.0 && isfinite(tangential)) || must_sum_anew(balance, contact))
    return sum_anew(law, contact, balance);
  balance->normal = jager_normal_energy(law, contact);
  jager_sum_add_one(&balance->tangential, &balance->tangential_low, change->tangential);
  balance->movements++;
  return JAGER_OK;
}

jager_status jager_balance_begin(jager_balance *balance, const jager_law *law, const jager_contact *contact)
{
  if (!balance)
    return JAGER_ERROR_NULL;
  jager_balance begun = {.dissipated = 0.0};
  jager_status status = sum_anew(law, contact, &begun);
  if (status == JAGER_OK)
    *balance = begun;
  return status;
}

jager_status jager_balance_move(jager_balance *balance, const jager_law *law, jager_pool *pool, jager_contact *contact,
                                double zeta, const double dxi[2], jager_force *force)
{
  if (!balance || !contact)
    return JAGER_ERROR_NULL;
  jager_energy_change change = {.wants_tangential = !must_sum_anew(balance, contact)};
  jager_status status = jager_move_with_energy(law, pool, contact, zeta, dxi, &change);
  if (status != JAGER_OK)
    return status;
  if (force)
    *force = jager_contact_force(contact);
  return add_change(law, contact, &change, balance);
}

jager_status jager_balance_load(jager_balance *balance, const jager_law *law, jager_pool *pool, jager_contact *contact,
                                const jager_force *force, jager_movement *movement)
{
  if (!balance || !contact)
    return JAGER_ERROR_NULL;
  jager_energy_change change = {.wants_tangential = !must_sum_anew(balance, contact)};
  jager_status status = jager_load_with_energy(law, pool, contact, force, movement, &change);
  return status == JAGER_OK ? add_change(law, contact, &change, balance) : status;
}
