/* SPDX-License-Identifier: MIT */
/* Files in the directory of a run with the number of their step in their names. */
#ifndef JAGER_FILES_STEP_FILES_H
#define JAGER_FILES_STEP_FILES_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

/* Steps have at least nine digits in names, so that names of steps below 10^9 sort as their numbers. */
#define STEP_NAME_FORMAT "%09ld"

/* Files called DIR/FOLDER/PREFIX000000123SUFFIX. */
typedef struct step_files {
  const char *folder, *prefix, *suffix;
} step_files;

/* The path of a file, to be freed; NULL if there is no memory. */
char *step_file_path(const char *dir, step_files files, long step);

/* The step in the name of a file, without its folder; -1 if it is not a name of such a file. */
long step_file_number(const char *name, step_files files);

/* The steps of all files in rising order, to be freed. A missing folder has no files. */
bool step_files_list(const char *dir, step_files files, long **steps, size_t *count, error_info *error);

/* Removes the files of later steps than `keep_step`, and temporary files left by a program that was killed. */
bool step_files_drop(const char *dir, step_files files, long keep_step, error_info *error);

#endif
