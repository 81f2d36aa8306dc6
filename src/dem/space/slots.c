/* SPDX-License-Identifier: MIT */
/* The memory of the contacts of a block. */
#include "slots.h"
#include "dem/observe/trace.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Like realloc, but aligned to cache lines. On failure the memory stays as it was. */
static bool enlarge(void **memory, size_t old, size_t new)
{
  void *larger = allocate_lines(new);
  if (!larger)
    return false;
  if (old > 0)
    memcpy(larger, *memory, old);
  free(*memory);
  *memory = larger;
  return true;
}

bool dem_slots_reserve(block *b, uint32_t room)
{
  if (room <= b->slot_room)
    return true;
  if (room >= NO_SLOT || !enlarge((void **)&b->contacts, b->slots * sizeof *b->contacts, room * sizeof *b->contacts) ||
      !enlarge((void **)&b->frames, b->slots * sizeof *b->frames, room * sizeof *b->frames) ||
      !enlarge((void **)&b->traces, b->slots * sizeof *b->traces, room * sizeof *b->traces) ||
      !enlarge((void **)&b->free_slots, b->free_count * sizeof *b->free_slots, room * sizeof *b->free_slots))
    return false;
  b->slot_room = room;
  return true;
}

void dem_slots_free(block *b)
{
  free(b->contacts);
  free(b->frames);
  free(b->traces);
  free(b->free_slots);
}

uint16_t dem_slot_take(block *b)
{
  if (b->free_count > 0)
    return b->free_slots[--b->free_count];
  assert(b->slots <= b->slot_room);
  if (b->slots == b->slot_room && !dem_slots_reserve(b, b->slot_room + b->slot_room / 2 + 16)) {
    b->status = JAGER_ERROR_MEMORY;
    return NO_SLOT;
  }
  b->contacts[b->slots] = (jager_contact){0};
  return (uint16_t)b->slots++;
}

void dem_slot_release(const dem_simulation *s, block *b, uint16_t slot)
{
  assert(slot < b->slots && b->free_count < b->slots);
  if (b->traces[slot])
    dem_trace_end(s->traces, b->traces[slot], s);
  jager_contact_release(b->pool, &b->contacts[slot]);
  b->free_slots[b->free_count++] = slot;
}
