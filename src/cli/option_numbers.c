/* SPDX-License-Identifier: MIT */
/* Options that take a number. */
#include "option_numbers.h"
#include "base/number.h"

const char *option_numbers_name(const option_numbers *numbers, int index)
{
  for (const struct argp_option *option = numbers->list;; option++)
    if (option->key == numbers->first_key + index)
      return option->name;
}

void option_numbers_take(option_numbers *numbers, int index, const char *text, struct argp_state *state)
{
  if (!number_parse(text, &numbers->value[index]))
    argp_error(state, "--%s: '%s' is not a number: write it like 0.0025 or 2.5e-3", option_numbers_name(numbers, index),
               text);
  numbers->has[index] = true;
}

double option_numbers_or(const option_numbers *numbers, int index, double otherwise)
{
  return numbers->has[index] ? numbers->value[index] : otherwise;
}

void option_numbers_require(jager_status status, const char *options, struct argp_state *state)
{
  if (status != JAGER_OK)
    argp_error(state, "%s: %s", options, jager_status_text(status));
}
