/* SPDX-License-Identifier: MIT */
/* DIR/series.csv: the measures of a run. */
#include "series.h"
#include "base/file_system.h"
#include "base/number.h"
#include "run_names.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

/* The longest line. No name of a column is longer than a number may be. */
enum { LINE_MAX_SIZE = DEM_MEASURE_COUNT * (NUMBER_PRINT_SIZE + 1) + 2 };

/* ---- Lines ------------------------------------------------------------------------------------------------------- */

/* Makes the line with the names of the columns. Returns its length. */
static size_t make_header(char line[LINE_MAX_SIZE])
{
  size_t length = 0;
  for (int k = 0; k < DEM_MEASURE_COUNT; k++)
    length += (size_t)snprintf(line + length, LINE_MAX_SIZE - length, "%s%c", dem_measure_name(k),
                               k + 1 < DEM_MEASURE_COUNT ? ',' : '\n');
  return length;
}

static size_t make_row(const dem_measures *measures, char line[LINE_MAX_SIZE])
{
  size_t length = 0;
  for (int k = 0; k < DEM_MEASURE_COUNT; k++) {
    length += (size_t)number_print(dem_measure_value(measures, k), line + length);
    line[length++] = k + 1 < DEM_MEASURE_COUNT ? ',' : '\n';
  }
  return length;
}

/* ---- Writing ----------------------------------------------------------------------------------------------------- */

/* An existing file must have the columns of this version. This is checked before any of it is cut off. */
static bool check_header(const char *path, long long keep_bytes, error_info *error)
{
  char expected[LINE_MAX_SIZE], found[LINE_MAX_SIZE];
  size_t length = make_header(expected);
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

static bool open_at(series *output, const char *path, long long keep_bytes, error_info *error)
{
  char header[LINE_MAX_SIZE];
  error_info ignored;
  if (keep_bytes >= 0)
    return check_header(path, keep_bytes, error) && append_file_open(&output->file, path, keep_bytes, error);
  if (!append_file_open(&output->file, path, keep_bytes, error))
    return false;
  if (append_file_write(&output->file, header, make_header(header), error))
    return true;
  append_file_close(&output->file, &ignored);
  return false;
}

bool series_open(series *output, const char *dir, long long keep_bytes, error_info *error)
{
  *output = (series){.file = {.descriptor = -1}};
  char *path = path_in(dir, RUN_SERIES);
  bool is_open = path ? open_at(output, path, keep_bytes, error) : error_out_of_memory(error);
  free(path);
  return is_open;
}

bool series_add(series *output, const dem_measures *measures, error_info *error)
{
  char line[LINE_MAX_SIZE];
  return append_file_write(&output->file, line, make_row(measures, line), error);
}

bool series_sync(series *output, error_info *error)
{
  return append_file_sync(&output->file, error);
}

long long series_position(const series *output)
{
  return append_file_position(&output->file);
}

bool series_cut(series *output, long long bytes, error_info *error)
{
  return append_file_cut(&output->file, bytes, error);
}

bool series_close(series *output, error_info *error)
{
  return append_file_close(&output->file, error);
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

long long series_bytes_without_step(const char *dir, long long bytes, long step)
{
  char end[LINE_MAX_SIZE];
  char *path = path_in(dir, RUN_SERIES);
  size_t size = path ? read_end(path, bytes, end) : 0;
  size_t start = size > 0 ? size - 1 : 0; /* before the newline */
  while (start > 0 && end[start - 1] != '\n')
    start--;
  double step_of_line = -1.0;
  (void)number_scan(end + start, end + size, &step_of_line);
  free(path);
  return size > 0 && (long)step_of_line == step ? bytes - (long long)(size - start) : bytes;
}

/* ---- Reading ----------------------------------------------------------------------------------------------------- */

typedef struct reader {
  FILE *stream;
  const char *path;
  char *line;
  size_t line_size;
  size_t number; /* of the line, from 1 */
  size_t capacity;
  series_table *table;
} reader;

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

static bool grow(series_table *table, size_t capacity)
{
  for (int k = 0; k < DEM_MEASURE_COUNT; k++) {
    double *column = realloc(table->columns[k], capacity * sizeof *column);
    if (!column)
      return false;
    table->columns[k] = column;
  }
  return true;
}

/* Adds the line, which is complete, to the table. */
static bool add_row(reader *in, const char *end, error_info *error)
{
  const char *at = in->line;
  for (int k = 0; k < DEM_MEASURE_COUNT; k++) {
    const char *behind = scan_value(at, end, &in->table->columns[k][in->table->rows]);
    char separator = k + 1 < DEM_MEASURE_COUNT ? ',' : '\n';
    if (behind == at || behind == end || *behind != separator)
      return error_set(error, "%s:%zu:%td: not a number, or not %d of them", in->path, in->number, at - in->line + 1,
                       (int)DEM_MEASURE_COUNT);
    at = behind + 1;
  }
  in->table->rows++;
  return true;
}

static bool check_first_line(const reader *in, size_t length, error_info *error)
{
  char expected[LINE_MAX_SIZE];
  return (make_header(expected) == length && memcmp(in->line, expected, length) == 0) ||
         error_set(error, "%s:1:1: these are not the columns of a series of this version of jager", in->path);
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
    if (in->table->rows == in->capacity) {
      in->capacity = 2 * in->capacity + 256;
      if (!grow(in->table, in->capacity))
        return error_out_of_memory(error);
    }
    if (!add_row(in, in->line + length, error))
      return false;
  }
  return feof(in->stream) || error_set_errno(error, "read", in->path);
}

static bool load(series_table *table, const char *path, error_info *error)
{
  const char *reason;
  reader in = {.stream = regular_file_open(path, &reason), .path = path, .table = table};
  if (!in.stream)
    return error_set(error, "cannot open %s: %s", path, reason);
  bool is_read = read_all(&in, error);
  fclose(in.stream);
  free(in.line);
  if (!is_read)
    series_table_free(table);
  return is_read;
}

bool series_load(series_table *table, const char *dir, error_info *error)
{
  *table = (series_table){0};
  char *path = path_in(dir, RUN_SERIES);
  bool is_loaded = path ? load(table, path, error) : error_out_of_memory(error);
  free(path);
  return is_loaded;
}

void series_table_free(series_table *table)
{
  for (int k = 0; k < DEM_MEASURE_COUNT; k++)
    free(table->columns[k]);
  *table = (series_table){0};
}
