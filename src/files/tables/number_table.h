/* SPDX-License-Identifier: MIT */
/*
 * CSV files of numbers with a header that grow line by line during a run, as series.csv and cycles.csv do: writing,
 * cutting back to a checkpoint, and reading. The columns are those of a list that has a name for each.
 */
#ifndef JAGER_FILES_TABLES_NUMBER_TABLE_H
#define JAGER_FILES_TABLES_NUMBER_TABLE_H

#include "base/append_file.h"

#include <stdbool.h>
#include <stddef.h>

enum { NUMBER_TABLE_COLUMNS_MAX = 128 };

/* The columns: up to NUMBER_TABLE_COLUMNS_MAX, with names no longer than a number may be. */
typedef struct number_columns {
  int count;
  const char *(*name)(int k);
} number_columns;

/* ---- Writing ----------------------------------------------------------------------------------------------------- */

/*
 * `keep_bytes` < 0: writes a new file with its header. Otherwise keeps the first `keep_bytes` bytes of the existing
 * file, the position when the checkpoint was written, cuts off the rest, and appends; the file must have these columns.
 * The directory must exist. On failure returns false, and there is nothing to close.
 */
bool number_table_open(append_file *file, number_columns columns, const char *dir, const char *name,
                       long long keep_bytes, error_info *error);

/* Adds one line, which is handed to the system at once. */
bool number_table_add(append_file *file, number_columns columns, const double values[], error_info *error);

/* ---- Reading ----------------------------------------------------------------------------------------------------- */

/*
 * Reads the last line of the first `bytes` bytes of the file. Returns the length of the line; 0 if there is none, or if
 * it cannot be read.
 */
size_t number_table_last_line(const char *dir, const char *name, number_columns columns, long long bytes,
                              double values[]);

/*
 * Reads DIR/NAME into columns[k][row], arrays that begin as NULL and are to be freed. A last line that is not complete
 * is ignored. On failure the columns are NULL.
 */
bool number_table_load(double *table[], size_t *rows, number_columns columns, const char *dir, const char *name,
                       error_info *error);

void number_table_free(double *table[], number_columns columns);

#endif
