/* SPDX-License-Identifier: MIT */
/*
 * The simulator when memory runs out: in each of many runs another allocation fails. The oracle is the undisturbed
 * run: a function fails and reports that memory was the cause, or the results are the same to the bit. Measures need
 * no memory.
 */
#include "dem_support.h"

#include "failing_malloc.h"
#include "dem/snapshot.h"
#include "dem/trace.h"

enum { SPHERES = 40, STEPS = 60, ALL = 1000000 };

FIXTURE_PACKED(EACH, SPHERES)

/* A packing that flows: contacts begin and end, neighbours are listed again, and contacts are traced. */
static dem_case flowing_case(void)
{
  dem_case run = dem_still_case(0.0);
  dem_write_spheres(directory, "packed", packed.cell, SPHERES, packed.x, packed.radius, NULL);
  dem_take_file(&run, directory, "packed");
  run.stages[0].control[DEM_XY] = (dem_control){.kind = DEM_CONTROL_STRAIN_STEP, .value = 5e-4};
  run.stages[0].mean_stress_is_held = true;
  run.stages[0].mean_stress.value = 10e6;
  run.stages[0].damping.local = 0.2;
  run.trace_count = 1;
  run.traces[0] = (dem_trace){.kind = DEM_TRACE_BORN, .component = DEM_XY, .strain = 0.0, .window = 1.0, .every = 1};
  return run;
}

/* The results of a run. */
typedef struct outcome {
  uint64_t hash;
  dem_measures measures;
  size_t samples;
} outcome;

static void look(const dem_simulation *s, outcome *found)
{
  memset(found, 0, sizeof *found);
  found->hash = dem_simulation_hash(s);
  dem_simulation_measure(s, &found->measures);
  for (size_t k = 0; k < dem_trace_book_size(s->traces); k++) {
    const dem_trace_life *life = dem_trace_book_slot(s->traces, k);
    found->samples += life ? life->count : 0;
  }
}

/* Creates the simulation and makes some steps. Returns false if that failed. */
static bool run_all(const dem_case *run, outcome *found, error_info *error)
{
  SCOPED_SIMULATION s = dem_simulation_create(run, 1, error);
  bool goes_on = s;
  for (int k = 0; goes_on && k < STEPS; k++)
    goes_on = dem_simulation_step(s, error) == DEM_GOES_ON;
  if (goes_on)
    look(s, found);
  return goes_on;
}

TEST_LOOP(a_run_is_the_same_or_says_that_memory_ended, 2)
{
  dem_case run = flowing_case();
  outcome expected, found;
  error_info error = {.text = ""};
  long failed = 0;
  ck_assert_msg(run_all(&run, &expected, &error), "%s", error.text);
  ck_assert_uint_gt(expected.samples, 100);
  for (long n = 0;; n++) {
    error = (error_info){.text = ""};
    fail_allocations(n, _i == 0 ? 1 : ALL);
    bool is_done = run_all(&run, &found, &error), has_failed = end_failures();
    if (!has_failed)
      break;
    failed++;
    if (is_done && found.hash == 0) /* there was no memory for it */
      found.hash = expected.hash;
    if (is_done)
      ck_assert_msg(memcmp(&found, &expected, sizeof found) == 0, "allocation %ld: the results differ", n);
    else
      ck_assert_msg(error.out_of_memory && error.text[0], "allocation %ld: '%s'", n, error.text);
  }
  ck_assert_int_gt(failed, 100);
  free(run.assembly.path);
}

TEST(measures_need_no_memory)
{
  dem_case run = flowing_case();
  SCOPED_SIMULATION s = dem_create(&run, 2);
  dem_steps(s, STEPS);
  outcome expected, found;
  look(s, &expected);
  found = expected;
  memset(&found.measures, 0, sizeof found.measures);
  fail_allocations(0, ALL);
  dem_simulation_measure(s, &found.measures);
  ck_assert(!end_failures());
  ck_assert_int_eq(memcmp(&found, &expected, sizeof found), 0);
  ck_assert(found.measures.contacts > 0.0 && found.measures.stored_normal > 0.0 && found.measures.coordination > 1.0);
  free(run.assembly.path);
}

TEST(a_snapshot_is_whole_or_none)
{
  dem_case run = flowing_case();
  SCOPED_SIMULATION s = dem_create(&run, 1);
  dem_snapshot snapshot;
  int failed = 0;
  for (long n = 0;; n++) {
    fail_allocations(n, 1);
    jager_status status = dem_snapshot_take(s, &snapshot);
    if (!end_failures()) {
      assert_ok(status);
      break;
    }
    failed++;
    ck_assert_int_eq(status, JAGER_ERROR_MEMORY);
    ck_assert(!snapshot.spheres && !snapshot.contacts && snapshot.sphere_count == 0);
  }
  ck_assert_int_gt(failed, 2);
  dem_snapshot_free(&snapshot);
  free(run.assembly.path);
}

/* A lack of memory is not reported as damage of a good checkpoint, and writes no bad one. */
TEST(a_checkpoint_is_read_and_written_whole_or_not)
{
  dem_case run = flowing_case();
  char *path = strdup(scratch_path(directory, "checkpoint"));
  SCOPED_SIMULATION s = dem_create(&run, 1);
  dem_steps(s, 20);
  dem_checkpoint_notes notes = {.input = "text", .series_bytes = 7}, read;
  error_info error = {.text = ""};
  uint64_t hash = dem_simulation_hash(s);
  bool has_failed = true;
  for (long n = 0; has_failed; n++) {
    error = (error_info){.text = ""};
    fail_allocations(n, 1);
    bool is_written = dem_checkpoint_write(s, path, NULL, &notes, &error);
    has_failed = end_failures();
    ck_assert_int_eq(is_written, !has_failed);
    ck_assert_int_eq(scratch_has(directory, "checkpoint"), is_written);
    ck_assert_msg(is_written || error.out_of_memory, "allocation %ld: '%s'", n, error.text);
  }
  has_failed = true;
  for (long n = 0; has_failed; n++) {
    error = (error_info){.text = ""};
    fail_allocations(n, 1);
    SCOPED_SIMULATION copy = dem_restore(&run, path, 1, &read, &error);
    has_failed = end_failures();
    ck_assert_msg(copy || error.out_of_memory, "allocation %ld: '%s'", n, error.text);
    if (copy) {
      ck_assert_uint_eq(dem_simulation_hash(copy), hash);
      free((char *)read.input);
    }
  }
  free(run.assembly.path);
  free(path);
}
