/* SPDX-License-Identifier: MIT */
/*
 * DIR/result.h5 and the files of snapshots from which it is made.
 *
 * A snapshot is a group. Each field of the spheres, contacts and grains is a dataset. Its dimension scales are, for the
 * rows, the ids of the spheres or grains, or the numbers of the contacts; for the columns, the axes of space, the two
 * spheres of a contact or the parts of a quaternion. There are grains only if they have several spheres.
 */
#include "result.h"
#include "base/build_info.h"
#include "base/file_system.h"
#include "h5_file.h"
#include "run_names.h"
#include "tables.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

void result_end_without_cleanup(void)
{
  H5dont_atexit();
}

void result_lock(void)
{
  h5_lock();
}

void result_unlock(void)
{
  h5_unlock();
}

/* ---- Snapshots as groups ----------------------------------------------------------------------------------------- */

typedef struct field {
  const char *name, *unit, *meaning;
  h5_type type;
  int columns;
  size_t offset; /* in the view of a sphere, contact or grain */
} field;

/* Spheres, contacts or grains. */
typedef struct kind {
  const char *name;
  const field *fields;
  int count;
  size_t size;           /* bytes of a record in memory */
  const char *row_scale; /* the name of a field, or of a table of its own */
} kind;

#define AXIS_SCALE "axis"
#define QUATERNION_SCALE "part"
#define PAIR_SCALE "pair"
#define CONTACT_SCALE "contact"

#define SPHERE(name) offsetof(dem_sphere_view, name)
#define CONTACT(name) offsetof(dem_contact_view, name)
#define GRAIN(name) offsetof(dem_grain_view, name)

static const field sphere_fields[] = {
    {"id", "1", "number of the sphere; rows are in the order of the ids", H5_UINT32, 1, SPHERE(id)},
    {"position", "m", "centre, within the cell", H5_REAL, 3, SPHERE(position)},
    {"radius", "m", "radius", H5_REAL, 1, SPHERE(radius)},
    {"velocity", "m/s", "velocity without the mean flow", H5_REAL, 3, SPHERE(velocity)},
    {"angular_velocity", "rad/s", "angular velocity", H5_REAL, 3, SPHERE(angular_velocity)},
    {"force", "N", "resultant force", H5_REAL, 3, SPHERE(force)},
    {"pressure", "Pa", "mean stress of the sphere, from its contacts", H5_REAL, 1, SPHERE(pressure)},
    {"contacts", "1", "number of contacts", H5_UINT32, 1, SPHERE(contacts)},
    {"grain", "1", "id of the grain to which it belongs", H5_UINT32, 1, SPHERE(grain)},
};

static const field contact_fields[] = {
    {"ids", "1", "the two spheres, the smaller id first", H5_UINT32, 2, CONTACT(ids)},
    {"branch", "m", "from the first to the second sphere, the nearest image", H5_REAL, 3, CONTACT(branch)},
    {"zeta", "m", "half the overlap", H5_REAL, 1, CONTACT(zeta)},
    {"normal", "1", "unit vector from the first to the second sphere", H5_REAL, 3, CONTACT(normal)},
    {"fn", "N", "normal force", H5_REAL, 1, CONTACT(fn)},
    {"force", "N", "force on the second sphere, normal and tangential", H5_REAL, 3, CONTACT(force)},
    {"ft", "N", "size of the tangential force", H5_REAL, 1, CONTACT(ft)},
    {"state", "1", "last movement: 1 elastic, 2 slip, 3 slide", H5_UINT32, 1, CONTACT(state)},
    {"length", "1", "points of the equivalent history", H5_UINT32, 1, CONTACT(length)},
};

