/* SPDX-License-Identifier: MIT */
/*
 * Pictures of runs: what kind of test a series is taken for, what is drawn over what, and that gnuplot draws it without
 * a word. The series are made up.
 */
#define _GNU_SOURCE
#include "pictures/gnuplot.h"
#include "pictures/run_figure.h"
#include "pictures/run_plot.h"
#include "scratch.h"
#include "support.h"

#include <check.h>
#include <fcntl.h>
#include <math.h>

static error_info error;

#define ASSERT_OK(call) ck_assert_msg(call, "%s", error.text)

/* ---- Series ------------------------------------------------------------------------------------------------------ */

/* A way of straining: the strain of each component at the end of a stage, and how it gets there. */
typedef struct stage_shape {
  double strain[DEM_COMPONENTS];
  double cycles; /* 0: straight */
  int rows;
  unsigned driven; /* bits of the components whose strain the case prescribes; the others are held at the pressure */
  double pressure; /* Pa; 0: 100 kPa, that of packing */
} stage_shape;

typedef struct maker {
  dem_case run;
  series_table table;
  size_t capacity;
} maker;

static void add_row(maker *made, const dem_measures *measures)
{
  if (made->table.rows == made->capacity) {
    made->capacity = 2 * made->capacity + 64;
    for (int k = 0; k < DEM_MEASURE_COUNT; k++)
      made->table.columns[k] = realloc(made->table.columns[k], made->capacity * sizeof(double));
  }
  for (int k = 0; k < DEM_MEASURE_COUNT; k++)
    made->table.columns[k][made->table.rows] = dem_measure_value(measures, k);
  made->table.rows++;
}

static void fill_in(dem_measures *m, double done)
{
  m->stress_xx = m->stress_yy = 1e5;
  m->stress_zz = 1e5 * (1.0 + tanh(4.0 * done));
  m->stress_xy = 3e4 * tanh(3.0 * done);
  m->p = (m->stress_xx + m->stress_yy + m->stress_zz) / 3.0;
  m->q = m->stress_zz - m->stress_xx;
  m->volumetric_strain = m->strain_xx + m->strain_yy + m->strain_zz;
  m->void_ratio = 0.7 - 1.7 * m->volumetric_strain;
  m->history_mean = 2.0 + 3.0 * done;
  m->history_max = floor(4.0 + 50.0 * done);
  m->work = 1e-3 * done;
  m->dissipated_friction = 8e-4 * done;
  m->energy_error = 1e-8 * (1.0 + done);
}

static void add_stage(maker *made, dem_measures *at, const stage_shape *shape)
{
  const dem_measures start = *at;
  const double from[DEM_COMPONENTS] = {start.strain_xx, start.strain_yy, start.strain_zz,
                                       start.strain_xy, start.strain_xz, start.strain_yz};
  double *const to[DEM_COMPONENTS] = {&at->strain_xx, &at->strain_yy, &at->strain_zz,
                                      &at->strain_xy, &at->strain_xz, &at->strain_yz};
  at->stage = start.stage + 1.0;
  for (int i = 1; i <= shape->rows; i++) {
    double done = (double)i / shape->rows;
    double way = shape->cycles > 0.0 ? sin(6.283185307179586 * shape->cycles * done) : done;
    at->step += 100.0;
    for (int k = 0; k < DEM_COMPONENTS; k++)
      *to[k] = from[k] + way * (shape->strain[k] - (shape->cycles > 0.0 ? 0.0 : from[k]));
    fill_in(at, way);
    add_row(made, at);
  }
}

static dem_stage make_stage(const stage_shape *shape)
{
  dem_stage stage = {.name = "some"};
  double pressure = shape->pressure > 0.0 ? shape->pressure : 1e5;
  for (int i = 0; i < DEM_COMPONENTS; i++) {
    bool is_driven = shape->driven >> i & 1u;
    stage.control[i] = is_driven ? (dem_control){.kind = DEM_CONTROL_STRAIN, .value = shape->strain[i]}
                                 : (dem_control){.kind = DEM_CONTROL_STRESS, .value = i <= DEM_ZZ ? pressure : 0.0};
  }
  return stage;
}

static dem_case make_case(const stage_shape shapes[], int count)
{
  dem_case run = dem_case_default();
  run.assembly.source = DEM_SOURCE_PACKING;
  run.assembly.packing.pressure = 1e5;
  run.stage_count = count;
  for (int i = 0; i < count; i++)
    run.stages[i] = make_stage(&shapes[i]);
  return run;
}

