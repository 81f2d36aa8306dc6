/* SPDX-License-Identifier: MIT */
/* DIR/cycles.csv: the cycles of a run, one line for each. Writing and reading. */
#ifndef JAGER_FILES_TABLES_CYCLES_H
#define JAGER_FILES_TABLES_CYCLES_H

#include "base/append_file.h"
#include "dem/observe/cycle.h"

#include <stdbool.h>
#include <stddef.h>

/* `keep_bytes`: as in number_table_open. */
bool cycles_open(append_file *file, const char *dir, long long keep_bytes, error_info *error);

bool cycles_add(append_file *file, const dem_cycle *cycle, error_info *error);

/*
 * Returns `bytes` without the last line of the first `bytes` bytes of the file, if that is a cycle that the end of its
 * stage cut off in this step; otherwise `bytes`.
 */
long long cycles_bytes_without_cut_off(const char *dir, long long bytes, long step);

typedef struct cycles_table {
  size_t rows;
  double *columns[DEM_CYCLE_VALUES]; /* columns[k][row], k as in dem_cycle_name(k); NULL without rows */
} cycles_table;

/* Reads DIR/cycles.csv. A last line that is not complete is ignored. On failure there is nothing to free. */
bool cycles_load(cycles_table *table, const char *dir, error_info *error);

void cycles_table_free(cycles_table *table);

/* The column of a field of dem_cycle: CYCLES_COLUMN(&table, r_u_max)[row]. */
#define CYCLES_COLUMN(table, field) ((table)->columns[offsetof(dem_cycle, field) / sizeof(double)])

#endif
