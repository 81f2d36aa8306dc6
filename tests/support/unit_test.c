/* SPDX-License-Identifier: MIT */
#include "unit_test.h"

#include <string.h>

TCase *unit_tests(void)
{
  static TCase *tests;
  if (!tests)
    tests = tcase_create("tests");
  return tests;
}

int unit_tests_run(const char *program)
{
  const char *slash = strrchr(program, '/');
  Suite *suite = suite_create(slash ? slash + 1 : program);
  suite_add_tcase(suite, unit_tests());
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed != 0;
}