/* Packing of ten rows, whose strains count for nothing, then the stages. */
static maker make_series(const stage_shape shapes[], int count)
{
  maker made = {.run = make_case(shapes, count)};
  dem_measures at = {0};
  for (int i = 0; i < 10; i++) {
    at.step += 100.0;
    at.strain_xx = at.strain_yy = at.strain_zz = 0.3 * i;
    fill_in(&at, 0.1 * i);
    add_row(&made, &at);
  }
  at.strain_xx = at.strain_yy = at.strain_zz = 0.0; /* the assembly is ready */
  for (int i = 0; i < count; i++)
    add_stage(&made, &at, &shapes[i]);
  return made;
}

#define MAKE(...)                                                                                                      \
  make_series((const stage_shape[]){__VA_ARGS__}, sizeof((stage_shape[]){__VA_ARGS__}) / sizeof(stage_shape))

enum { XX = 1u << DEM_XX, YY = 1u << DEM_YY, ZZ = 1u << DEM_ZZ, XY = 1u << DEM_XY, YZ = 1u << DEM_YZ };

static const stage_shape consolidation = {.strain = {1e-4, 1e-4, 1e-4}, .rows = 20};
static const stage_shape triaxial = {.strain = {-0.04, -0.04, 0.1}, .rows = 300, .driven = ZZ};
static const stage_shape biaxial = {.strain = {-0.06, 1e-4, 0.05}, .rows = 300, .driven = XX | ZZ};
static const stage_shape shear = {.strain = {1e-4, 1e-4, -0.002, 0.05}, .rows = 300, .driven = XY};
static const stage_shape cyclic = {.strain = {[DEM_YZ] = 0.01}, .cycles = 5.0, .rows = 3000, .driven = YZ};
static const stage_shape isotropic = {.strain = {-0.002, -0.002, -0.0021}, .rows = 100, .pressure = 5e4};
static const stage_shape rest = {.strain = {-0.04, -0.04, 0.1}, .rows = 30};
static const stage_shape unloading = {.strain = {-0.035, -0.035, 0.08}, .rows = 100, .driven = ZZ};
static const stage_shape undrained = {.strain = {-0.05, -0.05, 0.1}, .rows = 300, .driven = XX | YY | ZZ};

/* ---- The kind of test -------------------------------------------------------------------------------------------- */

static void assert_axis(const run_axis *axis, run_test test, dem_component component, int first_stage, int last_stage)
{
  ck_assert_int_eq(axis->test, test);
  ck_assert_int_eq(axis->component, component);
  ck_assert_int_eq(axis->first_stage, first_stage);
  ck_assert_int_eq(axis->last_stage, last_stage);
}

START_TEST(shearing_after_consolidation_is_drawn_alone)
{
  maker made = MAKE(consolidation, triaxial);
  run_axis axis = run_axis_choose(&made.table, &made.run);
  assert_axis(&axis, RUN_TEST_NORMAL, DEM_ZZ, 2, 2);
  ck_assert(axis.strain[DEM_ZZ] == 1e-4 && axis.step == 3000.0 && axis.first == 29 && axis.end == 330);
  ck_assert(!axis.is_cyclic && axis.lateral == -1);
  series_table_free(&made.table);
}
END_TEST

START_TEST(loading_and_unloading_are_drawn_together)
{
  maker made = MAKE(consolidation, triaxial, rest, unloading, rest);
  made.table.rows -= 30;
  run_axis axis = run_axis_choose(&made.table, &made.run);
  assert_axis(&axis, RUN_TEST_NORMAL, DEM_ZZ, 2, 4);
  ck_assert(!axis.is_cyclic);
  series_table_free(&made.table);
}
END_TEST

START_TEST(a_rest_at_the_end_is_drawn_with_what_was_before)
{
  maker made = MAKE(shear, triaxial, rest);
  run_axis axis = run_axis_choose(&made.table, &made.run);
  assert_axis(&axis, RUN_TEST_NORMAL, DEM_ZZ, 2, 3);
  series_table_free(&made.table);
}
END_TEST

/* Of the strains that a stage prescribes the largest counts, not one that follows. */
START_TEST(plane_strain_is_known_by_the_direction_that_rests)
{
  maker made = MAKE(consolidation, biaxial);
  run_axis axis = run_axis_choose(&made.table, &made.run);
  assert_axis(&axis, RUN_TEST_NORMAL, DEM_XX, 2, 2);
  ck_assert_int_eq(axis.lateral, DEM_ZZ);
  made.run.stages[1].control[DEM_XX] = (dem_control){.kind = DEM_CONTROL_STRESS, .value = 1e5};
  axis = run_axis_choose(&made.table, &made.run);
  assert_axis(&axis, RUN_TEST_NORMAL, DEM_ZZ, 2, 2);
  ck_assert_int_eq(axis.lateral, DEM_XX);
  series_table_free(&made.table);
}
END_TEST

