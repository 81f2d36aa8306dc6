/* SPDX-License-Identifier: MIT */
/* The pool's nodes, in which all segments of a history but the two topmost are stored. */
#ifndef JAGER_POOL_H
#define JAGER_POOL_H

#include "jager/jager.h"
#include "vec2.h"

#include <stdint.h>

/* A segment of a history: it ends at ζ* and has the slope p*. It starts where the entry below ends. */
typedef struct history_entry {
  double zeta;
  double2 p;
} history_entry;

enum { NODE_ENTRIES = 4, SLAB_NODES = 32 };

/* Two cache lines. Fn* is not stored: its square root costs less time than the memory would. */
typedef struct history_node {
  history_entry entry[NODE_ENTRIES];
  uint32_t error_bound[NODE_ENTRIES]; /* at the end of each entry; see tolerance.h */
  struct history_node *below;         /* the older part of the history; also links the free list */
  uint32_t number;                    /* of the node in its pool */
  uint32_t entries_below;             /* entries in the nodes below, which are full */
} history_node;

/* Entries and bounds are compared as bytes: they must have no gaps. */
_Static_assert(sizeof(history_node) == 128, "a node is two cache lines");
_Static_assert(sizeof(history_entry) == 3 * sizeof(double), "an entry has no gaps");

#define NO_NODE UINT32_MAX

struct jager_pool {
  history_node *free;           /* unused nodes, linked by `below` */
  struct block_head *blocks;    /* the memory that the slabs lie in */
  history_node **slabs;         /* slab k has the nodes SLAB_NODES k ... SLAB_NODES (k + 1) - 1 */
  size_t slab_count, slab_room; /* of the table */
  size_t nodes;                 /* nodes in all slabs */
  size_t nodes_free;            /* nodes on the free list */
  size_t bytes;                 /* taken from the allocator */
  size_t byte_limit;
  const jager_allocator *allocator;
};

/* Makes sure that `count` nodes are free. False: out of memory, and nothing has changed. */
bool jager_pool_reserve(jager_pool *pool, size_t count);

static JAGER_INLINE history_node *pool_node(const jager_pool *pool, uint32_t number)
{
  return &pool->slabs[number / SLAB_NODES][number % SLAB_NODES];
}

/* A free node; there must be one. */
static JAGER_INLINE history_node *pool_take(jager_pool *pool)
{
  history_node *node = pool->free;
  pool->free = node->below;
  pool->nodes_free--;
  return node;
}

static JAGER_INLINE void pool_give(jager_pool *pool, history_node *node)
{
  node->below = pool->free;
  pool->free = node;
  pool->nodes_free++;
}

#endif
