/* SPDX-License-Identifier: MIT */
/* What is in a result.h5 or in the file of a snapshot. */
#ifndef JAGER_FILES_RESULT_DESCRIBE_H
#define JAGER_FILES_RESULT_DESCRIBE_H

#include "base/error.h"

#include <stdbool.h>
#include <stdio.h>

/*
 * Prints where the file comes from, its stages, the last values of its series and its snapshots; for people, or as
 * JSON. False if the file can not be read, is none of ours, or is damaged: people are then told what could be read before
 * the damage. Errors of writing stay with the stream.
 */
bool result_describe(const char *path, bool as_json, FILE *out, error_info *error);

/* Prints the text of the case that the result comes from, byte by byte. */
bool result_print_input(const char *path, FILE *out, error_info *error);

#endif
