/* SPDX-License-Identifier: MIT */
/*
 * The names of the files in the directory of a run. All writers use these names, so that the files that a run would
 * replace are known before it starts (run/files.h). The names of pictures of the series are in
 * pictures/run_picture.c, pictures[].
 */
#ifndef JAGER_FILES_RUN_NAMES_H
#define JAGER_FILES_RUN_NAMES_H

#include "result_layout.h"
#include "step_files.h"

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
#define RUN_TRACE_FORMAT "trace-%d.csv" /* from 1 on */
#define RUN_VTK_FOLDER "vtk"

/* Pictures of the assembly, without their endings; N is the stage, 0 is packing. */
#define RUN_GRADING "grading"
#define RUN_GRAINS_FORMAT "grains-%d"
#define RUN_ROSE_FORMAT "rose-%d"

static const step_files run_snapshot_files = {RESULT_SNAPSHOTS, "", ".h5"};
static const step_files run_sphere_files = {RUN_VTK_FOLDER, "spheres-", ".vtp"};
static const step_files run_contact_files = {RUN_VTK_FOLDER, "contacts-", ".vtp"};

#endif
