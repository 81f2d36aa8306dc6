/* SPDX-License-Identifier: MIT */
/* Files in the directory of a run that carry the number of their step in their names. */
#ifndef JAGER_FILES_STEP_FILES_H
#define JAGER_FILES_STEP_FILES_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

/* Steps have so many digits in names, or more: up to 10^9 names sort as numbers do. */
#define STEP_NAME_FORMAT "%09ld"

/* Files called DIR/FOLDER/PREFIX000000123SUFFIX. */
typedef struct step_files {
  const char *folder, *prefix, *suffix;
} step_files;

/* To be freed; NULL if there is no memory. */
char *step_file_path(const char *dir, step_files files, long step);

/* The step in a file's name without its directory; -1 if step_file_path makes no such name. */
long step_file_number(const char *name, step_files files);

/* The steps of the files there are, rising; to be freed. No folder: none. */
bool step_files_list(const char *dir, step_files files, long **steps, size_t *count, error_info *error);

/* Removes the files of later steps, and what a program that was killed left half-written. */
bool step_files_drop(const char *dir, step_files files, long keep_step, error_info *error);

#endif
