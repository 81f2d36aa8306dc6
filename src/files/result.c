/* SPDX-License-Identifier: MIT */
/* DIR/result.h5 and the files of snapshots from which it is made. All work of HDF5 is done in a child process. */
#include "result.h"
#include "base/build_info.h"
#include "base/child_process.h"
#include "base/file_system.h"
#include "h5_file.h"
#include "result_layout.h"
#include "result_snapshot.h"
#include "run_names.h"
#include "series.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { GROUP_NAME_SIZE = 32 };

/* The group of a snapshot has the name of its file, without the ending. */
static void name_group(long step, char name[GROUP_NAME_SIZE])
{
  snprintf(name, GROUP_NAME_SIZE, STEP_NAME_FORMAT, step);
}

/* Marks a file as a result or snapshot of this program. */
static bool write_format(hid_t file, const char *format)
{
  return h5_write_text_attribute(file, RESULT_FORMAT_ATTRIBUTE, format) &&
         h5_write_integer_attribute(file, RESULT_FORMAT_VERSION_ATTRIBUTE, RESULT_FORMAT_VERSION) &&
         h5_write_text_attribute(file, "version", build_version());
}

static char *result_path(const char *dir)
{
  return path_in(dir, RUN_RESULT);
}

/* ---- Snapshots --------------------------------------------------------------------------------------------------- */

static bool fill_snapshot_file(hid_t file, const dem_snapshot *snapshot)
{
  char name[GROUP_NAME_SIZE];
  name_group(snapshot->step, name);
  hid_t group = write_format(file, SNAPSHOT_FORMAT) ? h5_make_group(file, RESULT_SNAPSHOTS) : -1;
  bool is_filled = group >= 0 && result_snapshot_write(group, name, snapshot);
  h5_close(group);
  return is_filled;
}

static bool write_snapshot_file(const char *path, const dem_snapshot *snapshot, error_info *error)
{
  h5_file file = {.id = -1};
  if (!h5_file_create(&file, path, error))
    return false;
  if (fill_snapshot_file(file.id, snapshot))
    return h5_file_finish(&file, error);
  h5_file_fail(&file, error);
  h5_file_close(&file);
  return false;
}

/* Reads a snapshot of an open file, and checks all its checksums. To be freed with dem_snapshot_free. */
static bool read_snapshot(const h5_file *file, long step, dem_snapshot *snapshot, error_info *error)
{
  char what[64], path[GROUP_NAME_SIZE + sizeof RESULT_SNAPSHOTS + 1];
  snprintf(path, sizeof path, RESULT_SNAPSHOTS "/" STEP_NAME_FORMAT, step);
  snprintf(what, sizeof what, "snapshot of step %ld", step);
  *snapshot = (dem_snapshot){.step = 0};
  if (result_snapshot_read(file->id, path, snapshot) && snapshot->step == step)
    return true;
  dem_snapshot_free(snapshot);
  return h5_file_fail_damaged(file, what, "; to go on without it, move the file away", error);
}

static bool read_snapshot_file(const char *dir, long step, dem_snapshot *snapshot, error_info *error)
{
  h5_file file = {.id = -1};
  char *path = step_file_path(dir, run_snapshot_files, step);
  bool is_open = path ? h5_file_open(&file, path, error) : error_out_of_memory(error);
  free(path);
  if (!is_open)
    return false;
  bool is_read = read_snapshot(&file, step, snapshot, error);
  h5_file_close(&file);
  return is_read;
}

/* The arguments of write_snapshot_file, for a child process. */
typedef struct snapshot_job {
  const char *path;
  const dem_snapshot *snapshot;
} snapshot_job;

static bool write_snapshot_in_child(const void *context, error_info *error)
{
  const snapshot_job *job = context;
  return write_snapshot_file(job->path, job->snapshot, error);
}

bool result_add_snapshot(const char *dir, const dem_snapshot *snapshot, error_info *error)
{
  if (!directory_add(dir, run_snapshot_files.folder, error))
    return false;
  char *path = step_file_path(dir, run_snapshot_files, snapshot->step);
  const snapshot_job job = {path, snapshot};
  bool is_added =
      path ? child_process_do(write_snapshot_in_child, &job, "write", path, error) : error_out_of_memory(error);
  free(path);
  return is_added;
}

/* ---- Beginning, and resuming from a checkpoint ------------------------------------------------------------------- */

/* A run that is resumed at a step. */
typedef struct resumption {
  const char *dir, *path; /* of the result */
  long keep_step;
} resumption;

