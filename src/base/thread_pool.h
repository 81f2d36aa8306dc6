/* SPDX-License-Identifier: MIT */
/*
 * Threads that work together through a list of independent tasks. (Not OpenMP: its runtime is opaque to the thread
 * sanitizer, and a library should not own the process's threads.)
 */
#ifndef JAGER_BASE_THREAD_POOL_H
#define JAGER_BASE_THREAD_POOL_H

#include <stddef.h>

typedef struct thread_pool thread_pool;

typedef void thread_pool_task(void *context, size_t index);

/* The caller is one of the threads. NULL if they cannot be had. */
thread_pool *thread_pool_create(int threads);
void thread_pool_destroy(thread_pool *workers);
int thread_pool_size(const thread_pool *workers);

/* Calls task(context, index) for each index below count, in any order and thread, and returns when all are done. */
void thread_pool_run(thread_pool *workers, thread_pool_task *task, void *context, size_t count);

#endif
