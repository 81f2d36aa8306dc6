/* SPDX-License-Identifier: MIT */
/*
 * Quantities in text. A unit is a power of ten times a ratio of integers. The power of ten is added to the exponent
 * of the decimal number before conversion to a double, so that it causes no rounding error.
 */
#include "units.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Units ------------------------------------------------------------------------------------------------------- */

typedef struct unit {
  const char *symbol;
  dem_dimension dimension;
  int power;               /* of ten */
  double multiply, divide; /* further factors; 0: none */
  bool is_listed;          /* in messages; other entries are alternative spellings */
} unit;

static const unit units[] = {
    {"%", DIMENSION_NONE, -2, 0, 0, true},
    {"Pa", DIMENSION_PRESSURE, 0, 0, 0, true},
    {"kPa", DIMENSION_PRESSURE, 3, 0, 0, true},
    {"MPa", DIMENSION_PRESSURE, 6, 0, 0, true},
    {"GPa", DIMENSION_PRESSURE, 9, 0, 0, true},
    {"m", DIMENSION_LENGTH, 0, 0, 0, true},
    {"cm", DIMENSION_LENGTH, -2, 0, 0, true},
    {"mm", DIMENSION_LENGTH, -3, 0, 0, true},
    {"um", DIMENSION_LENGTH, -6, 0, 0, true},
    {"nm", DIMENSION_LENGTH, -9, 0, 0, true},
    {"\u00B5m", DIMENSION_LENGTH, -6, 0, 0, false}, /* micro sign, and the Greek letter */
    {"\u03BCm", DIMENSION_LENGTH, -6, 0, 0, false},
    {"kg/m3", DIMENSION_DENSITY, 0, 0, 0, true},
    {"g/cm3", DIMENSION_DENSITY, 3, 0, 0, true},
    {"t/m3", DIMENSION_DENSITY, 3, 0, 0, true},
    {"kg/m^3", DIMENSION_DENSITY, 0, 0, 0, false},
    {"kg/m\u00B3", DIMENSION_DENSITY, 0, 0, 0, false},
    {"g/cm^3", DIMENSION_DENSITY, 3, 0, 0, false},
    {"g/cm\u00B3", DIMENSION_DENSITY, 3, 0, 0, false},
    {"s", DIMENSION_TIME, 0, 0, 0, true},
    {"ms", DIMENSION_TIME, -3, 0, 0, true},
    {"us", DIMENSION_TIME, -6, 0, 0, true},
    {"ns", DIMENSION_TIME, -9, 0, 0, true},
    {"min", DIMENSION_TIME, 0, 60, 0, true},
    {"h", DIMENSION_TIME, 0, 3600, 0, true},
    {"\u00B5s", DIMENSION_TIME, -6, 0, 0, false},
    {"\u03BCs", DIMENSION_TIME, -6, 0, 0, false},
    {"1/s", DIMENSION_RATE, 0, 0, 0, true},
    {"%/s", DIMENSION_RATE, -2, 0, 0, true},
    {"1/min", DIMENSION_RATE, 0, 0, 60, true},
    {"%/min", DIMENSION_RATE, -2, 0, 60, true},
    {"1/h", DIMENSION_RATE, 0, 0, 3600, true},
    {"%/h", DIMENSION_RATE, -2, 0, 3600, true},
    {"m/s2", DIMENSION_ACCELERATION, 0, 0, 0, true},
    {"m/s^2", DIMENSION_ACCELERATION, 0, 0, 0, false},
    {"m/s\u00B2", DIMENSION_ACCELERATION, 0, 0, 0, false},
    {"N/m", DIMENSION_STIFFNESS, 0, 0, 0, true},
    {"kN/m", DIMENSION_STIFFNESS, 3, 0, 0, true},
    {"MN/m", DIMENSION_STIFFNESS, 6, 0, 0, true},
    {"N/mm", DIMENSION_STIFFNESS, 3, 0, 0, true},
};

