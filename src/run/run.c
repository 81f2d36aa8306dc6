/* SPDX-License-Identifier: MIT */
/* A run from its beginning, or from its last checkpoint, to its end. */
#include "run.h"
#include "base/clock.h"
#include "base/file_system.h"
#include "cyclic.h"
#include "dem/checkpoint/checkpoint.h"
#include "dem/observe/snapshot.h"
#include "directory.h"
#include "files.h"
#include "files/result.h"
#include "files/tables/cycles.h"
#include "files/vtk.h"
#include "output_due.h"
#include "pictures/assembly/assembly_picture.h"
#include "pictures/cycles_picture.h"
#include "pictures/gnuplot.h"
#include "pictures/run_picture.h"
#include "reduction.h"
#include "traces.h"

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
  series series;
  append_file cycles; /* not open if no stage is cyclic */
  vtk_output vtk;
  long resumed_at;         /* step; -1: a new run */
  long long series_start;  /* bytes of series.csv to continue behind; -1: none */
  long long cycles_start;  /* the same of cycles.csv */
  double seconds_before;   /* computing time of earlier parts of the run */
  double clock_start;      /* of this part */
  double clock_checkpoint; /* of the last checkpoint */
  double contact_steps;    /* sum of contacts over the steps of this part */
  bool has_checkpoint;     /* of this run, in its directory */
  bool has_failed_files;   /* the failure is that of a file, not of the simulation */
} active_run;

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

/* The checkpoint before takes the place of a damaged one, so that the next one to be written does not replace it. */
static bool resume_from_before(active_run *r, error_info *error)
{
  error_info first = *error;
  bool is_damaged;
  r->simulation = read_checkpoint(r, r->checkpoint_before, &is_damaged, error);
  run_notify(r->watcher, r->simulation ? "%s; continuing from the checkpoint before it" : "%s", first.text);
  if (r->simulation && rename(r->checkpoint_before, r->checkpoint) != 0)
    return error_set_errno(error, "replace", r->checkpoint);
  return r->simulation;
}

