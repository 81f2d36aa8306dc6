/* SPDX-License-Identifier: MIT */
/* Pictures of runs: the quantities at their axes, and drawing by gnuplot without a message. The series are made up. */
#define _GNU_SOURCE
#include "assert_ok.h"
#include "made_series.h"
#include "pictures/gnuplot.h"
#include "pictures/run_picture.h"
#include "scratch.h"
#include "support.h"

#include <fcntl.h>

/* ---- Scripts ----------------------------------------------------------------------------------------------------- */

/* The commands for gnuplot, to be freed. */
static char *script_of(const maker *made, const char *name)
{
  FILE *stream = tmpfile();
  int number = 0;
  while (strcmp(run_picture_name(number), name) != 0)
    number++;
  run_picture_write(number, &made->table, &made->run, "set terminal dumb", stream);
  size_t size = (size_t)ftell(stream);
  char *text = calloc(size + 1, 1);
  rewind(stream);
  ck_assert_uint_eq(fread(text, 1, size, stream), size);
  fclose(stream);
  return text;
}

static void assert_labels(const maker *made, const char *name, const char *const labels[])
{
  char *script = script_of(made, name);
  for (int i = 0; labels[i]; i++)
    ck_assert_msg(strstr(script, labels[i]) != NULL, "'%s' is not in the script:\n%.3000s", labels[i], script);
  free(script);
}

START_TEST(axes_are_named_with_units)
{
  maker made = MAKE(consolidation, triaxial);
  assert_labels(&made, "stress-strain",
                (const char *const[]){"xlabel 'compressive strain {/:Italic ε}_{zz} since the start of stage 2  (%)'",
                                      "ylabel 'stress  (kPa)'", "ylabel 'stress ratio {/:Italic q} / {/:Italic p}",
                                      NULL});
  assert_labels(&made, "energy",
                (const char *const[]){"ylabel 'energy since the start of stage 2  (µJ)'", "dissipated by friction",
                                      "set logscale y", NULL});
  assert_labels(&made, "history-length",
                (const char *const[]){"ylabel 'mean length of the histories  (points)'", NULL});
  series_table_free(&made.table);
  made = MAKE(consolidation, cyclic);
  assert_labels(&made, "stress-strain",
                (const char *const[]){"xlabel 'shear strain {/:Italic γ}_{yz} = 2{/:Italic ε}_{yz} since",
                                      "xlabel 'mean stress {/:Italic p}  (kPa)'", NULL});
  assert_labels(&made, "volumetric-strain",
                (const char *const[]){"xlabel 'time steps since the start of stage 2  (thousands)'", NULL});
  series_table_free(&made.table);
  made = MAKE(consolidation, biaxial); /* dilates more than it is compressed */
  assert_labels(&made, "stress-strain",
                (const char *const[]){"ylabel 'stress ratio {/:Italic σ}_{xx} / {/:Italic σ}_{zz}",
                                      "title 'deviator {/:Italic q}_{xx}", NULL});
  series_table_free(&made.table);
  made = make_series(NULL, 0);
  assert_labels(&made, "stress-strain", (const char *const[]){"xlabel 'time steps since the start of the run", NULL});
  series_table_free(&made.table);
}
END_TEST

/* How many numbers in the second column of the first panel's data differ from the first one. */
static int different_values(const char *script)
{
  int count = 0;
  double first = NAN, across, up;
  for (const char *line = strchr(strstr(script, "$data << EOD"), '\n') + 1; *line != 'E';
       line = strchr(line, '\n') + 1) {
    ck_assert_int_eq(sscanf(line, "%lf %lf", &across, &up), 2);
    first = isnan(first) ? up : first;
    count += fabs(up - first) > 1e-9 * fabs(first);
  }
  return count;
}

/* At constant volume the volumetric strain is zero: other quantities are drawn. */
START_TEST(constant_volume_is_not_drawn)
{
  maker made = MAKE(undrained);
  static const char *const labels[] = {
      "xlabel 'mean stress {/:Italic p}  (kPa)'", "ylabel 'deviator {/:Italic q}",
      "ylabel 'pore pressure ratio {/:Italic r}_{u} = 1 − {/:Italic p} / {/:Italic p}_{0}", NULL};
  assert_labels(&made, "volumetric-strain", labels);
  char *script = script_of(&made, "volumetric-strain");
  ck_assert_int_gt(different_values(script), 200);
  ck_assert_ptr_null(strstr(script, "volumetric"));
  free(script);
  series_table_free(&made.table);
}
END_TEST

/* Titles have the stages that are shown. Small strains are in units of 10^-6. */
START_TEST(titles_have_the_stages)
{
  static const stage_shape small = {.strain = {0.0, 0.0, 5e-6}, .rows = 20, .driven = ZZ};
  maker made = MAKE(consolidation, triaxial, unloading);
  assert_labels(&made, "stress-strain", (const char *const[]){"stages 2 (some) to 3 (some) of 3\"", NULL});
  series_table_free(&made.table);
  made = MAKE(consolidation, shear);
  assert_labels(&made, "stress-strain", (const char *const[]){"stage 2 (some) of 2\"", NULL});
  series_table_free(&made.table);
  made = MAKE(small);
  assert_labels(&made, "stress-strain", (const char *const[]){"since the start of stage 1  (10^{−6})'", NULL});
  series_table_free(&made.table);
}
END_TEST