static const field grain_fields[] = {
    {"id", "1", "number of the grain; rows are in the order of the ids", H5_UINT32, 1, GRAIN(id)},
    {"shape", "1", "number of its shape, from 0", H5_UINT32, 1, GRAIN(shape)},
    {"position", "m", "centroid, within the cell", H5_REAL, 3, GRAIN(position)},
    {"quaternion", "1", "turns its principal axes from x, y, z to where they are", H5_REAL, 4, GRAIN(quaternion)},
    {"velocity", "m/s", "velocity without the mean flow", H5_REAL, 3, GRAIN(velocity)},
    {"angular_velocity", "rad/s", "angular velocity", H5_REAL, 3, GRAIN(angular_velocity)},
    {"force", "N", "resultant force", H5_REAL, 3, GRAIN(force)},
    {"torque", "N m", "resultant torque about the centroid", H5_REAL, 3, GRAIN(torque)},
    {"mass", "kg", "mass, as it is scaled", H5_REAL, 1, GRAIN(mass)},
    {"diameter", "m", "diameter of the sphere of equal volume", H5_REAL, 1, GRAIN(diameter)},
    {"extent", "m", "distance of the farthest point from the centroid", H5_REAL, 1, GRAIN(extent)},
    {"pressure", "Pa", "mean stress of the grain, from its contacts", H5_REAL, 1, GRAIN(pressure)},
    {"contacts", "1", "number of contacts", H5_UINT32, 1, GRAIN(contacts)},
    {"first_sphere", "1", "smallest id of its spheres, whose ids are consecutive", H5_UINT32, 1, GRAIN(first_sphere)},
    {"spheres", "1", "number of its spheres", H5_UINT32, 1, GRAIN(spheres)},
};

enum { SPHERE_FIELDS = sizeof sphere_fields / sizeof *sphere_fields };

/* Of spheres that are the grains, and of the parts of grains. */
static const kind spheres = {"spheres", sphere_fields, SPHERE_FIELDS - 1, sizeof(dem_sphere_view), "id"};
static const kind sphere_parts = {"spheres", sphere_fields, SPHERE_FIELDS, sizeof(dem_sphere_view), "id"};
static const kind grains = {"grains", grain_fields, sizeof grain_fields / sizeof *grain_fields, sizeof(dem_grain_view),
                            "id"};
static const kind contacts = {"contacts", contact_fields, sizeof contact_fields / sizeof *contact_fields,
                              sizeof(dem_contact_view), CONTACT_SCALE};

static size_t field_bytes(const field *which)
{
  return h5_type_bytes(which->type) * (size_t)which->columns;
}

static bool write_field(hid_t group, const kind *of, const void *records, size_t count, const field *which)
{
  size_t bytes = field_bytes(which);
  char *values = malloc(count * bytes + 1);
  for (size_t i = 0; values && i < count; i++)
    memcpy(values + i * bytes, (const char *)records + i * of->size + which->offset, bytes);
  h5_table table = {.name = which->name,
                    .unit = which->unit,
                    .meaning = which->meaning,
                    .row_scale = of->row_scale,
                    .column_scale = which->columns == 2   ? PAIR_SCALE
                                    : which->columns == 4 ? QUATERNION_SCALE
                                                          : AXIS_SCALE,
                    .type = which->type,
                    .rows = count,
                    .columns = which->columns,
                    .values = values};
  bool is_written = values && h5_write_table(group, &table);
  free(values);
  return is_written;
}

static bool write_records(hid_t in, const kind *of, const void *records, size_t count)
{
  hid_t group = h5_make_group(in, of->name);
  bool is_written = h5_write_scale(group, AXIS_SCALE, "0 is x, 1 is y, 2 is z", 3);
  if (of == &contacts)
    is_written = is_written && h5_write_scale(group, PAIR_SCALE, "0 is the first sphere, 1 the second", 2) &&
                 h5_write_scale(group, CONTACT_SCALE, "number of the row, from 0", count);
  if (of == &grains)
    is_written = is_written && h5_write_scale(group, QUATERNION_SCALE, "0 is w, 1 is x, 2 is y, 3 is z", 4);
  for (int i = 0; is_written && i < of->count; i++)
    is_written = write_field(group, of, records, count, &of->fields[i]);
  h5_close(group);
  return is_written;
}

