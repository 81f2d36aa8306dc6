/* SPDX-License-Identifier: MIT */
/* The options of `jager run`. */
#ifndef JAGER_CLI_RUN_OPTIONS_H
#define JAGER_CLI_RUN_OPTIONS_H

#include "cli/case_argument.h"
#include "run/run.h"

#include <stdbool.h>

#define RUN_COMMAND "jager run"

typedef struct run_options {
  case_argument of;
  run_settings settings; /* all but the text of the case */
  bool quiet, json;
  char *dir, *command; /* of the settings; allocated */
} run_options;

/* Returns the exit code; unless it is EXIT_DONE, an error has been printed and there is nothing to free. */
int run_options_parse(run_options *options, int argc, char *argv[]);

void run_options_free(run_options *options);

#endif
