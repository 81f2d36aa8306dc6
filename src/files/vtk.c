/* SPDX-License-Identifier: MIT */
/* Snapshots for ParaView: the arrays of spheres and contacts, and the collections of files. */
#include "vtk.h"
#include "base/file_system.h"
#include "base/number.h"
#include "base/whole_file.h"
#include "run_names.h"
#include "vtk_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Spheres ----------------------------------------------------------------------------------------------------- */

static vtk_value integer(uint64_t value)
{
  return (vtk_value){.integer = value};
}

static vtk_value number_of(const void *snapshot, size_t i)
{
  (void)snapshot;
  return integer(i);
}

static vtk_value number_after(const void *snapshot, size_t i)
{
  (void)snapshot;
  return integer(i + 1);
}

/* A field of the spheres, in an array that belongs to the points. */
#define SPHERE(name, type, components)                                                                                 \
  {                                                                                                                    \
    VTK_POINT_DATA, #name, type, components, n, spheres, sizeof *spheres, offsetof(dem_sphere_view, name), NULL        \
  }

/* Positions and radii are double: overlaps are small differences of them. */
static void write_spheres(const void *content, FILE *stream)
{
  const dem_snapshot *snapshot = content;
  const dem_sphere_view *spheres = snapshot->spheres;
  const size_t n = snapshot->sphere_count;
  const vtk_array arrays[] = {
      SPHERE(radius, VTK_FLOAT64, 1),
      SPHERE(id, VTK_UINT32, 1),
      SPHERE(velocity, VTK_FLOAT32, 3),
      SPHERE(angular_velocity, VTK_FLOAT32, 3),
      SPHERE(force, VTK_FLOAT32, 3),
      SPHERE(pressure, VTK_FLOAT32, 1),
      SPHERE(contacts, VTK_UINT32, 1),
      {VTK_POINTS, "position", VTK_FLOAT64, 3, n, spheres, sizeof *spheres, offsetof(dem_sphere_view, position), NULL},
      {VTK_VERTS, "connectivity", VTK_INT64, 1, n, .source = number_of},
      {VTK_VERTS, "offsets", VTK_INT64, 1, n, .source = number_after},
  };
  const vtk_file file = {.step = snapshot->step,
                         .time = snapshot->time,
                         .cell = snapshot->cell,
                         .points = n,
                         .verts = n,
                         .arrays = arrays,
                         .array_count = sizeof arrays / sizeof *arrays,
                         .context = snapshot};
  vtk_file_write(&file, stream);
}

/* ---- Contacts ---------------------------------------------------------------------------------------------------- */

static int compare_id(const void *id, const void *sphere)
{
  uint32_t wanted = *(const uint32_t *)id, found = ((const dem_sphere_view *)sphere)->id;
  return (wanted > found) - (wanted < found);
}

/* NULL if there is none. Spheres are in the order of their ids, which may have gaps. */
static const dem_sphere_view *sphere_with_id(const dem_snapshot *snapshot, uint32_t id)
{
  return snapshot->sphere_count == 0
             ? NULL
             : bsearch(&id, snapshot->spheres, snapshot->sphere_count, sizeof *snapshot->spheres, compare_id);
}

/*
 * Each contact has two points of its own: the centre of the first sphere, and the centre of the nearest image of the
 * second sphere, which may lie outside of the cell.
 */
static vtk_value contact_end(const void *context, size_t i)
{
  const dem_snapshot *snapshot = context;
  const dem_contact_view *contact = &snapshot->contacts[i / 2];
  const dem_sphere_view *first = sphere_with_id(snapshot, contact->ids[0]);
  vtk_value end = {.real = {NAN, NAN, NAN}};
  for (int k = 0; first && k < 3; k++) /* check_ids has made sure that there is a first sphere */
    end.real[k] = i % 2 ? first->position[k] + contact->branch[k] : first->position[k];
  return end;
}

static vtk_value two_after(const void *snapshot, size_t i)
{
  (void)snapshot;
  return integer(2 * (i + 1));
}

/* A field of the contacts, in an array that belongs to the lines. */
#define CONTACT(name, field, type, components)                                                                         \
  {                                                                                                                    \
    VTK_CELL_DATA, name, type, components, n, contacts, sizeof *contacts, offsetof(dem_contact_view, field), NULL      \
  }

