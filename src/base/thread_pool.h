/* SPDX-License-Identifier: MIT */
/*
 * A pool of threads for loops of independent tasks. (Not OpenMP: the thread sanitizer cannot see into its runtime,
 * and a library should not own the threads of the process.)
 */
#ifndef JAGER_BASE_THREAD_POOL_H
#define JAGER_BASE_THREAD_POOL_H

#include <stddef.h>

typedef struct thread_pool thread_pool;

typedef void thread_pool_task(void *context, size_t index);

/* The caller counts as one of the threads. NULL if threads cannot be created or memory is short. */
thread_pool *thread_pool_create(int threads);
void thread_pool_destroy(thread_pool *workers);
int thread_pool_size(const thread_pool *workers);

/* Calls task(context, index) for each index below count, in any order and thread; returns after the last. */
void thread_pool_run(thread_pool *workers, thread_pool_task *task, void *context, size_t count);

#endif
