/* SPDX-License-Identifier: MIT */
/* Snapshots for ParaView: which arrays they have, and the collections of them. */
#include "vtk.h"
#include "base/error.h"
#include "base/number.h"
#include "base/whole_file.h"
#include "base/file_system.h"
#include "run_names.h"
#include "vtk_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Spheres ----------------------------------------------------------------------------------------------------- */

static const dem_sphere_view *sphere_at(const void *snapshot, size_t i)
{
  return &((const dem_snapshot *)snapshot)->spheres[i];
}

static vtk_value scalar(double value)
{
  return (vtk_value){.real = {value}};
}

static vtk_value vector(const double value[3])
{
  return (vtk_value){.real = {value[0], value[1], value[2]}};
}

static vtk_value integer(uint64_t value)
{
  return (vtk_value){.integer = value};
}

static vtk_value number_of(const void *snapshot, size_t i)
{
  (void)snapshot;
  return integer(i);
}

static vtk_value number_behind(const void *snapshot, size_t i)
{
  (void)snapshot;
  return integer(i + 1);
}

static vtk_value sphere_id(const void *snapshot, size_t i)
{
  return integer(sphere_at(snapshot, i)->id);
}

static vtk_value sphere_position(const void *snapshot, size_t i)
{
  return vector(sphere_at(snapshot, i)->position);
}

static vtk_value sphere_radius(const void *snapshot, size_t i)
{
  return scalar(sphere_at(snapshot, i)->radius);
}

static vtk_value sphere_velocity(const void *snapshot, size_t i)
{
  return vector(sphere_at(snapshot, i)->velocity);
}

static vtk_value sphere_angular_velocity(const void *snapshot, size_t i)
{
  return vector(sphere_at(snapshot, i)->angular_velocity);
}

static vtk_value sphere_force(const void *snapshot, size_t i)
{
  return vector(sphere_at(snapshot, i)->force);
}

static vtk_value sphere_pressure(const void *snapshot, size_t i)
{
  return scalar(sphere_at(snapshot, i)->pressure);
}

static vtk_value sphere_contacts(const void *snapshot, size_t i)
{
  return integer(sphere_at(snapshot, i)->contacts);
}

/* Positions and radii are doubles, since overlaps are small differences of them. */
static void write_spheres(const dem_snapshot *snapshot, FILE *stream)
{
  const size_t n = snapshot->sphere_count;
  const vtk_array arrays[] = {
      {VTK_POINT_DATA, "radius", VTK_FLOAT64, 1, n, sphere_radius},
      {VTK_POINT_DATA, "id", VTK_UINT32, 1, n, sphere_id},
      {VTK_POINT_DATA, "velocity", VTK_FLOAT32, 3, n, sphere_velocity},
      {VTK_POINT_DATA, "angular_velocity", VTK_FLOAT32, 3, n, sphere_angular_velocity},
      {VTK_POINT_DATA, "force", VTK_FLOAT32, 3, n, sphere_force},
      {VTK_POINT_DATA, "pressure", VTK_FLOAT32, 1, n, sphere_pressure},
      {VTK_POINT_DATA, "contacts", VTK_UINT32, 1, n, sphere_contacts},
      {VTK_POINTS, "position", VTK_FLOAT64, 3, n, sphere_position},
      {VTK_VERTS, "connectivity", VTK_INT64, 1, n, number_of},
      {VTK_VERTS, "offsets", VTK_INT64, 1, n, number_behind},
  };
  const vtk_picture picture = {.step = snapshot->step,
                               .time = snapshot->time,
                               .cell = snapshot->cell,
                               .points = n,
                               .verts = n,
                               .arrays = arrays,
                               .array_count = sizeof arrays / sizeof *arrays,
                               .context = snapshot};
  vtk_picture_write(&picture, stream);
}

/* ---- Contacts ---------------------------------------------------------------------------------------------------- */

static const dem_contact_view *contact_at(const void *snapshot, size_t i)
{
  return &((const dem_snapshot *)snapshot)->contacts[i];
}

static int compare_id(const void *id, const void *sphere)
{
  uint32_t wanted = *(const uint32_t *)id, found = ((const dem_sphere_view *)sphere)->id;
  return (wanted > found) - (wanted < found);
}

/* Spheres are in the order of their ids, which may have gaps. NULL: there is none. */
static const dem_sphere_view *sphere_with_id(const dem_snapshot *snapshot, uint32_t id)
{
  return snapshot->sphere_count == 0
             ? NULL
             : bsearch(&id, snapshot->spheres, snapshot->sphere_count, sizeof *snapshot->spheres, compare_id);
}

/*
 * Each contact has two points of its own: the first sphere's centre, and the second's seen from there, which may lie
 * outside of the cell.
 */
