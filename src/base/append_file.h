/* SPDX-License-Identifier: MIT */
/*
 * A text file that grows line by line during a run, and can be cut back to its length at the last checkpoint. Each
 * write goes to the system at once: a program that is killed loses no line and leaves no half line.
 */
#ifndef JAGER_BASE_APPEND_FILE_H
#define JAGER_BASE_APPEND_FILE_H

#include "error.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct append_file {
  int descriptor;
  char *path;         /* NULL: not open */
  long long position; /* bytes in the file */
} append_file;

/*
 * Opens the file for writing at its end. `keep` < 0: makes a new file, or empties an old one. Otherwise the file must
 * have at least `keep` bytes and a line must end there; the rest is cut off. On failure returns false, and there is
 * nothing to close.
 */
bool append_file_open(append_file *file, const char *path, long long keep, error_info *error);

/* Appends whole lines. If that fails, for example on a full disk, the file is cut back to its length before. */
bool append_file_write(append_file *file, const char *text, size_t length, error_info *error);

/* Writes the file to the disk. To be called before a checkpoint stores the position. */
bool append_file_sync(append_file *file, error_info *error);

long long append_file_position(const append_file *file);

/* Cuts the file back to so many bytes. */
bool append_file_cut(append_file *file, long long position, error_info *error);

/* A file that is not open is allowed. On failure the file is closed as well. */
bool append_file_close(append_file *file, error_info *error);

#endif
