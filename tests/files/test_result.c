/* SPDX-License-Identifier: MIT */
/*
 * result.h5 and the files of snapshots. Contents are read back by plain calls of HDF5; a run that was killed and went
 * on must end with the same snapshots; files are damaged at random, from fixed seeds: that is told, or no data are
 * hurt.
 */
#define _GNU_SOURCE
#include "files/result.h"
#include "files/result_describe.h"
#include "scratch.h"
#include "files/series.h"
#include "snapshots.h"
#include "support.h"

#include <check.h>
#include <hdf5.h>
#include <hdf5_hl.h>
#include <stdint.h>

static error_info error;

#define ASSERT_OK(call) ck_assert_msg(call, "%s", error.text)

/* For the leak sanitizer: HDF5 loses memory of its own when files are damaged. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
  return "leak:libhdf5";
}

static void assert_no_handles(void)
{
  ck_assert_int_eq(H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_ALL), 0);
}

/* ---- A run ------------------------------------------------------------------------------------------------------- */

enum { ROWS = 600, SPHERES = 1000, CONTACTS = 3000 };

static const char input[] = "title: Test\nspheres: 1000 # UTF-8: é\n";

static void write_series(const char *dir, int rows)
{
  series output;
  ASSERT_OK(series_open(&output, dir, -1, &error));
  for (int i = 0; i < rows; i++) {
    dem_measures measures = {.step = i, .p = 0.25 * i, .q = 1.0 / (i + 1)};
    ASSERT_OK(series_add(&output, &measures, &error));
  }
  ASSERT_OK(series_close(&output, &error));
}

static bool add_snapshot(const char *dir, long step)
{
  dem_snapshot snapshot = sample_snapshot(step, step == 0 ? 0 : SPHERES, step == 0 ? 0 : CONTACTS);
  bool is_added = result_add_snapshot(dir, &snapshot, &error);
  sample_free(&snapshot);
  return is_added;
}

static bool finish(const char *dir)
{
  char title[] = "A run";
  dem_case run = dem_case_default();
  run.title = title;
  run.seed = UINT64_MAX;
  run.stage_count = 2;
  strcpy(run.stages[0].name, "compress");
  strcpy(run.stages[1].name, "shear it");
  result_facts facts = {.run = &run, .input = input, .command = "jager run test.yaml", .threads = 3};
  return result_finish(dir, &facts, &error);
}

/* A whole run with snapshots at steps 0, 100, 200. */
static void make_run(const char *dir)
{
  write_series(dir, ROWS);
  ASSERT_OK(result_begin(dir, -1, &error));
  for (long step = 0; step <= 200; step += 100)
    ASSERT_OK(add_snapshot(dir, step));
  ASSERT_OK(finish(dir));
}

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

START_TEST(the_root_tells_where_it_comes_from)
{
  char *dir = scratch_make();
  make_run(dir);
  hid_t file = open_result(dir);
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
  scratch_remove(dir);
}
END_TEST

START_TEST(the_series_is_there_with_units)
{
  char *dir = scratch_make(), path[100];
  make_run(dir);
  hid_t file = open_result(dir);
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
  scratch_remove(dir);
}
END_TEST

/* Offset and columns of a field of a view, in doubles or uint32_t, compared with a dataset. */
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

START_TEST(snapshots_have_every_field)
{
  char *dir = scratch_make();
  double cell[3][3];
  make_run(dir);
  dem_snapshot snapshot = sample_snapshot(200, SPHERES, CONTACTS);
  hid_t file = open_result(dir);
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
  scratch_remove(dir);
}
END_TEST

START_TEST(large_tables_are_compressed_and_have_checksums)
{
  char *dir = scratch_make();
  make_run(dir);
  hid_t file = open_result(dir), dataset = H5Dopen2(file, "/snapshots/000000200/contacts/force", H5P_DEFAULT);
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
  scratch_remove(dir);
}
END_TEST

START_TEST(the_input_is_kept_byte_by_byte)
{
  char *dir = scratch_make(), *text;
  size_t size;
  make_run(dir);
  FILE *out = open_memstream(&text, &size);
  ASSERT_OK(result_print_input(scratch_path(dir, "result.h5"), out, &error));
  fclose(out);
  ck_assert_str_eq(text, input);
  free(text);
  assert_no_handles();
  scratch_remove(dir);
}
END_TEST

