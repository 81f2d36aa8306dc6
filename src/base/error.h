/* SPDX-License-Identifier: MIT */
/*
 * The error type of everything above the contact library: a text for people, whether memory was short, and a code where
 * the program and other interfaces have their own words for the way out. The text begins in lower case and has no full
 * stop. All setters return false, so that a function can return their result.
 */
#ifndef JAGER_BASE_ERROR_H
#define JAGER_BASE_ERROR_H

#include <stdbool.h>

typedef enum error_code {
  ERROR_OTHER,        /* the text says all */
  ERROR_RUN_EXISTS,   /* the text names a file of an earlier run, which this one would replace by force */
  ERROR_RUN_RESUMABLE /* the same, and the earlier run can be continued */
} error_code;

typedef struct error_info {
  char text[600];
  bool out_of_memory; /* memory was short; the input may be right */
  error_code code;    /* the setters set ERROR_OTHER */
} error_info;

/* Exit codes of the program; functions that read input return them as well. */
enum {
  EXIT_DONE = 0,
  EXIT_IO_FAILED = 1, /* a file, a pipe, another program or memory failed */
  EXIT_BAD_INPUT = 2, /* wrong options or a wrong file */
  EXIT_RUN_FAILED = 3 /* a simulation could not go on */
};

__attribute__((format(printf, 2, 3))) bool error_set(error_info *error, const char *format, ...);

/* The same, and sets out_of_memory. */
__attribute__((format(printf, 2, 3))) bool error_set_memory(error_info *error, const char *format, ...);

/* Sets the text of error_set_errno. */
void error_print_errno(error_info *error, const char *verb, const char *path);

/* Sets "cannot VERB PATH: REASON", the reason by errno. Inline, so that static checkers see the return value. */
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

/* Prints a message of the program on stderr: "WHO: TEXT" and a newline. `who` is the command, such as "jager run". */
__attribute__((format(printf, 2, 3))) void complain(const char *who, const char *format, ...);

#endif
