/* SPDX-License-Identifier: MIT */
/* Paths, directories, and regular files. */
#include "file_system.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

char *path_in(const char *dir, const char *format, ...)
{
  char *name, *path;
  va_list arguments;
  va_start(arguments, format);
  int length = vasprintf(&name, format, arguments);
  va_end(arguments);
  if (length < 0)
    return NULL;
  if (asprintf(&path, "%s/%s", dir, name) < 0)
    path = NULL;
  free(name);
  return path;
}

/* Makes one directory after the other, unless they exist. */
static bool make_each(char *path)
{
  for (char *at = path + 1;; at++) {
    char end = *at;
    if (end != '/' && end != '\0')
      continue;
    *at = '\0';
    bool made = mkdir(path, 0777) == 0 || errno == EEXIST;
    *at = end;
    if (!made)
      return false;
    if (end == '\0')
      return true;
  }
}

bool directory_make(const char *dir, error_info *error)
{
  struct stat status;
  char *copy = strdup(dir);
  if (!copy)
    return error_out_of_memory(error);
  if (*dir == '\0') {
    free(copy);
    return error_set(error, "the output directory has no name");
  }
  bool made = make_each(copy);
  free(copy);
  if (!made)
    return error_set_errno(error, "make the directory", dir);
  if (stat(dir, &status) != 0 || !S_ISDIR(status.st_mode))
    return error_set(error, "%s is not a directory: give another one with -o", dir);
  if (access(dir, W_OK | X_OK) != 0)
    return error_set_errno(error, "write to the directory", dir);
  return true;
}

bool directory_add(const char *dir, const char *name, error_info *error)
{
  char *path = path_in(dir, "%s", name);
  if (!path)
    return error_out_of_memory(error);
  bool is_made = mkdir(path, 0777) == 0 || errno == EEXIST || error_set_errno(error, "create", path);
  free(path);
  return is_made;
}

void directory_sync_of(const char *path)
{
  char *copy = strdup(path);
  if (!copy)
    return;
  char *slash = strrchr(copy, '/');
  if (slash)
    slash[slash == copy ? 1 : 0] = '\0';
  int directory = open(slash ? copy : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory >= 0) {
    (void)fsync(directory);
    close(directory);
  }
  free(copy);
}

bool file_is_same(const char *a, const char *b)
{
  struct stat of_a, of_b;
  return a && b && stat(a, &of_a) == 0 && stat(b, &of_b) == 0 && of_a.st_dev == of_b.st_dev &&
         of_a.st_ino == of_b.st_ino;
}

bool file_is_same_regular(const char *a, const char *b)
{
  struct stat status;
  if (!a || !b)
    return false;
  if (stat(a, &status) != 0)
    return strcmp(a, b) == 0;
  return S_ISREG(status.st_mode) && file_is_same(a, b);
}

bool file_remove(const char *path, error_info *error)
{
  return unlink(path) == 0 || errno == ENOENT || error_set_errno(error, "remove", path);
}

/* O_NONBLOCK keeps open from waiting for the writer of a pipe; in a regular file it has no effect. */
FILE *regular_file_open(const char *path, const char **reason)
{
  struct stat status;
  int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  bool is_special = descriptor >= 0 && fstat(descriptor, &status) == 0 && !S_ISREG(status.st_mode);
  FILE *stream = descriptor >= 0 && !is_special ? fdopen(descriptor, "rb") : NULL;
  if (stream)
    return stream;
  bool is_directory = is_special && S_ISDIR(status.st_mode);
  int number = is_directory ? EISDIR : is_special ? EINVAL : errno;
  *reason = is_directory ? "it is a directory" : is_special ? "it is not a regular file" : strerror(number);
  if (descriptor >= 0)
    close(descriptor);
  errno = number;
  return NULL;
}
