/* SPDX-License-Identifier: MIT */
/*
 * Files that appear only when they are whole. A signal that ends the program must not leave half of one behind either:
 * so the names of those being written stand in a table, where the signal's handler finds them.
 */
#include "whole_file.h"
#include "file_system.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { OPEN_MAX_FILES = 8, NAME_TRIES = 1000 };

/* then the process, a minus sign, and a number that makes the name a new one */
#define TEMPORARY_ENDING ".tmp-"

/* ---- What a signal removes --------------------------------------------------------------------------------------- */

static char *volatile unfinished[OPEN_MAX_FILES];

static const int ending_signals[] = {SIGINT, SIGTERM, SIGHUP};

static void remove_unfinished(int signal_number)
{
  for (int i = 0; i < OPEN_MAX_FILES; i++)
    if (unfinished[i])
      unlink(unfinished[i]);
  raise(signal_number); /* SA_RESETHAND: now it ends the program */
}

/* A signal that is ignored, as under nohup, stays so. */
static void watch_signals(void)
{
  struct sigaction remove_and_end = {.sa_handler = remove_unfinished, .sa_flags = (int)SA_RESETHAND}, old;
  for (size_t i = 0; i < sizeof ending_signals / sizeof *ending_signals; i++)
    if (sigaction(ending_signals[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
      sigaction(ending_signals[i], &remove_and_end, NULL);
}

static void replace_unfinished(const char *old, char *new)
{
  for (int i = 0; i < OPEN_MAX_FILES; i++)
    if (unfinished[i] == old) {
      unfinished[i] = new;
      return;
    }
}

/* ---- Opening ----------------------------------------------------------------------------------------------------- */

static void forget(whole_file *file)
{
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

/* The file itself where `path` is a link to it: else the link would be replaced, and not what it points to. */
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

/* Creates a file with a new name beside the path. Its permissions are those of any new file, which mkstemp's are not.
 */
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
  replace_unfinished(NULL, file->temporary);
  watch_signals();
  return true;
}

/* ---- Closing ----------------------------------------------------------------------------------------------------- */

/* An error that a buffered write met earlier counts as well, though its errno is lost. */
static bool close_stream(whole_file *file)
{
  errno = 0;
  bool failed = fflush(file->stream) != 0 || ferror(file->stream);
  int reason = errno;
  failed = fclose(file->stream) != 0 || failed;
  errno = reason ? reason : errno ? errno : EIO;
  return !failed;
}

/* What is no regular file may not be able to be synced, and need not be. */
static bool sync_stream(FILE *stream)
{
  return fflush(stream) == 0 && !ferror(stream) &&
         (fsync(fileno(stream)) == 0 || errno == EINVAL || errno == ENOTSUP || errno == EROFS);
}

bool whole_file_finish_on_disk(whole_file *file)
{
  if (!sync_stream(file->stream)) {
    int reason = errno;
    whole_file_discard(file);
    errno = reason ? reason : EIO;
    return false;
  }
  char *path = strdup(file->path);
  if (!path) {
    whole_file_discard(file);
    errno = ENOMEM;
    return false;
  }
  bool is_finished = whole_file_finish(file);
  int reason = errno;
  if (is_finished)
    directory_sync_of(path);
  free(path);
  errno = reason;
  return is_finished;
}

bool whole_file_finish(whole_file *file)
{
  bool written = close_stream(file);
  if (!file->temporary) {
    forget(file);
    return written;
  }
  if (written && rename(file->temporary, file->path) == 0) {
    replace_unfinished(file->temporary, NULL);
    forget(file);
    return true;
  }
  int reason = errno;
  unlink(file->temporary);
  replace_unfinished(file->temporary, NULL);
  errno = reason;
  return give_up(file);
}

void whole_file_discard(whole_file *file)
{
  if (!file->stream)
    return;
  fclose(file->stream);
  if (file->temporary) {
    unlink(file->temporary);
    replace_unfinished(file->temporary, NULL);
  }
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
