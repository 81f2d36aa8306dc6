/* SPDX-License-Identifier: MIT */
/*
 * The runs of a list look at their files only after locking the directory. This file has a flock() of its own: a file
 * of another run arrives just with the lock.
 *
 * Oracle: the files. Two processes at once are in tests/cli/run/run_lists.sh.
 */
#include "run_support.h"

#include <sys/file.h>
#include <sys/syscall.h>

FIXTURE_EACH(make_directory, remove_directory)
static const char *arriving; /* file of `directory` that appears, as `arrived`, with the first lock; NULL: none */
static char arrived[4096];

int flock(int descriptor, int operation)
{
  if (arriving)
    ck_assert_int_eq(rename(scratch_path(directory, arriving), arrived), 0);
  arriving = NULL;
  return (int)syscall(SYS_flock, descriptor, operation);
}

static run_variants_report execute(run_settings settings)
{
  return execute_list(settings, 10, &(run_watcher){.context = NULL});
}

/* A checkpoint that has arrived is read, not replaced: it is damaged, and the run says so. */
TEST(a_run_of_the_list_looks_for_its_checkpoint_under_the_lock)
{
  run_variants_report report = execute((run_settings){.force = false});
  ck_assert_msg(report.ending == RUN_COMPLETED && report.done == 2, "%s", report.error.text);
  run_variants_report_free(&report);
  scratch_write(directory, "other", "no checkpoint", 13);
  snprintf(arrived, sizeof arrived, "%s", scratch_path(directory, "list/jager/checkpoint.jck"));
  ck_assert_int_eq(unlink(arrived), 0);
  ck_assert(!scratch_has(directory, "list/jager/checkpoint-before.jck"));
  arriving = "other";
  report = execute((run_settings){.resume = true});
  ck_assert_int_eq(report.ending, RUN_REFUSED);
  ck_assert_msg(strstr(report.error.text, "list/jager/checkpoint.jck: ") != NULL, "%s", report.error.text);
  ck_assert(scratch_has(directory, "list/jager/result.h5"));
  run_variants_report_free(&report);
}

/* Files that have arrived are refused without --force. */
TEST(the_list_looks_for_earlier_runs_under_the_lock)
{
  ck_assert_int_eq(mkdir(scratch_path(directory, "list"), 0777), 0);
  ck_assert_int_eq(mkdir(scratch_path(directory, "list/hertz-mindlin"), 0777), 0);
  scratch_write(directory, "other", "step\n", 5);
  snprintf(arrived, sizeof arrived, "%s", scratch_path(directory, "list/hertz-mindlin/series.csv"));
  arriving = "other";
  run_variants_report report = execute((run_settings){.force = false});
  ck_assert_int_eq(report.ending, RUN_REFUSED);
  ck_assert_msg(strstr(report.error.text, "list/hertz-mindlin/series.csv exists already") != NULL, "%s",
                report.error.text);
  ck_assert(!scratch_has(directory, "list/jager")); /* no run has begun */
  run_variants_report_free(&report);
}
