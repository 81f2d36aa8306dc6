/* SPDX-License-Identifier: MIT */
/*
 * Lists of runs: which files of their members are kept, and which are replaced.
 *
 * Oracles: the files before, byte by byte.
 */
#include "dem_support.h"

#include "run/variants.h"

#include <sys/stat.h>

static char *directory;

static const char *const members[] = {"jager", "hertz-mindlin"};

/* Two runs of spheres that do not touch. */
static run_case two_models(void)
{
  run_case run = run_case_default();
  run.simulation = dem_still_case(1e-7);
  run.simulation.stage_count = 0;
  run.simulation.assembly.source = DEM_SOURCE_LATTICE;
  run.simulation.assembly.lattice =
      (dem_lattice){.kind = DEM_LATTICE_SC, .cells = {3, 3, 3}, .radius = 1e-3, .overlap = -0.5};
  run.output.pictures = false;
  run.output.stages[0] = (output_intervals){.series = 3};
  dem_add_stage(&run.simulation, "only", 20);
  run.output.variants.model_count = 2;
  run.output.variants.models[0] = JAGER_MODEL_JAGER;
  run.output.variants.models[1] = JAGER_MODEL_HERTZ_MINDLIN;
  return run;
}

static const char *in_member(int member, const char *name)
{
  static char path[300];
  snprintf(path, sizeof path, "list/%s/%s", members[member], name);
  return path;
}

static run_variants_report execute(run_settings settings, const run_watcher *watcher)
{
  run_case run = two_models();
  run_variants_report report;
  settings.dir = scratch_path(directory, "list");
  settings.threads = 1;
  settings.input = "# no text\n";
  settings.command = "test";
  run_variants_execute(&report, &run, &settings, watcher);
  run_variants_report_free(&report);
  return report;
}

static void assert_text(int member, const char *name, const char *expected)
{
  size_t size;
  char *text = scratch_read(directory, in_member(member, name), &size);
  ck_assert_msg(strcmp(text, expected) == 0, "%s of %s has changed", name, members[member]);
  free(text);
}

/* Writes a file of another run when the first member has begun. */
static void write_series(void *context, const progress_state *state, bool ended)
{
  bool *is_written = context;
  (void)state;
  (void)ended;
  if (*is_written)
    return;
  *is_written = true;
  mkdir(scratch_path(directory, "list"), 0777);
  mkdir(scratch_path(directory, "list/hertz-mindlin"), 0777);
  scratch_write(directory, "list/hertz-mindlin/series.csv", "precious", 8);
}

START_TEST(files_that_appear_meanwhile_stay)
{
  bool is_written = false;
  run_watcher watcher = {.context = &is_written, .progress = write_series};
  run_variants_report report = execute((run_settings){.dir = NULL}, &watcher);
  ck_assert_int_eq(report.ending, RUN_REFUSED);
  ck_assert_msg(strstr(report.error.text, "list/hertz-mindlin/series.csv exists already") != NULL, "%s",
                report.error.text);
  ck_assert_int_eq(report.done, 1);
  assert_text(1, "series.csv", "precious");
}
END_TEST

/*
 * Completed runs are replaced only by force. A file that this case does not write shows whether a member has been
 * cleared.
 */
START_TEST(members_are_replaced_by_force_only)
{
  const run_watcher nobody = {.context = NULL};
  run_variants_report report = execute((run_settings){.dir = NULL}, &nobody);
  ck_assert_msg(report.ending == RUN_COMPLETED && report.done == 2, "%s", report.error.text);
  for (int k = 0; k < 2; k++)
    scratch_write(directory, in_member(k, "cycles.csv"), "old", 3);
  report = execute((run_settings){.dir = NULL}, &nobody);
  ck_assert_int_eq(report.ending, RUN_REFUSED);
  ck_assert_ptr_nonnull(strstr(report.error.text, "list/jager/checkpoint.jck exists already"));
  ck_assert_int_eq(report.error.code, ERROR_RUN_RESUMABLE);
  for (int k = 0; k < 2; k++)
    assert_text(k, "cycles.csv", "old");
  report = execute((run_settings){.force = true}, &nobody);
  ck_assert_msg(report.ending == RUN_COMPLETED && report.done == 2, "%s", report.error.text);
  for (int k = 0; k < 2; k++)
    ck_assert(!scratch_has(directory, in_member(k, "cycles.csv")));
}
END_TEST

/* A member with either of its two checkpoints continues; the other member has none, and begins again. */
START_TEST(members_without_a_checkpoint_begin_again)
{
  const run_watcher nobody = {.context = NULL};
  for (int older = 0; older < 2; older++) {
    char place[300];
    size_t size;
    run_variants_report report = execute((run_settings){.force = older > 0}, &nobody);
    ck_assert_int_eq(report.ending, RUN_COMPLETED);
    char *kept = scratch_read(directory, in_member(1, "series.csv"), &size);
    for (int k = 0; k < 2; k++)
      scratch_write(directory, in_member(k, "cycles.csv"), "old", 3);
    scratch_write(directory, in_member(1, "series.csv"), "half", 4);
    remove(scratch_path(directory, in_member(1, "checkpoint.jck")));
    remove(scratch_path(directory, in_member(1, "checkpoint-before.jck")));
    snprintf(place, sizeof place, "%s", scratch_path(directory, in_member(0, "checkpoint-before.jck")));
    if (older > 0)
      ck_assert_int_eq(rename(scratch_path(directory, in_member(0, "checkpoint.jck")), place), 0);
    report = execute((run_settings){.resume = true}, &nobody);
    ck_assert_msg(report.ending == RUN_COMPLETED && report.done == 2, "%s", report.error.text);
    assert_text(0, "cycles.csv", "old");
    ck_assert(!scratch_has(directory, in_member(1, "cycles.csv")));
    assert_text(1, "series.csv", kept);
    free(kept);
  }
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
  tcase_add_test(tests, files_that_appear_meanwhile_stay);
  tcase_add_test(tests, members_are_replaced_by_force_only);
  tcase_add_test(tests, members_without_a_checkpoint_begin_again);
}

int main(void)
{
  return run_tests("variants", add_tests);
}
