/* SPDX-License-Identifier: MIT */
/* Drawing by another program, which need not be gnuplot, and may end before it has read everything. */
#define _GNU_SOURCE
#include "pictures/gnuplot.h"
#include "scratch.h"
#include "support.h"

enum { SCRIPT_SIZE = 1 << 20 }; /* more than a pipe holds */

static char *directory;

/* Puts a shell script in the place of gnuplot. */
static void take_for_gnuplot(const char *script)
{
  char *path;
  scratch_write(directory, "gnuplot", script, strlen(script));
  ck_assert_int_eq(chmod(scratch_path(directory, "gnuplot"), 0755), 0);
  ck_assert_int_gt(asprintf(&path, "%s:/usr/bin:/bin", directory), 0);
  ck_assert_int_eq(setenv("PATH", path, 1), 0);
  free(path);
}

/* A closed pipe is an error, not a signal that ends the program, and no signal is left behind. */
START_TEST(a_program_that_reads_nothing_fails)
{
  char *script = calloc(1, SCRIPT_SIZE), *picture = NULL;
  size_t size;
  sigset_t pending;
  memset(script, '#', SCRIPT_SIZE);
  take_for_gnuplot("#!/bin/sh\nexec < /dev/null\nsleep 0.05\nexit 1\n");
  ck_assert(signal(SIGPIPE, SIG_DFL) != SIG_ERR);
  for (int k = 0; k < 3; k++)
    ck_assert(!gnuplot_draw(script, SCRIPT_SIZE, &picture, &size));
  ck_assert(sigpending(&pending) == 0 && sigismember(&pending, SIGPIPE) == 0);
  free(script);
}
END_TEST

START_TEST(what_the_program_writes_is_the_picture)
{
  char *script = calloc(1, SCRIPT_SIZE), *picture = NULL;
  size_t size;
  for (size_t k = 0; k < SCRIPT_SIZE; k++)
    script[k] = (char)('a' + k % 23);
  take_for_gnuplot("#!/bin/sh\nexec cat\n");
  ck_assert(gnuplot_is_installed());
  ck_assert(gnuplot_draw(script, SCRIPT_SIZE, &picture, &size));
  ck_assert_uint_eq(size, SCRIPT_SIZE);
  ck_assert_mem_eq(picture, script, SCRIPT_SIZE);
  free(picture);
  free(script);
}
END_TEST

/* The exit status cannot be had if SIGCHLD is ignored: a complete picture shows success. */
START_TEST(a_whole_picture_shows_success_if_the_signal_is_ignored)
{
  static const char whole[] = "<svg></svg>\n", part[] = "<svg>";
  char *picture = NULL;
  size_t size;
  ck_assert(signal(SIGCHLD, SIG_IGN) != SIG_ERR);
  take_for_gnuplot("#!/bin/sh\nexec cat\n");
  ck_assert(gnuplot_draw(whole, strlen(whole), &picture, &size));
  ck_assert_uint_eq(size, strlen(whole));
  ck_assert_mem_eq(picture, whole, size);
  free(picture);
  ck_assert(!gnuplot_draw(part, strlen(part), &picture, &size));
  ck_assert_int_eq(errno, 0);
  take_for_gnuplot("#!/bin/sh\ncat > /dev/null\nexit 1\n");
  ck_assert(!gnuplot_draw(whole, strlen(whole), &picture, &size));
  ck_assert_int_eq(errno, 0);
  ck_assert(signal(SIGCHLD, SIG_DFL) != SIG_ERR);
}
END_TEST

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
  tcase_add_test(tests, a_program_that_reads_nothing_fails);
  tcase_add_test(tests, what_the_program_writes_is_the_picture);
  tcase_add_test(tests, a_whole_picture_shows_success_if_the_signal_is_ignored);
}

int main(void)
{
  return run_tests("gnuplot", add_tests);
}
