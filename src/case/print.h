/* SPDX-License-Identifier: MIT */
/* Prints a case as text for people: what `jager run` would do. */
#ifndef JAGER_CASE_PRINT_H
#define JAGER_CASE_PRINT_H

#include "run_case.h"

#include <stdio.h>

void case_print(const run_case *run, FILE *stream);

#endif
