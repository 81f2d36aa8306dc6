/* SPDX-License-Identifier: MIT */
/* What `jager run` tells at its end: how each stage came out, how fast it was, and where the files are. */
#ifndef JAGER_CLI_RUN_SUMMARY_H
#define JAGER_CLI_RUN_SUMMARY_H

#include "run_options.h"
#include "simulation.h"

#include <stdbool.h>
#include <stdio.h>

typedef struct run_speed {
  double seconds;       /* of the whole run */
  double part_seconds;  /* since it was started or resumed */
  double contact_steps; /* contacts times steps of this part */
  int threads;
} run_speed;

/* As text, or as JSON. */
bool run_summary_print(const dem_simulation *simulation, const run_options *options, const run_speed *speed, FILE *out,
                       dem_error *error);

#endif
