/* SPDX-License-Identifier: MIT */
/* CSV files of numbers that grow during a run. */
#include "number_table.h"
#include "base/file_system.h"
#include "base/number.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

/* The longest line. No name of a column is longer than a number may be. */
enum { LINE_MAX_SIZE = NUMBER_TABLE_COLUMNS_MAX * (NUMBER_PRINT_SIZE + 1) + 2 };

/* ---- Lines ------------------------------------------------------------------------------------------------------- */

static char separator_after(number_columns columns, int k)
{
  return k + 1 < columns.count ? ',' : '\n';
}

/* Makes the line with the names of the columns. Returns its length. */
static size_t make_header(number_columns columns, char line[LINE_MAX_SIZE])
{
  size_t length = 0;
  for (int k = 0; k < columns.count; k++)
    length +=
        (size_t)snprintf(line + length, LINE_MAX_SIZE - length, "%s%c", columns.name(k), separator_after(columns, k));
  return length;
}

static size_t make_row(number_columns columns, const double values[], char line[LINE_MAX_SIZE])
{
  size_t length = 0;
  for (int k = 0; k < columns.count; k++) {
    length += (size_t)number_print(values[k], line + length);
    line[length++] = separator_after(columns, k);
  }
  return length;
}

/* Reads a number, "nan", "inf" or "-inf", as number_print writes them. Returns its end; `at` if there is none. */
static const char *scan_value(const char *at, const char *end, double *value)
{
  static const struct {
    const char *text;
    size_t length;
    double value;
  } specials[] = {{"nan", 3, NAN}, {"inf", 3, INFINITY}, {"-inf", 4, -INFINITY}};
  for (size_t i = 0; i < sizeof specials / sizeof *specials; i++)
    if ((size_t)(end - at) >= specials[i].length && memcmp(at, specials[i].text, specials[i].length) == 0) {
      *value = specials[i].value;
      return at + specials[i].length;
    }
  return number_scan(at, end, value);
}

/* Reads the numbers of a complete line. Returns NULL, or the place of the first mistake. */
static const char *scan_row(number_columns columns, const char *line, const char *end, double values[])
{
  const char *at = line;
  for (int k = 0; k < columns.count; k++) {
    const char *behind = scan_value(at, end, &values[k]);
    if (behind == at || behind == end || *behind != separator_after(columns, k))
      return at;
    at = behind + 1;
  }
  return NULL;
}

/* ---- Writing ----------------------------------------------------------------------------------------------------- */

/* An existing file must have the columns of this version. This is checked before any of it is cut off. */
static bool check_header(const char *path, number_columns columns, long long keep_bytes, error_info *error)
{
  char expected[LINE_MAX_SIZE], found[LINE_MAX_SIZE];
  size_t length = make_header(columns, expected);
  const char *reason;
  FILE *stream = regular_file_open(path, &reason);
  if (!stream)
    return error_set(error, "cannot open %s: %s", path, reason);
  size_t count = fread(found, 1, length, stream);
  bool is_same = keep_bytes >= (long long)length && count == length && memcmp(found, expected, length) == 0;
  fclose(stream);
  return is_same ||
         error_set(error, "%s does not have the columns of this version of jager: the run cannot be resumed", path);
}

static bool open_at(append_file *file, number_columns columns, const char *path, long long keep_bytes,
                    error_info *error)
{
  char header[LINE_MAX_SIZE];
  error_info ignored;
  if (keep_bytes >= 0)
    return check_header(path, columns, keep_bytes, error) && append_file_open(file, path, keep_bytes, error);
  if (!append_file_open(file, path, keep_bytes, error))
    return false;
  if (append_file_write(file, header, make_header(columns, header), error))
    return true;
  append_file_close(file, &ignored);
  return false;
}

bool number_table_open(append_file *file, number_columns columns, const char *dir, const char *name,
                       long long keep_bytes, error_info *error)
{
  *file = (append_file){.descriptor = -1};
  char *path = path_in(dir, "%s", name);
  bool is_open = path ? open_at(file, columns, path, keep_bytes, error) : error_out_of_memory(error);
  free(path);
  return is_open;
}

bool number_table_add(append_file *file, number_columns columns, const double values[], error_info *error)
{
  char line[LINE_MAX_SIZE];
  return append_file_write(file, line, make_row(columns, values, line), error);
}

/* ---- The last line ----------------------------------------------------------------------------------------------- */

