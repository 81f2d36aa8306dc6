/* SPDX-License-Identifier: MIT */
/*
 * The summary of a made-up series: which strain is the main one of a stage, its largest stress, means and maxima;
 * whether a cyclic stage liquefied.
 *
 * Oracles: what was written into the series. Rows of the start of a stage do not count.
 */
#include "dem_support.h"

#include "files/tables.h"
#include "run/cyclic.h"
#include "run/summary.h"

#include <math.h>

FIXTURE_EACH(make_directory, remove_directory)

enum { ROWS = 5 };

/* A stage of five rows, and its expected summary. */
typedef struct plan {
  dem_control control[DEM_COMPONENTS];
  double strain[DEM_COMPONENTS]; /* gained from the first row to the last */
  const char *expected;
} plan;

/* clang-format off */
#define OF(which, size) {.kind = which, .value = size}
#define RATE OF(DEM_CONTROL_STRAIN_RATE, 0.1)
#define HELD OF(DEM_CONTROL_STRAIN_RATE, 0.0)
#define FREE OF(DEM_CONTROL_STRESS, 1e5)
/* clang-format on */

/* In each row, q is 10, -40, 20, ... kPa, and shear stresses are 1, 2 and 3 tenths of it, with the other sign. */
static const double q_of_row[ROWS] = {-90e3, 10e3, -40e3, 20e3, 5e3};

static const plan plans[] = {
    /* a prescribed strain counts, however small */
    {{FREE, FREE, RATE, FREE, FREE, FREE}, {0.2, 0.2, 0.04}, "largest q -40 kPa at strain_zz 2 %;"},
    {{FREE, OF(DEM_CONTROL_STRAIN_STEP, -1e-6), FREE, FREE, FREE, FREE}, {0.2, -0.02}, "at strain_yy -1 %;"},
    {{FREE, FREE, FREE, OF(DEM_CONTROL_STRAIN, 0.01), FREE, FREE},
     {0.2, 0.2, 0.2, 0.01},
     "stress_xy 4 kPa at strain_xy"},
    {{FREE, FREE, FREE, FREE, OF(DEM_CONTROL_STRAIN_PATH, 0.1), FREE},
     {0.2, 0.2, 0.2, 0.2, 0.02, 0.2},
     "largest stress_xz 8 kPa at strain_xz 1 %;"},
    /* neither a stress, a path of stress nor the volume is; nor a strain that is held */
    {{FREE, FREE, RATE, FREE, FREE, OF(DEM_CONTROL_STRESS_PATH, 1e5)},
     {0.0, 0.0, 0.02, 0.0, 0.0, 0.3},
     "at strain_zz 1 %;"},
    {{OF(DEM_CONTROL_VOLUME, 1.0), FREE, RATE, HELD, FREE, FREE}, {0.2, 0.2, 0.1, 0.3}, "at strain_zz 5 %;"},
    /* the largest of several prescribed ones; zz of equal ones */
    {{RATE, HELD, RATE, FREE, FREE, FREE}, {-0.12, 0.0, 0.1}, "at strain_xx -6 %;"},
    {{RATE, RATE, RATE, FREE, FREE, FREE}, {0.1, 0.1, 0.1}, "at strain_zz 5 %;"},
    /* nothing is prescribed */
    {{FREE, FREE, FREE, FREE, FREE, FREE}, {0.01, -0.02, 0.01, 0.0, 0.0, 0.018}, "at strain_yy -1 %;"},
    {{HELD, HELD, HELD, HELD, HELD, HELD}, {0.0}, "at strain_zz 0 %;"},
};

enum { PLANS = sizeof plans / sizeof *plans };

/* Row i of a stage; strains begin anywhere. */
static dem_measures row_of(const plan *p, int stage, int i)
{
  double done = i / (ROWS - 1.0), q = q_of_row[i];
  dem_measures m = {
      .stage = stage, .step = 100.0 * stage + i, .p = 1e5, .q = q, .void_ratio = 0.6, .coordination = 5.0};
  double *strains[] = {&m.strain_xx, &m.strain_yy, &m.strain_zz, &m.strain_xy, &m.strain_xz, &m.strain_yz};
  for (int k = 0; k < DEM_COMPONENTS; k++)
    *strains[k] = 0.7 + 0.1 * k + done * p->strain[k];
  m.stress_xy = -0.1 * q;
  m.stress_xz = -0.2 * q;
  m.stress_yz = -0.3 * q;
  m.inertial_number = i == 0 ? 1.0 : i == 1 ? 9e-4 : 1e-4; /* mean 3e-4, median 1e-4 */
  m.history_mean = i == 3 ? 7.5 : 2.0;
  m.history_max = i == 2 ? 31.0 : 4.0;
  return m;
}

