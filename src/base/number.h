/* SPDX-License-Identifier: MIT */
/* Decimal numbers in text, strictly and the same in every locale: no hexadecimal, no "inf", no "nan". */
#ifndef JAGER_BASE_NUMBER_H
#define JAGER_BASE_NUMBER_H

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

enum { NUMBER_PRINT_SIZE = 40 };

/*
 * Prints a number so that reading it gives the same double: 17 significant digits, whole numbers as such, "nan", "inf" or
 * "-inf". A negative zero becomes 0. Returns the length.
 */
int number_print(double value, char text[NUMBER_PRINT_SIZE]);

#endif
