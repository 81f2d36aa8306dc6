/* SPDX-License-Identifier: MIT */
/*
 * The results of cyclic stages, from the series and the cycles of a run: liquefaction, modulus and damping ratio, of a
 * stage for the summary, and of the ready tests.
 */
#ifndef JAGER_RUN_CYCLIC_H
#define JAGER_RUN_CYCLIC_H

#include "case/run_case.h"
#include "doubts.h"
#include "files/tables.h"

#include <stdbool.h>
#include <stdio.h>

/* Has the run a cyclic stage, and therefore the file cycles.csv? */
bool run_has_cycles(const dem_case *run);

/* ---- A stage, for the summary ------------------------------------------------------------------------------------ */

/* A soil counts as liquefied when its shear strain γ, counted from the start of the stage, has reached this size. */
#define RUN_LIQUEFIED_STRAIN 0.0375

/* When a cyclic stage at constant volume liquefied, by its rows of the series. */
typedef struct run_liquefaction {
  double cycles;        /* the first of the next two; NAN: not liquefied, or flow failure, which holds for all three */
  double cycles_r_u;    /* number of cycles when r_u reached DEM_LIQUEFIED_R_U */
  double cycles_strain; /* the same of |γ| and RUN_LIQUEFIED_STRAIN; NAN if strain is cycled */
  double r_u_max, strain_max;
  bool is_flow_failure;
} run_liquefaction;

typedef struct cyclic_outcome {
  bool is_cyclic;      /* otherwise the other members mean nothing */
  bool keeps_volume;   /* there is a pore pressure */
  double cycles;       /* at the end of the stage */
  double csr;          /* cyclic stress ratio of the first loop, or the largest in the series if there is none */
  double static_ratio; /* static stress ratio, which csr does not contain */
  double r_u_max;      /* the largest of all steps */
  run_liquefaction liquefaction;
  bool has_not_reversed; /* the stage ended before its amplitude was reached */
  double csr_wanted;     /* by the case; 0: none */
  bool has_loops;
  size_t first, last; /* rows of the first and the last cycle with a loop that is not open */
} cyclic_outcome;

/* `rows`: the rows of the stage in the series. */
cyclic_outcome run_cyclic_find(const series_table *table, const cycles_table *cycles, const dem_case *run, int stage,
                               stage_rows rows);

/* Lines of text. */
void run_cyclic_print(const cyclic_outcome *outcome, const cycles_table *cycles, FILE *out);

/* Members of a JSON object, each with a comma before it. */
void run_cyclic_print_json(const cyclic_outcome *outcome, const cycles_table *cycles, FILE *out);

/* ---- Ready tests ------------------------------------------------------------------------------------------------- */

/*
 * Modulus reductions: reads DIR/cycles.csv of a finished run and appends a row for each amplitude to a list, which is
 * reallocated and to be freed. On failure the list is as it was.
 */
bool run_reduction_collect(reduction_row **rows, size_t *count, const char *dir, const run_case *run,
                           error_info *error);

/* Liquefaction resistance: reads DIR/series.csv of a finished run whose first stage has the cycles. */
bool run_resistance_find(resistance_row *row, const char *dir, const dem_case *run, error_info *error);

#endif