/* Neither input nor rows nor snapshots nor stages. */
START_TEST(a_run_of_nothing_is_a_result)
{
  char *dir = scratch_make(), *text;
  size_t size;
  dem_case run = dem_case_default();
  result_facts facts = {.run = &run};
  write_series(dir, 0);
  ASSERT_OK(result_begin(dir, -1, &error));
  ASSERT_OK(result_finish(dir, &facts, &error));
  FILE *out = open_memstream(&text, &size);
  ASSERT_OK(result_describe(scratch_path(dir, "result.h5"), false, out, &error));
  ASSERT_OK(result_print_input(scratch_path(dir, "result.h5"), out, &error));
  fclose(out);
  ck_assert_ptr_nonnull(strstr(text, "0 rows\n"));
  ck_assert_ptr_nonnull(strstr(text, "snapshots: 0\n"));
  free(text);
  assert_no_handles();
  scratch_remove(dir);
}
END_TEST

START_TEST(a_result_is_described)
{
  char *dir = scratch_make(), *text;
  size_t size;
  make_run(dir);
  FILE *out = open_memstream(&text, &size);
  ASSERT_OK(result_describe(scratch_path(dir, "result.h5"), false, out, &error));
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
  scratch_remove(dir);
}
END_TEST

/* ---- Files ------------------------------------------------------------------------------------------------------- */

START_TEST(snapshots_are_files_until_the_end)
{
  char *dir = scratch_make(), *text;
  size_t size;
  write_series(dir, 3);
  ASSERT_OK(result_begin(dir, -1, &error));
  ck_assert_int_eq(scratch_count(dir, "."), 1);
  ASSERT_OK(add_snapshot(dir, 100));
  ASSERT_OK(add_snapshot(dir, 100)); /* again: replaced */
  ASSERT_OK(add_snapshot(dir, 1000000000));
  ck_assert(scratch_has(dir, "snapshots/000000100.h5") && scratch_has(dir, "snapshots/1000000000.h5"));
  FILE *out = open_memstream(&text, &size);
  ASSERT_OK(result_describe(scratch_path(dir, "snapshots/000000100.h5"), false, out, &error));
  ck_assert(!result_print_input(scratch_path(dir, "snapshots/000000100.h5"), out, &error));
  ck_assert_ptr_nonnull(strstr(error.text, "is a snapshot: only results have the text of their case"));
  fclose(out);
  ck_assert_ptr_nonnull(strstr(text, "000000100.h5: a snapshot of a run\n"));
  ck_assert_ptr_nonnull(strstr(text, "snapshots: 1\n  step 100, time 0.1 s: 1000 spheres, 3000 contacts\n"));
  free(text);
  out = open_memstream(&text, &size);
  ASSERT_OK(result_describe(scratch_path(dir, "snapshots/000000100.h5"), true, out, &error));
  fclose(out);
  ck_assert_ptr_nonnull(strstr(text, "{\"kind\": \"snapshot\", \"file\": "));
  ck_assert_ptr_nonnull(strstr(text, ", \"version\": \"" JAGER_VERSION
                                     "\", \"snapshots\": [{\"step\": 100, \"time\": 0.10000000000000001, "
                                     "\"spheres\": 1000, \"contacts\": 3000}]}\n"));
  free(text);
  ASSERT_OK(finish(dir));
  ck_assert(!scratch_has(dir, "snapshots") && scratch_has(dir, "result.h5"));
  ck_assert_int_eq(scratch_count(dir, "."), 2);
  assert_no_handles();
  scratch_remove(dir);
}
END_TEST

/* The names of the snapshots in a result, with a space behind each. */
static void assert_snapshots(const char *dir, const char *expected)
{
  char *text, found[500] = "";
  size_t size;
  FILE *out = open_memstream(&text, &size);
  ASSERT_OK(result_describe(scratch_path(dir, "result.h5"), false, out, &error));
  fclose(out);
  for (const char *at = strstr(text, "snapshots:"); (at = strstr(at, "  step "));) {
    at += strlen("  step ");
    strncat(found, at, strcspn(at, ","));
    strcat(found, " ");
  }
  ck_assert_str_eq(found, expected);
  free(text);
}

