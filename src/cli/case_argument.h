/* SPDX-License-Identifier: MIT */
/* The argument CASE.yaml with its option --set, which `jager run` and `jager check` share. */
#ifndef JAGER_CLI_CASE_ARGUMENT_H
#define JAGER_CLI_CASE_ARGUMENT_H

#include "case/reader.h"

#include <argp.h>
#include <stdbool.h>

enum { CASE_KEY_SET = 256, CASE_KEY_NEXT }; /* keys of argp: a command numbers its own from CASE_KEY_NEXT on */

#define CASE_OPTION_SET                                                                                                \
  {                                                                                                                    \
    "set", CASE_KEY_SET, "KEY=VALUE", 0,                                                                               \
        "Change a value of the case, such as material.friction=0.3; may be given several times", 0                     \
  }

typedef struct case_argument {
  case_source source;
  const char **settings; /* allocated, with room for all arguments of the command */
} case_argument;

/* False if there is no memory. */
bool case_argument_init(case_argument *of, int argc);
void case_argument_free(case_argument *of);

/* Takes its option and argument, in a parser of argp; ARGP_ERR_UNKNOWN for others. */
error_t case_argument_parse(case_argument *of, int key, char *argument, struct argp_state *state);

/* Reads the case and prints errors and warnings on stderr. Else as case_read. */
int case_argument_read(const case_argument *of, run_case *run, char **input);

#endif
