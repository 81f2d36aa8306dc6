/* SPDX-License-Identifier: MIT */
/* Which files a run writes at which step. */
#ifndef JAGER_RUN_OUTPUT_DUE_H
#define JAGER_RUN_OUTPUT_DUE_H

#include "case/run_case.h"
#include "dem/simulation.h"

#include <stdbool.h>

typedef struct run_due {
  bool series, snapshot, vtk;
  bool picture; /* of the assembly, at the end of a stage */
} run_due;

/*
 * The output that is due now, by the intervals of the present stage. After a step: every interval, a line of the
 * series at each reversal of a cyclic stage, and all of it at the end of the stage. Before the first step of a stage:
 * a line of the series, and the snapshots unless the end of the stage before, which is the same state, has had them.
 */
run_due run_output_due(const run_output *output, const dem_simulation *simulation);

#endif
