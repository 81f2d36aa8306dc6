/* SPDX-License-Identifier: MIT */
/* Quantities with units, compared with the same numbers in SI; whole numbers; printed numbers and quotations. */
#include "base/text.h"
#include "case/units.h"
#include "support.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
  const char *text;
  dem_dimension dimension;
  double value;
} quantities[] = {
    {"29 GPa", DIMENSION_PRESSURE, 29e9},
    {"100 kPa", DIMENSION_PRESSURE, 100e3},
    {"-1.5 MPa", DIMENSION_PRESSURE, -1.5e6},
    {"7 Pa", DIMENSION_PRESSURE, 7},
    {"1e5", DIMENSION_PRESSURE, 1e5},
    {"1.5 mm", DIMENSION_LENGTH, 0.0015},
    {"0.1 mm", DIMENSION_LENGTH, 0.0001},
    {"0.7 mm", DIMENSION_LENGTH, 0.0007},
    {"1.1e2cm", DIMENSION_LENGTH, 1.1},
    {"3 m", DIMENSION_LENGTH, 3},
    {"3 um", DIMENSION_LENGTH, 3e-6},
    {"3 \u00B5m", DIMENSION_LENGTH, 3e-6},
    {"3 \u03BCm", DIMENSION_LENGTH, 3e-6},
    {"3.3E-1   nm", DIMENSION_LENGTH, 0.33e-9},
    {"2650 kg/m3", DIMENSION_DENSITY, 2650},
    {"2650 kg/m^3", DIMENSION_DENSITY, 2650},
    {"2650 kg/m\u00B3", DIMENSION_DENSITY, 2650},
    {"2.65 g/cm3", DIMENSION_DENSITY, 2650},
    {"2.65 g/cm^3", DIMENSION_DENSITY, 2650},
    {"2.65 g/cm\u00B3", DIMENSION_DENSITY, 2650},
    {"2.65 t/m3", DIMENSION_DENSITY, 2650},
    {"10 us", DIMENSION_TIME, 1e-5},
    {"10 \u00B5s", DIMENSION_TIME, 1e-5},
    {"3 ms", DIMENSION_TIME, 3e-3},
    {"3 ns", DIMENSION_TIME, 3e-9},
    {"1.5 min", DIMENSION_TIME, 90},
    {"2 h", DIMENSION_TIME, 7200},
    {"3 s", DIMENSION_TIME, 3},
    {"0.01 1/s", DIMENSION_RATE, 0.01},
    {"1 %/s", DIMENSION_RATE, 0.01},
    {"6 1/min", DIMENSION_RATE, 0.1},
    {"60 %/min", DIMENSION_RATE, 0.01},
    {"36 1/h", DIMENSION_RATE, 0.01},
    {"36 %/h", DIMENSION_RATE, 0.36 / 3600},
    {"9.81 m/s2", DIMENSION_ACCELERATION, 9.81},
    {"9.81 m/s^2", DIMENSION_ACCELERATION, 9.81},
    {"9.81 m/s\u00B2", DIMENSION_ACCELERATION, 9.81},
    {"3 N/m", DIMENSION_STIFFNESS, 3},
    {"3 kN/m", DIMENSION_STIFFNESS, 3000},
    {"3 MN/m", DIMENSION_STIFFNESS, 3e6},
    {"3 N/mm", DIMENSION_STIFFNESS, 3000},
    {"4 %", DIMENSION_NONE, 0.04},
    {"7%", DIMENSION_NONE, 0.07},
    {"-.5", DIMENSION_NONE, -0.5},
    {"+5.", DIMENSION_NONE, 5},
    {"1e-400", DIMENSION_NONE, 0},
    {"1e99999999999999999999 %", DIMENSION_NONE, INFINITY},
};

TEST_EACH(units_are_known, quantities)
{
  char message[QUANTITY_MESSAGE_SIZE];
  double value = NAN;
  bool is_good = quantity_parse(quantities[_i].text, "key", quantities[_i].dimension, &value, message);
  if (isinf(quantities[_i].value))
    ck_assert_msg(!is_good, "'%s' was accepted", quantities[_i].text);
  else
    ck_assert_msg(is_good && value == quantities[_i].value, "'%s': %.17g", quantities[_i].text, value);
}

