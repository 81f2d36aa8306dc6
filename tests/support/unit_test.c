/* SPDX-License-Identifier: MIT */
#include "unit_test.h"

#include <string.h>

static const char *source;
static TCase *tests;

TCase *unit_tests(const char *file)
{
  const char *slash = strrchr(file, '/');
  source = slash ? slash + 1 : file;
  if (!tests)
    tests = tcase_create(source);
  return tests;
}

int unit_tests_run(void)
{
  Suite *suite = suite_create(source);
  suite_add_tcase(suite, tests);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed != 0;
}
