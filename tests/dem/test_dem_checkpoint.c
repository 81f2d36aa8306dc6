/* SPDX-License-Identifier: MIT */
/*
 * Checkpoints: a restored simulation continues to the same bits, and damaged files are refused.
 *
 * Oracle: the run that was not interrupted: its hash, its measures, its own next checkpoint byte for byte. Damaged
 * files come from the good one by cutting it short anywhere, by flipping single bits, with and without a corrected
 * checksum; and by putting its fields together in another order, with more fields, and without each of them in turn
 * (seeds 8 and 9).
 *
 * In another case: random pairs of cases (seeds 5, 6 and 7). A checkpoint is the start of any case with the same law of
 * contacts; a run goes on in a changed case just as one that had it from the start, or is refused with the key that
 * differs.
 */
#include "dem_support.h"

#include "base/hash.h"
#include "dem/checkpoint/field_file.h"
#include "dem/trace.h"

#include <sys/stat.h>

enum { SPHERES = 100 };

FIXTURE_PACKED(ONCE, SPHERES)

/* ---- Going on ---------------------------------------------------------------------------------------------------- */

static void write_checkpoint(const dem_simulation *s, const char *name)
{
  error_info error = {.text = ""};
  dem_checkpoint_notes notes = {.input = "text: of the case\n", .series_bytes = 4711, .seconds = 12.5};
  ck_assert_msg(dem_checkpoint_write(s, scratch_path(directory, name), NULL, &notes, &error), "%s", error.text);
}

static dem_simulation *read_checkpoint(const dem_case *run, const char *name, int threads)
{
  error_info error = {.text = ""};
  dem_checkpoint_notes notes = {.input = NULL};
  dem_simulation *s = dem_restore(run, scratch_path(directory, name), threads, &notes, &error);
  ck_assert_msg(s != NULL, "%s", error.text);
  ck_assert_str_eq(notes.input, "text: of the case\n");
  ck_assert_int_eq(notes.series_bytes, 4711);
  ck_assert_double_eq(notes.seconds, 12.5);
  free((void *)(uintptr_t)notes.input);
  return s;
}

static void assert_same_files(const char *a, const char *b)
{
  size_t size_a, size_b;
  char *bytes_a = scratch_read(directory, a, &size_a), *bytes_b = scratch_read(directory, b, &size_b);
  ck_assert_uint_eq(size_a, size_b);
  for (size_t i = 0; i < size_a; i++)
    ck_assert_msg(bytes_a[i] == bytes_b[i], "byte %zu of %zu differs", i, size_a);
  free(bytes_a);
  free(bytes_b);
}

static void assert_same_state(const dem_simulation *a, const dem_simulation *b, const char *what)
{
  dem_measures of_a = dem_measured(a), of_b = dem_measured(b);
  ck_assert_msg(dem_simulation_hash(a) == dem_simulation_hash(b), "%s: another hash", what);
  for (int k = 0; k < DEM_MEASURE_COUNT; k++) {
    double value_a = dem_measure_value(&of_a, k), value_b = dem_measure_value(&of_b, k);
    ck_assert_msg(memcmp(&value_a, &value_b, sizeof value_a) == 0, "%s: %s is %.17g and %.17g", what,
                  dem_measure_name(k), value_a, value_b);
  }
  ck_assert_int_eq(dem_simulation_stage(a), dem_simulation_stage(b));
  ck_assert_double_eq(dem_simulation_stage_progress(a), dem_simulation_stage_progress(b));
}

/* So many steps, or to the end. */
static void go_on(dem_simulation *s, long steps)
{
  while (steps-- > 0 && dem_goes_on(s))
    ;
}

/* Compares a run restored after `before` steps with the uninterrupted one, at once and `after` steps later. */
static void assert_goes_on(const dem_case *run, long before, long after, const char *what)
{
  dem_simulation *whole = dem_create(run, 1);
  go_on(whole, before);
  write_checkpoint(whole, "middle");
  for (int threads = 1; threads <= 2; threads++) {
    SCOPED_SIMULATION resumed = read_checkpoint(run, "middle", threads);
    assert_same_state(whole, resumed, what);
  }
  go_on(whole, after);
  write_checkpoint(whole, "end");
  for (int threads = 2; threads >= 1; threads--) {
    SCOPED_SIMULATION resumed = read_checkpoint(run, "middle", threads);
    go_on(resumed, after);
    assert_same_state(whole, resumed, what);
    if (threads == 1) {
      write_checkpoint(resumed, "end again");
      assert_same_files("end", "end again");
    }
  }
  dem_simulation_destroy(whole);
  printf("%s: %ld steps on, the same bits\n", what, after);
}

static dem_case small_lattice_case(void)
{
  dem_case run = dem_still_case(1e-7);
  run.assembly.source = DEM_SOURCE_LATTICE;
  run.assembly.lattice = (dem_lattice){.kind = DEM_LATTICE_SC, .cells = {3, 3, 3}, .radius = 1e-3, .overlap = 1e-3};
  return run;
}

static void add_cyclic_stage(dem_case *run)
{
  dem_stage *stage = dem_add_stage(run, "cyclic", 100000);
  stage->control[DEM_XY] = (dem_control){.kind = DEM_CONTROL_STRAIN_RATE, .value = 40.0};
  stage->cyclic = (dem_cyclic){.on = true, .of = (dem_quantity)(DEM_STRAIN + DEM_XY), .amplitude = 8e-4, .center = NAN};
  stage->until.cycles = 20.0; /* progress reports how far it is */
  stage->damping.viscous = 0.05;
}

TEST(cycles_go_on)
{
  for (int model = 0; model < JAGER_MODEL_COUNT; model++) {
    SCOPED_CASE run = packed_case();
    run.contact.model = (jager_model)model;
    run.contact.linear_kn = 2e6;
    add_cyclic_stage(&run);
    assert_goes_on(&run, 333, 450, jager_model_name((jager_model)model));
  }
}

TEST(servos_go_on)
{
  SCOPED_CASE run = packed_case();
  dem_stage *stage = dem_add_stage(&run, "triaxial", 400);
  stage->control[DEM_XX] = stage->control[DEM_YY] =
      (dem_control){.kind = DEM_CONTROL_STRESS, .value = 9e6, .ramp = 200};
  stage->control[DEM_ZZ] = (dem_control){.kind = DEM_CONTROL_STRAIN_RATE, .value = 20.0};
  stage = dem_add_stage(&run, "mean", 400);
  stage->mean_stress_is_held = true;
  stage->mean_stress = (dem_control){.kind = DEM_CONTROL_STRESS, .value = 11e6, .ramp = 300};
  stage->friction = 0.3;
  stage->control[DEM_XZ] = (dem_control){.kind = DEM_CONTROL_STRAIN, .value = 1e-3};
  assert_goes_on(&run, 137, 600, "servo, in a ramp");
  assert_goes_on(&run, 400, 100, "servo, between stages");
  assert_goes_on(&run, 401, 100, "servo, after a change of stage");
  assert_goes_on(&run, 777, 1000, "servo, to the end");
}

