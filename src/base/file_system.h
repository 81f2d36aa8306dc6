/* SPDX-License-Identifier: MIT */
/*
 * Paths, directories and files. A file is written in one of two ways. A whole_file appears only when it is complete. An
 * append_file grows line by line during a run, and can be cut back to its length at the last checkpoint. A
 * memory_stream is a file in memory.
 */
#ifndef JAGER_BASE_FILE_SYSTEM_H
#define JAGER_BASE_FILE_SYSTEM_H

#include "error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* ---- Paths, directories, regular files --------------------------------------------------------------------------- */

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

/* ---- Files that appear complete ---------------------------------------------------------------------------------- */

/*
 * It is written under a temporary name in the same directory, then renamed.
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

/* ---- Files that grow --------------------------------------------------------------------------------------------- */

/* Each write goes to the system at once: a program that is killed loses no line and leaves no half line. */
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

/* ---- Files in memory --------------------------------------------------------------------------------------------- */

/*
 * Unlike glibc's open_memstream, which drops text silently when memory is short, this stream reports that text is
 * missing. The structure must not move while it is open.
 */
typedef struct memory_stream {
  FILE *stream; /* NULL: closed */
  char *text;   /* after memory_stream_finish: the text and a NUL; to be freed */
  size_t size, room;
  bool is_short;
} memory_stream;

/* False if there is no memory. */
bool memory_stream_open(memory_stream *memory);

/* Closes the stream. False if memory was short: there is then no text. */
bool memory_stream_finish(memory_stream *memory);

/* Closes the stream if it is open, and frees the text. */
void memory_stream_free(memory_stream *memory);

#endif
