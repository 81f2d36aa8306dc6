/* SPDX-License-Identifier: MIT */
#ifndef JAGER_CLI_RUN_HUGE_PAGES_H
#define JAGER_CLI_RUN_HUGE_PAGES_H

/*
 * Asks for memory in pages of 2 MB from here on, where system and C library can do it: a large assembly then needs fewer
 * entries of the processor's table of pages than it has. To be called before threads are started. Changes no result.
 */
void huge_pages_ask(void);

#endif
