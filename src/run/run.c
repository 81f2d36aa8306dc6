/* SPDX-License-Identifier: MIT */
/* A run from its beginning, or from its last checkpoint, to its end. */
#include "run.h"
#include "base/clock.h"
#include "base/file_system.h"
#include "cyclic.h"
#include "dem/checkpoint/checkpoint.h"
#include "dem/snapshot.h"
#include "dem/trace.h"
#include "directory.h"
#include "files/result.h"
#include "files/run_names.h"
#include "files/tables.h"
#include "files/vtk.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A run under way. */
typedef struct active_run {
  const run_case *description;
  const dem_case *plan;
  const run_output *output;
  const run_settings *settings;
  const run_watcher *watcher;
  char *checkpoint, *checkpoint_before; /* paths */
  int lock;                             /* of the directory; -1: none */
  run_inputs inputs;
  dem_simulation *simulation;
  append_file series, cycles; /* cycles: not open if no stage is cyclic */
  vtk_output vtk;
  long resumed_at;         /* step; -1: a new run */
  long long series_start;  /* bytes of series.csv to continue behind; -1: none */
  long long cycles_start;  /* the same of cycles.csv */
  double seconds_before;   /* computing time of earlier parts of the run */
  double clock_start;      /* of this part */
  double clock_checkpoint; /* of the last checkpoint */
  double contact_steps;    /* sum of contacts over the steps of this part */
  bool has_checkpoint;     /* of this run, in its directory */
  bool has_failed_files;   /* a file has failed, not the simulation */
} active_run;

/* ---- The watcher ------------------------------------------------------------------------------------------------- */

bool run_is_stopped(const run_watcher *watcher)
{
  return watcher->stop && atomic_load_explicit(watcher->stop, memory_order_relaxed) != 0;
}

void run_notify(const run_watcher *watcher, const char *format, ...)
{
  char text[1000];
  va_list arguments;
  if (!watcher->notice)
    return;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  watcher->notice(watcher->context, text);
}

static void show_progress(const active_run *r, bool stage_ended)
{
  char packing_name[128];
  const dem_simulation *s = r->simulation;
  if (!r->watcher->progress)
    return;
  progress_state state = {.stage = dem_simulation_stage(s),
                          .stage_count = r->plan->stage_count,
                          .stage_name = dem_simulation_stage_name(s),
                          .fraction = dem_simulation_stage_progress(s),
                          .step = dem_simulation_steps(s),
                          .contacts = dem_simulation_contacts(s)};
  dem_packing_report packing = dem_simulation_packing(s);
  if (state.stage == 0 && packing.trials > 0) { /* packing to a target: "packing 1, f 0.21, e 0.66" */
    snprintf(packing_name, sizeof packing_name, "%s %d, f %.3g, e %.3f", state.stage_name, packing.trials,
             packing.friction, dem_simulation_void_ratio(s));
    state.stage_name = packing_name;
  }
  r->watcher->progress(r->watcher->context, &state, stage_ended);
}

/* ---- Which output is due ----------------------------------------------------------------------------------------- */

/* Stage 0, packing, has the series interval of the first stage, and a snapshot at its end only. */
static output_intervals intervals_of(const run_output *output, int stage)
{
  return stage > 0 ? output->stages[stage - 1] : (output_intervals){.series = output->stages[0].series};
}

static bool is_due(long interval, long step, dem_events events)
{
  return interval > 0 && (events.stage_ended || step % interval == 0);
}

run_due run_output_due(const run_output *output, const dem_simulation *simulation)
{
  int stage = dem_simulation_stage(simulation);
  long step = dem_simulation_steps(simulation);
  dem_events events = dem_simulation_events(simulation);
  output_intervals now = intervals_of(output, stage), before = {0};
  if (events.stage_began) {
    if (step > 0)
      before = intervals_of(output, stage - 1);
    return (run_due){.series = now.series > 0,
                     .snapshot = now.snapshot > 0 && before.snapshot == 0,
                     .vtk = now.vtk > 0 && before.vtk == 0};
  }
  bool is_pictured = output->pictures && events.stage_ended;
  /* The stages of a modulus reduction are one stage of the case, which ends with the last of them. */
  for (int i = 0; i < output->reductions.count; i++) {
    const run_reduction *of = &output->reductions.list[i];
    is_pictured = is_pictured && !(stage >= of->first_stage && stage < of->first_stage + 2 * of->count - 1);
  }
  bool is_turning_point = now.series > 0 && (events.reversed || events.liquefied);
  return (run_due){.series = is_due(now.series, step, events) || is_turning_point,
                   .snapshot = is_due(now.snapshot, step, events) || is_pictured,
                   .vtk = is_due(now.vtk, step, events)};
}

