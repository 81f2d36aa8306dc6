/* SPDX-License-Identifier: MIT */
/*
 * Simulations for other languages. Oracles: the simulator itself, stepped without the interface; the uninterrupted
 * simulation; the forces in a snapshot for contacts that are unpacked; for refusals, the state before.
 */
#include "binding_support.h"

#include "base/clock.h"
#include "binding/handles.h"
#include "dem/cycles.h"
#include "dem/measures.h"

FIXTURE_EACH(make_directory, remove_directory)

/* ---- Steps ------------------------------------------------------------------------------------------------------- */

TEST(steps_are_those_of_the_simulator)
{
  SCOPED_BINDING_CASE of = case_of(small_text);
  SCOPED_BINDING s = simulation_of_case(of);
  error_info info = {.text = ""};
  dem_simulation *dem = dem_simulation_create(&of->run.simulation, 1, &info);
  long made = steps_of(s, 1000000, false), expected = 0;
  while (dem_simulation_step(dem, &info) == DEM_GOES_ON)
    expected++;
  ck_assert_int_eq(made, expected);
  ck_assert_uint_eq(binding_simulation_hash(s), dem_simulation_hash(dem));
  double *values = malloc((size_t)binding_measure_count() * sizeof *values);
  dem_measures measures;
  binding_simulation_measure(s, values);
  dem_simulation_measure(dem, &measures);
  for (int k = 0; k < DEM_MEASURE_COUNT; k++) {
    double value = dem_measure_value(&measures, k);
    ck_assert_msg(memcmp(&values[k], &value, sizeof value) == 0, "%s", dem_measure_name(k));
  }
  free(values);
  dem_simulation_destroy(dem);
  binding_simulation_destroy(NULL);
}

TEST(steps_end_where_they_are_asked_to)
{
  SCOPED_BINDING s = simulation_of(small_text);
  binding_position at = binding_simulation_position(s);
  ck_assert(at.step == 0 && at.stage == 0 && at.stage_count == 2 && at.spheres == 60 && at.threads == 1);
  ck_assert(!at.stage_has_ended && !at.is_done && !at.has_failed && at.bytes > 1000);
  ck_assert_str_eq(binding_simulation_stage_name(s), "packing");
  ck_assert_int_eq(steps_of(s, 0, false), 0);
  ck_assert_int_eq(steps_of(s, -5, false), 0);
  ck_assert_int_eq(steps_of(s, 10, true), 10);
  long packing = 10 + steps_of(s, 1000000, true);
  at = binding_simulation_position(s);
  ck_assert(at.step == packing && at.stage == 0 && at.stage_has_ended && !at.is_done && at.contacts > 100);
  ck_assert_int_eq(steps_of(s, 1000000, true), 100);
  ck_assert_str_eq(binding_simulation_stage_name(s), "rest");
  ck_assert_int_eq(steps_of(s, 50, false), 50);
  at = binding_simulation_position(s);
  ck_assert(at.stage == 2 && !at.stage_has_ended);
  assert_within(at.fraction, 0.25, 1e-12);
  ck_assert_double_gt(at.time, 0.0);
  ck_assert_int_eq(steps_of(s, 1000000, false), 150);
  at = binding_simulation_position(s);
  ck_assert(at.stage_has_ended && at.is_done);
  ck_assert_int_eq(steps_of(s, 1000000, false), 0);
  ck_assert_int_eq(binding_simulation_position(s).step, packing + 300);
}

TEST(steps_end_with_the_time)
{
  const char *settings[] = {"stages.load.until.steps=100000000", "stages.load.control.zz.strain_step=0",
                            "stages.load.control.xy.strain_step=0"};
  SCOPED_BINDING_CASE of = case_of_with(lattice_text, settings, 3);
  SCOPED_BINDING s = simulation_of_case(of);
  binding_error error;
  long made;
  double start = clock_seconds();
  ck_assert(binding_simulation_step(s, 100000000, 0.1, false, &made, &error));
  double seconds = clock_seconds() - start;
  ck_assert_int_gt(made, 10);
  ck_assert_double_ge(seconds, 0.1);
  ck_assert_double_lt(seconds, 5.0); /* a busy machine */
  ck_assert(binding_simulation_step(s, 100, 0.0, false, &made, &error));
  ck_assert_int_eq(made, 1); /* so that a loop of calls ends */
}

