/* SPDX-License-Identifier: MIT */
/* The pool of threads (base/thread_pool.h) of a module that has one thread: the caller does all tasks, in order. */
#include "base/thread_pool.h"

#include <stdlib.h>

struct thread_pool {
  int size;
};

thread_pool *thread_pool_create(int threads)
{
  thread_pool *workers = malloc(sizeof *workers);
  (void)threads;
  if (workers)
    workers->size = 1;
  return workers;
}

void thread_pool_destroy(thread_pool *workers)
{
  free(workers);
}

int thread_pool_size(const thread_pool *workers)
{
  return workers->size;
}

void thread_pool_run(thread_pool *workers, thread_pool_task *task, void *context, size_t count)
{
  (void)workers;
  for (size_t i = 0; i < count; i++)
    task(context, i);
}