/* Writes the snapshot as a group, which has the name of its file without the ending. */
static bool write_snapshot(hid_t in, const dem_snapshot *snapshot)
{
  char name[32];
  snprintf(name, sizeof name, STEP_NAME_FORMAT, snapshot->step);
  hid_t group = h5_make_group(in, name);
  bool is_written =
      h5_write_integer_attribute(group, "step", snapshot->step) &&
      h5_write_real_attribute(group, "time", snapshot->time) &&
      h5_write_matrix_attribute(group, "cell", snapshot->cell) &&
      write_records(group, snapshot->grains ? &sphere_parts : &spheres, snapshot->spheres, snapshot->sphere_count) &&
      write_records(group, &contacts, snapshot->contacts, snapshot->contact_count) &&
      (!snapshot->grains || write_records(group, &grains, snapshot->grains, snapshot->grain_count));
  return h5_close(group) && is_written;
}

static bool read_field(hid_t group, const kind *of, void *records, size_t count, const field *which)
{
  size_t bytes = field_bytes(which);
  char *values = malloc(count * bytes + 1);
  bool is_read = values && h5_read_table(group, which->name, which->type, count, which->columns, values);
  for (size_t i = 0; is_read && i < count; i++)
    memcpy((char *)records + i * of->size + which->offset, values + i * bytes, bytes);
  free(values);
  return is_read;
}

/* Reads all records, to be freed; NULL on failure. The first field gives the number of rows. */
static void *read_records(hid_t in, const kind *of, size_t *count)
{
  hid_t group = h5_open_group(in, of->name);
  if (group < 0)
    return NULL;
  long long rows = h5_rows(group, of->fields[0].name);
  void *records = rows >= 0 && rows <= UINT32_MAX ? calloc((size_t)rows + 1, of->size) : NULL;
  bool is_read = records != NULL;
  for (int i = 0; is_read && i < of->count; i++)
    is_read = read_field(group, of, records, (size_t)rows, &of->fields[i]);
  h5_close(group);
  if (is_read) {
    *count = (size_t)rows;
    return records;
  }
  free(records);
  return NULL;
}

/* Reads a snapshot of an open file, and checks all its checksums. To be freed with dem_snapshot_free. */
static bool read_snapshot(const h5_file *file, long step, dem_snapshot *snapshot, error_info *error)
{
  char what[64], path[64];
  long long found;
  snprintf(path, sizeof path, RESULT_SNAPSHOTS "/" STEP_NAME_FORMAT, step);
  snprintf(what, sizeof what, "snapshot of step %ld", step);
  *snapshot = (dem_snapshot){.step = step};
  hid_t group = h5_open_group(file->id, path);
  htri_t has_grains = group >= 0 ? H5Lexists(group, grains.name, H5P_DEFAULT) : -1;
  bool is_read = has_grains >= 0 && h5_read_integer_attribute(group, "step", &found) && found == step &&
                 h5_read_real_attribute(group, "time", &snapshot->time) &&
                 h5_read_matrix_attribute(group, "cell", snapshot->cell) &&
                 (snapshot->spheres = read_records(group, has_grains > 0 ? &sphere_parts : &spheres,
                                                   &snapshot->sphere_count)) != NULL &&
                 (snapshot->contacts = read_records(group, &contacts, &snapshot->contact_count)) != NULL &&
                 (has_grains == 0 || (snapshot->grains = read_records(group, &grains, &snapshot->grain_count)) != NULL);
  h5_close(group);
  if (is_read)
    return true;
  dem_snapshot_free(snapshot);
  return h5_file_fail_damaged(file, what, "; to go on without it, move the file away", error);
}

/* ---- Files of snapshots ------------------------------------------------------------------------------------------ */

/* Marks a file as a result or snapshot of this program. */
static bool write_format(hid_t file, const char *format)
{
  return h5_write_text_attribute(file, RESULT_FORMAT_ATTRIBUTE, format) &&
         h5_write_integer_attribute(file, RESULT_FORMAT_VERSION_ATTRIBUTE, RESULT_FORMAT_VERSION) &&
         h5_write_text_attribute(file, "version", build_version());
}

