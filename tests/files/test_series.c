/* SPDX-License-Identifier: MIT */
/*
 * series.csv. Written numbers are read back, bit by bit. A run that resumes from a checkpoint must leave the same
 * bytes as an uninterrupted one. Errors are checked by the whole text of their messages.
 */
#define _GNU_SOURCE
#include "assert_ok.h"
#include "base/text.h"
#include "base/file_system.h"
#include "scratch.h"
#include "dem/cycles.h"
#include "files/tables.h"
#include "support.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdint.h>

FIXTURE_EACH(make_directory, remove_directory)

/* ---- Measures ---------------------------------------------------------------------------------------------------- */

static double *field_of(dem_measures *measures, int k)
{
  return (double *)(void *)((char *)measures + (size_t)k * sizeof(double));
}

/* Random bits as doubles; all NaN are equal. */
static dem_measures random_measures(uint64_t *state)
{
  dem_measures measures = {0};
  for (int k = 0; k < DEM_MEASURE_COUNT; k++) {
    uint64_t bits = random_bits(state);
    double value;
    memcpy(&value, &bits, sizeof value);
    if (k % 3 == 0)
      value = (double)(bits >> 40);
    *field_of(&measures, k) = isnan(value) ? NAN : value;
  }
  return measures;
}

static dem_measures row_of(int i)
{
  dem_measures measures = {.step = 100.0 * i, .stage = i / 4, .time = 1e-5 * i, .p = 1e5 / (i + 1), .q = -0.1 * i};
  return measures;
}

static void add_rows(append_file *output, int from, int to)
{
  for (int i = from; i < to; i++) {
    dem_measures measures = row_of(i);
    ASSERT_OK(series_add(output, &measures, &error));
  }
}

/* ---- Writing and reading ----------------------------------------------------------------------------------------- */

TEST(written_numbers_are_read_bit_by_bit)
{
  enum { ROWS = 1000 };
  append_file output;
  uint64_t state = 7, again = 7;
  ASSERT_OK(series_open(&output, directory, -1, &error));
  for (int i = 0; i < ROWS; i++) {
    dem_measures measures = random_measures(&state);
    ASSERT_OK(series_add(&output, &measures, &error));
  }
  ASSERT_OK(append_file_close(&output, &error));
  series_table table;
  ASSERT_OK(series_load(&table, directory, &error));
  ck_assert_uint_eq(table.rows, ROWS);
  for (size_t row = 0; row < ROWS; row++) {
    dem_measures expected = random_measures(&again);
    for (int k = 0; k < DEM_MEASURE_COUNT; k++) {
      double value = *field_of(&expected, k), read = table.columns[k][row];
      ck_assert_msg(memcmp(&value, &read, sizeof value) == 0 || (isnan(value) && isnan(read)) ||
                        (value == 0.0 && read == 0.0),
                    "row %zu, %s: %.17g instead of %.17g", row, dem_measure_name(k), read, value);
    }
  }
  series_table_free(&table);
}

TEST(the_text_is_plain_csv)
{
  append_file output;
  dem_measures measures = {.step = 123456789012.0,
                           .stage = 2,
                           .time = 0.1,
                           .time_step = -0.0,
                           .strain_xx = NAN,
                           .strain_yy = INFINITY,
                           .strain_zz = -INFINITY,
                           .strain_xy = 1e-5};
  ASSERT_OK(series_open(&output, directory, -1, &error));
  ASSERT_OK(series_add(&output, &measures, &error));
  ASSERT_OK(append_file_close(&output, &error));
  char *text = scratch_read(directory, "series.csv", NULL);
  static const char header[] = "step,stage,time,time_step,strain_xx,strain_yy,", last[] = ",axis_yz\n";
  static const char row[] = "\n123456789012,2,0.10000000000000001,0,nan,inf,-inf,1.0000000000000001e-05,0,0,";
  ck_assert_int_eq(strncmp(text, header, sizeof header - 1), 0);
  ck_assert_ptr_nonnull(strstr(text, last));
  ck_assert_msg(strncmp(strchr(text, '\n'), row, sizeof row - 1) == 0, "%s", text);
  ck_assert_str_eq(text + strlen(text) - 3, ",0\n");
  free(text);
}

/* If the program is killed, the file has all lines. */
TEST(each_line_is_in_the_file_at_once)
{
  append_file output;
  struct stat status;
  ASSERT_OK(series_open(&output, directory, -1, &error));
  for (int i = 0; i < 5; i++) {
    add_rows(&output, i, i + 1);
    ck_assert_int_eq(stat(scratch_path(directory, "series.csv"), &status), 0);
    ck_assert_int_eq(append_file_position(&output), (long long)status.st_size);
  }
  ASSERT_OK(append_file_sync(&output, &error));
  ASSERT_OK(append_file_close(&output, &error));
}