START_TEST(long_series_are_thinned_out)
{
  stage_shape longest = triaxial;
  longest.rows = 100000;
  maker made = MAKE(longest);
  char *script = script_of(&made, "volumetric-strain");
  const char *line = strstr(script, "$data << EOD\n");
  int points = -1;
  double last = 0.0;
  for (; *line != 'E'; line = strchr(line, '\n') + 1, points++)
    last = strtod(line, NULL);
  ck_assert_int_ge(points, 2000);
  ck_assert_int_le(points, 4001);
  ck_assert_double_eq_tol(last, 10.0, 1e-12);
  free(script);
  series_table_free(&made.table);
}
END_TEST

/* ---- Pictures ---------------------------------------------------------------------------------------------------- */

static void write_series_file(const char *dir, const series_table *table)
{
  series output;
  ASSERT_OK(series_open(&output, dir, -1, &error));
  for (size_t row = 0; row < table->rows; row++) {
    dem_measures measures;
    for (int k = 0; k < DEM_MEASURE_COUNT; k++)
      memcpy((char *)&measures + (size_t)k * sizeof(double), &table->columns[k][row], sizeof(double));
    ASSERT_OK(series_add(&output, &measures, &error));
  }
  ASSERT_OK(series_close(&output, &error));
}

/* Draws with stderr in a file: gnuplot must not print any message. */
static void assert_drawn(const series_table *table, const dem_case *run)
{
  char *dir = scratch_make(), name[64];
  size_t size;
  int count = 0;
  write_series_file(dir, table);
  int before = dup(STDERR_FILENO), file = open(scratch_path(dir, "stderr"), O_CREAT | O_WRONLY, 0666);
  dup2(file, STDERR_FILENO);
  run_picture_result result = run_picture_draw_all(dir, run, &error);
  dup2(before, STDERR_FILENO);
  close(before);
  close(file);
  ck_assert_msg(result == RUN_PICTURE_DRAWN, "%s", error.text);
  char *said = scratch_read(dir, "stderr", &size);
  ck_assert_msg(size == 0, "gnuplot says: %s", said);
  free(said);
  for (; run_picture_name(count); count++) {
    snprintf(name, sizeof name, "%s.png", run_picture_name(count));
    char *picture = scratch_read(dir, name, &size);
    ck_assert_msg(size > 5000 && memcmp(picture, "\x89PNG", 4) == 0, "%s, of %zu bytes, is no picture", name, size);
    free(picture);
    snprintf(name, sizeof name, "%s.svg", run_picture_name(count));
    picture = scratch_read(dir, name, &size);
    ck_assert_msg(strstr(picture, "<svg") && strstr(picture, "</svg>"), "%s is not whole", name);
    free(picture);
  }
  ck_assert_int_ge(count, 4);
  ck_assert_msg(scratch_count(dir, ".") == 2 * count + 2,
                "%d files instead of two files a picture, series.csv and stderr", scratch_count(dir, "."));
  scratch_remove(dir);
}

/* Where the series counts cycles, they are the abscissa, and loops have their colours, over all stages shown. */
START_TEST(loops_are_coloured_by_cycles)
{
  maker made = MAKE(consolidation, cyclic, cyclic);
  size_t rows = made.table.rows, stage_rows = (size_t)cyclic.rows;
  for (size_t k = 0; k < 2 * stage_rows; k++)
    SERIES_COLUMN(&made.table, cycle)
  [rows - 2 * stage_rows + k] = 5.0 * (double)(k % stage_rows + 1) / (double)stage_rows;
  assert_labels(&made, "stress-strain",
                (const char *const[]){"set palette", "set cbrange [0:10]", "set cblabel 'cycle'",
                                      "using 1:2:3 with lines", "lc palette", NULL});
  assert_labels(&made, "volumetric-strain",
                (const char *const[]){"xlabel 'number of cycles {/:Italic N} since the start of stage 2", NULL});
  char *script = script_of(&made, "stress-strain");
  double across, up, cycle, last = 0.0;
  for (const char *line = strchr(strstr(script, "$data << EOD"), '\n') + 1; *line != 'E';
       line = strchr(line, '\n') + 1) {
    ck_assert_int_eq(sscanf(line, "%lf %lf %lf", &across, &up, &cycle), 3);
    ck_assert_double_ge(cycle, last);
    last = cycle;
  }
  assert_within(last, 10.0, 1e-9);
  free(script);
  if (gnuplot_is_installed())
    assert_drawn(&made.table, &made.run);
  series_table_free(&made.table);
}
END_TEST

