/* SPDX-License-Identifier: MIT */
/*
 * Stages that stop all spheres first.
 *
 * Oracle: kinetic energy and momentum computed here from the velocities; the energy balance, which must stay closed.
 */
#include "dem_support.h"

static double speed_squares(const dem_simulation *s)
{
  double sum = 0.0;
  for (size_t i = 0; i < s->count; i++)
    sum += vec3_dot(s->motions[i].v, s->motions[i].v) + vec3_dot(s->motions[i].w, s->motions[i].w);
  return sum;
}

/* Packed while still moving: the unbalanced force that ends the packing is large. */
static dem_case moving_case(bool stops)
{
  dem_case run = dem_case_default();
  dem_take_packing(&run, 100, 10e6);
  run.assembly.packing.unbalanced = 0.2;
  dem_add_stage(&run, "free", 200);
  dem_add_stage(&run, "stopped", 500)->stops_spheres = stops;
  return run;
}

START_TEST(spheres_stop_and_their_energy_is_accounted_for)
{
  for (int stops = 0; stops <= 1; stops++) {
    error_info error = {.text = ""};
    dem_case run = moving_case(stops);
    dem_simulation *s = dem_create(&run, 1);
    dem_run_to_stage(s, 1);
    while (!dem_simulation_events(s).stage_ended)
      ck_assert(dem_goes_on(s));
    ck_assert_double_gt(speed_squares(s), 0.0);
    dem_measures before = dem_measured(s);
    ck_assert_int_eq(dem_simulation_begin_stage(s, &error), DEM_GOES_ON);
    dem_measures after = dem_measured(s);
    if (stops) {
      ck_assert_double_eq(speed_squares(s), 0.0);
      ck_assert_double_lt(after.kinetic, 0.5 * before.kinetic);
      assert_within(after.dissipated_damping - before.dissipated_damping, before.kinetic - after.kinetic,
                    1e-9 * before.kinetic);
    } else
      ck_assert_double_eq(after.kinetic, before.kinetic);
    assert_within(after.energy_error, before.energy_error, 1e-3); /* relative to the energies, which have grown */
    ck_assert_double_eq(after.p, before.p);                       /* nothing else has changed */
    dem_run_to_end(s);
    assert_within(dem_measured(s).energy_error, 0.0, 0.02);
    dem_simulation_destroy(s);
    dem_case_free(&run);
  }
}
END_TEST

static void add_tests(TCase *tests)
{
  tcase_add_test(tests, spheres_stop_and_their_energy_is_accounted_for);
}

int main(void)
{
  return run_tests("dem_stop", add_tests);
}