/* ---- Resuming ---------------------------------------------------------------------------------------------------- */

/* A checkpoint is damaged if it cannot be opened; one that does not fit the case is not. */
static dem_simulation *read_checkpoint(active_run *r, const char *path, bool *is_damaged, error_info *error)
{
  dem_checkpoint_notes notes;
  dem_checkpoint *checkpoint = dem_checkpoint_open(path, error);
  *is_damaged = !checkpoint && !error->out_of_memory;
  if (!checkpoint)
    return NULL;
  dem_simulation *s = dem_checkpoint_restore(checkpoint, r->plan, r->settings->threads, &notes, error);
  dem_checkpoint_close(checkpoint);
  if (!s)
    return NULL;
  r->series_start = notes.series_bytes;
  r->cycles_start = notes.cycles_bytes > 0 ? notes.cycles_bytes : -1;
  r->seconds_before = notes.seconds;
  return s;
}

static bool has_checkpoints(const active_run *r)
{
  return access(r->checkpoint, F_OK) == 0 || access(r->checkpoint_before, F_OK) == 0;
}

static bool resume(active_run *r, error_info *error)
{
  bool is_damaged, has_before = access(r->checkpoint_before, F_OK) == 0;
  if (!has_checkpoints(r))
    return error_set(error, "%s has no checkpoint: there is nothing to resume", r->settings->dir);
  r->simulation = read_checkpoint(r, r->checkpoint, &is_damaged, error);
  if (!r->simulation && is_damaged && has_before) {
    error_info first = *error;
    r->simulation = read_checkpoint(r, r->checkpoint_before, &is_damaged, error);
    run_notify(r->watcher, r->simulation ? "%s; continuing from the checkpoint before it" : "%s", first.text);
    /* It takes the place of the damaged one, so that the next one to be written does not replace it. */
    if (r->simulation && rename(r->checkpoint_before, r->checkpoint) != 0)
      return error_set_errno(error, "replace", r->checkpoint);
  }
  if (!r->simulation)
    return false;
  r->resumed_at = dem_simulation_steps(r->simulation);
  r->has_checkpoint = true;
  return true;
}

/*
 * A stage that ended wrote a line of the series, and one for a cycle that it cut off. If the case now has a later end
 * of that stage, the uninterrupted run has no such lines; `keeps_series`: the line of the series is due for another
 * reason. First the checkpoint, then the files: a run that is killed between them can be resumed.
 */
static bool take_back_lines(active_run *r, bool keeps_series, error_info *error)
{
  const char *dir = r->settings->dir;
  long long of_series = keeps_series ? r->series_start : series_bytes_without_step(dir, r->series_start, r->resumed_at);
  long long of_cycles = cycles_bytes_without_cut_off(dir, r->cycles_start, r->resumed_at);
  dem_checkpoint_notes notes = {.input = r->settings->input,
                                .series_bytes = of_series,
                                .cycles_bytes = of_cycles > 0 ? of_cycles : append_file_position(&r->cycles),
                                .seconds = r->seconds_before};
  return (of_series == r->series_start && of_cycles == r->cycles_start) ||
         (dem_checkpoint_write(r->simulation, r->checkpoint, r->checkpoint_before, &notes, error) &&
          (of_series == r->series_start || append_file_cut(&r->series, of_series, error)) &&
          (of_cycles == r->cycles_start || append_file_cut(&r->cycles, of_cycles, error)));
}

/* ---- Beginning --------------------------------------------------------------------------------------------------- */

run_ending run_prepare(const dem_case *run, int threads, dem_simulation **simulation, error_info *error)
{
  const char *source = run->assembly.path;
  if (source && access(source, R_OK) != 0) {
    error_set_errno(error, "read", source);
    return RUN_IO_FAILED;
  }
  *simulation = dem_simulation_prepare(run, threads, error);
  return *simulation ? RUN_COMPLETED : error->out_of_memory ? RUN_IO_FAILED : RUN_REFUSED;
}

