/* SPDX-License-Identifier: MIT */
/*
 * A file that appears only when it is complete: it is written under a temporary name in the same directory, then
 * renamed.
 *
 *     whole_file file;
 *     bool is_written = whole_file_open(&file, path);
 *     if (is_written) {
 *       fprintf(file.stream, ...);
 *       is_written = whole_file_finish(&file);
 *     }
 *     return is_written || error_set_errno(error, "write", path);
 *
 * If `path` is not a regular file, such as a pipe or /dev/null, it is written directly.
 *
 * Threads may use different files at the same time.
 */
#ifndef JAGER_BASE_WHOLE_FILE_H
#define JAGER_BASE_WHOLE_FILE_H

#include <stdbool.h>
#include <stdio.h>

typedef struct whole_file {
  FILE *stream;    /* NULL: not open */
  char *path;      /* the file's name when it is finished */
  char *temporary; /* its name while it is written; NULL: written directly */
  bool is_listed;  /* a signal removes it */
} whole_file;

/* On failure returns false and sets errno; there is then nothing to close. */
bool whole_file_open(whole_file *file, const char *path);

/*
 * Closes the file and gives it its name. On failure, also of an earlier write to the stream, returns false, sets
 * errno and removes the temporary file.
 */
bool whole_file_finish(whole_file *file);

/* The same, but first writes the file to the disk: after a power failure the old file is there, or the new one. */
bool whole_file_finish_on_disk(whole_file *file);

/* The same, and the old file, if there is one, is kept under the name `previous`. */
bool whole_file_finish_keeping(whole_file *file, const char *previous);

/* Closes the file and removes it. A file that is not open is allowed. */
void whole_file_discard(whole_file *file);

/*
 * From now on, SIGINT, SIGTERM and SIGHUP remove unfinished files before they end the program. Signals that are ignored
 * or have another handler stay as they are. Without this call, no signal is caught. Signal handlers may call it.
 */
void whole_file_remove_on_signals(void);

/* Is this what follows PATH in a temporary name? Programs that were killed leave such files. */
bool whole_file_is_temporary_ending(const char *ending);

#endif