static vtk_value contact_end(const void *snapshot, size_t i)
{
  const dem_contact_view *contact = contact_at(snapshot, i / 2);
  const dem_sphere_view *first = sphere_with_id(snapshot, contact->ids[0]);
  if (!first)
    return (vtk_value){.real = {NAN, NAN, NAN}}; /* check_ids has refused it */
  vtk_value end = vector(first->position);
  for (int k = 0; k < 3 && i % 2; k++)
    end.real[k] += contact->branch[k];
  return end;
}

static vtk_value two_behind(const void *snapshot, size_t i)
{
  (void)snapshot;
  return integer(2 * (i + 1));
}

static vtk_value contact_fn(const void *snapshot, size_t i)
{
  return scalar(contact_at(snapshot, i)->fn);
}

static vtk_value contact_ft(const void *snapshot, size_t i)
{
  return scalar(contact_at(snapshot, i)->ft);
}

static vtk_value contact_force(const void *snapshot, size_t i)
{
  return vector(contact_at(snapshot, i)->force);
}

static vtk_value contact_normal(const void *snapshot, size_t i)
{
  return vector(contact_at(snapshot, i)->normal);
}

static vtk_value contact_zeta(const void *snapshot, size_t i)
{
  return scalar(contact_at(snapshot, i)->zeta);
}

static vtk_value contact_state(const void *snapshot, size_t i)
{
  return integer(contact_at(snapshot, i)->state);
}

static vtk_value contact_length(const void *snapshot, size_t i)
{
  return integer(contact_at(snapshot, i)->length);
}

static vtk_value contact_first_id(const void *snapshot, size_t i)
{
  return integer(contact_at(snapshot, i)->ids[0]);
}

static vtk_value contact_second_id(const void *snapshot, size_t i)
{
  return integer(contact_at(snapshot, i)->ids[1]);
}

static void write_contacts(const dem_snapshot *snapshot, FILE *stream)
{
  const size_t n = snapshot->contact_count;
  const vtk_array arrays[] = {
      {VTK_CELL_DATA, "fn", VTK_FLOAT32, 1, n, contact_fn},
      {VTK_CELL_DATA, "ft", VTK_FLOAT32, 1, n, contact_ft},
      {VTK_CELL_DATA, "force", VTK_FLOAT32, 3, n, contact_force},
      {VTK_CELL_DATA, "normal", VTK_FLOAT32, 3, n, contact_normal},
      {VTK_CELL_DATA, "zeta", VTK_FLOAT32, 1, n, contact_zeta},
      {VTK_CELL_DATA, "state", VTK_UINT8, 1, n, contact_state},
      {VTK_CELL_DATA, "length", VTK_UINT32, 1, n, contact_length},
      {VTK_CELL_DATA, "id_first", VTK_UINT32, 1, n, contact_first_id},
      {VTK_CELL_DATA, "id_second", VTK_UINT32, 1, n, contact_second_id},
      {VTK_POINTS, "position", VTK_FLOAT64, 3, 2 * n, contact_end},
      {VTK_LINES, "connectivity", VTK_INT64, 1, 2 * n, number_of},
      {VTK_LINES, "offsets", VTK_INT64, 1, n, two_behind},
  };
  const vtk_picture picture = {.step = snapshot->step,
                               .time = snapshot->time,
                               .cell = snapshot->cell,
                               .points = 2 * n,
                               .lines = n,
                               .arrays = arrays,
                               .array_count = sizeof arrays / sizeof *arrays,
                               .context = snapshot};
  vtk_picture_write(&picture, stream);
}

/* ---- Files ------------------------------------------------------------------------------------------------------- */

typedef void content_writer(const void *content, FILE *stream);

static void spheres_content(const void *snapshot, FILE *stream)
{
  write_spheres(snapshot, stream);
}

static void contacts_content(const void *snapshot, FILE *stream)
{
  write_contacts(snapshot, stream);
}

/* Writes a whole file; takes over the path. */
static bool write_file(char *path, content_writer *write, const void *content, error_info *error)
{
  whole_file file;
  if (!path)
    return error_out_of_memory(error);
  bool is_written = whole_file_open(&file, path);
  if (is_written) {
    write(content, file.stream);
    is_written = whole_file_finish_on_disk(&file);
  }
  if (!is_written)
    error_set_errno(error, "write", path);
  free(path);
  return is_written;
}

/* ---- Collections ------------------------------------------------------------------------------------------------- */

typedef struct collection {
  const vtk_output *output;
  step_files files;
} collection;

static void collection_content(const void *content, FILE *stream)
{
  const collection *of = content;
  char time[NUMBER_PRINT_SIZE];
  fprintf(stream, "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" "
                  "byte_order=\"LittleEndian\">\n<Collection>\n");
  for (size_t i = 0; i < of->output->count; i++) {
    number_print(of->output->moments[i].time, time);
    fprintf(stream, "<DataSet timestep=\"%s\" group=\"\" part=\"0\" file=\"%s/%s" STEP_NAME_FORMAT "%s\"/>\n", time,
            of->files.folder, of->files.prefix, of->output->moments[i].step, of->files.suffix);
  }
  fprintf(stream, "</Collection>\n</VTKFile>\n");
}

