/* SPDX-License-Identifier: MIT */
/*
 * Histories lie all over the heap, and with small pages a step waits for the tables of pages: 7 % of its time with
 * 4,096 spheres. A program of its own can let malloc take huge pages (cli/run/huge_pages.h); a guest in another one,
 * such as Python, may only advise the system. The advice costs nothing but the moment in which pages are put together.
 */
#ifndef JAGER_BINDING_HUGE_HEAP_H
#define JAGER_BINDING_HUGE_HEAP_H

#include <stdint.h>

/*
 * Asks for huge pages in the heap, if it has grown by some since `*known`, its end at the last call (0: none), which is
 * set. If the system cannot, nothing happens.
 */
void huge_heap_ask(uintptr_t *known);

#endif
