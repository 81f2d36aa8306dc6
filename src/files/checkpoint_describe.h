/* SPDX-License-Identifier: MIT */
/* What is in a checkpoint. */
#ifndef JAGER_FILES_CHECKPOINT_DESCRIBE_H
#define JAGER_FILES_CHECKPOINT_DESCRIBE_H

#include "base/error.h"

#include <stdbool.h>
#include <stdio.h>

/* For people, or as JSON. False, and nothing printed, if it is no whole checkpoint. */
bool checkpoint_describe(const char *path, bool as_json, FILE *out, error_info *error);

#endif
