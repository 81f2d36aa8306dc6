/* SPDX-License-Identifier: MIT */
/* Values in JSON. Errors of writing stay with the stream. */
#ifndef JAGER_BASE_JSON_H
#define JAGER_BASE_JSON_H

#include <stdio.h>

/* In quotation marks. Bytes that are no UTF-8 become U+FFFD. */
void json_print_string(const char *text, FILE *out);

/* To all its digits; null for what is infinite or not a number, which JSON does not know. */
void json_print_number(double value, FILE *out);

#endif
