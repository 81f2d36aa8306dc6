/* SPDX-License-Identifier: MIT */
/* The main of unit tests that have none of their own. */
#include "unit_test.h"

int main(int argc, char *argv[])
{
  (void)argc;
  return unit_tests_run(argv[0]);
}
