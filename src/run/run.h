/* SPDX-License-Identifier: MIT */
/*
 * A run: a case from its beginning, or from its last checkpoint, to its end, with all its files in one directory.
 * This is `jager run` as a function: it prints nothing, catches no signals and does not end the program. Threads may
 * execute any number of runs at the same time, each in its own directory (files/result.h has a remark on HDF5).
 *
 *     run_execute(&report, &run, &settings, &watcher);
 *     ...look at the report...
 *     run_report_free(&report);
 *
 * A run that is killed at any moment can be resumed. Each file that it leaves is whole, or is cut back to the last
 * checkpoint: series.csv to the length that the checkpoint stores, snapshots and ParaView files to its step. A run
 * that was resumed ends with the same bits as one that was not interrupted.
 */
#ifndef JAGER_RUN_RUN_H
#define JAGER_RUN_RUN_H

#include "base/progress.h"
#include "case/run_case.h"
#include "drawer.h"
#include "summary.h"

#include <stdatomic.h>

/* The caller's view of a run while it works. Any member may be NULL. */
typedef struct run_watcher {
  void *context;                                                                  /* for the functions */
  void (*progress)(void *context, const progress_state *state, bool stage_ended); /* called after each step */
  void (*notice)(void *context, const char *text); /* called with one line for the user that is no failure */
  const atomic_int *stop; /* when it is not 0, the run ends after the present step with a checkpoint; set by a signal
                             handler or another thread */
} run_watcher;

bool run_is_stopped(const run_watcher *watcher);

/* Calls watcher->notice with a text made as by printf, cut off at 1000 bytes. */
__attribute__((format(printf, 2, 3))) void run_notify(const run_watcher *watcher, const char *format, ...);

typedef struct run_settings {
  const char *dir;       /* directory of all files; a new run makes it */
  int threads;           /* 0: as many as there are processors */
  bool resume;           /* continue from the last checkpoint in the directory */
  bool may_begin;        /* with `resume`: without a checkpoint, begin anew, and replace what is there */
  bool force;            /* replace the files that an earlier run has left in the directory */
  bool has_lock;         /* the caller holds the lock of the directory (directory.h) */
  const char *case_file; /* the run does not overwrite it; NULL: the case comes from no file */
  const char *input;     /* text of the case, for checkpoints and result.h5 */
  const char *command;   /* the command line, for result.h5 */
  const drawer *drawer;  /* draws the pictures, unless the case wants none; NULL: nobody does */
  /*
   * NULL: the run makes its simulation, and destroys it. Otherwise *simulation is one of this case that has made no
   * step, or NULL, which the run makes; and afterwards the one in the state that the run has reached. A run that
   * resumes takes the state of the checkpoint in place of it. A run that ended before its first step leaves it alone.
   */
  dem_simulation **simulation;
} run_settings;

typedef enum run_ending {
  RUN_COMPLETED,
  RUN_STOPPED,   /* by the watcher, after a checkpoint */
  RUN_REFUSED,   /* before the first step: the input is wrong, or the directory is in use */
  RUN_IO_FAILED, /* a file could not be written or read, or memory was short */
  RUN_FAILED     /* the simulation could not go on */
} run_ending;

/* The result of a run. It refers to the case and the settings, which must outlive it. */
typedef struct run_report {
  run_ending ending;
  error_info error;    /* unless the run was completed or stopped */
  long steps;          /* since the beginning of the case */
  char *checkpoint;    /* path of the last good state of a run that was stopped or failed; NULL: there is none */
  bool is_start;       /* `checkpoint` is the one that the run started from, because the run has written none */
  run_summary summary; /* of a completed run */
} run_report;

void run_execute(run_report *report, const run_case *run, const run_settings *settings, const run_watcher *watcher);

void run_report_free(run_report *report);

/*
 * The first part of run_execute, which `jager check` does as well: a simulation that is ready for
 * dem_simulation_begin (see there). RUN_COMPLETED, or RUN_REFUSED or RUN_IO_FAILED with an error and no simulation.
 */
run_ending run_prepare(const dem_case *run, int threads, dem_simulation **simulation, error_info *error);

/* ---- Parts, to be tested alone ----------------------------------------------------------------------------------- */

typedef struct run_due {
  bool series, snapshot, vtk;
} run_due;

/*
 * The output that is due now, by the intervals of the present stage. After a step: every interval, a line of the
 * series at each reversal of a cyclic stage, and all of it at the end of the stage. A snapshot of that end is also
 * written for pictures of the assembly. Before the first step of a stage: a line of the series, and the snapshots
 * unless the end of the stage before, which is the same state, has had them.
 */
run_due run_output_due(const run_output *output, const dem_simulation *simulation);

#endif
