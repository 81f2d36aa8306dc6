/* SPDX-License-Identifier: MIT */
/* Options that take a number, for commands with many of them. */
#ifndef JAGER_CLI_OPTION_NUMBERS_H
#define JAGER_CLI_OPTION_NUMBERS_H

#include "jager/jager.h"

#include <argp.h>
#include <stdbool.h>

enum { OPTION_NUMBERS_MAX = 20 };

/* The numbers that were given. A command has its own enumeration of them. */
typedef struct option_numbers {
  const struct argp_option *list; /* of the command */
  int first_key;                  /* of the number 0 in this list */
  double value[OPTION_NUMBERS_MAX];
  bool has[OPTION_NUMBERS_MAX];
} option_numbers;

/* The name of the option without its dashes. */
const char *option_numbers_name(const option_numbers *numbers, int index);

/* Reads a number. Ends the program with a message if the text is none. */
void option_numbers_take(option_numbers *numbers, int index, const char *text, struct argp_state *state);

/* The number, or another one if it was not given. */
double option_numbers_or(const option_numbers *numbers, int index, double otherwise);

/* Ends the program with a message if the library has refused what the options, named "--a, --b", say. */
void option_numbers_require(jager_status status, const char *options, struct argp_state *state);

#endif
