/* SPDX-License-Identifier: MIT */
/*
 * A streaming reader for CSV files of numbers. The file passes through one buffer, which is longer than any allowed
 * line. The first part of a line that is cut by the end of the buffer is moved to its start before the rest is read.
 */
#include "csv.h"
#include "base/number.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* With a byte-order mark before and a CR after it. */
enum { LINE_MAX_RAW = CSV_LINE_MAX + 4 };

/* A line without its comment, line end and trailing blanks. It starts at position 1. */
typedef struct csv_line {
  const char *text;
  const char *end;
} csv_line;

ptrdiff_t csv_read_descriptor(void *context, char *bytes, size_t capacity)
{
  const int *descriptor = context;
  ptrdiff_t count;
  do
    count = read(*descriptor, bytes, capacity);
  while (count < 0 && errno == EINTR);
  return count;
}

void csv_open(csv_reader *reader, csv_source *source, void *context, const char *file_name)
{
  reader->source = source;
  reader->context = context;
  reader->file_name = file_name;
  reader->line = 0;
  reader->columns = 0;
  reader->begin = reader->end = 0;
  reader->at_end = false;
  reader->message[0] = '\0';
}

/* ---- Messages ---------------------------------------------------------------------------------------------------- */

csv_result csv_fail(csv_reader *reader, size_t column, const char *format, ...)
{
  char text[CSV_MESSAGE_SIZE / 2];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  snprintf(reader->message, sizeof reader->message, "%.400s:%llu:%zu: %s", reader->file_name,
           (unsigned long long)reader->line, column, text);
  return CSV_BAD;
}

static csv_result fail_to_read(csv_reader *reader)
{
  snprintf(reader->message, sizeof reader->message, "%.400s: cannot be read: %s", reader->file_name, strerror(errno));
  return CSV_BROKEN;
}

const char *csv_quote(const char *text, size_t length, char quoted[CSV_QUOTE_SIZE])
{
  enum { LONGEST_PIECE = sizeof "\\xFF" - 1, LONGEST_REST = sizeof "...'" };
  size_t used = 0;
  quoted[used++] = '\'';
  size_t i = 0;
  for (; i < length && used + LONGEST_PIECE + LONGEST_REST <= CSV_QUOTE_SIZE; i++) {
    unsigned char c = (unsigned char)text[i];
    if (c >= ' ' && c <= '~')
      quoted[used++] = (char)c;
    else
      used += (size_t)snprintf(quoted + used, CSV_QUOTE_SIZE - used, "\\x%02X", c);
  }
  snprintf(quoted + used, CSV_QUOTE_SIZE - used, "%s'", i < length ? "..." : "");
  return quoted;
}

/* ---- Lines ------------------------------------------------------------------------------------------------------- */

/* Reads another block after the unread part. */
static csv_result fill(csv_reader *reader)
{
  memmove(reader->buffer, reader->buffer + reader->begin, reader->end - reader->begin);
  reader->end -= reader->begin;
  reader->begin = 0;
  ptrdiff_t count = reader->source(reader->context, reader->buffer + reader->end, sizeof reader->buffer - reader->end);
  if (count < 0)
    return fail_to_read(reader);
  reader->at_end = count == 0;
  reader->end += (size_t)count;
  return CSV_ROW;
}

/* Finds the end of the next line: its newline, or the end of the file. The buffer then has the whole line. */
static csv_result find_line_end(csv_reader *reader, size_t *length)
{
  size_t searched = 0;
  for (;;) {
    const char *start = reader->buffer + reader->begin;
    size_t left = reader->end - reader->begin;
    const char *newline = memchr(start + searched, '\n', left - searched);
    *length = newline ? (size_t)(newline - start) : left;
    if (newline || reader->at_end || *length > LINE_MAX_RAW)
      return newline || left > 0 ? CSV_ROW : CSV_END;
    searched = left;
    csv_result result = fill(reader);
    if (result != CSV_ROW)
      return result;
  }
}

static bool is_blank(char c)
{
  return c == ' ' || c == '\t';
}

static const char *skip_blanks(const char *at, const char *end)
{
  while (at < end && is_blank(*at))
    at++;
  return at;
}

static void skip_byte_order_mark(csv_reader *reader, const char **text, size_t *length)
{
  if (reader->line == 1 && *length >= 3 && memcmp(*text, "\xEF\xBB\xBF", 3) == 0) {
    *text += 3;
    *length -= 3;
  }
}

