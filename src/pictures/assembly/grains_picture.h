/* SPDX-License-Identifier: MIT */
/*
 * The picture of the grains at the end of a stage: a slice of the assembly, seen along the third axis. Left panel:
 * grains, shaded by their mean stress. Right panel: force chains, lines from centre to centre of grains that touch, as
 * wide as the normal force is large.
 *
 * The slice is 1.5 mean diameters thick and lies in the middle of the cell, parallel to two of its edges, so that it is
 * periodic however far the cell leans. It has the grains whose centres it contains, and larger ones that its middle
 * cuts. The dashed outline is the cell. Grains that cross it are drawn at both sides;
 * those whose centres are outside are pale. Of cells wider than WINDOW_MAX mean diameters only the middle is drawn.
 */
#ifndef JAGER_PICTURES_ASSEMBLY_GRAINS_PICTURE_H
#define JAGER_PICTURES_ASSEMBLY_GRAINS_PICTURE_H

#include "pictures/picture.h"

/* The script of a stage_contents. The caller checks the stream for errors of writing. */
picture_script grains_picture_write;

#endif