TEST(packing_goes_on)
{
  SCOPED_CASE run = dem_case_default();
  dem_take_packing(&run, SPHERES, 10e6);
  add_cyclic_stage(&run);
  assert_goes_on(&run, 1234, 500, "packing");
  assert_goes_on(&run, 3000, 1000, "packing, and on to the first stage");
}

TEST(large_shear_goes_on)
{
  SCOPED_CASE run = packed_case();
  dem_stage *stage = dem_add_stage(&run, "shear", 100000);
  stage->control[DEM_XY] = (dem_control){.kind = DEM_CONTROL_STRAIN_STEP, .value = -3e-4};
  stage->mean_stress_is_held = true;
  stage->mean_stress.value = 10e6;
  assert_goes_on(&run, 800, 500, "shear, over a flip of the cell");
}

/* ---- Traces ------------------------------------------------------------------------------------------------------ */

static void assert_same_lives(const dem_simulation *a, const dem_simulation *b, uint32_t request)
{
  size_t next_a = 0, next_b = 0, samples = 0;
  for (;;) {
    const dem_trace_life *of_a = dem_trace_book_life(dem_simulation_traces(a), request, &next_a);
    const dem_trace_life *of_b = dem_trace_book_life(dem_simulation_traces(b), request, &next_b);
    ck_assert((of_a == NULL) == (of_b == NULL));
    if (!of_a)
      break;
    ck_assert_uint_eq(of_a->count, of_b->count);
    ck_assert_int_eq(of_a->birth, of_b->birth);
    ck_assert_int_eq(of_a->death, of_b->death);
    ck_assert_mem_eq(of_a->samples, of_b->samples, of_a->count * sizeof *of_a->samples);
    samples += of_a->count;
  }
  ck_assert_uint_gt(samples, 50);
}

TEST(traces_go_on)
{
  SCOPED_CASE run = packed_case();
  add_cyclic_stage(&run);
  run.trace_count = 2;
  run.traces[0] = (dem_trace){.kind = DEM_TRACE_BORN, .component = DEM_XY, .strain = 0.0, .window = 1.0, .every = 1};
  run.traces[1] = (dem_trace){.kind = DEM_TRACE_PAIR, .component = DEM_XY, .every = 1};
  dem_simulation *s = dem_create(&run, 1);
  contact_walk at = contact_walk_start(s);
  ck_assert(contact_walk_next(&at));
  run.traces[1].ids[0] = s->ids[at.p];
  run.traces[1].ids[1] = s->ids[at.q];
  dem_simulation_destroy(s);
  assert_goes_on(&run, 150, 500, "traces");

  dem_simulation *whole = dem_create(&run, 2);
  go_on(whole, 650);
  dem_simulation *resumed = read_checkpoint(&run, "middle", 2);
  go_on(resumed, 500);
  assert_same_lives(whole, resumed, 0);
  assert_same_lives(whole, resumed, 1);
  dem_simulation_destroy(whole);
  dem_simulation_destroy(resumed);

  error_info error = {.text = ""};
  dem_checkpoint_notes notes;
  run.trace_count = 0; /* another case */
  ck_assert_ptr_null(dem_restore(&run, scratch_path(directory, "middle"), 1, &notes, &error));
  ck_assert_str_ne(error.text, "");
}

/* ---- As an assembly ---------------------------------------------------------------------------------------------- */

/* Another case starts with the stresses and contacts of the checkpoint, at time and strain zero. */
TEST(an_assembly_from_a_checkpoint_begins_anew)
{
  SCOPED_CASE run = packed_case();
  add_cyclic_stage(&run);
  SCOPED_SIMULATION s = dem_create(&run, 1);
  go_on(s, 300);
  write_checkpoint(s, "middle");
  SCOPED_CASE next = dem_case_default();
  next.assembly.source = DEM_SOURCE_CHECKPOINT;
  next.assembly.path = strdup(scratch_path(directory, "middle"));
  next.density_scaling = 4.0;
  dem_add_stage(&next, "next", 50)->control[DEM_ZZ] = (dem_control){.kind = DEM_CONTROL_STRAIN_RATE, .value = 10.0};
  SCOPED_SIMULATION t = dem_create(&next, 1);
  dem_measures before = dem_measured(s), now = dem_measured(t);
  ck_assert_double_eq(now.step, 0.0);
  ck_assert_double_eq(now.time, 0.0);
  ck_assert_double_eq(now.strain_xy, 0.0);
  ck_assert_double_eq(now.work, 0.0);
  ck_assert_double_eq(now.stage, 1.0);
  ck_assert_double_eq(now.stress_xy, before.stress_xy);
  ck_assert_double_eq(now.p, before.p);
  ck_assert_double_eq(now.contacts, before.contacts);
  ck_assert_double_eq(now.stored_tangential, before.stored_tangential);
  assert_within(t->bodies[0].mass, 4.0 * s->bodies[0].mass, 1e-12 * s->bodies[0].mass);
  assert_within(now.time_step, 2.0 * before.time_step, 0.1 * before.time_step);
  dem_run_to_end(t);
  ck_assert_int_eq(dem_simulation_steps(t), 50);
  assert_within(dem_measured(t).energy_error, 0.0, 0.02);
}

/* ---- In other cases ---------------------------------------------------------------------------------------------- */

static const struct {
  jager_contour contour;
  double slope, exponent;
} shapes[] = {{JAGER_CONTOUR_SPHERE, 0.0, 0.0},
              {JAGER_CONTOUR_CONE, 0.1, 0.0},
              {JAGER_CONTOUR_CONE, 0.2, 0.0},
              {JAGER_CONTOUR_POWER, 50.0, 1.7},
              {JAGER_CONTOUR_POWER, 50.0, 1.9}};

/* 1 to 6 short stages of a lattice, all kinds. */
static void add_random_stages(dem_case *run, uint64_t *seed)
{
  run->stage_count = 0;
  for (uint64_t k = 1 + random_below(seed, 6); k > 0; k--) {
    dem_stage *stage = dem_add_stage(run, "stage", 1 + (long)random_below(seed, 5));
    stage->control[random_below(seed, DEM_COMPONENTS)] =
        (dem_control){.kind = random_below(seed, 2) ? DEM_CONTROL_STRAIN_STEP : DEM_CONTROL_STRAIN, .value = 1e-6};
    if (random_below(seed, 3) == 0)
      stage->friction = 0.3;
  }
}

