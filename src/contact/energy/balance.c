/* SPDX-License-Identifier: MIT */
/*
 * The energies of a contact, followed from movement to movement.
 *
 * The energy stored in shear is a sum over the whole history. A movement changes it by an amount that follows from the
 * changed part of the history alone (stored.c); these changes are added up in a compensated sum. As the changes have
 * rounding errors of their own, the energy is summed anew after as many movements as half the history has points, and
 * always while the history is short. That costs a few segments per movement.
 */
#include "energy.h"

enum { SHORT_LENGTH = 64 };

static bool must_sum_anew(const jager_balance *balance, const contact_data *c)
{
  return c->length <= SHORT_LENGTH || balance->movements >= c->length / 2;
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
static jager_status add_change(const jager_law *law, const jager_contact *contact, const energy_change *change,
                               jager_balance *balance)
{
  const contact_data *c = data_of_const(contact);
  compensated_add(&balance->dissipated, &balance->dissipated_low, change->dissipated);
  double tangential = balance->tangential + change->tangential;
  if (!change->wants_tangential || !(tangential >= 0.0 && isfinite(tangential)) || must_sum_anew(balance, c))
    return sum_anew(law, contact, balance);
  balance->normal = jager_normal_energy(law, c);
  compensated_add(&balance->tangential, &balance->tangential_low, change->tangential);
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
  contact_data *c = data_of(contact);
  energy_change change = {.wants_tangential = !must_sum_anew(balance, c)};
  jager_status status = jager_move_with_energy(law, pool, c, zeta, dxi, &change);
  if (status != JAGER_OK)
    return status;
  if (force)
    *force = force_of(c);
  return add_change(law, contact, &change, balance);
}

jager_status jager_balance_load(jager_balance *balance, const jager_law *law, jager_pool *pool, jager_contact *contact,
                                const jager_force *force, jager_movement *movement)
{
  if (!balance || !contact)
    return JAGER_ERROR_NULL;
  contact_data *c = data_of(contact);
  energy_change change = {.wants_tangential = !must_sum_anew(balance, c)};
  jager_status status = jager_load_with_energy(law, pool, c, force, movement, &change);
  return status == JAGER_OK ? add_change(law, contact, &change, balance) : status;
}
