/* SPDX-License-Identifier: MIT */
/*
 * Followers of contacts, with the twins of bench/twins.h. Oracles: exact contacts that make the same movements; the
 * undisturbed run.
 */
#include "dem_support.h"
#include "assert_ok.h"

#include "../../bench/twins.h"
#include "dem/checkpoint/checkpoint.h"

#include <string.h>

static dem_case sheared_case(void)
{
  dem_case run = dem_still_case(0.0);
  dem_take_packing(&run, 120, 1e6);
  run.stages[0].control[DEM_ZZ] = (dem_control){.kind = DEM_CONTROL_STRAIN_STEP, .value = 2e-6};
  run.stages[0].until.steps = 300;
  return run;
}

/* To the end of packing. */
static dem_simulation *packed(const dem_case *run)
{
  dem_simulation *s = dem_create(run, 1);
  while (!(dem_simulation_stage(s) == 0 && dem_simulation_events(s).stage_ended))
    ck_assert_int_eq(dem_simulation_step(s, &error), DEM_GOES_ON);
  return s;
}

static void finish(dem_simulation *s)
{
  dem_progress outcome;
  while ((outcome = dem_simulation_step(s, &error)) == DEM_GOES_ON)
    continue;
  ck_assert_int_eq(outcome, DEM_DONE);
}

static jager_law law_of(const dem_case *run)
{
  jager_law law = example_law();
  ck_assert_int_eq(jager_law_set_bodies(&law, run->material.shear_modulus, run->material.poisson), JAGER_OK);
  ck_assert_int_eq(jager_law_set_friction(&law, run->material.friction), JAGER_OK);
  return law;
}

static const twin_way ways[] = {{"exact", 0.0, 0.0}, {"0.20 f", 0.20, 0.0}, {"tolerance", 0.0, 5e-3}};

/* Following does not change the run. */
TEST(followers_change_no_bit)
{
  dem_case run = sheared_case();
  jager_law law = law_of(&run);
  twins of;
  SCOPED_SIMULATION plain = packed(&run);
  SCOPED_SIMULATION watched = packed(&run);
  ck_assert(twins_init(&of, &law, ways, 3));
  ck_assert(dem_simulation_follow(watched, &of.follower));
  finish(plain);
  finish(watched);
  ck_assert_uint_eq(dem_simulation_hash(plain), dem_simulation_hash(watched));
  ck_assert_double_gt(of.movements, 1000.0);
  dem_checkpoint_notes notes = {.input = ""};
  ck_assert(!dem_checkpoint_write(watched, "followed.jck", NULL, &notes, &error));
  ck_assert_ptr_nonnull(strstr(error.text, "followed"));
  twins_free(&of);
}

/* With Δp_max = 0 a twin equals its contact. With larger values histories are shorter and have errors. */
TEST(twins_without_approximation_are_exact)
{
  dem_case run = sheared_case();
  jager_law law = law_of(&run);
  twins of;
  SCOPED_SIMULATION s = packed(&run);
  ck_assert(twins_init(&of, &law, ways, 3));
  ck_assert(dem_simulation_follow(s, &of.follower));
  double share = of.count / (double)dem_simulation_contacts(s);
  finish(s);
  ck_assert_int_eq(of.status, JAGER_OK);
  ck_assert_double_le(of.errors[0].max, 1e-12);
  ck_assert_double_eq(of.lengths[0], of.exact_length);
  ck_assert_double_lt(of.lengths[1], of.exact_length);
  ck_assert_double_gt(of.errors[1].max, 1e-9);
  ck_assert_double_le(of.errors[1].sum / of.movements, of.errors[1].max);
  ck_assert_double_lt(of.lengths[2], of.exact_length);
  ck_assert_double_gt(of.errors[2].max, 1e-9);
  ck_assert_double_le(of.errors[2].max, 0.1); /* the bound for one movement in the plane is 0.24 */
  assert_within(share, 1.0 / TWIN_SHARE, 0.12);
  twins_free(&of);
}