static dem_case random_case(uint64_t *seed)
{
  dem_case run = small_lattice_case();
  run.material.shear_modulus = random_below(seed, 2) ? 29e9 : 5e9;
  run.material.poisson = random_below(seed, 2) ? 0.15 : 0.3;
  run.material.friction = 0.1 * (double)random_below(seed, 4);
  run.material.density = 2650.0 + (double)random_below(seed, 3);
  run.contact.model = random_below(seed, 2) ? JAGER_MODEL_JAGER : (jager_model)random_below(seed, JAGER_MODEL_COUNT);
  size_t shape = random_below(seed, 2) ? 0 : random_below(seed, sizeof shapes / sizeof *shapes);
  run.contact.contour = shapes[shape].contour;
  run.contact.slope = shapes[shape].slope;
  run.contact.exponent = shapes[shape].exponent;
  if (run.contact.model == JAGER_MODEL_LINEAR)
    run.contact.linear_kn = random_below(seed, 2) ? 1e6 : 2e6;
  run.trace_count = (int)random_below(seed, 2);
  run.traces[0] = (dem_trace){.kind = DEM_TRACE_PAIR, .ids = {0, 1}, .every = 1};
  add_random_stages(&run, seed);
  return run;
}

/* The first key of the contact law in which two cases differ; NULL: none. */
static const char *other_law(const dem_case *a, const dem_case *b)
{
  const dem_contact_law *of_a = &a->contact, *of_b = &b->contact;
  return a->material.shear_modulus != b->material.shear_modulus                   ? "material.shear_modulus was "
         : a->material.poisson != b->material.poisson                             ? "material.poisson was "
         : of_a->model != of_b->model                                             ? "contact.model was "
         : of_a->contour != of_b->contour                                         ? "contact.contour.kind was "
         : of_a->slope != of_b->slope                                             ? "contact.contour.slope was "
         : of_a->exponent != of_b->exponent                                       ? "contact.contour.exponent was "
         : of_a->linear_kn < of_b->linear_kn || of_a->linear_kn > of_b->linear_kn ? "contact.linear.kn was "
                                                                                  : NULL;
}

static void assert_says_what_differs(const error_info *error, const char *key)
{
  ck_assert_msg(strstr(error->text, key) != NULL, "'%s' does not name %s", error->text, key);
  ck_assert_ptr_null(strstr(error->text, "well formed"));
  ck_assert_ptr_null(strstr(error->text, "damaged"));
}

/* The stages of the old case do not matter, nor where in them the checkpoint was written. */
TEST(a_checkpoint_starts_any_case_with_its_law)
{
  uint64_t seed = 5;
  int started = 0, refused = 0;
  for (int k = 0; k < 250; k++) {
    error_info error = {.text = ""};
    dem_case old = random_case(&seed), next = random_case(&seed);
    if (random_below(&seed, 2)) { /* the same law in half of the pairs */
      next.material = old.material;
      next.contact = old.contact;
    }
    SCOPED_SIMULATION s = dem_create(&old, 1);
    go_on(s, (long)random_below(&seed, 20));
    write_checkpoint(s, "old");
    size_t contacts = dem_simulation_contacts(s);
    dem_simulation_destroy(s);
    next.assembly.source = DEM_SOURCE_CHECKPOINT;
    next.assembly.path = strdup(scratch_path(directory, "old"));
    const char *key = other_law(&old, &next);
    s = dem_simulation_create(&next, 1, &error);
    ck_assert_msg((s == NULL) == (key != NULL), "pair %d: %s", k, error.text);
    if (key)
      assert_says_what_differs(&error, key);
    else {
      ck_assert_uint_eq(dem_simulation_contacts(s), contacts);
      ck_assert_int_eq(dem_simulation_stage(s), 1);
      dem_run_to_end(s);
    }
    started += key == NULL;
    refused += key != NULL;
    dem_case_free(&next);
  }
  printf("%d cases started from checkpoints of others, %d refused\n", started, refused);
  ck_assert_int_gt(started, 80);
  ck_assert_int_gt(refused, 80);
}

/*
 * Changes a case whose present stage is `number`. Returns the key that the error must name; NULL: the change is
 * allowed.
 */
static const char *change_case(dem_case *run, uint64_t *seed, int number, long steps)
{
  dem_stage *now = &run->stages[number - 1];
  bool chooses_speed = false;
  for (int k = 0; k < DEM_COMPONENTS; k++)
    chooses_speed = chooses_speed || now->control[k].kind == DEM_CONTROL_STRAIN;
  switch (random_below(seed, 9)) {
  case 0:
    run->stage_count = number; /* removes the stages that have not begun */
    add_cyclic_stage(run);
    return NULL;
  case 1:
    now->until.steps += 1 + (long)random_below(seed, 5);
    return chooses_speed ? ".until.steps was " : NULL;
  case 2:
    now->until.steps = steps;
    return ".until.steps was ";
  case 3:
    run->skin = 0.03;
    snprintf(now->name, sizeof now->name, "another");
    return NULL;
  case 4:
    run->gravity[random_below(seed, 3)] = 1.0;
    return "gravity.";
  case 5:
    now->damping.local += 0.01;
    return ".damping.local was ";
  case 6:
    run->stage_count = number - 1;
    return "stages that have begun cannot be left out";
  case 7:
    run->overlap_limit = 0.2;
    return NULL;
  default:
    run->material.density *= 1.5;
    return "material.density was ";
  }
}

/* A run that had the changed case from the start. */
static void assert_as_from_the_start(dem_simulation *resumed, const dem_case *run)
{
  SCOPED_SIMULATION whole = dem_create(run, 1);
  go_on(whole, dem_simulation_steps(resumed) + 4);
  go_on(resumed, 4);
  assert_same_state(whole, resumed, "changed");
  dem_simulation_destroy(resumed);
}

TEST(a_run_goes_on_in_a_changed_case_as_from_the_start)
{
  uint64_t seed = 6;
  int gone_on = 0, refused = 0;
  for (int k = 0; k < 250; k++) {
    error_info error = {.text = ""};
    dem_checkpoint_notes notes = {.input = NULL};
    dem_case run = random_case(&seed), changed = run;
    dem_simulation *s = dem_create(&run, 1);
    go_on(s, 1 + (long)random_below(&seed, 20)); /* or to its end */
    write_checkpoint(s, "old");
    long steps = s->stage.steps - (s->stage_just_ended ? 1 : 0);
    const char *key = change_case(&changed, &seed, dem_simulation_stage(s), steps);
    bool has_ended = s->stage_just_ended && changed.stages[s->stage.number - 1].until.steps > s->stage.steps;
    dem_simulation_destroy(s);
    if (key && steps == 0 && strstr(key, "until.steps"))
      continue; /* no end at all is another matter */
    s = dem_restore(&changed, scratch_path(directory, "old"), 1, &notes, &error);
    ck_assert_msg((s == NULL) == (key != NULL), "pair %d, %s: %s", k, key ? key : "allowed", error.text);
    free((void *)(uintptr_t)notes.input);
    if (key)
      assert_says_what_differs(&error, key);
    else {
      ck_assert_int_eq(notes.end_was_taken_back, has_ended);
      assert_as_from_the_start(s, &changed);
    }
    gone_on += key == NULL;
    refused += key != NULL;
  }
  printf("%d runs gone on in changed cases, %d refused\n", gone_on, refused);
  ck_assert_int_gt(gone_on, 50);
  ck_assert_int_gt(refused, 80);
}

