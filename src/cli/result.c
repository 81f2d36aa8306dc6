/* SPDX-License-Identifier: MIT */
/* DIR/result.h5 and the snapshots that it is made of. */
#include "result.h"
#include "build_info.h"
#include "failure.h"
#include "h5_file.h"
#include "result_layout.h"
#include "result_snapshot.h"
#include "run_files.h"
#include "series.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { GROUP_NAME_SIZE = 32 };

/* The group of a snapshot is called as its file. */
static void name_group(long step, char name[GROUP_NAME_SIZE])
{
  snprintf(name, GROUP_NAME_SIZE, STEP_NAME_FORMAT, step);
}

/* Marks a file as one of ours. */
static bool write_format(hid_t file, const char *format)
{
  return h5_write_text_attribute(file, RESULT_FORMAT_ATTRIBUTE, format) &&
         h5_write_integer_attribute(file, RESULT_FORMAT_VERSION_ATTRIBUTE, RESULT_FORMAT_VERSION) &&
         h5_write_text_attribute(file, "version", dem_build_version());
}

static char *result_path(const char *dir)
{
  return path_in(dir, RUN_RESULT);
}

/* ---- Snapshots --------------------------------------------------------------------------------------------------- */

/* Fills the group `snapshots` of a file with one snapshot; `source` is what is known of it. */
typedef bool snapshot_filler(hid_t group, const char *name, const void *source);

static bool fill_from_memory(hid_t group, const char *name, const void *source)
{
  return result_snapshot_write(group, name, source);
}

/* Copies it out of the open file `source`, as it is: what is compressed stays so. */
static bool fill_from_file(hid_t group, const char *name, const void *source)
{
  char path[GROUP_NAME_SIZE + sizeof RESULT_SNAPSHOTS + 1];
  snprintf(path, sizeof path, RESULT_SNAPSHOTS "/%s", name);
  return H5Ocopy(((const h5_file *)source)->id, path, group, name, H5P_DEFAULT, H5P_DEFAULT) >= 0;
}

static bool fill_snapshot_file(hid_t file, long step, snapshot_filler *fill, const void *source)
{
  char name[GROUP_NAME_SIZE];
  name_group(step, name);
  hid_t group = write_format(file, SNAPSHOT_FORMAT) ? h5_make_group(file, RESULT_SNAPSHOTS) : -1;
  bool is_filled = group >= 0 && fill(group, name, source);
  if (group >= 0)
    H5Gclose(group);
  return is_filled;
}

static bool write_snapshot_file(const char *dir, long step, snapshot_filler *fill, const void *source, dem_error *error)
{
  h5_file file = {.id = -1};
  if (!folder_make(dir, run_snapshot_files.folder, error))
    return false;
  char *path = step_file_path(dir, run_snapshot_files, step);
  bool is_open = path ? h5_file_create(&file, path, error) : fail_in_memory(error);
  free(path);
  if (!is_open)
    return false;
  if (fill_snapshot_file(file.id, step, fill, source))
    return h5_file_finish(&file, error);
  h5_file_fail(&file, error);
  h5_file_close(&file);
  return false;
}

bool result_add_snapshot(const char *dir, const dem_snapshot *snapshot, dem_error *error)
{
  return write_snapshot_file(dir, snapshot->step, fill_from_memory, snapshot, error);
}

/* ---- Beginning --------------------------------------------------------------------------------------------------- */

static bool snapshot_file_is_there(const char *dir, long step)
{
  char *path = step_file_path(dir, run_snapshot_files, step);
  bool is_there = path && access(path, F_OK) == 0;
  free(path);
  return is_there;
}

/* Snapshots of a run that had ended become files again. */
static bool take_snapshots_out(const h5_file *result, const char *dir, long keep_step, dem_error *error)
{
  static const step_files group_names = {"", "", ""};
  size_t count;
  char **names = h5_read_names(result->id, RESULT_SNAPSHOTS, &count);
  if (!names)
    return h5_file_fail(result, error);
  bool is_done = true;
  for (size_t i = 0; is_done && i < count; i++) {
    long step = step_file_number(names[i], group_names);
    if (step >= 0 && step <= keep_step && !snapshot_file_is_there(dir, step))
      is_done = write_snapshot_file(dir, step, fill_from_file, result, error);
  }
  h5_free_texts(names, count);
  return is_done;
}

