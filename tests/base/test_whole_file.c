/* SPDX-License-Identifier: MIT */
/* Files that appear when they are complete. Oracle: the directory and the bytes of its files. */
#define _GNU_SOURCE
#include "base/file_system.h"
#include "scratch.h"
#include "support.h"

#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>

FIXTURE_EACH(make_directory, remove_directory)

static void expect_text(const char *name, const char *text)
{
  size_t size;
  char *found = scratch_read(directory, name, &size);
  ck_assert_str_eq(found, text);
  free(found);
}

static whole_file begin(const char *name, const char *text)
{
  whole_file file;
  ck_assert(whole_file_open(&file, scratch_path(directory, name)));
  fputs(text, file.stream);
  return file;
}

TEST(a_file_appears_when_it_is_finished)
{
  typedef bool finish(whole_file * file);
  finish *const ways[] = {whole_file_finish, whole_file_finish_on_disk};
  for (int k = 0; k < 2; k++) {
    whole_file file = begin("a", "first");
    ck_assert(!scratch_has(directory, "a") && scratch_count(directory, ".") == 1);
    ck_assert(whole_file_is_temporary_ending(strstr(file.temporary, ".tmp-")));
    ck_assert(ways[k](&file) && !file.stream);
    expect_text("a", "first");
    file = begin("a", "second");
    fflush(file.stream);
    expect_text("a", "first");
    ck_assert(ways[k](&file));
    expect_text("a", "second");
    ck_assert_int_eq(scratch_count(directory, "."), 1);
    unlink(scratch_path(directory, "a"));
  }
  static const char *const others[] = {"", ".tmp-", ".tmp-1", ".tmp-1-", ".tmp--1", ".tmp-1-2x", ".tmp-x-2", "tmp-1-2"};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    ck_assert_msg(!whole_file_is_temporary_ending(others[i]), "'%s'", others[i]);
}

TEST(the_previous_file_is_kept)
{
  char previous[300];
  snprintf(previous, sizeof previous, "%s/before", directory);
  whole_file file = begin("a", "1");
  ck_assert(whole_file_finish_keeping(&file, previous)); /* there is none */
  ck_assert(!scratch_has(directory, "before"));
  for (int k = 2; k < 5; k++) {
    char now[2] = {(char)('0' + k), '\0'}, old[2] = {(char)('0' + k - 1), '\0'};
    file = begin("a", now);
    ck_assert(whole_file_finish_keeping(&file, previous));
    expect_text("a", now);
    expect_text("before", old);
    ck_assert_int_eq(scratch_count(directory, "."), 2);
  }
}

/* A full disk, or a directory in the way: the reason is reported, the old file stays, and no other file is left. */
TEST(failures_leave_the_old_file)
{
  whole_file file = begin("a", "old");
  ck_assert(whole_file_finish(&file));
  file = begin("a", "new");
  ck_assert_ptr_nonnull(freopen("/dev/full", "w", file.stream));
  fputs("new", file.stream);
  ck_assert(!whole_file_finish(&file) && errno == ENOSPC);
  file = begin("a", "new");
  ck_assert_ptr_nonnull(freopen("/dev/full", "w", file.stream));
  fputs("new", file.stream);
  ck_assert(!whole_file_finish_keeping(&file, scratch_path(directory, "before")) && errno == ENOSPC);
  file = begin("a", "new");
  whole_file_discard(&file);
  whole_file_discard(&file);
  expect_text("a", "old");
  ck_assert_int_eq(scratch_count(directory, "."), 1);
  file = begin("b", "new");
  ck_assert_int_eq(mkdir(scratch_path(directory, "b"), 0777), 0);
  ck_assert(!whole_file_finish_on_disk(&file) && errno == EISDIR);
  ck_assert_int_eq(scratch_count(directory, "."), 2);
  ck_assert(!whole_file_open(&file, scratch_path(directory, "none/a")) && errno == ENOENT);
}

TEST(links_and_devices_stay)
{
  whole_file file = begin("target", "old");
  ck_assert(whole_file_finish(&file));
  ck_assert_int_eq(symlink("target", scratch_path(directory, "link")), 0);
  file = begin("link", "new");
  ck_assert(whole_file_finish(&file));
  expect_text("target", "new");
  ck_assert_int_eq(scratch_count(directory, "."), 2);
  ck_assert(whole_file_open(&file, "/dev/null") && !file.temporary);
  fputs("nothing", file.stream);
  ck_assert(whole_file_finish_on_disk(&file));
}

/* Files handle signals only if the program asks for it. */
TEST(signals_are_caught_only_on_request)
{
  static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
  for (int k = 0; k < 3; k++)
    ck_assert(signal(numbers[k], SIG_DFL) != SIG_ERR);
  whole_file file = begin("a", "text");
  for (int k = 0; k < 3; k++) {
    struct sigaction now;
    ck_assert_int_eq(sigaction(numbers[k], NULL, &now), 0);
    ck_assert(now.sa_handler == SIG_DFL);
  }
  whole_file_discard(&file);
}

