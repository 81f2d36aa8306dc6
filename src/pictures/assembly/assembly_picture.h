/* SPDX-License-Identifier: MIT */
/*
 * The pictures of the assembly: DIR/grading at the end of a run; DIR/grains-N and DIR/rose-N at the end of stage N,
 * where 0 is packing. Each is drawn as .png and .svg.
 */
#ifndef JAGER_PICTURES_ASSEMBLY_ASSEMBLY_PICTURE_H
#define JAGER_PICTURES_ASSEMBLY_ASSEMBLY_PICTURE_H

#include "base/error.h"
#include "dem/case.h"
#include "dem/observe/grading.h"
#include "dem/observe/snapshot.h"

#include <stdbool.h>

bool assembly_picture_draw_grading(const char *dir, const dem_grading *grading, const dem_case *run, error_info *error);

bool assembly_picture_draw_stage(const char *dir, const dem_snapshot *snapshot, const dem_case *run, int stage,
                                 error_info *error);

/* Removes the pictures of a stage and of all later ones: a run that is resumed draws them again. */
bool assembly_picture_remove(const char *dir, int first_stage, error_info *error);

enum { ASSEMBLY_PICTURE_NAME_SIZE = 32 };

/* The names of all these pictures, without their endings, by their numbers from 0; false: there are no more. */
bool assembly_picture_name(int number, char name[ASSEMBLY_PICTURE_NAME_SIZE]);

#endif
