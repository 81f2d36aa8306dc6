/* SPDX-License-Identifier: MIT */
/*
 * Reads the path of a contact: a streaming reader for CSV files of numbers, the meaning of the columns, and sums of
 * changes. The file passes through one buffer, which is longer than any allowed line. The first part of a line that is
 * cut by the end of the buffer is moved to its start before the rest is read.
 */
#include "path_reader.h"
#include "base/text.h"

#include <errno.h>
#include <float.h>
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

/* ---- CSV: messages ----------------------------------------------------------------------------------------------- */

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

enum { CSV_QUOTE_SIZE = 64 };

/*
 * Quotes a part of the file for a message: shortened, with control characters as hexadecimal codes. Returns `quoted`.
 */
static const char *csv_quote(const char *text, size_t length, char quoted[CSV_QUOTE_SIZE])
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

/* ---- CSV: lines -------------------------------------------------------------------------------------------------- */

/*
 * Finds the end of the next line: its newline, or the end of the file. The buffer then has the whole line: other blocks
 * are read after the unread part, which is moved to the start.
 */
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
    memmove(reader->buffer, start, left);
    reader->begin = 0;
    ptrdiff_t count = reader->source(reader->context, reader->buffer + left, sizeof reader->buffer - left);
    if (count < 0) {
      snprintf(reader->message, sizeof reader->message, "%.400s: cannot be read: %s", reader->file_name,
               strerror(errno));
      return CSV_BROKEN;
    }
    reader->at_end = count == 0;
    reader->end = left + (size_t)count;
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
  if (reader->line == 1 && length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) { /* a byte-order mark */
    text += 3;
    length -= 3;
  }
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

/* ---- CSV: header ------------------------------------------------------------------------------------------------- */

typedef struct csv_name {
  const char *text; /* in the buffer of the reader, until a row is read; without a NUL at its end */
  size_t length;
  size_t at; /* position in the line, from 1 */
} csv_name;

typedef struct csv_header {
  csv_name names[CSV_COLUMNS_MAX];
  size_t count;
  size_t end; /* position after the last name */
} csv_header;

/* Takes the names. Their meaning is checked by the caller. */
static csv_result csv_read_header(csv_reader *reader, csv_header *header)
{
  csv_line first;
  csv_result result = next_line(reader, &first);
  if (result == CSV_END) {
    reader->line++;
    return csv_fail(reader, 1, "the file ends before a header: its first line must name the columns");
  }
  if (result != CSV_ROW)
    return result;
  header->count = 0;
  header->end = column_of(&first, first.end);
  const char *comma;
  for (const char *at = first.text;; at = comma + 1) {
    if (header->count == CSV_COLUMNS_MAX)
      return csv_fail(reader, column_of(&first, at), "too many columns: at most %d are allowed", CSV_COLUMNS_MAX);
    comma = memchr(at, ',', (size_t)(first.end - at));
    const char *end = comma ? comma : first.end;
    at = skip_blanks(at, end);
    while (end > at && is_blank(end[-1]))
      end--;
    const csv_name name = {at, (size_t)(end - at), column_of(&first, at)};
    header->names[header->count++] = name;
    char quoted[CSV_QUOTE_SIZE];
    double number;
    if (name.length == 0)
      return csv_fail(reader, name.at, "a column without a name");
    if (number_scan(at, end, &number) != at)
      return csv_fail(reader, name.at, "found %s where the header must name the columns",
                      csv_quote(at, name.length, quoted));
    if (!comma)
      break;
  }
  reader->columns = header->count;
  return CSV_ROW;
}

/* ---- CSV: rows --------------------------------------------------------------------------------------------------- */

/* The field is not a number, from `at` on. */
static csv_result fail_in_field(csv_reader *reader, const csv_line *row, const char *field, const char *at)
{
  char quoted[CSV_QUOTE_SIZE];
  const char *end = field;
  while (end < row->end && *end != ',')
    end++;
  while (end > field && is_blank(end[-1]))
    end--;
  if (field == end)
    return csv_fail(reader, column_of(row, field), "an empty field: a number is needed");
  csv_quote(at, (size_t)(end - at), quoted);
  if (at == field)
    return csv_fail(reader, column_of(row, at), "%s is not a number: write it like 0.0025 or 2.5e-3", quoted);
  return csv_fail(reader, column_of(row, at), "unexpected %s after a number: fields are separated by commas", quoted);
}

