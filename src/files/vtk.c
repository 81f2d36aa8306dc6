/* SPDX-License-Identifier: MIT */
/*
 * Snapshots for ParaView: .vtp files, the arrays of spheres, contacts and grains in them, and the collections of files.
 *
 * A .vtp file is VTK's XML format for points, lines and polygons: a header in XML with the offset of each array, then
 * the arrays in binary ("raw appended"), little-endian, each after its size in bytes as UInt64.
 */
#include "vtk.h"
#include "base/file_system.h"
#include "base/text.h"
#include "run_names.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- One .vtp file ----------------------------------------------------------------------------------------------- */

typedef enum vtk_type { VTK_FLOAT32, VTK_FLOAT64, VTK_UINT32, VTK_UINT8, VTK_INT64, VTK_TYPES } vtk_type;

/* The element of the header to which an array belongs. */
typedef enum vtk_place { VTK_POINT_DATA, VTK_CELL_DATA, VTK_POINTS, VTK_VERTS, VTK_LINES, VTK_PLACES } vtk_place;

/*
 * An array of `count` elements. Element i is a field of record i: of type double if the array has floats, else
 * uint32_t. Without records it is the integer first + i step, or an end of a contact.
 */
typedef struct vtk_array {
  const char *name;
  vtk_place place;
  vtk_type type;
  size_t count;
  const void *records;
  size_t record_size, offset; /* bytes */
  size_t first, step;
  int components;
  bool is_end;
} vtk_array;

typedef struct vtk_file {
  const dem_snapshot *of;
  size_t points, verts, lines;
  const vtk_array *arrays; /* in the order of their places */
  int array_count;
} vtk_file;

static const struct {
  const char *name;
  int bytes;
} types[VTK_TYPES] = {[VTK_FLOAT32] = {"Float32", 4},
                      [VTK_FLOAT64] = {"Float64", 8},
                      [VTK_UINT32] = {"UInt32", 4},
                      [VTK_UINT8] = {"UInt8", 1},
                      [VTK_INT64] = {"Int64", 8}};

static uint64_t size_of(const vtk_array *array)
{
  return (uint64_t)array->count * (uint64_t)array->components * (uint64_t)types[array->type].bytes;
}

static void write_number(double value, FILE *stream)
{
  char text[NUMBER_PRINT_SIZE];
  number_print(value, text);
  fputs(text, stream);
}