/* The simulation that the caller has; NULL: none. */
static dem_simulation *given_simulation(const run_settings *settings)
{
  return settings->simulation ? *settings->simulation : NULL;
}

/* A directory with files of an earlier run is used only by force. */
static run_ending begin(active_run *r, bool is_forced, error_info *error)
{
  const char *dir = r->settings->dir;
  char *used = NULL;
  if (is_forced && !run_directory_check(dir, &r->inputs, error))
    return RUN_REFUSED;
  if (!is_forced && !run_directory_find_used(dir, &used, error))
    return RUN_IO_FAILED;
  if (used) {
    error_set(error, "%s exists already", used);
    error->code = dem_checkpoint_is(r->checkpoint) ? ERROR_RUN_RESUMABLE : ERROR_RUN_EXISTS;
    free(used);
    return RUN_REFUSED;
  }
  r->simulation = given_simulation(r->settings);
  if (r->simulation)
    return RUN_COMPLETED;
  run_ending ending = run_prepare(r->plan, r->settings->threads, &r->simulation, error);
  if (ending == RUN_COMPLETED && !dem_simulation_begin(r->simulation, error))
    ending = RUN_FAILED; /* random spheres could not be placed */
  return ending;
}

/* RUN_COMPLETED if the simulation and all its files are ready for the first step. */
static run_ending start(active_run *r, error_info *error)
{
  const char *dir = r->settings->dir;
  const run_settings *settings = r->settings;
  r->checkpoint = path_in(dir, RUN_CHECKPOINT);
  r->checkpoint_before = path_in(dir, RUN_CHECKPOINT_BEFORE);
  if (!r->checkpoint || !r->checkpoint_before) {
    error_out_of_memory(error);
    return RUN_IO_FAILED;
  }
  if ((!settings->resume || settings->may_begin) && !directory_make(dir, error))
    return RUN_IO_FAILED;
  if (!settings->has_lock && !run_directory_lock(dir, &r->lock, error))
    return RUN_REFUSED;
  /* Only now: before, another run may have been at work here. */
  bool begins_anew = settings->resume && settings->may_begin && !has_checkpoints(r);
  bool is_resumed = settings->resume && !begins_anew;
  run_ending ending = !is_resumed        ? begin(r, settings->force || begins_anew, error)
                      : resume(r, error) ? RUN_COMPLETED
                                         : RUN_REFUSED;
  if (ending != RUN_COMPLETED)
    return ending;
  run_due due = run_output_due(r->output, r->simulation);
  /* Files of the step where the run continues, which may be missing (write_step), are written again. */
  long before = r->resumed_at > 0 ? r->resumed_at - 1 : -1;
  /* Snapshots first: a damaged one must be found before anything is cut back. */
  bool has_files =
      run_directory_clear(dir, &r->inputs, is_resumed, error) && result_begin(dir, before, error) &&
      series_open(&r->series, dir, r->series_start, error) &&
      (!run_has_cycles(r->plan) || cycles_open(&r->cycles, dir, r->cycles_start, error)) &&
      vtk_open(&r->vtk, dir, before, error) &&
      (!is_resumed || dem_simulation_events(r->simulation).stage_ended || take_back_lines(r, due.series, error));
  return has_files ? RUN_COMPLETED : RUN_IO_FAILED;
}

/* ---- Writing ----------------------------------------------------------------------------------------------------- */

static double seconds_so_far(const active_run *r)
{
  return r->seconds_before + clock_seconds() - r->clock_start;
}

static bool write_checkpoint(active_run *r, error_info *error)
{
  dem_checkpoint_notes notes = {.input = r->settings->input,
                                .series_bytes = append_file_position(&r->series),
                                .cycles_bytes = append_file_position(&r->cycles),
                                .seconds = seconds_so_far(r)};
  r->clock_checkpoint = clock_seconds();
  bool is_written = append_file_sync(&r->series, error) && (!r->cycles.path || append_file_sync(&r->cycles, error)) &&
                    dem_checkpoint_write(r->simulation, r->checkpoint, r->checkpoint_before, &notes, error);
  r->has_checkpoint = r->has_checkpoint || is_written;
  r->has_failed_files = !is_written;
  return is_written;
}