TEST(a_new_series_replaces_an_old_one)
{
  append_file output = {0};
  series_table table;
  ASSERT_OK(append_file_close(&output, &error)); /* it was never open */
  for (int rows = 8; rows >= 0; rows -= 4) {
    ASSERT_OK(series_open(&output, directory, -1, &error));
    add_rows(&output, 0, rows);
    ASSERT_OK(append_file_close(&output, &error));
    ASSERT_OK(series_load(&table, directory, &error));
    ck_assert_uint_eq(table.rows, (size_t)rows);
    series_table_free(&table);
  }
}

/* ---- Locales ----------------------------------------------------------------------------------------------------- */

static const char *set_locale_with_comma(void)
{
  static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "de_DE", "fr_FR.UTF-8", "fr_FR.utf8", "ps_AF.utf8"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (setlocale(LC_NUMERIC, names[i]) && strcmp(localeconv()->decimal_point, ".") != 0)
      return names[i];
  return NULL;
}

/* If the locale is not installed, this checks the numbers only. */
TEST(numbers_are_the_same_in_every_locale)
{
  static const double values[] = {0.0, -0.0, 1.0, -1.0, 0.1, -2.5, 1e17, -1.25e-30, DBL_MAX, DBL_MIN, 12345678.9};
  char plain[NUMBER_PRINT_SIZE], expected[64];
  const char *locale = set_locale_with_comma();
  for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
    int length = number_print(values[i], plain);
    setlocale(LC_NUMERIC, "C");
    snprintf(expected, sizeof expected, "%.17g", values[i] + 0.0);
    ck_assert_str_eq(plain, expected);
    ck_assert_int_eq(length, (int)strlen(expected));
    if (locale)
      setlocale(LC_NUMERIC, locale);
  }
  setlocale(LC_NUMERIC, "C");
}

/* ---- Going on ---------------------------------------------------------------------------------------------------- */

TEST(a_resumed_run_leaves_the_same_bytes)
{
  char *whole = scratch_make(), *stopped = scratch_make();
  append_file output;
  ASSERT_OK(series_open(&output, whole, -1, &error));
  add_rows(&output, 0, 20);
  ASSERT_OK(append_file_close(&output, &error));
  ASSERT_OK(series_open(&output, stopped, -1, &error));
  add_rows(&output, 0, 7);
  long long position = append_file_position(&output);
  add_rows(&output, 7, 12); /* after the checkpoint: written again */
  ASSERT_OK(append_file_write(&output, "12,0,", 5, &error));
  ASSERT_OK(append_file_close(&output, &error));
  ASSERT_OK(series_open(&output, stopped, position, &error));
  ck_assert_int_eq(append_file_position(&output), position);
  add_rows(&output, 7, 20);
  ASSERT_OK(append_file_close(&output, &error));
  char *expected = scratch_read(whole, "series.csv", NULL), *found = scratch_read(stopped, "series.csv", NULL);
  ck_assert_str_eq(found, expected);
  free(expected);
  free(found);
  scratch_remove(whole);
  scratch_remove(stopped);
}

/* Asserts that resuming is refused with this message, and that the file is unchanged. */
static void assert_refused(const char *dir, long long keep, const char *format)
{
  char expected[sizeof error.text];
  size_t before = 0, after = 0;
  char *old = scratch_read(dir, "series.csv", &before);
  append_file output;
  ck_assert(!series_open(&output, dir, keep, &error));
  snprintf(expected, sizeof expected, format, dir);
  ck_assert_str_eq(error.text, expected);
  char *new = scratch_read(dir, "series.csv", &after);
  ck_assert(before == after && memcmp(old, new, before) == 0);
  free(old);
  free(new);
}

TEST(a_changed_file_is_not_resumed)
{
  char text[300];
  append_file output;
  ASSERT_OK(series_open(&output, directory, -1, &error));
  long long header = append_file_position(&output);
  add_rows(&output, 0, 3);
  long long position = append_file_position(&output);
  ASSERT_OK(append_file_close(&output, &error));
  snprintf(text, sizeof text, "%%s/series.csv has %lld bytes, but had %lld when the checkpoint was written", position,
           position + 1);
  assert_refused(directory, position + 1, text);
  snprintf(text, sizeof text, "%%s/series.csv was changed after the checkpoint: no line ends at its byte %lld",
           position - 1);
  assert_refused(directory, position - 1, text);
  static const char columns[] =
      "%s/series.csv does not have the columns of this version of jager: the run cannot be resumed";
  assert_refused(directory, header - 1, columns);
  assert_refused(directory, 0, columns);
  scratch_write(directory, "series.csv", "step,stage\n1,2\n", 15);
  assert_refused(directory, 15, columns);
  scratch_write(directory, "series.csv", "", 0);
  assert_refused(directory, 0, columns);
}

