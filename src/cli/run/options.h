/* SPDX-License-Identifier: MIT */
/* The options of `jager run`. */
#ifndef JAGER_CLI_RUN_OPTIONS_H
#define JAGER_CLI_RUN_OPTIONS_H

#include "case/reader.h"

#include <stdbool.h>

#define RUN_COMMAND "jager run"

typedef struct run_options {
  case_source source;
  const char **settings; /* of the source; allocated */
  char *dir;             /* allocated */
  int threads;           /* 0: as many as processors */
  bool resume, force, quiet, json;
  char *command; /* as it was given; allocated */
} run_options;

/* Returns the exit code; unless it is EXIT_DONE, what was wrong has been told. */
int run_options_parse(run_options *options, int argc, char *argv[]);

void run_options_free(run_options *options);

#endif
