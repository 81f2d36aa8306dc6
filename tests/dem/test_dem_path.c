/* SPDX-License-Identifier: MIT */
/*
 * Paths of components: circles, ellipses and figures of eight, in strain and in stress.
 *
 * Oracles: the sine of the C library in the closed form of the path; closed curves return to their start; the servo's
 * own error for stresses; the uninterrupted run for stages that are interrupted anywhere (seed 12). Random frequencies
 * and phases (seed 13).
 */
#include "dem_support.h"

#include "dem/drive.h"

enum { SPHERES = 150, STEPS_PER_CYCLE = 500 };

FIXTURE_PACKED(ONCE, SPHERES)

static dem_control wave(dem_control_kind kind, double amplitude, double frequency, double phase)
{
  return (dem_control){
      .kind = kind, .value = amplitude, .wave = {.frequency = frequency, .phase = phase, .center = NAN}};
}

static dem_stage *add_stage(dem_case *run, double run_in, double cycles)
{
  dem_stage *stage = dem_add_stage(run, "path", 0);
  stage->cyclic = (dem_cyclic){.on = true,
                               .has_paths = true,
                               .of = (dem_quantity)(DEM_STRAIN + DEM_XZ),
                               .steps_per_cycle = STEPS_PER_CYCLE,
                               .run_in = run_in,
                               .center = NAN};
  stage->until.cycles = cycles;
  return stage;
}

/* The closed form. */
static double expected(const dem_control *control, double cycles, double run_in)
{
  double x = cycles < run_in ? cycles / run_in : 1.0;
  return control->value * (3.0 * x * x - 2.0 * x * x * x) *
         sin(2.0 * PI * fmod(control->wave.frequency * cycles + control->wave.phase, 1.0));
}

/* ---- Strains ----------------------------------------------------------------------------------------------------- */

TEST(strains_follow_the_closed_form)
{
  uint64_t seed = 13;
  double worst = 0.0;
  for (int trial = 0; trial < 12; trial++) {
    SCOPED_CASE run = dem_still_case(1e-7);
    run.stage_count = 0;
    run.assembly.source = DEM_SOURCE_LATTICE;
    run.assembly.lattice = (dem_lattice){.kind = DEM_LATTICE_SC, .cells = {3, 3, 3}, .radius = 1e-3, .overlap = -0.5};
    dem_add_stage(&run, "before", 7)->control[DEM_XZ] =
        (dem_control){.kind = DEM_CONTROL_STRAIN_STEP, .value = 1e-3}; /* strains count from the start of the stage */
    double run_in = 0.25 * (double)random_below(&seed, 8), cycles = 1.0 + 0.5 * (double)random_below(&seed, 6);
    dem_stage *stage = add_stage(&run, run_in, cycles);
    if (trial % 3 == 1) { /* by time */
      stage->cyclic.steps_per_cycle = 0;
      stage->cyclic.period = 3.3e-5;
    }
    for (int k = DEM_ZZ; k <= DEM_YZ; k++)
      stage->control[k] = wave(DEM_CONTROL_STRAIN_PATH, random_in(&seed, 1e-3, 0.02),
                               1.0 + (double)random_below(&seed, 3), (double)random_below(&seed, 360) / 360.0);
    SCOPED_SIMULATION s = dem_create(&run, 1);
    dem_run_to_stage(s, 2);
    double start[DEM_COMPONENTS], time = s->time - s->dt, done = 0.0;
    for (int k = 0; k < DEM_COMPONENTS; k++)
      start[k] = s->stage.strain_start[k];
    for (long n = 1;; n++) {
      done = trial % 3 == 1 ? (s->time - time) / 3.3e-5 : (double)n / STEPS_PER_CYCLE;
      for (int k = DEM_ZZ; k <= DEM_YZ; k++)
        worst = fmax(worst, fabs(s->strain[k] - start[k] - expected(&stage->control[k], done, run_in)));
      if (!dem_goes_on(s))
        break;
    }
    ck_assert_double_ge(done, cycles - 1e-9); /* the last step is the first at or beyond the end */
    ck_assert_double_lt(done, cycles + 1.01 / 330.0);
  }
  printf("strains on paths: off by at most %.2e\n", worst);
  ck_assert_double_le(worst, 1e-15);
}

