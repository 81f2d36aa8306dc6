/* SPDX-License-Identifier: MIT */
/*
 * Packings to a void ratio and to a relative density.
 *
 * Oracles: the void ratio from the cell and the radii; the stress from the forces of a snapshot, summed here (Love's
 * formula); the packing of the same spheres without a target, whose void ratio is that of the loosest state; the run
 * that was not interrupted. Targets, pressures, laws and aspects are random (seed 3).
 */
#include "dem_support.h"

#include "dem/snapshot.h"
#include "dem/packing.h"
#include "random_numbers.h"

FIXTURE_ONCE(make_directory, remove_directory)

enum { SPHERES = 80 };

static dem_case packing_case(dem_packing_target target, double value)
{
  dem_case run = dem_still_case(0.0);
  dem_take_packing(&run, SPHERES, 10e6);
  dem_packing *packing = &run.assembly.packing;
  packing->friction = NAN;
  packing->unbalanced = 1e-2;
  packing->max_steps = 200000;
  packing->target = target;
  packing->target_value = value;
  return run;
}

static double void_ratio_of(const dem_simulation *s)
{
  double solid = 0.0;
  for (size_t i = 0; i < s->count; i++)
    solid += 4.0 / 3.0 * PI * pow(s->bodies[i].radius, 3.0);
  return s->cell.xx * s->cell.yy * s->cell.zz / solid - 1.0;
}

/* All six stresses from the contacts' forces. Dashpots of spheres at rest carry little: they are left out. */
static void assert_isotropic(const dem_simulation *s, double pressure)
{
  dem_snapshot shot;
  double stress[3][3] = {{0.0}}, volume = s->cell.xx * s->cell.yy * s->cell.zz;
  ck_assert_int_eq(dem_snapshot_take(s, &shot), JAGER_OK);
  for (size_t k = 0; k < shot.contact_count; k++)
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++)
        stress[i][j] += shot.contacts[k].force[i] * shot.contacts[k].branch[j] / volume;
  for (int i = 0; i < 3; i++)
    for (int j = i; j < 3; j++)
      ck_assert_msg(fabs(stress[i][j] - (i == j ? pressure : 0.0)) < 0.02 * pressure, "stress %d%d is %g of %g", i, j,
                    stress[i][j], pressure);
  dem_snapshot_free(&shot);
}

/* Packs to the end. The last step of packing is still that of stage 0. */
static dem_packing_report pack(dem_simulation *s)
{
  while (!dem_simulation_events(s).stage_ended)
    ck_assert(dem_goes_on(s));
  return dem_simulation_packing(s);
}

static dem_packing_report packed(const dem_case *run)
{
  dem_simulation *s = dem_create(run, 1);
  dem_packing_report report = pack(s);
  dem_simulation_destroy(s);
  return report;
}

/* ---- Targets ----------------------------------------------------------------------------------------------------- */

TEST(void_ratios_are_reached)
{
  static const jager_model models[] = {JAGER_MODEL_JAGER, JAGER_MODEL_HERTZ_MINDLIN, JAGER_MODEL_LINEAR};
  uint64_t random = 3;
  for (int k = 0; k < 3; k++) {
    double target = random_in(&random, 0.58, 0.66);
    dem_case run = packing_case(DEM_PACKING_VOID_RATIO, target);
    run.seed = 100 + (uint64_t)k;
    run.contact.model = models[k % 3];
    run.assembly.packing.pressure = k == 0 ? 20e6 : 10e6;
    run.assembly.packing.aspect[k % 3] = random_in(&random, 1.0, 1.3);
    dem_simulation *s = dem_create(&run, 1);
    dem_packing_report report = pack(s);
    ck_assert_msg(fabs(void_ratio_of(s) - target) <= 0.002, "case %d: %.4f of %.4f", k, void_ratio_of(s), target);
    ck_assert_double_eq_tol(report.void_ratio, void_ratio_of(s), 1e-12);
    ck_assert_double_eq_tol(report.target, target, 1e-15);
    ck_assert(report.loosest > target - 0.002 && report.friction > 0.0 && report.friction <= run.material.friction);
    ck_assert_int_eq(report.trials, 1);
    assert_isotropic(s, run.assembly.packing.pressure);
    ck_assert_int_eq(dem_simulation_begin_stage(s, &(error_info){.text = ""}), DEM_GOES_ON);
    ck_assert_double_eq(s->law.friction, run.material.friction);
    dem_simulation_destroy(s);
  }
}