/* The status of a child process that a signal ends while it writes a file. */
static int status_when_ended_by(int number)
{
  pid_t child = fork();
  ck_assert_int_ge(child, 0);
  if (child == 0) {
    begin("a", "text");
    raise(number);
    _exit(0);
  }
  int status;
  ck_assert_int_eq(waitpid(child, &status, 0), child);
  return status;
}

TEST(signals_remove_unfinished_files_on_request)
{
  static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
  for (int k = 0; k < 3; k++) {
    ck_assert(signal(numbers[k], SIG_DFL) != SIG_ERR);
    whole_file_remove_on_signals();
    int status = status_when_ended_by(numbers[k]);
    ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == numbers[k]);
    ck_assert_int_eq(scratch_count(directory, "."), 0);
  }
  ck_assert(signal(SIGHUP, SIG_IGN) != SIG_ERR); /* as under nohup */
  whole_file_remove_on_signals();
  int status = status_when_ended_by(SIGHUP);
  ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  ck_assert_int_eq(scratch_count(directory, "."), 1);
}

/* All files are written, even if there are more at once than a signal handler can remove. */
/* A continued file has its kept content up to a whole line, and nothing after it. */
TEST(a_continued_file_is_cut_back)
{
  error_info error = {.text = ""};
  append_file file;
  char *own = strdup(scratch_path(directory, "rows")), expected[400];
  ck_assert_msg(append_file_open(&file, own, -1, &error) && append_file_write(&file, "one\ntwo\n", 8, &error), "%s",
                error.text);
  ck_assert_int_eq(append_file_position(&file), 8);
  ck_assert(append_file_close(&file, &error));
  expect_text("rows", "one\ntwo\n");
  ck_assert(!append_file_open(&file, own, 9, &error));
  snprintf(expected, sizeof expected, "%s has 8 bytes, but had 9 when the checkpoint was written", own);
  ck_assert_str_eq(error.text, expected);
  ck_assert(!append_file_open(&file, own, 5, &error));
  snprintf(expected, sizeof expected, "%s was changed after the checkpoint: no line ends at its byte 5", own);
  ck_assert_str_eq(error.text, expected);
  expect_text("rows", "one\ntwo\n");
  static const struct {
    long long keep;
    const char *text;
  } steps[] = {{8, "one\ntwo\nx\n"}, {4, "one\nx\n"}, {0, "x\n"}, {-1, "x\n"}};
  for (int k = 0; k < 4; k++) {
    ck_assert_msg(append_file_open(&file, own, steps[k].keep, &error), "%s", error.text);
    ck_assert(append_file_write(&file, "x\n", 2, &error) && append_file_close(&file, &error));
    expect_text("rows", steps[k].text);
  }
  ck_assert_int_eq(unlink(own), 0);
  ck_assert(!append_file_open(&file, own, 0, &error));
  snprintf(expected, sizeof expected, "cannot open %s: No such file or directory", own);
  ck_assert_str_eq(error.text, expected);
  free(own);
}

TEST(any_number_of_files_is_written)
{
  enum { FILES = 400 };
  static whole_file files[FILES];
  char name[32];
  for (int k = 0; k < FILES; k++) {
    snprintf(name, sizeof name, "file-%d", k);
    files[k] = begin(name, name);
  }
  for (int k = FILES - 1; k >= 0; k--) {
    if (k % 3 == 0)
      whole_file_discard(&files[k]);
    else
      ck_assert(whole_file_finish(&files[k]));
  }
  ck_assert_int_eq(scratch_count(directory, "."), FILES - (FILES + 2) / 3);
  expect_text("file-1", "file-1");
  expect_text("file-398", "file-398");
}

enum { THREADS = 4, ROUNDS = 200 };

/* Returns NULL if all files could be written. */
static void *write_files(void *context)
{
  char path[600], text[32];
  for (int k = 0; k < ROUNDS; k++) {
    whole_file file, other;
    snprintf(path, sizeof path, "%s/%s-%d", directory, (const char *)context, k);
    snprintf(text, sizeof text, "%s", (const char *)context);
    if (!whole_file_open(&file, path) || !whole_file_open(&other, path))
      return context;
    fputs(text, file.stream);
    whole_file_discard(&other);
    if (!whole_file_finish(&file))
      return context;
  }
  return NULL;
}

TEST(threads_write_files_at_the_same_time)
{
  static char names[THREADS][2] = {"a", "b", "c", "d"};
  pthread_t threads[THREADS];
  for (int k = 0; k < THREADS; k++)
    ck_assert_int_eq(pthread_create(&threads[k], NULL, write_files, names[k]), 0);
  for (int k = 0; k < THREADS; k++) {
    void *failed;
    ck_assert_int_eq(pthread_join(threads[k], &failed), 0);
    ck_assert_ptr_null(failed);
  }
  ck_assert_int_eq(scratch_count(directory, "."), THREADS * ROUNDS);
  expect_text("c-77", "c");
  /* The table is empty again: a signal removes the next file. */
  ck_assert(signal(SIGTERM, SIG_DFL) != SIG_ERR);
  whole_file_remove_on_signals();
  int status = status_when_ended_by(SIGTERM);
  ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
  ck_assert_int_eq(scratch_count(directory, "."), THREADS * ROUNDS);
}
