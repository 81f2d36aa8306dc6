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
  vec2 p;
} history_entry;

enum { NODE_ENTRIES = 4 };

/* Fn* is not stored: its square root costs less time than the memory would. */
typedef struct history_node {
  history_entry entry[NODE_ENTRIES];
  uint32_t error_bound[NODE_ENTRIES]; /* at the end of each entry; see tolerance.h */
  struct history_node *below;         /* the older part of the history; also links the free list */
} history_node;

/* Documentation and measurements rely on the size, where pointers have 64 bits. */
_Static_assert(sizeof(void *) != 8 || sizeof(history_node) == 120, "a node has 120 bytes");
/* Nodes are compared and copied as bytes up to `below`: they must have no gaps, and `below` must come last. */
_Static_assert(sizeof(history_entry) == 3 * sizeof(double), "an entry has no gaps");
_Static_assert(offsetof(history_node, error_bound) == NODE_ENTRIES * sizeof(history_entry) &&
                   offsetof(history_node, below) ==
                       offsetof(history_node, error_bound) + NODE_ENTRIES * sizeof(uint32_t),
               "a node has no gaps, and `below` comes last");

struct jager_pool {
  history_node *free;      /* unused nodes, linked by `below` */
  struct slab_head *slabs; /* the blocks that the nodes came from */
  size_t nodes;            /* nodes in all slabs */
  size_t nodes_free;       /* nodes on the free list */
  size_t bytes;            /* taken from the allocator */
  size_t byte_limit;
  const jager_allocator *allocator;
};

/* Makes sure that `count` nodes are free. False: out of memory, and nothing has changed. */
bool jager_pool_reserve(jager_pool *pool, size_t count);

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
