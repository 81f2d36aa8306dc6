/* SPDX-License-Identifier: MIT */
/*
 * A round is one parallel loop. The indices are divided into one contiguous share per thread. The caller publishes
 * the task and, for each share, a ticket: the number of the round and how many tasks of the share are left. A thread
 * takes a task by decrementing a ticket, of its own share first, so that most blocks stay in the cache of one core.
 * Idle threads steal work from the other shares. The round is over when all tasks are done, even if some threads have
 * not woken up. A thread that comes late cannot decrement a ticket: it is 0, or has the number of a later round. So
 * task, context and count are read only after a ticket was decremented: until that task is done they cannot change.
 *
 * Time steps follow each other within microseconds, so threads spin for a while before they sleep.
 */
#include "thread_pool.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

/* A waiting thread checks for the next round so many times, then yields the processor so many times, then sleeps. */
enum { SPIN_LIMIT = 2000, YIELDS = 100 };

/* Fewer tasks than this are done by the caller alone. */
enum { TASKS_TO_SHARE = 8 };

/* The lower bits of a ticket are the number of tasks left, the upper bits the round. */
enum { LEFT_BITS = 32 };
#define LEFT_MASK 0xFFFFFFFFu

/* On a cache line of its own, against false sharing. */
typedef struct share {
  _Alignas(64) _Atomic uint64_t ticket;
} share;

typedef struct member {
  thread_pool *of;
  int number;
  pthread_t thread;
} member;

struct thread_pool {
  pid_t process; /* which has the threads */
  int size;
  member *members; /* the caller is number 0 */
  share *shares;
  pthread_mutex_t mutex;
  pthread_cond_t wake;
  atomic_bool end;
  _Atomic uint64_t round;
  atomic_size_t done;
  _Atomic(thread_pool_task *) task;
  _Atomic(void *) context;
  atomic_size_t count;
};

/* The first index of a share; of number `size`, the end of the last share. */
static size_t share_start(const thread_pool *t, size_t count, int number)
{
  return count * (size_t)number / (size_t)t->size;
}

/* Does the remaining tasks of a share. */
static void do_share(thread_pool *t, int number, uint64_t round)
{
  _Atomic uint64_t *ticket = &t->shares[number].ticket;
  uint64_t now = atomic_load_explicit(ticket, memory_order_acquire);
  while (now >> LEFT_BITS == round && (now & LEFT_MASK) > 0) {
    if (!atomic_compare_exchange_weak_explicit(ticket, &now, now - 1, memory_order_acq_rel, memory_order_acquire))
      continue;
    size_t count = atomic_load_explicit(&t->count, memory_order_relaxed);
    thread_pool_task *task = atomic_load_explicit(&t->task, memory_order_relaxed);
    void *context = atomic_load_explicit(&t->context, memory_order_relaxed);
    task(context, share_start(t, count, number + 1) - (size_t)(now & LEFT_MASK));
    atomic_fetch_add_explicit(&t->done, 1, memory_order_release);
    now = atomic_load_explicit(ticket, memory_order_acquire);
  }
}

static void do_tasks(thread_pool *t, int first, uint64_t round)
{
  for (int i = 0; i < t->size; i++)
    do_share(t, (first + i) % t->size, round);
}

static void relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#else
  sched_yield();
#endif
}

/* Waits for a round other than `seen` and returns its number. */
static uint64_t wait_for_round(thread_pool *t, uint64_t seen)
{
  for (int i = 0; i < SPIN_LIMIT + YIELDS; i++) {
    uint64_t round = atomic_load_explicit(&t->round, memory_order_acquire);
    if (round != seen)
      return round;
    if (i < SPIN_LIMIT)
      relax();
    else
      sched_yield();
  }
  pthread_mutex_lock(&t->mutex);
  while (atomic_load(&t->round) == seen)
    pthread_cond_wait(&t->wake, &t->mutex);
  pthread_mutex_unlock(&t->mutex);
  return atomic_load_explicit(&t->round, memory_order_acquire);
}

static void *work(void *argument)
{
  member *self = argument;
  for (uint64_t seen = 0;;) {
    seen = wait_for_round(self->of, seen);
    if (atomic_load(&self->of->end))
      return NULL;
    do_tasks(self->of, self->number, seen);
  }
}

/* Sets the tickets of the next round, and wakes sleeping threads. */
static uint64_t start_round(thread_pool *t, size_t count)
{
  uint64_t round = (atomic_load_explicit(&t->round, memory_order_relaxed) + 1) & LEFT_MASK;
  for (int i = 0; i < t->size; i++) {
    uint64_t left = (uint64_t)(share_start(t, count, i + 1) - share_start(t, count, i));
    atomic_store_explicit(&t->shares[i].ticket, round << LEFT_BITS | left, memory_order_release);
  }
  pthread_mutex_lock(&t->mutex);
  atomic_store_explicit(&t->round, round, memory_order_release);
  pthread_cond_broadcast(&t->wake);
  pthread_mutex_unlock(&t->mutex);
  return round;
}

void thread_pool_run(thread_pool *t, thread_pool_task *task, void *context, size_t count)
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
  do_tasks(t, 0, start_round(t, count));
  for (int looks = 0; atomic_load_explicit(&t->done, memory_order_acquire) < count; looks++) {
    if (looks < SPIN_LIMIT)
      relax();
    else
      sched_yield();
  }
}

int thread_pool_size(const thread_pool *t)
{
  return t->size;
}

/*
 * A process that was forked has a copy of the pool, but not its threads. They can be neither woken nor joined there.
 * The copy of the mutex may be locked for ever, and the condition counts waiting threads, and would wait for them when
 * it is destroyed. So both are left as they are, and only the memory is freed.
 */
static bool is_copy(const thread_pool *t)
{
  return getpid() != t->process;
}

static void free_pool(thread_pool *t)
{
  if (!is_copy(t)) {
    pthread_cond_destroy(&t->wake);
    pthread_mutex_destroy(&t->mutex);
  }
  free(t->members);
  free(t->shares);
  free(t);
}

thread_pool *thread_pool_create(int threads)
{
  thread_pool *t = calloc(1, sizeof *t);
  if (!t)
    return NULL;
  t->process = getpid();
  t->size = 1;
  pthread_mutex_init(&t->mutex, NULL);
  pthread_cond_init(&t->wake, NULL);
  t->members = calloc((size_t)threads, sizeof *t->members);
  t->shares = aligned_alloc(_Alignof(share), (size_t)threads * sizeof *t->shares);
  if (!t->members || !t->shares) {
    free_pool(t);
    return NULL;
  }
  memset((void *)t->shares, 0, (size_t)threads * sizeof *t->shares);
  for (int i = 1; i < threads; i++) {
    t->members[i] = (member){.of = t, .number = i};
    if (pthread_create(&t->members[i].thread, NULL, work, &t->members[i]) != 0) {
      thread_pool_destroy(t);
      return NULL;
    }
    t->size = i + 1; /* threads read it after the first round has begun, which publishes it */
  }
  return t;
}

void thread_pool_destroy(thread_pool *t)
{
  if (!t)
    return;
  if (!is_copy(t)) {
    atomic_store(&t->end, true);
    (void)start_round(t, 0);
    for (int i = 1; i < t->size; i++)
      pthread_join(t->members[i].thread, NULL);
  }
  free_pool(t);
}
