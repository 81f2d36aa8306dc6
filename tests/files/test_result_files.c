/* SPDX-License-Identifier: MIT */
/*
 * The files of snapshots and of the result: when they appear and disappear, and what remains on a full disk. A run that
 * was killed and resumed must end with the same snapshots.
 */
#define _GNU_SOURCE
#include "result_run.h"

#include <sys/resource.h>
#include <sys/syscall.h>

FIXTURE_ONCE(result_end_without_cleanup, NULL)
FIXTURE_EACH(make_directory, remove_directory)

TEST(snapshots_are_files_until_the_end)
{
  char *text;
  size_t size;
  write_series(directory, 3);
  ASSERT_OK(result_begin(directory, -1, &error));
  ck_assert_int_eq(scratch_count(directory, "."), 1);
  ASSERT_OK(add_snapshot(directory, 100));
  ASSERT_OK(add_snapshot(directory, 100)); /* replaces the file */
  ASSERT_OK(add_snapshot(directory, 1000000000));
  ck_assert(scratch_has(directory, "snapshots/000000100.h5") && scratch_has(directory, "snapshots/1000000000.h5"));
  FILE *out = open_memstream(&text, &size);
  ASSERT_OK(result_describe(scratch_path(directory, "snapshots/000000100.h5"), false, out, &error));
  ck_assert(!result_print_input(scratch_path(directory, "snapshots/000000100.h5"), out, &error));
  ck_assert_ptr_nonnull(strstr(error.text, "is a snapshot: only results have the text of their case"));
  fclose(out);
  ck_assert_ptr_nonnull(strstr(text, "000000100.h5: a snapshot of a run\n"));
  ck_assert_ptr_nonnull(strstr(text, "snapshots: 1\n  step 100, time 0.1 s: 1000 spheres, 3000 contacts\n"));
  free(text);
  out = open_memstream(&text, &size);
  ASSERT_OK(result_describe(scratch_path(directory, "snapshots/000000100.h5"), true, out, &error));
  fclose(out);
  ck_assert_ptr_nonnull(strstr(text, "{\"kind\": \"snapshot\", \"file\": "));
  ck_assert_ptr_nonnull(strstr(text, ", \"version\": \"" JAGER_VERSION
                                     "\", \"snapshots\": [{\"step\": 100, \"time\": 0.10000000000000001, "
                                     "\"spheres\": 1000, \"contacts\": 3000}]}\n"));
  free(text);
  ASSERT_OK(finish(directory));
  ck_assert(!scratch_has(directory, "snapshots") && scratch_has(directory, "result.h5"));
  ck_assert_int_eq(scratch_count(directory, "."), 2);
  assert_no_handles();
}

/* Asserts that the result has these snapshots. Each step is followed by a space. */
static void assert_snapshots(const char *dir, const char *expected)
{
  char *text, found[500] = "";
  size_t size;
  FILE *out = open_memstream(&text, &size);
  ASSERT_OK(result_describe(scratch_path(dir, "result.h5"), false, out, &error));
  fclose(out);
  for (const char *at = strstr(text, "snapshots:"); (at = strstr(at, "  step "));) {
    at += strlen("  step ");
    strncat(found, at, strcspn(at, ","));
    strcat(found, " ");
  }
  ck_assert_str_eq(found, expected);
  free(text);
}

TEST(resuming_drops_later_snapshots)
{
  write_series(directory, 3);
  ASSERT_OK(result_begin(directory, -1, &error));
  for (long step = 100; step <= 500; step += 100)
    ASSERT_OK(add_snapshot(directory, step));
  scratch_write(directory, "snapshots/000000600.h5.tmp-77-0", "half", 4);
  scratch_write(directory, "snapshots/mine.h5", "mine", 4);
  ASSERT_OK(result_begin(directory, 300, &error));
  ck_assert_int_eq(scratch_count(directory, "snapshots"), 4);
  ASSERT_OK(add_snapshot(directory, 350));
  ASSERT_OK(finish(directory));
  assert_snapshots(directory, "100 200 300 350 ");
  ck_assert_int_eq(scratch_count(directory, "snapshots"), 1); /* mine */
}

/*
 * A run that had ended resumes from an earlier checkpoint, and is killed after its old end: kept snapshots are
 * extracted from its result, but not the one of the old end.
 */
TEST(a_run_that_had_ended_is_resumed)
{
  make_run(directory);
  ASSERT_OK(result_begin(directory, 150, &error));
  ck_assert_int_eq(scratch_count(directory, "snapshots"), 2);
  ck_assert(!scratch_has(directory, "result.h5"));
  ASSERT_OK(add_snapshot(directory, 160));
  ASSERT_OK(result_begin(directory, 250, &error));
  ASSERT_OK(finish(directory));
  assert_snapshots(directory, "0 100 160 ");
  assert_no_handles();
}

TEST(a_new_run_removes_the_old_one)
{
  make_run(directory);
  ASSERT_OK(add_snapshot(directory, 700));
  ASSERT_OK(result_begin(directory, -1, &error));
  ck_assert_int_eq(scratch_count(directory, "snapshots"), 0);
  ck_assert(!scratch_has(directory, "result.h5"));
}