static dem_case planned_case(void)
{
  dem_case run = dem_still_case(1e-7);
  run.assembly.source = DEM_SOURCE_LATTICE;
  run.assembly.lattice = (dem_lattice){.kind = DEM_LATTICE_SC, .cells = {3, 3, 3}, .radius = 1e-3, .overlap = -0.5};
  run.stage_count = 0;
  for (int i = 0; i < PLANS; i++) {
    char name[20];
    snprintf(name, sizeof name, "s%d", i + 1);
    dem_stage *stage = dem_add_stage(&run, name, 10);
    memcpy(stage->control, plans[i].control, sizeof stage->control);
    stage->inertial_number = i == 0 ? 2e-4 : 0.0;
  }
  return run;
}

static void write_series(void)
{
  append_file output;
  error_info error = {.text = ""};
  ck_assert_msg(series_open(&output, directory, -1, &error), "%s", error.text);
  for (int i = 0; i < PLANS; i++)
    for (int row = 0; row < ROWS; row++) {
      dem_measures m = row_of(&plans[i], i + 1, row);
      ck_assert(series_add(&output, &m, &error));
    }
  ck_assert(append_file_close(&output, &error));
}

/* The text that a function prints, to be freed. */
static char *printed(const run_summary *summary, void (*print)(const run_summary *, FILE *))
{
  size_t size;
  FILE *out = fopen(scratch_path(directory, "printed"), "w");
  ck_assert_ptr_nonnull(out);
  print(summary, out);
  fclose(out);
  return scratch_read(directory, "printed", &size);
}

/* The part of the text between the stage's line and the next stage's. */
static const char *find_in_stage(const char *text, int stage, const char *what)
{
  char start[20], next[20];
  snprintf(start, sizeof start, "stage %d ", stage);
  snprintf(next, sizeof next, "stage %d ", stage + 1);
  const char *from = strstr(text, start), *to = strstr(text, next), *at = from ? strstr(from, what) : NULL;
  return at && (!to || at < to) ? at : NULL;
}

TEST(stages_are_told)
{
  dem_case run = planned_case();
  SCOPED_SIMULATION s = dem_create(&run, 1);
  run_summary summary;
  error_info error = {.text = ""};
  write_series();
  ck_assert_msg(run_summary_make(&summary, s, directory, &error), "%s", error.text);
  char *text = printed(&summary, run_summary_print);
  for (int i = 0; i < PLANS; i++) {
    ck_assert_msg(find_in_stage(text, i + 1, plans[i].expected), "stage %d, not '%s':\n%s", i + 1, plans[i].expected,
                  text);
    ck_assert_ptr_nonnull(find_in_stage(text, i + 1, "mean history at most 7.5 points, longest 31"));
    ck_assert_ptr_nonnull(find_in_stage(text, i + 1, "p 100 kPa, q 5 kPa, void ratio 0.6000, coordination 5.000"));
    ck_assert_ptr_nonnull(find_in_stage(text, i + 1, "inertial number 0.0001, "));
    ck_assert_int_eq(find_in_stage(text, i + 1, "target 0.0002: mean 0.0003, largest 0.0009") != NULL, i == 0);
  }
  char *json = printed(&summary, run_summary_print_json);
  ck_assert_ptr_nonnull(strstr(json, "\"peak_of\": \"q\", \"peak\": -40000, \"peak_strain\": 0.02"));
  ck_assert_ptr_nonnull(strstr(json, "\"peak_of\": \"stress_xz\", \"peak\": 8000, \"peak_strain\": 0.01"));
  free(json);
  free(text);
  run_summary_free(&summary);
}

