/* SPDX-License-Identifier: MIT */
/* Errors and texts. */
#include "handles.h"
#include "base/build_info.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void binding_text_free(char *text)
{
  free(text);
}

void binding_error_clear(binding_error *error)
{
  *error = (binding_error){.fault = BINDING_DONE};
}

bool binding_error_set(binding_error *error, binding_fault fault, const char *format, ...)
{
  va_list arguments;
  *error = (binding_error){.fault = fault};
  va_start(arguments, format);
  if (vasprintf(&error->text, format, arguments) < 0)
    error->text = NULL;
  va_end(arguments);
  return false;
}

bool binding_error_memory(binding_error *error)
{
  return binding_error_set(error, BINDING_NO_MEMORY, "not enough memory");
}

bool binding_error_take(binding_error *error, binding_fault otherwise, const error_info *info)
{
  return binding_error_set(error, info->out_of_memory ? BINDING_NO_MEMORY : otherwise, "%s", info->text);
}

bool binding_error_take_text(binding_error *error, binding_fault fault, char *text)
{
  if (!text)
    return binding_error_memory(error);
  size_t length = strlen(text);
  if (length > 0 && text[length - 1] == '\n')
    text[length - 1] = '\0';
  *error = (binding_error){.fault = fault, .text = text};
  return false;
}

const char *binding_compiler(void)
{
  return build_compiler();
}