/* After the run-in, each cycle of a circle, an ellipse or a figure of eight repeats the one before. */
TEST(curves_are_closed)
{
  const struct {
    double ratio, frequency, phase;
  } curves[] = {{1.0, 1.0, 0.25}, {0.5, 1.0, 0.25}, {1.0, 2.0, 0.0}, {0.7, 1.0, 0.1}};
  for (size_t c = 0; c < sizeof curves / sizeof *curves; c++) {
    SCOPED_CASE run = packed_case();
    dem_stage *stage = add_stage(&run, 1.0, 3.0);
    const double a = 1e-4, b = curves[c].ratio * a;
    stage->control[DEM_XZ] = wave(DEM_CONTROL_STRAIN_PATH, a, 1.0, 0.0);
    stage->control[DEM_YZ] = wave(DEM_CONTROL_STRAIN_PATH, b, curves[c].frequency, curves[c].phase);
    SCOPED_SIMULATION s = dem_create(&run, 1);
    double x[3 * STEPS_PER_CYCLE + 1] = {0}, y[3 * STEPS_PER_CYCLE + 1] = {0}, area = 0.0;
    long peaks = 0;
    for (int n = 1; dem_goes_on(s); n++) {
      ck_assert_int_le(n, 3 * STEPS_PER_CYCLE);
      x[n] = s->strain[DEM_XZ];
      y[n] = s->strain[DEM_YZ];
      peaks += dem_simulation_events(s).reversed;
      if (n > STEPS_PER_CYCLE && n <= 2 * STEPS_PER_CYCLE)
        area += 0.5 * (x[n - 1] * y[n] - x[n] * y[n - 1]);
    }
    for (int n = STEPS_PER_CYCLE; n <= 2 * STEPS_PER_CYCLE; n++) {
      assert_within(x[n + STEPS_PER_CYCLE], x[n], 1e-18);
      assert_within(y[n + STEPS_PER_CYCLE], y[n], 1e-18);
      if (c == 0)
        assert_within(x[n] * x[n] + y[n] * y[n], a * a, 1e-13 * a * a);
    }
    double lobes = curves[c].frequency == 1.0 ? -PI * a * b * sin(2.0 * PI * curves[c].phase) : 0.0;
    assert_within(area, lobes, 1e-3 * a * a); /* clockwise; a polygon has a little less */
    ck_assert_int_ge(peaks, 6 + (long)(curves[c].frequency > 1.0 ? 6 : 0));
    ck_assert_int_eq(s->step, 3 * STEPS_PER_CYCLE);
  }
}

/*
 * The inertial number sets the speed of a path of strains: it is not exceeded, and reached where a single component is
 * fastest.
 */
TEST(the_inertial_number_leads_a_path)
{
  SCOPED_CASE run = packed_case();
  dem_stage *stage = add_stage(&run, 1.0, 3.0);
  const double number = 5e-4;
  stage->cyclic.steps_per_cycle = 0;
  stage->inertial_number = number;
  stage->control[DEM_XZ] = wave(DEM_CONTROL_STRAIN_PATH, 1e-4, 1.0, 0.0);
  SCOPED_SIMULATION s = dem_create(&run, 1);
  double most = 0.0;
  while (dem_goes_on(s))
    if (s->stage.phase > 1.0)
      most = fmax(most, dem_measured(s).inertial_number);
  printf("path at the inertial number %.3g: at most %.3g, %ld steps\n", number, most, s->step);
  ck_assert_double_le(most, 1.02 * number);
  ck_assert_double_ge(most, 0.95 * number);
  assert_within(s->strain[DEM_XZ], expected(&stage->control[DEM_XZ], s->stage.phase, 1.0), 1e-15);
}

