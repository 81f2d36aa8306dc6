/* SPDX-License-Identifier: MIT */
/* The option --threads. */
#include "threads_option.h"

#include <errno.h>
#include <stdlib.h>

enum { THREADS_MAX = 256 };

int threads_option_parse(const char *text, struct argp_state *state)
{
  char *end;
  errno = 0;
  long threads = strtol(text, &end, 10);
  if (errno != 0 || end == text || *end != '\0' || threads < 1 || threads > THREADS_MAX)
    argp_error(state, "--threads needs a whole number from 1 to %d, not '%s'", THREADS_MAX, text);
  return (int)threads;
}
