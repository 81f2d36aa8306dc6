/* SPDX-License-Identifier: MIT */
/*
 * Tests for Check that register themselves: TEST(name) { ... } is all that a test needs. main is in unit_test_main.c.
 *
 * Nothing else of Check's registration is used: a program has one suite of one test case.
 */
#ifndef TEST_UNIT_TEST_H
#define TEST_UNIT_TEST_H

#include <check.h>

/* The test case to which the tests and fixtures of the source are added, before main. */
TCase *unit_tests(const char *source);

/* Runs all tests. Returns the exit code. */
int unit_tests_run(void);

#define TEST(name) TEST_LOOP(name, 1)

/* A test that runs `count` times, with _i = 0 ... count - 1 */
#define TEST_LOOP(name, count)                                                                                         \
  static void name##_body(int _i);                                                                                     \
  START_TEST(name)                                                                                                     \
  {                                                                                                                    \
    name##_body(_i);                                                                                                   \
  }                                                                                                                    \
  END_TEST                                                                                                             \
  __attribute__((constructor)) static void name##_add(void)                                                            \
  {                                                                                                                    \
    tcase_add_loop_test(unit_tests(__BASE_FILE__), name, 0, (int)(count));                                             \
  }                                                                                                                    \
  static void name##_body(int _i CK_ATTRIBUTE_UNUSED)

/* A test that runs for each element of an array, whose index is _i */
#define TEST_EACH(name, array) TEST_LOOP(name, sizeof(array) / sizeof *(array))

/* Calls one function before and the other after each test, in its process. */
#define FIXTURE_EACH(before, after)                                                                                    \
  __attribute__((constructor)) static void add_##before##_##after(void)                                                \
  {                                                                                                                    \
    tcase_add_checked_fixture(unit_tests(__BASE_FILE__), before, after);                                               \
  }

/* Calls one function before the first and the other after the last test. */
#define FIXTURE_ONCE(before, after)                                                                                    \
  __attribute__((constructor)) static void add_##before##_##after(void)                                                \
  {                                                                                                                    \
    tcase_add_unchecked_fixture(unit_tests(__BASE_FILE__), before, after);                                             \
  }

#endif
