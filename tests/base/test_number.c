/* SPDX-License-Identifier: MIT */
/*
 * Numbers in texts, compared with strtod of the C library, and compensated sums. The random numbers have a fixed
 * seed.
 */
#include "base/portable_math.h"
#include "base/text.h"
#include "support.h"

#include "unit_test.h"
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double scanned(const char *text)
{
  double value = NAN;
  const char *end = text + strlen(text);
  ck_assert_msg(number_scan(text, end, &value) == end, "'%s' was not taken whole", text);
  return value;
}

static void assert_as_strtod(const char *text)
{
  double mine = scanned(text), libc = strtod(text, NULL);
  ck_assert_msg(memcmp(&mine, &libc, sizeof mine) == 0, "'%s': %.17g instead of %.17g", text, mine, libc);
}

TEST(numbers_are_those_of_the_c_library)
{
  static const char *const texts[] = {"0",
                                      "-0",
                                      "+0",
                                      "1",
                                      "-1",
                                      "+1",
                                      "1.",
                                      ".5",
                                      "-.5",
                                      "007",
                                      "0.1",
                                      "0.006",
                                      "-0.0034",
                                      "1e3",
                                      "1E+3",
                                      "1e-3",
                                      "1e22",
                                      "1e23",
                                      "9007199254740992",
                                      "9007199254740993",
                                      "9007199254740995e-10",
                                      "1e-22",
                                      "1e-23",
                                      "123456789012345678901234567890",
                                      "0.000000000000000000000000000001",
                                      "1.7976931348623157e308",
                                      "2.2250738585072014e-308",
                                      "4.9406564584124654e-324",
                                      "1e-400",
                                      "-1e-400",
                                      "0e999999999999",
                                      "0.1e00000000000000000001",
                                      "2.4703282292062327208e-324",
                                      "2.2250738585072011e-308",
                                      "0.500000000000000166533453693773481063544750213623046875",
                                      "3.4999999999999999999999999999999999999e-5",
                                      "18446744073709551615",
                                      "18446744073709551616",
                                      "99999999999999999999"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    assert_as_strtod(texts[i]);
}

/* Numbers in all formats that programs print. */
TEST(random_numbers_are_those_of_the_c_library)
{
  static const char *const forms[] = {"%.17g", "%.15g", "%.6g", "%.3e", "%.9f", "%.0f", "%.25e"};
  uint64_t state = 20240901;
  char text[512];
  for (int i = 0; i < 200000; i++) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    double mantissa = (double)(state >> 11) / 9007199254740992.0 - 0.5;
    int exponent = (int)(state % 601) - 300;
    double value = i % 3 ? mantissa * pow(10.0, exponent % 25) : mantissa * pow(10.0, exponent);
    snprintf(text, sizeof text, forms[i % 7], value);
    assert_as_strtod(text);
  }
}

TEST(texts_that_are_not_numbers_are_refused)
{
  static const char *const texts[] = {"",    "-",    "+",        ".", "-.", "e5", "nan",
                                      "inf", "-inf", "infinity", "x", ",",  " 1", "--1"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    double value;
    ck_assert_msg(number_scan(texts[i], texts[i] + strlen(texts[i]), &value) == texts[i], "'%s' was taken", texts[i]);
  }
}

TEST(scanning_stops_at_the_end_of_a_number)
{
  static const struct {
    const char *text;
    int length;
  } cases[] = {{"1x", 1},  {"0x10", 1}, {"1e", 1},    {"1e+", 1}, {"1.2.3", 3},
               {"1 2", 1}, {"1,5", 1},  {"1e5e5", 3}, {"1-2", 1}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    double value;
    ck_assert_int_eq(number_scan(cases[i].text, cases[i].text + strlen(cases[i].text), &value) - cases[i].text,
                     cases[i].length);
  }
}

TEST(numbers_too_large_are_infinite)
{
  ck_assert_double_infinite(scanned("1e309"));
  ck_assert_double_infinite(scanned("-1e99999999999999999999"));
  ck_assert_double_infinite(scanned("1.7976931348623159e308"));
}

TEST(options_may_be_infinite_but_not_overflow)
{
  double value;
  ck_assert(number_parse("inf", &value) && isinf(value));
  ck_assert(number_parse("2.5e-3", &value) && value == 2.5e-3);
  static const char *const wrong[] = {"", "nan", "1e999", "1 ", "0x1", "-inf", "1,5"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    ck_assert_msg(!number_parse(wrong[i], &value), "'%s' was taken", wrong[i]);
}

TEST(a_number_longer_than_any_line_is_refused)
{
  static char text[NUMBER_TEXT_MAX + 2];
  double value;
  memset(text, '1', NUMBER_TEXT_MAX);
  ck_assert(number_scan(text, text + NUMBER_TEXT_MAX, &value) == text + NUMBER_TEXT_MAX);
  text[NUMBER_TEXT_MAX] = '1';
  ck_assert(number_scan(text, text + NUMBER_TEXT_MAX + 1, &value) == text);
}

/* 10^6 terms, whose plain sum has a large rounding error. */
TEST(compensated_sums_lose_nothing)
{
  compensated_sum sum = {1.0, 0.0};
  for (int i = 0; i < 1000000; i++)
    compensated_sum_add(&sum, 1e-17);
  ck_assert_double_eq_tol(sum.high, 1.0 + 1e-11, 1e-16);
}

/* ---- Printing ---------------------------------------------------------------------------------------------------- */

TEST(printed_numbers_are_read_again)
{
  static const struct {
    double value;
    const char *whole, *shortest;
  } known[] = {{0.15, "0.14999999999999999", "0.15"},
               {1.0, "1", "1"},
               {-2650.0, "-2650", "-2650"},
               {1e5, "100000", "100000"},
               {1e6, "1000000", "1e6"},
               {123456789.0, "123456789", "123456789"},
               {-1.5e6, "-1500000", "-1.5e6"},
               {12345e3, "12345000", "1.2345e7"},
               {1234567e2, "123456700", "123456700"},
               {1e15, "1000000000000000", "1e15"},
               {1.23456789012345e14, "123456789012345", "123456789012345"},
               {1e-4, "0.0001", "0.0001"},
               {1e-5, "1.0000000000000001e-05", "1e-5"},
               {-2.5e-7, "-2.4999999999999999e-07", "-2.5e-7"},
               {1e300, "1.0000000000000001e+300", "1e300"}};
  char text[NUMBER_PRINT_SIZE];
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    ck_assert_int_eq(number_print(known[i].value, text), (int)strlen(known[i].whole));
    ck_assert_str_eq(text, known[i].whole);
    ck_assert_str_eq(number_print_shortest(known[i].value, text), known[i].shortest);
  }
  ck_assert(number_print(-0.0, text) == 1 && strcmp(text, "0") == 0);
  ck_assert(number_print(NAN, text) == 3 && strcmp(text, "nan") == 0);
  ck_assert(number_print(INFINITY, text) == 3 && strcmp(text, "inf") == 0);
  ck_assert(number_print(-INFINITY, text) == 4 && strcmp(text, "-inf") == 0);
  uint64_t random = 20261118;
  for (int i = 0; i < 20000; i++) {
    double value = random_in(&random, -10.0, 10.0) * pow(10.0, (double)random_below(&random, 60) - 30.0);
    (void)number_print(value, text);
    ck_assert_double_eq(strtod(text, NULL), value);
    ck_assert_double_eq(strtod(number_print_shortest(value, text), NULL), value);
  }
}
