/* SPDX-License-Identifier: MIT */
/* One snapshot as a group of an HDF5 file. */
#ifndef JAGER_FILES_RESULT_SNAPSHOT_H
#define JAGER_FILES_RESULT_SNAPSHOT_H

#include "dem/observe/snapshot.h"

#include <hdf5.h>
#include <stdbool.h>

/* Writes the group `name`. On failure returns false; h5_file_fail gives the reason. */
bool result_snapshot_write(hid_t in, const char *name, const dem_snapshot *snapshot);

/* Reads the group at `path` and checks all its checksums. The caller frees the snapshot with dem_snapshot_free. */
bool result_snapshot_read(hid_t in, const char *path, dem_snapshot *snapshot);

#endif
