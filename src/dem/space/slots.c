/* SPDX-License-Identifier: MIT */
/* The contacts of a block, beside those of the library. */
#include "slots.h"
#include "dem/observe/trace.h"

#include <assert.h>

/* Makes room for the traces of so many contacts, and keeps those that exist. False: out of memory, or too many. */
static bool reserve_traces(block *b, uint32_t room)
{
  if (room <= b->trace_room)
    return true;
  uint32_t *traces = room < NO_SLOT ? realloc(b->traces, room * sizeof *traces) : NULL;
  if (!traces)
    return false;
  b->traces = traces;
  b->trace_room = room;
  return true;
}

bool dem_slot_set(block *b, candidate *pair, uint32_t number, uint32_t trace)
{
  assert(pair->slot == NO_SLOT);
  if (number >= b->trace_room && !reserve_traces(b, number + number / 32 + 8))
    return false;
  pair->slot = (uint16_t)number;
  b->traces[number] = trace;
  return true;
}

void dem_slot_clear(const dem_simulation *s, block *b, candidate *pair)
{
  assert(pair->slot < b->trace_room);
  if (b->traces[pair->slot])
    dem_trace_end(s->traces, b->traces[pair->slot], s);
  pair->slot = NO_SLOT;
}
