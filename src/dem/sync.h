/* SPDX-License-Identifier: MIT */
/* Bringing names to the disk: a file that was renamed is safe only when its directory is synced as well. */
#ifndef JAGER_DEM_SYNC_H
#define JAGER_DEM_SYNC_H

/* Syncs the directory of the path. Not all file systems can: no error. */
void sync_directory_of(const char *path);

#endif