/* There are no time stamps in the files. */
TEST(equal_snapshots_are_equal_files)
{
  size_t first_size, second_size;
  ASSERT_OK(add_snapshot(directory, 100));
  char *first = scratch_read(directory, "snapshots/000000100.h5", &first_size);
  usleep(1100000);
  ASSERT_OK(add_snapshot(directory, 100));
  char *second = scratch_read(directory, "snapshots/000000100.h5", &second_size);
  ck_assert(first_size == second_size && memcmp(first, second, first_size) == 0);
  free(first);
  free(second);
}

/* ---- Failures of writing ----------------------------------------------------------------------------------------- */

TEST(failures_of_writing_are_reported)
{
  char expected[400];
  ck_assert(!add_snapshot(scratch_path(directory, "none"), 100));
  snprintf(expected, sizeof expected, "cannot create %s/none/snapshots: No such file or directory", directory);
  ck_assert_str_eq(error.text, expected);
  write_series(directory, 3);
  ck_assert_int_eq(symlink("/dev/full", scratch_path(directory, "result.h5")), 0);
  ck_assert(!finish(directory));
  snprintf(expected, sizeof expected, "cannot write %s/result.h5: it is not a regular file", directory);
  ck_assert_str_eq(error.text, expected);
  ck_assert_int_eq(unlink(scratch_path(directory, "series.csv")), 0);
  ck_assert(!finish(directory));
  snprintf(expected, sizeof expected, "cannot open %s/series.csv: No such file or directory", directory);
  ck_assert_str_eq(error.text, expected);
  assert_no_handles();
}

/* The disk is full at many points of writing. HDF5 keeps such files open, but the next one is written. */
TEST(a_full_disk_is_reported_and_leaves_no_file)
{
  char expected[400];
  snprintf(expected, sizeof expected, "cannot write %s/snapshots/000000100.h5: File too large", directory);
  rlim_t limit = 0;
  for (bool is_added = false; !is_added; limit = 2 * limit + 100) {
    scratch_limit_files(limit);
    is_added = add_snapshot(directory, 100);
    scratch_limit_files(RLIM_INFINITY);
    ck_assert_int_eq(scratch_count(directory, "snapshots"), is_added);
    if (!is_added)
      ck_assert_str_eq(error.text, expected);
  }
  ck_assert_uint_gt(limit, 10000);
}

TEST(a_result_that_does_not_fit_keeps_the_snapshots)
{
  char expected[400];
  write_series(directory, ROWS);
  ASSERT_OK(result_begin(directory, -1, &error));
  ASSERT_OK(add_snapshot(directory, 100));
  ASSERT_OK(add_snapshot(directory, 200));
  snprintf(expected, sizeof expected, "cannot write %s/result.h5: File too large", directory);
  rlim_t limit = 0;
  for (bool is_finished = false; !is_finished; limit = 2 * limit + 100) {
    scratch_limit_files(limit);
    is_finished = finish(directory);
    scratch_limit_files(RLIM_INFINITY);
    ck_assert_int_eq(scratch_count(directory, "snapshots"), is_finished ? 0 : 2);
    ck_assert_int_eq(scratch_has(directory, "result.h5"), is_finished);
    if (!is_finished)
      ck_assert_str_eq(error.text, expected);
  }
  ck_assert_uint_gt(limit, 10000);
  assert_snapshots(directory, "100 200 ");
}

/* HDF5 writes through this function, which can lose one write. */
static long lost_write; /* the number of writes until the lost one; 0: none */

ssize_t pwrite(int descriptor, const void *bytes, size_t size, off_t at)
{
  bool is_lost = lost_write > 0 && --lost_write == 0;
  void *zeros = is_lost ? calloc(size, 1) : NULL;
  ssize_t written = syscall(SYS_pwrite64, descriptor, is_lost ? zeros : bytes, size, at);
  free(zeros);
  return written;
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t size, off64_t at)
{
  return pwrite(descriptor, bytes, size, at);
}

/* A file is read before it gets its name. */
#ifndef __SANITIZE_ADDRESS__ /* which has a pwrite of its own */
TEST(a_write_that_is_lost_is_noticed)
{
  int noticed = 0, number = 1;
  for (; lost_write == 0; number++) {
    lost_write = number;
    bool is_added = add_snapshot(directory, 100);
    ck_assert_int_eq(scratch_count(directory, "snapshots"), is_added);
    noticed += !is_added;
    if (is_added) { /* what was lost was of no use */
      ASSERT_OK(result_begin(directory, 100, &error));
      ASSERT_OK(result_begin(directory, -1, &error));
    }
  }
  lost_write = 0;
  ck_assert_int_gt(noticed, 10);
  assert_no_handles();
}
#endif

TEST(a_damaged_snapshot_is_named)
{
  char expected[400];
  write_series(directory, 3);
  ASSERT_OK(result_begin(directory, -1, &error));
  ASSERT_OK(add_snapshot(directory, 100));
  scratch_write(directory, "snapshots/000000200.h5", "nothing", 7);
  ck_assert(!finish(directory));
  snprintf(expected, sizeof expected,
           "%s/snapshots/000000200.h5 is not an HDF5 file, or damaged: HDF5 says: ", directory);
  ck_assert_msg(strncmp(error.text, expected, strlen(expected)) == 0, "%s", error.text);
  ck_assert_int_eq(scratch_count(directory, "snapshots"), 2);
  ck_assert(!scratch_has(directory, "result.h5"));
  assert_no_handles();
}
