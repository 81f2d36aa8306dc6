/* SPDX-License-Identifier: MIT */
/*
 * Another case for a simulation under way.
 *
 * Oracles: a case in which each change is a stage of its own, with the same bits if stiffnesses are computed in every
 * step; a case that had the later end from the start; for the whole state, a simulation restored from a checkpoint,
 * which continues to the same bytes. Changes, controls and moments are random (seeds 1 to 3). A refused change does not
 * change the bytes of the checkpoint.
 */
#include "dem_support.h"

#include "dem/trace.h"

enum { SPHERES = 100 };

FIXTURE_PACKED(ONCE, SPHERES)

/* Cases of this file share the path of their spheres. */
static dem_case *clone_case(const dem_case *run)
{
  dem_case *copy = malloc(sizeof *copy);
  ck_assert_ptr_nonnull(copy);
  ck_assert(dem_case_copy(copy, run));
  return copy;
}

static void free_case(dem_case *run)
{
  dem_case_free(run);
  free(run);
}

static void free_changing(dem_case **run)
{
  free_case(*run);
}

/* A case that change() may replace, freed at the end of its scope; it is declared before its simulation. */
#define SCOPED_CHANGING __attribute__((cleanup(free_changing))) dem_case *

/* Continues in another case and frees the one before: a sanitizer sees any later use of it. */
static void change(dem_simulation *s, dem_case **run, dem_case *now)
{
  error_info error = {.text = ""};
  ck_assert_msg(dem_simulation_change_case(s, now, &error), "%s", error.text);
  ck_assert_ptr_eq(dem_simulation_case(s), now);
  free_case(*run);
  *run = now;
}

static void write_state(const dem_simulation *s, const char *name)
{
  error_info error = {.text = ""};
  dem_checkpoint_notes notes = {.input = "text\n"};
  ck_assert_msg(dem_checkpoint_write(s, scratch_path(directory, name), NULL, &notes, &error), "%s", error.text);
}

static void assert_same_state(const dem_simulation *a, const dem_simulation *b)
{
  size_t size_a, size_b;
  write_state(a, "a");
  write_state(b, "b");
  char *bytes_a = scratch_read(directory, "a", &size_a), *bytes_b = scratch_read(directory, "b", &size_b);
  ck_assert_uint_eq(size_a, size_b);
  ck_assert_mem_eq(bytes_a, bytes_b, size_a);
  ck_assert_uint_eq(dem_simulation_hash(a), dem_simulation_hash(b));
  free(bytes_a);
  free(bytes_b);
}

/* A simulation restored from a checkpoint, in its case, continues to the same bytes. */
static void assert_resumes(dem_simulation *s, const dem_case *run, long steps)
{
  error_info error = {.text = ""};
  dem_checkpoint_notes notes = {.input = NULL};
  write_state(s, "middle");
  SCOPED_SIMULATION resumed = dem_restore(run, scratch_path(directory, "middle"), 1, &notes, &error);
  ck_assert_msg(resumed != NULL, "%s", error.text);
  ck_assert(!notes.end_was_taken_back);
  free((void *)(uintptr_t)notes.input);
  ck_assert_uint_eq(dem_simulation_hash(s), dem_simulation_hash(resumed));
  dem_steps(s, steps);
  dem_steps(resumed, steps);
  assert_same_state(s, resumed);
}

/* ---- Random changes ---------------------------------------------------------------------------------------------- */

static dem_control random_control(uint64_t *seed, int component)
{
  double sign = random_below(seed, 2) ? 1.0 : -1.0, size = 0.2 + random_in(seed, 0.0, 1.0);
  switch (random_below(seed, component <= DEM_ZZ ? 4 : 3)) {
  case 0:
    return (dem_control){.kind = DEM_CONTROL_STRAIN_RATE, .value = 10.0 * sign * size};
  case 1:
    return (dem_control){.kind = DEM_CONTROL_STRAIN_STEP, .value = 1e-6 * sign * size};
  case 2:
    return (dem_control){.kind = DEM_CONTROL_STRESS, .value = component <= DEM_ZZ ? 1e7 * size : 1e6 * sign * size};
  default:
    return (dem_control){.kind = DEM_CONTROL_VOLUME};
  }
}

