/* SPDX-License-Identifier: MIT */
/*
 * Doubts about results. For made-up series of random cases: within all limits there is no doubt; one measure beyond its
 * limit gives the one doubt, in its stage. Medians and shares are checked by counting lines. Seeds are the numbers of
 * the loops.
 */
#define _GNU_SOURCE
#include "run/doubts.h"
#include "scratch.h"
#include "support.h"

/* ---- Series that are made up ------------------------------------------------------------------------------------- */

enum { ROWS_MAX = 60, STAGES = 3, EVERY = 10 };

typedef struct made_up {
  dem_case run;
  series_table table;
  stage_rows rows[STAGES + 1];
} made_up;

static double *stress(made_up *m, int k)
{
  return m->table.columns[offsetof(dem_measures, stress_xx) / sizeof(double) + (size_t)k];
}

static dem_case random_case(uint64_t *random)
{
  dem_case run = dem_case_default();
  run.assembly.packing.pressure = random_in(random, 1e4, 1e6);
  run.stage_count = STAGES;
  for (int i = 0; i < STAGES; i++) {
    dem_stage *stage = &run.stages[i];
    *stage = dem_stage_default(&run);
    snprintf(stage->name, sizeof stage->name, "s%d", i + 1);
    for (int k = 0; k < DEM_COMPONENTS; k++)
      if (random_below(random, 2) == 0)
        stage->control[k] = (dem_control){.kind = DEM_CONTROL_STRESS,
                                          .value = k <= DEM_ZZ ? random_in(random, 1e4, 1e6) : 0.0,
                                          .ramp = (long)random_below(random, 300)};
    stage->control[DEM_ZZ] = (dem_control){.kind = DEM_CONTROL_STRAIN_STEP, .value = 1e-6};
  }
  return run;
}

/* The target of the stress in a row: after n of r steps of the ramp, n / (r + 1) of the way. */
static double wanted(const made_up *m, int stage, int k, size_t row)
{
  const dem_control *control = &m->run.stages[stage - 1].control[k];
  double start = 1e5, n = (double)((row - m->rows[stage].first) * EVERY), all = (double)control->ramp + 1.0;
  return n >= all ? control->value : start + n / all * (control->value - start);
}

static void fill_row(made_up *m, int stage, size_t row, uint64_t *random)
{
  series_table *t = &m->table;
  double mean = 0.0;
  SERIES_COLUMN(t, stage)[row] = stage;
  SERIES_COLUMN(t, step)[row] = (double)(row * EVERY);
  for (int k = 0; k < DEM_COMPONENTS; k++) {
    bool is_held = stage > 0 && m->run.stages[stage - 1].control[k].kind == DEM_CONTROL_STRESS;
    stress(m, k)[row] = is_held ? wanted(m, stage, k, row) : k <= DEM_ZZ ? m->run.assembly.packing.pressure : 1e3;
    mean += k <= DEM_ZZ ? stress(m, k)[row] / 3.0 : 0.0;
  }
  SERIES_COLUMN(t, p)[row] = mean;
  SERIES_COLUMN(t, q)[row] = stage == 0 ? random_in(random, -0.09, 0.09) * mean : random_in(random, -1e5, 1e5);
  SERIES_COLUMN(t, inertial_number)[row] = random_in(random, 0.0, 0.99e-3);
  SERIES_COLUMN(t, unbalanced)[row] = random_in(random, 0.0, 0.049);
  SERIES_COLUMN(t, servo_error)[row] = random_in(random, 0.0, 1e9); /* a target near zero */
  SERIES_COLUMN(t, overlap_max)[row] = random_in(random, 0.0, 0.049);
  SERIES_COLUMN(t, energy_error)[row] = random_in(random, -0.009, 0.009);
  SERIES_COLUMN(t, stored_normal)[row] = 1.0;
  SERIES_COLUMN(t, work)[row] = (double)row;
  SERIES_COLUMN(t, damping_share)[row] = random_below(random, 5) == 0 ? 0.0 : random_in(random, 0.0, 0.2);
}