TEST(grains_of_several_spheres_are_counted)
{
  static const char text[] = "cell 0.05 0.05 0.05\nshape -1 0 0 1  1 0 0 1  3 0 0 1\nshape 0 0 0 1\n"
                             "grain 0.01 0.02 0.01 0.001  1 0 0 0  0\ngrain 0.03 0.02 0.01 0.001  1 0 0 0  1\n";
  dem_case run = planned_case();
  run_summary summary;
  error_info error = {.text = ""};
  scratch_write(directory, "grains", text, sizeof text - 1);
  dem_take_file(&run, directory, "grains");
  SCOPED_SIMULATION s = dem_create(&run, 1);
  write_series();
  ck_assert_msg(run_summary_make(&summary, s, directory, &error), "%s", error.text);
  char *told = printed(&summary, run_summary_print), *json = printed(&summary, run_summary_print_json);
  ck_assert_ptr_nonnull(strstr(told, "\n2 grains of 4 spheres, 0 contacts, 0 steps in "));
  ck_assert_ptr_nonnull(strstr(json, ", \"grains\": 2, \"spheres\": 4, \"contacts\": 0, "));
  ck_assert_msg(run_summary_write(&summary, &error), "%s", error.text);
  char *written = scratch_read(directory, "summary.txt", NULL);
  ck_assert_ptr_nonnull(strstr(written, "\n2 grains of 4 spheres, 0 contacts, 0 steps\n"));
  free(written);
  free(told);
  free(json);
  run_summary_free(&summary);
  dem_case_free(&run);
}

/* ---- Liquefaction ------------------------------------------------------------------------------------------------ */

/* Rows at 0, 1, 2, ... cycles of a stage at constant volume. */
typedef struct cycled {
  dem_quantity of;
  double r_u[ROWS], strain_xz[ROWS]; /* γ is twice the strain */
  double cycles_r_u, cycles_strain;
  const char *expected;
} cycled;

static const cycled tests_of_cycles[] = {
    {DEM_STRESS + DEM_XZ,
     {0, 0.3, 0.5, 0.96, 1},
     {0, 0, 0.01, 0.02, 0.02},
     3,
     3,
     "liquefied (r_u ≥ 0.95) in cycle 3.0"},
    {DEM_STRESS + DEM_XZ, {0, 0.3, 0.5, 0.7, 1}, {0, 0, -0.019, 0, 0}, 4, 2, "liquefied (γ ≥ 3.75 %) in cycle 2.0"},
    {DEM_STRESS + DEM_XZ, {0, 0.3, 0.5, 0.7, 0.8}, {0, 0, 0, 0, 0.019}, NAN, 4, "liquefied (γ ≥ 3.75 %) in cycle 4.0"},
    {DEM_STRESS + DEM_XZ,
     {0, 0.3, 0.5, 0.7, 0.8},
     {0, 0, 0, 0, 0.018},
     NAN,
     NAN,
     "not liquefied: r_u at most 0.82 in 4.0 cycles"},
    {DEM_STRESS + DEM_XZ,
     {0.96, 1, 1, 1, 1},
     {0, 0.02, 0.02, 0.02, 0.02},
     NAN,
     NAN,
     "flow failure: r_u ≥ 0.95 or γ ≥ 3.75 % in the first quarter cycle"},
    /* the strain is what the case wants */
    {DEM_GAMMA + DEM_XZ - DEM_XY,
     {0, 0.3, 0.5, 0.7, 0.8},
     {0, 0.02, 0.02, 0, 0},
     NAN,
     NAN,
     "not liquefied: r_u at most 0.82 in 4.0 cycles"},
};

/* A cycle of another stage, an open loop and two closed ones. */
static const dem_cycle cycles_of_test[] = {
    {.stage = 2, .cycle = 1, .csr = 9, .r_u_max = 9, .damping_ratio = 9},
    {.stage = 1, .cycle = 1, .csr = NAN, .r_u_max = 0.3, .damping_ratio = NAN},
    {.stage = 1,
     .cycle = 2,
     .csr = 0.21,
     .r_u_max = 0.82,
     .shear_modulus = 5e7,
     .young_modulus = NAN,
     .bulk_modulus = NAN,
     .damping_ratio = 0.25,
     .damping_ratio_friction = 0.2,
     .damping_ratio_numerical = 0.05,
     .strain_amplitude = 2e-3,
     .dissipated_damping = 1.0,
     .loop_area = 3.1},
    {.stage = 1,
     .cycle = 2.5,
     .csr = 0.3,
     .r_u_max = 0.5,
     .shear_modulus = NAN,
     .young_modulus = 2e8,
     .bulk_modulus = 1e8,
     .damping_ratio = 0.1,
     .damping_ratio_friction = 0.09,
     .damping_ratio_numerical = 0.01,
     .strain_amplitude = 3e-4,
     .dissipated_damping = 1.1,
     .loop_area = 3.0},
};

