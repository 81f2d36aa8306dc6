/* SPDX-License-Identifier: MIT */
/* A stage of a case, told in words. */
#ifndef JAGER_CASE_PRINT_STAGE_H
#define JAGER_CASE_PRINT_STAGE_H

#include "run_case.h"

#include <stdio.h>

/* The stage by its number from 0: one line of what is done, one of what is written. */
void case_print_stage(const run_case *run, int number, FILE *stream);

void case_print_damping(const dem_damping *damping, FILE *stream);

#endif
