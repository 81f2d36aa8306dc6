/* SPDX-License-Identifier: MIT */
/* What is in a result.h5 or in the file of a snapshot, for people. */
#ifndef JAGER_CLI_RESULT_DESCRIBE_H
#define JAGER_CLI_RESULT_DESCRIBE_H

#include "simulation.h"

#include <stdbool.h>
#include <stdio.h>

/*
 * Prints where the file comes from, its stages, the last values of its series and its snapshots. False if the file can
 * not be read, is none of ours, or is damaged; it may then be printed in part. Errors of writing stay with the stream.
 */
bool result_describe(const char *path, FILE *out, dem_error *error);

/* Prints the text of the case that the result comes from, byte by byte. */
bool result_print_input(const char *path, FILE *out, dem_error *error);

#endif
