/* SPDX-License-Identifier: MIT */
/* The description of a run, which a case file becomes: the simulation, and which files are written of it and when. */
#ifndef JAGER_CASE_RUN_CASE_H
#define JAGER_CASE_RUN_CASE_H

#include "dem/case.h"

#include <stdbool.h>

/* Numbers of steps between two outputs; 0: none. */
typedef struct output_intervals {
  long series;   /* lines of series.csv */
  long snapshot; /* spheres and contacts in result.h5 */
  long vtk;      /* files for ParaView */
} output_intervals;

/* A modulus reduction: stages first_stage, from 1, to first_stage + 2 count - 1; every second one has cycles. */
typedef struct run_reduction {
  int first_stage, count;
  dem_component component;
} run_reduction;

enum { RUN_REDUCTIONS_MAX = 8 };

typedef struct run_reductions {
  int count;
  run_reduction list[RUN_REDUCTIONS_MAX];
} run_reductions;

enum { RUN_CSR_MAX = 32 };

/* Lists in a case, each of whose values has a run of its own. */
typedef struct run_variants {
  int model_count; /* 0 or 1: no list */
  jager_model models[JAGER_MODEL_COUNT];
  int csr_count; /* 0: no list */
  double csr[RUN_CSR_MAX];
  int csr_stage; /* that has the list, from 0 */
} run_variants;

/* The choice of output files. It changes no result. */
typedef struct run_output {
  output_intervals stages[DEM_STAGES_MAX]; /* of the stages of the simulation, in their order */
  long checkpoint_steps;                   /* steps between two checkpoints; 0: not by steps */
  double checkpoint_minutes;               /* minutes of computing time between two checkpoints; 0: not by time */
  bool pictures;                           /* the key `plots` */
  run_reductions reductions;
  run_variants variants;
} run_output;

typedef struct run_case {
  dem_case simulation;
  run_output output;
} run_case;

/* The default simulation, no stages, checkpoints every ten minutes, pictures. */
run_case run_case_default(void);

/* A copy that shares nothing, to be freed as well. False: no memory, and nothing to free. */
bool run_case_copy(run_case *to, const run_case *from);

void run_case_free(run_case *run);

#endif
