/* SPDX-License-Identifier: MIT */
/* The partition of a block's candidates into touching, watched and other pairs. */
#include "pair_order.h"

#include <assert.h>
#include <string.h>

/* Separate pairs with a wider gap are not watched. */
static double watch_margin(const dem_simulation *s)
{
  return 0.0625 * s->skin;
}

bool dem_pair_order_is_stale(const dem_simulation *s, const block *b)
{
  return b->partition_is_stale || !(s->approach_bound - b->approach_at_partition < watch_margin(s));
}

static bool is_near(const dem_simulation *s, const block *b, uint32_t k, double margin)
{
  const candidate *pair = &b->candidates[k];
  const body *p = &s->bodies[b->first + b->owners[k]], *q = &s->bodies[pair->q];
  vec3 branch = pair_branch(p, q, &s->images[pair->image]);
  double reach = p->radius + q->radius + margin;
  return vec3_dot(branch, branch) < reach * reach;
}

#ifndef NDEBUG
/* Are the groups in their places, and does each pair belong to its group? */
static bool partition_is_valid(const block *b)
{
  if (b->inner_end > b->touching_end || b->touching_end > b->watched_end || b->watched_end > b->start[b->count])
    return false;
  for (uint32_t i = 0; i < b->start[b->count]; i++) {
    uint16_t k = b->order[i];
    bool touches = i < b->touching_end, is_first = i == 0 || i == b->inner_end;
    if (k >= b->start[b->count] || (b->candidates[k].slot != NO_SLOT) != touches)
      return false;
    if (touches && (is_inner(b, &b->candidates[k]) != (i < b->inner_end) || (!is_first && b->order[i - 1] >= k)))
      return false;
  }
  return true;
}
#endif

/* Touching pairs first, inner before outer, by rising candidate number; the others behind them */
static void group_touching(block *b)
{
  uint32_t total = b->start[b->count], count = 0;
  for (int outer = 0; outer < 2; outer++) {
    b->inner_end = count;
    for (uint32_t k = 0; k < total; k++)
      if (b->candidates[k].slot != NO_SLOT && (b->wrench_number[k] != NO_WRENCH) == outer)
        b->order[count++] = (uint16_t)k;
  }
  b->touching_end = count;
  for (uint32_t k = 0; k < total; k++)
    if (b->candidates[k].slot == NO_SLOT)
      b->order[count++] = (uint16_t)k;
  b->touching_is_stale = true;
}

/* Separate pairs that are near before those that are not */
static void group_watched(const dem_simulation *s, block *b)
{
  double margin = watch_margin(s);
  uint32_t near = b->touching_end, total = b->start[b->count];
  for (uint32_t i = near; i < total; i++) {
    uint16_t k = b->order[i];
    if (is_near(s, b, k, margin)) {
      b->order[i] = b->order[near];
      b->order[near++] = k;
    }
  }
  b->watched_end = near;
  b->approach_at_partition = s->approach_bound;
}

void dem_pair_order_partition(const dem_simulation *s, block *b)
{
  if (b->partition_is_stale)
    group_touching(b);
  b->partition_is_stale = false;
  group_watched(s, b);
  assert(partition_is_valid(b));
}

bool dem_pair_order_list(block *b)
{
  if (b->touching_end > b->touching_room) {
    size_t room = b->touching_end + b->touching_end / 32 + 8;
    jager_pair *larger = realloc(b->touching, room * sizeof *larger);
    if (!larger)
      return false;
    b->touching = larger;
    b->touching_room = room;
    free(b->motions); /* as long as the list: made anew when it is needed */
    b->motions = NULL;
  }
  for (uint32_t i = 0; i < b->touching_end; i++) {
    uint16_t k = b->order[i], number = b->wrench_number[k];
    const candidate *pair = &b->candidates[k];
    b->touching[i] = (jager_pair){.p = b->first + b->owners[k],
                                  .q = pair->q,
                                  .contact = pair->slot,
                                  .wrench = number == NO_WRENCH ? JAGER_NONE : (uint32_t)b->first_wrench + number,
                                  .shift = pair->image};
  }
  b->touching_is_stale = false;
  return true;
}

void dem_pair_order_move_to_touching(block *b, uint32_t i)
{
  assert(i >= b->touching_end && i < b->watched_end);
  uint16_t k = b->order[i];
  bool inner = b->wrench_number[k] == NO_WRENCH;
  uint32_t to = inner ? b->inner_end : b->touching_end, first = inner ? 0 : b->inner_end;
  while (to > first && b->order[to - 1] > k)
    to--;
  memmove(b->order + to + 1, b->order + to, (i - to) * sizeof *b->order);
  b->order[to] = k;
  b->inner_end += inner;
  b->touching_end++;
  b->touching_is_stale = true;
  assert(partition_is_valid(b));
}

void dem_pair_order_move_to_watched(block *b, uint32_t i)
{
  assert(i < b->touching_end);
  uint16_t k = b->order[i];
  b->touching_end--;
  b->inner_end -= i < b->inner_end;
  memmove(b->order + i, b->order + i + 1, (b->touching_end - i) * sizeof *b->order);
  b->order[b->touching_end] = k;
  b->touching_is_stale = true;
  assert(partition_is_valid(b));
}
