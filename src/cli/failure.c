/* SPDX-License-Identifier: MIT */
/* Texts of errors. */
#include "failure.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool fail_with(dem_error *error, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(error->text, sizeof error->text, format, arguments);
  va_end(arguments);
  error->out_of_memory = false;
  return false;
}

void failure_print_errno(dem_error *error, const char *verb, const char *path)
{
  int reason = errno;
  fail_with(error, "cannot %s %s: %s", verb, path, strerror(reason));
  error->out_of_memory = reason == ENOMEM;
}
