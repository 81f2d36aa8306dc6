/* SPDX-License-Identifier: MIT */
/* Paths, directories, and files that have an end. */
#ifndef JAGER_BASE_FILE_SYSTEM_H
#define JAGER_BASE_FILE_SYSTEM_H

#include "error.h"

#include <stdbool.h>
#include <stdio.h>

/* "DIR/..." by a format of printf, to be freed; NULL if there is no memory. */
__attribute__((format(printf, 2, 3))) char *path_in(const char *dir, const char *format, ...);

/* Makes the directory and all above it; existing ones are fine. Files can be made in it afterwards. */
bool directory_make(const char *path, error_info *error);

/* Makes DIR/NAME; DIR must exist. */
bool directory_add(const char *dir, const char *name, error_info *error);

/* A renamed file is safe only when its directory is synced as well. Not all file systems can do that: no error. */
void directory_sync_of(const char *path);

/* Removes a file; that there is none is fine. */
bool file_remove(const char *path, error_info *error);

/*
 * Opens a regular file for reading. NULL if that is impossible, with the reason. Others are refused: a pipe without a
 * writer would be waited for, and a device may give bytes for ever.
 */
FILE *regular_file_open(const char *path, const char **reason);

#endif
