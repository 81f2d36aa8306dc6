/* SPDX-License-Identifier: MIT */
/* The directory of a run: making it, and not losing what is in it by mistake. */
#ifndef JAGER_RUN_DIRECTORY_H
#define JAGER_RUN_DIRECTORY_H

#include "base/error.h"

#include <stdbool.h>

/*
 * Nobody else may write to it until *lock is closed, or the program ends, however it does. *lock may become -1. A
 * directory that is not there is not locked.
 */
bool run_directory_lock(const char *dir, int *lock, error_info *error);

/* A file in it that a run would overwrite or remove, allocated; NULL: there is none, and the directory is unused. */
bool run_directory_find_used(const char *dir, char **file, error_info *error);

/* The files that a run reads. */
typedef struct run_inputs {
  const char *case_file, *assembly; /* `assembly` may be NULL */
  bool start_is_here;               /* the assembly is a checkpoint of the run's own directory */
} run_inputs;

/*
 * Everything that would be replaced can have been written by a run, and is not needed by this one; but a checkpoint
 * that it starts from is allowed, and stays until it has written one itself. Sets inputs->start_is_here.
 */
bool run_directory_check(const char *dir, run_inputs *inputs, error_info *error);

/*
 * Removes what a killed run has left half-written, and, if this one is not its continuation, all that the other has
 * written. Inputs stay, and so does whatever no run writes.
 */
bool run_directory_clear(const char *dir, const run_inputs *inputs, bool is_resumed, error_info *error);

#endif
