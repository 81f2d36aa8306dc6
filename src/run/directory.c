/* SPDX-License-Identifier: MIT */
/* The directory of a run. */
#include "directory.h"
#include "base/file_system.h"
#include "dem/case.h"
#include "files/run_names.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/*
 * Without support of the file system or the kernel there is no lock. A list that was killed may leave child processes
 * whose runs hold locks; they die within moments, so a lock is tried for a while.
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

/* ---- The files of a run, by their names -------------------------------------------------------------------------- */

/* Kinds of files by their names. */
typedef enum run_file {
  RUN_FILE_FOREIGN, /* not a name of a run's file */
  RUN_FILE_FINISHED,
  RUN_FILE_UNFINISHED /* the temporary name of an unfinished file */
} run_file;

/* Is it the picture of this name, in one of its formats? */
static bool is_picture_named(const char *name, const char *start)
{
  size_t length = strlen(start);
  return strncmp(name, start, length) == 0 &&
         (strcmp(name + length, ".png") == 0 || strcmp(name + length, ".svg") == 0);
}

/* The names are defined in python/jager/_pictures, draw.py and series.py. */
static bool is_picture(const char *name)
{
  static const char *const names[] = {"stress-strain", "volumetric-strain", "history-length", "energy",
                                      "cycles",        "reduction",         "resistance",     RUN_GRADING};
  char of_stage[32];
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (is_picture_named(name, names[i]))
      return true;
  for (int stage = 0; stage <= DEM_STAGES_MAX; stage++) {
    snprintf(of_stage, sizeof of_stage, RUN_GRAINS_FORMAT, stage);
    if (is_picture_named(name, of_stage))
      return true;
    snprintf(of_stage, sizeof of_stage, RUN_ROSE_FORMAT, stage);
    if (is_picture_named(name, of_stage))
      return true;
  }
  return false;
}

static bool is_step_file(const char *folder, const char *name, step_files files)
{
  return strcmp(folder, files.folder) == 0 && step_file_number(name, files) >= 0;
}

/* A name that differs in one character is not one of them. */
static bool is_of_run(const char *folder, const char *name)
{
  static const char *const names[] = {
      RUN_CHECKPOINT,         RUN_CHECKPOINT_BEFORE,   RUN_SERIES,           RUN_CYCLES,
      RUN_REDUCTION,          RUN_RESISTANCE,          RUN_RESULT,           RUN_SUMMARY,
      RUN_SPHERES_COLLECTION, RUN_CONTACTS_COLLECTION, RUN_GRAINS_COLLECTION};
  char trace[64];
  if (*folder != '\0')
    return is_step_file(folder, name, run_snapshot_files) || is_step_file(folder, name, run_sphere_files) ||
           is_step_file(folder, name, run_contact_files) || is_step_file(folder, name, run_grain_files);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(name, names[i]) == 0)
      return true;
  for (int k = 1; k <= DEM_TRACES_MAX; k++) {
    snprintf(trace, sizeof trace, RUN_TRACE_FORMAT, k);
    if (strcmp(name, trace) == 0)
      return true;
  }
  return is_picture(name);
}

/* `folder` is the folder of step_files, or "" for the directory itself. */
static run_file kind_of(const char *folder, const char *name)
{
  char whole[NAME_MAX + 1];
  if (is_of_run(folder, name))
    return RUN_FILE_FINISHED;
  const char *ending = strrchr(name, '.'); /* a temporary ending has one full stop, its first character */
  if (!ending || !whole_file_is_temporary_ending(ending) || (size_t)(ending - name) >= sizeof whole)
    return RUN_FILE_FOREIGN;
  snprintf(whole, sizeof whole, "%.*s", (int)(ending - name), name);
  return is_of_run(folder, whole) ? RUN_FILE_UNFINISHED : RUN_FILE_FOREIGN;
}

typedef bool file_visitor(const char *path, run_file kind, void *context, error_info *error);

/*
 * Calls the visitor for each file of a run in DIR and its folders, until it returns false, with an error. The visitor
 * may remove the file. A folder that does not exist has no files. A link would lead to files of others.
 */
static bool visit_files(const char *dir, file_visitor *visit, void *context, error_info *error)
{
  static const char *const folders[] = {"", RUN_VTK_FOLDER, RESULT_SNAPSHOTS};
  bool goes_on = true;
  for (size_t i = 0; goes_on && i < sizeof folders / sizeof *folders; i++) {
    const char *folder = folders[i];
    struct stat status;
    char *path = *folder ? path_in(dir, "%s", folder) : strdup(dir);
    if (!path)
      return error_out_of_memory(error);
    if (*folder && lstat(path, &status) == 0 && !S_ISDIR(status.st_mode)) {
      error_set(error,
                "%s is not a directory, so that no run can have made it: remove it yourself, or take another directory",
                path);
      free(path);
      return false;
    }
    DIR *stream = opendir(path);
    goes_on = stream || errno == ENOENT || error_set_errno(error, "read the directory", path);
    free(path);
    for (struct dirent *entry; goes_on && stream && (entry = readdir(stream));) {
      run_file kind = kind_of(folder, entry->d_name);
      if (kind == RUN_FILE_FOREIGN)
        continue;
      char *file = path_in(dir, "%s%s%s", folder, *folder ? "/" : "", entry->d_name);
      goes_on = file ? visit(file, kind, context, error) : error_out_of_memory(error);
      free(file);
    }
    if (stream)
      closedir(stream);
  }
  return goes_on;
}

/* ---- What is done with them -------------------------------------------------------------------------------------- */

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
  if (visit_files(dir, take_first, file, error))
    return true;
  free(*file);
  *file = NULL;
  return false;
}

static bool check_file(const char *path, run_file kind, void *context, error_info *error)
{
  run_inputs *inputs = context;
  struct stat status;
  (void)kind;
  if (lstat(path, &status) == 0 && !S_ISREG(status.st_mode))
    return error_set(error,
                     "%s is not a regular file, so that no run can have written it: remove it yourself, or take "
                     "another directory",
                     path);
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  bool is_checkpoint = strcmp(name, RUN_CHECKPOINT) == 0 || strcmp(name, RUN_CHECKPOINT_BEFORE) == 0;
  bool is_start = file_is_same(path, inputs->assembly);
  if (file_is_same(path, inputs->case_file) || (is_start && !is_checkpoint))
    return error_set(error, "the run reads %s, and would replace it: rename it, or take another directory", path);
  inputs->start_is_here = inputs->start_is_here || is_start;
  return true;
}

bool run_directory_check(const char *dir, run_inputs *inputs, error_info *error)
{
  inputs->start_is_here = false;
  return visit_files(dir, check_file, inputs, error);
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
  return visit_files(dir, clear_file, &of, error);
}
