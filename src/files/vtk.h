/* SPDX-License-Identifier: MIT */
/*
 * Snapshots for ParaView: DIR/vtk/spheres-000000123.vtp and DIR/vtk/contacts-000000123.vtp with the number of the
 * step, and the collections DIR/spheres.pvd and DIR/contacts.pvd, which list the files and their times. Grains of
 * several spheres have the same in DIR/vtk/grains-000000123.vtp and DIR/grains.pvd.
 */
#ifndef JAGER_FILES_VTK_H
#define JAGER_FILES_VTK_H

#include "base/error.h"
#include "dem/snapshot.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct vtk_moment {
  long step;
  double time; /* s */
} vtk_moment;

typedef struct vtk_output {
  char *dir;
  size_t count, capacity;
  vtk_moment *moments; /* of all snapshots, by step */
  bool has_grains;     /* of several spheres */
} vtk_output;

/*
 * `keep_step` < 0: a new run. Files of an older run are removed.
 * Otherwise a run that resumes from a checkpoint at that step. Later files are removed, and the collections written
 * again. No file is created before the first snapshot. On failure returns false, and there is nothing to close.
 */
bool vtk_open(vtk_output *output, const char *dir, long keep_step, error_info *error);

/* Writes the files of a snapshot, and the collections. A file appears only when it is complete. */
bool vtk_write(vtk_output *output, const dem_snapshot *snapshot, error_info *error);

/* Frees memory. An output of zeros, which was never open, is allowed. */
void vtk_close(vtk_output *output);

#endif
