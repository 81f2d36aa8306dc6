/* SPDX-License-Identifier: MIT */
/*
 * Quantities in text: a number and, if one likes, a unit: "29 GPa", "4 %", "0.0015". Without a unit they are SI. A
 * quantity with a decimal unit is the same double as the one written in SI: "0.8 mm" is 0.0008, to the last bit.
 */
#ifndef JAGER_CASE_UNITS_H
#define JAGER_CASE_UNITS_H

#include "base/number.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum case_dimension {
  DIMENSION_NONE, /* a mere number, also in % */
  DIMENSION_PRESSURE,
  DIMENSION_LENGTH,
  DIMENSION_DENSITY,
  DIMENSION_TIME,
  DIMENSION_RATE,
  DIMENSION_ACCELERATION,
  DIMENSION_STIFFNESS,
  DIMENSIONS
} case_dimension;

enum { QUANTITY_MESSAGE_SIZE = 400, QUANTITY_TEXT_SIZE = NUMBER_PRINT_SIZE + 8 };

/* Reads a quantity. If it is none of this dimension, the message says why; `key` is whose value it is. */
bool quantity_parse(const char *text, const char *key, case_dimension dimension, double *value,
                    char message[QUANTITY_MESSAGE_SIZE]);

/* A whole number: digits, or a form as 1e6. False if it is none, or none of 64 bits. */
bool whole_parse(const char *text, int64_t *value);

/* The SI unit: "Pa"; "" for a mere number. */
const char *dimension_unit(case_dimension dimension);

/* A quantity as people write it: "100 kPa". Returns `text`. */
const char *quantity_print(double value, case_dimension dimension, char text[QUANTITY_TEXT_SIZE]);

#endif