START_TEST(shear_is_known)
{
  maker made = MAKE(consolidation, shear);
  run_axis axis = run_axis_choose(&made.table, &made.run);
  assert_axis(&axis, RUN_TEST_SHEAR, DEM_XY, 2, 2);
  series_table_free(&made.table);
}
END_TEST

START_TEST(cycles_are_known_by_their_way_or_from_the_case)
{
  maker made = MAKE(consolidation, cyclic);
  run_axis axis = run_axis_choose(&made.table, &made.run);
  assert_axis(&axis, RUN_TEST_SHEAR, DEM_YZ, 2, 2);
  ck_assert(axis.is_cyclic);
  series_table_free(&made.table);
  made = MAKE(shear);
  ck_assert(!run_axis_choose(&made.table, &made.run).is_cyclic);
  made.run.stages[0].cyclic.on = true;
  ck_assert(run_axis_choose(&made.table, &made.run).is_cyclic);
  series_table_free(&made.table);
}
END_TEST

START_TEST(compression_from_all_sides_is_known)
{
  maker made = MAKE(isotropic);
  run_axis axis = run_axis_choose(&made.table, &made.run);
  assert_axis(&axis, RUN_TEST_ISOTROPIC, DEM_ZZ, 1, 1);
  ck_assert(axis.first == 9);
  series_table_free(&made.table);
}
END_TEST

/* However little a stage strains: the case tells that it loads. */
START_TEST(small_strains_after_large_ones_are_drawn)
{
  static const stage_shape probe = {.strain = {-0.04, -0.04, 0.1, 1e-6}, .rows = 50, .driven = XY};
  maker made = MAKE(triaxial, rest, probe);
  run_axis axis = run_axis_choose(&made.table, &made.run);
  assert_axis(&axis, RUN_TEST_SHEAR, DEM_XY, 3, 3);
  series_table_free(&made.table);
}
END_TEST

/* However much it strains by itself: nothing was asked of it. Under another pressure the same stage is a test. */
START_TEST(consolidation_alone_is_still)
{
  static const stage_shape uneven = {.strain = {1e-6, 3e-2, -1e-3}, .rows = 20};
  maker made = MAKE(uneven, uneven);
  run_axis axis = run_axis_choose(&made.table, &made.run);
  assert_axis(&axis, RUN_TEST_STILL, DEM_ZZ, 1, 2);
  ck_assert(axis.first == 9 && axis.end == 50);
  made.run.stages[0].control[DEM_YY].value = made.run.stages[1].control[DEM_YY].value = 2e5;
  axis = run_axis_choose(&made.table, &made.run);
  assert_axis(&axis, RUN_TEST_NORMAL, DEM_YY, 1, 2);
  series_table_free(&made.table);
}
END_TEST

START_TEST(constant_volume_is_known)
{
  maker made = MAKE(undrained);
  run_axis axis = run_axis_choose(&made.table, &made.run);
  assert_axis(&axis, RUN_TEST_NORMAL, DEM_ZZ, 1, 1);
  ck_assert(axis.is_at_constant_volume);
  series_table_free(&made.table);
  made = MAKE(triaxial);
  ck_assert(!run_axis_choose(&made.table, &made.run).is_at_constant_volume);
  series_table_free(&made.table);
}
END_TEST

/* A consolidation to another pressure loads, too, but not as the shearing does. */
START_TEST(consolidation_to_another_pressure_is_left_out)
{
  maker made = MAKE(isotropic, triaxial);
  run_axis axis = run_axis_choose(&made.table, &made.run);
  assert_axis(&axis, RUN_TEST_NORMAL, DEM_ZZ, 2, 2);
  series_table_free(&made.table);
}
END_TEST

START_TEST(packing_alone_is_still)
{
  maker made = make_series(NULL, 0);
  run_axis axis = run_axis_choose(&made.table, &made.run);
  assert_axis(&axis, RUN_TEST_STILL, DEM_ZZ, 0, 0);
  ck_assert(axis.first == 0 && axis.end == 10 && axis.step == 0.0);
  series_table_free(&made.table);
}
END_TEST

