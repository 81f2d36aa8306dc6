/* SPDX-License-Identifier: MIT */
/* Describes the contents of a result or a snapshot: reads them into memory, then prints them as text or JSON. */
#include "result_describe.h"
#include "base/json.h"
#include "base/text.h"
#include "dem/observe/measures.h"
#include "h5_file.h"
#include "result_layout.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Opening ----------------------------------------------------------------------------------------------------- */

/* Checks that the file is of this program, and of this version of the format. */
static bool check_format(const h5_file *file, const char *format, error_info *error)
{
  long long version = 0;
  if (!format || (strcmp(format, RESULT_FORMAT) != 0 && strcmp(format, SNAPSHOT_FORMAT) != 0))
    return error_set(error, "%s is an HDF5 file, but neither a result nor a snapshot of jager", file->path);
  if (!h5_read_integer_attribute(file->id, RESULT_FORMAT_VERSION_ATTRIBUTE, &version))
    return error_set(error, "%s is damaged: the version of its format is missing", file->path);
  return version == RESULT_FORMAT_VERSION ||
         error_set(error, "%s is of another version of jager: its format is %lld, known is %d", file->path, version,
                   RESULT_FORMAT_VERSION);
}

/* Opens a file of this program. The caller frees `format` and closes the file. */
static bool open_checked(h5_file *file, const char *path, char **format, error_info *error)
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

static bool fail_damaged(const h5_file *file, const char *what, error_info *error)
{
  return h5_file_fail_damaged(file, what, "", error);
}

/* ---- Reading ----------------------------------------------------------------------------------------------------- */

typedef struct snapshot_facts {
  long long step, spheres, contacts;
  double time;
} snapshot_facts;

static const char *const text_names[] = {"title", "version", "compiler", "flags", "created", "command"};

enum { TEXTS = sizeof text_names / sizeof *text_names };

/* The contents of a file; of a damaged one, those that were read before the damage was met. */
typedef struct description {
  bool is_result, has_seed, has_threads, has_snapshots;
  char *texts[TEXTS]; /* NULL: missing, which is no damage; snapshots have few of them */
  unsigned long long seed;
  long long threads;
  char **stages; /* NULL: not read */
  size_t stage_count;
  long long rows; /* of the series; -1: not read */
  int measures;   /* the number of last values that were read */
  double last[DEM_MEASURE_COUNT];
  snapshot_facts *snapshots;
  size_t snapshot_count;
} description;

static void description_free(description *d)
{
  for (int i = 0; i < TEXTS; i++)
    free(d->texts[i]);
  if (d->stages)
    h5_free_texts(d->stages, d->stage_count);
  free(d->snapshots);
}

static void read_provenance(const h5_file *file, description *d)
{
  for (int i = 0; i < TEXTS; i++)
    d->texts[i] = h5_read_text_attribute(file->id, text_names[i]);
  d->has_seed = h5_read_unsigned_attribute(file->id, "seed", &d->seed);
  d->has_threads = h5_read_integer_attribute(file->id, "threads", &d->threads);
}

static bool read_stages(const h5_file *file, description *d, error_info *error)
{
  d->stages = h5_read_texts_attribute(file->id, "stages", &d->stage_count);
  return d->stages || fail_damaged(file, "list of stages", error);
}

enum { SERIES_PATH_SIZE = 96 };

static void series_path(const char *name, char path[SERIES_PATH_SIZE])
{
  snprintf(path, SERIES_PATH_SIZE, RESULT_SERIES "/%s", name);
}

static bool read_series(const h5_file *file, description *d, error_info *error)
{
  char path[SERIES_PATH_SIZE];
  series_path(dem_measure_name(0), path);
  if (H5Lexists(file->id, RESULT_SERIES, H5P_DEFAULT) <= 0)
    return fail_damaged(file, RESULT_SERIES, error);
  d->rows = h5_rows(file->id, path);
  if (d->rows < 0)
    return fail_damaged(file, path, error);
  for (; d->rows > 0 && d->measures < DEM_MEASURE_COUNT; d->measures++) {
    series_path(dem_measure_name(d->measures), path);
    if (!h5_read_value(file->id, path, (size_t)d->rows - 1, &d->last[d->measures]))
      return fail_damaged(file, path, error);
  }
  return true;
}

