/* SPDX-License-Identifier: MIT */
/* Describes the contents of a checkpoint. */
#ifndef JAGER_FILES_CHECKPOINT_DESCRIBE_H
#define JAGER_FILES_CHECKPOINT_DESCRIBE_H

#include "base/error.h"

#include <stdbool.h>
#include <stdio.h>

/* Prints the contents as text or JSON. Returns false, and prints nothing, if the file is not a complete checkpoint. */
bool checkpoint_describe(const char *path, bool as_json, FILE *out, error_info *error);

#endif
