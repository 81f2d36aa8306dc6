/* SPDX-License-Identifier: MIT */
/* Options of `jager contact` and `jager impact` alike. */
#include "law_options.h"
#include "base/text.h"
#include "case/keys.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

law_options law_options_none(const struct argp_option *list)
{
  return (law_options){.list = list,
                       .laws = {JAGER_MODEL_JAGER},
                       .law_count = 1,
                       .bodies = {.parameters = jager_law_default(), .grid = {SPRINGS_COUNT_DEFAULT, 0.0}}};
}

/* ---- --model ----------------------------------------------------------------------------------------------------- */

enum { LAW_LIST_SIZE = 400 };

/* The names of all laws from number `first` on: "a, b or c". Returns `list`. */
static const char *list_laws(int first, char list[LAW_LIST_SIZE])
{
  size_t used = 0;
  for (int i = first; i < LAW_COUNT && used < LAW_LIST_SIZE; i++) {
    const char *before = i == first ? "" : i == LAW_COUNT - 1 ? " or " : ", ";
    used += (size_t)snprintf(list + used, LAW_LIST_SIZE - used, "%s%s", before, law_name(i));
  }
  return list;
}

/* argp frees the text that is returned. Without memory the help is the shorter one. */
char *law_options_help(int key, const char *text, void *input)
{
  char list[LAW_LIST_SIZE], *whole;
  (void)input;
  if (key != OPTION_MODEL || asprintf(&whole, "%s %s", text, list_laws(JAGER_MODEL_JAGER + 1, list)) < 0)
    return (char *)text;
  return whole;
}

static int find_law(const char *name, struct argp_state *state)
{
  const char *names[LAW_COUNT];
  char list[LAW_LIST_SIZE], quoted[TEXT_QUOTE_SIZE];
  for (int i = 0; i < LAW_COUNT; i++) {
    names[i] = law_name(i);
    if (strcmp(name, names[i]) == 0)
      return i;
  }
  const char *like = case_most_like(name, names, LAW_COUNT);
  text_quote(name, quoted);
  list_laws(0, list);
  if (like)
    argp_error(state, "--model: there is no model %s: did you mean '%s'? take %s", quoted, like, list);
  else
    argp_error(state, "--model: there is no model %s: take %s", quoted, list);
  return JAGER_MODEL_JAGER;
}

bool law_options_have(const law_options *of, int law)
{
  for (int i = 0; i < of->law_count; i++)
    if (of->laws[i] == law)
      return true;
  return false;
}

/* ---- All options ------------------------------------------------------------------------------------------------- */

const char *law_options_name(const law_options *of, int index)
{
  for (const struct argp_option *option = of->list;; option++)
    if (option->key == OPTION_NUMBER + index)
      return option->name;
}

error_t law_options_parse(law_options *of, int key, const char *argument, struct argp_state *state)
{
  if (key >= OPTION_NUMBER && key < OPTION_NEXT) {
    int index = key - OPTION_NUMBER;
    if (!number_parse(argument, &of->value[index]))
      argp_error(state, "--%s: '%s' is not a number: write it like 0.0025 or 2.5e-3", law_options_name(of, index),
                 argument);
    of->has[index] = true;
    return 0;
  }
  switch (key) {
  case OPTION_MODEL:
    of->law_count = 0;
    for (const char *at = argument;; at++) { /* "jager,springs" */
      char name[256];
      size_t length = strcspn(at, ",");
      snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name - 1), at);
      int law = find_law(name, state);
      if (law_options_have(of, law))
        argp_error(state, "--model: %s is there twice", law_name(law));
      else
        of->laws[of->law_count++] = law;
      at += length;
      if (*at == '\0')
        return 0;
    }
  case OPTION_SPRINGS: {
    double count = 0.0;
    if (!number_parse(argument, &count) || floor(count) != count || count < SPRINGS_COUNT_MIN ||
        count > SPRINGS_COUNT_MAX)
      argp_error(state, "--springs: '%s' must be a whole number from %d to %d", argument, SPRINGS_COUNT_MIN,
                 SPRINGS_COUNT_MAX);
    of->bodies.grid.count = (int)count;
    of->has_springs = true;
    return 0;
  }
  case OPTION_WALL:
    of->has_wall = true;
    return 0;
  case OPTION_PLOT:
    of->plot = argument;
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

double law_options_number(const law_options *of, int index, double otherwise)
{
  return of->has[index] ? of->value[index] : otherwise;
}

void law_options_require(jager_status status, const char *options, struct argp_state *state)
{
  if (status != JAGER_OK)
    argp_error(state, "%s: %s", options, jager_status_text(status));
}

void law_options_set_bodies(law_options *of, jager_body otherwise, struct argp_state *state)
{
  jager_body a = {law_options_number(of, SHEAR_MODULUS, otherwise.shear_modulus),
                  law_options_number(of, POISSON, otherwise.poisson)};
  jager_body b = {law_options_number(of, SHEAR_MODULUS_B, a.shear_modulus),
                  law_options_number(of, POISSON_B, a.poisson)};
  jager_status status = jager_law_set_dissimilar_bodies(&of->bodies.parameters, a, b);
  law_options_require(
      status, status == JAGER_ERROR_POISSON ? "--poisson, --poisson-b" : "--shear-modulus, --shear-modulus-b", state);
  of->poisson[0] = a.poisson;
  of->poisson[1] = b.poisson;
}
