/* SPDX-License-Identifier: MIT */
/*
 * The runs of a list look at their files only after locking the directory. This file has a flock() of its own: a file
 * of another run arrives just with the lock.
 *
 * Oracle: the files. Two processes at once are in tests/cli/run/run_lists.sh.
 */
#include "dem_support.h"

#include "run/variants.h"

#include <sys/file.h>
#include <sys/syscall.h>

static char *directory;
static const char *arriving; /* file of `directory` that appears, as `arrived`, with the first lock; NULL: none */
static char arrived[4096];

int flock(int descriptor, int operation)
{
  if (arriving)
    ck_assert_int_eq(rename(scratch_path(directory, arriving), arrived), 0);
  arriving = NULL;
  return (int)syscall(SYS_flock, descriptor, operation);
}

/* Two models, in the directories list/jager and list/hertz-mindlin */
static run_variants_report execute(run_settings settings)
{
  run_variants_report report;
  run_case run = run_case_default();
  run.simulation = dem_still_case(1e-7);
  run.simulation.stage_count = 0;
  run.simulation.assembly.source = DEM_SOURCE_LATTICE;
  run.simulation.assembly.lattice =
      (dem_lattice){.kind = DEM_LATTICE_SC, .cells = {3, 3, 3}, .radius = 1e-3, .overlap = -0.5};
  run.output.pictures = false;
  run.output.stages[0] = (output_intervals){.series = 10};
  dem_add_stage(&run.simulation, "stage", 20);
  run.output.variants = (run_variants){.models = {JAGER_MODEL_JAGER, JAGER_MODEL_HERTZ_MINDLIN}, .model_count = 2};
  settings.dir = scratch_path(directory, "list");
  settings.threads = 1;
  settings.input = settings.command = "";
  run_variants_execute(&report, &run, &settings, &(run_watcher){.context = NULL});
  return report;
}

/* A checkpoint that has arrived is read, not replaced: it is damaged, and the run says so. */
START_TEST(a_run_of_the_list_looks_for_its_checkpoint_under_the_lock)
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
END_TEST

/* Files that have arrived are refused without --force. */
START_TEST(the_list_looks_for_earlier_runs_under_the_lock)
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
  tcase_add_test(tests, a_run_of_the_list_looks_for_its_checkpoint_under_the_lock);
  tcase_add_test(tests, the_list_looks_for_earlier_runs_under_the_lock);
}

int main(void)
{
  return run_tests("run_lists", add_tests);
}
