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

/* check_movement reads neither length nor node, beyond that there is a history. */
jager_status jager_record_check(const jager_pairs *pairs, const pair_record *record, const jager_law *law, double zeta,
                                const double dxi[2])
{
  contact_data c;
  c.length = 1;
  c.model = pairs->origins[record->origin].model;
  return check_movement(law, pairs->pool, &c, zeta, dxi);
}

/*
 * The core of a record is that of a contact. So the record itself becomes the contact for the time of the movement:
 * only the bytes behind the core are put aside. (A copy of the whole would wait for the stores of the movement.)
 */
typedef struct contact_tail {
  double friction;
  history_node *node;
  uint32_t length;
  uint8_t fill, state, model, points_since_shortening;
} contact_tail;

enum { TAIL_AT = offsetof(contact_data, friction), TAIL_BYTES = sizeof(contact_data) - TAIL_AT };
_Static_assert(sizeof(contact_tail) == TAIL_BYTES &&
                   offsetof(contact_tail, node) == offsetof(contact_data, node) - TAIL_AT &&
                   offsetof(contact_tail, points_since_shortening) ==
                       offsetof(contact_data, points_since_shortening) - TAIL_AT,
               "a contact is a core and this");

static contact_tail tail_of(const jager_pairs *pairs, const pair_record *record)
{
  const history_origin *of = &pairs->origins[record->origin];
  unsigned segments = record->shape >> SHAPE_SEGMENTS & 3u, fill = record->shape >> SHAPE_FILL;
  history_node *node = record->node == NO_NODE ? NULL : pool_node(pairs->pool, record->node);
  return (contact_tail){.friction = of->friction,
                        .node = node,
                        .length = node ? node->entries_below + fill + 3 : segments + 1,
                        .fill = (uint8_t)fill,
                        .state = record->shape & 3u,
                        .model = of->model,
                        .points_since_shortening = record->points};
}

static void set_tail(pair_record *record, const contact_tail *tail, uint16_t origin)
{
  record->node = tail->node ? tail->node->number : NO_NODE;
  record->shape = shape_of(tail->state, tail->length > 2 ? 2 : tail->length - 1, tail->fill);
  record->points = tail->points_since_shortening;
  record->origin = origin;
}

void jager_record_view(const jager_pairs *pairs, const pair_record *record, contact_data *view)
{
  contact_tail tail = tail_of(pairs, record);
  memcpy(view, record->core, sizeof record->core);
  memcpy((char *)view + TAIL_AT, &tail, TAIL_BYTES);
}

void jager_record_set(pair_record *record, const contact_data *c, uint16_t origin)
{
  contact_tail tail;
  memcpy(&tail, (const char *)c + TAIL_AT, TAIL_BYTES);
  memcpy(record->core, c, sizeof record->core);
  set_tail(record, &tail, origin);
}

jager_status jager_record_move(jager_pairs *pairs, pair_record *record, const jager_law *law, uint16_t origin,
                               double zeta, const double dxi[2], jager_force *before, jager_force *force)
{
  jager_contact *contact = (jager_contact *)(void *)record;
  char aside[TAIL_BYTES], *behind = (char *)record + TAIL_AT;
  contact_tail tail = tail_of(pairs, record);
  memcpy(aside, behind, TAIL_BYTES);
  memcpy(behind, &tail, TAIL_BYTES);
  *before = force_of(data_of(contact));
  jager_status status = jager_contact_move(law, pairs->pool, contact, zeta, dxi, force);
  memcpy(&tail, behind, TAIL_BYTES);
  memcpy(behind, aside, TAIL_BYTES);
  if (status == JAGER_OK)
    set_tail(record, &tail, origin);
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