/* ParaView takes the time from the field TimeValue. Step, time and cell are written as text, to be read easily. */
static void write_header(const vtk_file *file, FILE *stream)
{
  static const char *const places[VTK_PLACES] = {[VTK_POINT_DATA] = "PointData",
                                                 [VTK_CELL_DATA] = "CellData",
                                                 [VTK_POINTS] = "Points",
                                                 [VTK_VERTS] = "Verts",
                                                 [VTK_LINES] = "Lines"};
  uint64_t offset = 0;
  fprintf(stream, "<?xml version=\"1.0\"?>\n"
                  "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n"
                  "<PolyData>\n<FieldData>\n"
                  "<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">");
  write_number(file->of->time, stream);
  fprintf(stream,
          "</DataArray>\n"
          "<DataArray type=\"Int64\" Name=\"step\" NumberOfTuples=\"1\" format=\"ascii\">%ld</DataArray>\n"
          "<DataArray type=\"Float64\" Name=\"cell\" NumberOfComponents=\"9\" NumberOfTuples=\"1\" format=\"ascii\">",
          file->of->step);
  for (int i = 0; i < 9; i++) {
    write_number(file->of->cell[i / 3][i % 3], stream);
    fputs(i < 8 ? " " : "</DataArray>\n</FieldData>\n", stream);
  }
  fprintf(stream,
          "<Piece NumberOfPoints=\"%zu\" NumberOfVerts=\"%zu\" NumberOfLines=\"%zu\" NumberOfStrips=\"0\" "
          "NumberOfPolys=\"0\">\n",
          file->points, file->verts, file->lines);
  for (int place = 0; place < VTK_PLACES; place++) {
    fprintf(stream, "<%s>\n", places[place]);
    for (int i = 0; i < file->array_count; i++) {
      const vtk_array *array = &file->arrays[i];
      if ((int)array->place != place)
        continue;
      fprintf(stream,
              "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"appended\" offset=\"%llu\"/>\n",
              types[array->type].name, array->name, array->components, (unsigned long long)offset);
      offset += sizeof(uint64_t) + size_of(array); /* where the next array begins */
    }
    fprintf(stream, "</%s>\n", places[place]);
  }
  fprintf(stream, "</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_");
}

static void write_little_endian(uint64_t bits, int bytes, FILE *stream)
{
  unsigned char text[8] = {0};
  for (int i = 0; i < bytes; i++)
    text[i] = (unsigned char)(bits >> (8 * i));
  fwrite(text, 1, (size_t)bytes, stream);
}

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

static void write_array(const vtk_array *array, const dem_snapshot *snapshot, FILE *stream)
{
  const int bytes = types[array->type].bytes;
  write_little_endian(size_of(array), sizeof(uint64_t), stream);
  for (size_t i = 0; i < array->count && !ferror(stream); i++) {
    const char *field = array->records ? (const char *)array->records + i * array->record_size + array->offset : NULL;
    double real[4] = {NAN, NAN, NAN, NAN};
    if (array->type != VTK_FLOAT32 && array->type != VTK_FLOAT64) {
      uint32_t integer = 0;
      if (field)
        memcpy(&integer, field, sizeof integer);
      write_little_endian(field ? integer : array->first + i * array->step, bytes, stream);
      continue;
    }
    if (array->is_end) {
      /* Each contact has two points of its own: the centre of the first sphere, and the centre of the nearest image of
       * the second sphere, which may lie outside of the cell. vtk_write has made sure that there is a first sphere. */
      const dem_contact_view *contact = &snapshot->contacts[i / 2];
      const dem_sphere_view *first = sphere_with_id(snapshot, contact->ids[0]);
      for (int k = 0; k < 3; k++)
        real[k] = !first ? NAN : i % 2 ? first->position[k] + contact->branch[k] : first->position[k];
    } else if (field) {
      memcpy(real, field, (size_t)array->components * sizeof *real);
    }
    for (int k = 0; k < array->components && k < 4; k++) {
      float single = (float)real[k];
      uint64_t wide;
      uint32_t narrow;
      memcpy(&wide, &real[k], sizeof wide);
      memcpy(&narrow, &single, sizeof narrow);
      write_little_endian(array->type == VTK_FLOAT64 ? wide : narrow, bytes, stream);
    }
  }
}

/* The caller checks the stream for errors of writing. */
static void vtk_file_write(const vtk_file *file, FILE *stream)
{
  write_header(file, stream);
  for (int i = 0; i < file->array_count; i++)
    write_array(&file->arrays[i], file->of, stream);
  fprintf(stream, "\n</AppendedData>\n</VTKFile>\n");
}

/* ---- Spheres ----------------------------------------------------------------------------------------------------- */

/* A field of the spheres, in an array that belongs to the points. */
#define SPHERE(name, type, width)                                                                                      \
  {                                                                                                                    \
#name, VTK_POINT_DATA, type, n, spheres, sizeof *spheres, .offset = offsetof(dem_sphere_view, name),               \
                                                              .components = (width)                                    \
  }

/* Positions and radii are double: overlaps are small differences of them. */
static void write_spheres(const void *content, FILE *stream)
{
  const dem_snapshot *snapshot = content;
  const dem_sphere_view *spheres = snapshot->spheres;
  const size_t n = snapshot->sphere_count;
  const vtk_array arrays[] = {
      SPHERE(grain, VTK_UINT32, 1), /* the first, to be left out */
      SPHERE(radius, VTK_FLOAT64, 1),
      SPHERE(id, VTK_UINT32, 1),
      SPHERE(velocity, VTK_FLOAT32, 3),
      SPHERE(angular_velocity, VTK_FLOAT32, 3),
      SPHERE(force, VTK_FLOAT32, 3),
      SPHERE(pressure, VTK_FLOAT32, 1),
      SPHERE(contacts, VTK_UINT32, 1),
      {"position", VTK_POINTS, VTK_FLOAT64, n, spheres, sizeof *spheres, .offset = offsetof(dem_sphere_view, position),
       .components = 3},
      {"connectivity", VTK_VERTS, VTK_INT64, n, .first = 0, .step = 1, .components = 1},
      {"offsets", VTK_VERTS, VTK_INT64, n, .first = 1, .step = 1, .components = 1},
  };
  const int left_out = snapshot->grains ? 0 : 1;
  const vtk_file file = {.of = snapshot,
                         .points = n,
                         .verts = n,
                         .arrays = arrays + left_out,
                         .array_count = (int)(sizeof arrays / sizeof *arrays) - left_out};
  vtk_file_write(&file, stream);
}

/* ---- Grains of several spheres ----------------------------------------------------------------------------------- */

#define GRAIN(name, type, width)                                                                                       \
  {                                                                                                                    \
#name, VTK_POINT_DATA, type, n, grains, sizeof *grains, .offset = offsetof(dem_grain_view, name),                  \
                                                            .components = (width)                                      \
  }

static void write_grains(const void *content, FILE *stream)
{
  const dem_snapshot *snapshot = content;
  const dem_grain_view *grains = snapshot->grains;
  const size_t n = snapshot->grain_count;
  const vtk_array arrays[] = {
      GRAIN(diameter, VTK_FLOAT64, 1),
      GRAIN(quaternion, VTK_FLOAT64, 4),
      GRAIN(id, VTK_UINT32, 1),
      GRAIN(shape, VTK_UINT32, 1),
      GRAIN(velocity, VTK_FLOAT32, 3),
      GRAIN(angular_velocity, VTK_FLOAT32, 3),
      GRAIN(force, VTK_FLOAT32, 3),
      GRAIN(torque, VTK_FLOAT32, 3),
      GRAIN(pressure, VTK_FLOAT32, 1),
      GRAIN(contacts, VTK_UINT32, 1),
      {"position", VTK_POINTS, VTK_FLOAT64, n, grains, sizeof *grains, .offset = offsetof(dem_grain_view, position),
       .components = 3},
      {"connectivity", VTK_VERTS, VTK_INT64, n, .first = 0, .step = 1, .components = 1},
      {"offsets", VTK_VERTS, VTK_INT64, n, .first = 1, .step = 1, .components = 1},
  };
  const vtk_file file = {
      .of = snapshot, .points = n, .verts = n, .arrays = arrays, .array_count = sizeof arrays / sizeof *arrays};
  vtk_file_write(&file, stream);
}

/* ---- Contacts ---------------------------------------------------------------------------------------------------- */

/* A field of the contacts, in an array that belongs to the lines. */
#define CONTACT(name, field, type, width)                                                                              \
  {                                                                                                                    \
    name, VTK_CELL_DATA, type, n, contacts, sizeof *contacts, .offset = offsetof(dem_contact_view, field),             \
                                                              .components = (width)                                    \
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
      {"position", VTK_POINTS, VTK_FLOAT64, 2 * n, .components = 3, .is_end = true},
      {"connectivity", VTK_LINES, VTK_INT64, 2 * n, .first = 0, .step = 1, .components = 1},
      {"offsets", VTK_LINES, VTK_INT64, n, .first = 2, .step = 2, .components = 1},
  };
  const vtk_file file = {
      .of = snapshot, .points = 2 * n, .lines = n, .arrays = arrays, .array_count = sizeof arrays / sizeof *arrays};
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
  collection spheres = {output, run_sphere_files}, contacts = {output, run_contact_files},
             grains = {output, run_grain_files};
  return (!output->has_grains ||
          write_file(path_in(output->dir, RUN_GRAINS_COLLECTION), write_collection, &grains, error)) &&
         write_file(path_in(output->dir, RUN_SPHERES_COLLECTION), write_collection, &spheres, error) &&
         write_file(path_in(output->dir, RUN_CONTACTS_COLLECTION), write_collection, &contacts, error);
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
  return at && number_scan(at + sizeof before - 1, header + length, time) != at + sizeof before - 1;
}