/* The loosest state is the packing with that friction, and the second trial repeats the first. */
TEST(relative_densities_are_reached)
{
  dem_case run = packing_case(DEM_PACKING_RELATIVE_DENSITY, 0.6), loose = packing_case(DEM_PACKING_FREE, 0.0);
  dem_simulation *s = dem_create(&run, 1);
  double loosest[3] = {NAN, NAN, NAN}, least[3] = {1.0, 1.0, 1.0}, most[3] = {0.0, 0.0, 0.0};
  while (!dem_simulation_events(s).stage_ended) {
    ck_assert(dem_goes_on(s));
    int trials = dem_simulation_packing(s).trials;
    double progress = dem_simulation_stage_progress(s);
    loosest[trials] = dem_simulation_packing(s).loosest;
    least[trials] = fmin(least[trials], progress);
    most[trials] = fmax(most[trials], progress);
  }
  ck_assert(least[1] >= 0.0 && least[1] < 0.1 && most[1] > 0.45 && most[1] <= 0.5); /* each trial is half the way */
  ck_assert(least[2] >= 0.5 && least[2] < 0.6 && most[2] > 0.95 && most[2] <= 1.0);
  dem_packing_report report = dem_simulation_packing(s);
  double e = void_ratio_of(s);
  ck_assert_int_eq(report.trials, 2);
  ck_assert(report.densest < e && e < report.loosest);
  ck_assert_double_eq_tol(report.target, report.loosest - 0.6 * (report.loosest - report.densest), 1e-12);
  ck_assert_double_eq_tol(e, report.target, 0.002);
  ck_assert_double_eq_tol(dem_packing_relative_density(&report), 0.6, 0.02);
  ck_assert_double_eq(loosest[1], loosest[2]);
  dem_simulation_destroy(s);
  dem_simulation *free_of_target = dem_create(&loose, 2);
  ck_assert_int_eq(pack(free_of_target).trials, 0);
  ck_assert_double_eq_tol(void_ratio_of(free_of_target), report.loosest, 1e-12);
  dem_simulation_destroy(free_of_target);
}

TEST(the_ends_of_the_range_are_reached)
{
  dem_case densest = packing_case(DEM_PACKING_RELATIVE_DENSITY, 1.0),
           loosest = packing_case(DEM_PACKING_RELATIVE_DENSITY, 0.0);
  dem_packing_report dense = packed(&densest), loose = packed(&loosest);
  ck_assert_int_eq(dense.trials, 1);
  ck_assert_double_eq(dense.void_ratio, dense.densest);
  ck_assert_double_eq(dense.friction, 0.0);
  ck_assert_int_eq(loose.trials, 2);
  ck_assert_double_eq(loose.void_ratio, loose.loosest);
  ck_assert_double_eq(loose.loosest, dense.loosest);
  ck_assert_double_eq(loose.densest, dense.densest);
}

TEST(other_void_ratios_are_refused_with_the_range)
{
  const double targets[] = {0.3, 0.95};
  for (int k = 0; k < 2; k++) {
    dem_case run = packing_case(DEM_PACKING_VOID_RATIO, targets[k]);
    error_info error = {.text = ""};
    dem_simulation *s = dem_create(&run, 1);
    dem_progress progress;
    while ((progress = dem_simulation_step(s, &error)) == DEM_GOES_ON)
      ck_assert(!dem_simulation_events(s).stage_ended);
    dem_packing_report report = dem_simulation_packing(s);
    char range[2][32];
    snprintf(range[0], sizeof range[0], "%.4f", report.loosest);
    snprintf(range[1], sizeof range[1], "%.4f", report.densest);
    ck_assert_int_eq(progress, DEM_FAILED);
    ck_assert_msg(strstr(error.text, range[0]) && strstr(error.text, range[1]), "%s", error.text);
    ck_assert(report.densest < report.loosest && report.densest > 0.4 && report.loosest < 0.9);
    dem_simulation_destroy(s);
  }
}

