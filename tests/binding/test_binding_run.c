/* SPDX-License-Identifier: MIT */
/*
 * Runs for other languages. Oracles: the program, which writes the same bytes, except times and speeds; for runs that
 * were stopped and resumed, the uninterrupted run.
 */
#include "binding_support.h"

#include "binding/handles.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/file.h>

FIXTURE_EACH(make_directory, remove_directory)

/* ---- The program ------------------------------------------------------------------------------------------------- */

/* Runs the case in DIR/name with the program. */
static void run_program(const char *text, const char *name, const char *options)
{
  char *command;
  scratch_write(directory, "case.yaml", text, strlen(text));
  ck_assert_int_gt(asprintf(&command, "cd %s && %s run case.yaml -q --threads 1 -o %s %s > %s.out 2> %s.err", directory,
                            JAGER_PROGRAM, name, options, name, name),
                   0);
  ck_assert_msg(system(command) == 0, "%s", command);
  free(command);
}

static void assert_same_file(const char *a, const char *b, const char *file)
{
  char name[300];
  size_t size_a, size_b;
  snprintf(name, sizeof name, "%s/%s", a, file);
  char *bytes_a = scratch_read(directory, name, &size_a);
  snprintf(name, sizeof name, "%s/%s", b, file);
  char *bytes_b = scratch_read(directory, name, &size_b);
  ck_assert_msg(size_a == size_b && memcmp(bytes_a, bytes_b, size_a) == 0, "%s: %s and %s differ", file, a, b);
  free(bytes_a);
  free(bytes_b);
}

/* The line of a text that begins so, without its end, to be freed. */
static char *line_with(const char *text, const char *start)
{
  const char *at = text;
  while (at && strncmp(at, start, strlen(start)) != 0) {
    at = strchr(at, '\n');
    at = at ? at + 1 : NULL;
  }
  ck_assert_msg(at != NULL, "no line '%s' in:\n%s", start, text);
  return strndup(at, strcspn(at, "\n"));
}

static void assert_same_hash(const char *summary, const char *other)
{
  char *a = line_with(summary, "hash "), *b = line_with(other, "hash ");
  ck_assert_str_eq(a, b);
  free(a);
  free(b);
}

/* A copy of the path: scratch_path reuses its memory. */
static binding_run_settings settings_in(const char *name)
{
  static char paths[8][4096];
  static int next;
  char *path = paths[next++ % 8];
  snprintf(path, sizeof paths[0], "%s/%s", directory, name);
  return (binding_run_settings){.dir = path, .threads = 1, .command = "test"};
}

static void assert_completed(const binding_outcome *outcome, const binding_error *error)
{
  assert_done(*error);
  ck_assert_int_eq(outcome->ending, BINDING_COMPLETED);
  ck_assert(outcome->summary && outcome->json && !outcome->is_nonsense);
}

/* ---- Whole runs -------------------------------------------------------------------------------------------------- */

TEST(a_run_is_that_of_the_program)
{
  binding_error error;
  SCOPED_BINDING_CASE of = case_of(small_text);
  binding_run_settings settings = settings_in("here");
  binding_outcome outcome = binding_case_run(of, &settings, NULL, &error);
  assert_completed(&outcome, &error);
  run_program(small_text, "there", "");
  assert_same_file("here", "there", "series.csv");
  char *summary = scratch_read(directory, "there.out", NULL), *steps = line_with(summary, "60 spheres");
  assert_same_hash(outcome.summary, summary);
  char expected[100];
  snprintf(expected, sizeof expected, " %ld steps", outcome.steps);
  ck_assert_ptr_nonnull(strstr(steps, expected));
  ck_assert_ptr_nonnull(strstr(outcome.json, "\"hash\""));
  ck_assert_int_eq(scratch_count(directory, "here"), scratch_count(directory, "there"));
  free(summary);
  free(steps);
  binding_outcome_free(&outcome);
  ck_assert(!outcome.summary && !outcome.json);
}

/* The simulation is in the last state, and the files are the same as of a run of the case. */
TEST(a_simulation_runs_as_its_case)
{
  binding_error error;
  SCOPED_BINDING_CASE of = case_of(small_text);
  SCOPED_BINDING s = simulation_of_case(of);
  SCOPED_BINDING stepped = simulation_of_case(of);
  binding_run_settings settings = settings_in("simulation");
  binding_outcome outcome = binding_simulation_run(s, &settings, NULL, &error);
  assert_completed(&outcome, &error);
  settings = settings_in("case");
  binding_outcome of_case = binding_case_run(of, &settings, NULL, &error);
  assert_same_file("simulation", "case", "series.csv");
  assert_same_file("simulation", "case", "summary.txt");
  assert_same_hash(outcome.summary, of_case.summary);
  ck_assert_int_eq(outcome.steps, steps_of(stepped, 1000000, false));
  ck_assert_uint_eq(binding_simulation_hash(s), binding_simulation_hash(stepped));
  ck_assert(binding_simulation_position(s).is_done);
  ck_assert(change_by(s, "stages.shear.until.steps=210", &error)); /* and it goes on */
  ck_assert_int_eq(steps_of(s, 1000000, false), 10);
  binding_outcome_free(&outcome);
  binding_outcome_free(&of_case);
}

