/* SPDX-License-Identifier: MIT */
/* A contact of any law. */
#include "law_contact.h"

#include <stddef.h>

const char *law_name(int law)
{
  return law == LAW_SPRINGS ? "springs" : jager_model_name((jager_model)law);
}

jager_status law_contact_init(law_contact *c, const law_bodies *bodies, jager_pool *pool)
{
  c->law = bodies->law;
  c->parameters = bodies->parameters;
  c->pool = pool;
  if (bodies->law != JAGER_MODEL_JAGER)
    c->parameters.tolerance = c->parameters.dp_max = 0.0;
  if (bodies->law == LAW_SPRINGS)
    return springs_create(&c->springs, &c->parameters, bodies->radius_a, bodies->radius_b, bodies->grid);
  jager_status status = jager_law_set_model(&c->parameters, (jager_model)bodies->law);
  if (status == JAGER_OK)
    status = jager_contact_init(&c->contact, &c->parameters, bodies->radius_a, bodies->radius_b);
  return status == JAGER_OK ? jager_balance_begin(&c->balance, &c->contact, &c->parameters) : status;
}

void law_contact_release(law_contact *c)
{
  springs_destroy(c->springs);
  c->springs = NULL;
  if (c->pool)
    jager_contact_release(&c->contact, c->pool);
}

jager_status law_contact_copy(law_contact *to, const law_contact *from)
{
  if (from->springs) {
    springs_copy(to->springs, from->springs);
    return JAGER_OK;
  }
  jager_contact_release(&to->contact, to->pool);
  jager_status status = jager_contact_clone(&from->contact, to->pool, &to->contact);
  if (status == JAGER_OK)
    to->balance = from->balance;
  return status;
}

jager_status law_contact_move(law_contact *c, double zeta, const double dxi[2], jager_force *force)
{
  if (!c->springs)
    return jager_balance_move(&c->balance, &c->contact, &c->parameters, c->pool, zeta, dxi, force);
  jager_status status = springs_move(c->springs, zeta, dxi);
  if (status == JAGER_OK && force)
    *force = springs_force(c->springs);
  return status;
}

jager_status law_contact_load(law_contact *c, const jager_force *force, jager_movement *movement)
{
  if (c->springs)
    return JAGER_ERROR_UNSUPPORTED;
  return jager_balance_load(&c->balance, &c->contact, &c->parameters, c->pool, force, movement);
}

jager_force law_contact_force(const law_contact *c)
{
  return c->springs ? springs_force(c->springs) : jager_contact_force(&c->contact);
}

double law_contact_force_error(const law_contact *c)
{
  return c->springs ? springs_force_error(c->springs) : 0.0;
}

jager_energy law_contact_energy(const law_contact *c)
{
  return c->springs ? springs_energy(c->springs) : jager_balance_energy(&c->balance);
}

jager_state law_contact_state(const law_contact *c)
{
  return c->springs ? springs_state(c->springs) : jager_contact_state(&c->contact);
}

double law_contact_zeta(const law_contact *c)
{
  return c->springs ? springs_zeta(c->springs) : jager_contact_zeta(&c->contact);
}

uint32_t law_contact_length(const law_contact *c)
{
  return c->springs ? (uint32_t)springs_engaged(c->springs) : jager_contact_length(&c->contact);
}