/* One to three ends of all kinds, which some hundred steps reach or nearly reach. */
static dem_until random_end(uint64_t *seed, double scale)
{
  static const dem_criterion ends[] = {{(dem_quantity)(DEM_STRAIN + DEM_ZZ), 1.5e-4},
                                       {(dem_quantity)(DEM_STRESS + DEM_ZZ), 4.2e6},
                                       {(dem_quantity)(DEM_STRESS + DEM_XX), 3.0e6},
                                       {DEM_MEAN_STRESS, 3.3e6},
                                       {DEM_DEVIATOR, 1.2e6},
                                       {DEM_VOLUMETRIC_STRAIN, 1.5e-4},
                                       {DEM_VOID_RATIO, 0.9}};
  dem_until until = {.steps = random_below(seed, 3) ? 0 : 1 + (long)random_in(seed, 0.0, 200.0 * scale)};
  for (uint64_t k = 1 + random_below(seed, 2); k > 0; k--) {
    size_t which = random_below(seed, 10);
    double share = random_in(seed, 0.7, 1.3);
    if (which == 7)
      until.time = 1e-7 * 150.0 * share * scale;
    else if (which == 8)
      until.unbalanced = pow(10.0, random_in(seed, -5.0, 0.0));
    else if (which == 9)
      until.cycles = random_in(seed, 0.1, 3.0 * scale);
    else if (until.count == 0 || until.criteria[0].of != ends[which].of) /* a file has each key once */
      until.criteria[until.count++] = (dem_criterion){ends[which].of, ends[which].value * share};
  }
  return until;
}

/* An accepted run equals a run of the new case from the start; and enough changes are accepted. */
TEST(a_later_end_is_one_that_has_not_come)
{
  uint64_t seed = 7;
  int gone_on = 0, taken_back = 0, refused = 0;
  for (int k = 0; k < 300; k++) {
    error_info error = {.text = ""};
    dem_checkpoint_notes notes = {.input = NULL};
    dem_case run = small_lattice_case();
    dem_stage *stage = &run.stages[0];
    stage->control[DEM_ZZ] = (dem_control){.kind = DEM_CONTROL_STRAIN_STEP, .value = 2e-6};
    stage->control[DEM_XX] =
        (dem_control){.kind = random_below(&seed, 2) ? DEM_CONTROL_STRESS : DEM_CONTROL_STRAIN_STEP, .value = 0.0};
    stage->control[DEM_XX].value = stage->control[DEM_XX].kind == DEM_CONTROL_STRESS ? 3e6 : 0.0;
    if (random_below(&seed, 2))
      stage->cyclic = (dem_cyclic){.on = true,
                                   .of = (dem_quantity)(DEM_STRAIN + DEM_ZZ),
                                   .amplitude = random_in(&seed, 5e-5, 1.5e-4),
                                   .center = NAN};
    stage->until = random_end(&seed, 1.0);
    dem_case changed = run;
    changed.stages[0].until = random_end(&seed, 2.0);
    if (random_below(&seed, 2) && changed.stages[0].until.count == 1 && stage->until.count > 0)
      changed.stages[0].until.criteria[0].of = stage->until.criteria[0].of;
    dem_simulation *s = dem_create(&run, 1);
    go_on(s, 20 + (long)random_below(&seed, 200));
    bool had_ended = s->stage_just_ended;
    write_checkpoint(s, "old");
    dem_simulation_destroy(s);
    s = dem_restore(&changed, scratch_path(directory, "old"), 1, &notes, &error);
    free((void *)(uintptr_t)notes.input);
    ck_assert_msg(s || strstr(error.text, "stages.0.until."), "%s", error.text);
    ck_assert(!notes.end_was_taken_back || had_ended);
    gone_on += s != NULL;
    taken_back += s != NULL && notes.end_was_taken_back;
    refused += s == NULL;
    if (s)
      assert_as_from_the_start(s, &changed);
  }
  printf("random ends: %d runs gone on, of them %d that had ended; %d refused\n", gone_on, taken_back, refused);
  ck_assert_int_gt(gone_on, 50);
  ck_assert_int_gt(taken_back, 20);
  ck_assert_int_gt(refused, 80);
}

/* Cycles that had ended continue, and reverse as in the uninterrupted run. */
TEST(cycles_that_had_ended_go_on)
{
  SCOPED_CASE run = packed_case();
  add_cyclic_stage(&run);
  run.stages[0].until = (dem_until){.cycles = 1.75};
  dem_case longer = run;
  longer.stages[0].until.cycles = 2.5;
  SCOPED_SIMULATION s = dem_create(&run, 1);
  SCOPED_SIMULATION whole = dem_create(&longer, 1);
  dem_run_to_end(s);
  write_checkpoint(s, "ended");
  dem_simulation_destroy(s);
  s = read_checkpoint(&longer, "ended", 1);
  dem_run_to_end(s);
  dem_run_to_end(whole);
  assert_same_state(whole, s, "longer cycles");
}

/* ---- Damaged files ----------------------------------------------------------------------------------------------- */

/* A small one: 27 spheres, 81 contacts that have sheared, and a trace. */
static dem_case small_case(void)
{
  dem_case run = small_lattice_case();
  run.stages[0].control[DEM_XY] = (dem_control){.kind = DEM_CONTROL_STRAIN_STEP, .value = 1e-5};
  run.trace_count = 1;
  run.traces[0] = (dem_trace){.kind = DEM_TRACE_PAIR, .ids = {0, 1}, .every = 1};
  return run;
}

static void write_small(void)
{
  dem_case run = small_case();
  SCOPED_SIMULATION s = dem_create(&run, 1);
  dem_steps(s, 10);
  write_checkpoint(s, "small");
}

/* The error names the file, and says something. */
static void assert_refused(const dem_case *run, const char *name)
{
  error_info error = {.text = ""};
  dem_checkpoint_notes notes;
  const char *path = scratch_path(directory, name);
  if (dem_restore(run, path, 1, &notes, &error) != NULL)
    ck_abort_msg("a damaged checkpoint is read");
  if (strncmp(error.text, path, strlen(path)) != 0 || strlen(error.text) < strlen(path) + 5)
    ck_abort_msg("'%s' does not tell what is wrong with %s", error.text, path);
}

TEST(every_truncation_is_refused)
{
  dem_case run = small_case();
  write_small();
  struct stat status;
  ck_assert_int_eq(stat(scratch_path(directory, "small"), &status), 0);
  for (off_t size = status.st_size - 1; size >= 0; size--) {
    ck_assert_int_eq(truncate(scratch_path(directory, "small"), size), 0);
    assert_refused(&run, "small");
  }
  printf("%lld truncations refused\n", (long long)status.st_size);
}

static void flip(char *bytes, size_t bit)
{
  bytes[bit / 8] = (char)(bytes[bit / 8] ^ (1 << bit % 8));
}