/* ---- Stresses ---------------------------------------------------------------------------------------------------- */

TEST(stresses_follow_a_circle)
{
  SCOPED_CASE run = packed_case();
  run.contact.tolerance = 1e-3;
  dem_stage *stage = add_stage(&run, 1.0, 3.0);
  const double amplitude = 0.5e6, center = 0.2e6;
  stage->cyclic.steps_per_cycle = 2000;
  stage->control[DEM_ZZ] = (dem_control){.kind = DEM_CONTROL_STRESS, .value = 10e6};
  stage->control[DEM_XZ] = wave(DEM_CONTROL_STRESS_PATH, amplitude, 1.0, 0.0);
  stage->control[DEM_YZ] = wave(DEM_CONTROL_STRESS_PATH, amplitude, 1.0, 0.25);
  stage->control[DEM_XZ].wave.center = stage->control[DEM_YZ].wave.center = center;
  SCOPED_SIMULATION s = dem_create(&run, 1);
  double worst = 0.0, told = 0.0, least = INFINITY, most = 0.0;
  while (dem_goes_on(s)) {
    double now[DEM_COMPONENTS];
    if (s->stage.phase <= 1.0)
      continue;
    dem_stress(s, now);
    double x = amplitude * sin(2.0 * PI * s->stage.phase), y = amplitude * cos(2.0 * PI * s->stage.phase);
    worst = fmax(worst, hypot(now[DEM_XZ] - center - x, now[DEM_YZ] - center - y));
    told = fmax(told, s->stage.servo_error);
    double radius = hypot(now[DEM_XZ] - center, now[DEM_YZ] - center);
    least = fmin(least, radius);
    most = fmax(most, radius);
  }
  printf("stress path: off by at most %.2e of the amplitude; radius %.4f to %.4f; servo error %.2e\n",
         worst / amplitude, least / amplitude, most / amplitude, told);
  ck_assert_double_le(worst, 0.02 * amplitude);
  ck_assert_double_le(told, 0.01);
}

/* ---- Resuming ---------------------------------------------------------------------------------------------------- */

TEST(a_resumed_path_has_the_same_bits)
{
  uint64_t seed = 12;
  for (int trial = 0; trial < 9; trial++) {
    SCOPED_CASE run = packed_case();
    dem_stage *stage = add_stage(&run, 1.0, 30.0);
    dem_control_kind kind = trial % 3 == 2 ? DEM_CONTROL_STRESS_PATH : DEM_CONTROL_STRAIN_PATH;
    double amplitude = kind == DEM_CONTROL_STRESS_PATH ? 0.5e6 : 1e-4;
    stage->control[DEM_XZ] = wave(kind, amplitude, 1.0, 0.0);
    stage->control[DEM_YZ] = wave(kind, amplitude, 2.0, 0.25);
    if (trial % 3 == 1) {
      stage->cyclic.steps_per_cycle = 0;
      stage->inertial_number = 2e-3;
    }
    error_info error = {.text = ""};
    dem_checkpoint_notes notes = {.input = ""};
    SCOPED_SIMULATION s = dem_create(&run, 1);
    dem_steps(s, (long)random_below(&seed, 700));
    ck_assert(dem_checkpoint_write(s, scratch_path(directory, "middle"), NULL, &notes, &error));
    SCOPED_SIMULATION resumed = dem_restore(&run, scratch_path(directory, "middle"), 2, &notes, &error);
    ck_assert_msg(resumed != NULL, "%s", error.text);
    long after = 1 + (long)random_below(&seed, 500);
    dem_steps(s, after);
    dem_steps(resumed, after);
    ck_assert_uint_eq(dem_simulation_hash(s), dem_simulation_hash(resumed));
    ck_assert_double_eq(s->stage.phase, resumed->stage.phase);
    free((void *)(uintptr_t)notes.input);
  }
}