/* Finds the moments by their files: a collection may be lost, or older than the files. */
static bool find_moments(vtk_output *output, error_info *error)
{
  long *steps;
  size_t count;
  bool is_found = step_files_list(output->dir, run_grain_files, &steps, &count, error);
  if (!is_found)
    return false;
  output->has_grains = count > 0;
  free(steps);
  is_found = step_files_list(output->dir, run_sphere_files, &steps, &count, error);
  if (!is_found)
    return false;
  for (size_t i = 0; is_found && i < count; i++) {
    double time = 0.0;
    char *path = step_file_path(output->dir, run_sphere_files, steps[i]);
    if (path && !read_time(path, &time))
      is_found = error_set(error, "%s is damaged: it has no time", path);
    else
      is_found = (path && add_moment(output, steps[i], time)) || error_out_of_memory(error);
    free(path);
  }
  free(steps);
  return is_found;
}

bool vtk_open(vtk_output *output, const char *dir, long keep_step, error_info *error)
{
  static const char *const collections[] = {RUN_SPHERES_COLLECTION, RUN_CONTACTS_COLLECTION, RUN_GRAINS_COLLECTION};
  *output = (vtk_output){.dir = strdup(dir)};
  bool is_open = output->dir || error_out_of_memory(error);
  is_open = is_open && step_files_drop(dir, run_sphere_files, keep_step, error) &&
            step_files_drop(dir, run_contact_files, keep_step, error) &&
            step_files_drop(dir, run_grain_files, keep_step, error) && find_moments(output, error);
  if (is_open && output->count > 0)
    is_open = write_collections(output, error);
  for (int i = 0; is_open && output->count == 0 && i < 3; i++) { /* collections without moments are removed */
    char *path = path_in(dir, "%s", collections[i]);
    is_open = path ? file_remove(path, error) : error_out_of_memory(error);
    free(path);
  }
  if (!is_open)
    vtk_close(output);
  return is_open;
}