START_TEST(going_on_drops_later_snapshots)
{
  char *dir = scratch_make();
  write_series(dir, 3);
  ASSERT_OK(result_begin(dir, -1, &error));
  for (long step = 100; step <= 500; step += 100)
    ASSERT_OK(add_snapshot(dir, step));
  scratch_write(dir, "snapshots/000000600.h5.tmp-77-0", "half", 4);
  scratch_write(dir, "snapshots/mine.h5", "mine", 4);
  ASSERT_OK(result_begin(dir, 300, &error));
  ck_assert_int_eq(scratch_count(dir, "snapshots"), 4);
  ASSERT_OK(add_snapshot(dir, 350));
  ASSERT_OK(finish(dir));
  assert_snapshots(dir, "100 200 300 350 ");
  ck_assert_int_eq(scratch_count(dir, "snapshots"), 1); /* mine */
  scratch_remove(dir);
}
END_TEST

/* A run that had ended goes on from a checkpoint before its end: its snapshots come out of its result. */
START_TEST(a_run_that_had_ended_goes_on)
{
  char *dir = scratch_make();
  make_run(dir);
  ASSERT_OK(result_begin(dir, 150, &error));
  ck_assert_int_eq(scratch_count(dir, "snapshots"), 2);
  ck_assert(scratch_has(dir, "result.h5"));
  assert_snapshots(dir, "0 100 200 ");
  ASSERT_OK(add_snapshot(dir, 160));
  ASSERT_OK(finish(dir));
  assert_snapshots(dir, "0 100 160 ");
  assert_no_handles();
  scratch_remove(dir);
}
END_TEST

START_TEST(a_new_run_removes_the_old_one)
{
  char *dir = scratch_make();
  make_run(dir);
  ASSERT_OK(add_snapshot(dir, 700));
  ASSERT_OK(result_begin(dir, -1, &error));
  ck_assert_int_eq(scratch_count(dir, "snapshots"), 0);
  ck_assert(!scratch_has(dir, "result.h5"));
  scratch_remove(dir);
}
END_TEST

/* Also a second later. */
START_TEST(equal_snapshots_are_equal_files)
{
  char *dir = scratch_make();
  size_t first_size, second_size;
  ASSERT_OK(add_snapshot(dir, 100));
  char *first = scratch_read(dir, "snapshots/000000100.h5", &first_size);
  usleep(1100000);
  ASSERT_OK(add_snapshot(dir, 100));
  char *second = scratch_read(dir, "snapshots/000000100.h5", &second_size);
  ck_assert(first_size == second_size && memcmp(first, second, first_size) == 0);
  free(first);
  free(second);
  scratch_remove(dir);
}
END_TEST

/* ---- Failures of writing ----------------------------------------------------------------------------------------- */

START_TEST(what_can_not_be_written_is_told)
{
  char *dir = scratch_make(), expected[400];
  ck_assert(!add_snapshot(scratch_path(dir, "none"), 100));
  snprintf(expected, sizeof expected, "cannot create %s/none/snapshots: No such file or directory", dir);
  ck_assert_str_eq(error.text, expected);
  write_series(dir, 3);
  ck_assert_int_eq(symlink("/dev/full", scratch_path(dir, "result.h5")), 0);
  ck_assert(!finish(dir));
  snprintf(expected, sizeof expected, "cannot write %s/result.h5: it is no regular file", dir);
  ck_assert_str_eq(error.text, expected);
  ck_assert_int_eq(unlink(scratch_path(dir, "series.csv")), 0);
  ck_assert(!finish(dir));
  snprintf(expected, sizeof expected, "cannot open %s/series.csv: No such file or directory", dir);
  ck_assert_str_eq(error.text, expected);
  assert_no_handles();
  scratch_remove(dir);
}
END_TEST

/* The disk is full at every place where it can be. HDF5 itself would crash at the end of the program. */
START_TEST(a_full_disk_is_told_and_leaves_no_half)
{
  char *dir = scratch_make(), expected[400];
  snprintf(expected, sizeof expected, "cannot write %s/snapshots/000000100.h5: File too large", dir);
  rlim_t limit = 0;
  for (bool is_added = false; !is_added; limit = 2 * limit + 100) {
    scratch_limit_files(limit);
    is_added = add_snapshot(dir, 100);
    scratch_limit_files(RLIM_INFINITY);
    assert_no_handles();
    ck_assert_int_eq(scratch_count(dir, "snapshots"), is_added);
    if (!is_added)
      ck_assert_str_eq(error.text, expected);
  }
  ck_assert_uint_gt(limit, 10000);
  scratch_remove(dir);
}
END_TEST

