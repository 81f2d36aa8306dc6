/* SPDX-License-Identifier: MIT */
/*
 * Files that appear only when they are complete. A table holds the names of the files being written, for the signal
 * handler that removes them. Who takes a name out of the table owns it: the thread that wrote the file, which frees it,
 * or the handler, which ends the program.
 */
#include "whole_file.h"
#include "file_system.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LISTED_MAX = 256, NAME_TRIES = 1000 };

/* The process, a minus sign, and a number that makes the name a new one follow. */
#define TEMPORARY_ENDING ".tmp-"

/* ---- Signals ----------------------------------------------------------------------------------------------------- */

static _Atomic(char *) unfinished[LISTED_MAX];
_Static_assert(ATOMIC_POINTER_LOCK_FREE == 2, "a handler of signals must not wait");

static const int ending_signals[] = {SIGINT, SIGTERM, SIGHUP};

static void remove_unfinished(int signal_number)
{
  for (int i = 0; i < LISTED_MAX; i++) {
    const char *name = atomic_exchange(&unfinished[i], NULL);
    if (name)
      unlink(name);
  }
  raise(signal_number); /* SA_RESETHAND: now it ends the program */
}

/* A signal that is ignored, as under nohup, stays ignored. */
void whole_file_remove_on_signals(void)
{
  struct sigaction remove_and_end = {.sa_handler = remove_unfinished, .sa_flags = (int)SA_RESETHAND}, old;
  for (size_t i = 0; i < sizeof ending_signals / sizeof *ending_signals; i++)
    if (sigaction(ending_signals[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
      sigaction(ending_signals[i], &remove_and_end, NULL);
}

/* A file for which there is no room is written as well; only a signal does not remove it. */
static bool list_unfinished(char *name)
{
  for (int i = 0; i < LISTED_MAX; i++) {
    char *none = NULL;
    if (atomic_compare_exchange_strong(&unfinished[i], &none, name))
      return true;
  }
  return false;
}

/* Takes the name out of the table. False: the handler of a signal has it, and it must not be freed. */
static bool unlist_unfinished(char *name)
{
  for (int i = 0; i < LISTED_MAX; i++) {
    char *listed = name;
    if (atomic_compare_exchange_strong(&unfinished[i], &listed, NULL))
      return true;
  }
  return false;
}

/* ---- Opening ----------------------------------------------------------------------------------------------------- */

static void forget(whole_file *file)
{
  if (file->is_listed && !unlist_unfinished(file->temporary))
    file->temporary = NULL;
  free(file->path);
  free(file->temporary);
  *file = (whole_file){0};
}

static bool give_up(whole_file *file)
{
  int reason = errno;
  forget(file);
  errno = reason;
  return false;
}

/* The file that a symbolic link points to: otherwise the link would be replaced by the file. */
static char *resolve(const char *path)
{
  char *resolved = realpath(path, NULL);
  return resolved || errno == ENOMEM ? resolved : strdup(path);
}

static bool is_special(const char *path)
{
  struct stat status;
  return stat(path, &status) == 0 && !S_ISREG(status.st_mode);
}

/* Creates a file with a new name in the same directory, with the permissions of any new file (mkstemp has others). */
static int create_beside(const char *path, char **name)
{
  size_t size = strlen(path) + 64;
  *name = malloc(size);
  if (!*name)
    return -1;
  for (int i = 0; i < NAME_TRIES; i++) {
    snprintf(*name, size, "%s" TEMPORARY_ENDING "%ld-%d", path, (long)getpid(), i);
    int descriptor = open(*name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor >= 0 || errno != EEXIST)
      return descriptor;
  }
  return -1;
}

static bool open_descriptor(whole_file *file, int descriptor)
{
  file->stream = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
  if (file->stream)
    return true;
  if (descriptor >= 0) {
    close(descriptor);
    if (file->temporary)
      unlink(file->temporary);
  }
  return give_up(file);
}

bool whole_file_open(whole_file *file, const char *path)
{
  *file = (whole_file){.path = resolve(path)};
  if (!file->path)
    return false;
  if (is_special(file->path))
    return open_descriptor(file, open(file->path, O_WRONLY | O_CLOEXEC));
  if (!open_descriptor(file, create_beside(file->path, &file->temporary)))
    return false;
  file->is_listed = list_unfinished(file->temporary);
  return true;
}

/* ---- Closing ----------------------------------------------------------------------------------------------------- */

/* An error of an earlier buffered write counts as well, though its errno is lost. */
static bool close_stream(whole_file *file)
{
  errno = 0;
  bool failed = fflush(file->stream) != 0 || ferror(file->stream);
  int reason = errno;
  failed = fclose(file->stream) != 0 || failed;
  errno = reason ? reason : errno ? errno : EIO;
  return !failed;
}

/* A file that is not a regular file may refuse to be synced. */
static bool sync_stream(FILE *stream)
{
  errno = 0;
  bool is_synced = fflush(stream) == 0 && !ferror(stream) &&
                   (fsync(fileno(stream)) == 0 || errno == EINVAL || errno == ENOTSUP || errno == EROFS);
  errno = errno ? errno : EIO; /* of an earlier write the reason is lost */
  return is_synced;
}

static bool rename_temporary(const whole_file *file, const char *previous)
{
  if (previous)
    (void)rename(file->path, previous); /* there may be no file yet */
  return rename(file->temporary, file->path) == 0;
}

static bool finish(whole_file *file, bool on_disk, const char *previous)
{
  bool is_done = !on_disk || sync_stream(file->stream);
  int reason = errno;
  bool is_closed = close_stream(file);
  if (is_done && !is_closed)
    reason = errno;
  is_done = is_done && is_closed;
  if (file->temporary) {
    if (is_done && !rename_temporary(file, previous)) {
      reason = errno;
      is_done = false;
    }
    if (!is_done)
      unlink(file->temporary);
  }
  if (is_done && on_disk)
    directory_sync_of(file->path);
  forget(file);
  errno = reason;
  return is_done;
}

bool whole_file_finish(whole_file *file)
{
  return finish(file, false, NULL);
}

bool whole_file_finish_on_disk(whole_file *file)
{
  return finish(file, true, NULL);
}

bool whole_file_finish_keeping(whole_file *file, const char *previous)
{
  return finish(file, true, previous);
}

void whole_file_discard(whole_file *file)
{
  if (!file->stream)
    return;
  fclose(file->stream);
  if (file->temporary)
    unlink(file->temporary);
  forget(file);
}

bool whole_file_is_temporary_ending(const char *ending)
{
  static const char digits[] = "0123456789";
  const size_t length = sizeof TEMPORARY_ENDING - 1;
  if (strncmp(ending, TEMPORARY_ENDING, length) != 0)
    return false;
  size_t process = strspn(ending + length, digits);
  const char *rest = ending + length + process;
  return process > 0 && rest[0] == '-' && rest[1] != '\0' && rest[1 + strspn(rest + 1, digits)] == '\0';
}
