/* SPDX-License-Identifier: MIT */
/* Values in JSON. */
#include "json.h"
#include "text.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

void json_print_string(const char *text, FILE *out)
{
  const char *end = text + strlen(text);
  fputc('"', out);
  while (text < end) {
    uint32_t code = 0;
    size_t length = text_decode(text, end, &code);
    if (length == 0)
      fputs("\\ufffd", out);
    else if (code == '"' || code == '\\')
      fprintf(out, "\\%c", *text);
    else if (code < ' ' || code == 0x7F)
      fprintf(out, "\\u%04x", (unsigned)code);
    else
      fwrite(text, 1, length, out);
    text += length > 0 ? length : 1;
  }
  fputc('"', out);
}

void json_print_number(double value, FILE *out)
{
  if (isfinite(value))
    fprintf(out, "%.17g", value);
  else
    fputs("null", out);
}