/*
 * Reads one row: as many values as the header has columns. After another result than CSV_ROW the reader must not be
 * used.
 */
static csv_result csv_read_row(csv_reader *reader, double values[])
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
    if (!more)
      return csv_fail(reader, column_of(&row, at), "too few fields: %zu instead of %zu", i, reader->columns);
    if (i == reader->columns)
      return csv_fail(reader, column_of(&row, at), "too many fields: the header has %zu columns", reader->columns);
  }
}

/* ---- Paths: kinds of columns ------------------------------------------------------------------------------------- */

/* A kind of header: three columns, the last of which may be missing. */
typedef struct family {
  path_control control;
  bool is_change;
  bool is_whole; /* whole movements, of which ζ and ξ are the halves */
  const char *names[PATH_ROLES];
} family;

static const family families[] = {
    {PATH_BY_DISPLACEMENT, true, false, {"dzeta", "dxi1", "dxi2"}},
    {PATH_BY_DISPLACEMENT, false, false, {"zeta", "xi1", "xi2"}},
    {PATH_BY_DISPLACEMENT, true, true, {"doverlap", "dshift1", "dshift2"}},
    {PATH_BY_DISPLACEMENT, false, true, {"overlap", "shift1", "shift2"}},
    {PATH_BY_FORCE, true, false, {"dfn", "dft1", "dft2"}},
    {PATH_BY_FORCE, false, false, {"fn", "ft1", "ft2"}},
};

enum { FAMILIES = sizeof families / sizeof *families };

/* For messages. */
static const char *const allowed_columns[] = {
    [PATH_BY_DISPLACEMENT] = "dzeta,dxi1[,dxi2] or zeta,xi1[,xi2], or for whole movements "
                             "doverlap,dshift1[,dshift2] or overlap,shift1[,shift2]",
    [PATH_BY_FORCE] = "dfn,dft1[,dft2] or fn,ft1[,ft2]",
};

static const char *const control_names[] = {
    [PATH_BY_DISPLACEMENT] = "displacement",
    [PATH_BY_FORCE] = "force",
};

/* ---- Paths: sums ------------------------------------------------------------------------------------------------- */

/*
 * Changes the sum by the value, or sets it. The sum of decimal fractions like 0.1 + 0.2 - 0.3 is not zero in binary.
 * The contact would take the residual for an overlap, a gap, or a shear force without a normal force. Therefore a sum
 * that is not larger than its error bound becomes zero.
 */
static void take(path_sum *sum, double value, bool is_change)
{
  if (!is_change) {
    *sum = (path_sum){{value, 0.0}, 0.0};
    return;
  }
  compensated_sum_add(&sum->sum, value);
  /* Reading rounds a decimal fraction by up to half a unit in the last place; integers up to 2^53 are exact. */
  if (fabs(value) > 1.0 / DBL_EPSILON || floor(value) != value)
    sum->error_bound += fabs(value) * (DBL_EPSILON / 2.0);
  if (fabs(sum->sum.high) <= sum->error_bound)
    *sum = (path_sum){{0.0, 0.0}, 0.0};
}

/* ---- Paths: header ----------------------------------------------------------------------------------------------- */

