/* SPDX-License-Identifier: MIT */
/* Error texts. */
#include "error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool error_set(error_info *error, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(error->text, sizeof error->text, format, arguments);
  va_end(arguments);
  error->out_of_memory = false;
  error->code = ERROR_OTHER;
  return false;
}

bool error_set_memory(error_info *error, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(error->text, sizeof error->text, format, arguments);
  va_end(arguments);
  error->out_of_memory = true;
  error->code = ERROR_OTHER;
  return false;
}

void error_print_errno(error_info *error, const char *verb, const char *path)
{
  int reason = errno;
  error_set(error, "cannot %s %s: %s", verb, path, strerror(reason));
  error->out_of_memory = reason == ENOMEM;
}

void complain(const char *who, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  fprintf(stderr, "%s: ", who);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
}
