/* SPDX-License-Identifier: MIT */
/* Paths, directories, and regular files. */
#ifndef JAGER_BASE_FILE_SYSTEM_H
#define JAGER_BASE_FILE_SYSTEM_H

#include "error.h"

#include <stdbool.h>
#include <stdio.h>

/* "DIR/NAME", the name by a format of printf. To be freed; NULL if there is no memory. */
__attribute__((format(printf, 2, 3))) char *path_in(const char *dir, const char *format, ...);

/* Makes the directory and its parents unless they exist, and checks that files can be made in it. */
bool directory_make(const char *path, error_info *error);

/* Makes DIR/NAME unless it exists; DIR must exist. */
bool directory_add(const char *dir, const char *name, error_info *error);

/* Writes the directory of a file to the disk, as a rename needs it. Not all file systems can: that is no error. */
void directory_sync_of(const char *path);

/* Are these two names of one existing file? Either may be NULL, which names none. */
bool file_is_same(const char *a, const char *b);

/*
 * Are these names of one file, which may not exist yet? A file that is not regular, such as /dev/null, may be used
 * twice. Either name may be NULL.
 */
bool file_is_same_regular(const char *a, const char *b);

/* Removes a file if it exists. */
bool file_remove(const char *path, error_info *error);

/*
 * Opens a regular file for reading; NULL on failure, with the reason and errno. Other files are refused, with EINVAL:
 * opening a pipe may wait for ever, and a device may have no end.
 */
FILE *regular_file_open(const char *path, const char **reason);

#endif
