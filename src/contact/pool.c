/* SPDX-License-Identifier: MIT */
/*
 * The pool: nodes in slabs, and a list of the free ones. Slabs never move, so that contacts can point to nodes; a table
 * of the slabs finds a node by its number. The node that was given back last is taken first, because it is likely still
 * in the cache.
 */
#include "pool.h"

#include <stdlib.h>

enum { POOL_LINE = 64, POOL_GROWTH = 16, TABLE_ROOM_MIN = 8 };

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

/* NULL: the limit is reached, or there is no memory. `bytes` is a multiple of a cache line. */
static void *take_memory(jager_pool *pool, size_t bytes)
{
  if (bytes > pool->byte_limit || pool->bytes > pool->byte_limit - bytes)
    return NULL;
  void *memory = pool->allocator->allocate(pool->allocator->context, bytes, POOL_LINE);
  pool->bytes += memory ? bytes : 0;
  return memory;
}

static void give_memory(jager_pool *pool, void *memory, size_t bytes)
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
    give_memory(pool, block, block->bytes);
  }
  if (pool->slabs)
    give_memory(pool, pool->slabs, pool->slab_room * sizeof(void *));
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

/* Makes room for more slabs in the table. */
static bool reserve_table(jager_pool *pool, size_t slabs)
{
  size_t room = pool->slab_room ? pool->slab_room : TABLE_ROOM_MIN;
  while (room < pool->slab_count + slabs)
    room *= 2;
  if (room == pool->slab_room)
    return true;
  history_node **table = take_memory(pool, room * sizeof(void *));
  if (!table)
    return false;
  if (pool->slabs) {
    memcpy(table, pool->slabs, pool->slab_count * sizeof(void *));
    give_memory(pool, pool->slabs, pool->slab_room * sizeof(void *));
  }
  pool->slabs = table;
  pool->slab_room = room;
  return true;
}

/* Adds `count` nodes in one block, whose first cache line links it to the others. The last slab need not be full. */
static bool add_nodes(jager_pool *pool, size_t count)
{
  size_t slabs = (count + SLAB_NODES - 1) / SLAB_NODES, bytes = POOL_LINE + count * sizeof(history_node);
  size_t first = pool->slab_count * SLAB_NODES;
  if (count >= NO_NODE - SLAB_NODES - first || !reserve_table(pool, slabs))
    return false;
  char *block = take_memory(pool, bytes);
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
