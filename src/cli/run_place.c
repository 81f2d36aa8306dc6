/* SPDX-License-Identifier: MIT */
/* The directory of a run. */
#include "run_place.h"
#include "failure.h"
#include "output_file.h"
#include "run_figure.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

char *run_path(const char *dir, const char *name)
{
  size_t size = strlen(dir) + strlen(name) + 2;
  char *path = malloc(size);
  if (path)
    snprintf(path, size, "%s/%s", dir, name);
  return path;
}

/* Makes one directory after the other; those that are there already are fine. */
static bool make_all(char *path)
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

bool run_place_make(const char *dir, dem_error *error)
{
  struct stat status;
  char *copy = strdup(dir);
  if (!copy)
    return fail_in_memory(error);
  if (*dir == '\0') {
    free(copy);
    return fail_with(error, "the output directory has no name");
  }
  bool made = make_all(copy);
  free(copy);
  if (!made)
    return fail_with_errno(error, "make the directory", dir);
  if (stat(dir, &status) != 0 || !S_ISDIR(status.st_mode))
    return fail_with(error, "%s is not a directory: give another one with -o", dir);
  if (access(dir, W_OK | X_OK) != 0)
    return fail_with_errno(error, "write to the directory", dir);
  return true;
}

/* Where the file system or the kernel knows no locks, there is none: then it is up to the user. */
bool run_place_lock(const char *dir, int *lock, dem_error *error)
{
  *lock = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (*lock < 0 || flock(*lock, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
    return true;
  return fail_with(error, "another run is under way in %s", dir);
}

static bool exists(const char *dir, const char *name)
{
  char *path = run_path(dir, name);
  bool is = !path || access(path, F_OK) == 0; /* without memory to tell: better nothing is overwritten */
  free(path);
  return is;
}

bool run_place_is_used(const char *dir)
{
  return exists(dir, RUN_CHECKPOINT) || exists(dir, RUN_CHECKPOINT_BEFORE) || exists(dir, "series.csv") ||
         exists(dir, "result.h5");
}

static void remove_from(const char *dir, const char *name)
{
  char *path = run_path(dir, name);
  if (path)
    unlink(path);
  free(path);
}

static bool begins_with(const char *name, size_t length, const char *start)
{
  return length >= strlen(start) && strncmp(name, start, strlen(start)) == 0;
}

static bool ends_with(const char *name, size_t length, const char *end)
{
  return length >= strlen(end) && strncmp(name + length - strlen(end), end, strlen(end)) == 0;
}

static bool is_trace(const char *name, size_t length)
{
  return begins_with(name, length, "trace-") && ends_with(name, length, ".csv");
}

static bool is_picture(const char *name, size_t length)
{
  bool is_figure = false;
  for (int figure = 0; figure < RUN_FIGURES; figure++)
    is_figure = is_figure || (length == strlen(run_figure_name((run_figure)figure)) + 4 &&
                              begins_with(name, length, run_figure_name((run_figure)figure)));
  return is_figure && (ends_with(name, length, ".png") || ends_with(name, length, ".svg"));
}

/* What is left of a file that a killed run was writing. */
static bool is_half_written(const char *name)
{
  const char *dot = strstr(name, ".tmp-");
  if (!dot || !output_file_is_temporary_ending(dot))
    return false;
  size_t length = (size_t)(dot - name);
  return is_trace(name, length) || is_picture(name, length) || ends_with(name, length, ".pvd") ||
         ends_with(name, length, "result.h5");
}

static bool is_of_earlier_run(const char *name)
{
  size_t length = strlen(name);
  return is_trace(name, length) || is_picture(name, length) || strcmp(name, RUN_CHECKPOINT) == 0 ||
         strcmp(name, RUN_CHECKPOINT_BEFORE) == 0;
}

void run_place_clear(const char *dir, bool is_resumed)
{
  DIR *stream = opendir(dir);
  for (struct dirent *entry; stream && (entry = readdir(stream));)
    if (is_half_written(entry->d_name) || (!is_resumed && is_of_earlier_run(entry->d_name)))
      remove_from(dir, entry->d_name);
  if (stream)
    closedir(stream);
}
