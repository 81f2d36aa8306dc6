/* SPDX-License-Identifier: MIT */
/* Prints a case as text for people: what `jager run` would do. */
#ifndef JAGER_CASE_PRINT_H
#define JAGER_CASE_PRINT_H

#include "run_case.h"

#include <stdio.h>

void case_print(const run_case *run, FILE *stream);

/* print_stage.c: the stage with this number, counted from 0: a line for its loading, a line for its output. */
void case_print_stage(const run_case *run, int number, FILE *stream);

void case_print_damping(const dem_damping *damping, FILE *stream);

#endif
