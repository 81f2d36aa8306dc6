/* SPDX-License-Identifier: MIT */
/* The contents of result.h5, read back by plain calls of HDF5. */
#define _GNU_SOURCE
#include "result_run.h"

#include <hdf5_hl.h>

FIXTURE_EACH(make_directory, remove_directory)

/* ---- Reading by plain HDF5 --------------------------------------------------------------------------------------- */

static hid_t open_result(const char *dir)
{
  hid_t file = H5Fopen(scratch_path(dir, "result.h5"), H5F_ACC_RDONLY, H5P_DEFAULT);
  ck_assert_int_ge(file, 0);
  return file;
}

static void assert_size(hid_t dataset, hsize_t rows, hsize_t columns)
{
  hsize_t size[2] = {0, 1};
  hid_t space = H5Dget_space(dataset);
  ck_assert_int_eq(H5Sget_simple_extent_ndims(space), columns > 1 ? 2 : 1);
  H5Sget_simple_extent_dims(space, size, NULL);
  ck_assert(size[0] == rows && size[1] == columns);
  H5Sclose(space);
}

/* All numbers of a dataset as doubles, to be freed. */
static double *read_numbers(hid_t file, const char *path, hsize_t rows, hsize_t columns)
{
  hid_t dataset = H5Dopen2(file, path, H5P_DEFAULT);
  ck_assert_msg(dataset >= 0, "%s", path);
  assert_size(dataset, rows, columns);
  double *numbers = malloc((size_t)(rows * columns) * sizeof *numbers + 1);
  ck_assert_int_ge(H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers), 0);
  H5Dclose(dataset);
  return numbers;
}

static void read_text(hid_t attribute, char *text, size_t size)
{
  hid_t type = H5Aget_type(attribute);
  memset(text, 0, size);
  ck_assert_uint_lt(H5Tget_size(type), size);
  ck_assert_int_eq(H5Tget_cset(type), H5T_CSET_UTF8);
  ck_assert_int_ge(H5Aread(attribute, type, text), 0);
  H5Tclose(type);
}

static void assert_text(hid_t file, const char *object, const char *name, const char *expected)
{
  char text[1000];
  hid_t attribute = H5Aopen_by_name(file, object, name, H5P_DEFAULT, H5P_DEFAULT);
  ck_assert_msg(attribute >= 0, "%s of %s", name, object);
  read_text(attribute, text, sizeof text);
  H5Aclose(attribute);
  if (expected)
    ck_assert_str_eq(text, expected);
  else
    ck_assert_uint_gt(strlen(text), 0);
}

static double read_number(hid_t file, const char *object, const char *name)
{
  double value;
  hid_t attribute = H5Aopen_by_name(file, object, name, H5P_DEFAULT, H5P_DEFAULT);
  ck_assert_int_ge(attribute, 0);
  ck_assert_int_ge(H5Aread(attribute, H5T_NATIVE_DOUBLE, &value), 0);
  H5Aclose(attribute);
  return value;
}

/* ---- Contents ---------------------------------------------------------------------------------------------------- */

TEST(the_root_has_the_provenance)
{
  make_run(directory);
  hid_t file = open_result(directory);
  assert_text(file, "/", "format", "jager-result");
  assert_text(file, "/", "version", JAGER_VERSION);
  assert_text(file, "/", "title", "A run");
  assert_text(file, "/", "command", "jager run test.yaml");
  assert_text(file, "/", "compiler", NULL);
  assert_text(file, "/", "flags", NULL);
  assert_text(file, "/", "created", NULL);
  ck_assert(read_number(file, "/", "format_version") == 1.0);
  ck_assert(read_number(file, "/", "threads") == 3.0);
  ck_assert(read_number(file, "/", "seed") == (double)UINT64_MAX);
  char text[3 * 8 + 1] = "";
  hid_t stages = H5Aopen(file, "stages", H5P_DEFAULT);
  read_text(stages, text, sizeof text);
  ck_assert_int_eq(memcmp(text, "packing\0compressshear it", 24), 0);
  H5Aclose(stages);
  H5Fclose(file);
}

TEST(the_series_is_there_with_units)
{
  char path[100];
  make_run(directory);
  hid_t file = open_result(directory);
  for (int k = 0; k < DEM_MEASURE_COUNT; k++) {
    snprintf(path, sizeof path, "/series/%s", dem_measure_name(k));
    free(read_numbers(file, path, ROWS, 1));
    assert_text(file, path, "unit", dem_measure_unit(k));
    assert_text(file, path, "meaning", dem_measure_meaning(k));
  }
  double *q = read_numbers(file, "/series/q", ROWS, 1);
  for (int i = 0; i < ROWS; i++)
    ck_assert(q[i] == 1.0 / (i + 1));
  free(q);
  H5Fclose(file);
}

