/* SPDX-License-Identifier: MIT */
/*
 * The one error type above the contact library: a text for people, and whether memory was the reason. A text begins in
 * lower case and has no full stop. All setters return false, so that a function can end with them.
 */
#ifndef JAGER_BASE_ERROR_H
#define JAGER_BASE_ERROR_H

#include <stdbool.h>

typedef struct error_info {
  char text[600];
  bool out_of_memory; /* the input was not at fault */
} error_info;

/* Exit codes of the program; functions that read input return them, too. */
enum {
  EXIT_DONE = 0,
  EXIT_IO_FAILED = 1, /* a file, a pipe, another program or memory failed */
  EXIT_BAD_INPUT = 2, /* wrong options or a wrong file */
  EXIT_RUN_FAILED = 3 /* a simulation could not go on */
};

__attribute__((format(printf, 2, 3))) bool error_set(error_info *error, const char *format, ...);

/* The same, for want of memory. */
__attribute__((format(printf, 2, 3))) bool error_set_memory(error_info *error, const char *format, ...);

/* Only makes the text. */
void error_print_errno(error_info *error, const char *verb, const char *path);

/* "cannot VERB PATH: " and the reason that errno gives. Inline, so that static checkers see the return value. */
static inline bool error_set_errno(error_info *error, const char *verb, const char *path)
{
  error_print_errno(error, verb, path);
  return false;
}

static inline bool error_out_of_memory(error_info *error)
{
  error_set_memory(error, "not enough memory");
  return false;
}

/* Prints "who: text" and a newline on stderr. */
__attribute__((format(printf, 2, 3))) void complain(const char *who, const char *format, ...);

#endif