static bool write_snapshot_file(const char *path, const dem_snapshot *snapshot, error_info *error)
{
  h5_file file;
  if (!h5_file_create(&file, path, error))
    return false;
  bool is_written = write_format(file.id, SNAPSHOT_FORMAT);
  hid_t group = is_written ? h5_make_group(file.id, RESULT_SNAPSHOTS) : -1;
  is_written = group >= 0 && write_snapshot(group, snapshot);
  h5_close(group);
  if (is_written)
    return h5_file_finish(&file, error);
  h5_file_fail(&file, error);
  h5_file_close(&file);
  return false;
}

static bool read_snapshot_file(const char *dir, long step, dem_snapshot *snapshot, error_info *error)
{
  h5_file file;
  char *path = step_file_path(dir, run_snapshot_files, step);
  if (!path)
    return error_out_of_memory(error);
  bool is_read = false;
  if (h5_file_open(&file, path, error)) {
    is_read = read_snapshot(&file, step, snapshot, error);
    h5_file_close(&file);
  }
  free(path);
  return is_read;
}

bool result_add_snapshot(const char *dir, const dem_snapshot *snapshot, error_info *error)
{
  if (!directory_add(dir, run_snapshot_files.folder, error))
    return false;
  char *path = step_file_path(dir, run_snapshot_files, snapshot->step);
  bool is_added = path ? write_snapshot_file(path, snapshot, error) : error_out_of_memory(error);
  free(path);
  return is_added;
}

/* ---- Beginning, and resuming from a checkpoint ------------------------------------------------------------------- */

/* Reads all snapshots that are kept, so that damage is reported now and not at the end of the run. */
static bool check_snapshot_files(const char *dir, long keep_step, error_info *error)
{
  long *steps;
  size_t count;
  if (!step_files_list(dir, run_snapshot_files, &steps, &count, error))
    return false;
  bool is_good = true;
  for (size_t i = 0; is_good && i < count && steps[i] <= keep_step; i++) {
    dem_snapshot snapshot;
    is_good = read_snapshot_file(dir, steps[i], &snapshot, error);
    if (is_good)
      dem_snapshot_free(&snapshot);
  }
  free(steps);
  return is_good;
}

/* Copies the snapshots that are kept from the result into files of their own, unless there are such files. */
static bool extract_snapshots(const h5_file *result, const char *dir, long keep_step, error_info *error)
{
  static const step_files group_names = {"", "", ""};
  size_t count;
  char **names = h5_read_names(result->id, RESULT_SNAPSHOTS, &count);
  if (!names)
    return h5_file_fail_damaged(result, "list of snapshots", "; to go on without them, move the file away", error);
  bool is_done = true;
  for (size_t i = 0; is_done && i < count; i++) {
    dem_snapshot snapshot;
    long step = step_file_number(names[i], group_names);
    if (step < 0 || step > keep_step)
      continue;
    char *path = step_file_path(dir, run_snapshot_files, step);
    is_done = path ? access(path, F_OK) == 0 : error_out_of_memory(error);
    if (path && !is_done && read_snapshot(result, step, &snapshot, error)) {
      is_done = directory_add(dir, run_snapshot_files.folder, error) && write_snapshot_file(path, &snapshot, error);
      dem_snapshot_free(&snapshot);
    }
    free(path);
  }
  h5_free_texts(names, count);
  return is_done;
}