/* Compares a field of all records, of double or uint32_t, with a dataset. */
static void assert_field(hid_t file, const char *path, const void *records, size_t count, size_t size, size_t offset,
                         int columns, bool is_real)
{
  double *numbers = read_numbers(file, path, count, (hsize_t)columns);
  for (size_t i = 0; i < count; i++)
    for (int k = 0; k < columns; k++) {
      const char *at = (const char *)records + i * size + offset + (size_t)k * (is_real ? 8 : 4);
      double expected;
      uint32_t integer;
      memcpy(&expected, at, sizeof expected * is_real);
      memcpy(&integer, at, sizeof integer);
      ck_assert_msg(numbers[i * (size_t)columns + (size_t)k] == (is_real ? expected : integer), "%s, row %zu", path, i);
    }
  free(numbers);
}

#define ASSERT_SPHERES(name, columns, is_real)                                                                         \
  assert_field(file, "/snapshots/000000200/spheres/" #name, snapshot.spheres, SPHERES, sizeof(dem_sphere_view),        \
               offsetof(dem_sphere_view, name), columns, is_real)
#define ASSERT_CONTACTS(name, columns, is_real)                                                                        \
  assert_field(file, "/snapshots/000000200/contacts/" #name, snapshot.contacts, CONTACTS, sizeof(dem_contact_view),    \
               offsetof(dem_contact_view, name), columns, is_real)

TEST(snapshots_have_every_field)
{
  double cell[3][3];
  make_run(directory);
  dem_snapshot snapshot = sample_snapshot(200, SPHERES, CONTACTS);
  hid_t file = open_result(directory);
  ASSERT_SPHERES(id, 1, false);
  ASSERT_SPHERES(position, 3, true);
  ASSERT_SPHERES(radius, 1, true);
  ASSERT_SPHERES(velocity, 3, true);
  ASSERT_SPHERES(angular_velocity, 3, true);
  ASSERT_SPHERES(force, 3, true);
  ASSERT_SPHERES(pressure, 1, true);
  ASSERT_SPHERES(contacts, 1, false);
  ASSERT_CONTACTS(ids, 2, false);
  ASSERT_CONTACTS(branch, 3, true);
  ASSERT_CONTACTS(zeta, 1, true);
  ASSERT_CONTACTS(normal, 3, true);
  ASSERT_CONTACTS(fn, 1, true);
  ASSERT_CONTACTS(force, 3, true);
  ASSERT_CONTACTS(ft, 1, true);
  ASSERT_CONTACTS(state, 1, false);
  ASSERT_CONTACTS(length, 1, false);
  ck_assert(read_number(file, "/snapshots/000000200", "step") == 200.0);
  ck_assert(read_number(file, "/snapshots/000000200", "time") == snapshot.time);
  hid_t attribute = H5Aopen_by_name(file, "/snapshots/000000200", "cell", H5P_DEFAULT, H5P_DEFAULT);
  ck_assert_int_ge(H5Aread(attribute, H5T_NATIVE_DOUBLE, cell), 0);
  H5Aclose(attribute);
  ck_assert_int_eq(memcmp(cell, snapshot.cell, sizeof cell), 0);
  free(read_numbers(file, "/snapshots/000000000/contacts/ids", 0, 2));
  H5Fclose(file);
  sample_free(&snapshot);
}

#define ASSERT_GRAINS(name, columns, is_real)                                                                          \
  assert_field(file, "/snapshots/000000200/grains/" #name, snapshot.grains, snapshot.grain_count,                      \
               sizeof(dem_grain_view), offsetof(dem_grain_view, name), columns, is_real)

