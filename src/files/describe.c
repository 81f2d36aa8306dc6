/* SPDX-License-Identifier: MIT */
/* Describes the contents of results, snapshots and checkpoints: reads them into memory, then prints text or JSON. */
#include "describe.h"
#include "base/text.h"
#include "dem/checkpoint/checkpoint.h"
#include "dem/measures.h"
#include "h5_file.h"
#include "result.h"
#include "run_names.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Results and snapshots: opening ------------------------------------------------------------------------------ */

/* Opens a file of this program, of this version of the format. To be closed. */
static bool open_checked(h5_file *file, const char *path, bool *is_result, error_info *error)
{
  long long version = 0;
  if (!h5_file_open(file, path, error))
    return false;
  char *format = h5_read_text_attribute(file->id, RESULT_FORMAT_ATTRIBUTE);
  *is_result = format && strcmp(format, RESULT_FORMAT) == 0;
  bool is_ours = *is_result || (format && strcmp(format, SNAPSHOT_FORMAT) == 0);
  free(format);
  if (!is_ours)
    error_set(error, "%s is an HDF5 file, but neither a result nor a snapshot of jager", path);
  else if (!h5_read_integer_attribute(file->id, RESULT_FORMAT_VERSION_ATTRIBUTE, &version))
    error_set(error, "%s is damaged: the version of its format is missing", path);
  else if (version != RESULT_FORMAT_VERSION)
    error_set(error, "%s is of another version of jager: its format is %lld, this program reads %d", path, version,
              RESULT_FORMAT_VERSION);
  else
    return true;
  h5_file_close(file);
  return false;
}

static bool fail_damaged(const h5_file *file, const char *what, error_info *error)
{
  return h5_file_fail_damaged(file, what, "", error);
}

/* ---- Results and snapshots: reading ------------------------------------------------------------------------------ */

