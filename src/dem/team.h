/* SPDX-License-Identifier: MIT */
/*
 * Threads that work together through a list of independent tasks. (Not OpenMP: its runtime is opaque to the thread
 * sanitizer, and a library should not own the process's threads.)
 */
#ifndef JAGER_DEM_TEAM_H
#define JAGER_DEM_TEAM_H

#include <stddef.h>

typedef struct team team;

typedef void team_task(void *context, size_t index);

/* The caller is one of the threads. NULL if they cannot be had. */
team *team_create(int threads);
void team_destroy(team *workers);
int team_size(const team *workers);

/* Calls task(context, index) for each index below count, in any order and thread, and returns when all are done. */
void team_run(team *workers, team_task *task, void *context, size_t count);

#endif