/* ---- Resuming ---------------------------------------------------------------------------------------------------- */

/* Writes and reads a checkpoint at random steps, in all phases of both trials. */
TEST(interrupted_searches_end_with_the_same_bits)
{
  dem_case run = packing_case(DEM_PACKING_RELATIVE_DENSITY, 0.5);
  error_info error = {.text = ""};
  uint64_t random = 3;
  dem_simulation *whole = dem_create(&run, 1), *parts = dem_create(&run, 2);
  dem_packing_report expected = pack(whole);
  long next = 1000;
  while (!dem_simulation_events(parts).stage_ended) {
    ck_assert(dem_goes_on(parts));
    if (dem_simulation_steps(parts) < next)
      continue;
    dem_checkpoint_notes notes = {.input = ""};
    ck_assert(dem_checkpoint_write(parts, scratch_path(directory, "c.jck"), NULL, &notes, &error));
    dem_simulation_destroy(parts);
    parts = dem_restore(&run, scratch_path(directory, "c.jck"), 1, &notes, &error);
    ck_assert_msg(parts != NULL, "%s", error.text);
    free((void *)(uintptr_t)notes.input);
    next += (long)random_in(&random, 500.0, 8000.0);
  }
  dem_packing_report report = dem_simulation_packing(parts);
  ck_assert(dem_simulation_hash(whole) == dem_simulation_hash(parts));
  ck_assert(report.trials == expected.trials && report.target == expected.target &&
            report.loosest == expected.loosest && report.densest == expected.densest &&
            report.friction == expected.friction && report.void_ratio == expected.void_ratio);
  dem_simulation_destroy(whole);
  dem_simulation_destroy(parts);
}

/* The end of packing does not look back: a search whose state is at rest may not be made stricter. */
TEST(the_rest_of_a_search_may_not_change)
{
  dem_case run = packing_case(DEM_PACKING_VOID_RATIO, 0.62), strict = run;
  error_info error = {.text = ""};
  dem_checkpoint_notes notes = {.input = ""};
  dem_simulation *s = dem_create(&run, 1);
  dem_steps(s, 500);
  ck_assert(dem_checkpoint_write(s, scratch_path(directory, "c.jck"), NULL, &notes, &error));
  dem_simulation_destroy(s);
  strict.assembly.packing.unbalanced = 1e-3;
  ck_assert_ptr_null(dem_restore(&strict, scratch_path(directory, "c.jck"), 1, &notes, &error));
  ck_assert_msg(strstr(error.text, "assembly.packing.unbalanced"), "%s", error.text);
}

/* ---- The number of steps ----------------------------------------------------------------------------------------- */

/*
 * Stiff grains at low pressure, and grains without friction whose contacts are those of power laws, come to rest in few
 * steps. With true inertia, more damping and a servo with an integral, such a packing of the first kind took 153,000
 * steps, and one of the second was not at rest after 300,000.
 */
TEST(stiff_grains_come_to_rest_in_few_steps)
{
  static const struct {
    double pressure, friction;
    bool is_power;
    long steps;
  } kinds[] = {{10e3, 0.3, false, 30000}, {100e3, 0.0, true, 60000}};
  for (int k = 0; k < 2; k++) {
    dem_case run = packing_case(DEM_PACKING_FREE, 0.0);
    dem_packing *packing = &run.assembly.packing;
    packing->spheres = 300;
    packing->sizes.min = 0.4e-3;
    packing->pressure = kinds[k].pressure;
    packing->friction = kinds[k].friction;
    packing->unbalanced = 1e-3;
    packing->max_steps = kinds[k].steps;
    if (kinds[k].is_power) {
      run.contact.contour = JAGER_CONTOUR_POWER;
      run.contact.exponent = 1.5;
      run.contact.slope = 10.0;
    }
    dem_simulation *s = dem_create(&run, 1);
    (void)pack(s);
    printf("%g kPa, friction %g: %ld steps, void ratio %.4f\n", 1e-3 * packing->pressure, packing->friction, s->step,
           void_ratio_of(s));
    ck_assert_double_lt(s->unbalanced, 1e-3);
    assert_isotropic(s, packing->pressure);
    dem_simulation_destroy(s);
  }
}
