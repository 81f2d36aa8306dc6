/* SPDX-License-Identifier: MIT */
/*
 * The command `jager run`: a case from beginning to end, or from its last checkpoint on.
 *
 * Everything that a killed run leaves behind is either whole or is cut back when it is resumed: series.csv to the length
 * that the checkpoint tells, snapshots and ParaView files to its step.
 */
#include "case/reader.h"
#include "dem/checkpoint/checkpoint.h"
#include "base/clock.h"
#include "cli/command.h"
#include "base/error.h"
#include "huge_pages.h"
#include "base/progress.h"
#include "files/result.h"
#include "run/files.h"
#include "options.h"
#include "run/directory.h"
#include "pictures/run_picture.h"
#include "run/prepare.h"
#include "run/summary.h"
#include "traces.h"
#include "files/series.h"
#include "dem/simulation.h"
#include "dem/observe/snapshot.h"
#include "files/vtk.h"
#include "base/file_system.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct run {
  const run_options *options;
  dem_case plan;
  char *input; /* text of the case */
  char *checkpoint, *checkpoint_before;
  int lock; /* of the directory; -1: none */
  run_inputs inputs;
  dem_simulation *simulation;
  series series;
  vtk_output vtk;
  progress meter;
  long resumed_at;         /* step; -1: a new run */
  long long series_start;  /* bytes of series.csv to go on behind; -1: none */
  double seconds_before;   /* that earlier parts of the run took */
  double clock_start;      /* of this part */
  double clock_checkpoint; /* when the last checkpoint was written */
  double contact_steps;    /* sum of contacts over the steps of this part */
  bool has_checkpoint;     /* of this run, in its directory */
  bool files_failed;       /* it was not the simulation that failed, but what is written of it */
  bool packing_failed;     /* random spheres could not be placed */
} run;

/* ---- Signals ------------------------------------------------------------------------------------------------------ */

static volatile sig_atomic_t caught_signal; /* a handler can reach nothing else */

/* The first one stops the run at the end of its step; the second, as usual, at once. */
static void catch_signal(int number)
{
  caught_signal = number;
}