static bool go_on_from(const char *path, const char *dir, long keep_step, dem_error *error)
{
  h5_file result = {.id = -1};
  if (access(path, F_OK) != 0)
    return true;
  if (!h5_file_open(&result, path, error))
    return false;
  bool is_done = take_snapshots_out(&result, dir, keep_step, error);
  h5_file_close(&result);
  return is_done;
}

bool result_begin(const char *dir, long keep_step, dem_error *error)
{
  if (!step_files_drop(dir, run_snapshot_files, keep_step, error))
    return false;
  char *path = result_path(dir);
  bool is_done = path ? (keep_step < 0 ? file_remove(path, error) : go_on_from(path, dir, keep_step, error))
                      : fail_in_memory(error);
  free(path);
  return is_done;
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
                       .type = H5_REAL,
                       .rows = table->rows,
                       .columns = 1,
                       .values = table->columns[k]};
    is_written = h5_write_table(group, &column);
  }
  if (group >= 0)
    H5Gclose(group);
  return is_written;
}

/* The stages' names by their numbers; the first is packing. */
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

static bool write_provenance(hid_t file, const result_facts *facts)
{
  return write_format(file, RESULT_FORMAT) && h5_write_text_attribute(file, "compiler", dem_build_compiler()) &&
         h5_write_text_attribute(file, "flags", dem_build_flags()) && write_time(file) &&
         h5_write_text_attribute(file, "command", facts->command ? facts->command : "") &&
         h5_write_text_attribute(file, "title", facts->run->title ? facts->run->title : "") &&
         h5_write_unsigned_attribute(file, "seed", facts->run->seed) &&
         h5_write_integer_attribute(file, "threads", facts->threads) && write_stages(file, facts->run) &&
         h5_write_text(file, RESULT_INPUT, facts->input ? facts->input : "") &&
         h5_write_text(file, RESULT_WARNINGS, facts->warnings ? facts->warnings : "");
}

/* ---- Finishing --------------------------------------------------------------------------------------------------- */

/* What a result is made of. */
typedef struct parts {
  const char *dir;
  const result_facts *facts;
  series_table series;
  long *steps; /* of the snapshots */
  size_t step_count;
} parts;

static bool copy_snapshot(const h5_file *result, hid_t group, const parts *of, long step, dem_error *error)
{
  h5_file source = {.id = -1};
  char name[GROUP_NAME_SIZE];
  char *path = step_file_path(of->dir, run_snapshot_files, step);
  bool is_open = path ? h5_file_open(&source, path, error) : fail_in_memory(error);
  free(path);
  if (!is_open)
    return false;
  name_group(step, name);
  bool is_copied = fill_from_file(group, name, &source);
  if (!is_copied)
    h5_file_fail(result->trouble->failure ? result : &source, error);
  h5_file_close(&source);
  return is_copied;
}

static bool copy_snapshots(const h5_file *result, const parts *of, dem_error *error)
{
  hid_t group = h5_make_group(result->id, RESULT_SNAPSHOTS);
  bool is_copied = group >= 0 || h5_file_fail(result, error);
  for (size_t i = 0; is_copied && i < of->step_count; i++)
    is_copied = copy_snapshot(result, group, of, of->steps[i], error);
  if (group >= 0)
    H5Gclose(group);
  return is_copied;
}

static bool write_result(const parts *of, dem_error *error)
{
  h5_file file = {.id = -1};
  char *path = result_path(of->dir);
  bool is_open = path ? h5_file_create(&file, path, error) : fail_in_memory(error);
  free(path);
  if (!is_open)
    return false;
  bool is_written =
      (write_provenance(file.id, of->facts) && write_series(file.id, &of->series)) || h5_file_fail(&file, error);
  if (is_written && copy_snapshots(&file, of, error))
    return h5_file_finish(&file, error);
  h5_file_close(&file);
  return false;
}

/* The folder goes as well, unless somebody has put something into it. */
static bool remove_snapshots(const parts *of, dem_error *error)
{
  char *folder = path_in(of->dir, "%s", run_snapshot_files.folder);
  bool is_done = folder ? step_files_drop(of->dir, run_snapshot_files, -1, error) : fail_in_memory(error);
  if (is_done)
    rmdir(folder);
  free(folder);
  return is_done;
}

bool result_finish(const char *dir, const result_facts *facts, dem_error *error)
{
  parts of = {.dir = dir, .facts = facts};
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