static made_up *make_up(uint64_t *random)
{
  made_up *m = calloc(1, sizeof *m);
  ck_assert_ptr_nonnull(m);
  m->run = random_case(random);
  for (int k = 0; k < DEM_MEASURE_COUNT; k++)
    ck_assert_ptr_nonnull(m->table.columns[k] = calloc((STAGES + 1) * ROWS_MAX, sizeof(double)));
  for (int stage = 0; stage <= STAGES; stage++) {
    size_t count = 3 + random_below(random, ROWS_MAX - 3);
    m->rows[stage] = (stage_rows){count, m->table.rows, m->table.rows + count - 1};
    for (size_t i = 0; i < count; i++)
      fill_row(m, stage, m->table.rows++, random);
    if (stage > 0) /* the start is where the stresses were */
      for (int k = 0; k < DEM_COMPONENTS; k++)
        if (m->run.stages[stage - 1].control[k].kind == DEM_CONTROL_STRESS)
          stress(m, k)[m->rows[stage].first] = 1e5;
  }
  return m;
}

static void make_free(made_up *m)
{
  series_table_free(&m->table);
  free(m);
}

/* Asserts that this is the only doubt, or that there is none (kind RUN_DOUBT_KINDS). */
static void assert_doubts(made_up *m, run_doubt_kind kind, int stage, bool is_nonsense, int number)
{
  run_doubts doubts;
  ck_assert(run_doubts_find(&doubts, &m->table, &m->run));
  size_t expected = kind < RUN_DOUBT_KINDS;
  ck_assert_msg(doubts.count == expected, "case %d: %zu doubts instead of %zu: %s", number, doubts.count, expected,
                doubts.count > 0 ? doubts.list[0].text : "none");
  if (expected > 0) {
    char start[80];
    snprintf(start, sizeof start, "stage '%s': ", stage == 0 ? "packing" : m->run.stages[stage - 1].name);
    const run_doubt *doubt = &doubts.list[0];
    ck_assert_msg(doubt->kind == kind && doubt->stage == stage && strncmp(doubt->text, start, strlen(start)) == 0,
                  "case %d: instead of kind %d in stage %d: %s", number, (int)kind, stage, doubt->text);
    ck_assert_ptr_nonnull(strstr(doubt->text, run_doubt_what(kind)));
    ck_assert_ptr_nonnull(strstr(doubt->text, run_doubt_remedy(kind)));
  }
  ck_assert_int_eq(doubts.is_nonsense, is_nonsense);
  run_doubts_free(&doubts);
}

/* ---- Tests ------------------------------------------------------------------------------------------------------- */

TEST(within_the_limits_nothing_is_doubted)
{
  for (int i = 0; i < 300; i++) {
    uint64_t random = (uint64_t)i;
    made_up *m = make_up(&random);
    assert_doubts(m, RUN_DOUBT_KINDS, 0, false, i);
    make_free(m);
  }
}

/*
 * Some rows after the start are beyond the limit: so is the median, if less than half of them, rounded up, are within.
 */
TEST(medians_count_rows)
{
  for (int i = 0; i < 300; i++) {
    uint64_t random = (uint64_t)i;
    made_up *m = make_up(&random);
    int stage = 1 + (int)random_below(&random, STAGES);
    stage_rows rows = m->rows[stage];
    bool is_inertia = random_below(&random, 2) == 0;
    double *column = is_inertia ? SERIES_COLUMN(&m->table, inertial_number) : SERIES_COLUMN(&m->table, unbalanced);
    unsigned beyond = random_below(&random, (unsigned)rows.count);
    for (unsigned n = 0; n < beyond; n++)
      column[rows.first + 1 + n] = random_below(&random, 5) == 0 ? NAN : random_in(&random, 0.051, 1.0);
    column[rows.first] = 1e9; /* the start does not count */
    size_t judged = rows.count - 1;
    bool is_doubted = 2 * (judged - beyond) < judged + judged % 2;
    if (isnan(column[rows.last]) && !is_inertia)
      column[rows.last] = 1.0; /* that would be nonsense */
    assert_doubts(m, !is_doubted ? RUN_DOUBT_KINDS : is_inertia ? DOUBT_INERTIA : DOUBT_UNBALANCED, stage, false, i);
    make_free(m);
  }
}

