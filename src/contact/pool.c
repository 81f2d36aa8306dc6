/* SPDX-License-Identifier: MIT */
/*
 * The pool: nodes in slabs, and a list of the free ones. Slabs never move, so that contacts can point to nodes; a table
 * of the slabs finds a node by its number. The node that was given back last is taken first, because it is likely still
 * in the cache.
 */
#include "pool.h"

#include <stdlib.h>

enum { POOL_GROWTH = 16, TABLE_ROOM_MIN = 8 };

/* At the start of each block of slabs, in a cache line of its own */
typedef struct block_head {
  struct block_head *next;
  size_t bytes; /* of the block */
} block_head;

static void *allocate_aligned(void *context, size_t bytes, size_t alignment)
{
  (void)context;
  return aligned_alloc(alignment, bytes);
}

static void release_aligned(void *context, void *block, size_t bytes)
{
  (void)context;
  (void)bytes;
  free(block);
}

jager_pool *jager_pool_create(size_t byte_limit)
{
  return jager_pool_create_with(byte_limit, NULL);
}

jager_pool *jager_pool_create_with(size_t byte_limit, const jager_allocator *allocator)
{
  static const jager_allocator of_the_c_library = {allocate_aligned, release_aligned, NULL};
  if (!allocator)
    allocator = &of_the_c_library;
  if (!allocator->allocate || !allocator->release)
    return NULL;
  jager_pool *pool = allocator->allocate(allocator->context, sizeof *pool, _Alignof(jager_pool));
  if (!pool)
    return NULL;
  *pool = (jager_pool){.bytes = sizeof *pool, .byte_limit = byte_limit ? byte_limit : SIZE_MAX, .allocator = allocator};
  return pool;
}

void *jager_pool_take_memory(jager_pool *pool, size_t bytes)
{
  if (bytes > pool->byte_limit || pool->bytes > pool->byte_limit - bytes)
    return NULL;
  void *memory = pool->allocator->allocate(pool->allocator->context, bytes, POOL_LINE);
  pool->bytes += memory ? bytes : 0;
  return memory;
}

void jager_pool_give_memory(jager_pool *pool, void *memory, size_t bytes)
{
  pool->allocator->release(pool->allocator->context, memory, bytes);
  pool->bytes -= bytes;
}

void jager_pool_destroy(jager_pool *pool)
{
  if (!pool)
    return;
  const jager_allocator *allocator = pool->allocator;
  for (block_head *block = pool->blocks, *next; block; block = next) {
    next = block->next;
    jager_pool_give_memory(pool, block, block->bytes);
  }
  for (size_t slab = 0; pool->sums && slab < pool->slab_count; slab++)
    if (pool->sums[slab])
      jager_pool_give_memory(pool, pool->sums[slab], SLAB_NODES * sizeof(path_sums));
  if (pool->sums)
    jager_pool_give_memory(pool, pool->sums, pool->slab_room * sizeof(void *));
  if (pool->slabs)
    jager_pool_give_memory(pool, pool->slabs, pool->slab_room * sizeof(void *));
  allocator->release(allocator->context, pool, sizeof *pool);
}

size_t jager_pool_bytes(const jager_pool *pool)
{
  return pool ? pool->bytes : 0;
}

size_t jager_pool_bytes_in_use(const jager_pool *pool)
{
  return pool ? (pool->nodes - pool->nodes_free) * sizeof(history_node) : 0;
}

/* A longer table with the first `count` pointers of an old one, which may be NULL, and NULL after them. */
static void *longer_table(jager_pool *pool, const void *old, size_t count, size_t room)
{
  void *table = jager_pool_take_memory(pool, room * sizeof(void *));
  if (table)
    memset(table, 0, room * sizeof(void *));
  if (table && old)
    memcpy(table, old, count * sizeof(void *));
  return table;
}

/* Makes room for more slabs in the tables. */
static bool reserve_tables(jager_pool *pool, size_t slabs)
{
  size_t room = pool->slab_room ? pool->slab_room : TABLE_ROOM_MIN, old_bytes = pool->slab_room * sizeof(void *);
  while (room < pool->slab_count + slabs)
    room *= 2;
  if (room == pool->slab_room)
    return true;
  history_node **table = longer_table(pool, pool->slabs, pool->slab_count, room);
  path_sums **sums = table && pool->sums ? longer_table(pool, pool->sums, pool->slab_count, room) : NULL;
  if (!table || (pool->sums && !sums)) {
    if (table)
      jager_pool_give_memory(pool, table, room * sizeof(void *));
    return false;
  }
  if (pool->sums)
    jager_pool_give_memory(pool, pool->sums, old_bytes);
  if (pool->slabs)
    jager_pool_give_memory(pool, pool->slabs, old_bytes);
  pool->slabs = table;
  pool->sums = sums;
  pool->slab_room = room;
  return true;
}

path_sums *jager_pool_sums(jager_pool *pool, const history_node *node)
{
  size_t slab = node->number / SLAB_NODES;
  if (!pool->sums)
    pool->sums = longer_table(pool, NULL, 0, pool->slab_room);
  if (pool->sums && !pool->sums[slab])
    pool->sums[slab] = jager_pool_take_memory(pool, SLAB_NODES * sizeof(path_sums));
  return pool->sums && pool->sums[slab] ? &pool->sums[slab][node->number % SLAB_NODES] : NULL;
}

/* Adds `count` nodes in one block, whose first cache line links it to the others. The last slab need not be full. */
static bool add_nodes(jager_pool *pool, size_t count)
{
  size_t slabs = (count + SLAB_NODES - 1) / SLAB_NODES, bytes = POOL_LINE + count * sizeof(history_node);
  size_t first = pool->slab_count * SLAB_NODES;
  if (count >= NO_NODE - SLAB_NODES - first || !reserve_tables(pool, slabs))
    return false;
  char *block = jager_pool_take_memory(pool, bytes);
  if (!block)
    return false;
  *(block_head *)(void *)block = (block_head){pool->blocks, bytes};
  pool->blocks = (block_head *)(void *)block;
  history_node *nodes = (history_node *)(void *)(block + POOL_LINE);
  for (size_t i = 0; i < slabs; i++)
    pool->slabs[pool->slab_count++] = nodes + i * SLAB_NODES;
  for (size_t i = count; i-- > 0;) {
    nodes[i].number = (uint32_t)(first + i);
    pool_give(pool, &nodes[i]);
  }
  pool->nodes += count;
  return true;
}

bool jager_pool_reserve(jager_pool *pool, size_t count)
{
  if (pool->nodes_free >= count)
    return true;
  /* growth by a sixteenth keeps the unused part small, and the number of blocks logarithmic */
  size_t lacking = count - pool->nodes_free, wish = pool->nodes / POOL_GROWTH;
  if (wish < SLAB_NODES)
    wish = SLAB_NODES;
  return (wish > lacking && add_nodes(pool, wish)) || add_nodes(pool, lacking);
}
