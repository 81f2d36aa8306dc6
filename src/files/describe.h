/* SPDX-License-Identifier: MIT */
/* Describes the contents of a result.h5, of the file of a snapshot, or of a checkpoint, as text or JSON. */
#ifndef JAGER_FILES_DESCRIBE_H
#define JAGER_FILES_DESCRIBE_H

#include "base/error.h"

#include <stdbool.h>
#include <stdio.h>

/*
 * Prints the provenance of the file, its stages, the last values of its series and its snapshots, as text or JSON.
 * Returns false if the file cannot be read, is of another program, or is damaged; of a damaged file the text has the
 * contents that were read before the damage was met, JSON none. The caller checks the stream for errors of writing.
 */
bool result_describe(const char *path, bool as_json, FILE *out, error_info *error);

/* Prints the text of the case file of a result, unchanged. */
bool result_print_input(const char *path, FILE *out, error_info *error);

/* Prints the contents of a checkpoint. Returns false, and prints nothing, if the file is not a complete checkpoint. */
bool checkpoint_describe(const char *path, bool as_json, FILE *out, error_info *error);

#endif