/* The message names the fastest strain, and the strain with which the inertial number is 0.8 of its limit. */
TEST(the_strain_that_would_do_is_told)
{
  static const struct {
    int component;
    dem_control_kind kind;
    double fast, slow; /* of this component, and of the next one */
    const char *told;
  } strains[] = {
      {DEM_XX, DEM_CONTROL_STRAIN_STEP, 5e-6, 1e-6, "0.002 (at a strain_step of 5e-06; about 2e-06 would do), limit"},
      {DEM_XZ, DEM_CONTROL_STRAIN_STEP, -5e-6, 1e-6,
       "0.002 (at a strain_step of -5e-06; about -2e-06 would do), limit"},
      {DEM_ZZ, DEM_CONTROL_STRAIN_RATE, 2.5, -2.0, "0.002 (at a strain_rate of 2.5; about 1 would do), limit"},
      {DEM_YY, DEM_CONTROL_STRAIN_STEP, 0.0, 0.0, "0.002, limit"},
      {DEM_YY, DEM_CONTROL_STRAIN, 0.1, 0.0, "0.002, limit"},
  };
  for (size_t i = 0; i < sizeof strains / sizeof *strains; i++) {
    uint64_t random = i;
    run_doubts doubts;
    made_up *m = make_up(&random);
    dem_control *control = m->run.stages[1].control;
    for (int k = 0; k < DEM_COMPONENTS; k++)
      control[k] = (dem_control){.kind = DEM_CONTROL_STRAIN_STEP};
    control[strains[i].component] = (dem_control){.kind = strains[i].kind, .value = strains[i].fast};
    control[strains[i].component + 1] = (dem_control){.kind = strains[i].kind, .value = strains[i].slow};
    for (size_t row = m->rows[2].first; row <= m->rows[2].last; row++)
      SERIES_COLUMN(&m->table, inertial_number)[row] = 2e-3;
    ck_assert(run_doubts_find(&doubts, &m->table, &m->run));
    ck_assert_msg(doubts.count > 0 && strstr(doubts.list[0].text, strains[i].told), "%zu: %s", i,
                  doubts.count > 0 ? doubts.list[0].text : "no doubt");
    run_doubts_free(&doubts);
    make_free(m);
  }
}

/*
 * Without stress the measures mean nothing: the loss itself is reported, unless the case asks for a low normal or mean
 * stress. A shear stress of zero does not count as such.
 */
TEST(lost_stress_is_told_once)
{
  for (int i = 0; i < 200; i++) {
    uint64_t random = (uint64_t)i;
    made_up *m = make_up(&random);
    int stage = 1 + (int)random_below(&random, STAGES), held = i % (DEM_COMPONENTS + 2); /* mean stress; nothing */
    stage_rows rows = m->rows[stage];
    dem_stage *plan = &m->run.stages[stage - 1];
    bool is_wanted = held <= DEM_ZZ || held == DEM_COMPONENTS;
    dem_control low = {.kind = DEM_CONTROL_STRESS, .value = is_wanted ? 100.0 : 0.0};
    for (int k = 0; k < DEM_COMPONENTS; k++)
      plan->control[k] = k == held ? low : (dem_control){.kind = DEM_CONTROL_STRAIN_STEP};
    plan->mean_stress_is_held = held == DEM_COMPONENTS;
    plan->mean_stress = low;
    for (size_t row = rows.first + 1; row <= rows.last; row++) {
      SERIES_COLUMN(&m->table, p)[row] = 100.0;
      if (held < DEM_COMPONENTS)
        stress(m, held)[row] = low.value;
      if (!is_wanted)
        SERIES_COLUMN(&m->table, inertial_number)[row] = SERIES_COLUMN(&m->table, unbalanced)[row] = 1.0;
    }
    assert_doubts(m, is_wanted ? RUN_DOUBT_KINDS : DOUBT_STRESS_LOST, stage, false, i);
    make_free(m);
  }
}

