/* SPDX-License-Identifier: MIT */
/*
 * The names of the files in the directory of a run. All writers use these names, so that the files that a run would
 * replace are known before it starts (run/directory.h).
 */
#ifndef JAGER_FILES_RUN_NAMES_H
#define JAGER_FILES_RUN_NAMES_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

#define RUN_CHECKPOINT "checkpoint.jck"
#define RUN_CHECKPOINT_BEFORE "checkpoint-before.jck"
#define RUN_SERIES "series.csv"
#define RUN_CYCLES "cycles.csv"
#define RUN_REDUCTION "reduction.csv"
#define RUN_RESISTANCE "resistance.csv"
#define RUN_RESULT "result.h5"
#define RUN_SUMMARY "summary.txt"
#define RUN_SPHERES_COLLECTION "spheres.pvd"
#define RUN_CONTACTS_COLLECTION "contacts.pvd"
#define RUN_GRAINS_COLLECTION "grains.pvd"
#define RUN_TRACE_FORMAT "trace-%d.csv" /* from 1 on */
#define RUN_VTK_FOLDER "vtk"
#define RESULT_SNAPSHOTS "snapshots" /* a folder, and the group in result.h5 */

/* Pictures of the assembly, without their endings; N is the stage, 0 is packing. */
#define RUN_GRADING "grading"
#define RUN_GRAINS_FORMAT "grains-%d"
#define RUN_ROSE_FORMAT "rose-%d"

/* ---- Files with the number of their step in their names ---------------------------------------------------------- */

/* Steps have at least nine digits in names, so that names of steps below 10^9 sort as their numbers. */
#define STEP_NAME_FORMAT "%09ld"

/* Files called DIR/FOLDER/PREFIX000000123SUFFIX. */
typedef struct step_files {
  const char *folder, *prefix, *suffix;
} step_files;

static const step_files run_snapshot_files = {RESULT_SNAPSHOTS, "", ".h5"};
static const step_files run_sphere_files = {RUN_VTK_FOLDER, "spheres-", ".vtp"};
static const step_files run_contact_files = {RUN_VTK_FOLDER, "contacts-", ".vtp"};
static const step_files run_grain_files = {RUN_VTK_FOLDER, "grains-", ".vtp"};

/* The path of a file, to be freed; NULL if there is no memory. */
char *step_file_path(const char *dir, step_files files, long step);

/* The step in the name of a file, without its folder; -1 if it is not a name of such a file. */
long step_file_number(const char *name, step_files files);

/* The steps of all files in rising order, to be freed. A missing folder has no files. */
bool step_files_list(const char *dir, step_files files, long **steps, size_t *count, error_info *error);

/* Removes the files of later steps than `keep_step`, and temporary files left by a program that was killed. */
bool step_files_drop(const char *dir, step_files files, long keep_step, error_info *error);

#endif