TEST(a_failure_is_told_and_stays)
{
  const char *settings[] = {"stages.load.control.zz.strain_step=0.01"};
  SCOPED_BINDING_CASE of = case_of_with(lattice_text, settings, 1);
  SCOPED_BINDING s = simulation_of_case(of);
  binding_error error;
  long made;
  ck_assert(!binding_simulation_step(s, 1000, INFINITY, false, &made, &error));
  assert_fault(&error, BINDING_RUN_FAILED, "overlap");
  binding_position at = binding_simulation_position(s);
  ck_assert(at.has_failed && made < 1000);
  ck_assert(!binding_simulation_step(s, 1, INFINITY, false, &made, &error));
  assert_fault(&error, BINDING_RUN_FAILED, "failed before");
  ck_assert_ptr_null(binding_simulation_copy(s, &error));
  assert_fault(&error, BINDING_BAD_INPUT, "has failed");
  ck_assert(!binding_simulation_checkpoint(s, scratch_path(directory, "state"), &error));
  assert_fault(&error, BINDING_BAD_INPUT, "has failed");
  ck_assert(!scratch_has(directory, "state"));
  ck_assert(!change_by(s, "stages.load.friction=0.1", &error));
  assert_fault(&error, BINDING_BAD_INPUT, "has failed");
}

TEST(what_cannot_begin_is_told)
{
  const char *settings[] = {"assembly={file: spheres.txt}"};
  binding_error error;
  SCOPED_BINDING_CASE of = case_of_with(lattice_text, settings, 1);
  ck_assert_ptr_null(binding_simulation_create(of, 1, &error));
  assert_fault(&error, BINDING_FILE_FAILED, "spheres.txt");
  binding_case_destroy(of);
  const char *thin[] = {"assembly={lattice: {kind: sc, cells: [1, 3, 3], radius: 1 mm, overlap: 1e-3}}"};
  of = case_of_with(lattice_text, thin, 1);
  ck_assert_ptr_null(binding_simulation_create(of, 1, &error));
  assert_fault(&error, BINDING_BAD_INPUT, "cell");
}

/* ---- Reading ----------------------------------------------------------------------------------------------------- */

TEST(cycles_are_those_of_the_simulator)
{
  const char *settings[] = {"stages.load.control.zz.strain_step=0",
                            "stages.load.cyclic={of: strain_xy, amplitude: 1e-5}", "stages.load.until={cycles: 2.5}"};
  SCOPED_BINDING_CASE of = case_of_with(lattice_text, settings, 3);
  SCOPED_BINDING s = simulation_of_case(of);
  error_info info = {.text = ""};
  dem_simulation *dem = dem_simulation_create(&of->run.simulation, 1, &info);
  double values[DEM_CYCLE_VALUES];
  int cycles = 0;
  while (steps_of(s, 1, false) == 1) {
    dem_cycle cycle;
    ck_assert_int_eq(dem_simulation_step(dem, &info), DEM_GOES_ON);
    bool has_ended = dem_simulation_cycle(dem, &cycle);
    ck_assert(binding_simulation_cycle(s, values) == has_ended);
    for (int k = 0; has_ended && k < DEM_CYCLE_VALUES; k++) {
      double value = dem_cycle_value(&cycle, k);
      ck_assert(memcmp(&values[k], &value, sizeof value) == 0);
    }
    cycles += has_ended;
  }
  ck_assert_int_eq(cycles, 3);
  dem_simulation_destroy(dem);
}

