/* SPDX-License-Identifier: MIT */
/*
 * Quantities in text: a number with or without a unit, as "29 GPa", "4 %", "0.0015". A number without a unit is in
 * SI. A quantity with a decimal unit is the same double as the one written in SI: "0.8 mm" is 0.0008, to the last
 * bit.
 */
#ifndef JAGER_CASE_UNITS_H
#define JAGER_CASE_UNITS_H

#include "base/text.h"
#include "dem/case_keys.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { QUANTITY_MESSAGE_SIZE = 400, QUANTITY_TEXT_SIZE = NUMBER_PRINT_SIZE + 8 };

/* Reads a quantity of this dimension. On failure the message gives the reason; `key` is the key of the value. */
bool quantity_parse(const char *text, const char *key, dem_dimension dimension, double *value,
                    char message[QUANTITY_MESSAGE_SIZE]);

/* Reads an integer of 64 bits, from digits or a form such as 1e6. False if the text is no such number. */
bool integer_parse(const char *text, int64_t *value);

/* The SI unit, as "Pa"; "" for DIMENSION_NONE. */
const char *dimension_unit(dem_dimension dimension);

/* Prints a quantity in a usual unit: "100 kPa". Returns `text`. */
const char *quantity_print(double value, dem_dimension dimension, char text[QUANTITY_TEXT_SIZE]);

#endif
