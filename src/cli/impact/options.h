/* SPDX-License-Identifier: MIT */
/* The options of `jager impact`. */
#ifndef JAGER_CLI_IMPACT_OPTIONS_H
#define JAGER_CLI_IMPACT_OPTIONS_H

#include "cli/law_choice.h"
#include "laws/impact.h"

#include <stddef.h>

#define IMPACT_COMMAND "jager impact"

enum { IMPACT_LIST_MAX = 10000 };

typedef struct impact_options {
  law_choice laws;
  impact impact;     /* without law and shear */
  const char *plot;  /* file to write, or NULL */
  double poisson[2]; /* of the two bodies */
  size_t count;
  double psi[IMPACT_LIST_MAX];   /* ψ₁ of each impact */
  double angle[IMPACT_LIST_MAX]; /* from the normal, degrees */
  double shear[IMPACT_LIST_MAX]; /* vt over vn */
} impact_options;

/*
 * Reads the command line into `options`. If it is wrong, prints an error on stderr and ends the program with code 2.
 */
void impact_options_parse(impact_options *options, int argc, char *argv[]);

#endif
