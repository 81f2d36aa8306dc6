/* SPDX-License-Identifier: MIT */
/*
 * Snapshots for ParaView: DIR/vtk/spheres-000000123.vtp and DIR/vtk/contacts-000000123.vtp, by their step, and the
 * collections DIR/spheres.pvd and DIR/contacts.pvd that give them their times.
 */
#ifndef JAGER_FILES_VTK_H
#define JAGER_FILES_VTK_H

#include "dem/simulation.h"
#include "dem/observe/snapshot.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct vtk_moment {
  long step;
  double time;
} vtk_moment;

typedef struct vtk_output {
  char *dir;
  size_t count, capacity;
  vtk_moment *moments; /* of the snapshots there are, by step */
} vtk_output;

/*
 * `keep_step` < 0: a new run; files of an old one are removed. Otherwise a run that goes on from a checkpoint at that
 * step: later files are removed, and the collections made anew from the others. Nothing is created before the first
 * snapshot is written. On failure returns false, and there is nothing to close.
 */
bool vtk_open(vtk_output *output, const char *dir, long keep_step, error_info *error);

/* Two files, and the collections with them added. Every file appears only when it is whole. */
bool vtk_write(vtk_output *output, const dem_snapshot *snapshot, error_info *error);

/* Only frees memory. An output that is zeroed, and was never open, is allowed. */
void vtk_close(vtk_output *output);

#endif
