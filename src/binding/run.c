/* SPDX-License-Identifier: MIT */
/* Runs with all their files. */
#include "handles.h"
#include "base/file_system.h"
#include "run/variants.h"

#include <locale.h>
#include <stdlib.h>

/* ---- Outcomes ---------------------------------------------------------------------------------------------------- */

static binding_ending ending_of(run_ending ending)
{
  return ending == RUN_COMPLETED ? BINDING_COMPLETED : ending == RUN_STOPPED ? BINDING_STOPPED : BINDING_NOT_COMPLETED;
}

static void tell_failure(run_ending ending, const error_info *info, binding_error *error)
{
  if (ending != RUN_COMPLETED && ending != RUN_STOPPED)
    (void)binding_error_take(error,
                             ending == RUN_REFUSED  ? BINDING_BAD_INPUT
                             : ending == RUN_FAILED ? BINDING_RUN_FAILED
                                                    : BINDING_FILE_FAILED,
                             info);
}

/* One of the two texts of a run, by the function that prints it; NULL: no memory. */
static char *print_summary(const run_summary *summary, void (*print)(const run_summary *, FILE *))
{
  memory_stream text;
  if (!memory_stream_open(&text))
    return NULL;
  print(summary, text.stream);
  return memory_stream_finish(&text) ? text.text : NULL;
}

static char *print_variants(const run_variants_report *report, const char *dir,
                            void (*print)(const run_variants_report *, const char *, FILE *))
{
  memory_stream text;
  if (!memory_stream_open(&text))
    return NULL;
  print(report, dir, text.stream);
  return memory_stream_finish(&text) ? text.text : NULL;
}

/* The run was completed and its files are good; without memory for the texts it counts as failed. */
static void require_texts(binding_outcome *outcome, binding_error *error)
{
  if (outcome->ending != BINDING_COMPLETED || (outcome->summary && outcome->json))
    return;
  outcome->ending = BINDING_NOT_COMPLETED;
  (void)binding_error_memory(error);
}

void binding_outcome_free(binding_outcome *outcome)
{
  free(outcome->checkpoint);
  free(outcome->summary);
  free(outcome->json);
  *outcome = (binding_outcome){.ending = BINDING_NOT_COMPLETED};
}

/* ---- Runs -------------------------------------------------------------------------------------------------------- */

static run_settings settings_of(const binding_run_settings *settings, const binding_case *of, const drawer *draws)
{
  return (run_settings){.dir = settings->dir,
                        .threads = settings->threads,
                        .resume = settings->resume,
                        .force = settings->force,
                        .case_file = settings->case_file,
                        .input = of->input,
                        .command = settings->command,
                        .drawer = settings->python ? draws : NULL};
}

static binding_outcome run_one(const binding_case *of, const run_settings *settings, binding_watch *watch,
                               binding_error *error)
{
  run_report report;
  run_watcher watcher = binding_watch_watcher(watch);
  run_execute(&report, &of->run, settings, &watcher);
  binding_outcome outcome = {
      .ending = ending_of(report.ending), .steps = report.steps, .checkpoint = report.checkpoint};
  report.checkpoint = NULL;
  if (report.ending == RUN_COMPLETED) {
    outcome.is_nonsense = report.summary.doubts.is_nonsense;
    outcome.summary = print_summary(&report.summary, run_summary_print);
    outcome.json = print_summary(&report.summary, run_summary_print_json);
  }
  tell_failure(report.ending, &report.error, error);
  run_report_free(&report);
  require_texts(&outcome, error);
  return outcome;
}

static binding_outcome run_lists(const binding_case *of, const run_settings *settings, binding_watch *watch,
                                 binding_error *error)
{
  run_variants_report report;
  run_watcher watcher = binding_watch_watcher(watch);
  run_variants_execute(&report, &of->run, settings, &watcher);
  binding_outcome outcome = {
      .ending = ending_of(report.ending), .steps = report.steps, .is_nonsense = report.is_nonsense};
  if (report.ending == RUN_COMPLETED) {
    outcome.summary = print_variants(&report, settings->dir, run_variants_print);
    outcome.json = print_variants(&report, settings->dir, run_variants_print_json);
  }
  tell_failure(report.ending, &report.error, error);
  run_variants_report_free(&report);
  require_texts(&outcome, error);
  return outcome;
}

typedef binding_outcome runner(const binding_case *of, const run_settings *settings, binding_watch *watch,
                               binding_error *error);

/*
 * The program around us may have set a locale with decimal commas; files, pictures and JSON have points. Only this
 * thread prints, and the processes of a list, which are copies of it.
 */
static binding_outcome run_with_points(runner *run, const binding_case *of, const run_settings *settings,
                                       binding_watch *watch, binding_error *error)
{
  locale_t points = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  if (!points) {
    (void)binding_error_memory(error);
    return (binding_outcome){.ending = BINDING_NOT_COMPLETED};
  }
  locale_t before = uselocale(points);
  binding_outcome outcome = run(of, settings, watch, error);
  uselocale(before);
  freelocale(points);
  return outcome;
}

binding_outcome binding_case_run(const binding_case *of, const binding_run_settings *settings, binding_watch *watch,
                                 binding_error *error)
{
  const drawer draws = {.python = settings->python, .package = settings->package};
  run_settings all = settings_of(settings, of, &draws);
  binding_error_clear(error);
  return run_with_points(binding_case_has_lists(of) ? run_lists : run_one, of, &all, watch, error);
}

binding_outcome binding_simulation_run(binding_simulation *s, const binding_run_settings *settings,
                                       binding_watch *watch, binding_error *error)
{
  const drawer draws = {.python = settings->python, .package = settings->package};
  run_settings all = settings_of(settings, s->of, &draws);
  binding_error_clear(error);
  long steps = dem_simulation_steps(s->dem);
  if (!settings->resume && (steps > 0 || dem_simulation_has_failed(s->dem))) {
    (void)binding_error_set(error, BINDING_BAD_INPUT,
                            "the simulation has made %ld steps, whose output is missing: a run begins with a new "
                            "simulation, or resumes",
                            steps);
    return (binding_outcome){.ending = BINDING_NOT_COMPLETED, .steps = steps};
  }
  all.threads = dem_simulation_threads(s->dem);
  all.simulation = &s->dem;
  return run_with_points(run_one, s->of, &all, watch, error);
}
