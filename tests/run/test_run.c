/* SPDX-License-Identifier: MIT */
/*
 * Runs as a function: the output due at each step; a run that is stopped, resumed and watched.
 *
 * Oracles: the intervals themselves; the uninterrupted run, file by file.
 */
#include "run_support.h"

FIXTURE_EACH(make_directory, remove_directory)

static dem_stage *add_stage(run_case *run, const char *name, long steps, output_intervals intervals)
{
  run->output.stages[run->simulation.stage_count] = intervals;
  return dem_add_stage(&run->simulation, name, steps);
}

/* ---- What is due ------------------------------------------------------------------------------------------------- */

TEST(output_is_due_when_asked_for)
{
  run_case run = loose_case();
  add_stage(&run, "output", 25, (output_intervals){.series = 10, .snapshot = 7, .vtk = 0});
  SCOPED_SIMULATION s = dem_create(&run.simulation, 1);
  for (int k = 1; k <= 25; k++) {
    dem_steps(s, 1);
    run_due due = run_output_due(&run.output, s);
    ck_assert_int_eq(due.series, k % 10 == 0 || k == 25);
    ck_assert_int_eq(due.snapshot, k % 7 == 0 || k == 25);
    ck_assert(!due.vtk);
  }
}

TEST(output_is_due_at_starts_and_reversals)
{
  run_case run = loose_case();
  add_stage(&run, "first", 9, (output_intervals){.series = 1000, .snapshot = 1000, .vtk = 0});
  dem_stage *stage = add_stage(&run, "cycles", 60, (output_intervals){.series = 1000, .snapshot = 1000, .vtk = 1000});
  stage->control[DEM_XY] = (dem_control){.kind = DEM_CONTROL_STRAIN_STEP, .value = 1e-5};
  stage->cyclic = (dem_cyclic){.on = true, .of = DEM_STRAIN + DEM_XY, .amplitude = 9.5e-5, .center = NAN};
  add_stage(&run, "silent", 5, (output_intervals){0});
  SCOPED_SIMULATION s = dem_create(&run.simulation, 1);
  error_info error;
  int reversals = 0;
  run_due due = run_output_due(&run.output, s);
  ck_assert(due.series && due.snapshot && !due.vtk); /* of a lattice, the start of the case */
  dem_steps(s, 9);
  ck_assert_int_eq(dem_simulation_begin_stage(s, &error), DEM_GOES_ON);
  due = run_output_due(&run.output, s);
  ck_assert(due.series && !due.snapshot && due.vtk); /* a snapshot was due a moment ago */
  for (int k = 1; k < 60; k++) {
    dem_steps(s, 1);
    due = run_output_due(&run.output, s);
    ck_assert_int_eq(due.series, dem_simulation_events(s).reversed);
    ck_assert(!due.snapshot && !due.vtk);
    reversals += due.series;
  }
  ck_assert_int_eq(reversals, 3);
  dem_steps(s, 1);
  ck_assert_int_eq(dem_simulation_begin_stage(s, &error), DEM_GOES_ON);
  due = run_output_due(&run.output, s);
  ck_assert(!due.series && !due.snapshot && !due.vtk);
}

/* Packing has the series of the first stage, and no snapshots. */
TEST(packing_writes_the_series_of_the_first_stage)
{
  run_case run = run_case_default();
  dem_take_packing(&run.simulation, 30, 1e6);
  add_stage(&run, "first", 3, (output_intervals){.series = 4, .snapshot = 3, .vtk = 5});
  SCOPED_SIMULATION s = dem_create(&run.simulation, 1);
  for (int k = 1; k <= 20; k++) {
    dem_steps(s, 1);
    run_due due = run_output_due(&run.output, s);
    ck_assert(due.series == (k % 4 == 0) && !due.snapshot && !due.vtk);
  }
}

/* ---- Runs -------------------------------------------------------------------------------------------------------- */

/* A watcher that stops the run after a step, and counts. */
typedef struct counts {
  long stop_at, steps;
  int stages;
  char notice[200];
  atomic_int stop;
} counts;

static void count_progress(void *context, const progress_state *state, bool stage_ended)
{
  counts *c = context;
  c->steps++;
  c->stages += stage_ended;
  ck_assert_int_eq(state->stage_count, 1);
  if (state->step == c->stop_at)
    c->stop = 1;
}

