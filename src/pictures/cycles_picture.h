/* SPDX-License-Identifier: MIT */
/*
 * The picture of a run's cycles, drawn from DIR/cycles.csv: DIR/cycles.png and .svg. Four panels over the number of
 * cycles: pore pressure ratio (void ratio if the stages are drained), amplitudes of strain, secant modulus, damping
 * ratio with its parts. It shows the last group of cyclic stages that cycle the same stress over the same strain.
 */
#ifndef JAGER_PICTURES_CYCLES_PICTURE_H
#define JAGER_PICTURES_CYCLES_PICTURE_H

#include "base/error.h"
#include "dem/case.h"
#include "files/tables/cycles.h"

#include <stdbool.h>
#include <stdio.h>

/* The name of the files, without their endings. */
#define CYCLES_PICTURE "cycles"

/* Draws the picture, unless the table has no rows. gnuplot must be installed. */
bool cycles_picture_draw(const char *dir, const dem_case *run, error_info *error);

/* Writes the script. The table must have rows. The caller checks the stream for errors of writing. */
void cycles_picture_write(const cycles_table *table, const dem_case *run, const char *terminal, FILE *script);

#endif
