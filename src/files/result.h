/* SPDX-License-Identifier: MIT */
/*
 * DIR/result.h5: the case, series and snapshots of a run in one HDF5 file, written at the end of the run. Since the
 * program may be killed at any moment, each snapshot is first written to a file of its own,
 * DIR/snapshots/000000123.h5.
 *
 *     result_begin, result_add_snapshot ... result_add_snapshot, result_finish
 *
 * A file appears only when it is complete and on the disk.
 */
#ifndef JAGER_FILES_RESULT_H
#define JAGER_FILES_RESULT_H

#include "dem/case.h"
#include "dem/simulation.h"
#include "dem/observe/grading.h"
#include "dem/observe/snapshot.h"

#include <stdbool.h>

/* The provenance of a result. Version, compiler, flags and time are added by result_finish. */
typedef struct result_facts {
  const dem_case *run;  /* title, seed, names of the stages */
  const char *input;    /* the whole text of the YAML file */
  const char *command;  /* as the user gave it */
  const char *warnings; /* one line for each doubt about the run */
  int threads;
  const dem_grading *grading;        /* NULL: left out */
  const dem_packing_report *packing; /* NULL, or a packing without a target: left out */
} result_facts;

/*
 * `keep_step` < 0: a new run. Snapshots and result of an older run are removed.
 * Otherwise a run that resumes from a checkpoint at that step. Later snapshots are removed. If the run had ended
 * before, its snapshots up to that step are copied from result.h5 into files again; result.h5 stays until the new one
 * replaces it.
 */
bool result_begin(const char *dir, long keep_step, error_info *error);

/* Writes DIR/snapshots/<step>.h5. */
bool result_add_snapshot(const char *dir, const dem_snapshot *snapshot, error_info *error);

/*
 * Writes DIR/result.h5 from DIR/series.csv, which must be closed, and the files of snapshots; then removes the
 * latter.
 */
bool result_finish(const char *dir, const result_facts *facts, error_info *error);

#endif
