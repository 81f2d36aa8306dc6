/* SPDX-License-Identifier: MIT */
/*
 * Allocations that fail: all calls of malloc, calloc, realloc, aligned_alloc and open_memstream in the program's own
 * objects come here (the linker's --wrap), and fail when the test asks for it. Shared libraries are not affected. A
 * static HDF5 would not survive a strdup that fails.
 */
#ifndef JAGER_TESTS_FAILING_MALLOC_H
#define JAGER_TESTS_FAILING_MALLOC_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
FILE *__real_open_memstream(char **text, size_t *size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
FILE *__wrap_open_memstream(char **text, size_t *size);

static long successes_left, failures_left, failures; /* of the next allocations; and the number that have failed */

/* The next `successes` allocations succeed, then `count` fail. */
static inline void fail_allocations(long successes, long count)
{
  successes_left = successes;
  failures_left = count;
  failures = 0;
}

/* All allocations succeed again. Returns whether one has failed. */
static inline bool end_failures(void)
{
  failures_left = 0;
  return failures > 0;
}

static inline bool allocation_fails(void)
{
  if (failures_left == 0)
    return false;
  if (successes_left > 0) {
    successes_left--;
    return false;
  }
  failures_left--;
  failures++;
  errno = ENOMEM;
  return true;
}

void *__wrap_malloc(size_t size)
{
  return allocation_fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
  return allocation_fails() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size)
{
  return allocation_fails() ? NULL : __real_realloc(old, size);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
  return allocation_fails() ? NULL : __real_aligned_alloc(alignment, size);
}

FILE *__wrap_open_memstream(char **text, size_t *size)
{
  return allocation_fails() ? NULL : __real_open_memstream(text, size);
}

#endif
