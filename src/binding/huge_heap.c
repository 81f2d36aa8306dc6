/* SPDX-License-Identifier: MIT */
/* Advice to keep the heap in huge pages, on Linux. */
#include "huge_heap.h"

#if defined(__linux__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25 /* Linux 6.1; earlier ones refuse it */
#endif

enum { HUGE_PAGE = 2 << 20, GROWTH = 4 * HUGE_PAGE };

/* NOLINTBEGIN(performance-no-int-to-ptr): the addresses are those of a text of the system */
static void advise(uintptr_t start, uintptr_t end)
{
  uintptr_t first = (start + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE, last = end / HUGE_PAGE * HUGE_PAGE;
  if (first >= last)
    return;
  (void)madvise((void *)first, end - first, MADV_HUGEPAGE);  /* of pages to come; if not, not */
  (void)madvise((void *)first, last - first, MADV_COLLAPSE); /* of those that are there */
}
/* NOLINTEND(performance-no-int-to-ptr) */

uintptr_t binding_heap_end(void)
{
  return (uintptr_t)sbrk(0);
}

void binding_heap_ask(uintptr_t start, uintptr_t *known)
{
  uintptr_t end = binding_heap_end(), before = *known;
  char line[256];
  if (end < before + GROWTH || end - before < (before - start) / 2)
    return;
  *known = end;
  FILE *maps = fopen("/proc/self/maps", "re");
  while (maps && fgets(line, sizeof line, maps)) {
    unsigned long from, to;
    if (strstr(line, "[heap]") && sscanf(line, "%lx-%lx", &from, &to) == 2 && to > before)
      advise(from > before ? from : before, to);
  }
  if (maps)
    fclose(maps);
}

#else

void binding_heap_ask(uintptr_t start, uintptr_t *known)
{
  (void)start;
  (void)known;
}

uintptr_t binding_heap_end(void)
{
  return 0;
}

#endif
