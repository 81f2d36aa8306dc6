/* SPDX-License-Identifier: MIT */
/* A case, told in words: what would run. */
#ifndef JAGER_CASE_PRINT_H
#define JAGER_CASE_PRINT_H

#include "dem/case.h"

#include <stdio.h>

void case_print(const dem_case *run, FILE *stream);

#endif
