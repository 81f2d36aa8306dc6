/* SPDX-License-Identifier: MIT */
/*
 * A file that appears only when it is whole: written beside its place under another name, then renamed. What is no
 * regular file, as a pipe or /dev/null, is written directly.
 */
#ifndef JAGER_CLI_OUTPUT_FILE_H
#define JAGER_CLI_OUTPUT_FILE_H

#include <stdbool.h>
#include <stdio.h>

typedef struct output_file {
  FILE *stream;    /* NULL: not open */
  char *path;      /* where it is to be */
  char *temporary; /* where it is written; NULL: directly */
} output_file;

/* On failure returns false, with errno; there is then nothing to close. */
bool output_file_open(output_file *file, const char *path);

/* Closes the file and puts it in its place. On failure returns false, with errno, and nothing is left behind. */
bool output_file_finish(output_file *file);

/* The same, when all of it is on the disk: a computer that stops at any moment leaves the old file or the new one. */
bool output_file_finish_on_disk(output_file *file);

/* Closes the file and removes it. A file that is not open is allowed. */
void output_file_discard(output_file *file);

/* What follows the file's own name in that of a file being written: a program that was killed may have left it. */
bool output_file_is_temporary_ending(const char *ending);

#endif
