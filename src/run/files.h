/* SPDX-License-Identifier: MIT */
/*
 * The files that a run writes into its directory. Those who write them take their names from here: so whatever a run
 * could overwrite is known before it starts, and nothing else is ever removed.
 */
#ifndef JAGER_RUN_FILES_H
#define JAGER_RUN_FILES_H

#include "base/error.h"
#include "files/run_names.h"

#include <stdbool.h>

/* What a file is to a run, by its name alone. */
typedef enum run_file {
  RUN_FILE_FOREIGN, /* no run writes such a file */
  RUN_FILE_WHOLE,
  RUN_FILE_HALF /* what a run was writing when it was killed */
} run_file;

/* `folder` is that of some step_files, or "" for the directory itself. */
run_file run_file_kind(const char *folder, const char *name);

/* Is told of one file; false, with an error, ends the visit. */
typedef bool run_file_visitor(const char *path, run_file kind, void *context, error_info *error);

/* Goes through all files in DIR and its folders that a run writes. Those that it visits may be removed. */
bool run_files_visit(const char *dir, run_file_visitor *visit, void *context, error_info *error);

#endif
