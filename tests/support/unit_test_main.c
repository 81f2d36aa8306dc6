/* SPDX-License-Identifier: MIT */
/* The main of unit tests that have none of their own. */
#include "unit_test.h"

int main(void)
{
  return unit_tests_run();
}