/* Overwrites bytes of an existing file, which is quicker than writing all of it. */
static void patch(const char *name, const char *bytes, size_t at, size_t count)
{
  FILE *stream = fopen(scratch_path(directory, name), "r+b");
  ck_assert_ptr_nonnull(stream);
  ck_assert_int_eq(fseek(stream, (long)at, SEEK_SET), 0);
  ck_assert_uint_eq(fwrite(bytes + at, 1, count, stream), count);
  ck_assert_int_eq(fclose(stream), 0);
}

TEST(single_bits_that_are_wrong_are_refused)
{
  dem_case run = small_case();
  write_small();
  size_t size, count = 0;
  char *bytes = scratch_read(directory, "small", &size);
  uint64_t seed = 3;
  for (size_t bit = 0; bit < 8 * size; count++) {
    flip(bytes, bit);
    patch("small", bytes, bit / 8, 1);
    assert_refused(&run, "small");
    flip(bytes, bit);
    patch("small", bytes, bit / 8, 1);
    bool at_an_end = bit < 8 * 64 || bit >= 8 * (size - 32);
    bit += at_an_end ? 1 : 1 + random_bits(&seed) % 400;
  }
  printf("%zu single bits refused, of a file of %zu bytes\n", count, size);
  free(bytes);
}

/* Corrects the checksum at the end: 8 bytes of length, 8 of the sum. Word k belongs to hash k mod 4. */
static void sign(char *bytes, size_t size)
{
  hash lanes[4] = {hash_start(), hash_start(), hash_start(), hash_start()}, all = hash_start();
  for (size_t at = 0; at < size - 16; at += 8)
    hash_add(&lanes[at / 8 % 4], bytes + at, size - 16 - at < 8 ? size - 16 - at : 8);
  for (size_t k = 0; k < 4; k++)
    hash_word(&all, hash_value(&lanes[k]));
  uint64_t sum = hash_value(&all);
  memcpy(bytes + size - 8, &sum, sizeof sum);
}

/* Damage under a correct checksum may be refused at once, later or never, but must not crash the program. */
TEST(impossible_contents_break_nothing)
{
  dem_case run = small_case();
  write_small();
  size_t size, refused = 0, failed = 0, count = 3000;
  char *bytes = scratch_read(directory, "small", &size);
  uint64_t seed = 4;
  for (size_t k = 0; k < count; k++) {
    size_t bit = k % 2 == 0 ? 8 * 16 + k / 2 : random_bits(&seed) % (8 * (size - 16));
    flip(bytes, bit);
    sign(bytes, size);
    patch("small", bytes, bit / 8, 1);
    patch("small", bytes, size - 8, 8);
    error_info error = {.text = ""};
    dem_checkpoint_notes notes = {.input = NULL};
    dem_simulation *s = dem_restore(&run, scratch_path(directory, "small"), 1, &notes, &error);
    refused += s == NULL;
    for (int step = 0; s && step < 3; step++)
      if (dem_simulation_step(s, &error) == DEM_FAILED) {
        failed++;
        break;
      }
    ck_assert(s || error.text[0] != '\0');
    dem_simulation_destroy(s);
    free((void *)(uintptr_t)notes.input);
    flip(bytes, bit);
    patch("small", bytes, bit / 8, 1);
  }
  sign(bytes, size);
  patch("small", bytes, size - 8, 8);
  dem_simulation_destroy(read_checkpoint(&run, "small", 1)); /* the good one is good */
  printf("%zu bits changed under a right checksum: %zu refused, %zu failed later\n", count, refused, failed);
  free(bytes);
}

/* Writes impossible spheres and traces into an otherwise good file. */
TEST(impossible_spheres_and_traces_are_refused)
{
  dem_case run = small_case();
  SCOPED_SIMULATION s = dem_create(&run, 1);
  dem_steps(s, 10);
  jager_particle good = s->bodies[13];
  for (int kind = 0; kind < 4; kind++) {
    s->bodies[13].radius = kind == 0 ? 0.0 : kind == 1 ? -1e-3 : good.radius;
    s->bodies[13].mass = kind == 2 ? 0.0 : kind == 3 ? NAN : good.mass;
    write_checkpoint(s, "small");
    assert_refused(&run, "small");
    s->bodies[13] = good;
  }
  size_t traced = 0;
  for (contact_walk at = contact_walk_start(s); contact_walk_next(&at);) {
    uint32_t trace = *at.trace;
    *at.trace = trace == 0 ? 1 : trace + 1; /* of another contact; of none */
    write_checkpoint(s, "small");
    assert_refused(&run, "small");
    *at.trace = trace;
    if (trace == 0)
      continue;
    dem_trace_life *life = (dem_trace_life *)(uintptr_t)dem_trace_book_slot(s->traces, trace - 1);
    life->death = 0; /* that life is over */
    write_checkpoint(s, "small");
    assert_refused(&run, "small");
    life->death = -1;
    traced++;
  }
  ck_assert_uint_eq(traced, 1);
  write_checkpoint(s, "small");
  dem_simulation_destroy(read_checkpoint(&run, "small", 1));
}

/* The text of the case, to be freed; NULL, with an error, if there is none. */
static char *input_of(const char *path, error_info *error)
{
  dem_checkpoint *checkpoint = dem_checkpoint_open(path, error);
  const char *input = checkpoint ? dem_checkpoint_input(checkpoint, error) : NULL;
  char *copy = input ? strdup(input) : NULL;
  dem_checkpoint_close(checkpoint);
  return copy;
}

/* Contents shorter by `cut` bytes, with correct length and checksum. */
static void assert_input_refused(const char *bytes, size_t size, size_t cut)
{
  error_info error = {.text = ""};
  char *copy = malloc(size);
  ck_assert_ptr_nonnull(copy);
  memcpy(copy, bytes, size - cut - 16);
  uint64_t length = size - cut - 16;
  memcpy(copy + length, &length, sizeof length);
  sign(copy, size - cut);
  scratch_write(directory, "cut", copy, size - cut);
  ck_assert_ptr_null(input_of(scratch_path(directory, "cut"), &error));
  ck_assert_msg(strstr(error.text, "cut: the checkpoint is not well formed") != NULL, "'%s'", error.text);
  free(copy);
}

/* With a correct checksum: contents that end within the texts, and texts longer than the contents. */
TEST(texts_end_within_the_file)
{
  static const char text[] = "text: of the case\n";
  write_small();
  size_t size, length = strlen(text), at = 0;
  char *bytes = scratch_read(directory, "small", &size);
  while (memcmp(bytes + at, text, length) != 0)
    at++;
  for (size_t end = 16; end < at + length; end++) /* behind the mark, format and byte order */
    assert_input_refused(bytes, size, size - 16 - end);
  const uint64_t lengths[] = {size - 16 - at + 1, UINT64_C(1) << 31, UINT64_C(1) << 62, UINT64_MAX - 1, UINT64_MAX};
  for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
    memcpy(bytes + at - 32, &lengths[k], sizeof lengths[k]); /* in front of the field's header and name */
    assert_input_refused(bytes, size, 0);
  }
  free(bytes);
}

