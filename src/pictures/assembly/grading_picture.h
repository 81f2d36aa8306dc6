/* SPDX-License-Identifier: MIT */
/*
 * The picture of the grading. Left panel: the grading curve, mass finer over the logarithm of the diameter, with D10,
 * D30, D50 and D60. Right panel: shares of mass and number in classes of diameters.
 */
#ifndef JAGER_PICTURES_ASSEMBLY_GRADING_PICTURE_H
#define JAGER_PICTURES_ASSEMBLY_GRADING_PICTURE_H

#include "dem/case.h"
#include "dem/observe/grading.h"
#include "pictures/picture.h"

typedef struct grading_contents {
  const dem_grading *grading;
  const dem_case *run; /* its title */
} grading_contents;

/* The script of a grading_contents. The caller checks the stream for errors of writing. */
picture_script grading_picture_write;

#endif
