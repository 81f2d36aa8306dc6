/* SPDX-License-Identifier: MIT */
/* The directory of a run: making it, not overwriting another run by mistake, and the names in it. */
#ifndef JAGER_CLI_RUN_PLACE_H
#define JAGER_CLI_RUN_PLACE_H

#include "simulation.h"

#include <stdbool.h>

/* DIR/name, allocated; NULL if there is no memory. */
char *run_path(const char *dir, const char *name);

#define RUN_CHECKPOINT "checkpoint.jck"
#define RUN_CHECKPOINT_BEFORE "checkpoint-before.jck"
#define RUN_SUMMARY "summary.txt"

/* Makes the directory and those above it, and checks that files can be made in it. */
bool run_place_make(const char *dir, dem_error *error);

/*
 * Nobody else may write to it until *lock is closed, or the program ends, however it does. *lock may become -1. A
 * directory that is not there is not locked.
 */
bool run_place_lock(const char *dir, int *lock, dem_error *error);

/* It holds what a run has left. */
bool run_place_is_used(const char *dir);

/*
 * Removes what a killed run has left half-written, and, if this one is not its continuation, checkpoints, traces and
 * pictures. Other files are begun anew, or cut back, by those who write them.
 */
void run_place_clear(const char *dir, bool is_resumed);

#endif
