/* SPDX-License-Identifier: MIT */
/*
 * What makes the result of a run doubtful, judged from its series: so that a run that was resumed is judged as a whole.
 *
 * The list below holds every limit and what to do when it is passed. The warnings and the table of docs/guide.md are
 * made from it.
 */
#ifndef JAGER_RUN_DOUBTS_H
#define JAGER_RUN_DOUBTS_H

#include "dem/case.h"
#include "files/series.h"

#include <stdbool.h>
#include <stddef.h>

/* X(name, limit, what, remedy). The warning: "stage 'NAME': WHAT VALUE, limit LIMIT: REMEDY" */
#define RUN_DOUBT_LIST(X)                                                                                              \
  X(NOT_FINITE, 0.0, "numbers that are not finite in the last line of the series:",                                    \
    "start from the last good state with a smaller time_step.safety")                                                  \
  X(INERTIA, DEM_INERTIAL_NUMBER_MAX, "not quasi-static: the median of inertial_number is", "strain more slowly")      \
  X(UNBALANCED, 0.05, "not in equilibrium: the median of unbalanced is",                                               \
    "strain more slowly, take a longer ramp, or raise damping.local")                                                  \
  X(SERVO, 0.05, "stress targets not held: nine lines in ten, and the last one, are off by up to",                     \
    "strain more slowly, take a longer ramp, or more steps to reach the target")                                       \
  X(NO_REST, 0.0, "ended by its steps or time, not at rest: unbalanced is",                                            \
    "raise until.steps or until.time, or damping.local")                                                               \
  X(DAMPING, 0.2, "damping dissipated a large share of the work:", "lower damping, or strain more slowly")             \
  X(ENERGY, 0.01, "the energies do not balance: energy_error is", "lower time_step.safety")                            \
  X(OVERLAP, 0.05, "spheres overlap too much for the theory of contacts: overlap_max is",                              \
    "lower the stresses, or take stiffer grains")                                                                      \
  X(ANISOTROPY, 0.1, "packing is not isotropic: q or a shear stress over p is",                                        \
    "add a stage that holds all six stresses before the test, or lower assembly.packing.unbalanced")                   \
  X(STRESS_LOST, 0.02, "stress was lost: the least p over the largest is",                                             \
    "end the stage before that, with until: {p: ...}; behind it nothing is quasi-static")                              \
  X(NO_SERIES, 0.0, "not judged: its lines in the series are", "set output.series")

#define RUN_DOUBT_KIND(name, limit, what, remedy) DOUBT_##name,
typedef enum run_doubt_kind { RUN_DOUBT_LIST(RUN_DOUBT_KIND) RUN_DOUBT_KINDS } run_doubt_kind;
#undef RUN_DOUBT_KIND

/* A limit of 0 is none, or stands in the case. */
double run_doubt_limit(run_doubt_kind kind);
const char *run_doubt_what(run_doubt_kind kind);
const char *run_doubt_remedy(run_doubt_kind kind);

/*
 * A result is not only doubtful but wrong if at a stage's end a stress is off by more than its target, or half of the
 * energy comes from nowhere.
 */
#define RUN_SERVO_NONSENSE 1.0
#define RUN_ENERGY_NONSENSE 0.5

/* The rows of a stage in the series. The first is its start. */
typedef struct stage_rows {
  size_t count, first, last;
} stage_rows;

stage_rows run_stage_rows(const series_table *table, int stage);

/* How a stage went. Its start is not judged. */
typedef struct stage_verdict {
  double inertial_number, unbalanced; /* medians of the rows that are judged: those in which p has not been lost */
  double servo_error_max; /* largest deviation from a stress target, after a tenth of the rows; of packing, the last */
  double servo_error;     /* the same of nine rows in ten, or of the last row */
  double servo_error_end; /* of the last row */
  int servo;              /* farthest off in the last row: a dem_component, or RUN_MEAN_STRESS */
  double energy_error;    /* size of it in the last row; 0 if next to no energy has been moved */
  double damping_share;   /* of the energy that went in or was released; 0 if the work is little */
  double shear_left;      /* largest shear stress in the last row, Pa */
  double pressure_left;   /* least p over the largest before, unless a target is as low */
} stage_verdict;

enum { RUN_MEAN_STRESS = DEM_COMPONENTS };

/* The rows must be at least one. False if there is no memory. */
bool run_stage_judge(stage_verdict *verdict, const series_table *table, const dem_case *run, int stage,
                     stage_rows rows);

enum { RUN_DOUBT_SIZE = 400 };

typedef struct run_doubt {
  run_doubt_kind kind;
  int stage; /* 0: packing */
  char text[RUN_DOUBT_SIZE];
} run_doubt;

typedef struct run_doubts {
  size_t count, capacity;
  run_doubt *list;
  bool is_nonsense; /* numbers that are not finite, a stress far from its target, or energy from nowhere */
} run_doubts;

/* Judges all stages. False if there is no memory: nothing is to be freed then. */
bool run_doubts_find(run_doubts *doubts, const series_table *table, const dem_case *run);

void run_doubts_free(run_doubts *doubts);

/* "packing", or the name of a stage. */
const char *run_stage_name(const dem_case *run, int stage);

#endif