/* The reader refuses such stages: the held volume or mean stress has no component to move. */
static bool is_sensible(const dem_stage *stage)
{
  int volumes = 0, stresses = 0;
  for (int k = DEM_XX; k <= DEM_ZZ; k++) {
    volumes += stage->control[k].kind == DEM_CONTROL_VOLUME;
    stresses += stage->control[k].kind == DEM_CONTROL_STRESS;
  }
  return volumes < 3 && !(stage->mean_stress_is_held && volumes + stresses > 0);
}

/* Another loading of the stage: control of one or all components, mean stress, friction or damping. */
static void change_loading(dem_stage *stage, uint64_t *seed)
{
  dem_stage before = *stage;
  do {
    *stage = before;
    switch (random_below(seed, 6)) {
    case 0:
    case 1:
      for (int k = 0; k < DEM_COMPONENTS; k++)
        stage->control[k] = random_control(seed, k);
      break;
    case 2: {
      int k = (int)random_below(seed, DEM_COMPONENTS);
      stage->control[k] = random_control(seed, k);
      break;
    }
    case 3:
      stage->friction = 0.1 + 0.8 * random_in(seed, 0.0, 1.0); /* up or down */
      break;
    case 4:
      stage->damping =
          (dem_damping){.viscous = 0.3 * random_in(seed, 0.0, 1.0), .local = 0.5 * random_in(seed, 0.0, 1.0)};
      break;
    default:
      stage->mean_stress_is_held = !stage->mean_stress_is_held;
      stage->mean_stress = (dem_control){.kind = DEM_CONTROL_STRESS, .value = 1e7 * (0.5 + random_in(seed, 0.0, 1.0))};
      break;
    }
  } while (!is_sensible(stage));
}

/* Stiffnesses are computed in every step: a stage computes them in its first step, but a change does not. */
static dem_case *random_start(uint64_t *seed)
{
  SCOPED_CASE start = packed_case();
  start.time_step.interval = 1;
  dem_stage *stage = dem_add_stage(&start, "loading", 1000000);
  stage->damping.viscous = 0.05;
  change_loading(stage, seed);
  dem_case *run = clone_case(&start);
  return run;
}

enum { CHANGES = 12 };

TEST(changes_are_stages)
{
  uint64_t seed = 1;
  for (int k = 0; k < 12; k++) {
    SCOPED_CHANGING run = random_start(&seed);
    dem_simulation *s = dem_create(run, 1);
    SCOPED_CHANGING stages = clone_case(run);
    stages->stage_count = 0;
    for (int n = 0; n < CHANGES; n++) {
      dem_case *now = clone_case(run);
      if (n > 0)
        change_loading(&now->stages[0], &seed);
      stages->stages[n] = now->stages[0];
      stages->stages[n].until.steps = 1 + (long)random_below(&seed, 60);
      stages->stage_count = n + 1;
      change(s, &run, now); /* the first one changes nothing */
      dem_steps(s, stages->stages[n].until.steps);
    }
    SCOPED_SIMULATION of_stages = dem_create(stages, 1);
    dem_run_to_end(of_stages);
    ck_assert_int_eq(dem_simulation_steps(of_stages), dem_simulation_steps(s));
    ck_assert_msg(dem_simulation_hash(s) == dem_simulation_hash(of_stages), "series %d: another hash", k);
    assert_within(dem_measured(s).energy_error, dem_measured(of_stages).energy_error, 1e-12);
    ck_assert_double_eq(dem_measured(s).r_u, dem_measured(of_stages).r_u);
    dem_simulation_destroy(s);
  }
}

TEST(a_changed_simulation_resumes)
{
  uint64_t seed = 2;
  for (int k = 0; k < 6; k++) {
    SCOPED_CHANGING run = random_start(&seed);
    run->time_step.interval = 1 + (long)random_below(&seed, 60);
    SCOPED_SIMULATION s = dem_create(run, 1);
    for (int n = 0; n < CHANGES; n++) {
      dem_case *now = clone_case(run);
      change_loading(&now->stages[0], &seed);
      dem_steps(s, (long)random_below(&seed, 50));
      change(s, &run, now);
      assert_resumes(s, run, 1 + (long)random_below(&seed, 60));
    }
  }
}

/* ---- What a change does ------------------------------------------------------------------------------------------ */

