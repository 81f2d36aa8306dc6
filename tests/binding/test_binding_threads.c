/* SPDX-License-Identifier: MIT */
/*
 * Runs and simulations in several threads of one process. Oracle: each of them alone, to the byte and the bit. The
 * thread sanitizer (.ci/run) looks for races in the runs without child processes.
 */
#include "binding_support.h"

#include <pthread.h>

FIXTURE_EACH(make_directory, remove_directory)

/* ---- Runs -------------------------------------------------------------------------------------------------------- */

#ifdef __SANITIZE_THREAD__
enum { RUNS = 3 }; /* the last one is a list: its children might wait for ever for locks of the sanitizer */
#else
enum { RUNS = 4 };
#endif

/*
 * One run, from the reading of its case to its end. Only the main thread may fail under Check: it looks at the result.
 */
typedef struct one_run {
  const char *text, *setting; /* NULL: no setting */
  int threads;
  char dir[300];
  binding_watch *watch;
  binding_outcome outcome;
  binding_error error;
} one_run;

static void *execute(void *context)
{
  one_run *run = context;
  char *messages;
  SCOPED_BINDING_CASE of = binding_case_read("case.yaml", run->text, strlen(run->text), &run->setting,
                                             run->setting != NULL, &messages, &run->error);
  if (!of)
    return NULL;
  binding_text_free(messages);
  binding_run_settings settings = {.dir = run->dir, .threads = run->threads};
  run->outcome = binding_case_run(of, &settings, run->watch, &run->error);
  return NULL;
}

/* Snapshots by HDF5, which works for one thread at a time; ParaView; a case with a list, in child processes. */
static const char busy_text[] =
    PACKING_HEAD "checkpoint: {steps: 2000}\n"
                 "stages:\n"
                 "  - name: shear\n"
                 "    control: {xx: {stress: 10 MPa}, yy: {stress: 10 MPa}, zz: {strain_rate: 10 1/s}}\n"
                 "    until: {steps: 400}\n"
                 "    output: {series: 7, snapshot: 100, vtk: 200}\n";

static one_run run_number(int k, const char *where)
{
  static const char *const settings[] = {NULL, "seed=2", "contact.model=hertz-mindlin",
                                         "contact.model=[jager, hertz-mindlin]"};
  one_run run = {.text = busy_text, .setting = settings[k], .threads = k == 1 ? 2 : 1};
  snprintf(run.dir, sizeof run.dir, "%s/%s-%d", directory, where, k);
  run.watch = binding_watch_create();
  return run;
}

static void finish(one_run *run)
{
  assert_done(run->error);
  ck_assert_int_eq(run->outcome.ending, BINDING_COMPLETED);
  binding_outcome_free(&run->outcome);
  binding_watch_destroy(run->watch);
}

static void assert_same_file(const one_run *a, const one_run *b, const char *name)
{
  size_t size_a, size_b;
  char *bytes_a = scratch_read(a->dir, name, &size_a), *bytes_b = scratch_read(b->dir, name, &size_b);
  ck_assert_msg(size_a == size_b && memcmp(bytes_a, bytes_b, size_a) == 0, "%s and %s differ in %s", a->dir, b->dir,
                name);
  free(bytes_a);
  free(bytes_b);
}

static void assert_same_runs(const one_run *a, const one_run *b)
{
  bool has_list = strstr(a->setting ? a->setting : "", "[") != NULL;
  assert_same_file(a, b, has_list ? "jager/series.csv" : "series.csv");
  assert_same_file(a, b, has_list ? "jager/summary.txt" : "summary.txt"); /* with the hash */
  ck_assert(scratch_has(b->dir, has_list ? "hertz-mindlin/result.h5" : "result.h5"));
  ck_assert_int_eq(a->outcome.steps, b->outcome.steps);
  ck_assert_int_eq(scratch_count(a->dir, "."), scratch_count(b->dir, "."));
}

TEST(runs_do_not_disturb_each_other)
{
  one_run alone[RUNS], together[RUNS];
  pthread_t threads[RUNS];
  for (int k = 0; k < RUNS; k++) {
    alone[k] = run_number(k, "alone");
    together[k] = run_number(k, "together");
    (void)execute(&alone[k]);
  }
  for (int k = 0; k < RUNS; k++)
    ck_assert_int_eq(pthread_create(&threads[k], NULL, execute, &together[k]), 0);
  for (int look = 0; look < 200; look++) /* from a thread that is none of theirs */
    for (int k = 0; k < RUNS; k++) {
      binding_progress at = binding_watch_progress(together[k].watch);
      ck_assert(at.step >= 0 && at.fraction >= 0.0 && at.fraction <= 1.0);
      char *notice = binding_watch_notice(together[k].watch);
      binding_text_free(notice);
      usleep(100);
    }
  for (int k = 0; k < RUNS; k++)
    pthread_join(threads[k], NULL);
  for (int k = 0; k < RUNS; k++) {
    assert_same_runs(&alone[k], &together[k]);
    finish(&alone[k]);
    finish(&together[k]);
  }
}

