/* SPDX-License-Identifier: MIT */
/* Reading files that have an end: a pipe without a writer would be waited for, and a device may give bytes for ever. */
#ifndef JAGER_DEM_REGULAR_FILE_H
#define JAGER_DEM_REGULAR_FILE_H

#include <stdio.h>

/* Opens a regular file for reading. NULL if that is impossible, with the reason. */
FILE *regular_file_open(const char *path, const char **reason);

#endif