/* The assembly was read from a file: there is no row before the first stage, and strains count from zero. */
START_TEST(a_run_without_packing_starts_at_zero)
{
  maker made = {.run = make_case(&triaxial, 1)};
  made.run.assembly.source = DEM_SOURCE_FILE;
  dem_measures at = {0};
  add_stage(&made, &at, &triaxial);
  run_axis axis = run_axis_choose(&made.table, &made.run);
  assert_axis(&axis, RUN_TEST_NORMAL, DEM_ZZ, 1, 1);
  ck_assert(axis.first == 0 && axis.step == 0.0 && axis.strain[DEM_ZZ] == 0.0);
  series_table_free(&made.table);
}
END_TEST

/* ---- Scripts ----------------------------------------------------------------------------------------------------- */

/* The commands for gnuplot, to be freed. */
static char *script_of(const maker *made, run_figure figure)
{
  FILE *stream = tmpfile();
  run_view view = run_view_of(&made->table, &made->run);
  run_figure_write(&view, figure, "set terminal dumb", stream);
  size_t size = (size_t)ftell(stream);
  char *text = calloc(size + 1, 1);
  rewind(stream);
  ck_assert_uint_eq(fread(text, 1, size, stream), size);
  fclose(stream);
  return text;
}

static void assert_labels(const maker *made, run_figure figure, const char *const labels[])
{
  char *script = script_of(made, figure);
  for (int i = 0; labels[i]; i++)
    ck_assert_msg(strstr(script, labels[i]) != NULL, "'%s' is not in the script:\n%.3000s", labels[i], script);
  free(script);
}

START_TEST(axes_are_named_with_units)
{
  maker made = MAKE(consolidation, triaxial);
  assert_labels(&made, RUN_FIGURE_STRESS,
                (const char *const[]){"xlabel 'compressive strain {/:Italic ε}_{zz} since the start of stage 2  (%)'",
                                      "ylabel 'stress  (kPa)'", "ylabel 'stress ratio {/:Italic q} / {/:Italic p}",
                                      NULL});
  assert_labels(&made, RUN_FIGURE_ENERGY,
                (const char *const[]){"ylabel 'energy since the start of stage 2  (µJ)'", "dissipated by friction",
                                      "set logscale y", NULL});
  assert_labels(&made, RUN_FIGURE_HISTORY, (const char *const[]){"mean length of the histories", NULL});
  series_table_free(&made.table);
  made = MAKE(consolidation, cyclic);
  assert_labels(&made, RUN_FIGURE_STRESS,
                (const char *const[]){"xlabel 'shear strain {/:Italic γ}_{yz} = 2{/:Italic ε}_{yz} since",
                                      "xlabel 'mean stress {/:Italic p}  (kPa)'", NULL});
  assert_labels(&made, RUN_FIGURE_VOLUME,
                (const char *const[]){"xlabel 'time steps since the start of stage 2  (thousands)'", NULL});
  series_table_free(&made.table);
  made = MAKE(consolidation, biaxial); /* widens more than it is compressed */
  assert_labels(&made, RUN_FIGURE_STRESS,
                (const char *const[]){"ylabel 'stress ratio {/:Italic σ}_{xx} / {/:Italic σ}_{zz}",
                                      "title 'deviator {/:Italic q}_{xx}", NULL});
  series_table_free(&made.table);
  made = make_series(NULL, 0);
  assert_labels(&made, RUN_FIGURE_STRESS, (const char *const[]){"xlabel 'time steps since the start of the run", NULL});
  series_table_free(&made.table);
}
END_TEST

/* The number of numbers in the second column of the first panel's data that differ from the first one */
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

/* At constant volume the strain of the volume would be a line at zero: something else is drawn. */
START_TEST(no_picture_of_constant_volume)
{
  maker made = MAKE(undrained);
  static const char *const labels[] = {"xlabel 'mean stress {/:Italic p}  (kPa)'", "ylabel 'deviator {/:Italic q}",
                                       "ylabel 'mean stress lost, 1 − {/:Italic p} / {/:Italic p}_{0}", NULL};
  assert_labels(&made, RUN_FIGURE_VOLUME, labels);
  char *script = script_of(&made, RUN_FIGURE_VOLUME);
  ck_assert_int_gt(different_values(script), 200);
  ck_assert_ptr_null(strstr(script, "volumetric"));
  free(script);
  series_table_free(&made.table);
}
END_TEST

/* What is left out can be told from the title; small strains need few digits. */
START_TEST(titles_tell_the_stages)
{
  static const stage_shape small = {.strain = {0.0, 0.0, 5e-6}, .rows = 20, .driven = ZZ};
  maker made = MAKE(consolidation, triaxial, unloading);
  assert_labels(&made, RUN_FIGURE_STRESS, (const char *const[]){"stages 2 (some) to 3 (some) of 3\"", NULL});
  series_table_free(&made.table);
  made = MAKE(consolidation, shear);
  assert_labels(&made, RUN_FIGURE_STRESS, (const char *const[]){"stage 2 (some) of 2\"", NULL});
  series_table_free(&made.table);
  made = MAKE(small);
  assert_labels(&made, RUN_FIGURE_STRESS, (const char *const[]){"since the start of stage 1  (10^{−6})'", NULL});
  series_table_free(&made.table);
}
END_TEST