/*
 * A stress, or the mean, off by a share of its target in the last row, or in so many of the rows behind the first
 * tenth.
 */
TEST(targets_that_are_missed)
{
  for (int i = 0; i < 400; i++) {
    uint64_t random = (uint64_t)i;
    made_up *m = make_up(&random);
    int stage = 1 + (int)random_below(&random, STAGES), k = (int)random_below(&random, DEM_COMPONENTS);
    stage_rows rows = m->rows[stage];
    bool only_last = random_below(&random, 2) == 0;
    double share = random_below(&random, 2) == 0 ? random_in(&random, 0.06, 0.9) : random_in(&random, 1.1, 1e3);
    double target = k <= DEM_ZZ ? 2e5 : 0.0, off = share * (k <= DEM_ZZ ? 2e5 : 0.1 * 1e6);
    m->run.stages[stage - 1].control[DEM_XX] = (dem_control){.kind = DEM_CONTROL_STRESS, .value = 1e6};
    m->run.stages[stage - 1].control[k] = (dem_control){.kind = DEM_CONTROL_STRESS, .value = target};
    off = k == DEM_XX ? share * 2e5 : off;
    for (size_t row = rows.first; row <= rows.last; row++) {
      stress(m, DEM_XX)[row] = 1e6;
      stress(m, k)[row] = target + (!only_last || row == rows.last ? off : 0.0);
    }
    for (int other = 0; other < DEM_COMPONENTS; other++)
      if (other != k && other != DEM_XX)
        m->run.stages[stage - 1].control[other] = (dem_control){.kind = DEM_CONTROL_STRAIN_STEP};
    if (k >= DEM_XY && random_below(&random, 2) == 0) { /* a target of zero is judged by the scale of the others */
      for (size_t row = rows.first; row <= rows.last; row++)
        stress(m, k)[row] = 0.04 * 0.1 * 1e6;
      assert_doubts(m, RUN_DOUBT_KINDS, 0, false, i);
    } else {
      assert_doubts(m, DOUBT_SERVO, stage, share > RUN_SERVO_NONSENSE, i);
    }
    make_free(m);
  }
}

/* A servo that follows its ramp is no doubt by itself, but it has not reached the target. */
TEST(a_servo_on_its_way_has_not_arrived)
{
  uint64_t random = 1;
  made_up *m = make_up(&random);
  stage_rows rows = m->rows[2];
  for (int k = 0; k < DEM_COMPONENTS; k++)
    m->run.stages[1].control[k] = (dem_control){.kind = DEM_CONTROL_STRAIN_STEP};
  m->run.stages[1].control[DEM_XX] = (dem_control){.kind = DEM_CONTROL_STRESS, .value = 1e5};
  for (size_t row = rows.first; row <= rows.last; row++) {
    stress(m, DEM_XX)[row] = 1e7;
    SERIES_COLUMN(&m->table, servo_error)[row] = 0.001;
  }
  assert_doubts(m, DOUBT_SERVO, 2, false, 0);
  make_free(m);
}