/* ---- Named fields ------------------------------------------------------------------------------------------------ */

/* A field of a file, as its bytes. */
typedef struct piece {
  char *bytes;
  size_t size;
  char name[64];
} piece;

enum { PIECES_MAX = 200, HEADER = 16, TRAILER = 16 };

typedef struct pieces {
  piece list[PIECES_MAX];
  size_t count;
  char header[HEADER];
} pieces;

static size_t up_to_eight(size_t size)
{
  return (size + 7) / 8 * 8;
}

/* Takes a file apart, by code of its own, so that the layout is checked twice. */
static pieces take_apart(const char *name)
{
  pieces p = {.count = 0};
  size_t size;
  char *bytes = scratch_read(directory, name, &size);
  memcpy(p.header, bytes, HEADER);
  for (size_t at = HEADER; at < size - TRAILER;) {
    uint64_t count;
    uint16_t type, value_size;
    uint32_t name_length;
    memcpy(&count, bytes + at, 8);
    memcpy(&type, bytes + at + 8, 2);
    memcpy(&value_size, bytes + at + 10, 2);
    memcpy(&name_length, bytes + at + 12, 4);
    piece *next = &p.list[p.count++];
    ck_assert(p.count < PIECES_MAX && name_length < sizeof next->name);
    next->size = 16 + up_to_eight(name_length + 1) + up_to_eight(count * value_size + (type == 1));
    ck_assert_uint_le(at + next->size, size - TRAILER);
    memcpy(next->name, bytes + at + 16, name_length + 1);
    next->bytes = malloc(next->size);
    ck_assert_ptr_nonnull(next->bytes);
    memcpy(next->bytes, bytes + at, next->size);
    at += next->size;
  }
  free(bytes);
  return p;
}

static void pieces_free(pieces *p)
{
  for (size_t k = 0; k < p->count; k++)
    free(p->list[k].bytes);
}

/* Writes all pieces but number `left_out`, with correct length and checksum. */
static void put_together(const pieces *p, size_t left_out, const char *name)
{
  size_t size = HEADER + TRAILER, at = HEADER;
  for (size_t k = 0; k < p->count; k++)
    size += k == left_out ? 0 : p->list[k].size;
  char *bytes = malloc(size);
  ck_assert_ptr_nonnull(bytes);
  memcpy(bytes, p->header, HEADER);
  for (size_t k = 0; k < p->count; k++) {
    if (k == left_out)
      continue;
    memcpy(bytes + at, p->list[k].bytes, p->list[k].size);
    at += p->list[k].size;
  }
  uint64_t length = at;
  memcpy(bytes + at, &length, sizeof length);
  sign(bytes, size);
  scratch_write(directory, name, bytes, size);
  free(bytes);
}

enum { NONE_LEFT_OUT = PIECES_MAX };

/* A field of the given type, its values all zero. */
static void add_piece(pieces *p, const char *name, uint16_t type, uint16_t value_size, uint64_t count)
{
  piece *next = &p->list[p->count++];
  uint32_t name_length = (uint32_t)strlen(name);
  ck_assert(p->count < PIECES_MAX && name_length < sizeof next->name);
  next->size = 16 + up_to_eight(name_length + 1) + up_to_eight(count * value_size + (type == 1));
  next->bytes = calloc(1, next->size);
  ck_assert_ptr_nonnull(next->bytes);
  memcpy(next->bytes, &count, 8);
  memcpy(next->bytes + 8, &type, 2);
  memcpy(next->bytes + 10, &value_size, 2);
  memcpy(next->bytes + 12, &name_length, 4);
  memcpy(next->bytes + 16, name, name_length);
  snprintf(next->name, sizeof next->name, "%s", name);
}

static void shuffle(pieces *p, uint64_t *seed)
{
  for (size_t k = p->count; k > 1; k--) {
    size_t other = random_below(seed, (unsigned)k);
    piece moving = p->list[k - 1];
    p->list[k - 1] = p->list[other];
    p->list[other] = moving;
  }
}

/* The changed file restores the same state as the good one, and the run continues to the same files. */
static void assert_same_as_small(const char *name, const char *what)
{
  dem_case run = small_case();
  SCOPED_SIMULATION good = read_checkpoint(&run, "small", 1);
  SCOPED_SIMULATION other = read_checkpoint(&run, name, 1);
  assert_same_state(good, other, what);
  dem_steps(good, 5);
  dem_steps(other, 5);
  write_checkpoint(good, "next");
  write_checkpoint(other, "other next");
  assert_same_files("next", "other next");
}

TEST(fields_may_come_in_any_order)
{
  write_small();
  pieces p = take_apart("small");
  uint64_t seed = 8;
  ck_assert_uint_gt(p.count, 60);
  put_together(&p, NONE_LEFT_OUT, "again");
  assert_same_files("small", "again");
  for (int k = 0; k < 30; k++) {
    shuffle(&p, &seed);
    put_together(&p, NONE_LEFT_OUT, "shuffled");
    assert_same_as_small("shuffled", "shuffled fields");
  }
  pieces_free(&p);
}

/* Also of types that do not exist yet. */
TEST(unknown_fields_are_skipped)
{
  write_small();
  pieces p = take_apart("small");
  uint64_t seed = 9;
  add_piece(&p, "spheres.temperature", 6, 8, 27);
  add_piece(&p, "run.mood", 1, 1, 0);
  add_piece(&p, "x", 99, 12, 5);
  add_piece(&p, "stage.number ", 3, 4, 1); /* nearly a known name */
  for (int k = 0; k < 10; k++) {
    shuffle(&p, &seed);
    put_together(&p, NONE_LEFT_OUT, "more");
    assert_same_as_small("more", "unknown fields");
  }
  pieces_free(&p);
}

/* Fields that a file may lack, by the description of the format. */
static bool is_optional(const char *name)
{
  static const char *const names[] = {
      "run.version",    "run.compiler",     "run.flags",        "contact.model",          "run.seconds",
      "run.threads",    "run.seed",         "just_reversed",    "stage.servo_error",      "just_finished_cycle",
      "just_liquefied", "material.poisson", "material.density", "material.shear_modulus", "material.friction",
      "traces.present"};
  for (size_t k = 0; k < sizeof names / sizeof *names; k++)
    if (strcmp(names[k], name) == 0)
      return true;
  return false;
}

static void assert_field_told(const char *file, const char *name, const char *problem)
{
  dem_case run = small_case();
  error_info error = {.text = ""};
  dem_checkpoint_notes notes;
  char expected[200];
  snprintf(expected, sizeof expected, "not well formed: field '%s' %s", name, problem);
  ck_assert_ptr_null(dem_restore(&run, scratch_path(directory, file), 1, &notes, &error));
  ck_assert_msg(strstr(error.text, expected) != NULL, "'%s' does not tell: %s", error.text, expected);
}

