/* SPDX-License-Identifier: MIT */
/* The directory of a run. */
#include "directory.h"
#include "base/error.h"
#include "base/file_system.h"
#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/*
 * Without support of the file system or the kernel there is no lock. A run that was killed may leave a child process
 * that writes HDF5 and holds the lock; it dies within moments, so the lock is tried for a while.
 */
enum { LOCK_TRIALS = 50, LOCK_PAUSE = 10000000 }; /* half a second in all; ns */

bool run_directory_lock(const char *dir, int *lock, error_info *error)
{
  *lock = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  for (int trial = 0; trial < LOCK_TRIALS; trial++) {
    if (*lock < 0 || flock(*lock, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
      return true;
    (void)nanosleep(&(struct timespec){.tv_nsec = LOCK_PAUSE}, NULL);
  }
  return error_set(error, "another run is working in %s", dir);
}

/* ---- What is in it ----------------------------------------------------------------------------------------------- */

/* Keeps the first path in alphabetical order, so that the answer does not depend on the order of the directory. */
static bool take_first(const char *path, run_file kind, void *context, error_info *error)
{
  char **first = context;
  (void)kind;
  if (*first && strcmp(*first, path) <= 0)
    return true;
  free(*first);
  *first = strdup(path);
  return *first || error_out_of_memory(error);
}

bool run_directory_find_used(const char *dir, char **file, error_info *error)
{
  *file = NULL;
  if (run_files_visit(dir, take_first, file, error))
    return true;
  free(*file);
  *file = NULL;
  return false;
}

static bool is_checkpoint_name(const char *path)
{
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  return strcmp(name, RUN_CHECKPOINT) == 0 || strcmp(name, RUN_CHECKPOINT_BEFORE) == 0;
}

static bool check_file(const char *path, run_file kind, void *context, error_info *error)
{
  run_inputs *inputs = context;
  struct stat status;
  (void)kind;
  if (lstat(path, &status) == 0 && !S_ISREG(status.st_mode))
    return error_set(error,
                     "%s is not a regular file, so that no run can have written it: remove it yourself, or take "
                     "another directory with -o",
                     path);
  bool is_start = file_is_same(path, inputs->assembly);
  if (file_is_same(path, inputs->case_file) || (is_start && !is_checkpoint_name(path)))
    return error_set(error, "the run reads %s, and would replace it: rename it, or take another directory with -o",
                     path);
  inputs->start_is_here = inputs->start_is_here || is_start;
  return true;
}

bool run_directory_check(const char *dir, run_inputs *inputs, error_info *error)
{
  inputs->start_is_here = false;
  return run_files_visit(dir, check_file, inputs, error);
}

typedef struct clearing {
  const run_inputs *inputs;
  bool is_resumed;
} clearing;

static bool clear_file(const char *path, run_file kind, void *context, error_info *error)
{
  const clearing *of = context;
  bool stays = (of->is_resumed && kind == RUN_FILE_FINISHED) || file_is_same(path, of->inputs->assembly);
  return stays || file_remove(path, error);
}

bool run_directory_clear(const char *dir, const run_inputs *inputs, bool is_resumed, error_info *error)
{
  clearing of = {inputs, is_resumed};
  return run_files_visit(dir, clear_file, &of, error);
}
