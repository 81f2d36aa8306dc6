/* SPDX-License-Identifier: MIT */
/* The command `jager run`: options, signals, progress and messages around run_execute. */
#include "base/error.h"
#include "base/whole_file.h"
#include "cli/command.h"
#include "huge_pages.h"
#include "options.h"
#include "run/family.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- Signals ----------------------------------------------------------------------------------------------------- */

static atomic_int caught_signal; /* a handler can reach nothing else */
_Static_assert(ATOMIC_INT_LOCK_FREE == 2, "a handler of signals must not wait");

/*
 * The first signal stops the run at the end of its step. The second removes unfinished files and ends the program at
 * once: SA_RESETHAND has restored the default action, which whole_file_remove_on_signals replaces.
 */
static void catch_signal(int number)
{
  caught_signal = number;
  whole_file_remove_on_signals();
}

static void watch_signals(void)
{
  struct sigaction stop = {.sa_handler = catch_signal, .sa_flags = (int)SA_RESETHAND}, old;
  const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    if (sigaction(numbers[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
      sigaction(numbers[i], &stop, NULL);
}

/* ---- While the run works ----------------------------------------------------------------------------------------- */

static void show_progress(void *context, const progress_state *state, bool stage_ended)
{
  progress *meter = context;
  if (stage_ended)
    progress_stage_ended(meter, state);
  else
    progress_update(meter, state);
}

/* Of a family, which does not report every step. */
static void show_family_progress(void *context, const progress_state *state, bool has_ended)
{
  progress *meter = context;
  if (has_ended)
    progress_stage_ended(meter, state);
  else
    progress_check_clock(meter, state);
}

static void show_notice(void *context, const char *text)
{
  progress *meter = context;
  progress_clear(meter);
  complain(RUN_COMMAND, "%s", text);
}

/* ---- At its end -------------------------------------------------------------------------------------------------- */

/* Of a run that was not completed. */
static int exit_code_of(run_ending ending)
{
  return ending == RUN_IO_FAILED ? EXIT_IO_FAILED : ending == RUN_REFUSED ? EXIT_BAD_INPUT : EXIT_RUN_FAILED;
}

static int tell_failure(const run_report *report)
{
  complain(RUN_COMMAND, "%s", report->error.text);
  if (report->checkpoint && report->is_start)
    complain(RUN_COMMAND, "the checkpoint that the run started from is kept in %s", report->checkpoint);
  else if (report->checkpoint)
    complain(RUN_COMMAND, "the last good state is kept in %s: %s", report->checkpoint,
             report->ending == RUN_IO_FAILED ? "--resume continues from there"
                                             : "another case can start from there with 'assembly: {checkpoint: ...}'");
  return exit_code_of(report->ending);
}

static const char *signal_name(int number)
{
  return number == SIGINT ? "SIGINT" : number == SIGTERM ? "SIGTERM" : "SIGHUP";
}

static int tell_stop(const run_report *report)
{
  int number = (int)caught_signal;
  complain(RUN_COMMAND, "stopped by %s at step %ld; 'jager run --resume' with the same options continues from %s",
           signal_name(number), report->steps, report->checkpoint);
  return 128 + number;
}

/* Doubts do not make a run fail, unless its result makes no sense. */
static int tell_results(const run_summary *summary, bool as_json)
{
  const run_doubts *doubts = &summary->doubts;
  (as_json ? run_summary_print_json : run_summary_print)(summary, stdout);
  for (size_t i = 0; i < doubts->count; i++)
    complain(RUN_COMMAND, "warning: %s", doubts->list[i].text);
  if (doubts->is_nonsense)
    complain(RUN_COMMAND,
             "the result makes no sense: a stress is off by more than its target, energy comes from nowhere, or "
             "numbers are not finite");
  return doubts->is_nonsense ? EXIT_RUN_FAILED : EXIT_DONE;
}

static int tell(const run_report *report, bool as_json)
{
  if (report->ending == RUN_COMPLETED)
    return tell_results(&report->summary, as_json);
  return report->ending == RUN_STOPPED ? tell_stop(report) : tell_failure(report);
}

/* ---- Families ---------------------------------------------------------------------------------------------------- */

static int tell_family_stop(const run_family_report *report)
{
  int number = (int)caught_signal;
  complain(RUN_COMMAND, "stopped by %s with %d of %d runs done; 'jager run --resume' with the same options continues",
           signal_name(number), report->done, report->count);
  return 128 + number;
}

static int tell_family(const run_family_report *report, const run_options *options)
{
  if (report->ending == RUN_STOPPED)
    return tell_family_stop(report);
  if (report->ending != RUN_COMPLETED) {
    complain(RUN_COMMAND, "%s", report->error.text);
    return exit_code_of(report->ending);
  }
  (options->json ? run_family_print_json : run_family_print)(report, options->dir, stdout);
  if (report->doubts > 0)
    complain(RUN_COMMAND, "warning: %zu warnings in the summaries of the runs, */summary.txt", report->doubts);
  if (report->is_nonsense)
    complain(RUN_COMMAND, "the result of a run makes no sense: see its summary");
  return report->is_nonsense ? EXIT_RUN_FAILED : EXIT_DONE;
}

/* ---- All --------------------------------------------------------------------------------------------------------- */

static int run_one(const run_options *options, const run_case *run, const run_settings *settings,
                   const run_watcher *watcher, progress *meter)
{
  run_report report;
  run_execute(&report, run, settings, watcher);
  progress_end(meter);
  int code = tell(&report, options->json);
  run_report_free(&report);
  return code;
}

static int run_family(const run_options *options, const run_case *run, const run_settings *settings,
                      const run_watcher *watcher, progress *meter)
{
  run_family_report report;
  run_watcher of_family = *watcher;
  of_family.progress = show_family_progress;
  run_family_execute(&report, run, settings, &of_family);
  progress_end(meter);
  int code = tell_family(&report, options);
  run_family_report_free(&report);
  return code;
}

static int run_with(const run_options *options)
{
  run_case run;
  progress meter;
  char *input = NULL;
  int code = case_argument_read(&options->of, &run, &input);
  if (code != EXIT_DONE)
    return code;
  huge_pages_ask();
  watch_signals();
  progress_start(&meter, stderr, options->quiet);
  run_settings settings = options->settings;
  settings.input = input;
  run_watcher watcher = {.context = &meter, .progress = show_progress, .notice = show_notice, .stop = &caught_signal};
  code = (run_is_family(&run) ? run_family : run_one)(options, &run, &settings, &watcher, &meter);
  run_case_free(&run);
  free(input);
  return code;
}

int run_command(int argc, char *argv[])
{
  run_options options;
  int code = run_options_parse(&options, argc, argv);
  if (code != EXIT_DONE)
    return code;
  code = run_with(&options);
  run_options_free(&options);
  return code;
}
