/* SPDX-License-Identifier: MIT */
/* Shared by the tests of the reader of cases: the case that was read last, and its messages. */
#ifndef TEST_CASE_SUPPORT_H
#define TEST_CASE_SUPPORT_H

#include "case/reader.h"
#include "support.h"

#include <stdbool.h>
#include <string.h>

static run_case description; /* large: not on the stack */
static dem_case run;         /* of the description */
static char messages[20000];

static bool has_case;

/* Tests need not free the case: the next one, and the end of the test, do. */
static inline void free_case(void)
{
  if (has_case)
    dem_case_free(&run);
  has_case = false;
}

FIXTURE_EACH(NULL, free_case)

/* Keeps the case that was read, and its messages. Returns the exit code. */
static inline int keep(int code, char *told)
{
  free_case();
  has_case = code == 0;
  run = description.simulation;
  snprintf(messages, sizeof messages, "%s", told ? told : "");
  free(told);
  return code;
}

/* Reads a text with settings, up to NULL. */
static inline int read_with(const char *text, const char *const settings[])
{
  case_source source = {.path = "dir/case.yaml", .settings = settings};
  while (settings && settings[source.setting_count])
    source.setting_count++;
  char *told;
  int code = case_read_text(&description, &source, text, strlen(text), NULL, &told);
  return keep(code, told);
}

#endif
