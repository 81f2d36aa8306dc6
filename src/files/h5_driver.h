/* SPDX-License-Identifier: MIT */
/*
 * A file driver for HDF5, which hides errors of writing from it. With HDF5's own drivers a full disk makes H5Fclose()
 * fail, and the library then crashes at the end of the program (https://github.com/h5py/h5py/issues/914). This driver
 * keeps the first error for the caller, and HDF5 continues as if the write had succeeded. Files are not locked: none
 * is written in place.
 */
#ifndef JAGER_FILES_H5_DRIVER_H
#define JAGER_FILES_H5_DRIVER_H

#include <hdf5.h>

/*
 * File-access properties with this driver and the format of HDF5 1.10, whose metadata have checksums. The caller
 * closes them; -1 on failure. `failure` becomes 0, then the errno of the first error; it must exist as long as the
 * file is open.
 */
hid_t h5_driver_properties(int *failure);

#endif
