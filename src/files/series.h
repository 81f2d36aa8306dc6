/* SPDX-License-Identifier: MIT */
/* DIR/series.csv: the measures of a run, a line for each time they are taken; and reading them back. */
#ifndef JAGER_FILES_SERIES_H
#define JAGER_FILES_SERIES_H

#include "base/append_file.h"
#include "dem/observe/measures.h"
#include "dem/simulation.h"

#include <stdbool.h>
#include <stddef.h>

/* ---- Writing ----------------------------------------------------------------------------------------------------- */

typedef struct series {
  append_file file;
} series;

/*
 * `keep_bytes` < 0: a new file with its header. Otherwise goes on behind so many bytes of the present file, as
 * series_position() told when the checkpoint was written, and cuts off the rest. The directory must exist. On failure
 * returns false, and there is nothing to close.
 */
bool series_open(series *output, const char *dir, long long keep_bytes, error_info *error);

/* One line, handed to the system at once. */
bool series_add(series *output, const dem_measures *measures, error_info *error);

/* For a checkpoint: first sync, then write the position into the checkpoint. */
bool series_sync(series *output, error_info *error);
long long series_position(const series *output);

/* Leaves only so many bytes, which must be whole lines. */
bool series_cut(series *output, long long bytes, error_info *error);

/* A series that is zeroed, and was never open, is allowed. */
bool series_close(series *output, error_info *error);

/*
 * How many of the first `bytes` bytes of the file are left without their last line, if that is of this step. The file
 * is not changed. One that cannot be read is left to series_open.
 */
long long series_bytes_without_step(const char *dir, long long bytes, long step);

/* ---- Reading ----------------------------------------------------------------------------------------------------- */

typedef struct series_table {
  size_t rows;
  double *columns[DEM_MEASURE_COUNT]; /* columns[k][row], k as in dem_measure_name(k); NULL without rows */
} series_table;

/* All of DIR/series.csv. A last line that is not whole is left out. On failure there is nothing to free. */
bool series_load(series_table *table, const char *dir, error_info *error);

void series_table_free(series_table *table);

/* The column of a field of dem_measures: SERIES_COLUMN(&table, strain_zz)[row]. */
#define SERIES_COLUMN(table, field) ((table)->columns[offsetof(dem_measures, field) / sizeof(double)])

#endif