static void assert_doubts_after(void (*change)(made_up *, int, size_t), run_doubt_kind kind, bool with_packing,
                                bool is_nonsense)
{
  for (int i = 0; i < 40; i++) {
    uint64_t random = (uint64_t)i;
    made_up *m = make_up(&random);
    int stage = with_packing ? 0 : 1 + (int)random_below(&random, STAGES);
    change(m, stage, m->rows[stage].last);
    assert_doubts(m, kind, stage, is_nonsense, i);
    make_free(m);
  }
}

static void be_damped(made_up *m, int stage, size_t last)
{
  (void)stage;
  SERIES_COLUMN(&m->table, damping_share)[last] = 0.21;
}

/* Strains with almost no work, as in small cycles */
static void be_damped_by_little(made_up *m, int stage, size_t last)
{
  be_damped(m, stage, last);
  for (size_t row = m->rows[stage].first; row <= last; row++)
    SERIES_COLUMN(&m->table, stored_normal)[row] = 1e5;
}

/* No strain, with the same work: damping brings the assembly to rest. */
static void come_to_rest_by_damping(made_up *m, int stage, size_t last)
{
  be_damped_by_little(m, stage, last);
  m->run.stages[stage - 1].control[DEM_ZZ].value = 0.0;
}

static void be_damped_by_stresses(made_up *m, int stage, size_t last)
{
  be_damped(m, stage, last);
  m->run.stages[stage - 1].control[DEM_ZZ].value = 0.0;
}

static void be_damped_in_cycles(made_up *m, int stage, size_t last)
{
  come_to_rest_by_damping(m, stage, last);
  m->run.stages[stage - 1].cyclic = (dem_cyclic){.on = true, .has_paths = true};
}

static void lack_energy(made_up *m, int stage, size_t last)
{
  SERIES_COLUMN(&m->table, energy_error)[last] = stage % 2 == 0 ? 0.011 : -0.4;
}

static void explode(made_up *m, int stage, size_t last)
{
  (void)stage;
  SERIES_COLUMN(&m->table, energy_error)[last] = -0.6;
}

static void round_energy(made_up *m, int stage, size_t last)
{
  (void)stage;
  SERIES_COLUMN(&m->table, energy_error)[last] = 2.0;
  SERIES_COLUMN(&m->table, stored_normal)[last] = 1e9;
}

static void overlap(made_up *m, int stage, size_t last)
{
  SERIES_COLUMN(&m->table, overlap_max)[stage > 0 ? m->rows[stage].first : last] = 0.051;
}

static void be_anisotropic(made_up *m, int stage, size_t last)
{
  (void)stage;
  SERIES_COLUMN(&m->table, q)[last] = -0.11 * SERIES_COLUMN(&m->table, p)[last];
}

static void be_sheared(made_up *m, int stage, size_t last)
{
  (void)stage;
  stress(m, DEM_YZ)[last] = -0.11 * SERIES_COLUMN(&m->table, p)[last];
}

static void never_rest(made_up *m, int stage, size_t last)
{
  m->run.stages[stage - 1].until = (dem_until){.steps = (long)(m->rows[stage].count - 1) * EVERY, .unbalanced = 1e-3};
  SERIES_COLUMN(&m->table, unbalanced)[last] = 1e-3;
}

static void come_to_rest(made_up *m, int stage, size_t last)
{
  never_rest(m, stage, last);
  for (size_t row = m->rows[stage].first; row < last; row++)
    SERIES_COLUMN(&m->table, unbalanced)[row] = 1.0; /* on its way it may move */
  SERIES_COLUMN(&m->table, unbalanced)[last] = 0.99e-3;
}

static void lose_numbers(made_up *m, int stage, size_t last)
{
  SERIES_COLUMN(&m->table, kinetic)[last] = stage % 2 == 0 ? NAN : INFINITY;
}

