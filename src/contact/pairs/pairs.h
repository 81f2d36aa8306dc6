/* SPDX-License-Identifier: MIT */
/* The content of a jager_pairs. */
#ifndef JAGER_PAIRS_INTERNAL_H
#define JAGER_PAIRS_INTERNAL_H

#include "contact/lanes/kernel.h"

struct jager_pairs {
  pair_record *records; /* contacts by number; those that are not in use have the shape RECORD_FREE */
  size_t count, room;   /* numbers that were given out; of which records there is room for */
  uint32_t *free;       /* numbers that can be given out again */
  size_t free_count;
  jager_pool *pool;        /* of the histories */
  history_origin *origins; /* what histories were made with */
  size_t origin_count, origin_room;
  const lane_kernel *kernel;
};

enum { RECORD_FREE = 0xFF }; /* shape of a record that is not in use */

static JAGER_INLINE bool pairs_has(const jager_pairs *pairs, uint32_t number)
{
  return number < pairs->count && pairs->records[number].shape != RECORD_FREE;
}

#endif
