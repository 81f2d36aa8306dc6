/* SPDX-License-Identifier: MIT */
/* The options of `jager moduli`. */
#ifndef JAGER_CLI_MODULI_OPTIONS_H
#define JAGER_CLI_MODULI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#define MODULI_COMMAND "jager moduli"

typedef struct moduli_options {
  const char **states; /* checkpoints, directories or case files; allocated */
  size_t state_count;
  const char **settings; /* "key=value", for case files; allocated */
  size_t setting_count;
  const char *csv, *plot; /* paths; NULL: not wanted */
  int threads;            /* 0: as many as there are processors */
  bool quiet, json;
} moduli_options;

/* Returns the exit code; unless it is EXIT_DONE, an error has been printed and there is nothing to free. */
int moduli_options_parse(moduli_options *options, int argc, char *argv[]);

void moduli_options_free(moduli_options *options);

#endif
