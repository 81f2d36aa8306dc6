/* SPDX-License-Identifier: MIT */
/* The contacts: the contact phase of a step, and an iterator over all contacts. */
#ifndef JAGER_DEM_CONTACTS_H
#define JAGER_DEM_CONTACTS_H

#include "simulation_state.h"

/* Moves all contacts as their spheres have moved in the step, and computes the forces. */
bool dem_contacts_move(dem_simulation *s, error_info *error);

/* Sums the normal forces in the order of a step: for contacts that were read from a checkpoint. */
void dem_contacts_sum_normal_forces(dem_simulation *s);

/* Gives a candidate the contact that has this number in the library, and the trace. False: out of memory. */
bool dem_slot_set(block *b, candidate *pair, uint32_t number, uint32_t trace);

/* The contact of a candidate has ended, in the library too: ends its trace. */
void dem_slot_clear(const dem_simulation *s, block *b, candidate *pair);

/*
 * An iterator over all contacts, in the order of their spheres:
 *
 *     for (contact_walk at = contact_walk_start(s); contact_walk_next(&at);) ...
 */
typedef struct contact_walk {
  const dem_simulation *simulation;
  size_t block_number;
  uint32_t local, pair; /* of the next candidate: its p within the block, its index */

  /* The present contact */
  uint32_t p, q;
  const jager_pairs *contacts; /* of its block */
  uint16_t number;             /* in these */
  jager_contact contact;       /* a view, for reading */
  contact_frame frame;
  jager_wrench *outer_wrench; /* on q; NULL: the contact is inner */
  uint32_t *trace;
} contact_walk;

static inline contact_walk contact_walk_start(const dem_simulation *s)
{
  return (contact_walk){.simulation = s};
}

/* Moves on to the next contact without a view of it; false if there is none. */
static inline bool contact_walk_find(contact_walk *at)
{
  const dem_simulation *s = at->simulation;
  for (; at->block_number < s->block_count; at->block_number++, at->local = at->pair = 0) {
    const block *b = &s->blocks[at->block_number];
    for (; at->pair < b->start[b->count]; at->pair++) {
      const candidate *pair = &b->candidates[at->pair];
      if (pair->slot == NO_SLOT)
        continue;
      while (b->start[at->local + 1] <= at->pair)
        at->local++;
      at->p = b->first + at->local;
      at->q = pair->q;
      at->contacts = b->contacts;
      at->number = pair->slot;
      at->trace = &b->traces[pair->slot];
      uint16_t number = b->wrench_number[at->pair++];
      at->outer_wrench = number == NO_WRENCH ? NULL : &s->outer_wrenches[b->first_wrench + number];
      return true;
    }
  }
  return false;
}

/* Moves on to the next contact, with a view of it; false if there is none. */
static inline bool contact_walk_next(contact_walk *at)
{
  double branch[3] = {0.0}, axis[3] = {0.0};
  if (!contact_walk_find(at))
    return false;
  (void)jager_pairs_view(at->contacts, at->number, &at->contact); /* slots are numbers of contacts */
  (void)jager_pairs_frame(at->contacts, at->number, branch, axis);
  jager_force force = jager_contact_force(&at->contact);
  at->frame = (contact_frame){.branch = vec3_load(branch), .axis = vec3_load(axis), .ft = {force.ft[0], force.ft[1]}};
  return true;
}

#endif
