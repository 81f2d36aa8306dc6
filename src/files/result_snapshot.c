/* SPDX-License-Identifier: MIT */
/*
 * A snapshot in HDF5. Each field of the spheres and contacts is a dataset. Its dimension scales are, for the rows,
 * the ids of the spheres or the numbers of the contacts; for the columns, the axes of space or the two spheres of a
 * contact.
 */
#include "result_snapshot.h"
#include "h5_file.h"

#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- Fields ------------------------------------------------------------------------------------------------------ */

typedef struct field {
  const char *name, *unit, *meaning;
  h5_type type;
  int columns;
  size_t offset; /* in dem_sphere_view or dem_contact_view */
} field;

/* Spheres or contacts. */
typedef struct kind {
  const char *name;
  const field *fields;
  int count;
  size_t size;           /* bytes of a record in memory */
  const char *row_scale; /* the name of a field, or of a table of its own */
} kind;

#define AXIS_SCALE "axis"
#define PAIR_SCALE "pair"
#define CONTACT_SCALE "contact"

#define SPHERE(name) offsetof(dem_sphere_view, name)
#define CONTACT(name) offsetof(dem_contact_view, name)

static const field sphere_fields[] = {
    {"id", "1", "number of the sphere; rows are in the order of the ids", H5_UINT32, 1, SPHERE(id)},
    {"position", "m", "centre, within the cell", H5_REAL, 3, SPHERE(position)},
    {"radius", "m", "radius", H5_REAL, 1, SPHERE(radius)},
    {"velocity", "m/s", "velocity without the mean flow", H5_REAL, 3, SPHERE(velocity)},
    {"angular_velocity", "rad/s", "angular velocity", H5_REAL, 3, SPHERE(angular_velocity)},
    {"force", "N", "resultant force", H5_REAL, 3, SPHERE(force)},
    {"pressure", "Pa", "mean stress of the sphere, from its contacts", H5_REAL, 1, SPHERE(pressure)},
    {"contacts", "1", "number of contacts", H5_UINT32, 1, SPHERE(contacts)},
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

static const kind spheres = {"spheres", sphere_fields, sizeof sphere_fields / sizeof *sphere_fields,
                             sizeof(dem_sphere_view), "id"};
static const kind contacts = {"contacts", contact_fields, sizeof contact_fields / sizeof *contact_fields,
                              sizeof(dem_contact_view), CONTACT_SCALE};

static size_t field_bytes(const field *which)
{
  return h5_type_bytes(which->type) * (size_t)which->columns;
}

/* ---- Writing ----------------------------------------------------------------------------------------------------- */

/* Copies one field of all records into an array, to be freed. */
static void *gather(const kind *of, const void *records, size_t count, const field *which)
{
  size_t bytes = field_bytes(which);
  char *values = malloc(count * bytes + 1);
  const char *at = (const char *)records + (count > 0 ? which->offset : 0);
  for (size_t i = 0; values && i < count; i++)
    memcpy(values + i * bytes, at + i * of->size, bytes);
  return values;
}

static bool write_field(hid_t group, const kind *of, const void *records, size_t count, const field *which)
{
  void *values = gather(of, records, count, which);
  h5_table table = {.name = which->name,
                    .unit = which->unit,
                    .meaning = which->meaning,
                    .row_scale = of->row_scale,
                    .column_scale = which->columns == 2 ? PAIR_SCALE : AXIS_SCALE,
                    .type = which->type,
                    .rows = count,
                    .columns = which->columns,
                    .values = values};
  bool is_written = values && h5_write_table(group, &table);
  free(values);
  return is_written;
}

static bool write_scales(hid_t group, const kind *of, size_t count)
{
  return h5_write_scale(group, AXIS_SCALE, "0 is x, 1 is y, 2 is z", 3) &&
         (of != &contacts || (h5_write_scale(group, PAIR_SCALE, "0 is the first sphere, 1 the second", 2) &&
                              h5_write_scale(group, CONTACT_SCALE, "number of the row, from 0", count)));
}

static bool write_records(hid_t in, const kind *of, const void *records, size_t count)
{
  hid_t group = h5_make_group(in, of->name);
  bool is_written = group >= 0 && write_scales(group, of, count);
  for (int i = 0; is_written && i < of->count; i++)
    is_written = write_field(group, of, records, count, &of->fields[i]);
  h5_close(group);
  return is_written;
}

static bool write_contents(hid_t group, const dem_snapshot *snapshot)
{
  return h5_write_integer_attribute(group, "step", snapshot->step) &&
         h5_write_real_attribute(group, "time", snapshot->time) &&
         h5_write_matrix_attribute(group, "cell", snapshot->cell) &&
         write_records(group, &spheres, snapshot->spheres, snapshot->sphere_count) &&
         write_records(group, &contacts, snapshot->contacts, snapshot->contact_count);
}

bool result_snapshot_write(hid_t in, const char *name, const dem_snapshot *snapshot)
{
  hid_t group = h5_make_group(in, name);
  bool is_written = group >= 0 && write_contents(group, snapshot);
  return h5_close(group) && is_written;
}

/* ---- Reading ----------------------------------------------------------------------------------------------------- */

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

/* Reads all records, to be freed; NULL on failure. Their number is that of the rows of the first field. */
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

static bool read_contents(hid_t group, dem_snapshot *snapshot)
{
  long long step;
  if (!h5_read_integer_attribute(group, "step", &step) || step < 0 || step > LONG_MAX ||
      !h5_read_real_attribute(group, "time", &snapshot->time) ||
      !h5_read_matrix_attribute(group, "cell", snapshot->cell))
    return false;
  snapshot->step = (long)step;
  snapshot->spheres = read_records(group, &spheres, &snapshot->sphere_count);
  snapshot->contacts = snapshot->spheres ? read_records(group, &contacts, &snapshot->contact_count) : NULL;
  return snapshot->contacts;
}

bool result_snapshot_read(hid_t in, const char *path, dem_snapshot *snapshot)
{
  *snapshot = (dem_snapshot){.step = 0};
  hid_t group = h5_open_group(in, path);
  if (group < 0)
    return false;
  bool is_read = read_contents(group, snapshot);
  h5_close(group);
  if (!is_read)
    dem_snapshot_free(snapshot);
  return is_read;
}