/* Only of snapshots that have any. */
TEST(grains_of_several_spheres_have_every_field)
{
  write_series(directory, ROWS);
  ASSERT_OK(result_begin(directory, -1, &error));
  ASSERT_OK(add_snapshot(directory, 100));
  dem_snapshot snapshot = sample_snapshot(200, SPHERES, CONTACTS);
  sample_add_grains(&snapshot);
  ASSERT_OK(result_add_snapshot(directory, &snapshot, &error));
  ASSERT_OK(finish(directory));
  hid_t file = open_result(directory);
  ck_assert_int_eq(H5Lexists(file, "/snapshots/000000100/grains", H5P_DEFAULT), 0);
  ck_assert_int_eq(H5Lexists(file, "/snapshots/000000100/spheres/grain", H5P_DEFAULT), 0);
  ASSERT_SPHERES(contacts, 1, false);
  ASSERT_SPHERES(grain, 1, false);
  ASSERT_GRAINS(id, 1, false);
  ASSERT_GRAINS(shape, 1, false);
  ASSERT_GRAINS(position, 3, true);
  ASSERT_GRAINS(quaternion, 4, true);
  ASSERT_GRAINS(velocity, 3, true);
  ASSERT_GRAINS(angular_velocity, 3, true);
  ASSERT_GRAINS(force, 3, true);
  ASSERT_GRAINS(torque, 3, true);
  ASSERT_GRAINS(mass, 1, true);
  ASSERT_GRAINS(diameter, 1, true);
  ASSERT_GRAINS(extent, 1, true);
  ASSERT_GRAINS(pressure, 1, true);
  ASSERT_GRAINS(contacts, 1, false);
  ASSERT_GRAINS(first_sphere, 1, false);
  ASSERT_GRAINS(spheres, 1, false);
  H5Fclose(file);
  sample_free(&snapshot);
  char *text;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  ASSERT_OK(result_describe(scratch_path(directory, "result.h5"), false, out, &error));
  ASSERT_OK(result_describe(scratch_path(directory, "result.h5"), true, out, &error));
  fclose(out);
  ck_assert_ptr_nonnull(strstr(text, "  step 100, time 0.1 s: 1000 spheres, 3000 contacts\n"
                                     "  step 200, time 0.2 s: 250 grains of 1000 spheres, 3000 contacts\n"));
  ck_assert_ptr_nonnull(strstr(text, "0.20000000000000001, \"grains\": 250, \"spheres\": 1000, \"contacts\": 3000}"));
  free(text);
  assert_no_handles();
}

TEST(large_tables_are_compressed_and_have_checksums)
{
  make_run(directory);
  hid_t file = open_result(directory), dataset = H5Dopen2(file, "/snapshots/000000200/contacts/force", H5P_DEFAULT);
  hid_t properties = H5Dget_create_plist(dataset);
  ck_assert_int_eq(H5Pget_layout(properties), H5D_CHUNKED);
  ck_assert_int_ge(H5Pget_filter_by_id2(properties, H5Z_FILTER_FLETCHER32, NULL, NULL, NULL, 0, NULL, NULL), 0);
  if (H5Zfilter_avail(H5Z_FILTER_DEFLATE) > 0) {
    ck_assert_int_ge(H5Pget_filter_by_id2(properties, H5Z_FILTER_SHUFFLE, NULL, NULL, NULL, 0, NULL, NULL), 0);
    ck_assert_int_ge(H5Pget_filter_by_id2(properties, H5Z_FILTER_DEFLATE, NULL, NULL, NULL, 0, NULL, NULL), 0);
    ck_assert_uint_lt(H5Dget_storage_size(dataset), CONTACTS * 3 * sizeof(double) / 2);
  }
  H5Pclose(properties);
  H5Dclose(dataset);
  H5Fclose(file);
}

TEST(the_input_is_kept_byte_by_byte)
{
  char *text;
  size_t size;
  make_run(directory);
  FILE *out = open_memstream(&text, &size);
  ASSERT_OK(result_print_input(scratch_path(directory, "result.h5"), out, &error));
  fclose(out);
  ck_assert_str_eq(text, input);
  free(text);
  assert_no_handles();
}

/* A run without input, rows, snapshots and stages. */
TEST(an_empty_run_is_a_result)
{
  char *text;
  size_t size;
  dem_case run = dem_case_default();
  result_facts facts = {.run = &run};
  write_series(directory, 0);
  ASSERT_OK(result_begin(directory, -1, &error));
  ASSERT_OK(result_finish(directory, &facts, &error));
  FILE *out = open_memstream(&text, &size);
  ASSERT_OK(result_describe(scratch_path(directory, "result.h5"), false, out, &error));
  ASSERT_OK(result_print_input(scratch_path(directory, "result.h5"), out, &error));
  fclose(out);
  ck_assert_ptr_nonnull(strstr(text, "0 rows\n"));
  ck_assert_ptr_nonnull(strstr(text, "snapshots: 0\n"));
  free(text);
  assert_no_handles();
}

