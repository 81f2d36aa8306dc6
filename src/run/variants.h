/* SPDX-License-Identifier: MIT */
/*
 * The runs of a case with lists: of contact models, and of cyclic stress ratios.
 *
 * Each model has a run of its own in DIR/MODEL, or in DIR if there is one model. Stages before the one with the list
 * of ratios are run once for each model; each ratio continues from their last state, in DIR/MODEL/csr-RATIO. Runs that
 * do not wait for each other go side by side in child processes, which changes no result.
 */
#ifndef JAGER_RUN_VARIANTS_H
#define JAGER_RUN_VARIANTS_H

#include "files/tables.h"
#include "run.h"

#include <stdio.h>

/* Does the case have lists? */
bool run_has_variants(const run_case *run);

typedef struct run_variants_report {
  run_ending ending;
  error_info error; /* unless all runs were completed or stopped */
  int count, done;  /* runs */
  long steps;       /* of all runs */
  size_t doubts;    /* warnings of all runs, which stand in their summaries */
  bool is_nonsense; /* a result makes no sense */
  size_t reduction_count, resistance_count;
  reduction_row *reductions;
  resistance_row *resistances;
} run_variants_report;

void run_variants_execute(run_variants_report *report, const run_case *run, const run_settings *settings,
                          const run_watcher *watcher);

void run_variants_report_free(run_variants_report *report);

/* Prints the results as a table, or as JSON. */
void run_variants_print(const run_variants_report *report, const char *dir, FILE *out);
void run_variants_print_json(const run_variants_report *report, const char *dir, FILE *out);

#endif
