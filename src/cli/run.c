/* SPDX-License-Identifier: MIT */
/* The command `jager run`: options, signals, progress and messages around run_execute. */
#include "command.h"
#include "files/result.h"
#include "run/variants.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define RUN_COMMAND "jager run"

/* ---- Options ----------------------------------------------------------------------------------------------------- */

typedef struct run_options {
  case_argument of;
  run_settings settings;
  bool quiet, json;
  char *dir; /* of the settings; allocated */
} run_options;

enum { KEY_RESUME = CASE_KEY_NEXT, KEY_FORCE, KEY_JSON, KEY_THREADS };

static const struct argp_option option_list[] = {
    {"output", 'o', "DIR", 0, "Write all files to DIR (default: out/NAME for NAME.yaml)", 0},
    {"threads", KEY_THREADS, "N", 0, THREADS_OPTION_HELP, 0},
    {"resume", KEY_RESUME, NULL, 0,
     "Continue from the last checkpoint in DIR; the case may have a later end or more stages than before", 0},
    {"force", KEY_FORCE, NULL, 0, "Replace the files that an earlier run has left in DIR", 0},
    CASE_OPTION_SET,
    {"quiet", 'q', NULL, 0, "Print no progress on standard error", 0},
    {"json", KEY_JSON, NULL, 0, "Print the summary as JSON", 0},
    {0},
};

static const char summary[] =
    "Simulate a laboratory test of an assembly of spheres with the discrete element method (DEM): pack or read the "
    "assembly, load it stage by stage (triaxial, biaxial, simple shear, cyclic, undrained), and write time series, "
    "snapshots, checkpoints and pictures. Ready tests: modulus reduction, liquefaction resistance; lists of contact "
    "models and of stress ratios in a case have a run for each value, side by side.\v"
    "Ctrl-C (SIGINT) and SIGTERM stop the run after a checkpoint; --resume continues it, with the same results, bit "
    "for bit, as a run that was not interrupted. 'jager check' prints what a case would do. See jager(1) and "
    "docs/guide.md.";

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
  run_options *options = state->input;
  switch (key) {
  case 'o':
    free(options->dir);
    options->dir = strdup(argument);
    return options->dir ? 0 : ENOMEM;
  case 'q':
    options->quiet = true;
    return 0;
  case KEY_THREADS:
    options->settings.threads = threads_option_parse(argument, state);
    return 0;
  case KEY_RESUME:
    options->settings.resume = true;
    return 0;
  case KEY_FORCE:
    options->settings.force = true;
    return 0;
  case KEY_JSON:
    options->json = true;
    return 0;
  case ARGP_KEY_END:
    if (options->settings.resume && options->settings.force)
      argp_error(state, "--resume continues a run and --force replaces it: give only one of them");
    return 0;
  default:
    return case_argument_parse(&options->of, key, argument, state);
  }
}

/*
 * "out/biaxial" for ".../biaxial.yaml". The ending stays where nothing but dots would be left: "out/..", of
 * "...yaml", is the present directory.
 */
static char *default_dir(const char *path)
{
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
  size_t length = dot ? (size_t)(dot - name) : strlen(name);
  if (strspn(name, ".") >= length)
    length = strlen(name);
  size_t size = length + sizeof "out/";
  char *dir = malloc(size);
  if (dir)
    snprintf(dir, size, "out/%.*s", (int)length, name);
  return dir;
}

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

/* ---- While the run works ----------------------------------------------------------------------------------------- */

static void show_progress(void *context, const progress_state *state, bool stage_ended)
{
  progress *meter = context;
  if (stage_ended)
    progress_stage_ended(meter, state);
  else
    progress_update(meter, state);
}

/* Of several runs side by side, which do not report every step. */
static void show_runs_progress(void *context, const progress_state *state, bool has_ended)
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

/* The words of a run, or of the runs of a list, that was not completed; `what` would be replaced by force. */
static int tell_error(run_ending ending, const error_info *error, const char *what, const char *dir)
{
  if (error->code == ERROR_OTHER)
    complain(RUN_COMMAND, "%s", error->text);
  else
    complain(RUN_COMMAND, "%s: %s--force replaces the %s in %s, -o takes another directory", error->text,
             error->code == ERROR_RUN_RESUMABLE ? "--resume continues it, " : "", what, dir);
  return ending == RUN_IO_FAILED ? EXIT_IO_FAILED : ending == RUN_REFUSED ? EXIT_BAD_INPUT : EXIT_RUN_FAILED;
}

static const char *signal_name(int number)
{
  return number == SIGINT ? "SIGINT" : number == SIGTERM ? "SIGTERM" : "SIGHUP";
}

