/* SPDX-License-Identifier: MIT */
/*
 * DIR/result.h5: the case, series and snapshots of a run in one HDF5 file, written at the end of the run. Since the
 * program may be killed at any moment, each snapshot is first written to a file of its own,
 * DIR/snapshots/000000123.h5.
 *
 *     result_begin, result_add_snapshot ... result_add_snapshot, result_finish
 *
 * A file appears only when it is complete, has been read once, and is on the disk.
 *
 * HDF5 works for one thread at a time, and these functions see to it that it does. A program that uses the same HDF5
 * itself, as h5py may, must not do so in another thread while a run writes snapshots, begins or ends.
 */
#ifndef JAGER_FILES_RESULT_H
#define JAGER_FILES_RESULT_H

#include "dem/case.h"
#include "dem/simulation.h"
#include "dem/measures.h"
#include "dem/snapshot.h"

#include <stdbool.h>

/* ---- Layout of result.h5 and of the files of snapshots; see docs/files.md ---------------------------------------- */

/* Attributes of the root group by which files of this program are known. */
#define RESULT_FORMAT_ATTRIBUTE "format"
#define RESULT_FORMAT "jager-result"
#define SNAPSHOT_FORMAT "jager-snapshot"
#define RESULT_FORMAT_VERSION_ATTRIBUTE "format_version"
enum { RESULT_FORMAT_VERSION = 1 };

#define RESULT_SERIES "series"
#define RESULT_INPUT "input"
#define RESULT_WARNINGS "warnings"

/* ---- Writing ----------------------------------------------------------------------------------------------------- */

/*
 * For a program that ends with its runs: disables the cleanup of HDF5 at exit, which crashes if the disk was full and
 * does not end after a damaged file. To be called before all others.
 */
void result_end_without_cleanup(void);

/* Between these two calls no other thread is in HDF5, so that a forked child finds it in a consistent state. */
void result_lock(void);
void result_unlock(void);

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
 * Otherwise a run that resumes from a checkpoint. If the run had ended before, its snapshots up to that step are copied
 * from result.h5 into files again. Then later snapshots and result.h5 are removed: a run with a later end would take
 * the snapshot of the old one from it when it is resumed again.
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
