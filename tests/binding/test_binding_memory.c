/* SPDX-License-Identifier: MIT */
/*
 * The interface for other languages when memory runs out: in each of many calls another allocation fails. Oracle: the
 * undisturbed call. A call fails, names memory as the cause, and does not change its handles; or it has the result of
 * the undisturbed call. (Of shared libraries, such as libfyaml and the C library, only streams in memory fail here.)
 */
#include "binding_support.h"

#include "failing_malloc.h"
#include "files/result.h"

enum { TRIALS_MAX = 100000 };

FIXTURE_EACH(make_directory, remove_directory)
FIXTURE_ONCE(result_end_without_cleanup, NULL) /* a static HDF5 does not survive it after failed allocations */

/* The arguments of a call, and its result: a number that must be the same whenever the call succeeds. */
typedef struct memory_call {
  binding_case *of;
  binding_simulation *s;
  uint64_t result;
} memory_call;

typedef bool call_function(memory_call *call, binding_error *error);

/*
 * The first, second, ... allocation of the call fails, with or without all later ones, until none is left. Beyond 250
 * allocations some are left out.
 */
static void try_all(call_function *function, memory_call *call, const char *what)
{
  binding_error error;
  ck_assert(function(call, &error));
  uint64_t expected = call->result, state = binding_simulation_hash(call->s);
  char *input = strdup(binding_simulation_input(call->s));
  long refused = 0, trial = 0;
  for (int further = 0; further < 2; further++)
    for (trial = 0; trial < TRIALS_MAX; trial += 1 + trial / 250 * 6) {
      call->result = 0;
      fail_allocations(trial, further ? TRIALS_MAX : 1);
      bool is_done = function(call, &error);
      bool has_failed = end_failures();
      ck_assert_msg(is_done || error.fault == BINDING_NO_MEMORY || strstr(error.text, "HDF5 says: "),
                    "%s: fault %d, %s", what, error.fault, error.text);
      ck_assert_msg(!is_done || call->result == expected, "%s: another result", what);
      ck_assert_uint_eq(binding_simulation_hash(call->s), state);
      ck_assert_str_eq(binding_simulation_input(call->s), input);
      binding_text_free(error.text);
      refused += !is_done;
      if (!has_failed)
        break;
    }
  printf("%s: %ld of the allocations failed\n", what, trial);
  ck_assert_int_lt(trial, TRIALS_MAX);
  ck_assert_int_gt(refused, 0);
  free(input);
}

/* ---- Calls ------------------------------------------------------------------------------------------------------- */

static bool read_case(memory_call *call, binding_error *error)
{
  const char *setting = "material.friction=0.3";
  char *messages;
  binding_case *of = binding_case_read("case.yaml", lattice_text, strlen(lattice_text), &setting, 1, &messages, error);
  call->result = of ? strlen(binding_case_input(of)) : 0;
  binding_text_free(messages);
  binding_case_destroy(of);
  return of;
}

static bool describe(memory_call *call, binding_error *error)
{
  char *text = binding_case_describe(call->of);
  *error = (binding_error){.fault = text ? BINDING_DONE : BINDING_NO_MEMORY};
  call->result = text ? strlen(text) : 0;
  binding_text_free(text);
  return text;
}

static bool create(memory_call *call, binding_error *error)
{
  binding_simulation *s = binding_simulation_create(call->of, 1, error);
  call->result = s ? binding_simulation_position(s).contacts : 0;
  binding_simulation_destroy(s);
  return s;
}

static bool copy(memory_call *call, binding_error *error)
{
  binding_simulation *s = binding_simulation_copy(call->s, error);
  call->result = s ? (uint64_t)binding_simulation_position(s).step : 0;
  binding_simulation_destroy(s);
  return s;
}

/* A change to the same value: the state must stay, whether the call succeeds or not. */
static bool change(memory_call *call, binding_error *error)
{
  call->result = 1;
  return change_by(call->s, "stages.load.friction=0.2", error);
}

static bool take_snapshot(memory_call *call, binding_error *error)
{
  dem_snapshot snapshot;
  bool is_taken = binding_simulation_snapshot(call->s, &snapshot, error);
  call->result = is_taken ? snapshot.contact_count : 0;
  if (is_taken)
    binding_snapshot_free(&snapshot);
  return is_taken;
}

static bool pack_contact(memory_call *call, binding_error *error)
{
  jager_law law;
  size_t size = 0;
  char *bytes = binding_simulation_contact(call->s, 0, 1, &size, &law, error);
  call->result = size;
  binding_text_free(bytes);
  return bytes;
}

static bool write_checkpoint(memory_call *call, binding_error *error)
{
  call->result = 1;
  return binding_simulation_checkpoint(call->s, scratch_path(directory, "state"), error);
}

static bool restore(memory_call *call, binding_error *error)
{
  binding_simulation *s = binding_simulation_restore(scratch_path(directory, "good"), 1, error);
  call->result = s ? (uint64_t)binding_simulation_position(s).step : 0;
  binding_simulation_destroy(s);
  return s;
}

static bool find_moduli(memory_call *call, binding_error *error)
{
  binding_moduli moduli;
  bool is_done = binding_simulation_moduli(call->s, 1, &moduli, NULL, error);
  call->result = is_done ? moduli.contacts : 0;
  return is_done;
}

static bool watch(memory_call *call, binding_error *error)
{
  binding_watch *of = binding_watch_create();
  *error = (binding_error){.fault = of ? BINDING_DONE : BINDING_NO_MEMORY};
  call->result = 1;
  binding_watch_destroy(of);
  return of;
}

/* A run that replaces the files of the one before. */
static bool run_case_of(memory_call *call, binding_error *error)
{
  binding_run_settings settings = {.dir = scratch_path(directory, "run"), .threads = 1, .force = true};
  binding_outcome outcome = binding_case_run(call->of, &settings, NULL, error);
  bool is_done = outcome.ending == BINDING_COMPLETED;
  call->result = is_done ? strlen(strstr(outcome.json, "\"hash\"")) : 0;
  binding_outcome_free(&outcome);
  return is_done;
}

TEST(calls_fail_without_harm)
{
  static const struct {
    call_function *function;
    const char *what;
  } calls[] = {{read_case, "reading a case"},
               {describe, "describing it"},
               {create, "a new simulation"},
               {copy, "a copy"},
               {change, "a change"},
               {take_snapshot, "a snapshot"},
               {pack_contact, "a contact"},
               {write_checkpoint, "writing a checkpoint"},
               {restore, "restoring it"},
               {find_moduli, "moduli"},
               {watch, "a watch"},
               {run_case_of, "a run"}};
  binding_error error;
  memory_call call = {.of = case_of(lattice_text)};
  call.s = simulation_of_case(call.of);
  (void)steps_of(call.s, 20, false);
  ck_assert(change_by(call.s, "stages.load.friction=0.2", &error));
  ck_assert(binding_simulation_checkpoint(call.s, scratch_path(directory, "good"), &error));
  for (size_t k = 0; k < sizeof calls / sizeof *calls; k++)
    try_all(calls[k].function, &call, calls[k].what);
  binding_simulation_destroy(call.s);
  binding_case_destroy(call.of);
}
