/* SPDX-License-Identifier: MIT */
/* The option --model of `jager contact` and `jager impact`. */
#include "law_choice.h"
#include "case/fields.h"
#include "base/number.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

law_choice law_choice_default(void)
{
  return (law_choice){.laws = {JAGER_MODEL_JAGER}, .count = 1};
}

const char *law_choice_list(int first, char list[LAW_CHOICE_LIST_SIZE])
{
  size_t used = 0;
  for (int i = first; i < LAW_COUNT && used < LAW_CHOICE_LIST_SIZE; i++) {
    const char *before = i == first ? "" : i == LAW_COUNT - 1 ? " or " : ", ";
    used += (size_t)snprintf(list + used, LAW_CHOICE_LIST_SIZE - used, "%s%s", before, law_name(i));
  }
  return list;
}

static void refuse_name(const char *name, struct argp_state *state)
{
  const char *names[LAW_COUNT];
  char list[LAW_CHOICE_LIST_SIZE], quoted[TEXT_QUOTE_SIZE];
  for (int i = 0; i < LAW_COUNT; i++)
    names[i] = law_name(i);
  const char *like = case_most_like(name, names, LAW_COUNT);
  text_quote(name, quoted);
  law_choice_list(0, list);
  if (like)
    argp_error(state, "--model: there is no model %s: did you mean '%s'? take %s", quoted, like, list);
  else
    argp_error(state, "--model: there is no model %s: take %s", quoted, list);
}

static int find_law(const char *name, struct argp_state *state)
{
  for (int i = 0; i < LAW_COUNT; i++)
    if (strcmp(name, law_name(i)) == 0)
      return i;
  refuse_name(name, state);
  return JAGER_MODEL_JAGER;
}

law_choice law_choice_parse(const char *names, struct argp_state *state)
{
  enum { NAME_SIZE = 256 };
  law_choice choice = {.count = 0};
  for (const char *at = names;; at++) {
    char name[NAME_SIZE];
    size_t length = strcspn(at, ",");
    snprintf(name, sizeof name, "%.*s", (int)(length < NAME_SIZE ? length : NAME_SIZE - 1), at);
    int law = find_law(name, state);
    if (law_choice_has(&choice, law))
      argp_error(state, "--model: %s is there twice", law_name(law));
    else
      choice.laws[choice.count++] = law;
    at += length;
    if (*at == '\0')
      return choice;
  }
}

bool law_choice_has(const law_choice *choice, int law)
{
  for (int i = 0; i < choice->count; i++)
    if (choice->laws[i] == law)
      return true;
  return false;
}

int law_choice_parse_springs(const char *text, struct argp_state *state)
{
  double count = 0.0;
  if (!number_parse(text, &count) || floor(count) != count || count < SPRINGS_COUNT_MIN || count > SPRINGS_COUNT_MAX) {
    argp_error(state, "--springs: '%s' must be a whole number from %d to %d", text, SPRINGS_COUNT_MIN,
               SPRINGS_COUNT_MAX);
    return SPRINGS_COUNT_DEFAULT;
  }
  return (int)count;
}