static dem_case *triaxial_case(long steps)
{
  SCOPED_CASE start = packed_case();
  dem_stage *stage = dem_add_stage(&start, "triaxial", steps);
  stage->control[DEM_XX] = stage->control[DEM_YY] = (dem_control){.kind = DEM_CONTROL_STRESS, .value = 10e6};
  stage->control[DEM_ZZ] = (dem_control){.kind = DEM_CONTROL_STRAIN_RATE, .value = 10.0};
  dem_case *run = clone_case(&start);
  return run;
}

/*
 * New friction acts in the next step, with the energy balance closed; before that, forces and measures do not change.
 */
TEST(friction_changes_at_once)
{
  const double frictions[] = {0.2, 0.6, 0.05, 0.5, 0.3};
  SCOPED_CHANGING run = triaxial_case(1000000);
  SCOPED_SIMULATION s = dem_create(run, 1);
  dem_steps(s, 300);
  for (size_t k = 0; k < sizeof frictions / sizeof *frictions; k++) {
    dem_case *now = clone_case(run);
    now->stages[0].friction = frictions[k];
    double mobilised = dem_measured(s).mobilised_friction;
    change(s, &run, now);
    assert_within(dem_simulation_law(s).friction, frictions[k], 0.0);
    ck_assert(mobilised > 0.05 && mobilised <= 1.0);
    ck_assert_double_eq(dem_measured(s).mobilised_friction, mobilised);
    dem_steps(s, 1);
    for (contact_walk at = contact_walk_start(s); contact_walk_next(&at);)
      ck_assert_double_le(hypot(at.frame.ft[0], at.frame.ft[1]),
                          frictions[k] * jager_contact_fn(&at.contact) * (1.0 + 1e-12));
    dem_steps(s, 400);
    dem_measures m = dem_measured(s);
    printf("friction %.2f: energy error %.2g, friction dissipated %.3g J\n", frictions[k], m.energy_error,
           m.dissipated_friction);
    assert_within(m.energy_error, 0.0, 2e-3);
  }
}

/* Without its setting, the friction of the material acts again. */
TEST(friction_can_be_taken_back)
{
  SCOPED_CHANGING run = triaxial_case(1000000);
  SCOPED_SIMULATION s = dem_create(run, 1);
  dem_case *now = clone_case(run), *again = clone_case(run);
  now->stages[0].friction = 0.1;
  change(s, &run, now);
  assert_within(dem_simulation_law(s).friction, 0.1, 0.0);
  change(s, &run, again);
  assert_within(dem_simulation_law(s).friction, run->material.friction, 0.0);
}

TEST(control_changes_in_the_next_step)
{
  SCOPED_CHANGING run = triaxial_case(1000000);
  SCOPED_SIMULATION s = dem_create(run, 1);
  dem_steps(s, 200);
  dem_case *now = clone_case(run);
  now->stages[0].control[DEM_ZZ] = (dem_control){.kind = DEM_CONTROL_STRAIN_STEP, .value = -2e-6};
  change(s, &run, now);
  double before = s->strain[DEM_ZZ];
  dem_steps(s, 50);
  assert_within(s->strain[DEM_ZZ] - before, -1e-4, 1e-15);

  now = clone_case(run);
  now->stages[0].control[DEM_ZZ] = (dem_control){.kind = DEM_CONTROL_STRESS, .value = 12e6};
  change(s, &run, now);
  ck_assert_double_eq(s->stage.servos[DEM_ZZ].integral, 0.0);
  dem_steps(s, 3000);
  assert_within(dem_measured(s).stress_zz, 12e6, 0.02 * 12e6);
  assert_within(dem_measured(s).stress_xx, 10e6, 0.02 * 10e6);

  now = clone_case(run); /* undrained */
  for (int k = DEM_XX; k <= DEM_YY; k++)
    now->stages[0].control[k] = (dem_control){.kind = DEM_CONTROL_VOLUME};
  now->stages[0].control[DEM_ZZ] = (dem_control){.kind = DEM_CONTROL_STRAIN_STEP, .value = 1e-6};
  double p = dem_measured(s).p, void_ratio = dem_simulation_void_ratio(s);
  change(s, &run, now);
  assert_within(dem_measured(s).r_u, 0.0, 1e-12); /* pore pressure counts from here */
  dem_steps(s, 200);
  assert_within(dem_simulation_void_ratio(s), void_ratio, 1e-12);
  assert_within(dem_measured(s).r_u, 1.0 - dem_measured(s).p / p, 1e-12);
}

