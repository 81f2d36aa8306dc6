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

/* The choice of output files. It changes no result. */
typedef struct run_output {
  output_intervals stages[DEM_STAGES_MAX]; /* of the stages of the simulation, in their order */
  long checkpoint_steps;                   /* steps between two checkpoints; 0: not by steps */
  double checkpoint_minutes;               /* minutes of computing time between two checkpoints; 0: not by time */
  bool pictures;                           /* the key `plots` */
} run_output;

typedef struct run_case {
  dem_case simulation;
  run_output output;
} run_case;

/* The default simulation, no stages, checkpoints every ten minutes, pictures. */
run_case run_case_default(void);

/* The default of a stage. */
output_intervals output_intervals_default(void);

void run_case_free(run_case *run);

#endif
