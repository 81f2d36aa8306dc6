/* SPDX-License-Identifier: MIT */
/* Friction and stiffness of a contact that change while it touches. */
#include "movement.h"

/* ---- Friction has fallen ----------------------------------------------------------------------------------------- */

/* The step takes at most one node, and the movement that follows another. */
JAGER_COLD jager_status jager_adopt_friction(const jager_law *law, jager_pool *pool, contact_data *c)
{
  if (law->friction >= c->friction || !(c->zeta > 0.0))
    return JAGER_OK;
  return jager_pool_reserve(pool, 2) && lower_friction(law, pool, c) ? JAGER_OK : JAGER_ERROR_MEMORY;
}

/* ---- Stiffness has changed --------------------------------------------------------------------------------------- */

jager_status jager_contact_restiffen(const jager_law *law, jager_contact *contact, double radius_a, double radius_b)
{
  jager_contact like = {0};
  jager_status status = contact ? jager_contact_init(&like, law, radius_a, radius_b) : JAGER_ERROR_NULL;
  if (status != JAGER_OK)
    return status;
  contact_data *c = data_of(contact);
  if (c->model != JAGER_MODEL_JAGER || law->model != JAGER_MODEL_JAGER)
    return JAGER_ERROR_UNSUPPORTED;
  if (c->length == 0)
    return JAGER_ERROR_UNINITIALISED;
  set_stiffness(law, c, data_of(&like)->stiffness);
  return JAGER_OK;
}
