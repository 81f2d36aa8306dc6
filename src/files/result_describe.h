/* SPDX-License-Identifier: MIT */
/* Describes the contents of a result.h5 or of the file of a snapshot. */
#ifndef JAGER_FILES_RESULT_DESCRIBE_H
#define JAGER_FILES_RESULT_DESCRIBE_H

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

#endif