START_TEST(a_result_that_does_not_fit_keeps_the_snapshots)
{
  char *dir = scratch_make(), expected[400];
  write_series(dir, ROWS);
  ASSERT_OK(result_begin(dir, -1, &error));
  ASSERT_OK(add_snapshot(dir, 100));
  ASSERT_OK(add_snapshot(dir, 200));
  snprintf(expected, sizeof expected, "cannot write %s/result.h5: File too large", dir);
  rlim_t limit = 0;
  for (bool is_finished = false; !is_finished; limit = 2 * limit + 100) {
    scratch_limit_files(limit);
    is_finished = finish(dir);
    scratch_limit_files(RLIM_INFINITY);
    assert_no_handles();
    ck_assert_int_eq(scratch_count(dir, "snapshots"), is_finished ? 0 : 2);
    ck_assert_int_eq(scratch_has(dir, "result.h5"), is_finished);
    if (!is_finished)
      ck_assert_str_eq(error.text, expected);
  }
  ck_assert_uint_gt(limit, 10000);
  assert_snapshots(dir, "100 200 ");
  scratch_remove(dir);
}
END_TEST

START_TEST(a_damaged_snapshot_is_named)
{
  char *dir = scratch_make(), expected[400];
  write_series(dir, 3);
  ASSERT_OK(result_begin(dir, -1, &error));
  ASSERT_OK(add_snapshot(dir, 100));
  scratch_write(dir, "snapshots/000000200.h5", "nothing", 7);
  ck_assert(!finish(dir));
  snprintf(expected, sizeof expected, "%s/snapshots/000000200.h5 is no HDF5 file, or damaged: HDF5 says: ", dir);
  ck_assert_msg(strncmp(error.text, expected, strlen(expected)) == 0, "%s", error.text);
  ck_assert_int_eq(scratch_count(dir, "snapshots"), 2);
  ck_assert(!scratch_has(dir, "result.h5"));
  assert_no_handles();
  scratch_remove(dir);
}
END_TEST

/* ---- Foreign and damaged files ----------------------------------------------------------------------------------- */

/* Describing fails, and the message has this in it. */
static void assert_not_ours(const char *dir, const char *name, const char *part)
{
  FILE *out = fopen("/dev/null", "w");
  ck_assert(!result_describe(scratch_path(dir, name), false, out, &error));
  ck_assert_msg(strstr(error.text, part) != NULL, "%s", error.text);
  ck_assert_msg(strstr(error.text, name) != NULL, "%s", error.text);
  fclose(out);
  assert_no_handles();
}