/* A decimal unit is the number with another exponent: strtod is the oracle. */
TEST(decimal_units_cost_no_rounding)
{
  static const struct {
    const char *unit;
    dem_dimension dimension;
    int power;
  } kinds[] = {{"GPa", DIMENSION_PRESSURE, 9}, {"mm", DIMENSION_LENGTH, -3}, {"%", DIMENSION_NONE, -2},
               {"us", DIMENSION_TIME, -6},     {"%/s", DIMENSION_RATE, -2},  {"g/cm3", DIMENSION_DENSITY, 3}};
  char message[QUANTITY_MESSAGE_SIZE], text[100];
  uint64_t state = 20261116;
  for (int i = 0; i < 60000; i++) {
    double value;
    state = state * 6364136223846793005u + 1442695040888963407u;
    double mantissa = (double)(state >> 11) / 9007199254740992.0;
    int power = (int)(state >> 20 & 31) - 16, kind = i % 6, digits = 1 + i / 6 % 17;
    snprintf(text, sizeof text, "%.*ge%d", digits, mantissa + 0.001, power + kinds[kind].power);
    double wanted = strtod(text, NULL);
    snprintf(text, sizeof text, "%.*ge%d %s", digits, mantissa + 0.001, power, kinds[kind].unit);
    ck_assert(quantity_parse(text, "key", kinds[kind].dimension, &value, message));
    ck_assert_msg(value == wanted, "'%s': %.17g instead of %.17g", text, value, wanted);
  }
}

/* A unit of another dimension is refused, and the message lists the units that are accepted. */
TEST(units_that_would_do_are_told)
{
  static const struct {
    dem_dimension dimension;
    const char *needs;
  } all[] = {{DIMENSION_NONE, "'key' is a number without a unit, or in %"},
             {DIMENSION_PRESSURE, "'key' needs a pressure: Pa, kPa, MPa or GPa"},
             {DIMENSION_LENGTH, "'key' needs a length: m, cm, mm, um or nm"},
             {DIMENSION_DENSITY, "'key' needs a density: kg/m3, g/cm3 or t/m3"},
             {DIMENSION_TIME, "'key' needs a time: s, ms, us, ns, min or h"},
             {DIMENSION_RATE, "'key' needs a rate: 1/s, %/s, 1/min, %/min, 1/h or %/h"},
             {DIMENSION_ACCELERATION, "'key' needs an acceleration: m/s2"},
             {DIMENSION_STIFFNESS, "'key' needs a stiffness: N/m, kN/m, MN/m or N/mm"}};
  char message[QUANTITY_MESSAGE_SIZE], wanted[QUANTITY_MESSAGE_SIZE];
  double value;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    ck_assert(!quantity_parse("3 furlong", "key", all[i].dimension, &value, message));
    snprintf(wanted, sizeof wanted, "unknown unit 'furlong'; %s", all[i].needs);
    ck_assert_str_eq(message, wanted);
  }
}

/* Numbers may have 200 characters, and exponents beyond all doubles. */
TEST(long_numbers_are_read_or_refused)
{
  char message[QUANTITY_MESSAGE_SIZE], text[256];
  double value;
  for (int length = 190; length <= 210; length++) {
    snprintf(text, sizeof text, "0.%0*d kPa", length - 2, 7);
    bool is_good = quantity_parse(text, "key", DIMENSION_PRESSURE, &value, message);
    ck_assert_int_eq(is_good, length <= 200);
    snprintf(text, sizeof text, "0.%0*d", length - 2, 7);
    ck_assert(length > 200 || fabs(value / (1e3 * strtod(text, NULL)) - 1.0) < 1e-15);
  }
  ck_assert(quantity_parse("1e-1000000000000 %", "key", DIMENSION_NONE, &value, message) && value == 0.0);
}

TEST(whole_numbers)
{
  static const struct {
    const char *text;
    int64_t value;
  } good[] = {{"0", 0},
              {"4096", 4096},
              {"+7", 7},
              {"-7", -7},
              {"1e6", 1000000},
              {"2.5e3", 2500},
              {"4.0", 4},
              {"007", 7},
              {"9223372036854775807", INT64_MAX},
              {"9007199254740993", 9007199254740993}};
  static const char *const bad[] = {"",   "-",  "+",   "1.5", "40_000", "1e-3", "9223372036854775808", "1e300", "0x10",
                                    "1 ", " 1", "inf", "nan", "1e16",   "four"};
  int64_t value;
  for (size_t i = 0; i < sizeof good / sizeof *good; i++)
    ck_assert_msg(integer_parse(good[i].text, &value) && value == good[i].value, "'%s'", good[i].text);
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    ck_assert_msg(!integer_parse(bad[i], &value), "'%s'", bad[i]);
}