static void watch_signals(void)
{
  struct sigaction stop = {.sa_handler = catch_signal, .sa_flags = (int)SA_RESETHAND}, old;
  const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    if (sigaction(numbers[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
      sigaction(numbers[i], &stop, NULL);
}

/* ---- Beginning ---------------------------------------------------------------------------------------------------- */

/* A checkpoint is damaged if it cannot be opened; one that does not fit the case is not. */
static dem_simulation *read_checkpoint(run *r, const char *path, bool *is_damaged, error_info *error)
{
  dem_checkpoint_notes notes;
  dem_checkpoint *checkpoint = dem_checkpoint_open(path, error);
  *is_damaged = !checkpoint && !error->out_of_memory;
  if (!checkpoint)
    return NULL;
  dem_simulation *s = dem_checkpoint_restore(checkpoint, &r->plan, r->options->threads, &notes, error);
  dem_checkpoint_close(checkpoint);
  if (!s)
    return NULL;
  r->series_start = notes.series_bytes;
  r->seconds_before = notes.seconds;
  return s;
}

/* The one before takes the place of a damaged checkpoint, so that the next to be written does not push it out. */
static bool resume_from_before(run *r, error_info *error)
{
  error_info first = *error;
  bool is_damaged;
  r->simulation = read_checkpoint(r, r->checkpoint_before, &is_damaged, error);
  complain(RUN_COMMAND, r->simulation ? "%s; going on from the one before" : "%s", first.text);
  if (r->simulation && rename(r->checkpoint_before, r->checkpoint) != 0)
    return error_set_errno(error, "replace", r->checkpoint);
  return r->simulation;
}

static bool resume(run *r, error_info *error)
{
  bool is_damaged, has_before = access(r->checkpoint_before, F_OK) == 0;
  if (!has_before && access(r->checkpoint, F_OK) != 0)
    return error_set(error, "%s has no checkpoint: there is nothing to resume", r->options->dir);
  r->simulation = read_checkpoint(r, r->checkpoint, &is_damaged, error);
  if (!r->simulation && !(is_damaged && has_before && resume_from_before(r, error)))
    return false;
  r->resumed_at = dem_simulation_steps(r->simulation);
  r->has_checkpoint = true;
  return true;
}

/* A directory in which anything would be lost is taken with --force only. */
static bool take_place(run *r, error_info *error)
{
  const char *dir = r->options->dir;
  char *used;
  if (r->options->force)
    return run_directory_check(dir, &r->inputs, error);
  r->files_failed = !run_directory_find_used(dir, &used, error);
  if (r->files_failed)
    return false;
  if (used)
    error_set(error, "%s is there already: %s--force replaces the run in %s, -o takes another directory", used,
              dem_checkpoint_is(r->checkpoint) ? "--resume goes on with it, " : "", dir);
  free(used);
  return !used;
}

static bool begin(run *r, error_info *error)
{
  if (!take_place(r, error))
    return false;
  int code = run_prepare(&r->plan, r->options->threads, &r->simulation, error);
  r->files_failed = code == EXIT_IO_FAILED;
  r->packing_failed = code == EXIT_DONE && !dem_simulation_begin(r->simulation, error);
  return code == EXIT_DONE && !r->packing_failed;
}

/*
 * The line that was written because a stage ended would not be there had its end been the present one from the start.
 * First the checkpoint, then the file: a run that is killed between them can be resumed.
 */
static bool take_back_line(run *r, error_info *error)
{
  long long bytes = series_bytes_without_step(r->options->dir, r->series_start, r->resumed_at);
  dem_checkpoint_notes notes = {.input = r->input, .series_bytes = bytes, .seconds = r->seconds_before};
  return bytes == r->series_start ||
         (dem_checkpoint_write(r->simulation, r->checkpoint, r->checkpoint_before, &notes, error) &&
          series_cut(&r->series, bytes, error));
}

static bool open_files(run *r, error_info *error)
{
  const char *dir = r->options->dir;
  /* of the step where it goes on; an end that was taken back, or other outputs, have left more */
  dem_due due = dem_simulation_due(r->simulation);
  long before = r->resumed_at > 0 ? r->resumed_at - 1 : -1;
  /* snapshots first: a damaged one must be told before anything is cut back */
  return result_begin(dir, due.snapshot ? r->resumed_at : before, error) &&
         series_open(&r->series, dir, r->series_start, error) &&
         vtk_open(&r->vtk, dir, due.vtk ? r->resumed_at : before, error) &&
         (due.series || r->resumed_at < 0 || take_back_line(r, error));
}

static bool open_outputs(run *r, error_info *error)
{
  const char *dir = r->options->dir;
  r->checkpoint = path_in(dir, RUN_CHECKPOINT);
  r->checkpoint_before = path_in(dir, RUN_CHECKPOINT_BEFORE);
  r->inputs = (run_inputs){.case_file = r->options->source.path, .assembly = r->plan.assembly.path};
  r->resumed_at = r->series_start = -1;
  r->files_failed = r->checkpoint && r->checkpoint_before ? !r->options->resume && !directory_make(dir, error)
                                                          : !error_out_of_memory(error);
  if (r->files_failed || !run_directory_lock(dir, &r->lock, error) ||
      !(r->options->resume ? resume(r, error) : begin(r, error)))
    return false;
  r->files_failed = !run_directory_clear(dir, &r->inputs, r->options->resume, error) || !open_files(r, error);
  return !r->files_failed;
}

/* ---- Going on ----------------------------------------------------------------------------------------------------- */

static double seconds_so_far(const run *r)
{
  return r->seconds_before + clock_seconds() - r->clock_start;
}

static bool write_checkpoint(run *r, error_info *error)
{
  dem_checkpoint_notes notes = {
      .input = r->input, .series_bytes = series_position(&r->series), .seconds = seconds_so_far(r)};
  r->clock_checkpoint = clock_seconds();
  bool is_written = series_sync(&r->series, error) &&
                    dem_checkpoint_write(r->simulation, r->checkpoint, r->checkpoint_before, &notes, error);
  r->has_checkpoint = r->has_checkpoint || is_written;
  return is_written;
}

static bool checkpoint_is_due(const run *r)
{
  long every = r->plan.checkpoint_steps;
  if (every > 0 && dem_simulation_steps(r->simulation) % every == 0)
    return true;
  double minutes = r->plan.checkpoint_minutes;
  return minutes > 0.0 && clock_seconds() - r->clock_checkpoint >= 60.0 * minutes;
}

static bool write_snapshots(run *r, dem_due due, error_info *error)
{
  dem_snapshot snapshot;
  if (dem_snapshot_take(r->simulation, &snapshot) != JAGER_OK)
    return error_out_of_memory(error);
  bool done = !due.snapshot || result_add_snapshot(r->options->dir, &snapshot, error);
  done = done && (!due.vtk || vtk_write(&r->vtk, &snapshot, error));
  dem_snapshot_free(&snapshot);
  return done;
}

static bool write_due(run *r, dem_due due, error_info *error)
{
  if (due.series) {
    dem_measures measures;
    dem_simulation_measure(r->simulation, &measures);
    if (!series_add(&r->series, &measures, error))
      return false;
  }
  return (!due.snapshot && !due.vtk) || write_snapshots(r, due, error);
}

static bool write_outputs(run *r, dem_due due, error_info *error)
{
  bool is_written = write_due(r, due, error);
  r->files_failed = !is_written;
  return is_written;
}

/* The next stage, if one has ended: what it starts from is written behind the checkpoint of that end. */
static dem_progress begin_stage(run *r, error_info *error)
{
  if (!dem_simulation_due(r->simulation).stage_ended)
    return DEM_GOES_ON;
  dem_progress outcome = dem_simulation_begin_stage(r->simulation, error);
  if (outcome != DEM_GOES_ON)
    return outcome;
  return write_outputs(r, dem_simulation_due(r->simulation), error) ? DEM_GOES_ON : DEM_FAILED;
}

static void show_progress(run *r, bool stage_ended)
{
  const dem_simulation *s = r->simulation;
  progress_state state = {.stage = dem_simulation_stage(s),
                          .stage_count = r->plan.stage_count,
                          .stage_name = dem_simulation_stage_name(s),
                          .fraction = dem_simulation_stage_progress(s),
                          .step = dem_simulation_steps(s),
                          .contacts = dem_simulation_contacts(s)};
  if (stage_ended)
    progress_stage_ended(&r->meter, &state);
  else
    progress_update(&r->meter, &state);
}

/* One step and all that hangs on it. */
static dem_progress step(run *r, error_info *error)
{
  dem_progress outcome = begin_stage(r, error);
  if (outcome == DEM_GOES_ON)
    outcome = dem_simulation_step(r->simulation, error);
  if (outcome != DEM_GOES_ON)
    return outcome;
  dem_due due = dem_simulation_due(r->simulation);
  r->contact_steps += (double)dem_simulation_contacts(r->simulation);
  show_progress(r, due.stage_ended);
  bool is_written = write_outputs(r, due, error);
  if (is_written && (due.stage_ended || checkpoint_is_due(r)))
    is_written = write_checkpoint(r, error);
  r->files_failed = !is_written;
  return is_written ? DEM_GOES_ON : DEM_FAILED;
}

/* ---- Ending ------------------------------------------------------------------------------------------------------- */

static int fail_at_the_end(run *r, const error_info *error)
{
  progress_end(&r->meter);
  complain(RUN_COMMAND, "%s", error->text);
  if (r->has_checkpoint)
    complain(RUN_COMMAND, "the last good state is kept in %s: %s", r->checkpoint,
             r->files_failed || error->out_of_memory
                 ? "--resume goes on from there"
                 : "another case can start from there with 'assembly: {checkpoint: ...}'");
  else if (r->inputs.start_is_here)
    complain(RUN_COMMAND, "what the run has started from is kept in %s", r->inputs.assembly);
  return r->files_failed || error->out_of_memory ? EXIT_IO_FAILED : EXIT_RUN_FAILED;
}

static int interrupt(run *r)
{
  error_info error = {.text = ""};
  int number = (int)caught_signal;
  progress_end(&r->meter);
  r->files_failed = !write_checkpoint(r, &error);
  if (r->files_failed)
    return fail_at_the_end(r, &error);
  complain(RUN_COMMAND, "stopped by %s at step %ld; 'jager run --resume' with the same options goes on from %s",
           number == SIGINT    ? "SIGINT"
           : number == SIGTERM ? "SIGTERM"
                               : "SIGHUP",
           dem_simulation_steps(r->simulation), r->checkpoint);
  return 128 + number;
}

static bool draw_plots(run *r, error_info *error)
{
  run_picture_result drawn =
      r->plan.plots ? run_picture_draw_all(r->options->dir, &r->plan, error) : RUN_PICTURE_SKIPPED;
  if (r->plan.plots && drawn == RUN_PICTURE_SKIPPED)
    complain(RUN_COMMAND, "no plots: %s", error->text);
  return drawn != RUN_PICTURE_FAILED;
}

/* Doubts do not make a run fail, unless its result makes no sense. */
static int tell_doubts(const run_doubts *doubts)
{
  for (size_t i = 0; i < doubts->count; i++)
    complain(RUN_COMMAND, "warning: %s", doubts->list[i].text);
  if (doubts->is_nonsense)
    complain(RUN_COMMAND,
             "the result makes no sense: a stress is off by more than its target, energy comes from nowhere, or "
             "numbers are not finite");
  return doubts->is_nonsense ? EXIT_RUN_FAILED : EXIT_DONE;
}

/* What a run leaves at its end. */
static bool write_results(run *r, const run_summary *summary, error_info *error)
{
  result_facts facts = {.run = &r->plan,
                        .input = r->input,
                        .command = r->options->command,
                        .threads = dem_simulation_threads(r->simulation)};
  char *warnings = run_summary_warnings(summary);
  facts.warnings = warnings;
  bool is_written = warnings ? result_finish(r->options->dir, &facts, error) : error_out_of_memory(error);
  free(warnings);
  return is_written && draw_plots(r, error) && run_summary_write(summary, error);
}

static int finish(run *r)
{
  error_info error = {.text = ""};
  run_summary summary;
  progress_end(&r->meter);
  r->files_failed = !series_close(&r->series, &error) || !run_traces_write(r->simulation, r->options->dir, &error) ||
                    !run_summary_make(&summary, r->simulation, r->options->dir, &error);
  if (r->files_failed)
    return fail_at_the_end(r, &error);
  run_speed speed = {.seconds = seconds_so_far(r),
                     .contact_steps = r->contact_steps,
                     .part_seconds = clock_seconds() - r->clock_start,
                     .threads = dem_simulation_threads(r->simulation)};
  int code = EXIT_DONE;
  r->files_failed = !write_results(r, &summary, &error);
  if (r->files_failed) {
    code = fail_at_the_end(r, &error);
  } else {
    (r->options->json ? run_summary_print_json : run_summary_print)(&summary, &speed, stdout);
    code = tell_doubts(&summary.doubts);
  }
  run_summary_free(&summary);
  return code;
}

static int go_on(run *r)
{
  error_info error = {.text = ""};
  progress_start(&r->meter, stderr, r->options->quiet);
  if (r->resumed_at < 0 && !write_outputs(r, dem_simulation_due(r->simulation), &error))
    return fail_at_the_end(r, &error);
  r->clock_start = r->clock_checkpoint = clock_seconds();
  /* What the run has started from is in the way of its checkpoints: before it goes, there must be one of this run. */
  r->files_failed = r->inputs.start_is_here && !write_checkpoint(r, &error);
  if (r->files_failed)
    return fail_at_the_end(r, &error);
  for (;;) {
    dem_progress outcome = step(r, &error);
    if (outcome == DEM_DONE)
      return finish(r);
    if (outcome == DEM_FAILED)
      return fail_at_the_end(r, &error);
    if (caught_signal)
      return interrupt(r);
  }
}

static int run_case(const run_options *options)
{
  run r = {.options = options, .lock = -1};
  error_info error = {.text = ""};
  int code = case_read(&r.plan, &options->source, &r.input, stderr);
  if (code != EXIT_DONE)
    return code;
  huge_pages_ask();
  watch_signals();
  if (open_outputs(&r, &error))
    code = go_on(&r);
  else {
    complain(RUN_COMMAND, "%s", error.text);
    bool lacks_files = r.files_failed || error.out_of_memory;
    code = lacks_files ? EXIT_IO_FAILED : r.packing_failed ? EXIT_RUN_FAILED : EXIT_BAD_INPUT;
  }
  (void)series_close(&r.series, &error);
  vtk_close(&r.vtk);
  if (r.lock >= 0)
    close(r.lock);
  dem_simulation_destroy(r.simulation);
  dem_case_free(&r.plan);
  free(r.input);
  free(r.checkpoint);
  free(r.checkpoint_before);
  return code;
}

int run_command(int argc, char *argv[])
{
  run_options options;
  int code = run_options_parse(&options, argc, argv);
  if (code != EXIT_DONE)
    return code;
  code = run_case(&options);
  run_options_free(&options);
  return code;
}
