/* SPDX-License-Identifier: MIT */
/*
 * bench/step CASE [THREADS]: steps of a case, timed on request, for bench/take_turns.py. Each line of standard input is
 * a number of steps; the answer is their time in ns per contact and step, or, for 0, the hash of the state.
 */
#include "base/clock.h"
#include "base/error.h"
#include "case/reader.h"
#include "cli/run/huge_pages.h"
#include "dem/simulation.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static const char program[] = "step";

/* False, with a message, if a step fails. */
static bool time_steps(dem_simulation *simulation, long steps)
{
  error_info error;
  double contacts = 0.0, start = clock_seconds();
  for (long i = 0; i < steps; i++) {
    dem_progress progress = dem_simulation_step(simulation, &error);
    contacts += (double)dem_simulation_contacts(simulation);
    if (progress != DEM_GOES_ON) {
      complain(program, "%s", progress == DEM_FAILED ? error.text : "the case has ended");
      return false;
    }
  }
  printf("%.4f\n", 1e9 * (clock_seconds() - start) / contacts);
  return true;
}

static int answer(dem_simulation *simulation)
{
  char line[32];
  bool goes_on = true;
  printf("ready\n");
  for (fflush(stdout); goes_on && fgets(line, sizeof line, stdin); fflush(stdout)) {
    long steps = strtol(line, NULL, 10);
    if (steps > 0)
      goes_on = time_steps(simulation, steps);
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
  huge_pages_ask();
  run_case run;
  case_source source = {.path = argv[1]};
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