typedef struct snapshot_facts {
  long long step, spheres, contacts;
  long long grains; /* 0: the spheres are the grains */
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

static bool read_series(const h5_file *file, description *d, error_info *error)
{
  char path[96];
  if (H5Lexists(file->id, RESULT_SERIES, H5P_DEFAULT) <= 0)
    return fail_damaged(file, RESULT_SERIES, error);
  snprintf(path, sizeof path, RESULT_SERIES "/%s", dem_measure_name(0));
  d->rows = h5_rows(file->id, path);
  if (d->rows < 0)
    return fail_damaged(file, path, error);
  for (; d->rows > 0 && d->measures < DEM_MEASURE_COUNT; d->measures++) {
    snprintf(path, sizeof path, RESULT_SERIES "/%s", dem_measure_name(d->measures));
    if (!h5_read_value(file->id, path, (size_t)d->rows - 1, &d->last[d->measures]))
      return fail_damaged(file, path, error);
  }
  return true;
}

static bool read_snapshot(const h5_file *file, const char *name, snapshot_facts *snapshot, error_info *error)
{
  hid_t snapshots = h5_open_group(file->id, RESULT_SNAPSHOTS);
  hid_t group = snapshots >= 0 ? h5_open_group(snapshots, name) : -1;
  bool has_head = group < 0 || (h5_read_integer_attribute(group, "step", &snapshot->step) &&
                                h5_read_real_attribute(group, "time", &snapshot->time));
  snapshot->spheres = has_head && group >= 0 ? h5_rows(group, "spheres/position") : -1;
  snapshot->contacts = has_head && group >= 0 ? h5_rows(group, "contacts/ids") : -1;
  htri_t has_grains = has_head && group >= 0 ? H5Lexists(group, "grains", H5P_DEFAULT) : -1;
  snapshot->grains = has_grains > 0 ? h5_rows(group, "grains/id") : has_grains;
  h5_close(group);
  h5_close(snapshots);
  if (!has_head)
    return fail_damaged(file, "snapshot's step and time", error);
  return (snapshot->spheres >= 0 && snapshot->contacts >= 0 && snapshot->grains >= 0) ||
         fail_damaged(file, "snapshot", error);
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
    is_read = read_snapshot(file, names[d->snapshot_count], &d->snapshots[d->snapshot_count], error);
  d->has_snapshots = is_read;
  h5_free_texts(names, count);
  return is_read;
}

static bool read_description(const h5_file *file, description *d, error_info *error)
{
  for (int i = 0; i < TEXTS; i++)
    d->texts[i] = h5_read_text_attribute(file->id, text_names[i]);
  d->has_seed = h5_read_unsigned_attribute(file->id, "seed", &d->seed);
  d->has_threads = h5_read_integer_attribute(file->id, "threads", &d->threads);
  if (d->is_result) {
    d->stages = h5_read_texts_attribute(file->id, "stages", &d->stage_count);
    if (!d->stages)
      return fail_damaged(file, "list of stages", error);
    if (!read_series(file, d, error))
      return false;
  }
  return read_snapshots(file, d, error);
}

/* ---- Results and snapshots: text --------------------------------------------------------------------------------- */

static void print_text(const char *path, const description *d, FILE *out)
{
  fprintf(out, "%s: %s\n", path, d->is_result ? "the result of a run" : "a snapshot of a run");
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
  if (d->stages)
    fprintf(out, "\nstages:\n");
  for (size_t i = 0; d->stages && i < d->stage_count; i++) {
    fprintf(out, "  %zu ", i);
    text_print(d->stages[i], out);
    fputc('\n', out);
  }
  if (d->rows >= 0)
    fprintf(out, "\nseries: %d quantities, %lld row%s\n", (int)DEM_MEASURE_COUNT, d->rows, d->rows == 1 ? "" : "s");
  if (d->measures > 0)
    fprintf(out, "\nlast values:\n");
  for (int k = 0; k < d->measures; k++) {
    bool has_unit = strcmp(dem_measure_unit(k), "1") != 0;
    fprintf(out, "  %-24s %.6g%s%s\n", dem_measure_name(k), d->last[k], has_unit ? " " : "",
            has_unit ? dem_measure_unit(k) : "");
  }
  if (!d->has_snapshots)
    return;
  fprintf(out, "\nsnapshots: %zu\n", d->snapshot_count);
  for (size_t i = 0; i < d->snapshot_count; i++) {
    const snapshot_facts *of = &d->snapshots[i];
    fprintf(out, "  step %lld, time %.6g s: ", of->step, of->time);
    if (of->grains > 0)
      fprintf(out, "%lld grains of ", of->grains);
    fprintf(out, "%lld spheres, %lld contacts\n", of->spheres, of->contacts);
  }
}

/* ---- Results and snapshots: JSON --------------------------------------------------------------------------------- */

static void print_string(const char *key, const char *text, FILE *out)
{
  fprintf(out, ", \"%s\": ", key);
  json_print_string(text, out);
}

static void print_number(const char *key, double value, FILE *out)
{
  fprintf(out, ", \"%s\": ", key);
  json_print_number(value, out);
}

static void print_json(const char *path, const description *d, FILE *out)
{
  fprintf(out, "{\"kind\": \"%s\"", d->is_result ? "result" : "snapshot");
  print_string("file", path, out);
  for (int i = 0; i < TEXTS; i++)
    if (d->texts[i])
      print_string(text_names[i], d->texts[i], out);
  if (d->has_seed)
    fprintf(out, ", \"seed\": %llu", d->seed);
  if (d->has_threads)
    fprintf(out, ", \"threads\": %lld", d->threads);
  if (d->is_result) {
    fputs(", \"stages\": [", out);
    for (size_t i = 0; i < d->stage_count; i++) {
      fputs(i > 0 ? ", " : "", out);
      json_print_string(d->stages[i], out);
    }
    fprintf(out, "], \"series\": {\"rows\": %lld, \"quantities\": {", d->rows);
    for (int k = 0; k < DEM_MEASURE_COUNT; k++) {
      fprintf(out, "%s\"%s\": {\"unit\": \"%s\"", k > 0 ? ", " : "", dem_measure_name(k), dem_measure_unit(k));
      print_number("last", k < d->measures ? d->last[k] : NAN, out);
      fputc('}', out);
    }
    fputs("}}", out);
  }
  fputs(", \"snapshots\": [", out);
  for (size_t i = 0; i < d->snapshot_count; i++) {
    fprintf(out, "%s{\"step\": %lld", i > 0 ? ", " : "", d->snapshots[i].step);
    print_number("time", d->snapshots[i].time, out);
    if (d->snapshots[i].grains > 0)
      fprintf(out, ", \"grains\": %lld", d->snapshots[i].grains);
    fprintf(out, ", \"spheres\": %lld, \"contacts\": %lld}", d->snapshots[i].spheres, d->snapshots[i].contacts);
  }
  fputs("]}\n", out);
}

bool result_describe(const char *path, bool as_json, FILE *out, error_info *error)
{
  h5_file file;
  description d = {.rows = -1};
  if (!open_checked(&file, path, &d.is_result, error))
    return false;
  bool is_good = read_description(&file, &d, error);
  if (!as_json)
    print_text(path, &d, out);
  else if (is_good)
    print_json(path, &d, out);
  for (int i = 0; i < TEXTS; i++)
    free(d.texts[i]);
  h5_free_texts(d.stages, d.stage_count);
  free(d.snapshots);
  h5_file_close(&file);
  return is_good;
}

bool result_print_input(const char *path, FILE *out, error_info *error)
{
  h5_file file;
  bool is_result;
  if (!open_checked(&file, path, &is_result, error))
    return false;
  char *text = h5_read_text(file.id, RESULT_INPUT);
  if (text)
    fputs(text, out);
  else if (!is_result)
    error_set(error, "%s is a snapshot: only results have the text of their case", path);
  else
    fail_damaged(&file, "text of the case", error);
  bool is_printed = text != NULL;
  free(text);
  h5_file_close(&file);
  return is_printed;
}

/* ---- Checkpoints ------------------------------------------------------------------------------------------------- */

static void print_checkpoint(const dem_checkpoint_facts *f, FILE *out)
{
  fprintf(out, "checkpoint of jager %s (%s; %s)\n", f->version, f->compiler, f->flags);
  fprintf(out, "step       %" PRId64 ", time %.6g s, stage %d of %d\n", f->step, f->time, f->stage, f->stage_count);
  if (f->grains > 0)
    fprintf(out, "grains     %" PRIu64 "\n", f->grains);
  fprintf(out, "spheres    %" PRIu64 "\n", f->spheres);
  fprintf(out, "contacts   %" PRIu64 ", model %s\n", f->contacts, f->model);
  fprintf(out, "material   G %.6g Pa, nu %g, friction %g, density %g kg/m3\n", f->material.shear_modulus,
          f->material.poisson, f->material.friction, f->material.density);
  fprintf(out, "seed       %" PRIu64 ", threads %d, %.1f s so far\n", f->seed, f->threads, f->seconds);
}

static void print_checkpoint_json(const char *path, const dem_checkpoint_facts *f, FILE *out)
{
  fputs("{\"kind\": \"checkpoint\"", out);
  print_string("file", path, out);
  print_string("version", f->version, out);
  print_string("compiler", f->compiler, out);
  print_string("flags", f->flags, out);
  fprintf(out, ", \"step\": %" PRId64, f->step);
  print_number("time", f->time, out);
  fprintf(out, ", \"stage\": %d, \"stage_count\": %d", f->stage, f->stage_count);
  if (f->grains > 0)
    fprintf(out, ", \"grains\": %" PRIu64, f->grains);
  fprintf(out, ", \"spheres\": %" PRIu64 ", \"contacts\": %" PRIu64, f->spheres, f->contacts);
  print_string("model", f->model, out);
  fputs(", \"material\": {\"shear_modulus\": ", out);
  json_print_number(f->material.shear_modulus, out);
  print_number("poisson", f->material.poisson, out);
  print_number("friction", f->material.friction, out);
  print_number("density", f->material.density, out);
  fprintf(out, "}, \"seed\": %" PRIu64 ", \"threads\": %d", f->seed, f->threads);
  print_number("seconds", f->seconds, out);
  fputs("}\n", out);
}

bool checkpoint_describe(const char *path, bool as_json, FILE *out, error_info *error)
{
  dem_checkpoint_facts facts;
  dem_checkpoint *checkpoint = dem_checkpoint_open(path, error);
  bool is_whole = checkpoint && dem_checkpoint_describe(checkpoint, &facts, error);
  if (is_whole && as_json)
    print_checkpoint_json(path, &facts, out);
  else if (is_whole)
    print_checkpoint(&facts, out);
  dem_checkpoint_close(checkpoint);
  return is_whole;
}