TEST(a_missing_file_is_not_resumed)
{
  char expected[300];
  append_file output;
  ck_assert(!series_open(&output, directory, 1000, &error));
  snprintf(expected, sizeof expected, "cannot open %s/series.csv: No such file or directory", directory);
  ck_assert_str_eq(error.text, expected);
  ck_assert(!scratch_has(directory, "series.csv"));
}

/* ---- Failures of writing ----------------------------------------------------------------------------------------- */

TEST(a_missing_directory_is_reported)
{
  char expected[300];
  append_file output;
  ck_assert(!series_open(&output, scratch_path(directory, "none"), -1, &error));
  snprintf(expected, sizeof expected, "cannot create %s/none/series.csv: No such file or directory", directory);
  ck_assert_str_eq(error.text, expected);
  scratch_write(directory, "file", "", 0);
  ck_assert(!series_open(&output, scratch_path(directory, "file"), -1, &error));
  snprintf(expected, sizeof expected, "cannot create %s/file/series.csv: Not a directory", directory);
  ck_assert_str_eq(error.text, expected);
}

TEST(a_full_disk_is_reported)
{
  char expected[300];
  append_file output;
  ck_assert_int_eq(symlink("/dev/full", scratch_path(directory, "series.csv")), 0);
  ck_assert(!series_open(&output, directory, -1, &error));
  snprintf(expected, sizeof expected, "cannot write %s/series.csv: No space left on device", directory);
  ck_assert_str_eq(error.text, expected);
}

/* The disk is full within a line: the line is removed, and the run can continue after the lines before it. */
TEST(a_line_that_does_not_fit_is_removed)
{
  char expected[300];
  append_file output;
  series_table table;
  ASSERT_OK(series_open(&output, directory, -1, &error));
  add_rows(&output, 0, 4);
  long long position = append_file_position(&output);
  dem_measures measures = row_of(4);
  scratch_limit_files((rlim_t)position + 20);
  bool is_added = series_add(&output, &measures, &error);
  scratch_limit_files(RLIM_INFINITY);
  ck_assert(!is_added);
  snprintf(expected, sizeof expected, "cannot write %s/series.csv: File too large", directory);
  ck_assert_str_eq(error.text, expected);
  ck_assert_int_eq(append_file_position(&output), position);
  ASSERT_OK(series_load(&table, directory, &error));
  ck_assert_uint_eq(table.rows, 4);
  series_table_free(&table);
  add_rows(&output, 4, 6);
  ASSERT_OK(append_file_close(&output, &error));
  ASSERT_OK(series_load(&table, directory, &error));
  ck_assert_uint_eq(table.rows, 6);
  ck_assert(SERIES_COLUMN(&table, step)[5] == 500.0);
  series_table_free(&table);
}

/* ---- Damaged files ----------------------------------------------------------------------------------------------- */

/* Loads a series with this text after its first two rows. */
static bool load_with(const char *dir, const char *end, series_table *table)
{
  append_file output;
  ASSERT_OK(series_open(&output, dir, -1, &error));
  add_rows(&output, 0, 2);
  if (*end)
    ASSERT_OK(append_file_write(&output, end, strlen(end), &error));
  ASSERT_OK(append_file_close(&output, &error));
  return series_load(table, dir, &error);
}

TEST(an_incomplete_last_line_is_ignored)
{
  static const char *const ends[] = {"", "3", "3,1,0.5", "x"};
  series_table table;
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
    ASSERT_OK(load_with(directory, ends[i], &table));
    ck_assert_uint_eq(table.rows, 2);
    series_table_free(&table);
  }
}

