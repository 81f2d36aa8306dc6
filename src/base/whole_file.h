/* SPDX-License-Identifier: MIT */
/*
 * A file that appears only when it is whole: written beside its place under another name, then renamed. What is no
 * regular file, as a pipe or /dev/null, is written directly.
 */
#ifndef JAGER_BASE_WHOLE_FILE_H
#define JAGER_BASE_WHOLE_FILE_H

#include <stdbool.h>
#include <stdio.h>

typedef struct whole_file {
  FILE *stream;    /* NULL: not open */
  char *path;      /* where it is to be */
  char *temporary; /* where it is written; NULL: directly */
} whole_file;

/* On failure returns false, with errno; there is then nothing to close. */
bool whole_file_open(whole_file *file, const char *path);

/* Closes the file and puts it in its place. On failure returns false, with errno, and nothing is left behind. */
bool whole_file_finish(whole_file *file);

/* The same, when all of it is on the disk: a computer that stops at any moment leaves the old file or the new one. */
bool whole_file_finish_on_disk(whole_file *file);

/* Closes the file and removes it. A file that is not open is allowed. */
void whole_file_discard(whole_file *file);

/* What follows the file's own name in that of a file being written: a program that was killed may have left it. */
bool whole_file_is_temporary_ending(const char *ending);

#endif
