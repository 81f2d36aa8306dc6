/* SPDX-License-Identifier: MIT */
/* DIR/series.csv: the measures of a run. */
#include "series.h"
#include "run_names.h"
#include "files/tables/number_table.h"

static const number_columns columns = {DEM_MEASURE_COUNT, dem_measure_name};
_Static_assert((int)DEM_MEASURE_COUNT <= (int)NUMBER_TABLE_COLUMNS_MAX, "all measures are columns");

/* ---- Writing ----------------------------------------------------------------------------------------------------- */

bool series_open(series *output, const char *dir, long long keep_bytes, error_info *error)
{
  return number_table_open(&output->file, columns, dir, RUN_SERIES, keep_bytes, error);
}

bool series_add(series *output, const dem_measures *measures, error_info *error)
{
  double values[DEM_MEASURE_COUNT];
  for (int k = 0; k < DEM_MEASURE_COUNT; k++)
    values[k] = dem_measure_value(measures, k);
  return number_table_add(&output->file, columns, values, error);
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

long long series_bytes_without_step(const char *dir, long long bytes, long step)
{
  double values[DEM_MEASURE_COUNT];
  size_t length = number_table_last_line(dir, RUN_SERIES, columns, bytes, values);
  return length > 0 && (long)values[offsetof(dem_measures, step) / sizeof(double)] == step ? bytes - (long long)length
                                                                                           : bytes;
}

/* ---- Reading ----------------------------------------------------------------------------------------------------- */

bool series_load(series_table *table, const char *dir, error_info *error)
{
  *table = (series_table){0};
  bool is_loaded = number_table_load(table->columns, &table->rows, columns, dir, RUN_SERIES, error);
  if (!is_loaded)
    *table = (series_table){0};
  return is_loaded;
}

void series_table_free(series_table *table)
{
  number_table_free(table->columns, columns);
  *table = (series_table){0};
}