/* Doubts do not make a run fail, unless its result makes no sense. */
static int tell(const run_report *report, const run_options *options)
{
  if (report->ending == RUN_STOPPED) {
    int number = (int)caught_signal;
    complain(RUN_COMMAND, "stopped by %s at step %ld; 'jager run --resume' with the same options continues from %s",
             signal_name(number), report->steps, report->checkpoint);
    return 128 + number;
  }
  if (report->ending != RUN_COMPLETED) {
    int code = tell_error(report->ending, &report->error, "run", options->dir);
    if (report->checkpoint && report->is_start)
      complain(RUN_COMMAND, "the checkpoint that the run started from is kept in %s", report->checkpoint);
    else if (report->checkpoint)
      complain(RUN_COMMAND, "the last good state is kept in %s: %s", report->checkpoint,
               report->ending == RUN_IO_FAILED
                   ? "--resume continues from there"
                   : "another case can start from there with 'assembly: {checkpoint: ...}'");
    return code;
  }
  const run_doubts *doubts = &report->summary.doubts;
  (options->json ? run_summary_print_json : run_summary_print)(&report->summary, stdout);
  for (size_t i = 0; i < doubts->count; i++)
    complain(RUN_COMMAND, "warning: %s", doubts->list[i].text);
  if (doubts->is_nonsense)
    complain(RUN_COMMAND,
             "the result makes no sense: a stress is off by more than its target, the energy balance is off by more "
             "than half, or numbers are not finite");
  return doubts->is_nonsense ? EXIT_RUN_FAILED : EXIT_DONE;
}

static int tell_variants(const run_variants_report *report, const run_options *options)
{
  if (report->ending == RUN_STOPPED) {
    int number = (int)caught_signal;
    complain(RUN_COMMAND, "stopped by %s with %d of %d runs done; 'jager run --resume' with the same options continues",
             signal_name(number), report->done, report->count);
    return 128 + number;
  }
  if (report->ending != RUN_COMPLETED)
    return tell_error(report->ending, &report->error, "runs", options->dir);
  (options->json ? run_variants_print_json : run_variants_print)(report, options->dir, stdout);
  if (report->doubts > 0)
    complain(RUN_COMMAND, "warning: %zu warnings in the summaries of the runs, */summary.txt", report->doubts);
  if (report->is_nonsense)
    complain(RUN_COMMAND, "the result of a run makes no sense: see its summary");
  return report->is_nonsense ? EXIT_RUN_FAILED : EXIT_DONE;
}

/* ---- All --------------------------------------------------------------------------------------------------------- */

/* All settings are there but the text of the case. */
static int run_with(const run_options *options)
{
  run_case run;
  progress meter;
  char *input = NULL;
  int code = case_argument_read(&options->of, &run, &input);
  if (code != EXIT_DONE)
    return code;
  result_end_without_cleanup();
  struct sigaction stop = {.sa_handler = catch_signal, .sa_flags = (int)SA_RESETHAND}, old;
  const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    if (sigaction(numbers[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
      sigaction(numbers[i], &stop, NULL);
  progress_start(&meter, stderr, options->quiet);
  run_settings settings = options->settings;
  settings.input = input;
  settings.drawer = program_drawer();
  run_watcher watcher = {.context = &meter, .progress = show_progress, .notice = show_notice, .stop = &caught_signal};
  if (run_has_variants(&run)) {
    run_variants_report report;
    watcher.progress = show_runs_progress;
    run_variants_execute(&report, &run, &settings, &watcher);
    progress_end(&meter);
    code = tell_variants(&report, options);
    run_variants_report_free(&report);
  } else {
    run_report report;
    run_execute(&report, &run, &settings, &watcher);
    progress_end(&meter);
    code = tell(&report, options);
    run_report_free(&report);
  }
  run_case_free(&run);
  free(input);
  return code;
}

int run_command(int argc, char *argv[])
{
  static const struct argp parser = {
      .options = option_list, .parser = parse_option, .args_doc = "CASE.yaml", .doc = summary};
  run_options options = {0};
  size_t size = 1;
  for (int i = 0; i < argc; i++)
    size += strlen(argv[i]) + 1;
  char *command = calloc(size, 1), *at = command; /* the command line as one text */
  for (int i = 0; command && i < argc; i++)
    at += sprintf(at, i > 0 ? " %s" : "%s", argv[i]);
  bool has_memory = case_argument_init(&options.of, argc) && command;
  int code = has_memory ? command_parse(RUN_COMMAND, &parser, argc, argv, &options) : command_fail(RUN_COMMAND, ENOMEM);
  if (code == EXIT_DONE && !options.dir) {
    options.dir = default_dir(options.of.source.path);
    code = options.dir ? EXIT_DONE : command_fail(RUN_COMMAND, ENOMEM);
  }
  options.settings.dir = options.dir;
  options.settings.command = command;
  options.settings.case_file = options.of.source.path;
  if (code == EXIT_DONE)
    code = run_with(&options);
  case_argument_free(&options.of);
  free(options.dir);
  free(command);
  return code;
}
