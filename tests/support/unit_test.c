/* SPDX-License-Identifier: MIT */
#include "unit_test.h"

#include <string.h>

static const char *name;
static TCase *tests;

TCase *unit_tests(const char *source)
{
  if (!tests) {
    const char *slash = strrchr(source, '/');
    name = slash ? slash + 1 : source;
    tests = tcase_create(name);
  }
  return tests;
}

int unit_tests_run(void)
{
  Suite *suite = suite_create(name);
  suite_add_tcase(suite, tests);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed != 0;
}
