/* SPDX-License-Identifier: MIT */
/* One snapshot as a group of an HDF5 file. */
#ifndef JAGER_FILES_RESULT_SNAPSHOT_H
#define JAGER_FILES_RESULT_SNAPSHOT_H

#include "dem/observe/snapshot.h"

#include <hdf5.h>
#include <stdbool.h>

/* Makes the group `name` and fills it. On failure returns false; see h5_file_fail. */
bool result_snapshot_write(hid_t in, const char *name, const dem_snapshot *snapshot);

/* Reads all of the group `name`, which checks every checksum. The snapshot is to be freed by dem_snapshot_free. */
bool result_snapshot_read(hid_t in, const char *name, dem_snapshot *snapshot);

#endif
