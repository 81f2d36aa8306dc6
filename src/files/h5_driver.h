/* SPDX-License-Identifier: MIT */
/*
 * HDF5's way to the disk. Its own drivers hand a full disk up to H5Fclose(), which then leaves the library in a state
 * that crashes at the program's end (https://github.com/h5py/h5py/issues/914). This one remembers the first error of
 * writing for the caller and lets HDF5 go on as if nothing had happened. It locks no files: none is written in place.
 */
#ifndef JAGER_FILES_H5_DRIVER_H
#define JAGER_FILES_H5_DRIVER_H

#include <hdf5.h>

/*
 * File-access properties that use the driver and write the format of HDF5 1.10, whose metadata have checksums; to be
 * closed by the caller, -1 on failure. `failure` must live as long as the file is open: it gets an errno, and is 0 before.
 */
hid_t h5_driver_properties(int *failure);

#endif