TEST(a_run_that_fails_leaves_its_last_state)
{
  const char *changes[] = {"stages.load.control.zz.strain_step=0.01", "checkpoint={steps: 1}"};
  binding_error error;
  SCOPED_BINDING_CASE of = case_of_with(lattice_text, changes, 2);
  SCOPED_BINDING s = simulation_of_case(of);
  binding_run_settings settings = settings_in("out");
  binding_outcome outcome = binding_simulation_run(s, &settings, NULL, &error);
  ck_assert_int_eq(outcome.ending, BINDING_NOT_COMPLETED);
  assert_fault(&error, BINDING_RUN_FAILED, "overlap");
  ck_assert_str_eq(outcome.checkpoint, scratch_path(directory, "out/checkpoint.jck"));
  ck_assert(binding_simulation_position(s).has_failed);
  ck_assert_int_eq(binding_simulation_position(s).step, outcome.steps);
  SCOPED_BINDING restored = binding_simulation_restore(outcome.checkpoint, 1, &error);
  ck_assert_ptr_nonnull(restored);
  assert_done(error);
  binding_outcome_free(&outcome);
}

/* ---- Stopping and resuming --------------------------------------------------------------------------------------- */

/* Stops the run as soon as it has made so many steps. */
typedef struct stopper {
  binding_watch *watch;
  long steps;
} stopper;

static void *stop_later(void *context)
{
  const stopper *of = context;
  while (binding_watch_progress(of->watch).step < of->steps)
    usleep(200);
  binding_watch_stop(of->watch);
  return NULL;
}

static binding_outcome run_and_stop(binding_case *of, binding_simulation *s, const binding_run_settings *settings,
                                    long steps)
{
  binding_error error;
  stopper by = {.watch = binding_watch_create(), .steps = steps};
  pthread_t thread;
  ck_assert_int_eq(pthread_create(&thread, NULL, stop_later, &by), 0);
  binding_outcome outcome =
      s ? binding_simulation_run(s, settings, by.watch, &error) : binding_case_run(of, settings, by.watch, &error);
  pthread_join(thread, NULL);
  assert_done(error);
  binding_progress at = binding_watch_progress(by.watch);
  ck_assert_int_eq(at.step, outcome.steps);
  ck_assert_int_eq(at.stage_count, 2);
  ck_assert_int_eq(outcome.ending, BINDING_STOPPED);
  ck_assert_ptr_nonnull(outcome.checkpoint);
  ck_assert(!outcome.summary && !outcome.json);
  binding_watch_destroy(by.watch);
  return outcome;
}

TEST(a_run_that_was_stopped_resumes)
{
  binding_error error;
  SCOPED_BINDING_CASE of = case_of(small_text);
  binding_run_settings settings = settings_in("whole");
  binding_outcome whole = binding_case_run(of, &settings, NULL, &error), outcome;
  assert_completed(&whole, &error);

  settings = settings_in("parts");
  outcome = run_and_stop(of, NULL, &settings, 300);
  ck_assert_int_lt(outcome.steps, whole.steps);
  binding_outcome_free(&outcome);
  settings.resume = true;
  outcome = run_and_stop(of, NULL, &settings, whole.steps - 200);
  binding_outcome_free(&outcome);
  outcome = binding_case_run(of, &settings, NULL, &error);
  assert_completed(&outcome, &error);
  assert_same_file("whole", "parts", "series.csv");
  assert_same_hash(whole.summary, outcome.summary);
  binding_outcome_free(&outcome);

  SCOPED_BINDING s = simulation_of_case(of);
  SCOPED_BINDING other = simulation_of_case(of);
  settings = settings_in("simulation");
  outcome = run_and_stop(of, s, &settings, 300);
  ck_assert_int_eq(binding_simulation_position(s).step, outcome.steps);
  binding_outcome_free(&outcome);
  (void)steps_of(s, 20, false); /* the state of the checkpoint replaces this one */
  settings.resume = true;
  outcome = binding_simulation_run(s, &settings, NULL, &error);
  assert_completed(&outcome, &error);
  assert_same_file("whole", "simulation", "series.csv");
  (void)steps_of(other, 1000000, false);
  ck_assert_uint_eq(binding_simulation_hash(s), binding_simulation_hash(other));
  binding_outcome_free(&outcome);
  binding_outcome_free(&whole);
}

