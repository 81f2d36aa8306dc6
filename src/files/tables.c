/* SPDX-License-Identifier: MIT */
/* The CSV files of numbers of a run. */
#include "tables.h"
#include "base/text.h"
#include "run_names.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

/* The columns of a table: up to COLUMNS_MAX, with names no longer than a number may be. */
typedef struct number_columns {
  const char *file; /* in the directory of the run */
  int count;
  const char *(*name)(int k);
} number_columns;

enum { COLUMNS_MAX = 128, LINE_MAX_SIZE = COLUMNS_MAX * (NUMBER_PRINT_SIZE + 1) + 2 };

static const number_columns series_columns = {RUN_SERIES, DEM_MEASURE_COUNT, dem_measure_name};
static const number_columns cycles_columns = {RUN_CYCLES, DEM_CYCLE_VALUES, dem_cycle_name};
_Static_assert((int)DEM_MEASURE_COUNT <= (int)COLUMNS_MAX && (int)DEM_CYCLE_VALUES <= (int)COLUMNS_MAX,
               "lines have room for all values");

/* ---- Lines ------------------------------------------------------------------------------------------------------- */

static char separator_after(const number_columns *columns, int k)
{
  return k + 1 < columns->count ? ',' : '\n';
}

/* Makes the line with the names of the columns. Returns its length. */
static size_t make_header(const number_columns *columns, char line[LINE_MAX_SIZE])
{
  size_t length = 0;
  for (int k = 0; k < columns->count; k++)
    length +=
        (size_t)snprintf(line + length, LINE_MAX_SIZE - length, "%s%c", columns->name(k), separator_after(columns, k));
  return length;
}

static FILE *open_table(const char *path, error_info *error)
{
  const char *reason;
  FILE *stream = regular_file_open(path, &reason);
  if (!stream)
    error_set(error, "cannot open %s: %s", path, reason);
  return stream;
}

