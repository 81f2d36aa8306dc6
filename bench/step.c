/* SPDX-License-Identifier: MIT */
/*
 * bench/step CASE [THREADS [KEY=VALUE]...]: steps of a case, timed on request, for bench/take_turns.py and
 * gallery/paper. Each line of standard input is a number of steps; the answer is their time in ns per contact and step,
 * or, for 0, the hash of the state. The line "stage" makes all steps to the end of the present stage. After the line
 * "law" answers have two more numbers: the share of jager_pairs_move in the time (with one thread), and the mean
 * number of contacts.
 */
#include "base/clock.h"
#include "base/error.h"
#include "case/reader.h"
#include "dem/simulation.h"
#include "jager/pairs.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char program[] = "step";

/* The linker puts this in place of jager_pairs_move (--wrap), whose time in this thread it measures. */
static _Thread_local double law_seconds;
jager_status __real_jager_pairs_move(jager_pairs *pairs, const jager_sweep *sweep, jager_sums *sums, size_t *failed);
jager_status __wrap_jager_pairs_move(jager_pairs *pairs, const jager_sweep *sweep, jager_sums *sums, size_t *failed);
jager_status __wrap_jager_pairs_move(jager_pairs *pairs, const jager_sweep *sweep, jager_sums *sums, size_t *failed)
{
  const double start = clock_seconds();
  jager_status status = __real_jager_pairs_move(pairs, sweep, sums, failed);
  law_seconds += clock_seconds() - start;
  return status;
}

/* False, with a message, if a step fails. */
static bool time_steps(dem_simulation *simulation, long steps, bool times_law)
{
  error_info error;
  double contacts = 0.0, law = law_seconds, start = clock_seconds();
  for (long i = 0; i < steps; i++) {
    dem_progress progress = dem_simulation_step(simulation, &error);
    contacts += (double)dem_simulation_contacts(simulation);
    if (progress != DEM_GOES_ON) {
      complain(program, "%s", progress == DEM_FAILED ? error.text : "the case has ended");
      return false;
    }
  }
  const double seconds = clock_seconds() - start;
  printf("%.4f", 1e9 * seconds / contacts);
  if (times_law)
    printf(" %.6f %.1f", (law_seconds - law) / seconds, contacts / (double)steps);
  putchar('\n');
  return true;
}

/* False, with a message, if a step fails. */
static bool finish_stage(dem_simulation *simulation)
{
  error_info error;
  do
    if (dem_simulation_step(simulation, &error) == DEM_FAILED) {
      complain(program, "%s", error.text);
      return false;
    }
  while (!dem_simulation_events(simulation).stage_ended);
  printf("stage %d\n", dem_simulation_stage(simulation));
  return true;
}

static int answer(dem_simulation *simulation)
{
  char line[32];
  bool goes_on = true, times_law = false;
  printf("ready\n");
  for (fflush(stdout); goes_on && fgets(line, sizeof line, stdin); fflush(stdout)) {
    long steps = strtol(line, NULL, 10);
    if (strcmp(line, "law\n") == 0) {
      times_law = true;
      printf("law\n");
    } else if (strcmp(line, "stage\n") == 0)
      goes_on = finish_stage(simulation);
    else if (steps > 0)
      goes_on = time_steps(simulation, steps, times_law);
    else
      printf("%016" PRIx64 "\n", dem_simulation_hash(simulation));
  }
  return goes_on ? EXIT_DONE : EXIT_RUN_FAILED;
}

static int run_steps(const dem_case *run, int threads)
{
  error_info error;
  int code = EXIT_BAD_INPUT;
  dem_simulation *simulation = dem_simulation_prepare(run, threads, &error);
  if (simulation && dem_simulation_begin(simulation, &error))
    code = answer(simulation);
  else
    complain(program, "%s", error.text);
  dem_simulation_destroy(simulation);
  return code;
}

int main(int argc, char *argv[])
{
  if (argc < 2) {
    complain(program, "which case?");
    return EXIT_BAD_INPUT;
  }
  run_case run;
  case_source source = {.path = argv[1]};
  if (argc > 3) {
    source.settings = (const char *const *)(argv + 3);
    source.setting_count = (size_t)(argc - 3);
  }
  char *messages, *input;
  int code = case_read(&run, &source, &input, &messages);
  fputs(messages ? messages : "", stderr);
  free(messages);
  if (code == EXIT_DONE) {
    code = run_steps(&run.simulation, argc > 2 ? (int)strtol(argv[2], NULL, 10) : 1);
    run_case_free(&run);
    free(input);
  }
  return code;
}