/* A contact that is unpacked has the forces of the snapshot. */
TEST(contacts_are_those_of_the_snapshot)
{
  binding_error error;
  dem_snapshot snapshot;
  SCOPED_BINDING s = simulation_of(small_text);
  (void)steps_of(s, 1000000, true);
  (void)steps_of(s, 1000000, true);
  (void)steps_of(s, 120, false);
  ck_assert(change_by(s, "stages.shear.friction=0.4", &error));
  (void)steps_of(s, 30, false);
  ck_assert(binding_simulation_snapshot(s, &snapshot, &error));
  assert_done(error);
  binding_position at = binding_simulation_position(s);
  ck_assert(snapshot.step == at.step && snapshot.sphere_count == 60 && snapshot.contact_count == at.contacts);
  for (size_t k = 0; k < snapshot.contact_count; k++) {
    const dem_contact_view *view = &snapshot.contacts[k];
    jager_contact contact = {0};
    jager_law law;
    SCOPED_POOL pool = jager_pool_create(0);
    size_t size, used, a = k % 2, b = 1 - a; /* in either order */
    char *bytes = binding_simulation_contact(s, view->ids[a], view->ids[b], &size, &law, &error);
    assert_done(error);
    ck_assert_double_eq(law.friction, 0.4);
    assert_ok(jager_contact_unpack(&contact, &law, pool, bytes, size, &used));
    ck_assert_uint_eq(used, size);
    jager_force force = jager_contact_force(&contact);
    ck_assert_double_eq(force.fn, view->fn);
    ck_assert_double_eq(sqrt(force.ft[0] * force.ft[0] + force.ft[1] * force.ft[1]), view->ft);
    ck_assert_double_eq(jager_contact_zeta(&contact), view->zeta);
    ck_assert_uint_eq(jager_contact_length(&contact), view->length);
    jager_contact_release(&contact, pool);
    binding_text_free(bytes);
  }
  binding_snapshot_free(&snapshot);
  ck_assert_ptr_null(snapshot.spheres);
  size_t size = 1;
  jager_law law;
  ck_assert_ptr_null(binding_simulation_contact(s, 3, 3, &size, &law, &error));
  assert_fault(&error, BINDING_BAD_INPUT, "3 and 3 do not touch");
  ck_assert_uint_eq(size, 0);
  ck_assert_ptr_null(binding_simulation_contact(s, 3, 1000000, &size, &law, &error));
  assert_fault(&error, BINDING_BAD_INPUT, "do not touch");
}

/* ---- Copies and checkpoints -------------------------------------------------------------------------------------- */

static void assert_copies(binding_simulation *s)
{
  binding_error error;
  SCOPED_BINDING copy = binding_simulation_copy(s, &error);
  assert_done(error);
  uint64_t before = binding_simulation_hash(s);
  ck_assert_uint_eq(binding_simulation_hash(copy), before);
  ck_assert_str_eq(binding_simulation_input(copy), binding_simulation_input(s));
  binding_position at = binding_simulation_position(s), of_copy = binding_simulation_position(copy);
  ck_assert(of_copy.step == at.step && of_copy.stage == at.stage && of_copy.stage_has_ended == at.stage_has_ended);
  (void)steps_of(copy, 70, false);
  ck_assert(change_by(copy, "stages.shear.friction=0.2", &error));
  ck_assert_uint_eq(binding_simulation_hash(s), before);
  binding_simulation_destroy(copy);
  copy = binding_simulation_copy(s, &error);
  long made = steps_of(s, 37, false);
  ck_assert_int_eq(steps_of(copy, 37, false), made);
  ck_assert_uint_eq(binding_simulation_hash(copy), binding_simulation_hash(s));
}