/* Reads all snapshots that are kept, so that damage is reported now and not at the end of the run. */
static bool check_snapshot_files(const resumption *of, error_info *error)
{
  long *steps;
  size_t count;
  if (!step_files_list(of->dir, run_snapshot_files, &steps, &count, error))
    return false;
  bool is_good = true;
  for (size_t i = 0; is_good && i < count && steps[i] <= of->keep_step; i++) {
    dem_snapshot snapshot;
    is_good = read_snapshot_file(of->dir, steps[i], &snapshot, error);
    if (is_good)
      dem_snapshot_free(&snapshot);
  }
  free(steps);
  return is_good;
}

/* Copies a snapshot from the result into a file of its own, unless there is one. */
static bool extract_snapshot(const h5_file *result, const char *dir, long step, error_info *error)
{
  dem_snapshot snapshot;
  char *path = step_file_path(dir, run_snapshot_files, step);
  if (!path)
    return error_out_of_memory(error);
  bool is_done = access(path, F_OK) == 0;
  if (!is_done && read_snapshot(result, step, &snapshot, error)) {
    is_done = directory_add(dir, run_snapshot_files.folder, error) && write_snapshot_file(path, &snapshot, error);
    dem_snapshot_free(&snapshot);
  }
  free(path);
  return is_done;
}

static bool extract_snapshots(const h5_file *result, const resumption *of, error_info *error)
{
  static const step_files group_names = {"", "", ""};
  size_t count;
  char **names = h5_read_names(result->id, RESULT_SNAPSHOTS, &count);
  if (!names)
    return h5_file_fail_damaged(result, "list of snapshots", "; to go on without them, move the file away", error);
  bool is_done = true;
  for (size_t i = 0; is_done && i < count; i++) {
    long step = step_file_number(names[i], group_names);
    if (step >= 0 && step <= of->keep_step)
      is_done = extract_snapshot(result, of->dir, step, error);
  }
  h5_free_texts(names, count);
  return is_done;
}

static bool resume_in_child(const void *context, error_info *error)
{
  const resumption *of = context;
  h5_file result = {.id = -1};
  if (!check_snapshot_files(of, error))
    return false;
  if (access(of->path, F_OK) != 0)
    return true;
  if (!h5_file_open(&result, of->path, error))
    return false;
  bool is_done = extract_snapshots(&result, of, error);
  h5_file_close(&result);
  return is_done;
}

bool result_begin(const char *dir, long keep_step, error_info *error)
{
  char *path = result_path(dir);
  if (!path)
    return error_out_of_memory(error);
  const resumption of = {dir, path, keep_step};
  bool is_done =
      keep_step < 0 ? file_remove(path, error) : child_process_do(resume_in_child, &of, "go on from", path, error);
  free(path);
  return is_done && step_files_drop(dir, run_snapshot_files, keep_step, error);
}

/* ---- Contents of the result -------------------------------------------------------------------------------------- */

static bool write_series(hid_t file, const series_table *table)
{
  hid_t group = h5_make_group(file, RESULT_SERIES);
  bool is_written = group >= 0;
  for (int k = 0; is_written && k < DEM_MEASURE_COUNT; k++) {
    h5_table column = {.name = dem_measure_name(k),
                       .unit = dem_measure_unit(k),
                       .meaning = dem_measure_meaning(k),
                       .row_scale = dem_measure_name(0), /* the step */
                       .type = H5_REAL,
                       .rows = table->rows,
                       .columns = 1,
                       .values = table->columns[k]};
    is_written = h5_write_table(group, &column);
  }
  h5_close(group);
  return is_written;
}

/* The names of the stages by their numbers; stage 0 is packing. */
static bool write_stages(hid_t file, const dem_case *run)
{
  const char *names[DEM_STAGES_MAX + 1] = {"packing"};
  for (int i = 0; i < run->stage_count; i++)
    names[i + 1] = run->stages[i].name;
  return h5_write_texts_attribute(file, "stages", names, (size_t)run->stage_count + 1);
}

static bool write_time(hid_t file)
{
  char text[32];
  struct tm parts;
  time_t now = time(NULL);
  return gmtime_r(&now, &parts) && strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts) > 0 &&
         h5_write_text_attribute(file, "created", text);
}

static bool write_grading(hid_t file, const dem_grading *of)
{
  return h5_write_real_attribute(file, "d10", of->d10) && h5_write_real_attribute(file, "d30", of->d30) &&
         h5_write_real_attribute(file, "d50", of->d50) && h5_write_real_attribute(file, "d60", of->d60);
}

