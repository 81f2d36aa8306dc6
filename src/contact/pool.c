/* SPDX-License-Identifier: MIT */
/*
 * The pool: nodes in slabs, and a list of the free ones. Slabs never move, so that contacts can point to nodes. The
 * node that was given back last is taken first, because it is likely still in the cache.
 */
#include "pool.h"

#include <stdlib.h>

enum { SLAB_NODES_MIN = 64, CACHE_LINE = 64, SLAB_GROWTH = 16 };

/* At the start of each slab, in a cache line of its own */
typedef struct slab_head {
  struct slab_head *next;
  size_t bytes; /* of the slab */
} slab_head;

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

void jager_pool_destroy(jager_pool *pool)
{
  if (!pool)
    return;
  const jager_allocator *allocator = pool->allocator;
  for (slab_head *slab = pool->slabs, *next; slab; slab = next) {
    next = slab->next;
    allocator->release(allocator->context, slab, slab->bytes);
  }
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

/* Adds a slab of `count` nodes. Its first cache line links it to the others. */
static bool add_slab(jager_pool *pool, size_t count)
{
  size_t bytes = CACHE_LINE + (count * sizeof(history_node) + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
  if (bytes > pool->byte_limit || pool->bytes > pool->byte_limit - bytes)
    return false;
  char *slab = pool->allocator->allocate(pool->allocator->context, bytes, CACHE_LINE);
  if (!slab)
    return false;
  *(slab_head *)(void *)slab = (slab_head){pool->slabs, bytes};
  pool->slabs = (slab_head *)(void *)slab;
  pool->bytes += bytes;
  pool->nodes += count;
  history_node *nodes = (history_node *)(void *)(slab + CACHE_LINE);
  for (size_t i = count; i-- > 0;)
    pool_give(pool, &nodes[i]);
  return true;
}

bool jager_pool_reserve(jager_pool *pool, size_t count)
{
  if (pool->nodes_free >= count)
    return true;
  /* growth by a sixteenth keeps the unused part small, and the number of slabs logarithmic */
  size_t lacking = count - pool->nodes_free, wish = pool->nodes / SLAB_GROWTH;
  if (wish < SLAB_NODES_MIN)
    wish = SLAB_NODES_MIN;
  return (wish > lacking && add_slab(pool, wish)) || add_slab(pool, lacking);
}
