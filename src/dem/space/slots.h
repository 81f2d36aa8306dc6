/* SPDX-License-Identifier: MIT */
/* The contacts of a block: what the simulator adds to those of the library, which are found by number. */
#ifndef JAGER_DEM_SPACE_SLOTS_H
#define JAGER_DEM_SPACE_SLOTS_H

#include "dem/state.h"

/* Gives a candidate the contact of this number, and the trace. False: out of memory. */
bool dem_slot_set(block *b, candidate *pair, uint32_t number, uint32_t trace);

/* The contact of a candidate has ended, in the library too: ends its trace. */
void dem_slot_clear(const dem_simulation *s, block *b, candidate *pair);

#endif
