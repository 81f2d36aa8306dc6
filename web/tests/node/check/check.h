/* SPDX-License-Identifier: MIT */
/*
 * As much of the library Check as the tests of golden hashes need, for WebAssembly, so that they need no second
 * version. A test runs when it is added, before main, and prints its name when it has passed; the first failure ends
 * the program.
 */
#ifndef JAGER_WEB_CHECK_H
#define JAGER_WEB_CHECK_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct check_test {
  const char *name;
  void (*run)(int _i);
} check_test;

typedef int TCase, Suite, SRunner;

enum { CK_ENV };

#define CK_ATTRIBUTE_UNUSED __attribute__((unused))

#define START_TEST(name)                                                                                               \
  static void name##_run(int _i);                                                                                      \
  static const check_test name = {#name, name##_run};                                                                  \
  static void name##_run(int _i)                                                                                       \
  {                                                                                                                    \
    (void)_i;
#define END_TEST }

static inline void check_run(check_test test, int from, int to)
{
  for (int i = from; i < to; i++) {
    test.run(i);
    printf("passed: %s %d\n", test.name, i);
  }
}

#define tcase_add_test(tests, test) ((void)(tests), check_run(test, 0, 1))
#define tcase_add_loop_test(tests, test, from, to) ((void)(tests), check_run(test, from, to))
#define tcase_create(name) ((void)(name), (TCase *)NULL)
#define suite_create(name) ((void)(name), (Suite *)NULL)
#define suite_add_tcase(suite, tests) ((void)(suite), (void)(tests))
#define srunner_create(suite) ((void)(suite), (SRunner *)NULL)
#define srunner_run_all(runner, how) ((void)(runner), (void)(how))
#define srunner_ntests_failed(runner) ((void)(runner), 0)
#define srunner_free(runner) ((void)(runner))

#define ck_abort_msg(...) (printf("%s:%d: ", __FILE__, __LINE__), printf(__VA_ARGS__), putchar('\n'), exit(1))
#define ck_assert_msg(condition, ...) ((condition) ? (void)0 : ck_abort_msg(__VA_ARGS__))
#define ck_assert(condition) ck_assert_msg(condition, "%s", #condition)
#define ck_assert_int_eq(a, b) ck_assert((a) == (b))
#define ck_assert_uint_eq(a, b) ck_assert((a) == (b))
#define ck_assert_uint_ne(a, b) ck_assert((a) != (b))
#define ck_assert_double_eq(a, b) ck_assert((a) == (b))
#define ck_assert_mem_eq(a, b, size) ck_assert(memcmp(a, b, size) == 0)
#define ck_assert_ptr_nonnull(pointer) ck_assert((pointer) != NULL)

/* Tests in WebAssembly have no files. */
static inline const char *scratch_path(const char *dir, const char *name)
{
  (void)dir, (void)name;
  return "";
}

#endif