/* Takes the next line, which may be empty, from the buffer. */
static csv_result take_line(csv_reader *reader, csv_line *taken)
{
  size_t length;
  csv_result result = find_line_end(reader, &length);
  if (result != CSV_ROW)
    return result;
  reader->line++;
  const char *text = reader->buffer + reader->begin;
  reader->begin += length < reader->end - reader->begin ? length + 1 : length;
  skip_byte_order_mark(reader, &text, &length);
  if (length > 0 && text[length - 1] == '\r')
    length--;
  if (length > CSV_LINE_MAX)
    return csv_fail(reader, CSV_LINE_MAX + 1, "the line is too long: at most %d bytes are allowed", CSV_LINE_MAX);
  const char *nul = memchr(text, '\0', length);
  if (nul)
    return csv_fail(reader, (size_t)(nul - text) + 1, "a NUL byte: the file must be plain text (ASCII or UTF-8)");
  const char *comment = memchr(text, '#', length);
  *taken = (csv_line){text, comment ? comment : text + length};
  while (taken->end > taken->text && is_blank(taken->end[-1]))
    taken->end--;
  return CSV_ROW;
}

/* Takes the next line that is not empty. */
static csv_result next_line(csv_reader *reader, csv_line *next)
{
  csv_result result;
  *next = (csv_line){NULL, NULL};
  do
    result = take_line(reader, next);
  while (result == CSV_ROW && next->text == next->end);
  return result;
}

static size_t column_of(const csv_line *line, const char *at)
{
  return (size_t)(at - line->text) + 1;
}

/* ---- Header ------------------------------------------------------------------------------------------------------ */

static csv_result fail_without_header(csv_reader *reader)
{
  reader->line++;
  return csv_fail(reader, 1, "the file ends before a header: its first line must name the columns");
}

/* Takes one name. Its meaning is checked by the caller. */
static csv_result take_name(csv_reader *reader, const csv_line *header, const char *at, const char *end, csv_name *name)
{
  char quoted[CSV_QUOTE_SIZE];
  double number;
  at = skip_blanks(at, end);
  while (end > at && is_blank(end[-1]))
    end--;
  *name = (csv_name){at, (size_t)(end - at), column_of(header, at)};
  if (name->length == 0)
    return csv_fail(reader, name->at, "a column without a name");
  if (number_scan(at, end, &number) != at)
    return csv_fail(reader, name->at, "found %s where the header must name the columns",
                    csv_quote(at, name->length, quoted));
  return CSV_ROW;
}

csv_result csv_read_header(csv_reader *reader, csv_header *header)
{
  csv_line first;
  csv_result result = next_line(reader, &first);
  if (result != CSV_ROW)
    return result == CSV_END ? fail_without_header(reader) : result;
  header->count = 0;
  header->end = column_of(&first, first.end);
  for (const char *at = first.text;; at++) {
    const char *comma = memchr(at, ',', (size_t)(first.end - at));
    if (header->count == CSV_COLUMNS_MAX)
      return csv_fail(reader, column_of(&first, at), "too many columns: at most %d are allowed", CSV_COLUMNS_MAX);
    result = take_name(reader, &first, at, comma ? comma : first.end, &header->names[header->count++]);
    if (result != CSV_ROW)
      return result;
    if (!comma)
      break;
    at = comma;
  }
  reader->columns = header->count;
  return CSV_ROW;
}

/* ---- Rows -------------------------------------------------------------------------------------------------------- */

/* The field is not a number, from `at` on. */
static csv_result fail_in_field(csv_reader *reader, const csv_line *row, const char *field, const char *at)
{
  char quoted[CSV_QUOTE_SIZE];
  const char *comma = memchr(field, ',', (size_t)(row->end - field));
  const char *end = comma ? comma : row->end;
  while (end > field && is_blank(end[-1]))
    end--;
  if (field == end)
    return csv_fail(reader, column_of(row, field), "an empty field: a number is needed");
  csv_quote(at, (size_t)(end - at), quoted);
  if (at == field)
    return csv_fail(reader, column_of(row, at), "%s is not a number: write it like 0.0025 or 2.5e-3", quoted);
  return csv_fail(reader, column_of(row, at), "unexpected %s behind a number: fields are separated by commas", quoted);
}

static csv_result fail_in_count(csv_reader *reader, const csv_line *row, const char *at, size_t count)
{
  if (count < reader->columns)
    return csv_fail(reader, column_of(row, at), "too few fields: %zu instead of %zu", count, reader->columns);
  return csv_fail(reader, column_of(row, at), "too many fields: the header has %zu columns", reader->columns);
}

csv_result csv_read_row(csv_reader *reader, double values[])
{
  csv_line row;
  csv_result result = next_line(reader, &row);
  if (result != CSV_ROW)
    return result;
  const char *at = row.text;
  for (size_t i = 0;; at++) {
    const char *field = skip_blanks(at, row.end);
    const char *behind = number_scan(field, row.end, &values[i]);
    at = skip_blanks(behind, row.end);
    if (behind == field || (at < row.end && *at != ','))
      return fail_in_field(reader, &row, field, at);
    reader->at[i++] = column_of(&row, field);
    if (!isfinite(values[i - 1]))
      return csv_fail(reader, reader->at[i - 1], "the number is too large: the largest is about 1.8e308");
    bool more = at < row.end;
    if (!more && i == reader->columns)
      return CSV_ROW;
    if (!more || i == reader->columns)
      return fail_in_count(reader, &row, at, i);
  }
}