bool result_begin(const char *dir, long keep_step, error_info *error)
{
  h5_file result;
  char *path = path_in(dir, RUN_RESULT);
  if (!path)
    return error_out_of_memory(error);
  bool is_done = keep_step < 0 || check_snapshot_files(dir, keep_step, error);
  if (is_done && keep_step >= 0 && access(path, F_OK) == 0) {
    is_done = h5_file_open(&result, path, error) && extract_snapshots(&result, dir, keep_step, error);
    h5_file_close(&result);
  }
  /* The result goes last: until then its snapshots can be copied again. */
  is_done = is_done && step_files_drop(dir, run_snapshot_files, keep_step, error) && file_remove(path, error);
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

static bool write_provenance(hid_t file, const result_facts *facts)
{
  const dem_case *run = facts->run;
  const dem_grading *grading = facts->grading;
  const dem_packing_report *packing = facts->packing && facts->packing->trials > 0 ? facts->packing : NULL;
  const char *stages[DEM_STAGES_MAX + 1] = {"packing"}; /* by their numbers */
  for (int i = 0; i < run->stage_count; i++)
    stages[i + 1] = run->stages[i].name;
  char created[32];
  struct tm parts;
  time_t now = time(NULL);
  return gmtime_r(&now, &parts) && strftime(created, sizeof created, "%Y-%m-%dT%H:%M:%SZ", &parts) > 0 &&
         write_format(file, RESULT_FORMAT) && h5_write_text_attribute(file, "compiler", build_compiler()) &&
         h5_write_text_attribute(file, "flags", build_flags()) && h5_write_text_attribute(file, "created", created) &&
         h5_write_text_attribute(file, "command", facts->command ? facts->command : "") &&
         h5_write_text_attribute(file, "title", run->title ? run->title : "") &&
         h5_write_unsigned_attribute(file, "seed", run->seed) &&
         h5_write_integer_attribute(file, "threads", facts->threads) &&
         h5_write_texts_attribute(file, "stages", stages, (size_t)run->stage_count + 1) &&
         (!grading ||
          (h5_write_real_attribute(file, "d10", grading->d10) && h5_write_real_attribute(file, "d30", grading->d30) &&
           h5_write_real_attribute(file, "d50", grading->d50) && h5_write_real_attribute(file, "d60", grading->d60))) &&
         (!packing ||
          (h5_write_real_attribute(file, "packing_friction", packing->friction) &&
           h5_write_real_attribute(file, "packing_void_ratio", packing->void_ratio) &&
           h5_write_real_attribute(file, "void_ratio_max", packing->loosest) &&
           (packing->densest <= 0.0 || h5_write_real_attribute(file, "void_ratio_min", packing->densest)))) &&
         h5_write_text(file, RESULT_INPUT, facts->input ? facts->input : "") &&
         h5_write_text(file, RESULT_WARNINGS, facts->warnings ? facts->warnings : "");
}

/* ---- Finishing --------------------------------------------------------------------------------------------------- */

/*
 * Copies the files of snapshots through memory: H5Ocopy would not notice damaged chunks, and would lose the dimension
 * scales.
 */
static bool copy_snapshots(const h5_file *result, const char *dir, const long steps[], size_t count, error_info *error)
{
  hid_t group = h5_make_group(result->id, RESULT_SNAPSHOTS);
  bool is_copied = group >= 0 || h5_file_fail(result, error);
  for (size_t i = 0; is_copied && i < count; i++) {
    dem_snapshot snapshot;
    is_copied = read_snapshot_file(dir, steps[i], &snapshot, error);
    if (is_copied) {
      is_copied = write_snapshot(group, &snapshot) || h5_file_fail(result, error);
      dem_snapshot_free(&snapshot);
    }
  }
  h5_close(group);
  return is_copied;
}

static bool write_result(const char *dir, const char *path, const result_facts *facts, const series_table *table,
                         error_info *error)
{
  h5_file file;
  long *steps;
  size_t count;
  if (!step_files_list(dir, run_snapshot_files, &steps, &count, error))
    return false;
  bool is_written = h5_file_create(&file, path, error);
  if (is_written) {
    is_written = ((write_provenance(file.id, facts) && write_series(file.id, table)) || h5_file_fail(&file, error)) &&
                 copy_snapshots(&file, dir, steps, count, error) && h5_file_finish(&file, error);
    h5_file_close(&file);
  }
  free(steps);
  return is_written;
}

bool result_finish(const char *dir, const result_facts *facts, error_info *error)
{
  series_table table;
  if (!series_load(&table, dir, error))
    return false;
  char *path = path_in(dir, RUN_RESULT), *folder = path_in(dir, "%s", run_snapshot_files.folder);
  bool is_done = path && folder ? write_result(dir, path, facts, &table, error) &&
                                      step_files_drop(dir, run_snapshot_files, -1, error)
                                : error_out_of_memory(error);
  if (is_done)
    rmdir(folder); /* unless it has other files */
  free(folder);
  free(path);
  series_table_free(&table);
  return is_done;
}