/* ---- Refusals ---------------------------------------------------------------------------------------------------- */

static void assert_run_refused(binding_simulation *s, const binding_run_settings *settings, binding_fault fault,
                               const char *part)
{
  binding_error error;
  uint64_t before = binding_simulation_hash(s);
  long step = binding_simulation_position(s).step;
  binding_outcome outcome = binding_simulation_run(s, settings, NULL, &error);
  ck_assert_int_eq(outcome.ending, BINDING_NOT_COMPLETED);
  ck_assert(!outcome.summary && !outcome.json);
  assert_fault(&error, fault, part);
  ck_assert_uint_eq(binding_simulation_hash(s), before);
  ck_assert_int_eq(binding_simulation_position(s).step, step);
  binding_outcome_free(&outcome);
}

TEST(a_run_that_is_refused_changes_nothing)
{
  binding_error error;
  SCOPED_BINDING s = simulation_of(lattice_text);
  SCOPED_BINDING other = simulation_of(lattice_text);
  binding_run_settings settings = settings_in("out");
  settings.resume = true;
  assert_run_refused(s, &settings, BINDING_BAD_INPUT, "out has no checkpoint");
  settings.resume = false;
  ck_assert_int_eq(mkdir(settings.dir, 0777), 0);
  int lock = open(settings.dir, O_RDONLY | O_DIRECTORY);
  ck_assert_int_eq(flock(lock, LOCK_EX), 0);
  assert_run_refused(s, &settings, BINDING_BAD_INPUT, "another run is working in");
  close(lock);
  binding_outcome outcome = binding_simulation_run(other, &settings, NULL, &error);
  assert_completed(&outcome, &error);
  binding_outcome_free(&outcome);
  assert_run_refused(s, &settings, BINDING_RUN_RESUMABLE, "exists already");
  assert_run_refused(other, &settings, BINDING_BAD_INPUT, "has made 200 steps");
  settings.dir = scratch_path(directory, "out/series.csv/more");
  assert_run_refused(s, &settings, BINDING_FILE_FAILED, "series.csv");

  ck_assert(change_by(other, "stages.load.until.steps=250", &error)); /* the checkpoint of another case */
  settings.dir = scratch_path(directory, "out");
  settings.resume = true;
  ck_assert(change_by(s, "stages.load.friction=0.1", &error));
  assert_run_refused(s, &settings, BINDING_BAD_INPUT, "stages.0.friction");
  settings.resume = false;
  settings.force = true;
  outcome = binding_simulation_run(s, &settings, NULL, &error);
  assert_completed(&outcome, &error);
  binding_outcome_free(&outcome);
}

TEST(the_case_file_is_not_overwritten)
{
  binding_error error;
  ck_assert_int_eq(mkdir(scratch_path(directory, "out"), 0777), 0);
  scratch_write(directory, "out/summary.txt", lattice_text, strlen(lattice_text));
  SCOPED_BINDING_CASE of = case_of(lattice_text);
  binding_run_settings settings = settings_in("out");
  settings.force = true;
  settings.case_file = scratch_path(directory, "out/summary.txt");
  binding_outcome outcome = binding_case_run(of, &settings, NULL, &error);
  ck_assert_int_eq(outcome.ending, BINDING_NOT_COMPLETED);
  assert_fault(&error, BINDING_BAD_INPUT, "would replace it");
}

/* ---- Watches ----------------------------------------------------------------------------------------------------- */

static void assert_notice(binding_watch *watch, const char *expected)
{
  char *notice = binding_watch_notice(watch);
  ck_assert_msg(notice && strcmp(notice, expected) == 0, "'%s' instead of '%s'", notice ? notice : "none", expected);
  binding_text_free(notice);
}

/* Waiting notices come in order, whether or not some were taken meanwhile. */
TEST(notices_come_in_their_order)
{
  binding_watch *watch = binding_watch_create();
  run_watcher told = binding_watch_watcher(watch);
  for (int round = 0; round < 2; round++) {
    told.notice(told.context, "first");
    told.notice(told.context, "second");
    assert_notice(watch, "first");
    told.notice(told.context, "third");
    assert_notice(watch, "second");
    assert_notice(watch, "third");
    ck_assert_ptr_null(binding_watch_notice(watch));
  }
  told.notice(told.context, "left");
  binding_watch_destroy(watch);
}