static const char loops_told[] =
    "    cycle 2: G 50 MPa, D 25 % (friction 20 %, numerical damping 5 %) at a strain amplitude of 0.2 %\n"
    "    cycle 3: E 200 MPa, K 100 MPa, D 10 % (friction 9 %, numerical damping 1 %) at a strain amplitude of 0.03 %; "
    "D means nothing: more than a third of it is numerical\n    ";

static bool are_same(double a, double b)
{
  return a == b || (isnan(a) && isnan(b));
}

/* The summary and resistance.csv agree. */
TEST_EACH(liquefaction_is_told, tests_of_cycles)
{
  const cycled *c = &tests_of_cycles[_i];
  append_file output;
  series_table table;
  resistance_row row;
  error_info error = {.text = ""};
  dem_case run = dem_still_case(1e-7);
  run.stages[0].cyclic = (dem_cyclic){.on = true, .of = c->of, .stress_ratio = 0.2};
  for (int k = 0; k < DEM_COMPONENTS; k++)
    run.stages[0].control[k] = (dem_control){.kind = DEM_CONTROL_STRAIN_RATE};
  ck_assert(series_open(&output, directory, -1, &error));
  for (int i = 0; i < ROWS; i++)
    ck_assert(series_add(&output,
                         &(dem_measures){.step = i,
                                         .stage = 1,
                                         .cycle = i,
                                         .r_u = c->r_u[i],
                                         .strain_in_stage_xz = c->strain_xz[i],
                                         .csr = i % 2 ? -0.05 * i : 0.05 * i,
                                         .static_stress_ratio = 0.1,
                                         .void_ratio = 0.6 + i},
                         &error));
  ck_assert(append_file_close(&output, &error) && series_load(&table, directory, &error));
  append_file loops;
  cycles_table cycles;
  ck_assert(cycles_open(&loops, directory, -1, &error));
  for (size_t i = 0; i < sizeof cycles_of_test / sizeof *cycles_of_test; i++)
    ck_assert(cycles_add(&loops, &cycles_of_test[i], &error));
  ck_assert(append_file_close(&loops, &error) && cycles_load(&cycles, directory, &error));
  cyclic_outcome found = run_cyclic_find(&table, &cycles, &run, 1, run_stage_rows(&table, 1));
  FILE *out = fopen(scratch_path(directory, "printed"), "w");
  run_cyclic_print(&found, &cycles, out);
  fclose(out);
  size_t size;
  char *text = scratch_read(directory, "printed", &size);
  char expected[600];
  snprintf(expected, sizeof expected, "%s%s at CSR 0.21 about a static stress ratio of 0.1\n", loops_told, c->expected);
  ck_assert_str_eq(text, expected);
  ck_assert(run_resistance_find(&row, directory, &run, &error));
  ck_assert(are_same(row.cycles_r_u, c->cycles_r_u) && are_same(row.cycles_strain, c->cycles_strain));
  ck_assert(are_same(row.cycles, fmin(c->cycles_r_u, c->cycles_strain)));
  ck_assert_int_eq(row.flow_failure == 1.0, strstr(text, "flow failure") != NULL);
  ck_assert_double_eq(row.cycles_done, ROWS - 1);
  ck_assert_double_eq(row.csr, 0.2);
  ck_assert_double_eq(row.static_stress_ratio, 0.1);
  ck_assert_double_eq(row.void_ratio, 0.6 + ROWS - 1);
  double r_u_max = 0.0, strain_max = 0.0;
  for (int i = 0; i < ROWS; i++) {
    r_u_max = fmax(r_u_max, c->r_u[i]);
    strain_max = fmax(strain_max, 2.0 * fabs(c->strain_xz[i]));
  }
  ck_assert_double_eq(row.r_u_max, r_u_max);
  ck_assert_double_eq(row.strain_max, strain_max);
  free(text);
  series_table_free(&table);
  cycles_table_free(&cycles);
}

/* One line each, as result.h5 keeps them. */
TEST(warnings_are_lines)
{
  static const char *const expected[] = {"", "first\n", "first\nsecond\n"};
  run_doubt list[] = {{.text = "first"}, {.text = "second"}};
  for (size_t count = 0; count <= 2; count++) {
    run_summary summary = {.doubts = {.count = count, .list = list}};
    char *text = run_summary_warnings(&summary);
    ck_assert_str_eq(text, expected[count]);
    free(text);
  }
}