/* More damping needs a smaller time step at once, not at the next regular update. */
TEST(damping_changes_the_time_step_at_once)
{
  SCOPED_CHANGING run = triaxial_case(1000000);
  run->time_step.interval = 1000;
  SCOPED_SIMULATION s = dem_create(run, 1);
  dem_steps(s, 300);
  double before = s->dt;
  dem_case *now = clone_case(run);
  now->stages[0].damping = (dem_damping){.viscous = 0.9, .local = 0.7};
  change(s, &run, now);
  dem_steps(s, 1);
  ck_assert_double_lt(s->dt, 0.6 * before);
  dem_steps(s, 1);
  ck_assert_double_gt(s->overlap_known, 0.0);
}

/* ---- Ends and later stages --------------------------------------------------------------------------------------- */

TEST(a_stage_that_has_ended_goes_on)
{
  dem_case *run = triaxial_case(150), *longer = clone_case(run), *whole_case = clone_case(run);
  longer->stages[0].until.steps = whole_case->stages[0].until.steps = 300;
  SCOPED_SIMULATION s = dem_create(run, 1);
  SCOPED_SIMULATION whole = dem_create(whole_case, 1);
  dem_steps(s, 150);
  ck_assert(dem_simulation_events(s).stage_ended);
  change(s, &run, longer);
  ck_assert(!dem_simulation_events(s).stage_ended);
  assert_resumes(s, run, 20);
  dem_run_to_end(s);
  dem_run_to_end(whole);
  ck_assert_int_eq(dem_simulation_steps(s), 300);
  assert_same_state(s, whole);
  free_case(run);
  free_case(whole_case);
}

static dem_case *cyclic_case(double cycles)
{
  dem_case *run = triaxial_case(1000000);
  dem_stage *stage = &run->stages[0];
  stage->control[DEM_ZZ] = (dem_control){.kind = DEM_CONTROL_STRAIN_RATE};
  stage->control[DEM_XY] = (dem_control){.kind = DEM_CONTROL_STRAIN_RATE, .value = 40.0};
  stage->cyclic = (dem_cyclic){.on = true, .of = (dem_quantity)(DEM_STRAIN + DEM_XY), .amplitude = 4e-4, .center = NAN};
  stage->until.cycles = cycles;
  return run;
}

/* The step at the old end has not reversed the loading. */
TEST(cycles_that_have_ended_go_on)
{
  dem_case *run = cyclic_case(1.25), *longer = cyclic_case(2.5), *whole_case = cyclic_case(2.5);
  SCOPED_SIMULATION s = dem_create(run, 1);
  SCOPED_SIMULATION whole = dem_create(whole_case, 1);
  while (!dem_simulation_events(s).stage_ended)
    dem_steps(s, 1);
  change(s, &run, longer);
  ck_assert(!dem_simulation_events(s).stage_ended);
  dem_run_to_end(s);
  dem_run_to_end(whole);
  assert_same_state(s, whole);
  free_case(run);
  free_case(whole_case);
}

/* Friction and damping may change during cycles, too. */
TEST(cycles_may_get_another_friction)
{
  SCOPED_CHANGING run = cyclic_case(20.0);
  SCOPED_SIMULATION s = dem_create(run, 1);
  dem_steps(s, 100);
  dem_case *now = clone_case(run);
  now->stages[0].friction = 0.2;
  now->stages[0].damping.local = 0.1;
  now->stages[0].until.cycles = 10.0;
  change(s, &run, now);
  assert_resumes(s, run, 200);
}