/* Two runs in one directory: one of them is refused. */
TEST(a_directory_belongs_to_one_run)
{
  one_run runs[2];
  pthread_t threads[2];
  for (int k = 0; k < 2; k++) {
    runs[k] = run_number(0, "shared");
    ck_assert_int_eq(pthread_create(&threads[k], NULL, execute, &runs[k]), 0);
  }
  int completed = 0;
  for (int k = 0; k < 2; k++) {
    pthread_join(threads[k], NULL);
    completed += runs[k].outcome.ending == BINDING_COMPLETED;
    binding_fault fault = runs[k].error.fault; /* the other one is at work, or has ended already */
    ck_assert(runs[k].outcome.ending == BINDING_COMPLETED || fault == BINDING_BAD_INPUT ||
              fault == BINDING_RUN_EXISTS || fault == BINDING_RUN_RESUMABLE);
    binding_text_free(runs[k].error.text);
    binding_outcome_free(&runs[k].outcome);
    binding_watch_destroy(runs[k].watch);
  }
  ck_assert_int_eq(completed, 1);
}

/* ---- Simulations ------------------------------------------------------------------------------------------------- */

enum { SIMULATIONS = 3 };

typedef struct one_simulation {
  int number;
  uint64_t hashes[3];
  bool has_failed;
} one_simulation;

/* Steps, copies, changes and measures, as users make them. */
static void *simulate(void *context)
{
  one_simulation *of = context;
  const char *setting = of->number == 1 ? "seed=2" : "seed=1", *change = "stages.shear.friction=0.2";
  binding_error error;
  char *messages;
  long made;
  SCOPED_BINDING_CASE from =
      binding_case_read("case.yaml", small_text, strlen(small_text), &setting, 1, &messages, &error);
  SCOPED_BINDING s = binding_simulation_create(from, of->number == 2 ? 2 : 1, &error);
  SCOPED_BINDING copy = NULL;
  double *values = malloc((size_t)binding_measure_count() * sizeof *values);
  of->has_failed = !s || !binding_simulation_step(s, 1000000, INFINITY, true, &made, &error) ||
                   !binding_simulation_step(s, 150, INFINITY, false, &made, &error) ||
                   !(copy = binding_simulation_copy(s, &error)) ||
                   !binding_simulation_change(copy, &change, 1, &error) ||
                   !binding_simulation_step(copy, 1000, INFINITY, false, &made, &error);
  if (!of->has_failed) {
    of->hashes[0] = binding_simulation_hash(s);
    of->hashes[1] = binding_simulation_hash(copy);
    for (int k = 0; k < 20; k++) {
      (void)binding_simulation_step(s, 10, INFINITY, false, &made, &error);
      binding_simulation_measure(s, values);
    }
    of->hashes[2] = binding_simulation_hash(s);
  }
  free(values);
  return NULL;
}

TEST(simulations_do_not_disturb_each_other)
{
  one_simulation alone[SIMULATIONS], together[SIMULATIONS];
  pthread_t threads[SIMULATIONS];
  for (int k = 0; k < SIMULATIONS; k++) {
    alone[k] = together[k] = (one_simulation){.number = k};
    (void)simulate(&alone[k]);
  }
  for (int k = 0; k < SIMULATIONS; k++)
    ck_assert_int_eq(pthread_create(&threads[k], NULL, simulate, &together[k]), 0);
  for (int k = 0; k < SIMULATIONS; k++)
    pthread_join(threads[k], NULL);
  for (int k = 0; k < SIMULATIONS; k++) {
    ck_assert(!alone[k].has_failed && !together[k].has_failed);
    ck_assert_mem_eq(alone[k].hashes, together[k].hashes, sizeof alone[k].hashes);
  }
  ck_assert_mem_eq(alone[0].hashes, alone[2].hashes, sizeof alone[0].hashes); /* 1 thread and 2 */
  ck_assert_uint_ne(alone[0].hashes[0], alone[1].hashes[0]);
}
