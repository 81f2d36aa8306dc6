/* SPDX-License-Identifier: MIT */
/* Runs side by side, each in a child process. */
#ifndef JAGER_RUN_CHILDREN_H
#define JAGER_RUN_CHILDREN_H

#include "run.h"

/* The part of a run that its child process writes, in memory that both share. */
typedef struct child_state {
  double fraction; /* of the run, 0 to 1 */
  long step;
  run_ending ending;
  error_info error;
  char notices[4096]; /* a line for each, as far as there is room */
  size_t doubts;
  bool is_nonsense, is_done;
} child_state;

typedef struct child_run {
  run_case run; /* shares its texts with the case of the list, but for assembly.path */
  char *dir, *input, *label;
  char *start; /* checkpoint that the run starts from; NULL: as in the case */
  int after;   /* run that must be completed before; -1: none */
  int csr;     /* number of the ratio; -1: none */
  int process; /* 0: not running */
  bool has_begun;
  child_state *state;
} child_run;

typedef struct child_runs {
  int count;
  child_run *list;
  child_state *states; /* shared memory */
  atomic_int *stop;    /* shared: tells all children to stop */
  size_t shared_bytes;
  int lock; /* descriptor of the directory's lock (directory.h), which children inherit; -1: none */
} child_runs;

/* Allocates so many runs, empty. */
bool child_runs_create(child_runs *of, int count, error_info *error);
void child_runs_free(child_runs *of);

bool child_is_completed(const child_run *run);

/*
 * Executes all runs, at most `settings->threads` at a time, which share the threads. The caller holds the lock of
 * `settings->dir`. RUN_COMPLETED if all are; otherwise the first failure by number, with its error.
 */
run_ending child_runs_execute(child_runs *of, const run_settings *settings, const run_watcher *watcher,
                              error_info *error);

#endif
