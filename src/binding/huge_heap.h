/* SPDX-License-Identifier: MIT */
/*
 * Histories lie all over the heap, and with small pages a step waits for the tables of pages: 7 % of its time with
 * 4,096 spheres. A program of its own can let malloc take huge pages (cli/run/huge_pages.h); a guest in another one,
 * such as Python, may only advise the system, and only about the part of the heap that has grown for the simulation: to
 * put the pages of others together would take its first step a second.
 */
#ifndef JAGER_BINDING_HUGE_HEAP_H
#define JAGER_BINDING_HUGE_HEAP_H

#include <stdint.h>

/*
 * Asks for huge pages in the heap, if it has grown by half since `*known`, its end before, which is set. `start` is
 * where the part of the simulation begins. If the system
 * cannot, nothing happens.
 */
void binding_heap_ask(uintptr_t start, uintptr_t *known);

/* The present end of the heap. */
uintptr_t binding_heap_end(void);

#endif