START_TEST(long_series_are_thinned_out)
{
  stage_shape longest = triaxial;
  longest.rows = 100000;
  maker made = MAKE(longest);
  char *script = script_of(&made, RUN_FIGURE_VOLUME);
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

/* Draws with stderr in a file: gnuplot must have nothing to say. */
static void assert_drawn(const series_table *table, const dem_case *run)
{
  static const char *const names[] = {"stress-strain", "volumetric-strain", "history-length", "energy"};
  char *dir = scratch_make(), name[64];
  size_t size;
  write_series_file(dir, table);
  int before = dup(STDERR_FILENO), file = open(scratch_path(dir, "stderr"), O_CREAT | O_WRONLY, 0666);
  dup2(file, STDERR_FILENO);
  run_plot_result result = run_plot_draw(dir, run, &error);
  dup2(before, STDERR_FILENO);
  close(before);
  close(file);
  ck_assert_msg(result == RUN_PLOT_DRAWN, "%s", error.text);
  char *said = scratch_read(dir, "stderr", &size);
  ck_assert_msg(size == 0, "gnuplot says: %s", said);
  free(said);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    snprintf(name, sizeof name, "%s.png", names[i]);
    char *picture = scratch_read(dir, name, &size);
    ck_assert(size > 5000 && memcmp(picture, "\x89PNG", 4) == 0);
    free(picture);
    snprintf(name, sizeof name, "%s.svg", names[i]);
    picture = scratch_read(dir, name, &size);
    ck_assert(strstr(picture, "<svg") && strstr(picture, "</svg>"));
    free(picture);
  }
  ck_assert_int_eq(scratch_count(dir, "."), 10); /* and series.csv and stderr */
  scratch_remove(dir);
}

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
    ck_assert_int_eq(run_plot_draw(dir, &made.run, &error), RUN_PLOT_SKIPPED);
    ck_assert_str_eq(error.text, "the series has fewer than two rows");
    ck_assert_int_eq(run_plot_draw(scratch_path(dir, "none"), &made.run, &error), RUN_PLOT_FAILED);
  }
  setenv("PATH", dir, 1);
  ck_assert_int_eq(run_plot_draw(dir, &made.run, &error), RUN_PLOT_SKIPPED);
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
    ck_assert_int_eq(run_plot_draw(dir, &made.run, &error), RUN_PLOT_FAILED);
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
  TCase *axes = tcase_create("axes"), *pictures = tcase_create("pictures");
  tcase_add_test(axes, shearing_after_consolidation_is_drawn_alone);
  tcase_add_test(axes, loading_and_unloading_are_drawn_together);
  tcase_add_test(axes, a_rest_at_the_end_is_drawn_with_what_was_before);
  tcase_add_test(axes, plane_strain_is_known_by_the_direction_that_rests);
  tcase_add_test(axes, shear_is_known);
  tcase_add_test(axes, cycles_are_known_by_their_way_or_from_the_case);
  tcase_add_test(axes, compression_from_all_sides_is_known);
  tcase_add_test(axes, small_strains_after_large_ones_are_drawn);
  tcase_add_test(axes, consolidation_alone_is_still);
  tcase_add_test(axes, constant_volume_is_known);
  tcase_add_test(axes, consolidation_to_another_pressure_is_left_out);
  tcase_add_test(axes, packing_alone_is_still);
  tcase_add_test(axes, a_run_without_packing_starts_at_zero);
  tcase_add_test(pictures, axes_are_named_with_units);
  tcase_add_test(pictures, no_picture_of_constant_volume);
  tcase_add_test(pictures, titles_tell_the_stages);
  tcase_add_test(pictures, long_series_are_thinned_out);
  tcase_add_loop_test(pictures, every_kind_of_test_is_drawn, 0, 7);
  tcase_add_test(pictures, odd_series_are_drawn);
  tcase_add_test(pictures, without_gnuplot_or_rows_there_is_no_picture);
  tcase_add_test(pictures, a_gnuplot_that_fails_leaves_nothing);
  suite_add_tcase(suite, axes);
  suite_add_tcase(suite, pictures);
}

int main(void)
{
  return run_suite("run_plot", add_tests);
}
