/* SPDX-License-Identifier: MIT */
#ifndef JAGER_CLI_RUN_HUGE_PAGES_H
#define JAGER_CLI_RUN_HUGE_PAGES_H

/*
 * Asks the system for memory in pages of 2 MB from now on, where system and C library can do it. The translation
 * lookaside buffer (TLB) of the processor then covers a large assembly. To be called before threads are started.
 * Changes no result.
 */
void huge_pages_ask(void);

#endif
