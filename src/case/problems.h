/* SPDX-License-Identifier: MIT */
/* Errors and warnings of a case: collected while it is read, then printed in the order of the file. */
#ifndef JAGER_CASE_PROBLEMS_H
#define JAGER_CASE_PROBLEMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* The origin of a key or value. */
typedef struct case_origin {
  int setting;   /* number of the --set, counted from 0; CASE_FILE: the file */
  size_t offset; /* in the file */
} case_origin;

enum { CASE_FILE = -1, CASE_PROBLEMS_MAX = 10, CASE_PROBLEM_SIZE = 1024 };

typedef struct case_problem {
  case_origin at;
  char text[CASE_PROBLEM_SIZE];
} case_problem;

typedef struct case_problems {
  const char *file_name, *text;
  size_t size;
  const char *const *settings;
  bool are_warnings;
  size_t count; /* may exceed CASE_PROBLEMS_MAX */
  bool out_of_memory;
  case_problem kept[CASE_PROBLEMS_MAX];
} case_problems;

__attribute__((format(printf, 3, 4))) void case_report(case_problems *problems, case_origin at, const char *format,
                                                       ...);

/*
 * Prints "file:line:column: text" with the line and a caret, or "--set key=value: text"; for warnings "warning:
 * text".
 */
void case_problems_print(case_problems *problems, FILE *stream);

#endif