TEST(numbers_are_printed_short)
{
  static const struct {
    double value;
    const char *text;
  } numbers[] = {{0, "0"},
                 {1, "1"},
                 {-0.5, "-0.5"},
                 {4096, "4096"},
                 {1e6, "1e6"},
                 {1.5e6, "1.5e6"},
                 {2e7, "2e7"},
                 {0.15, "0.15"},
                 {1e-4, "0.0001"},
                 {1e-5, "1e-5"},
                 {-2.5e-7, "-2.5e-7"},
                 {1e15, "1e15"},
                 {100000, "100000"},
                 {123456789, "123456789"},
                 {1e-60, "1e-60"},
                 {0.1 + 0.2, "0.30000000000000004"}};
  static const struct {
    double value;
    dem_dimension dimension;
    const char *text;
  } spoken[] = {{29e9, DIMENSION_PRESSURE, "29 GPa"},   {100e3, DIMENSION_PRESSURE, "100 kPa"},
                {1e6, DIMENSION_PRESSURE, "1 MPa"},     {-3, DIMENSION_PRESSURE, "-3 Pa"},
                {0, DIMENSION_PRESSURE, "0 Pa"},        {1.2e-3, DIMENSION_LENGTH, "1.2 mm"},
                {75e-6, DIMENSION_LENGTH, "75 um"},     {2, DIMENSION_LENGTH, "2 m"},
                {1, DIMENSION_LENGTH, "1 m"},           {0.999, DIMENSION_LENGTH, "999 mm"},
                {1e-4, DIMENSION_LENGTH, "0.1 mm"},     {0.99e-4, DIMENSION_LENGTH, "99 um"},
                {1e-7, DIMENSION_LENGTH, "0.1 um"},     {0.99e-7, DIMENSION_LENGTH, "9.9e-8 m"},
                {1e9, DIMENSION_PRESSURE, "1 GPa"},     {0.99e9, DIMENSION_PRESSURE, "990 MPa"},
                {1e3, DIMENSION_PRESSURE, "1 kPa"},     {0.99e6, DIMENSION_PRESSURE, "990 kPa"},
                {990, DIMENSION_PRESSURE, "990 Pa"},    {1, DIMENSION_TIME, "1 s"},
                {0.99, DIMENSION_TIME, "990 ms"},       {1e-3, DIMENSION_TIME, "1 ms"},
                {0.99e-3, DIMENSION_TIME, "990 us"},    {0.99e-6, DIMENSION_TIME, "990 ns"},
                {1e-9, DIMENSION_TIME, "1 ns"},         {0.99e-9, DIMENSION_TIME, "9.9e-10 s"},
                {1e-6, DIMENSION_TIME, "1 us"},         {3600, DIMENSION_TIME, "3600 s"},
                {0.07, DIMENSION_NONE, "0.07"},         {0.01, DIMENSION_RATE, "0.01 1/s"},
                {2650, DIMENSION_DENSITY, "2650 kg/m3"}};
  char text[QUANTITY_TEXT_SIZE];
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    ck_assert_str_eq(number_print_shortest(numbers[i].value, text), numbers[i].text);
  for (size_t i = 0; i < sizeof spoken / sizeof *spoken; i++)
    ck_assert_str_eq(quantity_print(spoken[i].value, spoken[i].dimension, text), spoken[i].text);
}

TEST(quotations_end_between_characters)
{
  char text[200] = "", quoted[TEXT_QUOTE_SIZE];
  ck_assert_str_eq(text_quote("short", quoted), "'short'");
  for (int i = 0; i < 50; i++)
    strcat(text, "\u00E4");
  text_quote(text + 0, quoted);
  ck_assert_uint_eq(text_find_bad(quoted, strlen(quoted)), strlen(quoted));
  ck_assert_str_eq(quoted + strlen(quoted) - 4, "...'");
  memmove(text + 1, text, strlen(text) + 1);
  text[0] = 'x';
  text_quote(text, quoted);
  ck_assert_uint_eq(text_find_bad(quoted, strlen(quoted)), strlen(quoted));
}