enum { UNITS = sizeof units / sizeof *units };

/* As in "'mm' is a length". */
static const char *const dimension_names[DIMENSIONS] = {
    "a number without a unit", "a pressure", "a length", "a density", "a time", "a rate",
    "an acceleration",         "a stiffness"};

/* The unit of this name, preferably of this dimension; NULL: no unit has the name. */
static const unit *find_unit(const char *symbol, dem_dimension dimension)
{
  const unit *found = NULL;
  for (int i = 0; i < UNITS; i++)
    if (strcmp(units[i].symbol, symbol) == 0 && (!found || units[i].dimension == dimension))
      found = &units[i];
  return found;
}

const char *dimension_unit(dem_dimension dimension)
{
  if (dimension != DIMENSION_NONE)
    for (int i = 0; i < UNITS; i++)
      if (units[i].dimension == dimension)
        return units[i].symbol;
  return "";
}

/* ---- Quantities -------------------------------------------------------------------------------------------------- */

/* The value of a number in a unit (NULL: SI). False if its text is too long. */
static bool scaled_value(const char *text, size_t length, const unit *in, double *value)
{
  char scaled[256];
  size_t mantissa = 0;
  while (mantissa < length && text[mantissa] != 'e' && text[mantissa] != 'E')
    mantissa++;
  if (length > 200)
    return false;
  long exponent = mantissa < length ? strtol(text + mantissa + 1, NULL, 10) : 0;
  if (exponent > 1000000 || exponent < -1000000) /* far beyond any double; a sum must not overflow */
    exponent = exponent > 0 ? 1000000 : -1000000;
  int size = snprintf(scaled, sizeof scaled, "%.*se%ld", (int)mantissa, text, exponent + (in ? in->power : 0));
  const char *end = scaled + size;
  if (number_scan(scaled, end, value) != end)
    return false;
  if (in && in->multiply > 0.0)
    *value *= in->multiply;
  if (in && in->divide > 0.0)
    *value /= in->divide;
  return true;
}

static bool refuse_unit(const char *symbol, const unit *found, const char *key, dem_dimension dimension,
                        char message[QUANTITY_MESSAGE_SIZE])
{
  char quoted[TEXT_QUOTE_SIZE], wrong[TEXT_QUOTE_SIZE + 64];
  text_quote(symbol, quoted);
  if (symbol[0] == ',')
    snprintf(wrong, sizeof wrong, "%s after the number: the decimal separator is a point", quoted);
  else if (!found)
    snprintf(wrong, sizeof wrong, "unknown unit %s", quoted);
  else
    snprintf(wrong, sizeof wrong, "%s is %s", quoted, dimension_names[found->dimension]);
  if (dimension == DIMENSION_NONE) {
    snprintf(message, QUANTITY_MESSAGE_SIZE, "%s; '%s' is a number without a unit, or in %%", wrong, key);
    return false;
  }
  const char *symbols[UNITS] = {NULL};
  size_t count = 0;
  for (int i = 0; i < UNITS; i++)
    if (units[i].dimension == dimension && units[i].is_listed)
      symbols[count++] = units[i].symbol;
  size_t used =
      (size_t)snprintf(message, QUANTITY_MESSAGE_SIZE, "%s; '%s' needs %s: ", wrong, key, dimension_names[dimension]);
  for (size_t i = 0; i < count && used < QUANTITY_MESSAGE_SIZE; i++) /* "Pa, kPa, MPa or GPa" */
    used += (size_t)snprintf(message + used, QUANTITY_MESSAGE_SIZE - used, "%s%s",
                             i == 0          ? ""
                             : i + 1 < count ? ", "
                                             : " or ",
                             symbols[i]);
  return false;
}

