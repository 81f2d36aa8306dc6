/* SPDX-License-Identifier: MIT */
/*
 * A round of work: the caller publishes the task and a ticket, which holds the round's number and the next index. Threads
 * take indices by raising the ticket; the round is over when all tasks are done, whether or not everybody has come: on a busy
 * machine a thread may sleep through it. A ticket of another round cannot be raised by one who comes late.
 *
 * Time steps follow each other within microseconds, so threads look for the next round for a while before they sleep.
 */
#include "team.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/* Looks for the next round, then gives the processor to others that many times, then sleeps. */
enum { LOOKS = 2000, YIELDS = 100 };

/* Fewer tasks than this are not worth waking anyone for. */
enum { TASKS_TO_SHARE = 8 };

/* The ticket's lower bits are the index, the others the round. */
enum { INDEX_BITS = 32 };
#define INDEX_MASK 0xFFFFFFFFu

struct team {
  int size;
  pthread_t *threads;
  pthread_mutex_t mutex;
  pthread_cond_t wake;
  atomic_bool end;
  _Atomic uint64_t ticket;
  atomic_size_t done;
  _Atomic(team_task *) task;
  _Atomic(void *) context;
  atomic_size_t count;
};

static uint64_t round_of(uint64_t ticket)
{
  return ticket >> INDEX_BITS;
}

/* Works until the round has no task left to take. */
static void take_tasks(team *t, uint64_t round)
{
  uint64_t ticket = atomic_load_explicit(&t->ticket, memory_order_acquire);
  while (round_of(ticket) == round && (ticket & INDEX_MASK) < atomic_load_explicit(&t->count, memory_order_relaxed)) {
    if (!atomic_compare_exchange_weak_explicit(&t->ticket, &ticket, ticket + 1, memory_order_acq_rel,
                                               memory_order_acquire))
      continue;
    team_task *task = atomic_load_explicit(&t->task, memory_order_relaxed);
    task(atomic_load_explicit(&t->context, memory_order_relaxed), (size_t)(ticket & INDEX_MASK));
    atomic_fetch_add_explicit(&t->done, 1, memory_order_release);
    ticket = atomic_load_explicit(&t->ticket, memory_order_acquire);
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

/* Returns the number of the round that is not `seen`. */
static uint64_t wait_for_round(team *t, uint64_t seen)
{
  for (int i = 0; i < LOOKS + YIELDS; i++) {
    uint64_t round = round_of(atomic_load_explicit(&t->ticket, memory_order_acquire));
    if (round != seen)
      return round;
    if (i < LOOKS)
      relax();
    else
      sched_yield();
  }
  pthread_mutex_lock(&t->mutex);
  while (round_of(atomic_load(&t->ticket)) == seen)
    pthread_cond_wait(&t->wake, &t->mutex);
  pthread_mutex_unlock(&t->mutex);
  return round_of(atomic_load_explicit(&t->ticket, memory_order_acquire));
}

static void *work(void *argument)
{
  team *t = argument;
  for (uint64_t seen = 0;;) {
    seen = wait_for_round(t, seen);
    if (atomic_load(&t->end))
      return NULL;
    take_tasks(t, seen);
  }
}

/* Puts the ticket to index 0 of the next round, and wakes who sleeps. */
static uint64_t start_round(team *t)
{
  uint64_t round = round_of(atomic_load_explicit(&t->ticket, memory_order_relaxed)) + 1;
  pthread_mutex_lock(&t->mutex);
  atomic_store_explicit(&t->ticket, round << INDEX_BITS, memory_order_release);
  pthread_cond_broadcast(&t->wake);
  pthread_mutex_unlock(&t->mutex);
  return round;
}

void team_run(team *t, team_task *task, void *context, size_t count)
{
  if (t->size == 1 || count < TASKS_TO_SHARE) {
    for (size_t i = 0; i < count; i++)
      task(context, i);
    return;
  }
  atomic_store_explicit(&t->task, task, memory_order_relaxed);
  atomic_store_explicit(&t->context, context, memory_order_relaxed);
  atomic_store_explicit(&t->count, count, memory_order_relaxed);
  atomic_store_explicit(&t->done, 0, memory_order_relaxed);
  take_tasks(t, start_round(t));
  for (int looks = 0; atomic_load_explicit(&t->done, memory_order_acquire) < count; looks++) {
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
  (void)start_round(t);
  for (int i = 1; i < t->size; i++)
    pthread_join(t->threads[i], NULL);
  pthread_cond_destroy(&t->wake);
  pthread_mutex_destroy(&t->mutex);
  free(t->threads);
  free(t);
}
