/* SPDX-License-Identifier: MIT */
/* For benchmarks that follow contacts: a case of exact contacts, run to the beginning of its last stage. */
#ifndef BENCH_LAST_STAGE_H
#define BENCH_LAST_STAGE_H

#include "case/reader.h"
#include "dem/simulation.h"

#include <stdio.h>
#include <stdlib.h>

/* Reads the case of the arguments CASE.yaml [KEY=VALUE]..., without its traces. EXIT_DONE, or an exit code. */
static int last_stage_read(run_case *run, int count, char **arguments)
{
  char *messages;
  case_source source = {
      .path = arguments[0], .settings = (const char *const *)(arguments + 1), .setting_count = (size_t)(count - 1)};
  int code = case_read(run, &source, NULL, &messages);
  fputs(messages ? messages : "", stderr);
  free(messages);
  if (code == EXIT_DONE)
    run->simulation.trace_count = 0;
  return code;
}

static bool run_to_last_stage(dem_simulation *simulation, const dem_case *run, error_info *error)
{
  while (run->stage_count > 1 &&
         !(dem_simulation_events(simulation).stage_ended && dem_simulation_stage(simulation) == run->stage_count - 1))
    if (dem_simulation_step(simulation, error) != DEM_GOES_ON)
      return false;
  return true;
}

/* NULL: it failed, and says why. Ways to shorten histories are refused. */
static dem_simulation *last_stage_begin(const dem_case *run, jager_law *law)
{
  error_info error;
  if (dem_case_law(run, law) != JAGER_OK || law->model != JAGER_MODEL_JAGER || law->tolerance > 0.0 ||
      law->dp_max > 0.0) {
    fprintf(stderr, "the case must be one of exact jager contacts\n");
    return NULL;
  }
  dem_simulation *simulation = dem_simulation_create(run, 1, &error);
  if (simulation && run_to_last_stage(simulation, run, &error))
    return simulation;
  fprintf(stderr, "%s\n", error.text);
  dem_simulation_destroy(simulation);
  return NULL;
}

#endif
