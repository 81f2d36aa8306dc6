/* SPDX-License-Identifier: MIT */
/* The directory of a run. */
#include "run_place.h"
#include "failure.h"
#include "run_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

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

/*
 * Where the file system or the kernel knows no locks, there is none: then it is up to the user. A run that was killed may leave a
 * child that writes HDF5; it dies within moments, so these are waited for.
 */
enum { LOCK_TRIALS = 50, LOCK_PAUSE = 10000000 }; /* half a second in all; ns */

bool run_place_lock(const char *dir, int *lock, dem_error *error)
{
  *lock = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  for (int trial = 0; trial < LOCK_TRIALS; trial++) {
    if (*lock < 0 || flock(*lock, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
      return true;
    (void)nanosleep(&(struct timespec){.tv_nsec = LOCK_PAUSE}, NULL);
  }
  return fail_with(error, "another run is under way in %s", dir);
}

/* ---- What is in it ----------------------------------------------------------------------------------------------- */

/* Keeps the first name in the order of letters: the answer does not hang on the order of the directory. */
static bool take_first(const char *path, run_file kind, void *context, dem_error *error)
{
  char **first = context;
  (void)kind;
  if (*first && strcmp(*first, path) <= 0)
    return true;
  free(*first);
  *first = strdup(path);
  return *first || fail_in_memory(error);
}

bool run_place_find_used(const char *dir, char **file, dem_error *error)
{
  *file = NULL;
  if (run_files_visit(dir, take_first, file, error))
    return true;
  free(*file);
  *file = NULL;
  return false;
}

/* Two names of one file. */
static bool is_same_file(const char *a, const char *b)
{
  struct stat of_a, of_b;
  return a && b && stat(a, &of_a) == 0 && stat(b, &of_b) == 0 && of_a.st_dev == of_b.st_dev &&
         of_a.st_ino == of_b.st_ino;
}

static bool is_checkpoint_name(const char *path)
{
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  return strcmp(name, RUN_CHECKPOINT) == 0 || strcmp(name, RUN_CHECKPOINT_BEFORE) == 0;
}

static bool check_file(const char *path, run_file kind, void *context, dem_error *error)
{
  run_inputs *inputs = context;
  struct stat status;
  (void)kind;
  if (lstat(path, &status) == 0 && !S_ISREG(status.st_mode))
    return fail_with(error,
                     "%s is no regular file, so that no run can have written it: remove it yourself, or take "
                     "another directory with -o",
                     path);
  bool is_start = is_same_file(path, inputs->assembly);
  if (is_same_file(path, inputs->case_file) || (is_start && !is_checkpoint_name(path)))
    return fail_with(error, "the run reads %s, and would replace it: rename it, or take another directory with -o",
                     path);
  inputs->start_is_here = inputs->start_is_here || is_start;
  return true;
}

bool run_place_check(const char *dir, run_inputs *inputs, dem_error *error)
{
  inputs->start_is_here = false;
  return run_files_visit(dir, check_file, inputs, error);
}

typedef struct clearing {
  const run_inputs *inputs;
  bool is_resumed;
} clearing;

static bool clear_file(const char *path, run_file kind, void *context, dem_error *error)
{
  const clearing *of = context;
  bool stays = (of->is_resumed && kind == RUN_FILE_WHOLE) || is_same_file(path, of->inputs->assembly);
  return stays || file_remove(path, error);
}

bool run_place_clear(const char *dir, const run_inputs *inputs, bool is_resumed, dem_error *error)
{
  clearing of = {inputs, is_resumed};
  return run_files_visit(dir, clear_file, &of, error);
}
