/* SPDX-License-Identifier: MIT */
/*
 * The plane in which the assembly at the end of a stage is drawn: x–z, or that of the shear strain which the stage
 * drives.
 */
#ifndef JAGER_PICTURES_ASSEMBLY_PLANE_H
#define JAGER_PICTURES_ASSEMBLY_PLANE_H

#include "dem/case.h"
#include "dem/observe/snapshot.h"

#include <stdio.h>

/* Numbers of axes: 0 is x. The depth is the third one. */
typedef struct picture_plane {
  int across, up, depth;
} picture_plane;

/* Stage 0 is packing. */
picture_plane picture_plane_of(const dem_case *run, int stage);

/* "x", "y" or "z" */
char picture_axis_name(int axis);

/* What the pictures of the assembly at the end of a stage show. */
typedef struct stage_contents {
  const dem_snapshot *snapshot;
  const dem_case *run;
  int stage;
  picture_plane plane;
  uint32_t *order; /* numbers of the spheres, from the back to the front; owned */
} stage_contents;

/* False if there is no memory; there is nothing to free then. */
bool stage_contents_init(stage_contents *of, const dem_snapshot *snapshot, const dem_case *run, int stage);
void stage_contents_free(stage_contents *of);

/* A position as shares of the cell's edges: f of x = H f, where H, upper triangular, has the edges as columns. */
void cell_shares(const double h[3][3], const double x[3], double f[3]);

/* Begins two panels side by side. The title is "TITLE: end of stage 2 (shear), MORE"; the case gives TITLE. */
void stage_contents_begin(const stage_contents *of, const char *more, FILE *script);

#endif
