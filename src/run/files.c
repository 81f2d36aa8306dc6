/* SPDX-License-Identifier: MIT */
/* The names of the files that a run writes. A name that differs in one character is not one of them. */
#include "files.h"
#include "base/error.h"
#include "base/file_system.h"
#include "base/whole_file.h"
#include "dem/case.h"
#include "files/result_layout.h"
#include "pictures/assembly/assembly_picture.h"
#include "pictures/cycles_picture.h"
#include "pictures/picture.h"
#include "pictures/ready_test_picture.h"
#include "pictures/run_picture.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Names ------------------------------------------------------------------------------------------------------- */

static bool is_fixed_name(const char *name)
{
  static const char *const names[] = {RUN_CHECKPOINT,         RUN_CHECKPOINT_BEFORE,  RUN_SERIES, RUN_CYCLES,
                                      RUN_REDUCTION,          RUN_RESISTANCE,         RUN_RESULT, RUN_SUMMARY,
                                      RUN_SPHERES_COLLECTION, RUN_CONTACTS_COLLECTION};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(name, names[i]) == 0)
      return true;
  return false;
}

static bool is_trace(const char *name)
{
  char trace[64];
  for (int k = 1; k <= DEM_TRACES_MAX; k++) {
    snprintf(trace, sizeof trace, RUN_TRACE_FORMAT, k);
    if (strcmp(name, trace) == 0)
      return true;
  }
  return false;
}

/* Is it the picture of this name, in one of its formats? */
static bool is_picture_named(const char *name, const char *start)
{
  size_t length = strlen(start);
  for (int i = 0; i < PICTURE_ENDINGS && strncmp(name, start, length) == 0; i++)
    if (strcmp(name + length, picture_endings[i]) == 0)
      return true;
  return false;
}

static bool is_picture(const char *name)
{
  const char *start;
  char of_assembly[ASSEMBLY_PICTURE_NAME_SIZE];
  for (int number = 0; (start = run_picture_name(number)); number++)
    if (is_picture_named(name, start))
      return true;
  for (int number = 0; assembly_picture_name(number, of_assembly); number++)
    if (is_picture_named(name, of_assembly))
      return true;
  return is_picture_named(name, CYCLES_PICTURE) || is_picture_named(name, REDUCTION_PICTURE) ||
         is_picture_named(name, RESISTANCE_PICTURE);
}

static bool is_step_file(const char *folder, const char *name, step_files files)
{
  return strcmp(folder, files.folder) == 0 && step_file_number(name, files) >= 0;
}

static bool is_of_run(const char *folder, const char *name)
{
  if (*folder == '\0')
    return is_fixed_name(name) || is_trace(name) || is_picture(name);
  return is_step_file(folder, name, run_snapshot_files) || is_step_file(folder, name, run_sphere_files) ||
         is_step_file(folder, name, run_contact_files);
}

run_file run_file_kind(const char *folder, const char *name)
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

/* ---- Files ------------------------------------------------------------------------------------------------------- */

typedef struct visit {
  const char *dir, *folder;
  run_file_visitor *visitor;
  void *context;
} visit;

static bool visit_file(const visit *of, const char *name, error_info *error)
{
  run_file kind = run_file_kind(of->folder, name);
  if (kind == RUN_FILE_FOREIGN)
    return true;
  char *path = path_in(of->dir, "%s%s%s", of->folder, *of->folder ? "/" : "", name);
  bool goes_on = path ? of->visitor(path, kind, of->context, error) : error_out_of_memory(error);
  free(path);
  return goes_on;
}

/* A folder that does not exist has no files. */
static bool visit_folder(const visit *of, error_info *error)
{
  char *path = *of->folder ? path_in(of->dir, "%s", of->folder) : strdup(of->dir);
  if (!path)
    return error_out_of_memory(error);
  DIR *stream = opendir(path);
  bool goes_on = stream || errno == ENOENT || error_set_errno(error, "read the directory", path);
  free(path);
  for (struct dirent *entry; goes_on && stream && (entry = readdir(stream));)
    goes_on = visit_file(of, entry->d_name, error);
  if (stream)
    closedir(stream);
  return goes_on;
}

bool run_files_visit(const char *dir, run_file_visitor *visitor, void *context, error_info *error)
{
  static const char *const folders[] = {"", RUN_VTK_FOLDER, RESULT_SNAPSHOTS};
  bool goes_on = true;
  for (size_t i = 0; goes_on && i < sizeof folders / sizeof *folders; i++) {
    const visit of = {dir, folders[i], visitor, context};
    goes_on = visit_folder(&of, error);
  }
  return goes_on;
}
