/* SPDX-License-Identifier: MIT */
/* The options of long tests: pairs of a name and a number. */
#ifndef TEST_OPTIONS_H
#define TEST_OPTIONS_H

#include <stdlib.h>
#include <string.h>

/* The text after the option; NULL: it is not given. */
static inline const char *option_text(int argc, char **argv, const char *name)
{
  for (int i = 1; i + 1 < argc; i += 2)
    if (strcmp(argv[i], name) == 0)
      return argv[i + 1];
  return NULL;
}

/* A number, or `otherwise` if it is not given */
static inline double option_number(int argc, char **argv, const char *name, double otherwise)
{
  const char *text = option_text(argc, argv, name);
  return text ? strtod(text, NULL) : otherwise;
}

static inline unsigned long long option_integer(int argc, char **argv, const char *name, unsigned long long otherwise)
{
  const char *text = option_text(argc, argv, name);
  return text ? strtoull(text, NULL, 10) : otherwise;
}

#endif
