/* SPDX-License-Identifier: MIT */
/* The outcome of a cyclic stage for the summary: modulus and damping ratio, and whether the assembly liquefied. */
#ifndef JAGER_RUN_CYCLIC_H
#define JAGER_RUN_CYCLIC_H

#include "dem/case.h"
#include "doubts.h"
#include "files/series.h"
#include "files/tables/cycles.h"

#include <stdbool.h>
#include <stdio.h>

/* Has the run a cyclic stage, and therefore the file cycles.csv? */
bool run_has_cycles(const dem_case *run);

typedef struct cyclic_outcome {
  bool is_cyclic;        /* the other members are those of a cyclic stage */
  bool keeps_volume;     /* there is a pore pressure */
  double cycles;         /* at the end of the stage */
  double csr;            /* cyclic stress ratio of the first loop, or the largest in the series if there is none */
  double r_u_max;        /* the largest of all steps */
  double liquefied_in;   /* number of cycles when r_u reached DEM_LIQUEFIED_R_U; NAN: it did not */
  bool has_not_reversed; /* the stage ended before its amplitude was reached */
  double csr_wanted;     /* by the case; 0: none */
  bool has_loops;
  size_t first, last; /* rows of the first and the last cycle with a loop that is not open */
} cyclic_outcome;

/* `rows` are those of the stage in the series. */
cyclic_outcome run_cyclic_find(const series_table *table, const cycles_table *cycles, const dem_case *run, int stage,
                               stage_rows rows);

/* Lines of text. */
void run_cyclic_print(const cyclic_outcome *outcome, const cycles_table *cycles, FILE *out);

/* Members of a JSON object, each with a comma before it. */
void run_cyclic_print_json(const cyclic_outcome *outcome, const cycles_table *cycles, FILE *out);

#endif