/* Reads the first line; false if it is another one, or cannot be read. */
static bool has_header(FILE *stream, const char *header, size_t length)
{
  char found[LINE_MAX_SIZE];
  return fread(found, 1, length, stream) == length && memcmp(found, header, length) == 0;
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
static const char *scan_row(const number_columns *columns, const char *line, const char *end, double values[])
{
  const char *at = line;
  for (int k = 0; k < columns->count; k++) {
    const char *behind = scan_value(at, end, &values[k]);
    if (behind == at || behind == end || *behind != separator_after(columns, k))
      return at;
    at = behind + 1;
  }
  return NULL;
}

/* ---- Writing ----------------------------------------------------------------------------------------------------- */

/* `keep_bytes`: see series_open */
static bool table_open(append_file *file, const number_columns *columns, const char *dir, long long keep_bytes,
                       error_info *error)
{
  char header[LINE_MAX_SIZE];
  error_info ignored;
  *file = (append_file){.descriptor = -1};
  char *path = path_in(dir, "%s", columns->file);
  size_t length = make_header(columns, header);
  bool is_open = path || error_out_of_memory(error);
  if (is_open && keep_bytes >= 0) { /* an existing file: nothing is cut off before its columns have been checked */
    FILE *stream = open_table(path, error);
    is_open =
        stream &&
        ((keep_bytes >= (long long)length && has_header(stream, header, length)) ||
         error_set(error, "%s does not have the columns of this version of jager: the run cannot be resumed", path));
    if (stream)
      fclose(stream);
  }
  is_open = is_open && append_file_open(file, path, keep_bytes, error);
  free(path);
  if (!is_open || keep_bytes >= 0 || append_file_write(file, header, length, error))
    return is_open;
  append_file_close(file, &ignored);
  return false;
}

/* Adds one line, which is handed to the system at once. */
static bool table_add(append_file *file, const number_columns *columns, const double values[], error_info *error)
{
  char line[LINE_MAX_SIZE];
  size_t length = 0;
  for (int k = 0; k < columns->count; k++) {
    length += (size_t)number_print(values[k], line + length);
    line[length++] = separator_after(columns, k);
  }
  return append_file_write(file, line, length, error);
}

/*
 * Reads the last line of the first `bytes` bytes of the file. Returns the length of the line; 0 if there is none, or if
 * it cannot be read.
 */
static size_t table_last_line(const char *dir, const number_columns *columns, long long bytes, double values[])
{
  char end[LINE_MAX_SIZE];
  char *path = path_in(dir, "%s", columns->file);
  FILE *stream = path && bytes > 0 ? fopen(path, "re") : NULL;
  free(path);
  if (!stream)
    return 0;
  size_t size = bytes < LINE_MAX_SIZE ? (size_t)bytes : LINE_MAX_SIZE, start = size - 1; /* before the newline */
  bool is_read = fseeko(stream, (off_t)(bytes - (long long)size), SEEK_SET) == 0 && fread(end, 1, size, stream) == size;
  fclose(stream);
  while (is_read && start > 0 && end[start - 1] != '\n')
    start--;
  return is_read && !scan_row(columns, end + start, end + size, values) ? size - start : 0;
}

/* ---- Reading ----------------------------------------------------------------------------------------------------- */

static void table_free(double *table[], size_t *rows, const number_columns *columns)
{
  for (int k = 0; k < columns->count; k++) {
    free(table[k]);
    table[k] = NULL;
  }
  *rows = 0;
}

/* Reads the lines after the header into columns[k][row]. A last line that is not complete is ignored. */
static bool read_rows(FILE *stream, const char *path, const number_columns *columns, double *table[], size_t *rows,
                      error_info *error)
{
  char line[LINE_MAX_SIZE + 1]; /* no line of ours is longer */
  double values[COLUMNS_MAX];
  size_t capacity = 0;
  while (fgets(line, sizeof line, stream)) {
    size_t length = strlen(line);
    if (feof(stream))
      return true;
    const char *mistake = scan_row(columns, line, line + length, values);
    if (mistake)
      return error_set(error, "%s:%zu:%td: not a number, or not %d of them", path, *rows + 2, mistake - line + 1,
                       columns->count);
    if (*rows == capacity) {
      capacity = 2 * capacity + 256;
      for (int k = 0; k < columns->count; k++) {
        double *longer = realloc(table[k], capacity * sizeof *longer);
        if (!longer)
          return error_out_of_memory(error);
        table[k] = longer;
      }
    }
    for (int k = 0; k < columns->count; k++)
      table[k][*rows] = values[k];
    ++*rows;
  }
  return !ferror(stream) || error_set_errno(error, "read", path);
}

/* Reads the file. On failure all columns are NULL, and there are no rows. */
static bool table_load(double *table[], size_t *rows, const number_columns *columns, const char *dir, error_info *error)
{
  char header[LINE_MAX_SIZE], *path = path_in(dir, "%s", columns->file);
  size_t header_length = make_header(columns, header);
  FILE *stream = path ? open_table(path, error) : NULL;
  bool is_loaded = false;
  memset(table, 0, (size_t)columns->count * sizeof *table);
  *rows = 0;
  if (!path)
    error_out_of_memory(error);
  else if (stream && has_header(stream, header, header_length))
    is_loaded = read_rows(stream, path, columns, table, rows, error);
  else if (stream && ferror(stream))
    error_set_errno(error, "read", path);
  else if (stream)
    error_set(error, "%s:1:1: these are not the columns of this version of jager", path);
  if (stream)
    fclose(stream);
  free(path);
  if (!is_loaded)
    table_free(table, rows, columns);
  return is_loaded;
}

/* ---- series.csv -------------------------------------------------------------------------------------------------- */

bool series_open(append_file *file, const char *dir, long long keep_bytes, error_info *error)
{
  return table_open(file, &series_columns, dir, keep_bytes, error);
}

bool series_add(append_file *file, const dem_measures *measures, error_info *error)
{
  double values[DEM_MEASURE_COUNT];
  for (int k = 0; k < DEM_MEASURE_COUNT; k++)
    values[k] = dem_measure_value(measures, k);
  return table_add(file, &series_columns, values, error);
}

long long series_bytes_without_step(const char *dir, long long bytes, long step)
{
  double values[DEM_MEASURE_COUNT];
  size_t length = table_last_line(dir, &series_columns, bytes, values);
  bool is_of_step = length > 0 && (long)values[offsetof(dem_measures, step) / sizeof(double)] == step;
  return is_of_step ? bytes - (long long)length : bytes;
}

bool series_load(series_table *table, const char *dir, error_info *error)
{
  return table_load(table->columns, &table->rows, &series_columns, dir, error);
}

void series_table_free(series_table *table)
{
  table_free(table->columns, &table->rows, &series_columns);
}

/* ---- cycles.csv -------------------------------------------------------------------------------------------------- */

bool cycles_open(append_file *file, const char *dir, long long keep_bytes, error_info *error)
{
  return table_open(file, &cycles_columns, dir, keep_bytes, error);
}

bool cycles_add(append_file *file, const dem_cycle *cycle, error_info *error)
{
  double values[DEM_CYCLE_VALUES];
  for (int k = 0; k < DEM_CYCLE_VALUES; k++)
    values[k] = dem_cycle_value(cycle, k);
  return table_add(file, &cycles_columns, values, error);
}

long long cycles_bytes_without_cut_off(const char *dir, long long bytes, long step)
{
  double values[DEM_CYCLE_VALUES];
  size_t length = table_last_line(dir, &cycles_columns, bytes, values);
  if (length == 0)
    return bytes;
  double number = values[offsetof(dem_cycle, cycle) / sizeof(double)];
  bool is_of_step = (long)values[offsetof(dem_cycle, step) / sizeof(double)] == step;
  return is_of_step && number != floor(number) ? bytes - (long long)length : bytes;
}

bool cycles_load(cycles_table *table, const char *dir, error_info *error)
{
  return table_load(table->columns, &table->rows, &cycles_columns, dir, error);
}

void cycles_table_free(cycles_table *table)
{
  table_free(table->columns, &table->rows, &cycles_columns);
}

/* ---- Ready tests ------------------------------------------------------------------------------------------------- */

/* Writes rows of `size` bytes, each the name of a model and then numbers, to the end of the row. */
static bool write_rows(const char *dir, const char *name, const char *header, const void *rows, size_t size,
                       size_t count, error_info *error)
{
  const size_t values = (size - sizeof(char *)) / sizeof(double);
  whole_file file;
  char *path = path_in(dir, "%s", name);
  if (!path)
    return error_out_of_memory(error);
  bool is_written = whole_file_open(&file, path);
  if (is_written) {
    fprintf(file.stream, "%s\n", header);
    for (size_t i = 0; i < count; i++) {
      const char *row = (const char *)rows + i * size, *model;
      memcpy(&model, row, sizeof model);
      fputs(model, file.stream);
      for (size_t k = 0; k < values; k++) {
        char text[NUMBER_PRINT_SIZE];
        double value;
        memcpy(&value, row + sizeof model + k * sizeof value, sizeof value);
        (void)number_print(value, text);
        fprintf(file.stream, ",%s", text);
      }
      fputc('\n', file.stream);
    }
    is_written = whole_file_finish(&file);
  }
  if (!is_written)
    error_set_errno(error, "write", path);
  free(path);
  return is_written;
}

#define COLUMN(field, unit, meaning) "," #field
_Static_assert(offsetof(reduction_row, test) == sizeof(char *) && offsetof(resistance_row, csr) == sizeof(char *),
               "no padding behind the name");

bool reduction_write(const char *dir, const reduction_row rows[], size_t count, error_info *error)
{
  return write_rows(dir, RUN_REDUCTION, "model" REDUCTION_LIST(COLUMN), rows, sizeof *rows, count, error);
}

bool resistance_write(const char *dir, const resistance_row rows[], size_t count, error_info *error)
{
  return write_rows(dir, RUN_RESISTANCE, "model" RESISTANCE_LIST(COLUMN), rows, sizeof *rows, count, error);
}

/* ---- Traces ------------------------------------------------------------------------------------------------------ */

bool trace_write(const char *path, const dem_trace_book *book, uint32_t request, size_t *lives, error_info *error)
{
  whole_file file;
  size_t next = 0;
  if (!whole_file_open(&file, path))
    return error_set_errno(error, "write", path);
  fputs("life,id1,id2" DEM_TRACE_LIST(COLUMN) "\n", file.stream);
  *lives = 0;
  for (const dem_trace_life *life; (life = dem_trace_book_life(book, request, &next)); ++*lives)
    for (size_t k = 0; k < life->count; k++) {
      const dem_trace_sample *at = &life->samples[k];
      fprintf(file.stream, "%zu,%u,%u", next, life->ids[0], life->ids[1]);
#define COLUMN_VALUE(field, unit, meaning) fprintf(file.stream, ",%.17g", at->field);
      DEM_TRACE_LIST(COLUMN_VALUE)
#undef COLUMN_VALUE
      fputc('\n', file.stream);
    }
  return whole_file_finish(&file) || error_set_errno(error, "write", path);
}
