/* SPDX-License-Identifier: MIT */
/* Prints values as JSON. Write errors stay with the stream. */
#ifndef JAGER_BASE_JSON_H
#define JAGER_BASE_JSON_H

#include <stdio.h>

/* Prints a string with its quotation marks. Bytes that are not UTF-8 become U+FFFD. */
void json_print_string(const char *text, FILE *out);

/* Prints a number with 17 significant digits; null if it is infinite or NaN, which JSON lacks. */
void json_print_number(double value, FILE *out);

#endif