TEST(single_measures_beyond_their_limits)
{
  assert_doubts_after(be_damped, DOUBT_DAMPING, false, false);
  assert_doubts_after(be_damped_by_little, DOUBT_DAMPING, false, false);
  assert_doubts_after(be_damped_by_stresses, DOUBT_DAMPING, false, false);
  assert_doubts_after(be_damped_in_cycles, DOUBT_DAMPING, false, false);
  assert_doubts_after(come_to_rest_by_damping, RUN_DOUBT_KINDS, false, false);
  assert_doubts_after(lack_energy, DOUBT_ENERGY, false, false);
  assert_doubts_after(explode, DOUBT_ENERGY, false, true);
  assert_doubts_after(overlap, DOUBT_OVERLAP, false, false);
  assert_doubts_after(overlap, DOUBT_OVERLAP, true, false);
  assert_doubts_after(be_anisotropic, DOUBT_ANISOTROPY, true, false);
  assert_doubts_after(be_sheared, DOUBT_ANISOTROPY, true, false);
  assert_doubts_after(never_rest, DOUBT_NO_REST, false, false);
  assert_doubts_after(come_to_rest, RUN_DOUBT_KINDS, false, false);
  assert_doubts_after(lose_numbers, DOUBT_NOT_FINITE, false, true);
  assert_doubts_after(lose_numbers, DOUBT_NOT_FINITE, true, true);
  assert_doubts_after(round_energy, RUN_DOUBT_KINDS, false, false);
}

/* Cycles that end before the first reversal are reported, unless the case ends them there, or has paths. */
TEST(an_amplitude_that_is_not_reached_is_told)
{
  for (int i = 0; i < 200; i++) {
    uint64_t random = (uint64_t)i;
    made_up *m = make_up(&random);
    int stage = 1 + (int)random_below(&random, STAGES);
    dem_stage *plan = &m->run.stages[stage - 1];
    double cycles = random_in(&random, 0.0, 0.5),
           end = random_below(&random, 2) == 0 ? 0.0 : random_in(&random, 0.1, 1.0);
    plan->cyclic = (dem_cyclic){.on = true, .has_paths = random_below(&random, 4) == 0, .of = DEM_DEVIATOR};
    plan->until.cycles = end;
    for (size_t row = m->rows[stage].first; row <= m->rows[stage].last; row++)
      SERIES_COLUMN(&m->table, cycle)[row] = cycles;
    bool is_told = !plan->cyclic.has_paths && cycles < 0.25 && (end == 0.0 || cycles < end);
    assert_doubts(m, is_told ? DOUBT_NO_REVERSAL : RUN_DOUBT_KINDS, stage, false, i);
    make_free(m);
  }
}

TEST(a_stage_without_series_is_not_judged)
{
  uint64_t random = 5;
  made_up *m = make_up(&random);
  for (size_t row = m->rows[3].first; row <= m->rows[3].last; row++)
    SERIES_COLUMN(&m->table, stage)[row] = 2.0;
  m->table.rows = m->rows[3].first;
  assert_doubts(m, DOUBT_NO_SERIES, 3, false, 0);
  make_free(m);
}

/* ---- The documentation ------------------------------------------------------------------------------------------- */

TEST(the_guide_has_all_limits)
{
  char *docs = scratch_read(JAGER_SOURCE_DIR, "docs/guide.md", NULL), *table;
  size_t size;
  FILE *stream = open_memstream(&table, &size);
  for (int kind = 0; kind < RUN_DOUBT_KINDS; kind++) {
    if (run_doubt_limit((run_doubt_kind)kind) > 0.0)
      fprintf(stream, "| %g | %s | %s |\n", run_doubt_limit((run_doubt_kind)kind), run_doubt_what((run_doubt_kind)kind),
              run_doubt_remedy((run_doubt_kind)kind));
    else
      fprintf(stream, "| – | %s | %s |\n", run_doubt_what((run_doubt_kind)kind),
              run_doubt_remedy((run_doubt_kind)kind));
  }
  fclose(stream);
  ck_assert_msg(strstr(docs, table) != NULL, "docs/guide.md should have this table:\n%s", table);
  free(docs);
  free(table);
}