TEST(files_that_are_not_series_are_refused)
{
  static const struct {
    const char *end;
    int column;
  } cases[] = {{"\n", 1}, {"1,2,3\n", 5}, {"1,2,x,\n", 5}, {"1,,\n", 3}, {"1;2\n", 1}, {"nano,1\n", 1}, {"1,0x1\n", 3}};
  char expected[300];
  series_table table;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    ck_assert(!load_with(directory, cases[i].end, &table));
    snprintf(expected, sizeof expected, "%s/series.csv:4:%d: not a number, or not %d of them", directory,
             cases[i].column, (int)DEM_MEASURE_COUNT);
    ck_assert_str_eq(error.text, expected);
  }
  scratch_write(directory, "series.csv", "time,p\n", 7);
  ck_assert(!series_load(&table, directory, &error));
  snprintf(expected, sizeof expected, "%s/series.csv:1:1: these are not the columns of this version of jager",
           directory);
  ck_assert_str_eq(error.text, expected);
  scratch_write(directory, "series.csv", "", 0);
  ck_assert(!series_load(&table, directory, &error));
  ck_assert_str_eq(error.text, expected);
  ck_assert(!series_load(&table, scratch_path(directory, "none"), &error));
  snprintf(expected, sizeof expected, "cannot open %s/none/series.csv: No such file or directory", directory);
  ck_assert_str_eq(error.text, expected);
  ck_assert_int_eq(mkdir(scratch_path(directory, "odd"), 0777), 0);
  ck_assert_int_eq(mkdir(scratch_path(directory, "odd/series.csv"), 0777), 0);
  ck_assert(!series_load(&table, scratch_path(directory, "odd"), &error));
  snprintf(expected, sizeof expected, "cannot open %s/odd/series.csv: it is a directory", directory);
  ck_assert_str_eq(error.text, expected);
  ck_assert_int_eq(mkdir(scratch_path(directory, "pipe"), 0777), 0);
  ck_assert_int_eq(mkfifo(scratch_path(directory, "pipe/series.csv"), 0666), 0);
  ck_assert(!series_load(&table, scratch_path(directory, "pipe"), &error)); /* without waiting for a writer */
}

/* ---- The documentation ------------------------------------------------------------------------------------------- */

/* Asserts that docs/files.md has a row for each name, one after the other. */
static void assert_documented(int count, const char *(*name)(int), const char *(*unit)(int),
                              const char *(*meaning)(int))
{
  char *docs = scratch_read(JAGER_SOURCE_DIR, "docs/files.md", NULL), *table;
  size_t size;
  FILE *stream = open_memstream(&table, &size);
  for (int k = 0; k < count; k++) {
    fprintf(stream, "| `%s` | %s | ", name(k), unit(k));
    for (const char *c = meaning(k); *c; c++)
      fprintf(stream, *c == '|' ? "\\%c" : "%c", *c);
    fprintf(stream, " |\n");
  }
  fclose(stream);
  ck_assert_msg(strstr(docs, table) != NULL, "docs/files.md should have this table:\n%.6000s", table);
  free(docs);
  free(table);
}

TEST(the_documentation_has_all_columns)
{
  assert_documented(DEM_MEASURE_COUNT, dem_measure_name, dem_measure_unit, dem_measure_meaning);
  assert_documented(DEM_CYCLE_VALUES, dem_cycle_name, dem_cycle_unit, dem_cycle_meaning);
}

/* The columns of docs/files.md in their order; 0.1 and NaN as printf("%.17g") writes them. */
TEST(tables_of_ready_tests_are_written)
{
  const reduction_row reductions[2] = {
      {"jager", 1.0, 1e-5, 5e7, 1.0, 0.25, 0.5, 0.75, NAN, 0.125, 2.0, 500.0, 0.625},
      {"linear", 2.0, 1e-4, 4e7, 0.5, -0.25, 0.0, 3.0, 4.0, 5.0, 0.0, 6.0, 7.0},
  };
  const resistance_row resistance = {"hertz-mindlin", 0.5, 0.0, 1.0, NAN, 7.0, 8.0, 9.5, 0.75, 0.0375, 0.625};
  size_t size;
  ASSERT_OK(reduction_write(directory, reductions, 2, &error));
  char *text = scratch_read(directory, "reduction.csv", &size);
  ck_assert_str_eq(text, "model,test,gamma,shear_modulus,modulus_ratio,damping_ratio,damping_ratio_numerical,"
                         "damping_ratio_loop,damping_ratio_tolerance,damping_ratio_residual,doubtful,stress_amplitude,"
                         "void_ratio\n"
                         "jager,1,1.0000000000000001e-05,50000000,1,0.25,0.5,0.75,nan,0.125,2,500,0.625\n"
                         "linear,2,0.0001,40000000,0.5,-0.25,0,3,4,5,0,6,7\n");
  free(text);
  ASSERT_OK(resistance_write(directory, &resistance, 1, &error));
  text = scratch_read(directory, "resistance.csv", &size);
  ck_assert_str_eq(text,
                   "model,csr,static_stress_ratio,flow_failure,cycles,cycles_r_u,cycles_strain,cycles_done,r_u_max,"
                   "strain_max,void_ratio\n"
                   "hertz-mindlin,0.5,0,1,nan,7,8,9.5,0.75,0.037499999999999999,0.625\n");
  free(text);
  char expected[400];
  ck_assert(!reduction_write(scratch_path(directory, "none"), reductions, 2, &error));
  snprintf(expected, sizeof expected, "cannot write %s/none/reduction.csv: No such file or directory", directory);
  ck_assert_str_eq(error.text, expected);
}
