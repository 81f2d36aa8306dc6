/* SPDX-License-Identifier: MIT */
/*
 * DIR/result.h5: everything about a run in one HDF5 file, put together at its end. Since the program may be killed at
 * any moment, each snapshot is first written to a file of its own, DIR/snapshots/000000123.h5.
 *
 *     result_begin, result_add_snapshot ... result_add_snapshot, result_finish
 *
 * Every file appears only when it is whole and on the disk.
 */
#ifndef JAGER_FILES_RESULT_H
#define JAGER_FILES_RESULT_H

#include "dem/case.h"
#include "dem/simulation.h"
#include "dem/observe/snapshot.h"

#include <stdbool.h>

/* Where a result comes from. The rest (version, compiler, flags, time) is known here. */
typedef struct result_facts {
  const dem_case *run;  /* title, seed, names of the stages */
  const char *input;    /* the whole text of the YAML file */
  const char *command;  /* as the user gave it */
  const char *warnings; /* what is doubtful about the run, a line for each */
  int threads;
} result_facts;

/*
 * `keep_step` < 0: a new run; snapshots and result of an old one are removed. Otherwise a run that goes on from a
 * checkpoint at that step: later snapshots are removed. If the run had ended before, its snapshots up to that step are
 * taken back out of its result.h5, which stays until the new one replaces it.
 */
bool result_begin(const char *dir, long keep_step, error_info *error);

/* DIR/snapshots/<step>.h5. */
bool result_add_snapshot(const char *dir, const dem_snapshot *snapshot, error_info *error);

/* DIR/result.h5 from DIR/series.csv (close it first) and the snapshots, whose files are removed when it is in place. */
bool result_finish(const char *dir, const result_facts *facts, error_info *error);

#endif
