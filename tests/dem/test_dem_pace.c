/* SPDX-License-Identifier: MIT */
/*
 * Stages that hold an inertial number: prescribed strain rates follow the pressure.
 *
 * Oracles: the inertial number of the measures, which has its own independent value in test_dem_measures.c; the
 * proportions of the prescribed strains; the uninterrupted run, for stages that are interrupted anywhere (seed 11).
 */
#include "dem_support.h"

#include "dem/drive.h"

enum { SPHERES = 150 };

FIXTURE_PACKED(ONCE, SPHERES)

static dem_control stress(double value)
{
  return (dem_control){.kind = DEM_CONTROL_STRESS, .value = value};
}

static dem_stage *add_stage(dem_case *run, double number, long steps)
{
  dem_stage *stage = dem_add_stage(run, "paced", steps);
  stage->inertial_number = number;
  return stage;
}

/* All strains are prescribed, of any size: every step has the inertial number, once the speed is reached. */
TEST(prescribed_strains_hold_the_number_in_every_step)
{
  const double numbers[] = {1e-5, 3e-4, 2e-3};
  for (int kind = 0; kind < 6; kind++) {
    SCOPED_CASE run = packed_case();
    double number = numbers[kind % 3];
    dem_stage *stage = add_stage(&run, number, 700);
    run.density_scaling = kind == 4 ? 100.0 : 1.0;
    run.scales_each_sphere = kind == 5;
    stage->control[DEM_XZ] = kind % 2 ? rate(-1e-3) : per_step(7.0);
    if (kind == 2) {
      stage->control[DEM_XX] = stage->control[DEM_YY] = (dem_control){.kind = DEM_CONTROL_VOLUME};
      stage->control[DEM_ZZ] = per_step(3.0);
    }
    SCOPED_SIMULATION s = dem_create(&run, 1);
    double least = INFINITY, most = 0.0;
    for (int k = 1; dem_goes_on(s); k++) {
      double now = dem_measured(s).inertial_number;
      least = k > 400 ? fmin(least, now) : least;
      most = fmax(most, now);
    }
    printf("kind %d: %.3g to %.3g of %.3g\n", kind, least, most, number);
    ck_assert_double_ge(least, 0.97 * number); /* the pressure changes within a step, after the speed was chosen */
    ck_assert_double_le(most, 1.03 * number);
  }
}

/* Servos strain the sides of a triaxial test: on average, all strains together have the inertial number. */
TEST(servos_take_their_share_of_the_number)
{
  SCOPED_CASE run = packed_case();
  const double number = 3e-4;
  run.contact.tolerance = 1e-3;
  dem_stage *stage = add_stage(&run, number, 9000);
  stage->control[DEM_XX] = stage->control[DEM_YY] = stress(10e6);
  stage->control[DEM_ZZ] = rate(1.0);
  SCOPED_SIMULATION s = dem_create(&run, 1);
  double sum = 0.0;
  int count = 0;
  for (int k = 0; dem_goes_on(s); k++)
    if (k > 4000 && k % 5 == 0 && ++count)
      sum += dem_measured(s).inertial_number;
  printf("triaxial: mean inertial number %.3g of %.3g in %d steps\n", sum / count, number, count);
  ck_assert_int_gt(count, 900);
  assert_within(sum / count, number, 0.1 * number);
}

/* Strain rates keep their ratios in both directions of a cycle; the speed grows by at most 1 % in a step. */
TEST(proportions_are_kept_and_speeds_change_smoothly)
{
  SCOPED_CASE run = packed_case();
  dem_stage *stage = add_stage(&run, 1e-3, 3000);
  stage->control[DEM_XZ] = rate(2.0);
  stage->control[DEM_YZ] = rate(-1.0);
  stage->cyclic = (dem_cyclic){.on = true, .of = (dem_quantity)(DEM_STRAIN + DEM_XZ), .amplitude = 2e-4, .center = NAN};
  SCOPED_SIMULATION s = dem_create(&run, 1);
  double before = 0.0, most = 0.0, change = 0.0;
  while (dem_goes_on(s)) {
    double now = fabs(s->increment[DEM_XZ]) / s->dt;
    assert_within(s->increment[DEM_YZ], -0.5 * s->increment[DEM_XZ], 1e-15 * fabs(s->increment[DEM_XZ]));
    most = fmax(most, now);
    change = fmax(change, fabs(now - before));
    before = now;
  }
  ck_assert_double_le(change, 0.011 * most);
  ck_assert_int_gt(s->stage.reversals, 4);
}