START_TEST(what_is_no_result_is_told)
{
  char *dir = scratch_make();
  assert_not_ours(dir, "none", "cannot read ");
  assert_not_ours(dir, ".", "it is no regular file");
  scratch_write(dir, "empty", "", 0);
  assert_not_ours(dir, "empty", "is no HDF5 file, or damaged: HDF5 says: ");
  scratch_write(dir, "text", "step,time\n1,2\n", 14);
  assert_not_ours(dir, "text", "is no HDF5 file, or damaged: HDF5 says: ");
  hid_t file = H5Fcreate(scratch_path(dir, "foreign.h5"), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  H5Fclose(file);
  assert_not_ours(dir, "foreign.h5", "is an HDF5 file, but neither a result nor a snapshot of jager");
  scratch_remove(dir);
}
END_TEST

/* A file of ours with something changed by plain HDF5. */
static hid_t change_result(const char *dir)
{
  hid_t file = H5Fopen(scratch_path(dir, "result.h5"), H5F_ACC_RDWR, H5P_DEFAULT);
  ck_assert_int_ge(file, 0);
  return file;
}

START_TEST(what_lacks_in_a_result_is_told)
{
  char *dir = scratch_make();
  make_run(dir);
  hid_t file = change_result(dir);
  H5Adelete_by_name(file, "/snapshots/000000100", "step", H5P_DEFAULT);
  H5Fclose(file);
  assert_not_ours(dir, "result.h5", "is damaged: its snapshot's step and time can not be read");
  file = change_result(dir);
  H5Ldelete(file, "snapshots", H5P_DEFAULT);
  H5Fclose(file);
  assert_not_ours(dir, "result.h5", "is damaged: its list of snapshots can not be read");
  file = change_result(dir);
  H5Ldelete(file, "series/q", H5P_DEFAULT);
  H5Fclose(file);
  assert_not_ours(dir, "result.h5", "is damaged: its series/q can not be read");
  file = change_result(dir);
  H5Ldelete(file, "series", H5P_DEFAULT);
  H5Fclose(file);
  assert_not_ours(dir, "result.h5", "is damaged: its series can not be read");
  file = change_result(dir);
  long long version = 2;
  hid_t attribute = H5Aopen(file, "format_version", H5P_DEFAULT);
  H5Awrite(attribute, H5T_NATIVE_LLONG, &version);
  H5Aclose(attribute);
  H5Fclose(file);
  assert_not_ours(dir, "result.h5", "is of another version of jager: its format is 2, known is 1");
  scratch_remove(dir);
}
END_TEST

static uint64_t random_number(uint64_t *state)
{
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return *state >> 24;
}

START_TEST(a_truncated_file_does_not_crash)
{
  char *dir = scratch_make();
  size_t size;
  make_run(dir);
  char *bytes = scratch_read(dir, "result.h5", &size);
  for (size_t length = 0; length < size; length += 1 + length / 8) {
    scratch_write(dir, "damaged.h5", bytes, length);
    assert_not_ours(dir, "damaged.h5", "is no HDF5 file, or damaged: HDF5 says: ");
  }
  free(bytes);
  scratch_remove(dir);
}
END_TEST

/* ---- Damage ------------------------------------------------------------------------------------------------------ */

enum { SMALL_RUN_SNAPSHOTS = 3, SMALL_RUN_END = 300, DAMAGES = 260 };

/* Snapshots with tables of both kinds, stored as they are and compressed. */
static void add_small_snapshots(const char *dir)
{
  for (int k = 1; k <= SMALL_RUN_SNAPSHOTS; k++) {
    dem_snapshot snapshot = sample_snapshot(100L * k, k == 1 ? 20 : 260, k == 1 ? 60 : 300);
    ASSERT_OK(result_add_snapshot(dir, &snapshot, &error));
    sample_free(&snapshot);
  }
}

static void make_small_run(const char *dir)
{
  write_series(dir, 20);
  ASSERT_OK(result_begin(dir, -1, &error));
  add_small_snapshots(dir);
  ASSERT_OK(finish(dir));
}

/* One bit, some bytes, a block of zeros, or the end cut off. */
static size_t damage(char *bytes, size_t size, int kind, uint64_t *state)
{
  size_t place = random_number(state) % size;
  if (kind % 8 == 0)
    return place;
  if (kind % 8 == 1)
    memset(bytes + place, 0, size - place < 512 ? size - place : 512);
  else if (kind % 8 == 2)
    for (int k = 0; k < 8; k++)
      bytes[random_number(state) % size] = (char)random_number(state);
  else
    bytes[place] = (char)(bytes[place] ^ 1 << random_number(state) % 8);
  return size;
}

/* Writes the bytes with the damage, which changes at least one of them. */
static void put_damaged(const char *dir, const char *name, const char *bytes, size_t size, int kind, uint64_t *state)
{
  char *copy = malloc(size);
  size_t left;
  do {
    memcpy(copy, bytes, size);
    left = damage(copy, size, kind, state);
  } while (left == size && memcmp(copy, bytes, size) == 0);
  scratch_write(dir, name, copy, left);
  free(copy);
}

static const char *snapshot_name(int k)
{
  static char name[64];
  snprintf(name, sizeof name, "snapshots/%09d.h5", 100 * k);
  return name;
}

/* The snapshot files of the directory are these. */
static void assert_same_snapshots(const char *dir, char *const expected[], const size_t sizes[], int try)
{
  ck_assert_int_eq(scratch_count(dir, "snapshots"), SMALL_RUN_SNAPSHOTS);
  for (int k = 1; k <= SMALL_RUN_SNAPSHOTS; k++) {
    size_t size;
    char *found = scratch_read(dir, snapshot_name(k), &size);
    ck_assert_msg(size == sizes[k - 1] && memcmp(found, expected[k - 1], size) == 0,
                  "damage %d has passed unnoticed into %s", try, snapshot_name(k));
    free(found);
  }
}

/* It was told, and the text names the file. */
static void assert_damage_told(const char *name, int try)
{
  ck_assert_msg(strstr(error.text, name) != NULL, "damage %d: %s", try, error.text);
  ck_assert_msg(strstr(error.text, "damaged") || strstr(error.text, "HDF5 failed"), "%s", error.text);
}

/* Reads the snapshots of a small run, as files. */
static void read_snapshots(const char *dir, char *bytes[], size_t sizes[])
{
  for (int k = 1; k <= SMALL_RUN_SNAPSHOTS; k++)
    bytes[k - 1] = scratch_read(dir, snapshot_name(k), &sizes[k - 1]);
}

static void write_snapshots(const char *dir, char *const bytes[], const size_t sizes[])
{
  (void)mkdir(scratch_path(dir, "snapshots"), 0777);
  for (int k = 1; k <= SMALL_RUN_SNAPSHOTS; k++)
    scratch_write(dir, snapshot_name(k), bytes[k - 1], sizes[k - 1]);
}

static void free_snapshots(char *bytes[])
{
  for (int k = 0; k < SMALL_RUN_SNAPSHOTS; k++)
    free(bytes[k]);
}

/*
 * A result is damaged at random. The oracle: going on from it fails and says so, or the snapshots taken out of it are
 * those that were put in, byte by byte.
 */
START_TEST(damage_of_a_result_does_not_pass)
{
  char *dir = scratch_make(), *snapshots[SMALL_RUN_SNAPSHOTS];
  size_t size, sizes[SMALL_RUN_SNAPSHOTS];
  uint64_t state = 20260701;
  int noticed = 0;
  add_small_snapshots(dir);
  read_snapshots(dir, snapshots, sizes);
  make_small_run(dir);
  char *bytes = scratch_read(dir, "result.h5", &size);
  for (int i = 0; i < DAMAGES; i++) {
    char *copy = scratch_make();
    put_damaged(copy, "result.h5", bytes, size, i, &state);
    if (result_begin(copy, SMALL_RUN_END, &error))
      assert_same_snapshots(copy, snapshots, sizes, i);
    else {
      assert_damage_told("result.h5", i);
      noticed++;
    }
    scratch_remove(copy);
  }
  printf("of %d damaged results %d were noticed; in the others no snapshot was hurt\n", DAMAGES, noticed);
  ck_assert_int_gt(noticed, DAMAGES / 2);
  free(bytes);
  free_snapshots(snapshots);
  scratch_remove(dir);
}
END_TEST

/* The same with the file of a snapshot: going on tells, or the file is good enough to get the snapshot back. */
START_TEST(damage_of_a_snapshot_does_not_pass)
{
  char *dir = scratch_make(), *snapshots[SMALL_RUN_SNAPSHOTS];
  size_t sizes[SMALL_RUN_SNAPSHOTS];
  uint64_t state = 20260702;
  int noticed = 0;
  write_series(dir, 3);
  add_small_snapshots(dir);
  read_snapshots(dir, snapshots, sizes);
  for (int i = 0; i < DAMAGES; i++) {
    int k = i / 8 % SMALL_RUN_SNAPSHOTS;
    write_snapshots(dir, snapshots, sizes);
    put_damaged(dir, snapshot_name(k + 1), snapshots[k], sizes[k], i, &state);
    if (result_begin(dir, SMALL_RUN_END, &error)) {
      ASSERT_OK(finish(dir));
      ASSERT_OK(result_begin(dir, SMALL_RUN_END, &error));
      assert_same_snapshots(dir, snapshots, sizes, i);
      ck_assert_int_eq(unlink(scratch_path(dir, "result.h5")), 0);
    } else {
      assert_damage_told(snapshot_name(k + 1), i);
      noticed++;
    }
  }
  printf("of %d damaged snapshots %d were noticed; in the others nothing was hurt\n", DAMAGES, noticed);
  ck_assert_int_gt(noticed, DAMAGES / 2);
  free_snapshots(snapshots);
  scratch_remove(dir);
}
END_TEST

/* A file that HDF5 cannot cope with is described in part or not at all; the program goes on. */
START_TEST(a_damaged_file_is_described_without_a_crash)
{
  char *dir = scratch_make();
  size_t size;
  uint64_t state = 20260703;
  make_small_run(dir);
  char *bytes = scratch_read(dir, "result.h5", &size);
  FILE *out = fopen("/dev/null", "w");
  for (int i = 0; i < DAMAGES; i++) {
    put_damaged(dir, "damaged.h5", bytes, size, i, &state);
    (void)result_describe(scratch_path(dir, "damaged.h5"), i % 2 == 0, out, &error);
    (void)result_print_input(scratch_path(dir, "damaged.h5"), out, &error);
    assert_no_handles();
  }
  fclose(out);
  free(bytes);
  scratch_remove(dir);
}
END_TEST

/* ---- Checksums and scales ---------------------------------------------------------------------------------------- */

/* Numbers and texts are in chunks with checksums, or in a header that has one; or there are none. */
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

/* A whole run, small and large tables, with no contacts at first; a long text as well. */
START_TEST(every_dataset_has_a_checksum_and_scales)
{
  char *dir = scratch_make(), *text = malloc(100001);
  int datasets = 0;
  memset(text, '#', 100000);
  text[100000] = '\0';
  dem_case run = dem_case_default();
  result_facts facts = {.run = &run, .input = text, .command = "jager run"};
  write_series(dir, 3);
  ASSERT_OK(add_snapshot(dir, 0));
  add_small_snapshots(dir);
  ASSERT_OK(result_finish(dir, &facts, &error));
  hid_t file = open_result(dir);
  ck_assert_int_ge(H5Ovisit2(file, H5_INDEX_NAME, H5_ITER_INC, check_object, &datasets, H5O_INFO_ALL), 0);
  ck_assert_int_eq(datasets, 2 + DEM_MEASURE_COUNT + (1 + SMALL_RUN_SNAPSHOTS) * (8 + 1 + 9 + 3));
  H5Fclose(file);
  char *printed;
  size_t size;
  FILE *out = open_memstream(&printed, &size);
  ASSERT_OK(result_print_input(scratch_path(dir, "result.h5"), out, &error));
  fclose(out);
  ck_assert_str_eq(printed, text);
  free(printed);
  free(text);
  scratch_remove(dir);
}
END_TEST

static void add_tests(Suite *suite)
{
  TCase *contents = tcase_create("contents"), *files = tcase_create("files"), *failures = tcase_create("failures");
  tcase_add_test(contents, the_root_tells_where_it_comes_from);
  tcase_add_test(contents, the_series_is_there_with_units);
  tcase_add_test(contents, snapshots_have_every_field);
  tcase_add_test(contents, large_tables_are_compressed_and_have_checksums);
  tcase_add_test(contents, the_input_is_kept_byte_by_byte);
  tcase_add_test(contents, a_run_of_nothing_is_a_result);
  tcase_add_test(contents, a_result_is_described);
  tcase_add_test(files, snapshots_are_files_until_the_end);
  tcase_add_test(files, going_on_drops_later_snapshots);
  tcase_add_test(files, a_run_that_had_ended_goes_on);
  tcase_add_test(files, a_new_run_removes_the_old_one);
  tcase_add_test(files, equal_snapshots_are_equal_files);
  tcase_add_test(failures, what_can_not_be_written_is_told);
  tcase_add_test(failures, a_full_disk_is_told_and_leaves_no_half);
  tcase_add_test(failures, a_result_that_does_not_fit_keeps_the_snapshots);
  tcase_add_test(failures, a_damaged_snapshot_is_named);
  tcase_add_test(failures, what_is_no_result_is_told);
  tcase_add_test(failures, what_lacks_in_a_result_is_told);
  tcase_add_test(failures, a_truncated_file_does_not_crash);
  tcase_add_test(failures, damage_of_a_result_does_not_pass);
  tcase_add_test(failures, damage_of_a_snapshot_does_not_pass);
  tcase_add_test(failures, a_damaged_file_is_described_without_a_crash);
  tcase_add_test(contents, every_dataset_has_a_checksum_and_scales);
  suite_add_tcase(suite, contents);
  suite_add_tcase(suite, files);
  suite_add_tcase(suite, failures);
}

int main(void)
{
  return run_suite("result", add_tests);
}
