/* SPDX-License-Identifier: MIT */
/* Decimal numbers in text, strictly and the same in every locale: no hexadecimal, no "inf", no "nan". */
#ifndef JAGER_BASE_NUMBER_H
#define JAGER_BASE_NUMBER_H

#include <stdbool.h>

/* Largest length of the text of one number. */
enum { NUMBER_TEXT_MAX = 4096 };

/*
 * Reads the number that starts at `at` and returns its end, or `at` if no number starts there. The value is rounded
 * correctly, and is infinite if it is too large for a double.
 */
const char *number_scan(const char *at, const char *end, double *value);

/* Reads a text that is one finite number, or "inf". False for any other text. */
bool number_parse(const char *text, double *value);

enum { NUMBER_PRINT_SIZE = 40 };

/*
 * Prints a number so that reading it gives the same double: 17 significant digits, integers without a decimal point,
 * "nan", "inf" or "-inf". A negative zero becomes 0. Returns the length.
 */
int number_print(double value, char text[NUMBER_PRINT_SIZE]);

/*
 * Prints a finite number with the fewest digits that give the same double: "0.15", "100000", "1e6". Returns `text`.
 */
const char *number_print_shortest(double value, char text[NUMBER_PRINT_SIZE]);

#endif