TEST(a_result_is_described)
{
  char *text;
  size_t size;
  make_run(directory);
  FILE *out = open_memstream(&text, &size);
  ASSERT_OK(result_describe(scratch_path(directory, "result.h5"), false, out, &error));
  fclose(out);
  static const char *const parts[] = {"result.h5: the result of a run\n",
                                      "title      A run\n",
                                      "version    " JAGER_VERSION "\n",
                                      "seed       18446744073709551615\n",
                                      "threads    3\n",
                                      "stages:\n  0 packing\n  1 compress\n  2 shear it\n",
                                      ", 600 rows\n",
                                      "  p                        149.75 Pa\n",
                                      "snapshots: 3\n  step 0, time 0 s: 0 spheres, 0 contacts\n",
                                      "  step 200, time 0.2 s: 1000 spheres, 3000 contacts\n"};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    ck_assert_msg(strstr(text, parts[i]) != NULL, "'%s' is not in:\n%s", parts[i], text);
  free(text);
  assert_no_handles();
}

/* ---- Checksums and scales ---------------------------------------------------------------------------------------- */

/* The data are in chunks with checksums, or in a header, which has one; or the dataset is empty. */
static void assert_checksum(hid_t dataset, const char *name)
{
  hid_t properties = H5Dget_create_plist(dataset), space = H5Dget_space(dataset);
  bool is_protected = H5Pget_layout(properties) == H5D_COMPACT ||
                      (H5Pget_nfilters(properties) > 0 &&
                       H5Pget_filter_by_id2(properties, H5Z_FILTER_FLETCHER32, NULL, NULL, NULL, 0, NULL, NULL) >= 0);
  ck_assert_msg(is_protected || H5Sget_simple_extent_npoints(space) == 0, "%s has no checksum", name);
  H5Sclose(space);
  H5Pclose(properties);
}

static hsize_t length_of_dimension(hid_t dataset, unsigned dimension)
{
  hsize_t size[H5S_MAX_RANK];
  hid_t space = H5Dget_space(dataset);
  ck_assert_int_gt(H5Sget_simple_extent_dims(space, size, NULL), (int)dimension);
  H5Sclose(space);
  return size[dimension];
}

static herr_t check_scale(hid_t dataset, unsigned dimension, hid_t scale, void *context)
{
  *(int *)context += length_of_dimension(scale, 0) == length_of_dimension(dataset, dimension);
  return 0;
}

/* Each dimension has one scale, of the same length. */
static void assert_scales(hid_t dataset, const char *name)
{
  hid_t space = H5Dget_space(dataset);
  int rank = H5Sget_simple_extent_ndims(space);
  H5Sclose(space);
  for (unsigned k = 0; (int)k < rank; k++) {
    int matches = 0;
    if (H5DSis_scale(dataset) > 0)
      continue;
    ck_assert_msg(H5DSget_num_scales(dataset, k) == 1, "dimension %u of %s has no scale", k, name);
    ck_assert_int_eq(H5DSiterate_scales(dataset, k, NULL, check_scale, &matches), 0);
    ck_assert_msg(matches == 1, "the scale of dimension %u of %s has another length", k, name);
  }
}

static herr_t check_object(hid_t file, const char *name, const H5O_info_t *info, void *context)
{
  ck_assert_msg(info->meta_size.attr.heap_size == 0, "attributes of %s are not in its header", name);
  if (info->type != H5O_TYPE_DATASET)
    return 0;
  hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT);
  assert_checksum(dataset, name);
  assert_scales(dataset, name);
  H5Dclose(dataset);
  ++*(int *)context;
  return 0;
}

/* A run with empty, small and large tables, and with a long text. */
TEST(every_dataset_has_a_checksum_and_scales)
{
  char *text = malloc(100001);
  int datasets = 0;
  memset(text, '#', 100000);
  text[100000] = '\0';
  dem_case run = dem_case_default();
  result_facts facts = {.run = &run, .input = text, .command = "jager run"};
  write_series(directory, 3);
  ASSERT_OK(add_snapshot(directory, 0));
  add_small_snapshots(directory);
  ASSERT_OK(result_finish(directory, &facts, &error));
  hid_t file = open_result(directory);
  ck_assert_int_ge(H5Ovisit2(file, H5_INDEX_NAME, H5_ITER_INC, check_object, &datasets, H5O_INFO_ALL), 0);
  ck_assert_int_eq(datasets, 2 + DEM_MEASURE_COUNT + (1 + SMALL_RUN_SNAPSHOTS) * (8 + 1 + 9 + 3) + 1 + 15 + 2);
  H5Fclose(file);
  char *printed;
  size_t size;
  FILE *out = open_memstream(&printed, &size);
  ASSERT_OK(result_print_input(scratch_path(directory, "result.h5"), out, &error));
  fclose(out);
  ck_assert_str_eq(printed, text);
  free(printed);
  free(text);
}