static bool resume(active_run *r, error_info *error)
{
  bool is_damaged, has_before = access(r->checkpoint_before, F_OK) == 0;
  if (!has_before && access(r->checkpoint, F_OK) != 0)
    return error_set(error, "%s has no checkpoint: there is nothing to resume", r->settings->dir);
  r->simulation = read_checkpoint(r, r->checkpoint, &is_damaged, error);
  if (!r->simulation && !(is_damaged && has_before && resume_from_before(r, error)))
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
          (of_series == r->series_start || series_cut(&r->series, of_series, error)) &&
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

/* A directory with files of an earlier run is used only by force. */
static run_ending take_directory(active_run *r, error_info *error)
{
  const char *dir = r->settings->dir;
  char *used;
  if (r->settings->force)
    return run_directory_check(dir, &r->inputs, error) ? RUN_COMPLETED : RUN_REFUSED;
  if (!run_directory_find_used(dir, &used, error))
    return RUN_IO_FAILED;
  if (!used)
    return RUN_COMPLETED;
  error_set(error, "%s exists already: %s--force replaces the run in %s, -o takes another directory", used,
            dem_checkpoint_is(r->checkpoint) ? "--resume continues it, " : "", dir);
  free(used);
  return RUN_REFUSED;
}

/* The simulation that the caller has; NULL: none. */
static dem_simulation *given_simulation(const run_settings *settings)
{
  return settings->simulation ? *settings->simulation : NULL;
}

static run_ending begin(active_run *r, error_info *error)
{
  run_ending ending = take_directory(r, error);
  r->simulation = given_simulation(r->settings);
  if (ending == RUN_COMPLETED && r->simulation)
    return RUN_COMPLETED;
  if (ending == RUN_COMPLETED)
    ending = run_prepare(r->plan, r->settings->threads, &r->simulation, error);
  if (ending == RUN_COMPLETED && !dem_simulation_begin(r->simulation, error))
    ending = RUN_FAILED; /* random spheres could not be placed */
  return ending;
}

/* Pictures of the present stage stay if it has ended and still ends there. */
static bool remove_later_pictures(const active_run *r, run_due due, error_info *error)
{
  int stage = dem_simulation_stage(r->simulation);
  return r->resumed_at < 0 || assembly_picture_remove(r->settings->dir, due.picture ? stage + 1 : stage, error);
}

static bool open_files(active_run *r, error_info *error)
{
  const char *dir = r->settings->dir;
  /* Files of the step where the run continues stay only if they are due: its stage may have a later end now. */
  run_due due = run_output_due(r->output, r->simulation);
  long before = r->resumed_at > 0 ? r->resumed_at - 1 : -1;
  /* Snapshots first: a damaged one must be found before anything is cut back. */
  return result_begin(dir, due.snapshot ? r->resumed_at : before, error) &&
         series_open(&r->series, dir, r->series_start, error) &&
         (!run_has_cycles(r->plan) || cycles_open(&r->cycles, dir, r->cycles_start, error)) &&
         vtk_open(&r->vtk, dir, due.vtk ? r->resumed_at : before, error) && remove_later_pictures(r, due, error) &&
         (r->resumed_at < 0 || dem_simulation_events(r->simulation).stage_ended ||
          take_back_lines(r, due.series, error));
}

/* RUN_COMPLETED if the simulation and all its files are ready for the first step. */
static run_ending start(active_run *r, error_info *error)
{
  const char *dir = r->settings->dir;
  bool is_resumed = r->settings->resume;
  r->checkpoint = path_in(dir, RUN_CHECKPOINT);
  r->checkpoint_before = path_in(dir, RUN_CHECKPOINT_BEFORE);
  if (!r->checkpoint || !r->checkpoint_before) {
    error_out_of_memory(error);
    return RUN_IO_FAILED;
  }
  if (!is_resumed && !directory_make(dir, error))
    return RUN_IO_FAILED;
  if (!run_directory_lock(dir, &r->lock, error))
    return RUN_REFUSED;
  run_ending ending = !is_resumed ? begin(r, error) : resume(r, error) ? RUN_COMPLETED : RUN_REFUSED;
  if (ending != RUN_COMPLETED)
    return ending;
  bool has_files = run_directory_clear(dir, &r->inputs, is_resumed, error) && open_files(r, error);
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
                                .series_bytes = series_position(&r->series),
                                .cycles_bytes = append_file_position(&r->cycles),
                                .seconds = seconds_so_far(r)};
  r->clock_checkpoint = clock_seconds();
  bool is_written = series_sync(&r->series, error) && (!r->cycles.path || append_file_sync(&r->cycles, error)) &&
                    dem_checkpoint_write(r->simulation, r->checkpoint, r->checkpoint_before, &notes, error);
  r->has_checkpoint = r->has_checkpoint || is_written;
  r->has_failed_files = !is_written;
  return is_written;
}

static bool checkpoint_is_due(const active_run *r)
{
  long every = r->output->checkpoint_steps;
  if (every > 0 && dem_simulation_steps(r->simulation) % every == 0)
    return true;
  double minutes = r->output->checkpoint_minutes;
  return minutes > 0.0 && clock_seconds() - r->clock_checkpoint >= 60.0 * minutes;
}

static bool write_snapshots(active_run *r, run_due due, error_info *error)
{
  dem_snapshot snapshot;
  if (dem_snapshot_take(r->simulation, &snapshot) != JAGER_OK)
    return error_out_of_memory(error);
  bool done = !due.snapshot || result_add_snapshot(r->settings->dir, &snapshot, error);
  done = done && (!due.vtk || vtk_write(&r->vtk, &snapshot, error));
  done = done && (!due.picture || assembly_picture_draw_stage(r->settings->dir, &snapshot, r->plan,
                                                              dem_simulation_stage(r->simulation), error));
  dem_snapshot_free(&snapshot);
  return done;
}

static bool write_series(active_run *r, error_info *error)
{
  dem_measures measures;
  dem_simulation_measure(r->simulation, &measures);
  return series_add(&r->series, &measures, error);
}

/* A line of cycles.csv, if a cycle has ended. */
static bool write_cycle(active_run *r, error_info *error)
{
  dem_cycle cycle;
  return !dem_simulation_cycle(r->simulation, &cycle) || cycles_add(&r->cycles, &cycle, error);
}

