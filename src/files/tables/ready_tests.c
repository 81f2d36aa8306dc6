/* SPDX-License-Identifier: MIT */
/* The results of ready tests as CSV files. */
#include "ready_tests.h"
#include "base/file_system.h"
#include "base/number.h"
#include "base/whole_file.h"
#include "files/run_names.h"

#include <stdlib.h>

static void put(double value, char end, FILE *stream)
{
  char text[NUMBER_PRINT_SIZE];
  (void)number_print(value, text);
  fprintf(stream, "%s%c", text, end);
}

/* The values of a row are all but its first member, the name. */
static void put_row(const char *model, const double values[], int count, FILE *stream)
{
  fprintf(stream, "%s,", model);
  for (int k = 0; k < count; k++)
    put(values[k], k + 1 < count ? ',' : '\n', stream);
}

typedef void row_writer(const void *rows, size_t number, FILE *stream);

static void write_reduction_row(const void *rows, size_t number, FILE *stream)
{
  const reduction_row *row = (const reduction_row *)rows + number;
  enum { COUNT = (sizeof *row - offsetof(reduction_row, test)) / sizeof(double) };
  put_row(row->model, &row->test, COUNT, stream);
}

static void write_resistance_row(const void *rows, size_t number, FILE *stream)
{
  const resistance_row *row = (const resistance_row *)rows + number;
  enum { COUNT = (sizeof *row - offsetof(resistance_row, csr)) / sizeof(double) };
  put_row(row->model, &row->csr, COUNT, stream);
}

static bool write_table(const char *dir, const char *name, const char *header, row_writer *write, const void *rows,
                        size_t count, error_info *error)
{
  whole_file file;
  char *path = path_in(dir, "%s", name);
  if (!path)
    return error_out_of_memory(error);
  bool is_written = whole_file_open(&file, path);
  if (is_written) {
    fprintf(file.stream, "%s\n", header);
    for (size_t i = 0; i < count; i++)
      write(rows, i, file.stream);
    is_written = whole_file_finish(&file);
  }
  if (!is_written)
    error_set_errno(error, "write", path);
  free(path);
  return is_written;
}

#define COLUMN(field, unit, meaning) "," #field

bool reduction_write(const char *dir, const reduction_row rows[], size_t count, error_info *error)
{
  return write_table(dir, RUN_REDUCTION, "model" REDUCTION_LIST(COLUMN), write_reduction_row, rows, count, error);
}

bool resistance_write(const char *dir, const resistance_row rows[], size_t count, error_info *error)
{
  return write_table(dir, RUN_RESISTANCE, "model" RESISTANCE_LIST(COLUMN), write_resistance_row, rows, count, error);
}