static bool write_collections(const vtk_output *output, error_info *error)
{
  collection spheres = {output, run_sphere_files}, contacts = {output, run_contact_files};
  return write_file(path_in(output->dir, RUN_SPHERES_COLLECTION), collection_content, &spheres, error) &&
         write_file(path_in(output->dir, RUN_CONTACTS_COLLECTION), collection_content, &contacts, error);
}

static bool remove_collection(const char *dir, const char *name, error_info *error)
{
  char *path = path_in(dir, "%s", name);
  bool is_removed = path ? file_remove(path, error) : error_out_of_memory(error);
  free(path);
  return is_removed;
}

/* Adds a moment behind those there are; a step that is there again, as after a stage without steps, stays one. */
static bool add_moment(vtk_output *output, long step, double time)
{
  if (output->count > 0 && output->moments[output->count - 1].step == step) {
    output->moments[output->count - 1].time = time;
    return true;
  }
  if (output->count == output->capacity) {
    size_t capacity = 2 * output->capacity + 64;
    vtk_moment *more = realloc(output->moments, capacity * sizeof *more);
    if (!more)
      return false;
    output->moments = more;
    output->capacity = capacity;
  }
  output->moments[output->count++] = (vtk_moment){step, time};
  return true;
}

/* ---- Going on ---------------------------------------------------------------------------------------------------- */

/* The time in the head of a file; false if it is none of ours. */
static bool read_time(const char *path, double *time)
{
  static const char before[] = "Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">";
  char head[1024];
  const char *reason;
  FILE *stream = regular_file_open(path, &reason);
  if (!stream)
    return false;
  size_t length = fread(head, 1, sizeof head - 1, stream);
  fclose(stream);
  head[length] = '\0';
  const char *at = strstr(head, before);
  if (!at)
    return false;
  at += sizeof before - 1;
  return number_scan(at, head + length, time) != at;
}

static bool take_moment(vtk_output *output, long step, error_info *error)
{
  double time = 0.0;
  char *path = step_file_path(output->dir, run_sphere_files, step);
  if (!path)
    return error_out_of_memory(error);
  bool is_read = read_time(path, &time) || error_set(error, "%s is damaged: it tells no time", path);
  free(path);
  return is_read && (add_moment(output, step, time) || error_out_of_memory(error));
}

/* The files themselves tell which moments there are: a collection may be lost, or may be older than they. */
static bool find_moments(vtk_output *output, error_info *error)
{
  long *steps;
  size_t count;
  bool is_found = step_files_list(output->dir, run_sphere_files, &steps, &count, error);
  if (!is_found)
    return false;
  for (size_t i = 0; is_found && i < count; i++)
    is_found = take_moment(output, steps[i], error);
  free(steps);
  return is_found;
}

static bool make_collections_anew(const vtk_output *output, error_info *error)
{
  if (output->count > 0)
    return write_collections(output, error);
  return remove_collection(output->dir, RUN_SPHERES_COLLECTION, error) &&
         remove_collection(output->dir, RUN_CONTACTS_COLLECTION, error);
}

bool vtk_open(vtk_output *output, const char *dir, long keep_step, error_info *error)
{
  *output = (vtk_output){.dir = strdup(dir)};
  bool is_open = output->dir || error_out_of_memory(error);
  is_open = is_open && step_files_drop(dir, run_sphere_files, keep_step, error) &&
            step_files_drop(dir, run_contact_files, keep_step, error) && find_moments(output, error) &&
            make_collections_anew(output, error);
  if (!is_open)
    vtk_close(output);
  return is_open;
}

/* ---- Writing ----------------------------------------------------------------------------------------------------- */

/* Contacts are drawn from their first spheres, which must be there. */
static bool check_ids(const dem_snapshot *snapshot, error_info *error)
{
  for (size_t i = 0; i < snapshot->contact_count; i++)
    if (!sphere_with_id(snapshot, snapshot->contacts[i].ids[0])) {
      error_set(error, "contact %zu of the snapshot has no sphere %lu", i, (unsigned long)snapshot->contacts[i].ids[0]);
      return false;
    }
  return true;
}

/* The contacts first: moments are found by the spheres' files, so that each of them has both. */
bool vtk_write(vtk_output *output, const dem_snapshot *snapshot, error_info *error)
{
  if (!check_ids(snapshot, error) || !directory_add(output->dir, run_sphere_files.folder, error))
    return false;
  char *spheres = step_file_path(output->dir, run_sphere_files, snapshot->step);
  char *contacts = step_file_path(output->dir, run_contact_files, snapshot->step);
  if (!write_file(contacts, contacts_content, snapshot, error)) {
    free(spheres);
    return false;
  }
  return write_file(spheres, spheres_content, snapshot, error) &&
         (add_moment(output, snapshot->step, snapshot->time) || error_out_of_memory(error)) &&
         write_collections(output, error);
}

void vtk_close(vtk_output *output)
{
  free(output->dir);
  free(output->moments);
  *output = (vtk_output){0};
}
