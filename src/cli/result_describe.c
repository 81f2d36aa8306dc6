/* SPDX-License-Identifier: MIT */
/* What is in a result or a snapshot. */
#include "result_describe.h"
#include "failure.h"
#include "h5_file.h"
#include "measures.h"
#include "result_layout.h"

#include <stdlib.h>
#include <string.h>

/* ---- Opening ----------------------------------------------------------------------------------------------------- */

/* The format is one of ours, and not of a later version. */
static bool check_format(const h5_file *file, const char *format, dem_error *error)
{
  long long version = 0;
  if (!format || (strcmp(format, RESULT_FORMAT) != 0 && strcmp(format, SNAPSHOT_FORMAT) != 0))
    return fail_with(error, "%s is an HDF5 file, but neither a result nor a snapshot of jager", file->path);
  if (!h5_read_integer_attribute(file->id, RESULT_FORMAT_VERSION_ATTRIBUTE, &version))
    return fail_with(error, "%s is damaged: it does not tell the version of its format", file->path);
  return version == RESULT_FORMAT_VERSION ||
         fail_with(error, "%s is of another version of jager: its format is %lld, known is %d", file->path, version,
                   RESULT_FORMAT_VERSION);
}

/* `format` is to be freed, and the file to be closed. */
static bool open_ours(h5_file *file, const char *path, char **format, dem_error *error)
{
  if (!h5_file_open(file, path, error))
    return false;
  *format = h5_read_text_attribute(file->id, RESULT_FORMAT_ATTRIBUTE);
  if (check_format(file, *format, error))
    return true;
  free(*format);
  h5_file_close(file);
  return false;
}

static bool fail_damaged(const h5_file *file, const char *what, dem_error *error)
{
  return fail_with(error, "%s is damaged: its %s can not be read%s%s", file->path, what,
                   file->trouble->reason[0] ? ": HDF5 says: " : "", file->trouble->reason);
}

/* ---- Provenance -------------------------------------------------------------------------------------------------- */

/* Texts of files do not get at the terminal. */
static void print_safely(const char *text, FILE *out)
{
  for (; *text; text++)
    fputc((unsigned char)*text < ' ' || *text == 127 ? '?' : *text, out);
}

/* A file without it is whole as well: snapshots have little. */
static void print_text(const h5_file *file, const char *name, FILE *out)
{
  char *text = h5_read_text_attribute(file->id, name);
  if (text && *text) {
    fprintf(out, "%-10s ", name);
    print_safely(text, out);
    fputc('\n', out);
  }
  free(text);
}

static void print_provenance(const h5_file *file, FILE *out)
{
  unsigned long long seed;
  long long threads;
  print_text(file, "title", out);
  print_text(file, "version", out);
  print_text(file, "compiler", out);
  print_text(file, "flags", out);
  print_text(file, "created", out);
  print_text(file, "command", out);
  if (h5_read_unsigned_attribute(file->id, "seed", &seed))
    fprintf(out, "%-10s %llu\n", "seed", seed);
  if (h5_read_integer_attribute(file->id, "threads", &threads))
    fprintf(out, "%-10s %lld\n", "threads", threads);
}

static bool print_stages(const h5_file *file, FILE *out, dem_error *error)
{
  size_t count = 0;
  char **names = h5_read_texts_attribute(file->id, "stages", &count);
  if (!names)
    return fail_damaged(file, "list of stages", error);
  fprintf(out, "\nstages:\n");
  for (size_t i = 0; i < count; i++) {
    fprintf(out, "  %zu ", i);
    print_safely(names[i], out);
    fputc('\n', out);
  }
  h5_free_texts(names, count);
  return true;
}

/* ---- Series ------------------------------------------------------------------------------------------------------ */

enum { SERIES_PATH_SIZE = 96 };

static void path_of(const char *name, char path[SERIES_PATH_SIZE])
{
  snprintf(path, SERIES_PATH_SIZE, RESULT_SERIES "/%s", name);
}

/* The last values, in the order of the measures. */
static bool print_last_values(const h5_file *file, long long rows, FILE *out, dem_error *error)
{
  char path[SERIES_PATH_SIZE];
  double value;
  fprintf(out, "\nlast values:\n");
  for (int k = 0; k < DEM_MEASURE_COUNT; k++) {
    path_of(dem_measure_name(k), path);
    if (!h5_read_value(file->id, path, (size_t)rows - 1, &value))
      return fail_damaged(file, path, error);
    bool has_unit = strcmp(dem_measure_unit(k), "1") != 0;
    fprintf(out, "  %-24s %.6g%s%s\n", dem_measure_name(k), value, has_unit ? " " : "",
            has_unit ? dem_measure_unit(k) : "");
  }
  return true;
}

