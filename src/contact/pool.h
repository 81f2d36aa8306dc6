/* SPDX-License-Identifier: MIT */
/* The pool's nodes, in which all segments of a history but the two topmost are stored. */
#ifndef JAGER_POOL_H
#define JAGER_POOL_H

#include "jager/jager.h"
#include "numbers.h"

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
  uint32_t error_bound[NODE_ENTRIES]; /* at the end of each entry; see jager/detail/algorithm.h */
  struct history_node *below;         /* the older part of the history; also links the free list */
  uint32_t number;                    /* of the node in its pool */
  uint32_t entries_below : 31;        /* entries in the nodes below, which are full */
  uint32_t sums_are_known : 1;        /* the pool has the sums over the entries below: see path_sums */
} history_node;

/* Entries and bounds are compared as bytes: they must have no gaps. */
_Static_assert(sizeof(history_node) == 128, "a node is two cache lines");
_Static_assert(sizeof(history_entry) == 3 * sizeof(double), "an entry has no gaps");

#define NO_NODE UINT32_MAX

/*
 * Sums over the path below a node, for stored energies: with w(z) = E(end) - E(z), where the path below the node ends,
 * and v = z^(1/α). They depend on nothing else, so that they are the same whenever they are computed. The pool keeps
 * them from when they are first needed until the node is given back: below a node, nothing changes in this time except
 * the slopes when friction falls.
 */
typedef struct path_sums {
  double square; /* ∫ |w|² dv */
  double2 first; /* ∫ w dv */
} path_sums;

struct jager_pool {
  history_node *free;           /* unused nodes, linked by `below` */
  struct block_head *blocks;    /* the memory that the slabs lie in */
  history_node **slabs;         /* slab k has the nodes SLAB_NODES k ... SLAB_NODES (k + 1) - 1 */
  path_sums **sums;             /* of the nodes of each slab; NULL: of none. As many as slabs; NULL: none at all */
  size_t slab_count, slab_room; /* of the table */
  size_t nodes;                 /* nodes in all slabs */
  size_t nodes_free;            /* nodes on the free list */
  size_t bytes;                 /* taken from the allocator */
  size_t byte_limit;
  const jager_allocator *allocator;
};

enum { POOL_LINE = 64 }; /* a cache line: all memory of a pool is aligned to it */

/*
 * Memory within the limit of the pool; `bytes` is a multiple of POOL_LINE. NULL: the limit is reached, or there is no
 * memory. It is given back with the same `bytes`.
 */
void *jager_pool_take_memory(jager_pool *pool, size_t bytes);
void jager_pool_give_memory(jager_pool *pool, void *memory, size_t bytes);

/* Makes sure that `count` nodes are free. False: out of memory, and nothing has changed. */
bool jager_pool_reserve(jager_pool *pool, size_t count);

/* Where the sums of a node are kept; NULL: there is no memory for them. */
path_sums *jager_pool_sums(jager_pool *pool, const history_node *node);

static JAGER_INLINE history_node *pool_node(const jager_pool *pool, uint32_t number)
{
  return &pool->slabs[number / SLAB_NODES][number % SLAB_NODES];
}

/* A free node; there must be one. The next one is fetched into the cache: it has not been used for long. */
static JAGER_INLINE history_node *pool_take(jager_pool *pool)
{
  history_node *node = pool->free;
  pool->free = node->below;
  pool->nodes_free--;
  if (pool->free) {
    JAGER_PREFETCH(pool->free);
    JAGER_PREFETCH((const char *)pool->free + POOL_LINE);
  }
  return node;
}

static JAGER_INLINE void pool_give(jager_pool *pool, history_node *node)
{
  node->below = pool->free;
  pool->free = node;
  pool->nodes_free++;
}

/* ---- Entries on nodes: `fill` of them are in use in the topmost node, the nodes below it are full ---------------- */

/* Puts an entry on top of a history and returns its topmost node. If a node is needed, one must be free. */
static JAGER_INLINE history_node *push_entry(jager_pool *pool, history_node *node, unsigned *fill, history_entry entry,
                                             uint32_t error_bound)
{
  if (!node || *fill == NODE_ENTRIES) {
    history_node *below = node;
    node = pool_take(pool);
    node->below = below;
    node->entries_below = below ? below->entries_below + NODE_ENTRIES : 0;
    node->sums_are_known = false;
    *fill = 0;
  }
  node->entry[*fill] = entry;
  node->error_bound[(*fill)++] = error_bound;
  return node;
}

/* Takes the topmost entry off and returns the topmost node that is left, or NULL. */
static JAGER_INLINE history_node *pop_entry(jager_pool *pool, history_node *node, unsigned *fill)
{
  if (--*fill > 0)
    return node;
  history_node *below = node->below;
  pool_give(pool, node);
  *fill = below ? NODE_ENTRIES : 0;
  return below;
}

#endif