bool quantity_parse(const char *text, const char *key, dem_dimension dimension, double *value,
                    char message[QUANTITY_MESSAGE_SIZE])
{
  char quoted[TEXT_QUOTE_SIZE];
  const unit *found = NULL;
  const char *number_end = number_scan(text, text + strlen(text), value);
  const char *symbol = number_end;
  while (*symbol == ' ')
    symbol++;
  if (number_end == text) {
    snprintf(message, QUANTITY_MESSAGE_SIZE, "'%s' needs a number, not %s", key, text_quote(text, quoted));
    return false;
  }
  if (*symbol) {
    found = find_unit(symbol, dimension);
    if (!found || found->dimension != dimension)
      return refuse_unit(symbol, found, key, dimension, message);
  }
  if (!scaled_value(text, (size_t)(number_end - text), found, value) || !isfinite(*value)) {
    snprintf(message, QUANTITY_MESSAGE_SIZE, "'%s': the number %s is too large or too long", key,
             text_quote(text, quoted));
    return false;
  }
  return true;
}

/* ---- Whole numbers ----------------------------------------------------------------------------------------------- */

bool integer_parse(const char *text, int64_t *value)
{
  const double exact_max = 9007199254740992.0; /* 2^53: up to here every whole number is a double */
  double number;
  bool is_negative = *text == '-';
  uint64_t sum = 0, limit = (uint64_t)INT64_MAX;
  const char *digit = text + (*text == '-' || *text == '+'), *first = digit;
  for (; *digit >= '0' && *digit <= '9'; digit++) { /* one by one, since not every integer of 64 bits is a double */
    uint64_t units_digit = (uint64_t)(*digit - '0');
    if (sum > (limit - units_digit) / 10)
      break;
    sum = sum * 10 + units_digit;
  }
  if (digit > first && *digit == '\0') {
    *value = is_negative ? -(int64_t)sum : (int64_t)sum;
    return true;
  }
  if (!number_parse(text, &number) || !(fabs(number) <= exact_max) || number != floor(number))
    return false;
  *value = (int64_t)number;
  return true;
}

/* ---- Printing ---------------------------------------------------------------------------------------------------- */

/* Units that people use, the largest first. */
static const struct {
  dem_dimension dimension;
  double least;
  double multiply, divide;
  const char *symbol;
} usual_units[] = {
    {DIMENSION_PRESSURE, 1e9, 1, 1e9, "GPa"}, {DIMENSION_PRESSURE, 1e6, 1, 1e6, "MPa"},
    {DIMENSION_PRESSURE, 1e3, 1, 1e3, "kPa"}, {DIMENSION_LENGTH, 1, 1, 1, "m"},
    {DIMENSION_LENGTH, 1e-4, 1e3, 1, "mm"},   {DIMENSION_LENGTH, 1e-7, 1e6, 1, "um"},
    {DIMENSION_TIME, 1, 1, 1, "s"},           {DIMENSION_TIME, 1e-3, 1e3, 1, "ms"},
    {DIMENSION_TIME, 1e-6, 1e6, 1, "us"},     {DIMENSION_TIME, 1e-9, 1e9, 1, "ns"},
};

const char *quantity_print(double value, dem_dimension dimension, char text[QUANTITY_TEXT_SIZE])
{
  char number[QUANTITY_TEXT_SIZE];
  const char *symbol = dimension_unit(dimension);
  double shown = value;
  for (size_t i = 0; i < sizeof usual_units / sizeof *usual_units; i++)
    if (usual_units[i].dimension == dimension && fabs(value) >= usual_units[i].least) {
      shown = value * usual_units[i].multiply / usual_units[i].divide;
      symbol = usual_units[i].symbol;
      break;
    }
  snprintf(number, sizeof number, "%.9g", shown); /* without the rounding errors of the conversion */
  (void)number_parse(number, &shown);
  snprintf(text, QUANTITY_TEXT_SIZE, "%s%s%s", number_print_shortest(shown, number), *symbol ? " " : "", symbol);
  return text;
}
