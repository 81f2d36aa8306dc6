/* SPDX-License-Identifier: MIT */
/* The modulus reductions of a run, from its cycles. */
#ifndef JAGER_RUN_REDUCTION_H
#define JAGER_RUN_REDUCTION_H

#include "case/run_case.h"
#include "files/tables/ready_tests.h"

#include <stdbool.h>

/*
 * Reads DIR/cycles.csv of a finished run and appends a row for each amplitude to a list, which is reallocated and to be
 * freed. On failure the list is as it was.
 */
bool run_reduction_collect(reduction_row **rows, size_t *count, const char *dir, const run_case *run,
                           error_info *error);

/* Writes DIR/reduction.csv and, if it is to be drawn, the picture. Does nothing without rows. */
bool run_reduction_write(const char *dir, const char *title, const reduction_row rows[], size_t count, bool is_drawn,
                         error_info *error);

#endif
