/* SPDX-License-Identifier: MIT */
/*
 * glibc's malloc uses huge pages only if an environment variable says so. But its heap is one range of addresses, and
 * the system takes advice (madvise) about a range before it is used. So the heap is made large once, which costs
 * addresses only, advised, and freed; malloc keeps it.
 */
#include "huge_pages.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#if defined(__GLIBC__) && defined(__linux__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

enum { HUGE_PAGE = 2 << 20 };

void huge_pages_ask(void)
{
  long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  if (pages <= 0 || page <= 0)
    return;
  size_t bytes = (size_t)pages / 2 * (size_t)page;
  /* All allocations from the heap, and nothing of it back to the system. */
  if (!mallopt(M_ARENA_MAX, 1) || !mallopt(M_MMAP_MAX, 0) || !mallopt(M_TRIM_THRESHOLD, -1))
    return;
  char *heap = malloc(bytes);
  if (!heap)
    return;
  size_t before = HUGE_PAGE - (uintptr_t)heap % HUGE_PAGE;
  if (before < bytes)
    (void)madvise(heap + before, bytes - before, MADV_HUGEPAGE); /* if not, not */
  free(heap);
}

#else

void huge_pages_ask(void)
{
}

#endif
