/* SPDX-License-Identifier: MIT */
/* Text in UTF-8 from users. */
#include "text.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* ---- Characters -------------------------------------------------------------------------------------------------- */

static bool continues(unsigned char byte)
{
  return (byte & 0xC0) == 0x80;
}

/* Length of the character with this first byte; 0: no character has it. */
static size_t length_from_lead(unsigned char lead)
{
  if (lead < 0x80)
    return 1;
  if (lead >= 0xC2 && lead <= 0xDF)
    return 2;
  if (lead >= 0xE0 && lead <= 0xEF)
    return 3;
  return lead >= 0xF0 && lead <= 0xF4 ? 4 : 0;
}

size_t text_decode(const char *at, const char *end, uint32_t *code)
{
  static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  static const unsigned char lead_bits[] = {0, 0x7F, 0x1F, 0x0F, 0x07};
  size_t length = length_from_lead((unsigned char)*at);
  if (length == 0 || (size_t)(end - at) < length)
    return 0;
  *code = (unsigned char)*at & lead_bits[length];
  for (size_t i = 1; i < length; i++) {
    if (!continues((unsigned char)at[i]))
      return 0;
    *code = *code << 6 | ((unsigned char)at[i] & 0x3F);
  }
  bool is_surrogate = *code >= 0xD800 && *code <= 0xDFFF;
  return *code >= least[length] && *code <= 0x10FFFF && !is_surrogate ? length : 0;
}

/* Not allowed: control characters, line separators, byte-order marks and noncharacters. */
static bool is_allowed(uint32_t code)
{
  if (code < ' ')
    return code == '\t' || code == '\n';
  if (code >= 0x7F && code <= 0x9F)
    return false;
  return code != 0x2028 && code != 0x2029 && code != 0xFEFF && code != 0xFFFE && code != 0xFFFF;
}

/* Length of the character, or of CR LF; 0 if it is not allowed. */
static size_t allowed_length(const char *at, const char *end)
{
  uint32_t code;
  if (*at == '\r')
    return end - at > 1 && at[1] == '\n' ? 2 : 0;
  size_t length = text_decode(at, end, &code);
  return length > 0 && is_allowed(code) ? length : 0;
}

size_t text_find_bad(const char *text, size_t size)
{
  size_t at = 0;
  while (at < size) {
    size_t length = allowed_length(text + at, text + size);
    if (length == 0)
      return at;
    at += length;
  }
  return size;
}

/* Length of the next character; 1 if it is not allowed. */
static size_t step_over(const char *at, const char *end)
{
  size_t length = allowed_length(at, end);
  return length > 0 ? length : 1;
}

/* ---- Places ------------------------------------------------------------------------------------------------------ */

static size_t line_end(const char *text, size_t size, size_t start)
{
  const char *newline = start < size ? memchr(text + start, '\n', size - start) : NULL;
  size_t end = newline ? (size_t)(newline - text) : size;
  return newline && end > start && text[end - 1] == '\r' ? end - 1 : end;
}

text_place text_find_place(const char *text, size_t size, size_t offset)
{
  text_place place = {.line = 1, .column = 1};
  if (offset > size)
    offset = size;
  for (size_t i = 0; i < offset; i++)
    if (text[i] == '\n') {
      place.line++;
      place.start = i + 1;
    }
  place.end = line_end(text, size, place.start);
  for (size_t at = place.start; at < offset && at < place.end; place.column++)
    at += step_over(text + at, text + place.end);
  return place;
}

size_t text_find_offset(const char *text, size_t size, size_t line, size_t column)
{
  size_t at = 0;
  for (; line > 1; line--) {
    const char *newline = at < size ? memchr(text + at, '\n', size - at) : NULL;
    if (!newline)
      return size;
    at = (size_t)(newline - text) + 1;
  }
  size_t end = line_end(text, size, at);
  for (; column > 1 && at < end; column--)
    at += step_over(text + at, text + end);
  return at;
}

/* ---- Printing ---------------------------------------------------------------------------------------------------- */

/* Characters of a line that are shown, and how many of them are before the caret. */
enum { SHOWN = 120, SHOWN_BEFORE = 90 };

/* Prints a character and returns its length. Line breaks and control characters become question marks. */
static size_t print_character(const char *at, const char *end, FILE *stream)
{
  size_t length = allowed_length(at, end);
  if (length == 0 || *at == '\n' || *at == '\r') {
    fputc('?', stream);
    return 1;
  }
  fwrite(at, 1, length, stream);
  return length;
}

void text_print(const char *text, FILE *stream)
{
  const char *end = text + strlen(text);
  while (text < end)
    text += print_character(text, end, stream);
}

void text_print_line(const char *text, size_t size, size_t offset, FILE *stream)
{
  text_place place = text_find_place(text, size, offset);
  size_t column = 1, at = place.start;
  const char *end = text + place.end;
  for (; place.column > SHOWN && column + SHOWN_BEFORE < place.column; column++) /* the beginning of a long line */
    at += step_over(text + at, end);
  size_t first = at, first_column = column;
  fputs("  ", stream);
  for (; at < place.end && column < first_column + SHOWN; column++)
    at += print_character(text + at, end, stream);
  fputs("\n  ", stream);
  at = first;
  for (column = first_column; column < place.column; column++) {
    bool is_tab = at < place.end && text[at] == '\t'; /* keeps its width */
    fputc(is_tab ? '\t' : ' ', stream);
    at += at < place.end ? step_over(text + at, end) : 0;
  }
  fputs("^\n", stream);
}

const char *text_quote(const char *text, char quoted[TEXT_QUOTE_SIZE])
{
  enum { MARKS = sizeof "'...'" };
  size_t length = strlen(text), shown = length;
  if (length > TEXT_QUOTE_SIZE - MARKS) {
    shown = TEXT_QUOTE_SIZE - MARKS;
    while (shown > 0 && continues((unsigned char)text[shown])) /* cut between characters */
      shown--;
  }
  snprintf(quoted, TEXT_QUOTE_SIZE, "'%.*s%s'", (int)shown, text, shown < length ? "..." : "");
  return quoted;
}