/* A later end can be given after the last stage has ended, too. */
TEST(later_stages_are_free)
{
  error_info error = {.text = ""};
  SCOPED_CHANGING run = triaxial_case(60);
  dem_add_stage(run, "second", 50);
  dem_simulation *s = dem_create(run, 1);
  dem_steps(s, 30);
  dem_case *now = clone_case(run);
  now->stage_count = 1;
  change(s, &run, now);
  dem_steps(s, 30);
  ck_assert_int_eq(dem_simulation_step(s, &error), DEM_DONE);
  now = clone_case(run);
  dem_stage *stage = dem_add_stage(now, "more", 40);
  stage->control[DEM_XY] = (dem_control){.kind = DEM_CONTROL_STRAIN_STEP, .value = 1e-6};
  dem_add_stage(now, "and more", 10);
  SCOPED_CHANGING whole_case = clone_case(now);
  change(s, &run, now);
  dem_run_to_end(s);
  ck_assert_int_eq(dem_simulation_steps(s), 110);
  SCOPED_SIMULATION whole = dem_create(whole_case, 1);
  dem_run_to_end(whole);
  assert_same_state(s, whole);
  dem_simulation_destroy(s);
}

/* During packing, all stages are still to come. */
TEST(stages_are_free_while_packing)
{
  SCOPED_CASE start = dem_case_default();
  dem_take_packing(&start, 50, 10e6);
  dem_add_stage(&start, "first", 10)->friction = 0.3;
  dem_case *run = clone_case(&start), *now = clone_case(&start), *whole_case = clone_case(&start);
  now->stages[0].friction = whole_case->stages[0].friction = 0.2;
  now->stages[0].control[DEM_ZZ] = whole_case->stages[0].control[DEM_ZZ] =
      (dem_control){.kind = DEM_CONTROL_STRESS, .value = 11e6, .ramp = 5};
  SCOPED_SIMULATION s = dem_create(run, 1);
  SCOPED_SIMULATION whole = dem_create(whole_case, 1);
  dem_steps(s, 200);
  change(s, &run, now);
  assert_within(dem_simulation_law(s).friction, 0.0, 0.0); /* the friction of packing */
  dem_run_to_end(s);
  dem_run_to_end(whole);
  assert_same_state(s, whole);
  free_case(run);
  free_case(whole_case);
}

TEST(traces_go_on)
{
  SCOPED_CHANGING run = triaxial_case(1000000);
  SCOPED_SIMULATION s = dem_create(run, 1);
  contact_walk at = contact_walk_start(s);
  ck_assert(contact_walk_next(&at));
  run->trace_count = 1;
  run->traces[0] =
      (dem_trace){.kind = DEM_TRACE_PAIR, .ids = {s->ids[at.p], s->ids[at.q]}, .component = DEM_ZZ, .every = 1};
  dem_simulation_destroy(s);
  s = dem_create(run, 1);
  dem_steps(s, 50);
  dem_case *now = clone_case(run);
  now->stages[0].friction = 0.3;
  change(s, &run, now);
  dem_steps(s, 50);
  size_t next = 0;
  const dem_trace_life *life = dem_trace_book_life(dem_simulation_traces(s), 0, &next);
  ck_assert_ptr_nonnull(life);
  ck_assert_uint_gt(life->count, 90);
}

/* ---- Refusals ---------------------------------------------------------------------------------------------------- */

static void assert_refused(dem_simulation *s, dem_case *now, const char *key, const char *why)
{
  error_info error = {.text = ""};
  size_t size_before, size;
  const dem_case *run = dem_simulation_case(s);
  write_state(s, "before");
  char *before = scratch_read(directory, "before", &size_before);
  ck_assert_msg(!dem_simulation_change_case(s, now, &error), "%s was changed", key);
  ck_assert_msg(strstr(error.text, key) && strstr(error.text, why), "'%s' has not '%s' and '%s'", error.text, key, why);
  ck_assert_ptr_eq(dem_simulation_case(s), run);
  write_state(s, "after");
  char *after = scratch_read(directory, "after", &size);
  ck_assert_uint_eq(size, size_before);
  ck_assert_mem_eq(before, after, size);
  free(before);
  free(after);
  free_case(now);
}