static bool read_snapshot(const h5_file *file, hid_t group, snapshot_facts *snapshot, error_info *error)
{
  if (!h5_read_integer_attribute(group, "step", &snapshot->step) ||
      !h5_read_real_attribute(group, "time", &snapshot->time))
    return fail_damaged(file, "snapshot's step and time", error);
  snapshot->spheres = h5_rows(group, "spheres/position");
  snapshot->contacts = h5_rows(group, "contacts/ids");
  return (snapshot->spheres >= 0 && snapshot->contacts >= 0) || fail_damaged(file, "snapshot", error);
}

static bool read_named_snapshot(const h5_file *file, const char *name, snapshot_facts *snapshot, error_info *error)
{
  hid_t snapshots = h5_open_group(file->id, RESULT_SNAPSHOTS);
  hid_t group = snapshots >= 0 ? h5_open_group(snapshots, name) : -1;
  bool is_read = group >= 0 ? read_snapshot(file, group, snapshot, error) : fail_damaged(file, "snapshot", error);
  h5_close(group);
  h5_close(snapshots);
  return is_read;
}

static bool read_snapshots(const h5_file *file, description *d, error_info *error)
{
  size_t count = 0;
  char **names = h5_read_names(file->id, RESULT_SNAPSHOTS, &count);
  if (!names)
    return fail_damaged(file, "list of snapshots", error);
  d->snapshots = calloc(count + 1, sizeof *d->snapshots);
  bool is_read = d->snapshots || error_out_of_memory(error);
  for (; is_read && d->snapshot_count < count; d->snapshot_count += is_read)
    is_read = read_named_snapshot(file, names[d->snapshot_count], &d->snapshots[d->snapshot_count], error);
  d->has_snapshots = is_read;
  h5_free_texts(names, count);
  return is_read;
}

static bool read_description(const h5_file *file, description *d, error_info *error)
{
  read_provenance(file, d);
  return (!d->is_result || (read_stages(file, d, error) && read_series(file, d, error))) &&
         read_snapshots(file, d, error);
}

/* ---- Text -------------------------------------------------------------------------------------------------------- */

static void print_provenance(const description *d, FILE *out)
{
  for (int i = 0; i < TEXTS; i++)
    if (d->texts[i] && *d->texts[i]) {
      fprintf(out, "%-10s ", text_names[i]);
      text_print(d->texts[i], out);
      fputc('\n', out);
    }
  if (d->has_seed)
    fprintf(out, "%-10s %llu\n", "seed", d->seed);
  if (d->has_threads)
    fprintf(out, "%-10s %lld\n", "threads", d->threads);
}

static void print_stages(const description *d, FILE *out)
{
  fprintf(out, "\nstages:\n");
  for (size_t i = 0; i < d->stage_count; i++) {
    fprintf(out, "  %zu ", i);
    text_print(d->stages[i], out);
    fputc('\n', out);
  }
}

static void print_series(const description *d, FILE *out)
{
  fprintf(out, "\nseries: %d quantities, %lld row%s\n", (int)DEM_MEASURE_COUNT, d->rows, d->rows == 1 ? "" : "s");
  if (d->measures > 0)
    fprintf(out, "\nlast values:\n");
  for (int k = 0; k < d->measures; k++) {
    bool has_unit = strcmp(dem_measure_unit(k), "1") != 0;
    fprintf(out, "  %-24s %.6g%s%s\n", dem_measure_name(k), d->last[k], has_unit ? " " : "",
            has_unit ? dem_measure_unit(k) : "");
  }
}

static void print_snapshots(const description *d, FILE *out)
{
  fprintf(out, "\nsnapshots: %zu\n", d->snapshot_count);
  for (size_t i = 0; i < d->snapshot_count; i++)
    fprintf(out, "  step %lld, time %.6g s: %lld spheres, %lld contacts\n", d->snapshots[i].step, d->snapshots[i].time,
            d->snapshots[i].spheres, d->snapshots[i].contacts);
}