/* Gives each column its role, or sets a message. */
static csv_result assign_columns(path_reader *reader, const csv_header *header)
{
  const char *allowed = allowed_columns[reader->control];
  const family *file = NULL; /* of the columns so far */
  for (size_t i = 0; i < header->count; i++) {
    const csv_name *name = &header->names[i];
    char quoted[CSV_QUOTE_SIZE];
    int role = 0;
    const family *found = NULL;
    for (int k = 0; k < FAMILIES * PATH_ROLES && !found; k++) {
      const char *text = families[k / PATH_ROLES].names[k % PATH_ROLES];
      if (strlen(text) == name->length && memcmp(text, name->text, name->length) == 0) {
        found = &families[k / PATH_ROLES];
        role = k % PATH_ROLES;
      }
    }
    csv_quote(name->text, name->length, quoted);
    if (!found)
      return csv_fail(&reader->csv, name->at, "unknown column %s: the columns must be %s", quoted, allowed);
    if (found->control != reader->control)
      return csv_fail(&reader->csv, name->at, "column %s needs --control %s: with --control %s the columns must be %s",
                      quoted, control_names[found->control], control_names[reader->control], allowed);
    if (file && file != found)
      return csv_fail(&reader->csv, name->at, "column %s cannot be mixed with the columns before it: they must be %s",
                      quoted, allowed);
    if (reader->column_of[role] != PATH_NO_COLUMN)
      return csv_fail(&reader->csv, name->at, "column %s is there twice", quoted);
    reader->column_of[role] = i;
    file = found;
  }
  if (!file)
    return csv_fail(&reader->csv, header->end, "no columns: they must be %s", allowed);
  for (int role = PATH_NORMAL; role <= PATH_SHEAR_1; role++)
    if (reader->column_of[role] == PATH_NO_COLUMN)
      return csv_fail(&reader->csv, header->end, "column '%s' is missing: the columns must be %s", file->names[role],
                      allowed);
  reader->is_change = file->is_change;
  reader->is_whole = file->is_whole;
  return CSV_ROW;
}

csv_result path_reader_open(path_reader *reader, path_control control, csv_source *source, void *context,
                            const char *file_name)
{
  csv_header header = {.count = 0};
  *reader = (path_reader){.csv = {.source = source, .context = context, .file_name = file_name}, .control = control};
  for (int role = 0; role < PATH_ROLES; role++)
    reader->column_of[role] = PATH_NO_COLUMN;
  csv_result result = csv_read_header(&reader->csv, &header);
  return result == CSV_ROW ? assign_columns(reader, &header) : result;
}

size_t path_reader_at(const path_reader *reader, int role)
{
  size_t column = reader->column_of[role];
  return column == PATH_NO_COLUMN ? 1 : reader->csv.at[column];
}

/* ---- Paths: steps ------------------------------------------------------------------------------------------------ */

csv_result path_reader_next(path_reader *reader, path_step *step)
{
  double row[CSV_COLUMNS_MAX], of_role[PATH_ROLES] = {0.0};
  csv_result result = csv_read_row(&reader->csv, row);
  if (result != CSV_ROW)
    return result;
  for (int role = 0; role < PATH_ROLES; role++)
    if (reader->column_of[role] != PATH_NO_COLUMN)
      of_role[role] = (reader->is_whole ? 0.5 : 1.0) * row[reader->column_of[role]];
  *step = (path_step){0};
  if (reader->control == PATH_BY_FORCE) {
    for (int role = 0; role < PATH_ROLES; role++)
      take(&reader->force[role], of_role[role], reader->is_change);
  } else {
    take(&reader->zeta, of_role[PATH_NORMAL], reader->is_change);
    for (int i = 0; i < 2; i++) {
      double value = of_role[PATH_SHEAR_1 + i];
      step->movement.dxi[i] = reader->is_change ? value : value - reader->xi[i].sum.high;
      take(&reader->xi[i], value, reader->is_change);
    }
  }
  step->movement.zeta = reader->zeta.sum.high;
  for (int i = 0; i < 2; i++) {
    step->xi[i] = reader->xi[i].sum.high;
    step->force.ft[i] = reader->force[PATH_SHEAR_1 + i].sum.high;
  }
  step->force.fn = reader->force[PATH_NORMAL].sum.high;
  const bool is_finite[PATH_ROLES] = {
      /* sums and differences of finite numbers may overflow */
      isfinite(step->movement.zeta) && isfinite(step->force.fn),
      isfinite(step->xi[0]) && isfinite(step->movement.dxi[0]) && isfinite(step->force.ft[0]),
      isfinite(step->xi[1]) && isfinite(step->movement.dxi[1]) && isfinite(step->force.ft[1]),
  };
  for (int role = 0; role < PATH_ROLES; role++)
    if (!is_finite[role])
      return csv_fail(&reader->csv, path_reader_at(reader, role), "the path becomes too large to compute with here");
  return CSV_ROW;
}
