/* SPDX-License-Identifier: MIT */
/* The options of `jager contact`. */
#ifndef JAGER_CLI_CONTACT_OPTIONS_H
#define JAGER_CLI_CONTACT_OPTIONS_H

#include "cli/law_choice.h"
#include "files/path_reader.h"

#define CONTACT_COMMAND "jager contact"

typedef struct contact_options {
  law_choice laws;
  jager_law law; /* of all laws, apart from its model */
  double radius_a, radius_b;
  springs_grid grid;
  path_control control;
  const char *input;                      /* NULL: stdin */
  const char *history, *tractions, *plot; /* files to write, or NULL */
} contact_options;

/* Reads the command line. If it is wrong, prints an error on stderr and ends the program with code 2. */
contact_options contact_options_parse(int argc, char *argv[]);

#endif
