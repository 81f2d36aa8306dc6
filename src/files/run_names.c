/* SPDX-License-Identifier: MIT */
/* Files with the number of their step in their names. */
#include "run_names.h"
#include "base/file_system.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *step_file_path(const char *dir, step_files files, long step)
{
  return path_in(dir, "%s/%s" STEP_NAME_FORMAT "%s", files.folder, files.prefix, step, files.suffix);
}

/* The number after the prefix, if it is written as step_file_path does; -1 otherwise. `rest` is the text after it. */
static long number_after_prefix(const char *name, step_files files, const char **rest)
{
  enum { DIGITS_MAX = 18 };
  char written[DIGITS_MAX + 2];
  size_t length = strlen(files.prefix);
  if (strncmp(name, files.prefix, length) != 0)
    return -1;
  size_t digits = strspn(name + length, "0123456789");
  *rest = name + length + digits;
  if (digits == 0 || digits > DIGITS_MAX)
    return -1;
  long step = strtol(name + length, NULL, 10);
  snprintf(written, sizeof written, STEP_NAME_FORMAT, step);
  return strlen(written) == digits && strncmp(written, name + length, digits) == 0 ? step : -1;
}

long step_file_number(const char *name, step_files files)
{
  const char *rest;
  long step = number_after_prefix(name, files, &rest);
  return step >= 0 && strcmp(rest, files.suffix) == 0 ? step : -1;
}

/* NULL with errno = ENOENT if there is no folder, which is no error. */
static DIR *open_folder(const char *dir, const char *folder, error_info *error)
{
  char *path = path_in(dir, "%s", folder);
  DIR *stream = path ? opendir(path) : NULL;
  int reason = path ? errno : ENOMEM;
  if (!stream && reason != ENOENT) {
    errno = reason;
    error_set_errno(error, "read the directory", path ? path : folder);
  }
  free(path);
  errno = reason;
  return stream;
}

static int compare_steps(const void *a, const void *b)
{
  long left = *(const long *)a, right = *(const long *)b;
  return (left > right) - (left < right);
}

bool step_files_list(const char *dir, step_files files, long **steps, size_t *count, error_info *error)
{
  size_t capacity = 0;
  bool has_memory = true;
  *steps = NULL;
  *count = 0;
  DIR *stream = open_folder(dir, files.folder, error);
  if (!stream)
    return errno == ENOENT;
  for (struct dirent *entry; (entry = readdir(stream));) {
    long step = step_file_number(entry->d_name, files);
    if (step < 0)
      continue;
    if (*count == capacity) {
      capacity = 2 * capacity + 64;
      long *grown = realloc(*steps, capacity * sizeof *grown);
      has_memory = grown != NULL;
      if (!grown)
        break;
      *steps = grown;
    }
    (*steps)[(*count)++] = step;
  }
  closedir(stream);
  if (!has_memory) {
    free(*steps);
    return error_out_of_memory(error);
  }
  if (*count > 0)
    qsort(*steps, *count, sizeof **steps, compare_steps);
  return true;
}

bool step_files_drop(const char *dir, step_files files, long keep_step, error_info *error)
{
  bool is_done = true;
  size_t length = strlen(files.suffix);
  DIR *stream = open_folder(dir, files.folder, error);
  if (!stream)
    return errno == ENOENT;
  for (struct dirent *entry; is_done && (entry = readdir(stream));) {
    const char *rest; /* the suffix; of a temporary file more */
    long step = number_after_prefix(entry->d_name, files, &rest);
    if (step < 0 || strncmp(rest, files.suffix, length) != 0)
      continue;
    if ((rest[length] == '\0' && step > keep_step) || whole_file_is_temporary_ending(rest + length)) {
      char *path = path_in(dir, "%s/%s", files.folder, entry->d_name);
      is_done = path ? file_remove(path, error) : error_out_of_memory(error);
      free(path);
    }
  }
  closedir(stream);
  return is_done;
}