static void keep_notice(void *context, const char *text)
{
  snprintf(((counts *)context)->notice, sizeof((counts *)context)->notice, "%s", text);
}

static run_report execute(const run_case *run, run_settings settings, counts *c)
{
  run_report report;
  run_watcher watcher = {.context = c, .progress = count_progress, .notice = keep_notice, .stop = &c->stop};
  settings.threads = 1;
  settings.input = "# no text\n";
  settings.command = "test";
  run_execute(&report, run, &settings, &watcher);
  return report;
}

static run_case traced_case(void)
{
  run_case run = loose_case();
  add_stage(&run, "only", 20, (output_intervals){.series = 3});
  run.simulation.trace_count = 1;
  run.simulation.traces[0] = (dem_trace){.kind = DEM_TRACE_PAIR, .ids = {0, 1}, .every = 1};
  return run;
}

static void assert_same_file(const char *name)
{
  char whole[100], resumed[100];
  size_t sizes[2];
  snprintf(whole, sizeof whole, "whole/%s", name);
  snprintf(resumed, sizeof resumed, "resumed/%s", name);
  char *a = scratch_read(directory, whole, &sizes[0]), *b = scratch_read(directory, resumed, &sizes[1]);
  ck_assert_uint_eq(sizes[0], sizes[1]);
  ck_assert_msg(memcmp(a, b, sizes[0]) == 0, "%s differs", name);
  free(a);
  free(b);
}

TEST(a_run_is_watched_stopped_and_resumed)
{
  run_case run = traced_case();
  char whole[200], resumed[200];
  snprintf(whole, sizeof whole, "%s/whole", directory);
  snprintf(resumed, sizeof resumed, "%s/resumed", directory);
  counts c = {.stop_at = -1};
  run_report first = execute(&run, (run_settings){.dir = whole}, &c);
  ck_assert_msg(first.ending == RUN_COMPLETED, "%s", first.error.text);
  ck_assert(first.steps == 20 && c.steps == 20 && c.stages == 1 && first.summary.steps == 20 && !first.checkpoint);
  ck_assert_ptr_nonnull(strstr(c.notice, "trace-1.csv is empty: there was no such contact"));
  c = (counts){.stop_at = 7};
  run_report part = execute(&run, (run_settings){.dir = resumed}, &c);
  ck_assert(part.ending == RUN_STOPPED && part.steps == 7 && c.steps == 7);
  ck_assert_str_eq(part.checkpoint, scratch_path(resumed, "checkpoint.jck"));
  run_report_free(&part);
  c = (counts){.stop_at = -1};
  part = execute(&run, (run_settings){.dir = resumed, .resume = true}, &c);
  ck_assert_msg(part.ending == RUN_COMPLETED, "%s", part.error.text);
  ck_assert(c.steps == 13 && part.steps == 20 && part.summary.hash == first.summary.hash);
  assert_same_file("series.csv");
  assert_same_file("summary.txt");
  assert_same_file("trace-1.csv");
  run_report_free(&part);
  run_report_free(&first);
}

/* A run without callbacks; a second one in its place is refused, and a third replaces it. */
TEST(a_directory_in_use_is_refused)
{
  run_case run = traced_case();
  run_settings settings = {.dir = scratch_path(directory, "used"), .threads = 1, .input = "", .command = ""};
  run_report report;
  for (int k = 0; k < 3; k++) {
    settings.force = k == 2;
    run_execute(&report, &run, &settings, &(run_watcher){.context = NULL});
    ck_assert_int_eq(report.ending, k == 1 ? RUN_REFUSED : RUN_COMPLETED);
    ck_assert_int_eq(report.error.code, k == 1 ? ERROR_RUN_RESUMABLE : ERROR_OTHER);
    run_report_free(&report);
  }
  settings.resume = true;
  settings.dir = scratch_path(directory, "none");
  settings.force = false;
  run_execute(&report, &run, &settings, &(run_watcher){.context = NULL});
  ck_assert_int_eq(report.ending, RUN_REFUSED);
  ck_assert_ptr_nonnull(strstr(report.error.text, " has no checkpoint: there is nothing to resume"));
  run_report_free(&report);
}
