/* SPDX-License-Identifier: MIT */
/* Work in child processes, also of several threads at once. Oracle: the work itself, done here. */
#define _GNU_SOURCE
#include "base/child_process.h"
#include "scratch.h"
#include "support.h"

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/wait.h>

static char *directory;

/* ---- Work -------------------------------------------------------------------------------------------------------- */

static int changed;

static bool write_file(const void *context, error_info *error)
{
  (void)error;
  FILE *stream = fopen(context, "w");
  changed = 1;
  return stream && fputs("done", stream) >= 0 && fclose(stream) == 0;
}

static bool fail_with_text(const void *context, error_info *error)
{
  return error_set(error, "the reason is %s", (const char *)context);
}

static bool call_exit(const void *context, error_info *error)
{
  (void)context, (void)error;
  exit(-1); /* as HDF5 does */
}

static bool crash(const void *context, error_info *error)
{
  (void)context, (void)error;
  signal(SIGABRT, SIG_DFL);
  abort();
}

static bool run_out_of_memory(const void *context, error_info *error)
{
  (void)context, (void)error;
  errno = ENOMEM; /* as malloc leaves it */
  return true;
}

static bool print_text(const void *context, error_info *error)
{
  (void)error;
  return printf("%s", (const char *)context) >= 0;
}

/* ---- One thread -------------------------------------------------------------------------------------------------- */

START_TEST(work_is_done_elsewhere)
{
  error_info error = {.text = ""};
  size_t size;
  ck_assert(child_process_do(write_file, scratch_path(directory, "a"), "write", "a", &error));
  char *text = scratch_read(directory, "a", &size);
  ck_assert_str_eq(text, "done");
  ck_assert_int_eq(changed, 0);
  free(text);
}
END_TEST

START_TEST(failures_are_told)
{
  error_info error = {.text = ""};
  ck_assert(!child_process_do(fail_with_text, "this", "write", "a", &error));
  ck_assert_str_eq(error.text, "the reason is this");
  ck_assert(!error.out_of_memory);
  ck_assert(!child_process_do(call_exit, NULL, "write", "a", &error));
  ck_assert_ptr_nonnull(strstr(error.text, "cannot write a: HDF5 failed"));
  ck_assert(!child_process_do(crash, NULL, "write", "b", &error));
  ck_assert_ptr_nonnull(strstr(error.text, "cannot write b: HDF5 failed"));
  ck_assert(!child_process_do(run_out_of_memory, NULL, "write", "a", &error) && error.out_of_memory);
}
END_TEST

/* The exit status of a child cannot be had if SIGCHLD is ignored. */
START_TEST(ends_are_told_if_their_signal_is_ignored)
{
  error_info error = {.text = "as before"};
  ck_assert(signal(SIGCHLD, SIG_IGN) != SIG_ERR);
  ck_assert(child_process_do(write_file, scratch_path(directory, "a"), "write", "a", &error));
  ck_assert(scratch_has(directory, "a"));
  ck_assert_str_eq(error.text, "as before");
  ck_assert(!child_process_do(fail_with_text, "this", "write", "a", &error));
  ck_assert_str_eq(error.text, "the reason is this");
  ck_assert(!child_process_do(call_exit, NULL, "write", "a", &error));
  ck_assert_ptr_nonnull(strstr(error.text, "cannot write a: HDF5 failed"));
  ck_assert(!child_process_do(crash, NULL, "write", "b", &error));
  ck_assert_ptr_nonnull(strstr(error.text, "cannot write b: HDF5 failed"));
  ck_assert(!child_process_do(run_out_of_memory, NULL, "write", "a", &error) && error.out_of_memory);
  ck_assert(child_process_print(print_text, "", "write", "a", &error));
  ck_assert(signal(SIGCHLD, SIG_DFL) != SIG_ERR);
}
END_TEST

/* What this process has not written yet is written once, by this process, even if the child calls exit(). */
START_TEST(streams_are_written_once)
{
  error_info error = {.text = ""};
  size_t size;
  FILE *stream = fopen(scratch_path(directory, "stream"), "w");
  ck_assert_ptr_nonnull(freopen(scratch_path(directory, "out"), "w", stdout));
  fputs("once", stream);
  printf("before, ");
  ck_assert(!child_process_do(call_exit, NULL, "write", "a", &error));
  ck_assert(child_process_do(print_text, "dropped", "write", "a", &error));
  ck_assert(child_process_print(print_text, "printed", "write", "a", &error));
  ck_assert(!child_process_print(call_exit, NULL, "write", "a", &error));
  printf(", after");
  fflush(stdout);
  fclose(stream);
  char *text = scratch_read(directory, "stream", &size), *out = scratch_read(directory, "out", &size);
  ck_assert_str_eq(text, "once");
  ck_assert_str_eq(out, "before, printed, after");
  free(text);
  free(out);
}
END_TEST