static void write_contacts(const void *content, FILE *stream)
{
  const dem_snapshot *snapshot = content;
  const dem_contact_view *contacts = snapshot->contacts;
  const size_t n = snapshot->contact_count;
  const vtk_array arrays[] = {
      CONTACT("fn", fn, VTK_FLOAT32, 1),
      CONTACT("ft", ft, VTK_FLOAT32, 1),
      CONTACT("force", force, VTK_FLOAT32, 3),
      CONTACT("normal", normal, VTK_FLOAT32, 3),
      CONTACT("zeta", zeta, VTK_FLOAT32, 1),
      CONTACT("state", state, VTK_UINT8, 1),
      CONTACT("length", length, VTK_UINT32, 1),
      CONTACT("id_first", ids[0], VTK_UINT32, 1),
      CONTACT("id_second", ids[1], VTK_UINT32, 1),
      {VTK_POINTS, "position", VTK_FLOAT64, 3, 2 * n, .source = contact_end},
      {VTK_LINES, "connectivity", VTK_INT64, 1, 2 * n, .source = number_of},
      {VTK_LINES, "offsets", VTK_INT64, 1, n, .source = two_after},
  };
  const vtk_file file = {.step = snapshot->step,
                         .time = snapshot->time,
                         .cell = snapshot->cell,
                         .points = 2 * n,
                         .lines = n,
                         .arrays = arrays,
                         .array_count = sizeof arrays / sizeof *arrays,
                         .context = snapshot};
  vtk_file_write(&file, stream);
}

/* ---- Files ------------------------------------------------------------------------------------------------------- */

typedef void content_writer(const void *content, FILE *stream);

/* Writes a file and frees the path. */
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

static void write_collection(const void *content, FILE *stream)
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
  return write_file(path_in(output->dir, RUN_SPHERES_COLLECTION), write_collection, &spheres, error) &&
         write_file(path_in(output->dir, RUN_CONTACTS_COLLECTION), write_collection, &contacts, error);
}

static bool remove_collection(const char *dir, const char *name, error_info *error)
{
  char *path = path_in(dir, "%s", name);
  bool is_removed = path ? file_remove(path, error) : error_out_of_memory(error);
  free(path);
  return is_removed;
}

/* Adds a moment after the others. A repeated step, as after a stage without steps, replaces the former one. */
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

/* ---- Opening ----------------------------------------------------------------------------------------------------- */

/* Reads the time from the header of a file; false if there is none. */
static bool read_time(const char *path, double *time)
{
  static const char before[] = "Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">";
  char header[1024];
  const char *reason;
  FILE *stream = regular_file_open(path, &reason);
  if (!stream)
    return false;
  size_t length = fread(header, 1, sizeof header - 1, stream);
  fclose(stream);
  header[length] = '\0';
  const char *at = strstr(header, before);
  if (!at)
    return false;
  at += sizeof before - 1;
  return number_scan(at, header + length, time) != at;
}

static bool find_moment(vtk_output *output, long step, error_info *error)
{
  double time = 0.0;
  char *path = step_file_path(output->dir, run_sphere_files, step);
  if (!path)
    return error_out_of_memory(error);
  bool is_read = read_time(path, &time) || error_set(error, "%s is damaged: it has no time", path);
  free(path);
  return is_read && (add_moment(output, step, time) || error_out_of_memory(error));
}

/* Finds the moments by their files: a collection may be lost, or older than the files. */
static bool find_moments(vtk_output *output, error_info *error)
{
  long *steps;
  size_t count;
  bool is_found = step_files_list(output->dir, run_sphere_files, &steps, &count, error);
  if (!is_found)
    return false;
  for (size_t i = 0; is_found && i < count; i++)
    is_found = find_moment(output, steps[i], error);
  free(steps);
  return is_found;
}

static bool rewrite_collections(const vtk_output *output, error_info *error)
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
            rewrite_collections(output, error);
  if (!is_open)
    vtk_close(output);
  return is_open;
}

/* ---- Writing ----------------------------------------------------------------------------------------------------- */

/* The lines of contacts start at their first spheres, which must exist. */
static bool check_ids(const dem_snapshot *snapshot, error_info *error)
{
  for (size_t i = 0; i < snapshot->contact_count; i++)
    if (!sphere_with_id(snapshot, snapshot->contacts[i].ids[0])) {
      error_set(error, "contact %zu of the snapshot has no sphere %lu", i, (unsigned long)snapshot->contacts[i].ids[0]);
      return false;
    }
  return true;
}

/* Writes the contacts first: moments are found by the files of spheres, so that each moment has both files. */
bool vtk_write(vtk_output *output, const dem_snapshot *snapshot, error_info *error)
{
  if (!check_ids(snapshot, error) || !directory_add(output->dir, run_sphere_files.folder, error))
    return false;
  char *spheres = step_file_path(output->dir, run_sphere_files, snapshot->step);
  char *contacts = step_file_path(output->dir, run_contact_files, snapshot->step);
  if (!write_file(contacts, write_contacts, snapshot, error)) {
    free(spheres);
    return false;
  }
  return write_file(spheres, write_spheres, snapshot, error) &&
         (add_moment(output, snapshot->step, snapshot->time) || error_out_of_memory(error)) &&
         write_collections(output, error);
}

void vtk_close(vtk_output *output)
{
  free(output->dir);
  free(output->moments);
  *output = (vtk_output){0};
}
