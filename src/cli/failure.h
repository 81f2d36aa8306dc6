/* SPDX-License-Identifier: MIT */
/*
 * Making the text of a dem_error. Like those of the simulator, it begins in lower case and has no full stop. All of them
 * return false, so that a function can end with them; where they are inline, checkers of code know it.
 */
#ifndef JAGER_CLI_FAILURE_H
#define JAGER_CLI_FAILURE_H

#include "simulation.h"

#include <stdbool.h>

__attribute__((format(printf, 2, 3))) bool fail_with(dem_error *error, const char *format, ...);

/* Only makes the text. */
void failure_print_errno(dem_error *error, const char *verb, const char *path);

/* "cannot VERB PATH: " and the reason that errno gives. */
static inline bool fail_with_errno(dem_error *error, const char *verb, const char *path)
{
  failure_print_errno(error, verb, path);
  return false;
}

static inline bool fail_in_memory(dem_error *error)
{
  fail_with(error, "not enough memory");
  error->out_of_memory = true;
  return false;
}

#endif
