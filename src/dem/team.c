/* SPDX-License-Identifier: MIT */
/*
 * A round of work: the caller publishes task and count and raises the round's number; everyone takes tasks from a shared
 * counter; who finds none left says so. Time steps follow each other within microseconds, so threads look for the next
 * round for a while before they sleep.
 */
#include "team.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

/* Looks for the next round, then gives the processor to others that many times, then sleeps. */
enum { LOOKS = 2000, YIELDS = 100 };

/* Fewer tasks than this are not worth waking anyone for. */
enum { TASKS_TO_SHARE = 8 };

struct team {
  int size;
  pthread_t *threads;
  pthread_mutex_t mutex;
  pthread_cond_t wake;
  atomic_ulong round;
  atomic_int busy; /* threads that have not finished the round */
  atomic_bool end;
  atomic_size_t next; /* task to be taken */
  team_task *task;
  void *context;
  size_t count;
};

static void take_tasks(team *t)
{
  for (;;) {
    size_t index = atomic_fetch_add_explicit(&t->next, 1, memory_order_relaxed);
    if (index >= t->count)
      return;
    t->task(t->context, index);
  }
}

static void relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#else
  sched_yield();
#endif
}

static void wait_for_round(team *t, unsigned long seen)
{
  for (int i = 0; i < LOOKS + YIELDS; i++) {
    if (atomic_load_explicit(&t->round, memory_order_acquire) != seen)
      return;
    if (i < LOOKS)
      relax();
    else
      sched_yield();
  }
  pthread_mutex_lock(&t->mutex);
  while (atomic_load(&t->round) == seen)
    pthread_cond_wait(&t->wake, &t->mutex);
  pthread_mutex_unlock(&t->mutex);
}

static void *work(void *argument)
{
  team *t = argument;
  for (unsigned long seen = 0;;) {
    wait_for_round(t, seen);
    seen = atomic_load_explicit(&t->round, memory_order_acquire);
    if (atomic_load(&t->end))
      return NULL;
    take_tasks(t);
    atomic_fetch_sub_explicit(&t->busy, 1, memory_order_release);
  }
}

static void start_round(team *t)
{
  pthread_mutex_lock(&t->mutex);
  atomic_fetch_add_explicit(&t->round, 1, memory_order_release);
  pthread_cond_broadcast(&t->wake);
  pthread_mutex_unlock(&t->mutex);
}

void team_run(team *t, team_task *task, void *context, size_t count)
{
  if (t->size == 1 || count < TASKS_TO_SHARE) {
    for (size_t i = 0; i < count; i++)
      task(context, i);
    return;
  }
  t->task = task;
  t->context = context;
  t->count = count;
  atomic_store_explicit(&t->next, 0, memory_order_relaxed);
  atomic_store_explicit(&t->busy, t->size - 1, memory_order_relaxed);
  start_round(t);
  take_tasks(t);
  for (int looks = 0; atomic_load_explicit(&t->busy, memory_order_acquire) > 0; looks++) {
    if (looks < LOOKS)
      relax();
    else
      sched_yield();
  }
}

int team_size(const team *t)
{
  return t->size;
}

team *team_create(int threads)
{
  team *t = calloc(1, sizeof *t);
  if (!t)
    return NULL;
  t->threads = calloc((size_t)threads, sizeof *t->threads);
  if (!t->threads) {
    free(t);
    return NULL;
  }
  pthread_mutex_init(&t->mutex, NULL);
  pthread_cond_init(&t->wake, NULL);
  for (t->size = 1; t->size < threads; t->size++)
    if (pthread_create(&t->threads[t->size], NULL, work, t) != 0) {
      team_destroy(t);
      return NULL;
    }
  return t;
}

void team_destroy(team *t)
{
  if (!t)
    return;
  atomic_store(&t->end, true);
  start_round(t);
  for (int i = 1; i < t->size; i++)
    pthread_join(t->threads[i], NULL);
  pthread_cond_destroy(&t->wake);
  pthread_mutex_destroy(&t->mutex);
  free(t->threads);
  free(t);
}
