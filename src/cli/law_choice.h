/* SPDX-License-Identifier: MIT */
/* The option --model of `jager contact` and `jager impact`: one law or several. */
#ifndef JAGER_CLI_LAW_CHOICE_H
#define JAGER_CLI_LAW_CHOICE_H

#include "laws/law_contact.h"

#include <argp.h>
#include <stdbool.h>

typedef struct law_choice {
  int laws[LAW_COUNT]; /* in the order given, all different */
  int count;
} law_choice;

/* "jager" alone: the default. */
law_choice law_choice_default(void);

/* Reads "jager,springs". Ends the program with a message if a name is wrong or there twice. */
law_choice law_choice_parse(const char *names, struct argp_state *state);

bool law_choice_has(const law_choice *choice, int law);

enum { LAW_CHOICE_LIST_SIZE = 400 };

/* The names of all laws from number `first` on: "a, b or c". Returns `list`. */
const char *law_choice_list(int first, char list[LAW_CHOICE_LIST_SIZE]);

/* Reads the number of springs. Ends the program with a message if it is wrong. */
int law_choice_parse_springs(const char *text, struct argp_state *state);

#endif
