/* SPDX-License-Identifier: MIT */
/* Simulations: making, stepping and reading them. */
#include "handles.h"
#include "base/clock.h"
#include "dem/observe/snapshot.h"
#include "huge_heap.h"
#include "run/run.h"

#include <stdlib.h>

/* ---- Making ------------------------------------------------------------------------------------------------------ */

binding_simulation *binding_simulation_make(binding_case *of, dem_simulation *dem, uintptr_t heap_before,
                                            binding_error *error)
{
  binding_simulation *s = calloc(1, sizeof *s);
  if (s) {
    *s = (binding_simulation){.of = of, .dem = dem, .heap_start = heap_before, .heap_end = heap_before};
    return s;
  }
  dem_simulation_destroy(dem);
  binding_case_destroy(of);
  (void)binding_error_memory(error);
  return NULL;
}

/* NULL, with an error. */
static dem_simulation *begin(const dem_case *run, int threads, binding_error *error)
{
  error_info info = {.text = ""};
  dem_simulation *dem = NULL;
  run_ending ending = run_prepare(run, threads, &dem, &info);
  if (ending == RUN_COMPLETED && dem_simulation_begin(dem, &info))
    return dem;
  dem_simulation_destroy(dem);
  (void)binding_error_take(error,
                           ending == RUN_REFUSED     ? BINDING_BAD_INPUT
                           : ending == RUN_IO_FAILED ? BINDING_FILE_FAILED
                                                     : BINDING_RUN_FAILED,
                           &info);
  return NULL;
}

binding_simulation *binding_simulation_create(const binding_case *of, int threads, binding_error *error)
{
  binding_error_clear(error);
  if (!binding_case_refuse_lists(of, error))
    return NULL;
  binding_case *copy = binding_case_copy(of);
  if (!copy) {
    (void)binding_error_memory(error);
    return NULL;
  }
  uintptr_t heap_before = binding_heap_end();
  dem_simulation *dem = begin(&copy->run.simulation, threads, error);
  if (dem)
    return binding_simulation_make(copy, dem, heap_before, error);
  binding_case_destroy(copy);
  return NULL;
}

void binding_simulation_destroy(binding_simulation *s)
{
  if (!s)
    return;
  dem_simulation_destroy(s->dem);
  binding_case_destroy(s->of);
  free(s);
}

/* ---- Stepping ---------------------------------------------------------------------------------------------------- */

static bool is_done(const dem_simulation *dem)
{
  return dem_simulation_events(dem).stage_ended && dem_simulation_stage(dem) == dem_simulation_case(dem)->stage_count;
}

/* Is this step the last one that is asked for? */
static bool stops_here(const dem_simulation *dem, double end, bool ends_with_stage)
{
  return (ends_with_stage && dem_simulation_events(dem).stage_ended) || is_done(dem) || clock_seconds() >= end;
}

bool binding_simulation_step(binding_simulation *s, long count, double seconds, bool ends_with_stage, long *made,
                             binding_error *error)
{
  error_info info = {.text = ""};
  double start = clock_seconds();
  dem_progress outcome = DEM_GOES_ON;
  binding_error_clear(error);
  binding_heap_ask(s->heap_start, &s->heap_end);
  *made = 0;
  while (*made < count && outcome == DEM_GOES_ON) {
    outcome = dem_simulation_step(s->dem, &info);
    *made += outcome == DEM_GOES_ON;
    if (outcome == DEM_GOES_ON && stops_here(s->dem, start + seconds, ends_with_stage))
      break;
  }
  s->seconds += clock_seconds() - start;
  return outcome != DEM_FAILED || binding_error_take(error, BINDING_RUN_FAILED, &info);
}

/* ---- Changing ---------------------------------------------------------------------------------------------------- */

bool binding_simulation_change(binding_simulation *s, const char *const *settings, size_t setting_count,
                               binding_error *error)
{
  error_info info = {.text = ""};
  binding_error_clear(error);
  binding_case *now = binding_case_read_changed(s->of->path, s->of->input, settings, setting_count, error);
  if (!now)
    return false;
  bool is_changed =
      binding_case_refuse_lists(now, error) && (dem_simulation_change_case(s->dem, &now->run.simulation, &info) ||
                                                binding_error_take(error, BINDING_BAD_INPUT, &info));
  binding_case *left_over = is_changed ? s->of : now;
  if (is_changed)
    s->of = now;
  binding_case_destroy(left_over);
  return is_changed;
}

const char *binding_simulation_input(const binding_simulation *s)
{
  return s->of->input;
}

/* ---- Reading ----------------------------------------------------------------------------------------------------- */

binding_position binding_simulation_position(const binding_simulation *s)
{
  const dem_simulation *dem = s->dem;
  return (binding_position){.step = dem_simulation_steps(dem),
                            .stage = dem_simulation_stage(dem),
                            .stage_count = dem_simulation_case(dem)->stage_count,
                            .fraction = dem_simulation_stage_progress(dem),
                            .time = dem_simulation_time(dem),
                            .spheres = dem_simulation_spheres(dem),
                            .contacts = dem_simulation_contacts(dem),
                            .threads = dem_simulation_threads(dem),
                            .stage_has_ended = dem_simulation_events(dem).stage_ended,
                            .is_done = is_done(dem),
                            .has_failed = dem_simulation_has_failed(dem),
                            .bytes = dem_simulation_bytes(dem)};
}

const char *binding_simulation_stage_name(const binding_simulation *s)
{
  return dem_simulation_stage_name(s->dem);
}

uint64_t binding_simulation_hash(const binding_simulation *s)
{
  return dem_simulation_hash(s->dem);
}

bool binding_simulation_snapshot(const binding_simulation *s, dem_snapshot *snapshot, binding_error *error)
{
  binding_error_clear(error);
  return dem_snapshot_take(s->dem, snapshot) == JAGER_OK || binding_error_memory(error);
}

void binding_snapshot_free(dem_snapshot *snapshot)
{
  dem_snapshot_free(snapshot);
}

char *binding_simulation_contact(const binding_simulation *s, uint32_t id_a, uint32_t id_b, size_t *size,
                                 jager_law *law, binding_error *error)
{
  jager_contact contact = {0};
  binding_error_clear(error);
  *law = dem_simulation_law(s->dem);
  *size = 0;
  if (!dem_simulation_find_contact(s->dem, id_a, id_b, &contact)) {
    (void)binding_error_set(error, BINDING_BAD_INPUT, "the spheres %u and %u do not touch", id_a, id_b);
    return NULL;
  }
  size_t room = jager_contact_pack_size(&contact);
  char *bytes = malloc(room);
  if (!bytes) {
    (void)binding_error_memory(error);
    return NULL;
  }
  (void)jager_contact_pack(&contact, bytes, room); /* cannot fail: there is room */
  *size = room;
  return bytes;
}