TEST(a_copy_is_equal_and_independent)
{
  SCOPED_BINDING s = simulation_of(small_text);
  assert_copies(s); /* at its first step */
  (void)steps_of(s, 463, false);
  assert_copies(s);
  (void)steps_of(s, 1000000, true);
  ck_assert(binding_simulation_position(s).stage_has_ended);
  assert_copies(s); /* between packing and the first stage */
  (void)steps_of(s, 130, false);
  ck_assert_int_eq(binding_simulation_position(s).stage, 2);
  assert_copies(s);
}

TEST(a_checkpoint_restores_the_simulation)
{
  binding_error error;
  const char *path = scratch_path(directory, "state");
  binding_simulation *s = simulation_of(small_text);
  (void)steps_of(s, 1000000, true);
  (void)steps_of(s, 130, false);
  const char *settings[] = {"stages.shear.control.zz={strain_rate: -5 1/s}", "stages.shear.friction=0.2"};
  ck_assert(binding_simulation_change(s, settings, 2, &error));
  (void)steps_of(s, 10, false);
  ck_assert(binding_simulation_checkpoint(s, path, &error));
  binding_simulation *restored = binding_simulation_restore(path, 2, &error);
  assert_done(error);
  ck_assert_uint_eq(binding_simulation_hash(restored), binding_simulation_hash(s));
  ck_assert_str_eq(binding_simulation_input(restored), binding_simulation_input(s));
  ck_assert_int_eq(binding_simulation_position(restored).threads, 2);
  ck_assert_int_eq(steps_of(s, 100000, false), steps_of(restored, 100000, false));
  ck_assert_uint_eq(binding_simulation_hash(restored), binding_simulation_hash(s));
  ck_assert(change_by(restored, "stages.shear.until.steps=250", &error));
  ck_assert_int_eq(steps_of(restored, 100000, false), 50);
  binding_simulation_destroy(restored);
  ck_assert(!binding_simulation_checkpoint(s, scratch_path(directory, "none/state"), &error));
  assert_fault(&error, BINDING_FILE_FAILED, "none/state");
  binding_simulation_destroy(s);
  ck_assert_int_eq(scratch_count(directory, "."), 1);
}

TEST(a_checkpoint_that_is_no_good_is_refused)
{
  binding_error error;
  size_t size;
  ck_assert_ptr_null(binding_simulation_restore(scratch_path(directory, "none"), 1, &error));
  assert_fault(&error, BINDING_FILE_FAILED, "No such file");
  ck_assert_ptr_null(binding_simulation_restore(directory, 1, &error));
  assert_fault(&error, BINDING_BAD_INPUT, "directory");
  scratch_write(directory, "text", "text", 4);
  ck_assert_ptr_null(binding_simulation_restore(scratch_path(directory, "text"), 1, &error));
  assert_fault(&error, BINDING_BAD_INPUT, "not a checkpoint");
  SCOPED_BINDING s = simulation_of(lattice_text);
  ck_assert(binding_simulation_checkpoint(s, scratch_path(directory, "state"), &error));
  char *bytes = scratch_read(directory, "state", &size);
  bytes[size / 2] ^= 1;
  scratch_write(directory, "damaged", bytes, size);
  ck_assert_ptr_null(binding_simulation_restore(scratch_path(directory, "damaged"), 1, &error));
  assert_fault(&error, BINDING_BAD_INPUT, "damaged");
  free(bytes);
}

/* ---- Changes ----------------------------------------------------------------------------------------------------- */