/* Each field in turn is left out: if it is optional the file is read, else the error names it. */
TEST(missing_fields_are_named_unless_they_are_optional)
{
  write_small();
  dem_case run = small_case();
  SCOPED_SIMULATION good = read_checkpoint(&run, "small", 1);
  pieces p = take_apart("small");
  size_t optional = 0;
  for (size_t k = 0; k < p.count; k++) {
    put_together(&p, k, "less");
    if (strcmp(p.list[k].name, "traces.present") == 0)
      assert_field_told("less", "contacts.trace", "does not fit the traces"); /* one of the contacts is traced */
    else if (!is_optional(p.list[k].name))
      assert_field_told("less", p.list[k].name, "is missing");
    else {
      error_info error = {.text = ""};
      dem_checkpoint_notes notes;
      SCOPED_SIMULATION s = dem_restore(&run, scratch_path(directory, "less"), 1, &notes, &error);
      ck_assert_msg(s != NULL, "%s", error.text);
      free((void *)(uintptr_t)notes.input);
      ck_assert_uint_eq(dem_simulation_hash(s), dem_simulation_hash(good));
    }
    optional += is_optional(p.list[k].name);
  }
  ck_assert_uint_eq(optional, 16);
  printf("%zu fields left out one by one, %zu of them optional\n", p.count, optional);
  pieces_free(&p);
}

TEST(fields_of_another_kind_are_named)
{
  static const struct {
    const char *name;
    uint16_t type, value_size;
    uint64_t count;
    const char *problem;
  } wrong[] = {
      {"step", 6, 8, 1, "has another type"},
      {"step", 5, 4, 1, "has another type"},
      {"step", 5, 8, 2, "has another number of values"},
      {"cell", 6, 8, 5, "has another number of values"},
      {"spheres.radius", 6, 8, 0, "has an impossible number of values"},
      {"spheres.position", 6, 8, 3 * 27 - 1, "has another number of values"},
      {"spheres.mass", 6, 8, 27, "has an impossible value"},
      {"contacts.pair", 3, 4, 2 * 81, "has an impossible value"},
      {"contacts.packed", 2, 1, 7, "has too few bytes"},
      {"run.input", 2, 1, 7, "has another type"},
      {"traces.count", 4, 8, 2, "has another number of values"},
  };
  write_small();
  for (size_t w = 0; w < sizeof wrong / sizeof *wrong; w++) {
    pieces p = take_apart("small");
    size_t at = 0;
    while (strcmp(p.list[at].name, wrong[w].name) != 0)
      at++;
    add_piece(&p, wrong[w].name, wrong[w].type, wrong[w].value_size, wrong[w].count);
    put_together(&p, NONE_LEFT_OUT, "wrong");
    assert_field_told("wrong", wrong[w].name, "occurs twice");
    put_together(&p, at, "wrong");
    assert_field_told("wrong", wrong[w].name, wrong[w].problem);
    pieces_free(&p);
  }
}

/* The piece with this name. */
static piece *find_piece(pieces *p, const char *name)
{
  for (size_t k = 0; k < p->count; k++)
    if (strcmp(p->list[k].name, name) == 0)
      return &p->list[k];
  ck_abort_msg("no field %s", name);
  return NULL;
}

/* Writes value number `index` of a field, of 8 bytes. */
static void set_value(piece *of, size_t index, const void *value)
{
  size_t at = 16 + up_to_eight(strlen(of->name) + 1) + 8 * index;
  ck_assert_uint_le(at + 8, of->size);
  memcpy(of->bytes + at, value, 8);
}

/* One value of one field is impossible: the error names the field. */
TEST(impossible_values_are_named)
{
  static const struct {
    const char *name;
    size_t index;
    double value;
  } wrong[] = {
      {"time", 0, NAN},
      {"dt", 0, INFINITY},
      {"dt", 0, -1e-9},
      {"dt_before", 0, -1e-9},
      {"cell", 0, 0.0},
      {"cell", 1, 0.0},
      {"cell", 2, 0.0},
      {"cell", 3, -INFINITY},
      {"strain", 5, NAN},
      {"unbalanced", 0, NAN},
      {"damping.viscous", 0, -0.1},
      {"damping.viscous", 0, 1.1},
      {"damping.local", 0, 1.0},
      {"damping.local", 0, -0.1},
      {"damping.global", 0, -1.0},
      {"damping.global", 0, NAN},
      {"law.friction", 0, -0.1},
      {"law.friction", 0, NAN},
      {"law.linear_kn", 0, -1.0},
      {"law.linear_kn", 0, INFINITY},
      {"stage.servo_integral", 6, NAN},
      {"energy.work", 0, INFINITY},
      {"spheres.radius", 13, INFINITY},
      {"spheres.radius", 13, NAN},
      {"spheres.radius", 13, 0.0},
      {"spheres.mass", 13, INFINITY},
      {"spheres.mass", 13, -1.0},
      {"spheres.position", 40, NAN},
      {"spheres.velocity", 80, INFINITY},
      {"contacts.frame", 100, NAN},
  };
  write_small();
  for (size_t w = 0; w < sizeof wrong / sizeof *wrong; w++) {
    pieces p = take_apart("small");
    set_value(find_piece(&p, wrong[w].name), wrong[w].index, &wrong[w].value);
    put_together(&p, NONE_LEFT_OUT, "wrong");
    assert_field_told("wrong", wrong[w].name, "has an impossible value");
    pieces_free(&p);
  }
}

/* A negative length of series.csv would mean a new file, and the existing one would be lost. */
TEST(a_negative_length_of_the_series_is_refused)
{
  write_small();
  pieces p = take_apart("small");
  set_value(find_piece(&p, "run.series_bytes"), 0, &(int64_t){-1});
  put_together(&p, NONE_LEFT_OUT, "wrong");
  assert_field_told("wrong", "run.series_bytes", "has an impossible value");
  error_info error = {.text = ""};
  dem_checkpoint_facts facts;
  dem_checkpoint *checkpoint = dem_checkpoint_open(scratch_path(directory, "wrong"), &error);
  ck_assert_ptr_nonnull(checkpoint);
  ck_assert(!dem_checkpoint_describe(checkpoint, &facts, &error));
  dem_checkpoint_close(checkpoint);
  pieces_free(&p);
}

/* Bytes after the packed contacts, which belong to none of them, or to the last one by its size. */
TEST(left_over_bytes_of_contacts_are_refused)
{
  enum { MORE = 8 };
  write_small();
  pieces p = take_apart("small");
  piece *old = find_piece(&p, "contacts.packed"), *sizes = find_piece(&p, "contacts.packed_size");
  const size_t values = 16 + up_to_eight(strlen("contacts.packed") + 1);
  uint64_t bytes, contacts;
  memcpy(&bytes, old->bytes, 8);
  memcpy(&contacts, sizes->bytes, 8);
  add_piece(&p, "contacts.packed", 2, 1, bytes + MORE);
  memcpy(p.list[p.count - 1].bytes + values, old->bytes + values, bytes);
  put_together(&p, (size_t)(old - p.list), "more");
  assert_field_told("more", "contacts.packed", "has too many bytes");
  char *last = sizes->bytes + 16 + up_to_eight(strlen(sizes->name) + 1) + 4 * (contacts - 1);
  uint32_t size;
  memcpy(&size, last, 4);
  size += MORE;
  memcpy(last, &size, 4);
  put_together(&p, (size_t)(old - p.list), "more");
  assert_field_told("more", "contacts.packed_size", "does not fit the packed contacts");
  pieces_free(&p);
}

