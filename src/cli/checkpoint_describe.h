/* SPDX-License-Identifier: MIT */
/* What is in a checkpoint. */
#ifndef JAGER_CLI_CHECKPOINT_DESCRIBE_H
#define JAGER_CLI_CHECKPOINT_DESCRIBE_H

#include "simulation.h"

#include <stdbool.h>
#include <stdio.h>

/* For people, or as JSON. False, and nothing printed, if it is no whole checkpoint. */
bool checkpoint_describe(const char *path, bool as_json, FILE *out, dem_error *error);

#endif