static bool write_output(active_run *r, error_info *error)
{
  run_due due = run_output_due(r->output, r->simulation);
  due.picture = due.picture && gnuplot_is_installed(); /* the end of the run tells if not */
  bool is_written = (!due.series || write_series(r, error)) && write_cycle(r, error) &&
                    ((!due.snapshot && !due.vtk && !due.picture) || write_snapshots(r, due, error));
  r->has_failed_files = !is_written;
  return is_written;
}

/* ---- Steps ------------------------------------------------------------------------------------------------------- */

/* The next stage, if one has ended. The output of its start follows the checkpoint of that end. */
static dem_progress begin_stage(active_run *r, error_info *error)
{
  if (!dem_simulation_events(r->simulation).stage_ended)
    return DEM_GOES_ON;
  dem_progress outcome = dem_simulation_begin_stage(r->simulation, error);
  if (outcome != DEM_GOES_ON)
    return outcome;
  return write_output(r, error) ? DEM_GOES_ON : DEM_FAILED;
}

/* The name of the stage; of a packing with a target, trial, friction and void ratio: "packing 1, f 0.21, e 0.66". */
static const char *print_stage(const dem_simulation *s, char *text, size_t size)
{
  dem_packing_report packing = dem_simulation_packing(s);
  if (dem_simulation_stage(s) > 0 || packing.trials == 0)
    return dem_simulation_stage_name(s);
  snprintf(text, size, "%s %d, f %.3g, e %.3f", dem_simulation_stage_name(s), packing.trials, packing.friction,
           dem_simulation_void_ratio(s));
  return text;
}

static void show_progress(const active_run *r, bool stage_ended)
{
  char name[128];
  const dem_simulation *s = r->simulation;
  if (!r->watcher->progress)
    return;
  progress_state state = {.stage = dem_simulation_stage(s),
                          .stage_count = r->plan->stage_count,
                          .stage_name = print_stage(s, name, sizeof name),
                          .fraction = dem_simulation_stage_progress(s),
                          .step = dem_simulation_steps(s),
                          .contacts = dem_simulation_contacts(s)};
  r->watcher->progress(r->watcher->context, &state, stage_ended);
}

/* One step and its files. */
static dem_progress step(active_run *r, error_info *error)
{
  dem_progress outcome = begin_stage(r, error);
  if (outcome == DEM_GOES_ON)
    outcome = dem_simulation_step(r->simulation, error);
  if (outcome != DEM_GOES_ON)
    return outcome;
  bool stage_ended = dem_simulation_events(r->simulation).stage_ended;
  r->contact_steps += (double)dem_simulation_contacts(r->simulation);
  show_progress(r, stage_ended);
  bool is_written = write_output(r, error) && (!(stage_ended || checkpoint_is_due(r)) || write_checkpoint(r, error));
  return is_written ? DEM_GOES_ON : DEM_FAILED;
}

/* ---- Ending ------------------------------------------------------------------------------------------------------ */

/* Hands over the path of the last good state. */
static void tell_checkpoint(active_run *r, run_report *report)
{
  if (r->has_checkpoint) {
    report->checkpoint = r->checkpoint;
    r->checkpoint = NULL;
  } else if (r->inputs.start_is_here) {
    report->checkpoint = strdup(r->inputs.assembly);
    report->is_start = true;
  }
}

static void fail(active_run *r, run_report *report)
{
  report->ending = r->has_failed_files || report->error.out_of_memory ? RUN_IO_FAILED : RUN_FAILED;
  tell_checkpoint(r, report);
}

static void stop(active_run *r, run_report *report)
{
  if (!write_checkpoint(r, &report->error)) {
    fail(r, report);
    return;
  }
  report->ending = RUN_STOPPED;
  tell_checkpoint(r, report);
}