/* Without descriptors for a pipe the work is done here. */
START_TEST(without_a_child_work_is_done_here)
{
  error_info error = {.text = ""};
  struct rlimit limit, few;
  char path[600];
  snprintf(path, sizeof path, "%s", scratch_path(directory, "a"));
  int used = dup(0);
  ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &limit), 0);
  few = limit;
  few.rlim_cur = (rlim_t)used + 1; /* one file can be opened, a pipe cannot */
  close(used);
  ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &few), 0);
  bool is_done = child_process_do(write_file, path, "write", "a", &error);
  ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
  ck_assert(is_done && scratch_has(directory, "a"));
  ck_assert_int_eq(changed, 1);
}
END_TEST

START_TEST(a_child_that_is_started_has_no_descriptors)
{
  int ends[2], status;
  ck_assert_int_eq(pipe2(ends, O_CLOEXEC), 0);
  int child = child_process_start();
  ck_assert_int_ge(child, 0);
  if (child == 0)
    _exit(fcntl(ends[0], F_GETFD) < 0 && fcntl(ends[1], F_GETFD) < 0 && fcntl(2, F_GETFD) >= 0 ? 0 : 1);
  ck_assert_int_eq(waitpid(child, &status, 0), child);
  ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  close(ends[0]);
  close(ends[1]);
}
END_TEST

/* ---- Several threads --------------------------------------------------------------------------------------------- */

enum { THREADS = 4, ROUNDS = 50 };

static void *do_much(void *context)
{
  char path[600];
  for (int k = 0; k < ROUNDS; k++) {
    error_info error = {.text = ""};
    snprintf(path, sizeof path, "%s/%s-%d", directory, (const char *)context, k);
    if (!child_process_do(write_file, path, "write", path, &error) || access(path, F_OK) != 0 ||
        child_process_do(fail_with_text, context, "write", path, &error) ||
        strcmp(error.text + strlen("the reason is "), context) != 0)
      return context;
  }
  return NULL;
}

static void *reap_all(void *context)
{
  const atomic_bool *is_over = context;
  while (!atomic_load(is_over))
    if (waitpid(-1, NULL, WNOHANG) <= 0)
      sched_yield();
  return NULL;
}

START_TEST(another_thread_may_wait_for_all_children)
{
  static char name[] = "a";
  atomic_bool is_over = false;
  pthread_t thread;
  ck_assert_int_eq(pthread_create(&thread, NULL, reap_all, &is_over), 0);
  void *failed = do_much(name);
  atomic_store(&is_over, true);
  ck_assert_int_eq(pthread_join(thread, NULL), 0);
  ck_assert_ptr_null(failed);
}
END_TEST

/* A child that works on its own all the while delays none of them. */
START_TEST(threads_do_not_wait_for_each_other)
{
  static char names[THREADS][2] = {"a", "b", "c", "d"};
  pthread_t threads[THREADS];
  for (int k = 0; k < THREADS; k++)
    ck_assert_int_eq(pthread_create(&threads[k], NULL, do_much, names[k]), 0);
  int child = child_process_start();
  ck_assert_int_ge(child, 0);
  if (child == 0) {
    pause();
    _exit(0);
  }
  for (int k = 0; k < THREADS; k++) {
    void *failed;
    ck_assert_int_eq(pthread_join(threads[k], &failed), 0);
    ck_assert_ptr_null(failed);
  }
  kill(child, SIGKILL);
  ck_assert_int_eq(waitpid(child, NULL, 0), child);
  ck_assert_int_eq(scratch_count(directory, "."), THREADS * ROUNDS);
}
END_TEST

/* ---- All --------------------------------------------------------------------------------------------------------- */

static void prepare(void)
{
  directory = scratch_make();
}

static void clean_up(void)
{
  scratch_remove(directory);
}

static void add_tests(TCase *tests)
{
  tcase_add_checked_fixture(tests, prepare, clean_up);
  tcase_add_test(tests, work_is_done_elsewhere);
  tcase_add_test(tests, failures_are_told);
  tcase_add_test(tests, ends_are_told_if_their_signal_is_ignored);
  tcase_add_test(tests, streams_are_written_once);
  tcase_add_test(tests, without_a_child_work_is_done_here);
  tcase_add_test(tests, a_child_that_is_started_has_no_descriptors);
  tcase_add_test(tests, another_thread_may_wait_for_all_children);
  tcase_add_test(tests, threads_do_not_wait_for_each_other);
}

int main(void)
{
  return run_tests("child_process", add_tests);
}
