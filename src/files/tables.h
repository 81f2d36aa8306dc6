/* SPDX-License-Identifier: MIT */
/*
 * CSV files of numbers with a header in the directory of a run. series.csv and cycles.csv grow line by line, are cut
 * back to a checkpoint, and are read again. reduction.csv and resistance.csv are written at the end of ready tests,
 * traces at the end of a run. The columns come from the lists of measures, of values of a cycle, of samples of a trace,
 * and the two lists below.
 */
#ifndef JAGER_FILES_TABLES_H
#define JAGER_FILES_TABLES_H

#include "base/file_system.h"
#include "dem/cycles.h"
#include "dem/measures.h"
#include "dem/trace.h"

#include <stdbool.h>
#include <stddef.h>

/* ---- series.csv: the measures of a run, one line for each output ------------------------------------------------- */

/*
 * `keep_bytes` < 0: writes a new file with its header. Otherwise keeps the first `keep_bytes` bytes of the existing
 * file, the position when the checkpoint was written, cuts off the rest, and appends; the file must have the columns of
 * this version. The directory must exist. On failure returns false, and there is nothing to close.
 */
bool series_open(append_file *file, const char *dir, long long keep_bytes, error_info *error);

/* Adds one line, which is handed to the system at once. */
bool series_add(append_file *file, const dem_measures *measures, error_info *error);

/*
 * Returns `bytes` without the last line of the first `bytes` bytes of the file, if that line is of this step; otherwise
 * `bytes`. The file is not changed. If it cannot be read, series_open reports it.
 */
long long series_bytes_without_step(const char *dir, long long bytes, long step);

typedef struct series_table {
  size_t rows;
  double *columns[DEM_MEASURE_COUNT]; /* columns[k][row], k as in dem_measure_name(k); NULL without rows */
} series_table;

/* Reads DIR/series.csv. A last line that is not complete is ignored. On failure there is nothing to free. */
bool series_load(series_table *table, const char *dir, error_info *error);

void series_table_free(series_table *table);

/* The column of a field of dem_measures: SERIES_COLUMN(&table, strain_zz)[row]. */
#define SERIES_COLUMN(table, field) ((table)->columns[offsetof(dem_measures, field) / sizeof(double)])

/* ---- cycles.csv: the cycles of a run, one line for each ---------------------------------------------------------- */

/* As series_open and series_add. */
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

/* ---- Ready tests ------------------------------------------------------------------------------------------------- */

/*
 * reduction.csv: shear modulus and damping over the amplitude of shear strain. resistance.csv: cycles to liquefaction
 * over the cyclic stress ratio. Each row has the name of its contact model.
 */

/* X(field, unit, meaning) */
#define REDUCTION_LIST(X)                                                                                              \
  X(test, "1", "number of the modulus reduction in the case, from 1")                                                  \
  X(gamma, "1", "single amplitude of the shear strain gamma")                                                          \
  X(shear_modulus, "Pa", "secant modulus G of the last cycle")                                                         \
  X(modulus_ratio, "1", "G over Gmax, the G of the smallest amplitude of the test")                                    \
  X(damping_ratio, "1", "D of the last cycle without its numerical part")                                              \
  X(damping_ratio_numerical, "1", "part due to viscous, local and global damping")                                     \
  X(damping_ratio_loop, "1", "D from the area of the loop, with the numerical part")                                   \
  X(damping_ratio_tolerance, "1", "largest error of D that contact.tolerance may cause, estimated; nan: by dp_max")    \
  X(damping_ratio_residual, "1",                                                                                       \
    "D of the loop less D of friction and damping: work of other stresses, or stored energy")                          \
  X(doubtful, "1", "1: D means nothing, over a third of the loop is numerical; 2: tolerance may cost over a third")    \
  X(stress_amplitude, "Pa", "single amplitude of the shear stress")                                                    \
  X(void_ratio, "1", "at the end of the last cycle")

/*
 * Values of `doubtful`; 0: none. D means nothing: the numerical part of the loop is above REDUCTION_PART_MAX. D may be
 * too small: the estimate of the largest error by the tolerance is above that part of D, or unknown. If both hold, it
 * is the first.
 */
enum { REDUCTION_DOUBT_NUMERICAL = 1, REDUCTION_DOUBT_TOLERANCE = 2 };
#define REDUCTION_PART_MAX (1.0 / 3.0)

#define RESISTANCE_LIST(X)                                                                                             \
  X(csr, "1", "cyclic stress ratio of the case")                                                                       \
  X(static_stress_ratio, "1", "static stress ratio, which csr does not contain")                                       \
  X(flow_failure, "1", "1: liquefied in the first quarter cycle, and the next three are nan; 0: not")                  \
  X(cycles, "1", "cycles to liquefaction: the smaller of the next two; nan: not liquefied")                            \
  X(cycles_r_u, "1", "cycles until r_u has reached 0.95; nan: never")                                                  \
  X(cycles_strain, "1", "cycles until the size of gamma, or of 1.5 strain_zz for q, has reached 3.75 %; nan: never")   \
  X(cycles_done, "1", "cycles that the test made")                                                                     \
  X(r_u_max, "1", "largest pore pressure ratio")                                                                       \
  X(strain_max, "1", "largest size of that strain")                                                                    \
  X(void_ratio, "1", "during the test, at constant volume")

#define READY_TEST_FIELD(field, unit, meaning) double field;
typedef struct reduction_row {
  const char *model;
  REDUCTION_LIST(READY_TEST_FIELD)
} reduction_row;

typedef struct resistance_row {
  const char *model;
  RESISTANCE_LIST(READY_TEST_FIELD)
} resistance_row;
#undef READY_TEST_FIELD

/* Write DIR/reduction.csv and DIR/resistance.csv. */
bool reduction_write(const char *dir, const reduction_row rows[], size_t count, error_info *error);
bool resistance_write(const char *dir, const resistance_row rows[], size_t count, error_info *error);

/* ---- Traces ------------------------------------------------------------------------------------------------------ */

/* Writes the histories of the contacts of one trace of the case (dem/trace.h); *lives is their number. */
bool trace_write(const char *path, const dem_trace_book *book, uint32_t request, size_t *lives, error_info *error);

#endif
