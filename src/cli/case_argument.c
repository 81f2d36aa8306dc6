/* SPDX-License-Identifier: MIT */
/* The argument CASE.yaml with its option --set. */
#include "case_argument.h"
#include "base/error.h"

#include <stdio.h>
#include <stdlib.h>

bool case_argument_init(case_argument *of, int argc)
{
  *of = (case_argument){.settings = calloc((size_t)argc, sizeof *of->settings)};
  of->source.settings = of->settings;
  return of->settings;
}

void case_argument_free(case_argument *of)
{
  free(of->settings);
}

error_t case_argument_parse(case_argument *of, int key, char *argument, struct argp_state *state)
{
  switch (key) {
  case CASE_KEY_SET:
    of->settings[of->source.setting_count++] = argument;
    return 0;
  case ARGP_KEY_ARG:
    if (of->source.path)
      argp_error(state, "more than one case: '%s'", argument);
    of->source.path = argument;
    return 0;
  case ARGP_KEY_NO_ARGS:
    argp_error(state, "no case file is given");
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

int case_argument_read(const case_argument *of, run_case *run, char **input)
{
  char *messages;
  int code = case_read(run, &of->source, input, &messages);
  if (messages)
    fputs(messages, stderr);
  else if (code != EXIT_DONE)
    complain(of->source.path, "out of memory");
  free(messages);
  return code;
}