/* A line of series.csv, if it is due, and one of cycles.csv, if a cycle has ended. */
static bool write_rows(active_run *r, error_info *error)
{
  dem_measures measures;
  dem_cycle cycle;
  bool is_written = true;
  if (run_output_due(r->output, r->simulation).series) {
    dem_simulation_measure(r->simulation, &measures);
    is_written = series_add(&r->series, &measures, error);
  }
  if (is_written && dem_simulation_cycle(r->simulation, &cycle))
    is_written = cycles_add(&r->cycles, &cycle, error);
  r->has_failed_files = !is_written;
  return is_written;
}

/* Snapshots and files for ParaView. */
static bool write_files(active_run *r, error_info *error)
{
  dem_snapshot snapshot;
  run_due due = run_output_due(r->output, r->simulation);
  if (!due.snapshot && !due.vtk)
    return true;
  bool is_written = dem_snapshot_take(r->simulation, &snapshot) == JAGER_OK;
  if (!is_written)
    error_out_of_memory(error);
  else {
    is_written = (!due.snapshot || result_add_snapshot(r->settings->dir, &snapshot, error)) &&
                 (!due.vtk || vtk_write(&r->vtk, &snapshot, error));
    dem_snapshot_free(&snapshot);
  }
  r->has_failed_files = !is_written;
  return is_written;
}

/*
 * The files of a step: first the rows, whose number the checkpoint stores; then the checkpoint, if it is due; then
 * the other files, which a run that is resumed here writes again. If one of those cannot be written, perhaps because
 * the disk is full, a checkpoint keeps the state.
 */
static bool write_step(active_run *r, error_info *error)
{
  error_info ignored;
  long every = r->output->checkpoint_steps;
  double minutes = r->output->checkpoint_minutes;
  bool is_kept = dem_simulation_events(r->simulation).stage_ended ||
                 (every > 0 && dem_simulation_steps(r->simulation) % every == 0) ||
                 (minutes > 0.0 && clock_seconds() - r->clock_checkpoint >= 60.0 * minutes);
  if (!write_rows(r, error) || (is_kept && !write_checkpoint(r, error)))
    return false;
  if (write_files(r, error))
    return true;
  if (!is_kept)
    (void)write_checkpoint(r, &ignored);
  r->has_failed_files = true;
  return false;
}

/* ---- Steps ------------------------------------------------------------------------------------------------------- */

/* One step and its files. The output of the start of a stage follows the checkpoint of the end before it. */
static dem_progress step(active_run *r, error_info *error)
{
  dem_simulation *s = r->simulation;
  if (dem_simulation_events(s).stage_ended) {
    dem_progress outcome = dem_simulation_begin_stage(s, error);
    if (outcome != DEM_GOES_ON)
      return outcome;
    if (!write_rows(r, error) || !write_files(r, error))
      return DEM_FAILED;
  }
  dem_progress outcome = dem_simulation_step(s, error);
  if (outcome != DEM_GOES_ON)
    return outcome;
  r->contact_steps += (double)dem_simulation_contacts(s);
  show_progress(r, dem_simulation_events(s).stage_ended);
  return write_step(r, error) ? DEM_GOES_ON : DEM_FAILED;
}

/* ---- Ending ------------------------------------------------------------------------------------------------------ */

/* `ending` is RUN_STOPPED or RUN_FAILED. Hands over the path of the last good state. */
static void end_early(active_run *r, run_ending ending, run_report *report)
{
  bool by_files = r->has_failed_files || report->error.out_of_memory;
  report->ending = ending == RUN_FAILED && by_files ? RUN_IO_FAILED : ending;
  if (r->has_checkpoint) {
    report->checkpoint = r->checkpoint;
    r->checkpoint = NULL;
  } else if (r->inputs.start_is_here) {
    report->checkpoint = strdup(r->inputs.assembly);
    report->is_start = true;
  }
}

/* DIR/trace-1.csv, trace-2.csv ...: the movement histories of the contacts that the case asks for. */
static bool write_traces(const active_run *r, error_info *error)
{
  const dem_trace_book *book = dem_simulation_traces(r->simulation);
  bool done = true;
  for (int k = 0; book && k < r->plan->trace_count && done; k++) {
    size_t lives = 0;
    char *path = path_in(r->settings->dir, RUN_TRACE_FORMAT, k + 1);
    done = path ? trace_write(path, book, (uint32_t)k, &lives, error) : error_out_of_memory(error);
    if (done && lives == 0)
      run_notify(r->watcher, "%s is empty: there was no such contact", path);
    free(path);
  }
  return done;
}