/* Without stress, before the first contact or after liquefaction, the test goes on: to contact, and to its end. */
TEST(lost_stress_does_not_stop_the_test)
{
  SCOPED_CASE run = dem_still_case(1e-7);
  run.stage_count = 0;
  run.assembly.source = DEM_SOURCE_LATTICE;
  run.assembly.lattice = (dem_lattice){.kind = DEM_LATTICE_SC, .cells = {3, 3, 3}, .radius = 1e-3, .overlap = -1e-6};
  dem_stage *stage = add_stage(&run, 1e-3, 0);
  stage->control[DEM_XX] = stage->control[DEM_YY] = stage->control[DEM_ZZ] = rate(1.0);
  stage->until.count = 1;
  stage->until.criteria[0] = (dem_criterion){.of = DEM_MEAN_STRESS, .value = 1e4};
  stage->until.steps = 1000000;
  SCOPED_SIMULATION s = dem_create(&run, 1);
  ck_assert_double_eq(dem_measured(s).p, 0.0);
  dem_run_to_end(s);
  printf("from no contact to 10 kPa in %ld steps\n", dem_simulation_steps(s));
  ck_assert_double_ge(dem_measured(s).p, 1e4);
  ck_assert_int_lt(dem_simulation_steps(s), 900000);
  dem_simulation_destroy(s);

  stage->control[DEM_XX] = stage->control[DEM_YY] = stage->control[DEM_ZZ] = rate(-1.0); /* and away */
  run.assembly.lattice.overlap = 1e-5;
  stage->until = (dem_until){.steps = 1000000, .count = 1};
  stage->until.criteria[0] = (dem_criterion){.of = DEM_VOLUMETRIC_STRAIN, .value = -1e-4};
  s = dem_create(&run, 1);
  ck_assert_double_gt(dem_measured(s).p, 0.0);
  dem_run_to_end(s);
  ck_assert_double_eq(dem_measured(s).p, 0.0);
  ck_assert_int_lt(dem_simulation_steps(s), 900000);
}

/* ---- Resuming ---------------------------------------------------------------------------------------------------- */

static uint64_t hash_after(dem_simulation *s, long steps)
{
  dem_steps(s, steps);
  return dem_simulation_hash(s);
}

TEST(a_resumed_stage_has_the_same_bits)
{
  uint64_t seed = 11;
  for (int trial = 0; trial < 6; trial++) {
    SCOPED_CASE run = packed_case();
    dem_stage *stage = add_stage(&run, 1e-3, 5000);
    stage->control[DEM_XX] = stress(10e6);
    stage->control[DEM_XZ] = rate(1.0);
    stage->cyclic =
        (dem_cyclic){.on = true, .of = (dem_quantity)(DEM_STRAIN + DEM_XZ), .amplitude = 2e-4, .center = NAN};
    long before = (long)random_below(&seed, 800), after = 1 + (long)random_below(&seed, 600);
    error_info error = {.text = ""};
    dem_checkpoint_notes notes = {.input = ""};
    SCOPED_SIMULATION s = dem_create(&run, 1);
    dem_steps(s, before);
    ck_assert(dem_checkpoint_write(s, scratch_path(directory, "middle"), NULL, &notes, &error));
    SCOPED_SIMULATION resumed = dem_restore(&run, scratch_path(directory, "middle"), 2, &notes, &error);
    ck_assert_msg(resumed != NULL, "%s", error.text);
    ck_assert_uint_eq(hash_after(s, after), hash_after(resumed, after));
    ck_assert_double_eq(s->stage.pace.factor, resumed->stage.pace.factor);
    free((void *)(uintptr_t)notes.input);
  }
}
