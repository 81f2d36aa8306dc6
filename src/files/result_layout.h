/* SPDX-License-Identifier: MIT */
/* Names in result.h5 and in the files of snapshots; see docs/files.md. */
#ifndef JAGER_FILES_RESULT_LAYOUT_H
#define JAGER_FILES_RESULT_LAYOUT_H

/* Attributes of the root group by which files of this program are known. */
#define RESULT_FORMAT_ATTRIBUTE "format"
#define RESULT_FORMAT "jager-result"
#define SNAPSHOT_FORMAT "jager-snapshot"
#define RESULT_FORMAT_VERSION_ATTRIBUTE "format_version"
enum { RESULT_FORMAT_VERSION = 1 };

#define RESULT_SERIES "series"
#define RESULT_SNAPSHOTS "snapshots" /* also the folder of the files of snapshots */
#define RESULT_INPUT "input"
#define RESULT_WARNINGS "warnings"

#endif
