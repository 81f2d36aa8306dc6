/* SPDX-License-Identifier: MIT */
/* Decimal numbers in text, strictly and the same in every locale: no hexadecimal, no "inf", no "nan". */
#ifndef JAGER_CLI_NUMBER_H
#define JAGER_CLI_NUMBER_H

#include <stdbool.h>

/* Longest text of one number. */
enum { NUMBER_TEXT_MAX = 4096 };

/*
 * Reads the number that starts at `at` and returns where it ends; `at` itself if there is none. The value is rounded
 * correctly, and infinite if it is too large for a double.
 */
const char *number_scan(const char *at, const char *end, double *value);

/* The whole text is one number, or "inf". */
bool number_parse(const char *text, double *value);

#endif