/* ---- Writing ----------------------------------------------------------------------------------------------------- */

/* Writes the spheres last: moments are found by their files, so that each moment has all files. */
bool vtk_write(vtk_output *output, const dem_snapshot *snapshot, error_info *error)
{
  for (size_t i = 0; i < snapshot->contact_count; i++) /* their lines start at their first spheres, which must exist */
    if (!sphere_with_id(snapshot, snapshot->contacts[i].ids[0]))
      return error_set(error, "contact %zu of the snapshot has no sphere %lu", i,
                       (unsigned long)snapshot->contacts[i].ids[0]);
  output->has_grains = snapshot->grains != NULL;
  return directory_add(output->dir, run_sphere_files.folder, error) &&
         (!output->has_grains ||
          write_file(step_file_path(output->dir, run_grain_files, snapshot->step), write_grains, snapshot, error)) &&
         write_file(step_file_path(output->dir, run_contact_files, snapshot->step), write_contacts, snapshot, error) &&
         write_file(step_file_path(output->dir, run_sphere_files, snapshot->step), write_spheres, snapshot, error) &&
         (add_moment(output, snapshot->step, snapshot->time) || error_out_of_memory(error)) &&
         write_collections(output, error);
}

void vtk_close(vtk_output *output)
{
  free(output->dir);
  free(output->moments);
  *output = (vtk_output){0};
}