/* Progress of a list names runs in place of stages. Names that are too long are cut between two characters. */
TEST(progress_of_lists_and_long_names)
{
  binding_watch *watch = binding_watch_create();
  run_watcher told = binding_watch_watcher(watch);
  char name[100] = "";
  for (int i = 0; i < 40; i++)
    strcat(name, i == 0 ? "x" : "ä"); /* the 64th byte is the first of one, the 63rd the second of the one before */
  progress_state state = {.stage_name = name, .stage = 2, .stage_count = 5, .fraction = 0.25, .step = 9, .contacts = 7};
  told.progress(told.context, &state, false);
  binding_progress now = binding_watch_progress(watch);
  ck_assert(now.stage == 2 && now.stage_count == 5 && now.fraction == 0.25 && now.step == 9 && now.contacts == 7);
  ck_assert(strlen(now.stage_name) == 63 && strncmp(now.stage_name, name, 63) == 0);
  state.stage_name = name + 1; /* now the 64th byte is the second of one */
  state.runs = 4;
  state.runs_done = 3;
  told.progress(told.context, &state, true);
  now = binding_watch_progress(watch);
  ck_assert(now.stage == 3 && now.stage_count == 4 && now.fraction == 1.0);
  ck_assert(strlen(now.stage_name) == 62 && strncmp(now.stage_name, name + 1, 62) == 0);
  binding_watch_destroy(watch);
}

TEST(a_watch_sees_stages_and_notices)
{
  binding_error error;
  SCOPED_BINDING_CASE of = case_of(small_text);
  binding_watch *watch = binding_watch_create();
  binding_run_settings settings = settings_in("out");
  ck_assert_ptr_null(binding_watch_notice(watch));
  ck_assert_int_eq(binding_watch_progress(watch).step, 0);
  binding_watch_stop(watch); /* before the run: it ends after one step */
  binding_outcome outcome = binding_case_run(of, &settings, watch, &error);
  ck_assert_int_eq(outcome.ending, BINDING_STOPPED);
  ck_assert_int_eq(outcome.steps, 1);
  binding_outcome_free(&outcome);
  binding_watch_destroy(watch);

  /* With a damaged checkpoint and an earlier one, the run reports that it continues from the earlier one. */
  size_t size;
  char *bytes = scratch_read(directory, "out/checkpoint.jck", &size);
  scratch_write(directory, "out/checkpoint-before.jck", bytes, size);
  scratch_write(directory, "out/checkpoint.jck", bytes, size / 2);
  free(bytes);
  watch = binding_watch_create();
  settings.resume = true;
  outcome = binding_case_run(of, &settings, watch, &error);
  assert_completed(&outcome, &error);
  char *notice = binding_watch_notice(watch);
  ck_assert_msg(notice && strstr(notice, "continuing from the checkpoint before it"), "%s", notice);
  binding_text_free(notice);
  ck_assert_ptr_null(binding_watch_notice(watch));
  binding_progress at = binding_watch_progress(watch);
  ck_assert(at.stage == 2 && at.stage_count == 2 && at.step == outcome.steps && at.contacts > 100);
  ck_assert_str_eq(at.stage_name, "shear");
  assert_within(at.fraction, 1.0, 0.0);
  binding_outcome_free(&outcome);
  binding_watch_destroy(watch);
  binding_watch_destroy(NULL);
}

/* ---- Lists ------------------------------------------------------------------------------------------------------- */

TEST(a_case_with_lists_is_that_of_the_program)
{
  char option[100];
  const char *changes[] = {"contact.model=[jager, hertz-mindlin]"};
  binding_error error;
  SCOPED_BINDING_CASE of = case_of_with(small_text, changes, 1);
  binding_watch *watch = binding_watch_create();
  binding_run_settings settings = settings_in("here");
  binding_outcome outcome = binding_case_run(of, &settings, watch, &error);
  assert_completed(&outcome, &error);
  snprintf(option, sizeof option, "--set '%s'", changes[0]);
  run_program(small_text, "there", option);
  assert_same_file("here", "there", "jager/series.csv");
  assert_same_file("here", "there", "hertz-mindlin/series.csv");
  binding_progress at = binding_watch_progress(watch);
  ck_assert(at.stage == 2 && at.stage_count == 2);
  ck_assert_int_gt(outcome.steps, 600);
  ck_assert_ptr_nonnull(strstr(outcome.summary, "2 runs, results in"));
  ck_assert_ptr_nonnull(strstr(outcome.json, "\"runs\": 2"));
  binding_outcome_free(&outcome);
  outcome = binding_case_run(of, &settings, watch, &error);
  ck_assert_int_eq(outcome.ending, BINDING_NOT_COMPLETED);
  assert_fault(&error, BINDING_RUN_RESUMABLE, "exists already");
  binding_outcome_free(&outcome);
  settings.force = true;
  binding_watch_stop(watch);
  outcome = binding_case_run(of, &settings, watch, &error);
  ck_assert_int_eq(outcome.ending, BINDING_STOPPED);
  assert_done(error);
  binding_outcome_free(&outcome);
  binding_watch_destroy(watch);
}