TEST(other_keys_are_refused)
{
  dem_case *run = triaxial_case(200), *now;
  dem_stage *second = dem_add_stage(run, "second", 1000);
  second->control[DEM_XX] = (dem_control){.kind = DEM_CONTROL_STRESS, .value = 9e6, .ramp = 500};
  SCOPED_SIMULATION s = dem_create(run, 1);
  dem_steps(s, 250);
  now = clone_case(run);
  now->material.friction = 0.3;
  assert_refused(s, now, "material.friction was 0.5 and is 0.3", "under way");
  now = clone_case(run);
  now->overlap_limit = 0.2;
  assert_refused(s, now, "overlap_limit", "under way");
  now = clone_case(run);
  now->stages[0].until.steps = 300;
  assert_refused(s, now, "stages.0.until.steps", "has ended");
  now = clone_case(run);
  now->stages[1].stops_spheres = true;
  assert_refused(s, now, "stages.1.stop_spheres", "can change");
  now = clone_case(run);
  now->stages[1].control[DEM_XX].value = 8e6;
  assert_refused(s, now, "stages.1.control.xx.stress", "ramp");
  now = clone_case(run);
  now->stages[1].until.steps = 50;
  assert_refused(s, now, "stages.1.until.steps was 1000 and is 50", "passed");
  now = clone_case(run);
  now->stages[1].until.time = 0.5 * s->stage.time;
  assert_refused(s, now, "stages.1.until.time", "passed");
  now = clone_case(run);
  now->stage_count = 1;
  assert_refused(s, now, "stage 2", "cannot be left out");
  now = clone_case(run);
  now->stages[1].inertial_number = 1e-3;
  assert_refused(s, now, "stages.1.inertial_number", "can change");
  now = clone_case(run);
  now->stages[1].friction = -1.0;
  assert_refused(s, now, "second", "friction");
  now = clone_case(run); /* without its ramp the control may change */
  now->stages[1].control[DEM_XX] = (dem_control){.kind = DEM_CONTROL_STRESS, .value = 8e6};
  change(s, &run, now);
  free_case(run);
}

TEST(cycles_keep_their_control)
{
  dem_case *run = cyclic_case(20.0), *now;
  SCOPED_SIMULATION s = dem_create(run, 1);
  dem_steps(s, 100);
  now = clone_case(run);
  now->stages[0].control[DEM_XY].value = 30.0;
  assert_refused(s, now, "stages.0.control.xy.strain_rate", "cycles");
  now = clone_case(run);
  now->stages[0].cyclic.amplitude = 5e-4;
  assert_refused(s, now, "stages.0.cyclic.amplitude", "can change");
  now = clone_case(run);
  now->stages[0].until.cycles = 0.01;
  assert_refused(s, now, "stages.0.until.cycles", "come already");
  dem_simulation_destroy(s);
  free_case(run);

  run = triaxial_case(1000);
  run->stages[0].inertial_number = 1e-3;
  s = dem_create(run, 1);
  dem_steps(s, 100);
  now = clone_case(run);
  now->stages[0].control[DEM_ZZ].value = 30.0;
  assert_refused(s, now, "stages.0.control.zz.strain_rate", "inertial number");
  free_case(run);
}

/* A stage that has ended gets another loading only together with a later end. */
TEST(a_stage_that_has_ended_keeps_its_loading)
{
  dem_case *run = triaxial_case(100), *now;
  SCOPED_SIMULATION s = dem_create(run, 1);
  dem_steps(s, 100);
  now = clone_case(run);
  now->stages[0].friction = 0.1;
  assert_refused(s, now, "triaxial", "later end");
  now = clone_case(run);
  now->stages[0].friction = 0.1;
  now->stages[0].until.unbalanced = 1e-9; /* another end; the end by steps is still there */
  assert_refused(s, now, "triaxial", "later end");
  now = clone_case(run);
  now->stages[0].friction = 0.1;
  now->stages[0].until.steps = 120;
  change(s, &run, now);
  assert_resumes(s, run, 10);
  free_case(run);
}

TEST(a_simulation_that_has_failed_stays_so)
{
  error_info error = {.text = ""};
  SCOPED_CHANGING run = triaxial_case(1000000);
  run->stages[0].control[DEM_ZZ].value = 1e6;
  dem_simulation *s = dem_create(run, 1);
  while (dem_simulation_step(s, &error) == DEM_GOES_ON)
    ;
  ck_assert(dem_simulation_has_failed(s));
  SCOPED_CHANGING now = clone_case(run);
  now->stages[0].control[DEM_ZZ].value = 1.0;
  ck_assert(!dem_simulation_change_case(s, now, &error));
  ck_assert_ptr_nonnull(strstr(error.text, "failed"));
  dem_simulation_destroy(s);
}
