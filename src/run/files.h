/* SPDX-License-Identifier: MIT */
/*
 * The files that a run writes into its directory, recognised by their names (files/run_names.h): so the files that a
 * run could overwrite are known before it starts, and no others are ever removed.
 */
#ifndef JAGER_RUN_FILES_H
#define JAGER_RUN_FILES_H

#include "base/error.h"
#include "files/run_names.h"

#include <stdbool.h>

/* Kinds of files by their names. */
typedef enum run_file {
  RUN_FILE_FOREIGN, /* not a name of a run's file */
  RUN_FILE_FINISHED,
  RUN_FILE_UNFINISHED /* the temporary name of an unfinished file */
} run_file;

/* `folder` is the folder of step_files, or "" for the directory itself. */
run_file run_file_kind(const char *folder, const char *name);

/* Called for one file. False, with an error, ends the visit. */
typedef bool run_file_visitor(const char *path, run_file kind, void *context, error_info *error);

/* Calls the visitor for each file of a run in DIR and its folders. The visitor may remove the file. */
bool run_files_visit(const char *dir, run_file_visitor *visit, void *context, error_info *error);

#endif