static bool print_series(const h5_file *file, FILE *out, dem_error *error)
{
  char path[SERIES_PATH_SIZE];
  path_of(dem_measure_name(0), path);
  if (H5Lexists(file->id, RESULT_SERIES, H5P_DEFAULT) <= 0)
    return fail_damaged(file, RESULT_SERIES, error);
  long long rows = h5_rows(file->id, path);
  if (rows < 0)
    return fail_damaged(file, path, error);
  fprintf(out, "\nseries: %d quantities, %lld row%s\n", (int)DEM_MEASURE_COUNT, rows, rows == 1 ? "" : "s");
  return rows == 0 || print_last_values(file, rows, out, error);
}

/* ---- Snapshots --------------------------------------------------------------------------------------------------- */

static bool print_snapshot(const h5_file *file, hid_t group, FILE *out, dem_error *error)
{
  long long step;
  double time;
  if (!h5_read_integer_attribute(group, "step", &step) || !h5_read_real_attribute(group, "time", &time))
    return fail_damaged(file, "snapshot's step and time", error);
  long long spheres = H5Lexists(group, "spheres", H5P_DEFAULT) > 0 ? h5_rows(group, "spheres/position") : -1;
  long long contacts = H5Lexists(group, "contacts", H5P_DEFAULT) > 0 ? h5_rows(group, "contacts/ids") : -1;
  if (spheres < 0 || contacts < 0)
    return fail_damaged(file, "snapshot", error);
  fprintf(out, "  step %lld, time %.6g s: %lld spheres, %lld contacts\n", step, time, spheres, contacts);
  return true;
}

static bool print_named_snapshot(const h5_file *file, const char *name, FILE *out, dem_error *error)
{
  hid_t snapshots = H5Gopen2(file->id, RESULT_SNAPSHOTS, H5P_DEFAULT);
  hid_t group = snapshots >= 0 ? H5Gopen2(snapshots, name, H5P_DEFAULT) : -1;
  bool is_printed = group >= 0 ? print_snapshot(file, group, out, error) : fail_damaged(file, "snapshot", error);
  if (group >= 0)
    H5Gclose(group);
  if (snapshots >= 0)
    H5Gclose(snapshots);
  return is_printed;
}

static bool print_snapshots(const h5_file *file, FILE *out, dem_error *error)
{
  size_t count = 0;
  char **names = h5_read_names(file->id, RESULT_SNAPSHOTS, &count);
  if (!names)
    return fail_damaged(file, "list of snapshots", error);
  fprintf(out, "\nsnapshots: %zu\n", count);
  bool is_printed = true;
  for (size_t i = 0; is_printed && i < count; i++)
    is_printed = print_named_snapshot(file, names[i], out, error);
  h5_free_texts(names, count);
  return is_printed;
}

/* ---- All --------------------------------------------------------------------------------------------------------- */

bool result_describe(const char *path, FILE *out, dem_error *error)
{
  h5_file file = {.id = -1};
  char *format = NULL;
  if (!open_ours(&file, path, &format, error))
    return false;
  bool is_result = strcmp(format, RESULT_FORMAT) == 0;
  fprintf(out, "%s: %s\n", path, is_result ? "the result of a run" : "a snapshot of a run");
  print_provenance(&file, out);
  bool is_printed = (!is_result || (print_stages(&file, out, error) && print_series(&file, out, error))) &&
                    print_snapshots(&file, out, error);
  free(format);
  h5_file_close(&file);
  return is_printed;
}

bool result_print_input(const char *path, FILE *out, dem_error *error)
{
  h5_file file = {.id = -1};
  char *format = NULL;
  if (!open_ours(&file, path, &format, error))
    return false;
  char *text = h5_read_text(file.id, RESULT_INPUT);
  if (text)
    fputs(text, out);
  else if (strcmp(format, SNAPSHOT_FORMAT) == 0)
    fail_with(error, "%s is a snapshot: only results have the text of their case", path);
  else
    fail_damaged(&file, "text of the case", error);
  bool is_printed = text != NULL;
  free(text);
  free(format);
  h5_file_close(&file);
  return is_printed;
}