/* The error of the servo is relative to the target. With a target of zero it is infinite, and that is no damage. */
TEST(an_infinite_servo_error_goes_on)
{
  write_small();
  dem_case run = small_case();
  pieces p = take_apart("small");
  set_value(find_piece(&p, "stage.servo_error"), 0, &(double){INFINITY});
  put_together(&p, NONE_LEFT_OUT, "infinite");
  dem_simulation_destroy(read_checkpoint(&run, "infinite", 1));
  pieces_free(&p);
}

TEST(another_format_is_told)
{
  dem_case run = small_case();
  write_small();
  size_t size;
  char *bytes = scratch_read(directory, "small", &size);
  bytes[8] = 4;
  sign(bytes, size);
  scratch_write(directory, "old", bytes, size);
  error_info error = {.text = ""};
  dem_checkpoint_notes notes;
  ck_assert_ptr_null(dem_restore(&run, scratch_path(directory, "old"), 1, &notes, &error));
  char expected[100];
  snprintf(expected, sizeof expected, "old: a checkpoint of format 4, this program reads format %d", CHECKPOINT_FORMAT);
  ck_assert_msg(strstr(error.text, expected) != NULL, "'%s'", error.text);
  free(bytes);
}

TEST(what_is_no_checkpoint_is_refused)
{
  dem_case run = small_case();
  scratch_write(directory, "text", "cell 1 1 1\n0 0 0 0.1\n", 21);
  scratch_write(directory, "empty", "", 0);
  assert_refused(&run, "text");
  assert_refused(&run, "empty");
  assert_refused(&run, "there is none");
  assert_refused(&run, "."); /* a directory */
  ck_assert_int_eq(mkfifo(scratch_path(directory, "pipe"), 0666), 0);
  assert_refused(&run, "pipe"); /* a pipe without a writer: reading would wait for ever */
  error_info error = {.text = ""};
  errno = ENOMEM; /* from an earlier call: memory is not short now */
  ck_assert_ptr_null(dem_checkpoint_open(scratch_path(directory, "pipe"), &error));
  ck_assert(!error.out_of_memory);
  ck_assert_int_eq(errno, EINVAL);
  ck_assert(!dem_checkpoint_is(scratch_path(directory, "pipe")));
  ck_assert(!dem_checkpoint_is(scratch_path(directory, "text")));
  ck_assert(!dem_checkpoint_is(scratch_path(directory, "there is none")));
  ck_assert_ptr_null(input_of(scratch_path(directory, "text"), &error));
  ck_assert_ptr_null(dem_checkpoint_open(scratch_path(directory, "empty"), &error));
}

TEST(another_case_is_refused)
{
  dem_case run = small_case();
  write_small();
  run.material.shear_modulus *= 1.0 + 1e-15; /* a change of the last bit is detected */
  assert_refused(&run, "small");
  run = small_case();
  run.material.poisson = 0.2;
  assert_refused(&run, "small");
  run = small_case();
  run.contact.model = JAGER_MODEL_HERTZ_MINDLIN;
  assert_refused(&run, "small");
  run = small_case();
  run.contact.contour = JAGER_CONTOUR_CONE;
  run.contact.slope = 0.1;
  assert_refused(&run, "small");
  run = small_case();
  run.stage_count = 0; /* it is in the first */
  assert_refused(&run, "small");
}

/* ---- Files ------------------------------------------------------------------------------------------------------- */

TEST(a_checkpoint_tells_what_it_is)
{
  write_small();
  error_info error = {.text = ""};
  ck_assert(dem_checkpoint_is(scratch_path(directory, "small")));
  dem_checkpoint_facts facts;
  dem_checkpoint *checkpoint = dem_checkpoint_open(scratch_path(directory, "small"), &error);
  ck_assert_ptr_nonnull(checkpoint);
  ck_assert_str_eq(dem_checkpoint_input(checkpoint, &error), "text: of the case\n");
  ck_assert(dem_checkpoint_describe(checkpoint, &facts, &error));
  ck_assert_uint_eq(facts.spheres, 27);
  ck_assert_uint_eq(facts.contacts, 81);
  ck_assert_str_eq(facts.model, "jager");
  ck_assert_int_eq(facts.step, 10);
  ck_assert_int_eq(facts.stage, 1);
  ck_assert_int_eq(facts.stage_count, 1);
  ck_assert_int_eq(facts.series_bytes, 4711);
  ck_assert_double_eq(facts.seconds, 12.5);
  ck_assert_double_eq(facts.material.shear_modulus, 29e9);
  dem_checkpoint_close(checkpoint);
}

/* A full disk is an error, and the earlier checkpoint stays. */
TEST(a_full_disk_leaves_the_old_one)
{
  dem_case run = small_case();
  SCOPED_SIMULATION s = dem_create(&run, 1);
  error_info error = {.text = ""};
  dem_checkpoint_notes notes = {.input = "text: of the case\n", .series_bytes = 4711, .seconds = 12.5};
  write_checkpoint(s, "kept");
  int names = scratch_count(directory, ".");
  dem_steps(s, 3);
  for (rlim_t bytes = 0; bytes < 20000; bytes += 4999) {
    scratch_limit_files(bytes);
    bool is_written =
        dem_checkpoint_write(s, scratch_path(directory, "kept"), scratch_path(directory, "previous"), &notes, &error);
    scratch_limit_files(RLIM_INFINITY);
    ck_assert(!is_written);
    ck_assert_ptr_nonnull(strstr(error.text, "kept: cannot write the checkpoint: "));
    ck_assert_int_eq(scratch_count(directory, "."), names); /* no temporary file, and no previous one */
  }
  dem_simulation *old = read_checkpoint(&run, "kept", 1);
  ck_assert_int_eq(dem_simulation_steps(old), 0);
  dem_simulation_destroy(old);
  ck_assert(
      dem_checkpoint_write(s, scratch_path(directory, "kept"), scratch_path(directory, "previous"), &notes, &error));
  old = read_checkpoint(&run, "previous", 1);
  ck_assert_int_eq(dem_simulation_steps(old), 0);
  dem_simulation_destroy(old);
  old = read_checkpoint(&run, "kept", 1);
  ck_assert_int_eq(dem_simulation_steps(old), 3);
  dem_simulation_destroy(old);
  ck_assert(!dem_checkpoint_write(s, scratch_path(directory, "no/such/place"), NULL, &notes, &error));
}
