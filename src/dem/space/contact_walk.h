/* SPDX-License-Identifier: MIT */
/*
 * An iterator over all contacts, in the order of their spheres:
 *
 *     for (contact_walk at = contact_walk_start(s); contact_walk_next(&at);) ...
 */
#ifndef JAGER_DEM_SPACE_CONTACT_WALK_H
#define JAGER_DEM_SPACE_CONTACT_WALK_H

#include "dem/state.h"

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
  wrench *outer_wrench; /* on q; NULL: the contact is inner */
  uint32_t *trace;
} contact_walk;

static inline contact_walk contact_walk_start(const dem_simulation *s)
{
  return (contact_walk){.simulation = s};
}

/* The contact of this number in the block, as a view, with its frame */
static inline void contact_walk_look(const block *b, uint16_t number, jager_contact *contact, contact_frame *frame)
{
  double branch[3] = {0.0}, axis[3] = {0.0};
  (void)jager_pairs_view(b->contacts, number, contact); /* slots are numbers of contacts */
  (void)jager_pairs_frame(b->contacts, number, branch, axis);
  jager_force force = jager_contact_force(contact);
  *frame = (contact_frame){.branch = {branch[0], branch[1], branch[2]},
                           .axis = {axis[0], axis[1], axis[2]},
                           .ft = {force.ft[0], force.ft[1]}};
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
  if (!contact_walk_find(at))
    return false;
  contact_walk_look(&at->simulation->blocks[at->block_number], at->number, &at->contact, &at->frame);
  return true;
}

#endif