static void print_text(const char *path, const description *d, FILE *out)
{
  fprintf(out, "%s: %s\n", path, d->is_result ? "the result of a run" : "a snapshot of a run");
  print_provenance(d, out);
  if (d->stages)
    print_stages(d, out);
  if (d->rows >= 0)
    print_series(d, out);
  if (d->has_snapshots)
    print_snapshots(d, out);
}

/* ---- JSON -------------------------------------------------------------------------------------------------------- */

static void print_stages_json(const description *d, FILE *out)
{
  fputs(", \"stages\": [", out);
  for (size_t i = 0; i < d->stage_count; i++) {
    fputs(i > 0 ? ", " : "", out);
    json_print_string(d->stages[i], out);
  }
  fputc(']', out);
}

static void print_series_json(const description *d, FILE *out)
{
  fprintf(out, ", \"series\": {\"rows\": %lld, \"quantities\": {", d->rows);
  for (int k = 0; k < DEM_MEASURE_COUNT; k++) {
    fprintf(out, "%s\"%s\": {\"unit\": \"%s\", \"last\": ", k > 0 ? ", " : "", dem_measure_name(k),
            dem_measure_unit(k));
    json_print_number(k < d->measures ? d->last[k] : NAN, out);
    fputc('}', out);
  }
  fputs("}}", out);
}

static void print_snapshots_json(const description *d, FILE *out)
{
  fputs(", \"snapshots\": [", out);
  for (size_t i = 0; i < d->snapshot_count; i++) {
    fprintf(out, "%s{\"step\": %lld, \"time\": ", i > 0 ? ", " : "", d->snapshots[i].step);
    json_print_number(d->snapshots[i].time, out);
    fprintf(out, ", \"spheres\": %lld, \"contacts\": %lld}", d->snapshots[i].spheres, d->snapshots[i].contacts);
  }
  fputc(']', out);
}

static void print_json(const char *path, const description *d, FILE *out)
{
  fprintf(out, "{\"kind\": \"%s\", \"file\": ", d->is_result ? "result" : "snapshot");
  json_print_string(path, out);
  for (int i = 0; i < TEXTS; i++)
    if (d->texts[i]) {
      fprintf(out, ", \"%s\": ", text_names[i]);
      json_print_string(d->texts[i], out);
    }
  if (d->has_seed)
    fprintf(out, ", \"seed\": %llu", d->seed);
  if (d->has_threads)
    fprintf(out, ", \"threads\": %lld", d->threads);
  if (d->is_result) {
    print_stages_json(d, out);
    print_series_json(d, out);
  }
  print_snapshots_json(d, out);
  fputs("}\n", out);
}

/* ---- All --------------------------------------------------------------------------------------------------------- */

bool result_describe(const char *path, bool as_json, FILE *out, error_info *error)
{
  h5_file file = {.id = -1};
  char *format = NULL;
  if (!open_checked(&file, path, &format, error))
    return false;
  description d = {.is_result = strcmp(format, RESULT_FORMAT) == 0, .rows = -1};
  bool is_good = read_description(&file, &d, error);
  if (!as_json)
    print_text(path, &d, out);
  else if (is_good)
    print_json(path, &d, out);
  description_free(&d);
  free(format);
  h5_file_close(&file);
  return is_good;
}

bool result_print_input(const char *path, FILE *out, error_info *error)
{
  h5_file file = {.id = -1};
  char *format = NULL;
  if (!open_checked(&file, path, &format, error))
    return false;
  char *text = h5_read_text(file.id, RESULT_INPUT);
  if (text)
    fputs(text, out);
  else if (strcmp(format, SNAPSHOT_FORMAT) == 0)
    error_set(error, "%s is a snapshot: only results have the text of their case", path);
  else
    fail_damaged(&file, "text of the case", error);
  bool is_printed = text != NULL;
  free(text);
  free(format);
  h5_file_close(&file);
  return is_printed;
}