START_TEST(every_kind_of_test_is_drawn)
{
  static const stage_shape *const shapes[] = {&triaxial,  &biaxial,       &shear,    &cyclic,
                                              &isotropic, &consolidation, &undrained};
  if (!gnuplot_is_installed())
    return;
  maker made = MAKE(consolidation, *shapes[_i]);
  assert_drawn(&made.table, &made.run);
  series_table_free(&made.table);
}
END_TEST

START_TEST(odd_series_are_drawn)
{
  char title[] = "it's \"odd\" \\ `x` $y {a}_b^c @d %s";
  if (!gnuplot_is_installed())
    return;
  maker made = MAKE(triaxial);
  made.run.title = title;
  strcpy(made.run.stages[0].name, "a'b\"c_{d}`");
  assert_drawn(&made.table, &made.run);
  for (size_t row = 0; row < made.table.rows; row++) {
    SERIES_COLUMN(&made.table, energy_error)[row] = 0.0; /* nothing for a logarithmic axis */
    SERIES_COLUMN(&made.table, history_max)[row] = NAN;
    SERIES_COLUMN(&made.table, history_mean)[row] = 3.0;
    SERIES_COLUMN(&made.table, p)[row] = 0.0; /* the ratio is infinite */
    SERIES_COLUMN(&made.table, void_ratio)[row] = row % 2 ? INFINITY : -1e300;
  }
  assert_drawn(&made.table, &made.run);
  made.table.rows = 2;
  assert_drawn(&made.table, &made.run);
  for (int k = 0; k < DEM_MEASURE_COUNT; k++)
    made.table.columns[k][0] = made.table.columns[k][1] = 0.0;
  assert_drawn(&made.table, &made.run);
  for (int k = 0; k < DEM_MEASURE_COUNT; k++)
    made.table.columns[k][0] = made.table.columns[k][1] = NAN;
  assert_drawn(&made.table, &made.run);
  series_table_free(&made.table);
}
END_TEST

START_TEST(without_gnuplot_or_rows_there_is_no_picture)
{
  char *dir = scratch_make();
  maker made = MAKE(triaxial);
  made.table.rows = 1;
  write_series_file(dir, &made.table);
  if (gnuplot_is_installed()) {
    ck_assert_int_eq(run_picture_draw_all(dir, &made.run, &error), RUN_PICTURE_SKIPPED);
    ck_assert_str_eq(error.text, "the series has fewer than two rows");
    ck_assert_int_eq(run_picture_draw_all(scratch_path(dir, "none"), &made.run, &error), RUN_PICTURE_FAILED);
  }
  setenv("PATH", dir, 1);
  ck_assert_int_eq(run_picture_draw_all(dir, &made.run, &error), RUN_PICTURE_SKIPPED);
  ck_assert_str_eq(error.text, "gnuplot is not installed (Debian, Ubuntu: apt install gnuplot-nox)");
  ck_assert_int_eq(scratch_count(dir, "."), 1);
  series_table_free(&made.table);
  scratch_remove(dir);
}
END_TEST

START_TEST(a_gnuplot_that_fails_leaves_nothing)
{
  static const char *const scripts[] = {"#!/bin/sh\nexit 3\n", "#!/bin/sh\nexec cat > /dev/null\n"};
  char *dir = scratch_make(), *bin = scratch_make(), *path, expected[300];
  maker made = MAKE(triaxial);
  write_series_file(dir, &made.table);
  signal(SIGPIPE, SIG_IGN); /* as the program does */
  ck_assert_int_gt(asprintf(&path, "%s:%s", bin, getenv("PATH")), 0);
  setenv("PATH", path, 1);
  for (int i = 0; i < 2; i++) {
    scratch_write(bin, "gnuplot", scripts[i], strlen(scripts[i]));
    ck_assert_int_eq(chmod(scratch_path(bin, "gnuplot"), 0777), 0);
    ck_assert_int_eq(run_picture_draw_all(dir, &made.run, &error), RUN_PICTURE_FAILED);
    snprintf(expected, sizeof expected, "gnuplot could not draw %s/stress-strain.png", dir);
    ck_assert_str_eq(error.text, expected);
    ck_assert_int_eq(scratch_count(dir, "."), 1);
  }
  free(path);
  series_table_free(&made.table);
  scratch_remove(dir);
  scratch_remove(bin);
}
END_TEST

static void add_tests(Suite *suite)
{
  TCase *pictures = tcase_create("pictures");
  tcase_add_test(pictures, axes_are_named_with_units);
  tcase_add_test(pictures, loops_are_coloured_by_cycles);
  tcase_add_test(pictures, constant_volume_is_not_drawn);
  tcase_add_test(pictures, titles_have_the_stages);
  tcase_add_test(pictures, long_series_are_thinned_out);
  tcase_add_loop_test(pictures, every_kind_of_test_is_drawn, 0, 7);
  tcase_add_test(pictures, odd_series_are_drawn);
  tcase_add_test(pictures, without_gnuplot_or_rows_there_is_no_picture);
  tcase_add_test(pictures, a_gnuplot_that_fails_leaves_nothing);
  suite_add_tcase(suite, pictures);
}

int main(void)
{
  return run_suite("run_picture", add_tests);
}
