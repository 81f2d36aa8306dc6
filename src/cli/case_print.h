/* SPDX-License-Identifier: MIT */
/* A case, told in words: what would run. */
#ifndef JAGER_CLI_CASE_PRINT_H
#define JAGER_CLI_CASE_PRINT_H

#include "case.h"

#include <stdio.h>

void case_print(const dem_case *run, FILE *stream);

#endif
