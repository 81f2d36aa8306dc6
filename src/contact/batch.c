/* SPDX-License-Identifier: MIT */
/* Many contacts moved at once: in chunks, by the code for lanes where the law has it (lanes/movements.h). */
#include "contact/lanes/kernel.h"
#include "movement.h"

static void store_states(const contact_chunk *part, size_t count)
{
  for (size_t k = 0; part->moves->state && k < count; k++)
    part->moves->state[part->first + k] = jager_contact_state(part->moves->contacts[part->first + k]);
}

static void prefetch_contact(const void *at)
{
  for (int line = 0; line < 3; line++)
    JAGER_PREFETCH((const char *)at + 64 * line);
}

void jager_contact_prefetch(const jager_contact *contact)
{
  const history_node *node = data_of_const(contact)->node;
  if (node) {
    JAGER_PREFETCH(node);
    JAGER_PREFETCH((const char *)node + 64);
  }
}

static jager_status move_contact_singly(const contact_chunk *part, size_t k)
{
  const jager_moves *moves = part->moves;
  size_t at = part->first + k;
  double dxi[2] = {moves->dxi[0][at], moves->dxi[1][at]};
  jager_force force;
  jager_status status = jager_contact_move(part->law, part->pool, moves->contacts[at], moves->zeta[at], dxi, &force);
  if (status == JAGER_OK) {
    moves->fn[at] = force.fn;
    moves->ft[0][at] = force.ft[0];
    moves->ft[1][at] = force.ft[1];
  }
  return status;
}

/*
 * One contact after the other: for laws and contours that have no lanes, and for chunks in which a contact cannot be
 * moved, to find that contact. `moved` counts the contacts that have moved.
 */
static jager_status move_contacts_singly(const contact_chunk *part, size_t *moved)
{
  jager_status status = JAGER_OK;
  for (*moved = 0; *moved < part->count; ++*moved) {
    status = move_contact_singly(part, *moved);
    if (status != JAGER_OK)
      break;
  }
  return status;
}

static bool moves_are_complete(const jager_moves *m)
{
  return m->contacts && m->zeta && m->dxi[0] && m->dxi[1] && m->fn && m->ft[0] && m->ft[1];
}

static bool has_null(const contact_chunk *part)
{
  bool found = false;
  for (size_t k = 0; k < part->count; k++)
    found |= !part->moves->contacts[part->first + k];
  return found;
}

/* Fetches the contacts of the next chunk into the cache. */
static void prefetch_next(const contact_chunk *part)
{
  size_t next = part->first + part->count, end = next + CHUNK < part->moves->count ? next + CHUNK : part->moves->count;
  for (size_t k = next; k < end; k++)
    prefetch_contact(part->moves->contacts[k]);
}

jager_status jager_contacts_move_by(const lane_kernel *kernel, const jager_law *law, jager_pool *pool,
                                    const jager_moves *moves, size_t *moved)
{
  if (moved)
    *moved = 0;
  if (!law || !pool || !moves || (moves->count > 0 && !moves_are_complete(moves)))
    return JAGER_ERROR_NULL;
  bool in_lanes = law->model == JAGER_MODEL_JAGER && law->contour == JAGER_CONTOUR_SPHERE && law->modulus > 0.0;
  for (size_t first = 0; first < moves->count; first += CHUNK) {
    size_t left = moves->count - first;
    contact_chunk part = {law, pool, moves, first, left < CHUNK ? left : CHUNK};
    size_t count = part.count;
    jager_status status = JAGER_OK;
    prefetch_next(&part);
    if (!in_lanes || has_null(&part) || kernel->move_contacts(&part) != JAGER_OK)
      status = move_contacts_singly(&part, &count);
    store_states(&part, count);
    if (moved)
      *moved = first + count;
    if (status != JAGER_OK)
      return status;
  }
  return JAGER_OK;
}

jager_status jager_contacts_move(const jager_law *law, jager_pool *pool, const jager_moves *moves, size_t *moved)
{
  return jager_contacts_move_by(jager_lane_kernel(0), law, pool, moves, moved);
}
