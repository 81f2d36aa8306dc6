/* SPDX-License-Identifier: MIT */
/* One snapshot in HDF5: each quantity of spheres and contacts is a dataset of its own. */
#include "result_snapshot.h"
#include "h5_file.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- What there is ----------------------------------------------------------------------------------------------- */

typedef struct field {
  const char *name, *unit, *meaning;
  h5_type type;
  int columns;
  size_t offset; /* in dem_sphere_view or dem_contact_view */
} field;

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

enum {
  SPHERE_FIELDS = sizeof sphere_fields / sizeof *sphere_fields,
  CONTACT_FIELDS = sizeof contact_fields / sizeof *contact_fields
};

/* ---- Writing ----------------------------------------------------------------------------------------------------- */

/* Structs one behind the other, to be written field by field. */
typedef struct records {
  const void *first;
  size_t count, size;
} records;

/* One field of all records, without the others between them; to be freed. */
static void *gather(records from, const field *which)
{
  size_t bytes = (which->type == H5_REAL ? sizeof(double) : sizeof(uint32_t)) * (size_t)which->columns;
  char *values = malloc(from.count * bytes + 1);
  const char *at = (const char *)from.first + (from.count > 0 ? which->offset : 0);
  for (size_t i = 0; values && i < from.count; i++)
    memcpy(values + i * bytes, at + i * from.size, bytes);
  return values;
}

static bool write_field(hid_t group, records from, const field *which)
{
  void *values = gather(from, which);
  h5_table table = {.name = which->name,
                    .unit = which->unit,
                    .meaning = which->meaning,
                    .type = which->type,
                    .rows = from.count,
                    .columns = which->columns,
                    .values = values};
  bool is_written = values && h5_write_table(group, &table);
  free(values);
  return is_written;
}

static bool write_fields(hid_t in, const char *name, records from, const field fields[], int count)
{
  hid_t group = h5_make_group(in, name);
  bool is_written = group >= 0;
  for (int i = 0; is_written && i < count; i++)
    is_written = write_field(group, from, &fields[i]);
  if (group >= 0)
    H5Gclose(group);
  return is_written;
}

static bool write_contents(hid_t group, const dem_snapshot *snapshot)
{
  records spheres = {snapshot->spheres, snapshot->sphere_count, sizeof *snapshot->spheres};
  records contacts = {snapshot->contacts, snapshot->contact_count, sizeof *snapshot->contacts};
  return h5_write_integer_attribute(group, "step", snapshot->step) &&
         h5_write_real_attribute(group, "time", snapshot->time) &&
         h5_write_matrix_attribute(group, "cell", snapshot->cell) &&
         write_fields(group, "spheres", spheres, sphere_fields, SPHERE_FIELDS) &&
         write_fields(group, "contacts", contacts, contact_fields, CONTACT_FIELDS);
}

bool result_snapshot_write(hid_t in, const char *name, const dem_snapshot *snapshot)
{
  hid_t group = h5_make_group(in, name);
  if (group < 0)
    return false;
  bool is_written = write_contents(group, snapshot);
  return H5Gclose(group) >= 0 && is_written;
}
