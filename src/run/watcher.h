/* SPDX-License-Identifier: MIT */
/* The caller's view of a run while it works: progress, notices, and a way to stop it. */
#ifndef JAGER_RUN_WATCHER_H
#define JAGER_RUN_WATCHER_H

#include "base/progress.h"

#include <stdatomic.h>
#include <stdbool.h>

/* Any member may be NULL. */
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

#endif
