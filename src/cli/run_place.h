/* SPDX-License-Identifier: MIT */
/* The directory of a run: making it, and not losing what is in it by mistake. */
#ifndef JAGER_CLI_RUN_PLACE_H
#define JAGER_CLI_RUN_PLACE_H

#include "simulation.h"

#include <stdbool.h>

/* Makes the directory and those above it, and checks that files can be made in it. */
bool run_place_make(const char *dir, dem_error *error);

/*
 * Nobody else may write to it until *lock is closed, or the program ends, however it does. *lock may become -1. A
 * directory that is not there is not locked.
 */
bool run_place_lock(const char *dir, int *lock, dem_error *error);

/* A file in it that a run would overwrite or remove, allocated; NULL: there is none, and the directory is unused. */
bool run_place_find_used(const char *dir, char **file, dem_error *error);

/* The files that a run reads. */
typedef struct run_inputs {
  const char *case_file, *assembly; /* `assembly` may be NULL */
  bool start_is_here;               /* the assembly is a checkpoint of the run's own directory */
} run_inputs;

/*
 * Everything that would be replaced can have been written by a run, and is not needed by this one; but a checkpoint
 * that it starts from is allowed, and stays until it has written one itself. Sets inputs->start_is_here.
 */
bool run_place_check(const char *dir, run_inputs *inputs, dem_error *error);

/*
 * Removes what a killed run has left half-written, and, if this one is not its continuation, all that the other has
 * written. Inputs stay, and so does whatever no run writes.
 */
bool run_place_clear(const char *dir, const run_inputs *inputs, bool is_resumed, dem_error *error);

#endif