/*
 * Reads the end of the first `bytes` bytes of the file, long enough for a whole line. Returns its size; 0 on failure.
 */
static size_t read_end(const char *path, long long bytes, char end[LINE_MAX_SIZE])
{
  size_t size = bytes < LINE_MAX_SIZE ? (size_t)bytes : LINE_MAX_SIZE;
  FILE *stream = fopen(path, "re");
  if (!stream)
    return 0;
  bool is_read = fseeko(stream, (off_t)(bytes - (long long)size), SEEK_SET) == 0 && fread(end, 1, size, stream) == size;
  fclose(stream);
  return is_read ? size : 0;
}

size_t number_table_last_line(const char *dir, const char *name, number_columns columns, long long bytes,
                              double values[])
{
  char end[LINE_MAX_SIZE];
  char *path = path_in(dir, "%s", name);
  size_t size = path && bytes > 0 ? read_end(path, bytes, end) : 0;
  size_t start = size > 0 ? size - 1 : 0; /* before the newline */
  while (start > 0 && end[start - 1] != '\n')
    start--;
  free(path);
  return size > 0 && !scan_row(columns, end + start, end + size, values) ? size - start : 0;
}

/* ---- Reading ----------------------------------------------------------------------------------------------------- */

typedef struct reader {
  FILE *stream;
  const char *path;
  number_columns columns;
  char *line;
  size_t line_size;
  size_t number; /* of the line, from 1 */
  size_t capacity;
  double **table;
  size_t rows;
} reader;

static bool grow(reader *in)
{
  in->capacity = 2 * in->capacity + 256;
  for (int k = 0; k < in->columns.count; k++) {
    double *column = realloc(in->table[k], in->capacity * sizeof *column);
    if (!column)
      return false;
    in->table[k] = column;
  }
  return true;
}

/* Adds the line, which is complete, to the table. */
static bool add_row(reader *in, const char *end, error_info *error)
{
  double values[NUMBER_TABLE_COLUMNS_MAX];
  const char *mistake = scan_row(in->columns, in->line, end, values);
  if (mistake)
    return error_set(error, "%s:%zu:%td: not a number, or not %d of them", in->path, in->number, mistake - in->line + 1,
                     in->columns.count);
  for (int k = 0; k < in->columns.count; k++)
    in->table[k][in->rows] = values[k];
  in->rows++;
  return true;
}

static bool check_first_line(const reader *in, size_t length, error_info *error)
{
  char expected[LINE_MAX_SIZE];
  return (make_header(in->columns, expected) == length && memcmp(in->line, expected, length) == 0) ||
         error_set(error, "%s:1:1: these are not the columns of this version of jager", in->path);
}

/* Reads the next line. Returns its length with the newline; 0 if there is no complete line. */
static size_t next_line(reader *in)
{
  ssize_t length = getline(&in->line, &in->line_size, in->stream);
  in->number++;
  return length > 0 && in->line[length - 1] == '\n' ? (size_t)length : 0;
}

static bool read_all(reader *in, error_info *error)
{
  size_t length = next_line(in);
  if (!ferror(in->stream) && !check_first_line(in, length, error))
    return false;
  while ((length = next_line(in)) > 0) {
    if (in->rows == in->capacity && !grow(in))
      return error_out_of_memory(error);
    if (!add_row(in, in->line + length, error))
      return false;
  }
  return feof(in->stream) || error_set_errno(error, "read", in->path);
}

static bool load(reader *in, error_info *error)
{
  const char *reason;
  in->stream = regular_file_open(in->path, &reason);
  if (!in->stream)
    return error_set(error, "cannot open %s: %s", in->path, reason);
  bool is_read = read_all(in, error);
  fclose(in->stream);
  free(in->line);
  return is_read;
}

bool number_table_load(double *table[], size_t *rows, number_columns columns, const char *dir, const char *name,
                       error_info *error)
{
  char *path = path_in(dir, "%s", name);
  reader in = {.path = path, .columns = columns, .table = table};
  bool is_loaded = path ? load(&in, error) : error_out_of_memory(error);
  free(path);
  *rows = in.rows;
  if (!is_loaded)
    number_table_free(table, columns);
  return is_loaded;
}

void number_table_free(double *table[], number_columns columns)
{
  for (int k = 0; k < columns.count; k++) {
    free(table[k]);
    table[k] = NULL;
  }
}
