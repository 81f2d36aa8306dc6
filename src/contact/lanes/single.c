/* SPDX-License-Identifier: MIT */
/* The way of a single contact, for those that lanes leave out, and between records and contacts. */
#include "contact/movement.h"
#include "contact/pairs/pairs.h"

jager_status jager_single_check(const jager_law *law, const jager_pool *pool, const jager_contact *contact, double zeta,
                                const double dxi[2])
{
  return check_movement(law, pool, data_of_const(contact), zeta, dxi);
}

bool jager_single_shorten(const jager_law *law, jager_pool *pool, contact_data *c, jager_force *force)
{
  if (c->points_since_shortening < GROWTH_MAX)
    return false;
  shorten_if_due(law, pool, c);
  *force = force_of(c);
  return true;
}

/* ---- Records ----------------------------------------------------------------------------------------------------- */

void jager_record_view(const jager_pairs *pairs, const pair_record *record, contact_data *view)
{
  const history_origin *of = &pairs->origins[record->origin];
  unsigned segments = record->shape >> SHAPE_SEGMENTS & 3u, fill = record->shape >> SHAPE_FILL;
  memcpy(view, record->core, sizeof record->core);
  view->friction = of->friction;
  view->node = record->node == NO_NODE ? NULL : pool_node(pairs->pool, record->node);
  view->length = view->node ? view->node->entries_below + fill + 3 : segments + 1;
  view->fill = (uint8_t)fill;
  view->state = record->shape & 3u;
  view->model = of->model;
  view->points_since_shortening = record->points;
}

void jager_record_set(pair_record *record, const contact_data *c, uint16_t origin)
{
  memcpy(record->core, c, sizeof record->core);
  record->node = c->node ? c->node->number : NO_NODE;
  record->shape = shape_of(c->state, c->length > 2 ? 2 : c->length - 1, c->fill);
  record->points = c->points_since_shortening;
  record->origin = origin;
}

/* check_movement reads neither length nor node, beyond that there is a history. */
jager_status jager_record_check(const jager_pairs *pairs, const pair_record *record, const jager_law *law, double zeta,
                                const double dxi[2])
{
  contact_data c;
  c.length = 1;
  c.model = pairs->origins[record->origin].model;
  return check_movement(law, pairs->pool, &c, zeta, dxi);
}

jager_status jager_record_move(jager_pairs *pairs, pair_record *record, const jager_law *law, uint16_t origin,
                               double zeta, const double dxi[2], jager_force *before, jager_force *force)
{
  jager_contact contact;
  contact_data *c = data_of(&contact);
  jager_record_view(pairs, record, c);
  *before = force_of(c);
  jager_status status = jager_contact_move(law, pairs->pool, &contact, zeta, dxi, force);
  if (status == JAGER_OK)
    jager_record_set(record, c, origin);
  return status;
}

bool jager_record_shorten(jager_pairs *pairs, pair_record *record, const jager_law *law, jager_force *force)
{
  if (record->points < GROWTH_MAX)
    return false;
  contact_data c;
  jager_record_view(pairs, record, &c);
  (void)jager_single_shorten(law, pairs->pool, &c, force);
  jager_record_set(record, &c, record->origin);
  return true;
}