/* Files of the results and pictures. The summary is complete but for the pictures. */
static bool write_results(active_run *r, run_summary *summary, error_info *error)
{
  const char *dir = r->settings->dir;
  char *warnings = run_summary_warnings(summary);
  result_facts facts = {.run = r->plan,
                        .input = r->settings->input,
                        .command = r->settings->command,
                        .threads = dem_simulation_threads(r->simulation),
                        .grading = &summary->grading,
                        .packing = &summary->packing,
                        .warnings = warnings};
  bool is_written =
      (warnings ? result_finish(dir, &facts, error) : error_out_of_memory(error)) && run_summary_write(summary, error);
  free(warnings);
  reduction_row *reductions = NULL;
  size_t count = 0;
  is_written = is_written && run_reduction_collect(&reductions, &count, dir, r->description, error) &&
               (count == 0 || reduction_write(dir, reductions, count, error));
  free(reductions);
  summary->wants_pictures = is_written && r->output->pictures && r->settings->drawer;
  summary->has_pictures = summary->wants_pictures && drawer_draw_run(r->settings->drawer, dir, NULL, r->watcher);
  return is_written;
}

static void finish(active_run *r, run_report *report)
{
  error_info *error = &report->error;
  run_summary *summary = &report->summary;
  bool is_written = append_file_close(&r->series, error) && append_file_close(&r->cycles, error) &&
                    write_traces(r, error) && run_summary_make(summary, r->simulation, r->settings->dir, error);
  if (is_written) {
    summary->speed = (run_speed){.seconds = seconds_so_far(r),
                                 .contact_steps = r->contact_steps,
                                 .part_seconds = clock_seconds() - r->clock_start,
                                 .threads = dem_simulation_threads(r->simulation)};
    is_written = write_results(r, summary, error);
  }
  report->ending = RUN_COMPLETED;
  r->has_failed_files = !is_written;
  if (!is_written)
    end_early(r, RUN_FAILED, report);
}

static void go_on(active_run *r, run_report *report)
{
  error_info *error = &report->error;
  bool is_ready = (r->resumed_at >= 0 || write_rows(r, error)) && write_files(r, error);
  r->clock_start = r->clock_checkpoint = clock_seconds();
  /* Write our first checkpoint before dropping the one we started from. */
  if (is_ready && r->inputs.start_is_here)
    is_ready = write_checkpoint(r, error);
  dem_progress outcome = is_ready ? step(r, error) : DEM_FAILED;
  while (outcome == DEM_GOES_ON && !run_is_stopped(r->watcher))
    outcome = step(r, error);
  if (outcome == DEM_DONE)
    finish(r, report);
  else
    end_early(r, outcome == DEM_GOES_ON && write_checkpoint(r, error) ? RUN_STOPPED : RUN_FAILED, report);
}

void run_execute(run_report *report, const run_case *description, const run_settings *settings,
                 const run_watcher *watcher)
{
  error_info ignored;
  active_run r = {.description = description,
                  .plan = &description->simulation,
                  .output = &description->output,
                  .settings = settings,
                  .watcher = watcher,
                  .lock = -1,
                  .inputs = {.case_file = settings->case_file, .assembly = description->simulation.assembly.path},
                  .resumed_at = -1,
                  .series_start = -1,
                  .cycles_start = -1};
  *report = (run_report){.error = {.text = ""}};
  report->ending = start(&r, &report->error);
  bool has_begun = report->ending == RUN_COMPLETED;
  if (has_begun) {
    go_on(&r, report);
    report->steps = dem_simulation_steps(r.simulation);
  } else if (report->error.out_of_memory) {
    report->ending = RUN_IO_FAILED;
  }
  (void)append_file_close(&r.series, &ignored);
  (void)append_file_close(&r.cycles, &ignored);
  vtk_close(&r.vtk);
  if (r.lock >= 0)
    close(r.lock);
  /* The caller gets the simulation of a run that has begun; otherwise it keeps its own. */
  dem_simulation *given = given_simulation(settings), *left_over = r.simulation;
  if (settings->simulation && has_begun) {
    *settings->simulation = r.simulation;
    left_over = given;
  }
  if (left_over != given_simulation(settings))
    dem_simulation_destroy(left_over);
  free(r.checkpoint);
  free(r.checkpoint_before);
}

void run_report_free(run_report *report)
{
  run_summary_free(&report->summary);
  free(report->checkpoint);
  report->checkpoint = NULL;
}