static bool draw_pictures(active_run *r, const run_summary *summary, error_info *error)
{
  if (!r->output->pictures)
    return true;
  if (gnuplot_is_installed() && !assembly_picture_draw_grading(r->settings->dir, &summary->grading, r->plan, error))
    return false;
  run_picture_result drawn = run_picture_draw_all(r->settings->dir, r->plan, error);
  if (drawn == RUN_PICTURE_SKIPPED)
    run_notify(r->watcher, "no pictures: %s", error->text);
  return drawn != RUN_PICTURE_FAILED && (drawn != RUN_PICTURE_DRAWN || !run_has_cycles(r->plan) ||
                                         cycles_picture_draw(r->settings->dir, r->plan, error));
}

static bool write_reductions(active_run *r, error_info *error)
{
  reduction_row *rows = NULL;
  size_t count = 0;
  const char *dir = r->settings->dir;
  bool is_written = run_reduction_collect(&rows, &count, dir, r->description, error) &&
                    run_reduction_write(dir, r->plan->title, rows, count, r->output->pictures, error);
  free(rows);
  return is_written;
}

static bool write_results(active_run *r, const run_summary *summary, error_info *error)
{
  result_facts facts = {.run = r->plan,
                        .input = r->settings->input,
                        .command = r->settings->command,
                        .threads = dem_simulation_threads(r->simulation),
                        .grading = &summary->grading,
                        .packing = &summary->packing};
  char *warnings = run_summary_warnings(summary);
  facts.warnings = warnings;
  bool is_written = warnings ? result_finish(r->settings->dir, &facts, error) : error_out_of_memory(error);
  free(warnings);
  return is_written && draw_pictures(r, summary, error) && write_reductions(r, error) &&
         run_summary_write(summary, error);
}

static void finish(active_run *r, run_report *report)
{
  const char *dir = r->settings->dir;
  error_info *error = &report->error;
  run_summary *summary = &report->summary;
  bool is_written = series_close(&r->series, error) && append_file_close(&r->cycles, error) &&
                    run_traces_write(r->simulation, dir, r->watcher, error) &&
                    run_summary_make(summary, r->simulation, dir, error);
  if (is_written) {
    summary->has_pictures = r->output->pictures;
    summary->speed = (run_speed){.seconds = seconds_so_far(r),
                                 .contact_steps = r->contact_steps,
                                 .part_seconds = clock_seconds() - r->clock_start,
                                 .threads = dem_simulation_threads(r->simulation)};
    is_written = write_results(r, summary, error);
  }
  report->ending = RUN_COMPLETED;
  r->has_failed_files = !is_written;
  if (!is_written)
    fail(r, report);
}

static void go_on(active_run *r, run_report *report)
{
  error_info *error = &report->error;
  bool is_ready = r->resumed_at >= 0 || write_output(r, error);
  r->clock_start = r->clock_checkpoint = clock_seconds();
  /*
   * The first checkpoint replaces the one that the run started from, which must not go before there is one of this
   * run.
   */
  if (!is_ready || (r->inputs.start_is_here && !write_checkpoint(r, error))) {
    fail(r, report);
    return;
  }
  for (;;) {
    dem_progress outcome = step(r, error);
    if (outcome == DEM_DONE) {
      finish(r, report);
      return;
    }
    if (outcome == DEM_FAILED) {
      fail(r, report);
      return;
    }
    if (run_is_stopped(r->watcher)) {
      stop(r, report);
      return;
    }
  }
}

/* The caller gets the simulation of a run that has begun; otherwise it keeps its own. */
static void hand_over(active_run *r, bool has_begun)
{
  dem_simulation *given = given_simulation(r->settings), *left_over = r->simulation;
  if (r->settings->simulation && has_begun) {
    *r->settings->simulation = r->simulation;
    left_over = given;
  }
  if (left_over != given_simulation(r->settings))
    dem_simulation_destroy(left_over);
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
                  .cycles = {.descriptor = -1},
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
  (void)series_close(&r.series, &ignored);
  (void)append_file_close(&r.cycles, &ignored);
  vtk_close(&r.vtk);
  if (r.lock >= 0)
    close(r.lock);
  hand_over(&r, has_begun);
  free(r.checkpoint);
  free(r.checkpoint_before);
}

void run_report_free(run_report *report)
{
  run_summary_free(&report->summary);
  free(report->checkpoint);
  report->checkpoint = NULL;
}
