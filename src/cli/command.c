/* SPDX-License-Identifier: MIT */
/* What the commands of the program have in common. */
#include "command.h"

#include <stdarg.h>
#include <stdio.h>

void complain(const char *who, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  fprintf(stderr, "%s: ", who);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
}
