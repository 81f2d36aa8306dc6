/* SPDX-License-Identifier: MIT */
/*
 * The directory of a run: locking it, and protecting the files in it. The files of a run are recognised by their names
 * (files/run_names.h): so the files that a run could overwrite are known before it starts, and no others are ever
 * removed.
 */
#ifndef JAGER_RUN_DIRECTORY_H
#define JAGER_RUN_DIRECTORY_H

#include "base/error.h"

#include <stdbool.h>

/*
 * Locks the directory against other runs until the descriptor *lock is closed or the program ends. *lock is -1 if the
 * directory does not exist.
 */
bool run_directory_lock(const char *dir, int *lock, error_info *error);

/* The first file in the directory that a run would overwrite or remove, to be freed; NULL: there is none. */
bool run_directory_find_used(const char *dir, char **file, error_info *error);

/* The files that a run reads. */
typedef struct run_inputs {
  const char *case_file, *assembly; /* `assembly` may be NULL */
  bool start_is_here;               /* the assembly is a checkpoint in the directory of the run */
} run_inputs;

/*
 * Checks that all files to be replaced are regular files and not inputs of this run. A checkpoint that the run starts
 * from is allowed; it stays until the run has written one. Sets inputs->start_is_here.
 */
bool run_directory_check(const char *dir, run_inputs *inputs, error_info *error);

/*
 * Removes the unfinished files of a run that was killed and, unless this run resumes it, all files of the earlier
 * run. Inputs and files with other names stay.
 */
bool run_directory_clear(const char *dir, const run_inputs *inputs, bool is_resumed, error_info *error);

#endif