/* The text keeps only the last setting of each key. */
TEST(a_change_is_recorded_once)
{
  char setting[100];
  binding_error error;
  SCOPED_BINDING s = simulation_of(lattice_text);
  for (int k = 1; k <= 20; k++) {
    snprintf(setting, sizeof setting, "stages.load.control.zz.strain_step=%de-7", k);
    ck_assert(change_by(s, setting, &error));
    assert_done(error);
    snprintf(setting, sizeof setting, "stages.load.friction=0.%d", k);
    ck_assert(change_by(s, setting, &error));
    (void)steps_of(s, 3, false);
  }
  const char *end = binding_simulation_input(s) + strlen(lattice_text);
  ck_assert_str_eq(end, "# --set stages.load.control.zz.strain_step=20e-7\n# --set stages.load.friction=0.20\n");
  /* A block that is replaced drops the settings within it. */
  ck_assert(change_by(s, "stages.load.control={xx: {strain_rate: 0}, yy: {strain_rate: 0}, zz: {strain_step: 1e-6}}",
                      &error));
  end = binding_simulation_input(s) + strlen(lattice_text);
  ck_assert_str_eq(end, "# --set stages.load.friction=0.20\n# --set stages.load.control={xx: {strain_rate: 0}, yy: "
                        "{strain_rate: 0}, zz: {strain_step: 1e-6}}\n");
  /* Names that begin alike are others. */
  ck_assert(change_by(s, "stages.load.until.steps=300", &error));
  ck_assert(change_by(s, "stages.load.until.steps=301", &error));
  ck_assert(change_by(s, "title=load", &error));
  ck_assert_ptr_null(strstr(binding_simulation_input(s), "=300"));
  ck_assert_ptr_nonnull(strstr(binding_simulation_input(s), "stages.load.friction=0.20"));
}

TEST(a_change_takes_effect)
{
  binding_error error;
  SCOPED_BINDING s = simulation_of(lattice_text);
  int strain = 0;
  while (strcmp(binding_measure_name(strain), "strain_zz") != 0)
    strain++;
  double *before = malloc((size_t)binding_measure_count() * sizeof *before),
         *after = malloc((size_t)binding_measure_count() * sizeof *after);
  (void)steps_of(s, 50, false);
  binding_simulation_measure(s, before);
  ck_assert(change_by(s, "stages.load.control.zz.strain_step=-2e-6", &error));
  (void)steps_of(s, 50, false);
  binding_simulation_measure(s, after);
  assert_within(after[strain] - before[strain], -1e-4, 1e-14);
  ck_assert_int_eq(steps_of(s, 100000, false), 100);
  ck_assert(binding_simulation_position(s).is_done);
  ck_assert(change_by(s, "stages.load.until.steps=210", &error)); /* a later end */
  ck_assert(!binding_simulation_position(s).is_done);
  ck_assert_int_eq(steps_of(s, 100000, false), 10);
  ck_assert(change_by(s, "stages.load.until.steps=220", &error));
  free(before);
  free(after);
}

TEST(a_change_that_is_refused_changes_nothing)
{
  static const struct {
    const char *setting, *text;
  } wrong[] = {{"material.friction=0.3", "material.friction was 0.5 and is 0.3"},
               {"stages.load.control.zz={stress: 1 MPa, ramp: 10}", "stages.0.control.zz.ramp"},
               {"stages.load.until.steps=10", "stages.0.until.steps was 200 and is 10"},
               {"stages.load.controll=1", "unknown key 'controll'"},
               {"stages.none.friction=1", "no item 'none'"},
               {"stages.load.friction=-1", "friction"},
               {"stages.load.friction", "key=value"},
               {"stages.load.friction=1\n# --set material.friction=0.3", "one line"},
               {"contact.model=[jager, linear]", "list of models"}};
  SCOPED_BINDING s = simulation_of(lattice_text);
  (void)steps_of(s, 30, false);
  uint64_t before = binding_simulation_hash(s);
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
    binding_error error;
    ck_assert(!change_by(s, wrong[k].setting, &error));
    assert_fault(&error, BINDING_BAD_INPUT, wrong[k].text);
    ck_assert_str_eq(binding_simulation_input(s), lattice_text);
    ck_assert_uint_eq(binding_simulation_hash(s), before);
  }
  SCOPED_BINDING same = simulation_of(lattice_text);
  ck_assert_int_eq(steps_of(same, 1000, false), 30 + steps_of(s, 1000, false));
  ck_assert_uint_eq(binding_simulation_hash(s), binding_simulation_hash(same));
}
