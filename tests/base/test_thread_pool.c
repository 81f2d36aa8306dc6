/* SPDX-License-Identifier: MIT */
/*
 * Threads that share work: every task is done once before thread_pool_run returns, with any number of threads; several
 * threads work at once, even if a task waits for another.
 *
 * Oracles: counters of the tasks; tasks that wait until as many threads are at work at once.
 */
#define _POSIX_C_SOURCE 200809L
#include "support.h"

#include "base/thread_pool.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 300 };

typedef struct counters {
  atomic_int times[MOST];
} counters;

static void count_task(void *context, size_t index)
{
  counters *c = context;
  ck_assert_uint_lt(index, MOST);
  atomic_fetch_add(&c->times[index], 1);
}

TEST(every_task_is_done_once)
{
  static counters c;
  for (int threads = 1; threads <= 5; threads++) {
    thread_pool *workers = thread_pool_create(threads);
    ck_assert_ptr_nonnull(workers);
    ck_assert_int_eq(thread_pool_size(workers), threads);
    for (size_t count = 0; count <= MOST; count += count < 20 ? 1 : 37) {
      for (int round = 0; round < 20; round++)
        thread_pool_run(workers, count_task, &c, count);
      for (size_t i = 0; i < MOST; i++) {
        ck_assert_int_eq(atomic_load(&c.times[i]), i < count ? 20 : 0);
        atomic_store(&c.times[i], 0);
      }
    }
    thread_pool_destroy(workers);
  }
}

/*
 * A thread that is late for a round must not take a task that only the next, larger round has. More threads than
 * processors make some late. (Few rounds: a late thread seldom hits the gap, but it does in one of many runs.)
 */
TEST(rounds_of_changing_size_do_not_mix)
{
  enum { THREADS = 12, ROUNDS = 2000 };
  static counters c;
  thread_pool *workers = thread_pool_create(THREADS);
  int expected[MOST] = {0};
  for (int round = 0; round < ROUNDS; round++) {
    size_t count = round % 2 == 0 ? 8 : 24;
    thread_pool_run(workers, count_task, &c, count);
    for (size_t i = 0; i < MOST; i++) {
      expected[i] += i < count;
      ck_assert_int_eq(atomic_load(&c.times[i]), expected[i]);
    }
  }
  thread_pool_destroy(workers);
}

/* The number of threads at work. A task waits until there are enough of them, or time is up. */
typedef struct meeting {
  int expected;
  atomic_int present;
  atomic_bool have_met, is_late;
} meeting;

static double seconds(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void meet(void *context, size_t index)
{
  meeting *m = context;
  double start = seconds();
  (void)index;
  if (atomic_fetch_add(&m->present, 1) + 1 >= m->expected)
    atomic_store(&m->have_met, true);
  while (!atomic_load(&m->have_met) && !atomic_load(&m->is_late)) {
    sched_yield();
    if (seconds() - start > 30.0)
      atomic_store(&m->is_late, true);
  }
  atomic_fetch_sub(&m->present, 1);
}

/* They do so also after a pause in which they have fallen asleep. */
TEST(all_threads_take_part)
{
  for (int threads = 2; threads <= 4; threads++) {
    thread_pool *workers = thread_pool_create(threads);
    for (int round = 0; round < 3; round++) {
      meeting m = {.expected = threads};
      nanosleep(&(struct timespec){.tv_nsec = round * 30000000L}, NULL);
      thread_pool_run(workers, meet, &m, 8);
      ck_assert(atomic_load(&m.have_met) && !atomic_load(&m.is_late));
      ck_assert_int_eq(atomic_load(&m.present), 0);
    }
    thread_pool_destroy(workers);
  }
}

/* The first task of the first share waits for the very last task: other threads do the rest of its share. */
typedef struct relay {
  atomic_size_t done;
  size_t count;
  atomic_bool is_late;
} relay;

static void wait_for_the_others(void *context, size_t index)
{
  relay *r = context;
  double start = seconds();
  while (index == 0 && atomic_load(&r->done) < r->count - 1 && !atomic_load(&r->is_late)) {
    sched_yield();
    if (seconds() - start > 30.0)
      atomic_store(&r->is_late, true);
  }
  atomic_fetch_add(&r->done, 1);
}

TEST(idle_threads_help)
{
  for (int threads = 2; threads <= 4; threads++) {
    thread_pool *workers = thread_pool_create(threads);
    for (int round = 0; round < 3; round++) {
      relay r = {.count = 40};
      thread_pool_run(workers, wait_for_the_others, &r, r.count);
      ck_assert(!atomic_load(&r.is_late));
      ck_assert_uint_eq(atomic_load(&r.done), r.count);
    }
    thread_pool_destroy(workers);
  }
  thread_pool_destroy(NULL);
}

static bool each_is_done_once(thread_pool *workers)
{
  counters c = {0};
  bool is_right = true;
  thread_pool_run(workers, count_task, &c, MOST);
  for (size_t i = 0; i < MOST; i++)
    is_right = is_right && atomic_load(&c.times[i]) == 1;
  return is_right;
}

/* A forked process has a copy of the pool without its threads, awake or asleep, and must not wait for them. */
static bool ends_in_a_fork(thread_pool *workers)
{
  enum { TIME_LIMIT = 500 };
  int status;
  pid_t child = fork();
  if (child == 0) {
    signal(SIGALRM, SIG_DFL); /* the handler of Check would end the test as well */
    alarm(TIME_LIMIT);
    thread_pool_destroy(workers);
    _exit(0);
  }
  return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST(a_forked_process_destroys_its_copy)
{
  for (int round = 0; round < 6; round++) {
    thread_pool *workers = thread_pool_create(1 + round / 2 * 2);
    ck_assert(each_is_done_once(workers));
    nanosleep(&(struct timespec){.tv_nsec = round % 2 * 30000000L}, NULL);
    ck_assert(ends_in_a_fork(workers));
    ck_assert(each_is_done_once(workers));
    thread_pool_destroy(workers);
  }
}
