/* SPDX-License-Identifier: MIT */
/* The whole state of a simulation: checkpoints and copies. */
#include "handles.h"
#include "dem/checkpoint/checkpoint.h"
#include "huge_heap.h"

#include <errno.h>
#include <unistd.h>

/* A simulation in the state of the checkpoint. Takes the case. */
static binding_simulation *restore(const dem_checkpoint *checkpoint, binding_case *of, int threads,
                                   binding_error *error)
{
  error_info info = {.text = ""};
  dem_checkpoint_notes notes;
  uintptr_t heap_before = binding_heap_end();
  dem_simulation *dem = dem_checkpoint_restore(checkpoint, &of->run.simulation, threads, &notes, &info);
  if (!dem) {
    binding_case_destroy(of);
    (void)binding_error_take(error, BINDING_BAD_INPUT, &info);
    return NULL;
  }
  binding_simulation *s = binding_simulation_make(of, dem, heap_before, error);
  if (s)
    s->seconds = notes.seconds;
  return s;
}

/* The case that the checkpoint recorded; NULL, with an error. */
static binding_case *recorded_case(const dem_checkpoint *checkpoint, const char *path, binding_error *error)
{
  error_info info = {.text = ""};
  const char *input = dem_checkpoint_input(checkpoint, &info);
  if (input)
    return binding_case_read_changed(path, input, NULL, 0, error);
  (void)binding_error_take(error, BINDING_BAD_INPUT, &info);
  return NULL;
}

binding_simulation *binding_simulation_restore(const char *path, int threads, binding_error *error)
{
  error_info info = {.text = ""};
  binding_error_clear(error);
  if (access(path, R_OK) != 0) {
    binding_fault fault = errno == ENOMEM ? BINDING_NO_MEMORY : BINDING_FILE_FAILED;
    error_print_errno(&info, "read", path);
    (void)binding_error_take(error, fault, &info);
    return NULL;
  }
  dem_checkpoint *checkpoint = dem_checkpoint_open(path, &info);
  if (!checkpoint) {
    (void)binding_error_take(error, BINDING_BAD_INPUT, &info);
    return NULL;
  }
  binding_case *of = recorded_case(checkpoint, path, error);
  binding_simulation *s = of ? restore(checkpoint, of, threads, error) : NULL;
  dem_checkpoint_close(checkpoint);
  return s;
}

/* A simulation that failed may have stopped in the midst of a step. */
static bool refuse_failed(const binding_simulation *s, binding_error *error)
{
  return !dem_simulation_has_failed(s->dem) ||
         binding_error_set(error, BINDING_BAD_INPUT, "the simulation has failed: its state is no good one");
}

static dem_checkpoint_notes notes_of(const binding_simulation *s)
{
  return (dem_checkpoint_notes){.input = s->of->input, .seconds = s->seconds};
}

binding_simulation *binding_simulation_copy(const binding_simulation *of, binding_error *error)
{
  error_info info = {.text = ""};
  dem_checkpoint_notes notes = notes_of(of);
  binding_error_clear(error);
  if (!refuse_failed(of, error))
    return NULL;
  dem_checkpoint *checkpoint = dem_checkpoint_take(of->dem, &notes, &info);
  binding_case *copy = checkpoint ? binding_case_copy(of->of) : NULL;
  binding_simulation *s = NULL;
  if (copy)
    s = restore(checkpoint, copy, dem_simulation_threads(of->dem), error);
  else
    (void)binding_error_memory(error);
  dem_checkpoint_close(checkpoint);
  return s;
}

bool binding_simulation_checkpoint(const binding_simulation *s, const char *path, binding_error *error)
{
  error_info info = {.text = ""};
  dem_checkpoint_notes notes = notes_of(s);
  binding_error_clear(error);
  return refuse_failed(s, error) && (dem_checkpoint_write(s->dem, path, NULL, &notes, &info) ||
                                     binding_error_take(error, BINDING_FILE_FAILED, &info));
}
