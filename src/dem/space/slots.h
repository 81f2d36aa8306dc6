/* SPDX-License-Identifier: MIT */
/* The memory of the contacts of a block: numbered slots, some of them free. */
#ifndef JAGER_DEM_SPACE_SLOTS_H
#define JAGER_DEM_SPACE_SLOTS_H

#include "dem/state.h"

/* Makes room for so many contacts, and keeps those that exist. False: out of memory, or more than NO_SLOT - 1. */
bool dem_slots_reserve(block *b, uint32_t room);

/* Frees the memory of the slots, but not the histories of the contacts. */
void dem_slots_free(block *b);

/* A slot for a new contact; NO_SLOT, with b->status set, if there is no memory. */
uint16_t dem_slot_take(block *b);

/* The contact has separated: ends its trace, releases its history, and frees the slot. */
void dem_slot_release(const dem_simulation *s, block *b, uint16_t slot);

#endif
