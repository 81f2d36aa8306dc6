/* SPDX-License-Identifier: MIT */
/* DIR/series.csv: the measures of a run, one line for each output. Writing and reading. */
#ifndef JAGER_FILES_SERIES_H
#define JAGER_FILES_SERIES_H

#include "base/append_file.h"
#include "dem/observe/measures.h"

#include <stdbool.h>
#include <stddef.h>

/* ---- Writing ----------------------------------------------------------------------------------------------------- */

typedef struct series {
  append_file file;
} series;

/*
 * `keep_bytes` < 0: writes a new file with its header. Otherwise keeps the first `keep_bytes` bytes of the existing
 * file, the result of series_position() when the checkpoint was written, cuts off the rest, and appends. The
 * directory must exist. On failure returns false, and there is nothing to close.
 */
bool series_open(series *output, const char *dir, long long keep_bytes, error_info *error);

/* Adds one line, which is handed to the system at once. */
bool series_add(series *output, const dem_measures *measures, error_info *error);

/* For a checkpoint: first sync, then write the position into the checkpoint. */
bool series_sync(series *output, error_info *error);
long long series_position(const series *output);

/* Cuts the file to this size, at the end of a line. */
bool series_cut(series *output, long long bytes, error_info *error);

/* A series of zeros, which was never open, is allowed. */
bool series_close(series *output, error_info *error);

/*
 * Returns `bytes` without the last line of the first `bytes` bytes of the file, if that line is of this step; otherwise
 * `bytes`. The file is not changed. If it cannot be read, series_open reports it.
 */
long long series_bytes_without_step(const char *dir, long long bytes, long step);

/* ---- Reading ----------------------------------------------------------------------------------------------------- */

typedef struct series_table {
  size_t rows;
  double *columns[DEM_MEASURE_COUNT]; /* columns[k][row], k as in dem_measure_name(k); NULL without rows */
} series_table;

/* Reads DIR/series.csv. A last line that is not complete is ignored. On failure there is nothing to free. */
bool series_load(series_table *table, const char *dir, error_info *error);

void series_table_free(series_table *table);

/* The column of a field of dem_measures: SERIES_COLUMN(&table, strain_zz)[row]. */
#define SERIES_COLUMN(table, field) ((table)->columns[offsetof(dem_measures, field) / sizeof(double)])

#endif
