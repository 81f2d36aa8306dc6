/* SPDX-License-Identifier: MIT */
/* Errors and warnings of a case. */
#include "problems.h"
#include "base/text.h"

#include <stdarg.h>

void case_report(case_problems *problems, case_origin at, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  if (problems->count < CASE_PROBLEMS_MAX) {
    case_problem *problem = &problems->kept[problems->count];
    problem->at = at;
    vsnprintf(problem->text, sizeof problem->text, format, arguments);
  }
  va_end(arguments);
  problems->count++;
}

/* The file from top to bottom, then the settings. Problems at one place stay in the order in which they were found. */
static bool comes_before(const case_problem *a, const case_problem *b)
{
  if (a->at.setting != b->at.setting)
    return a->at.setting == CASE_FILE || (b->at.setting != CASE_FILE && a->at.setting < b->at.setting);
  return a->at.setting == CASE_FILE && a->at.offset < b->at.offset;
}

static void sort(case_problem list[], size_t count)
{
  for (size_t i = 1; i < count; i++)
    for (size_t j = i; j > 0 && comes_before(&list[j], &list[j - 1]); j--) {
      case_problem other = list[j];
      list[j] = list[j - 1];
      list[j - 1] = other;
    }
}

static void print_one(const case_problems *problems, const case_problem *problem, FILE *stream)
{
  const char *kind = problems->are_warnings ? "warning: " : "";
  if (problem->at.setting != CASE_FILE) {
    fputs("--set ", stream);
    text_print(problems->settings[problem->at.setting], stream);
    fprintf(stream, ": %s%s\n", kind, problem->text);
    return;
  }
  text_place place = text_find_place(problems->text, problems->size, problem->at.offset);
  fprintf(stream, "%s:%zu:%zu: %s%s\n", problems->file_name, place.line, place.column, kind, problem->text);
  text_print_line(problems->text, problems->size, problem->at.offset, stream);
}

void case_problems_print(case_problems *problems, FILE *stream)
{
  size_t count = problems->count < CASE_PROBLEMS_MAX ? problems->count : CASE_PROBLEMS_MAX;
  sort(problems->kept, count);
  for (size_t i = 0; i < count; i++)
    print_one(problems, &problems->kept[i], stream);
  if (problems->count > count)
    fprintf(stream, "%s: %zu %s in all; the first %zu are shown\n", problems->file_name, problems->count,
            problems->are_warnings ? "warnings" : "errors", count);
}
