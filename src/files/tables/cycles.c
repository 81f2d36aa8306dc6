/* SPDX-License-Identifier: MIT */
/* DIR/cycles.csv: the cycles of a run. */
#include "cycles.h"
#include "files/run_names.h"
#include "number_table.h"

#include <math.h>

static const number_columns columns = {DEM_CYCLE_VALUES, dem_cycle_name};
_Static_assert((int)DEM_CYCLE_VALUES <= (int)NUMBER_TABLE_COLUMNS_MAX, "all values of a cycle are columns");

bool cycles_open(append_file *file, const char *dir, long long keep_bytes, error_info *error)
{
  return number_table_open(file, columns, dir, RUN_CYCLES, keep_bytes, error);
}

bool cycles_add(append_file *file, const dem_cycle *cycle, error_info *error)
{
  double values[DEM_CYCLE_VALUES];
  for (int k = 0; k < DEM_CYCLE_VALUES; k++)
    values[k] = dem_cycle_value(cycle, k);
  return number_table_add(file, columns, values, error);
}

long long cycles_bytes_without_cut_off(const char *dir, long long bytes, long step)
{
  double values[DEM_CYCLE_VALUES];
  size_t length = number_table_last_line(dir, RUN_CYCLES, columns, bytes, values);
  if (length == 0)
    return bytes;
  double number = values[offsetof(dem_cycle, cycle) / sizeof(double)];
  bool is_of_step = (long)values[offsetof(dem_cycle, step) / sizeof(double)] == step;
  return is_of_step && number != floor(number) ? bytes - (long long)length : bytes;
}

bool cycles_load(cycles_table *table, const char *dir, error_info *error)
{
  *table = (cycles_table){0};
  bool is_loaded = number_table_load(table->columns, &table->rows, columns, dir, RUN_CYCLES, error);
  if (!is_loaded)
    *table = (cycles_table){0};
  return is_loaded;
}

void cycles_table_free(cycles_table *table)
{
  number_table_free(table->columns, columns);
  *table = (cycles_table){0};
}
