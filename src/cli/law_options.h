/* SPDX-License-Identifier: MIT */
/* Options of `jager contact` and `jager impact` alike: two bodies, the laws of their contact, --plot. */
#ifndef JAGER_CLI_LAW_OPTIONS_H
#define JAGER_CLI_LAW_OPTIONS_H

#include "laws/law_contact.h"

#include <argp.h>
#include <stdbool.h>

/* Options that take a number. A command numbers its own from LAW_NUMBERS on. */
enum { SHEAR_MODULUS, POISSON, SHEAR_MODULUS_B, POISSON_B, FRICTION, LAW_NUMBERS, LAW_NUMBERS_MAX = 20 };

/* Keys of argp. Those below 256 would be short options. A command numbers its own from OPTION_NEXT on. */
enum {
  OPTION_MODEL = 256,
  OPTION_SPRINGS,
  OPTION_WALL,
  OPTION_PLOT,
  OPTION_NUMBER,
  OPTION_NEXT = OPTION_NUMBER + LAW_NUMBERS_MAX
};

typedef struct law_options {
  const struct argp_option *list; /* of the command */
  double value[LAW_NUMBERS_MAX];  /* of the options that take a number */
  bool has[LAW_NUMBERS_MAX];      /* which of them were given */
  bool has_springs, has_wall;     /* --springs, --wall */
  int laws[LAW_COUNT];            /* of --model, in the order given, all different */
  int law_count;
  law_bodies bodies; /* grid and, by law_options_set_bodies, parameters; the command sets the rest */
  double poisson[2]; /* of the bodies */
  const char *plot;  /* file to write, or NULL */
} law_options;

/* Nothing is given: the law "jager". `list` has the options of the command. */
law_options law_options_none(const struct argp_option *list);

/* Takes an option, in a parser of argp; ARGP_ERR_UNKNOWN for others. Ends the program if the argument is wrong. */
error_t law_options_parse(law_options *of, int key, const char *argument, struct argp_state *state);

/* Completes the help of --model by the names of the laws, as a help_filter of argp. */
char *law_options_help(int key, const char *text, void *input);

bool law_options_have(const law_options *of, int law);

/* The name of an option that takes a number, without its dashes. */
const char *law_options_name(const law_options *of, int index);

/* The number, or another one if it was not given. */
double law_options_number(const law_options *of, int index, double otherwise);

/* Ends the program with a message if the library has refused what the options, named "--a, --b", say. */
void law_options_require(jager_status status, const char *options, struct argp_state *state);

/* Sets the stiffness of both bodies. `otherwise` is the first body if no option describes it. */
void law_options_set_bodies(law_options *of, jager_body otherwise, struct argp_state *state);

#endif
