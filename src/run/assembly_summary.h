/* SPDX-License-Identifier: MIT */
/* The assembly in the summary of a run: its grading, and how the packing found its target. */
#ifndef JAGER_RUN_ASSEMBLY_SUMMARY_H
#define JAGER_RUN_ASSEMBLY_SUMMARY_H

#include "dem/observe/grading.h"
#include "dem/simulation.h"

#include <stdio.h>

/* Lines of text. */
void run_assembly_print(FILE *out, const dem_case *run, const dem_grading *grading, const dem_packing_report *packing);

/* Members of a JSON object, each with a comma before it. */
void run_assembly_print_json(FILE *out, const dem_grading *grading, const dem_packing_report *packing);

#endif
