/* SPDX-License-Identifier: MIT */
/*
 * Decimal numbers in text. Files have up to 10^8 lines, so reading short numbers must be fast: if the digits make an
 * integer of at most 2^53 and the power of ten is at most 10^22, both are exact doubles, and one multiplication or
 * division rounds correctly (W. D. Clinger, 1990). strtod reads all other numbers, in the C locale.
 */
#include "number.h"

#include <locale.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  DIGITS_MAX = 19,        /* any 19 digits fit into 64 bits */
  EXPONENT_MAX = 1000000, /* far beyond any double; larger exponents count as this one */
  EXACT_POWER_MAX = 22
};

#define EXACT_MANTISSA_MAX (UINT64_C(1) << 53)

static const double power_of_ten[EXACT_POWER_MAX + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                         1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                         1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* mantissa × 10^exponent, with the first digits of the text */
typedef struct decimal {
  uint64_t mantissa;
  int exponent;
  int digits;     /* significant digits in the mantissa */
  bool truncated; /* the text has more digits */
} decimal;

static bool is_digit(char c)
{
  return c >= '0' && c <= '9';
}

/* Reads digits; each digit after the decimal point lowers the exponent by one. */
static const char *scan_digits(const char *at, const char *end, bool after_point, decimal *number)
{
  for (; at < end && is_digit(*at); at++) {
    if (number->digits < DIGITS_MAX) {
      number->mantissa = number->mantissa * 10 + (uint64_t)(*at - '0');
      number->digits += number->mantissa > 0;
      number->exponent -= after_point;
    } else {
      number->truncated = true;
      number->exponent += !after_point;
    }
  }
  return at;
}

/* Reads an exponent if it is complete. */
static const char *scan_exponent(const char *at, const char *end, decimal *number)
{
  if (at == end || (*at != 'e' && *at != 'E'))
    return at;
  const char *digits = at + 1;
  bool negative = digits < end && *digits == '-';
  if (digits < end && (*digits == '-' || *digits == '+'))
    digits++;
  if (digits == end || !is_digit(*digits))
    return at;
  int exponent = 0;
  for (; digits < end && is_digit(*digits); digits++)
    if (exponent < EXPONENT_MAX)
      exponent = exponent * 10 + (*digits - '0');
  number->exponent += negative ? -exponent : exponent;
  return digits;
}

/* The value by the C library. The text is a decimal number; strtod needs a NUL, so it gets a copy. */
static double slow_value(const char *text, size_t length)
{
  char copy[NUMBER_TEXT_MAX + 1];
  memcpy(copy, text, length);
  copy[length] = '\0';
  locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  if (c_locale == (locale_t)0)
    return strtod(copy, NULL);
  double value = strtod_l(copy, NULL, c_locale);
  freelocale(c_locale);
  return value;
}

static bool is_exact(const decimal *number)
{
  return !number->truncated && number->mantissa <= EXACT_MANTISSA_MAX && number->exponent >= -EXACT_POWER_MAX &&
         number->exponent <= EXACT_POWER_MAX;
}

static double exact_value(const decimal *number)
{
  double mantissa = (double)number->mantissa;
  return number->exponent < 0 ? mantissa / power_of_ten[-number->exponent] : mantissa * power_of_ten[number->exponent];
}

const char *number_scan(const char *at, const char *end, double *value)
{
  const char *start = at;
  decimal number = {0};
  bool negative = at < end && *at == '-';
  if (at < end && (*at == '-' || *at == '+'))
    at++;
  const char *whole = at;
  at = scan_digits(at, end, false, &number);
  bool has_digits = at > whole;
  if (at < end && *at == '.') {
    const char *fraction = at + 1;
    at = scan_digits(fraction, end, true, &number);
    has_digits = has_digits || at > fraction;
  }
  if (!has_digits)
    return start;
  at = scan_exponent(at, end, &number);
  if (at - start > NUMBER_TEXT_MAX)
    return start;
  if (number.mantissa == 0)
    *value = negative ? -0.0 : 0.0;
  else if (is_exact(&number))
    *value = negative ? -exact_value(&number) : exact_value(&number);
  else
    *value = slow_value(start, (size_t)(at - start));
  return at;
}

bool number_parse(const char *text, double *value)
{
  if (strcmp(text, "inf") == 0) {
    *value = INFINITY;
    return true;
  }
  const char *end = text + strlen(text);
  return text != end && number_scan(text, end, value) == end && isfinite(*value);
}

/* ---- Printing ---------------------------------------------------------------------------------------------------- */

/* printf writes the decimal separator of the locale, of any length: replaces it by a point. Returns the length. */
static int use_point(char *text)
{
  char *point = text + (*text == '-');
  while (is_digit(*point))
    point++;
  if (*point != '.' && *point != 'e' && *point != '\0') {
    char *fraction = point;
    while (*fraction && !is_digit(*fraction))
      fraction++;
    *point = '.';
    memmove(point + 1, fraction, strlen(fraction) + 1);
  }
  return (int)strlen(text);
}

int number_print(double value, char text[NUMBER_PRINT_SIZE])
{
  if (!isfinite(value))
    return snprintf(text, NUMBER_PRINT_SIZE, "%s", isnan(value) ? "nan" : value > 0.0 ? "inf" : "-inf");
  snprintf(text, NUMBER_PRINT_SIZE, "%.17g", value + 0.0);
  return use_point(text);
}

/* The least number of digits that give the same double, and the power of ten of the first. */
static int count_digits(double value, int *power)
{
  char text[NUMBER_PRINT_SIZE];
  double read = NAN;
  int digits = 0;
  do {
    digits++;
    snprintf(text, sizeof text, "%.*e", digits - 1, value);
    use_point(text);
  } while (digits < 17 && !(number_parse(text, &read) && read == value));
  *power = (int)strtol(strchr(text, 'e') + 1, NULL, 10);
  return digits;
}

const char *number_print_shortest(double value, char text[NUMBER_PRINT_SIZE])
{
  int power, digits = count_digits(value, &power);
  bool has_few_zeros = power >= -4 && (power <= 5 || (power < 15 && digits + 2 > power));
  int decimals = digits - 1 - power;
  if (has_few_zeros) {
    snprintf(text, NUMBER_PRINT_SIZE, "%.*f", decimals > 0 ? decimals : 0, value);
    use_point(text);
    return text;
  }
  snprintf(text, NUMBER_PRINT_SIZE, "%.*e", digits - 1, value);
  use_point(text);
  char *exponent = strchr(text, 'e') + 1; /* C has a sign there, and at least two digits */
  snprintf(exponent, (size_t)(text + NUMBER_PRINT_SIZE - exponent), "%d", power);
  return text;
}