static bool write_packing(hid_t file, const dem_packing_report *of)
{
  return h5_write_real_attribute(file, "packing_friction", of->friction) &&
         h5_write_real_attribute(file, "packing_void_ratio", of->void_ratio) &&
         h5_write_real_attribute(file, "void_ratio_max", of->loosest) &&
         (of->densest <= 0.0 || h5_write_real_attribute(file, "void_ratio_min", of->densest));
}

static bool write_provenance(hid_t file, const result_facts *facts)
{
  return write_format(file, RESULT_FORMAT) && h5_write_text_attribute(file, "compiler", build_compiler()) &&
         h5_write_text_attribute(file, "flags", build_flags()) && write_time(file) &&
         h5_write_text_attribute(file, "command", facts->command ? facts->command : "") &&
         h5_write_text_attribute(file, "title", facts->run->title ? facts->run->title : "") &&
         h5_write_unsigned_attribute(file, "seed", facts->run->seed) &&
         h5_write_integer_attribute(file, "threads", facts->threads) && write_stages(file, facts->run) &&
         (!facts->grading || write_grading(file, facts->grading)) &&
         (!facts->packing || facts->packing->trials == 0 || write_packing(file, facts->packing)) &&
         h5_write_text(file, RESULT_INPUT, facts->input ? facts->input : "") &&
         h5_write_text(file, RESULT_WARNINGS, facts->warnings ? facts->warnings : "");
}

/* ---- Finishing --------------------------------------------------------------------------------------------------- */

/* The sources of a result. */
typedef struct result_parts {
  const char *dir, *path; /* of the result */
  const result_facts *facts;
  series_table series;
  long *steps; /* of the snapshots */
  size_t step_count;
} result_parts;

/* Copies through memory: H5Ocopy would not notice damaged chunks, and would lose the dimension scales. */
static bool copy_snapshot(const h5_file *result, hid_t group, const result_parts *of, long step, error_info *error)
{
  char name[GROUP_NAME_SIZE];
  dem_snapshot snapshot;
  if (!read_snapshot_file(of->dir, step, &snapshot, error))
    return false;
  name_group(step, name);
  bool is_copied = result_snapshot_write(group, name, &snapshot) || h5_file_fail(result, error);
  dem_snapshot_free(&snapshot);
  return is_copied;
}

static bool copy_snapshots(const h5_file *result, const result_parts *of, error_info *error)
{
  hid_t group = h5_make_group(result->id, RESULT_SNAPSHOTS);
  bool is_copied = group >= 0 || h5_file_fail(result, error);
  for (size_t i = 0; is_copied && i < of->step_count; i++)
    is_copied = copy_snapshot(result, group, of, of->steps[i], error);
  h5_close(group);
  return is_copied;
}

static bool write_result_in_child(const void *context, error_info *error)
{
  const result_parts *of = context;
  h5_file file = {.id = -1};
  if (!h5_file_create(&file, of->path, error))
    return false;
  bool is_written =
      (write_provenance(file.id, of->facts) && write_series(file.id, &of->series)) || h5_file_fail(&file, error);
  if (is_written && copy_snapshots(&file, of, error))
    return h5_file_finish(&file, error);
  h5_file_close(&file);
  return false;
}

static bool write_result(result_parts *of, error_info *error)
{
  char *path = result_path(of->dir);
  of->path = path;
  bool is_written =
      path ? child_process_do(write_result_in_child, of, "write", path, error) : error_out_of_memory(error);
  free(path);
  return is_written;
}

/* Removes the folder, too, unless it has other files. */
static bool remove_snapshots(const result_parts *of, error_info *error)
{
  char *folder = path_in(of->dir, "%s", run_snapshot_files.folder);
  bool is_done = folder ? step_files_drop(of->dir, run_snapshot_files, -1, error) : error_out_of_memory(error);
  if (is_done)
    rmdir(folder);
  free(folder);
  return is_done;
}

bool result_finish(const char *dir, const result_facts *facts, error_info *error)
{
  result_parts of = {.dir = dir, .facts = facts};
  if (!series_load(&of.series, dir, error))
    return false;
  bool is_done = step_files_list(dir, run_snapshot_files, &of.steps, &of.step_count, error);
  if (is_done) {
    is_done = write_result(&of, error) && remove_snapshots(&of, error);
    free(of.steps);
  }
  series_table_free(&of.series);
  return is_done;
}
