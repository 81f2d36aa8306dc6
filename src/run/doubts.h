/* SPDX-License-Identifier: MIT */
/*
 * Doubts about the result of a run, such as inertia, missed stress targets or large overlaps. They are judged from
 * the series, so that a run that was resumed is judged as a whole.
 *
 * The list below holds every limit and its remedy. The warnings and the table of docs/guide.md follow from it.
 */
#ifndef JAGER_RUN_DOUBTS_H
#define JAGER_RUN_DOUBTS_H

#include "dem/case.h"
#include "files/tables.h"

#include <stdbool.h>
#include <stddef.h>

/* X(name, limit, what, remedy). The warning: "stage 'NAME': WHAT VALUE, limit LIMIT: REMEDY" */
#define RUN_DOUBT_LIST(X)                                                                                              \
  X(NOT_FINITE, 0.0, "numbers that are not finite in the last line of the series:",                                    \
    "start from the last good state with a smaller time_step.safety")                                                  \
  X(INERTIA, DEM_INERTIAL_NUMBER_MAX, "not quasi-static: the median of inertial_number is", "strain more slowly")      \
  X(UNBALANCED, 0.05, "not in equilibrium: the median of unbalanced is",                                               \
    "strain more slowly, take a longer ramp, or raise damping.local")                                                  \
  X(SERVO, 0.05, "stress targets not held: 90th percentile or final deviation is",                                     \
    "strain more slowly, take a longer ramp, or more steps to reach the target")                                       \
  X(NO_REST, 0.0, "ended by steps or time before coming to rest: unbalanced is",                                       \
    "raise until.steps or until.time, or damping.local")                                                               \
  X(DAMPING, 0.2, "damping dissipated a large fraction of the energy:", "lower damping, or strain more slowly")        \
  X(ENERGY, 0.01, "the energies do not balance: energy_error is", "lower time_step.safety")                            \
  X(OVERLAP, 0.05, "overlaps are too large for Hertz contacts: overlap_max is",                                        \
    "lower the stresses, or take stiffer grains")                                                                      \
  X(ANISOTROPY, 0.1, "packing is not isotropic: q or a shear stress over p is",                                        \
    "add a stage that holds all six stresses before the test, or lower assembly.packing.unbalanced")                   \
  X(STRESS_LOST, 0.02, "stress was lost: the smallest p over the largest is",                                          \
    "end the stage earlier, with until: {p: ...}; without stress the motion is not quasi-static")                      \
  X(NO_REVERSAL, 0.0, "the amplitude of its cycles was never reached, and nothing was reversed; cycles done:",         \
    "lower the amplitude or csr, or let the stage last longer")                                                        \
  X(NO_SERIES, 0.0, "not judged: lines of the stage in the series:", "set output.series")

#define RUN_DOUBT_KIND(name, limit, what, remedy) DOUBT_##name,
typedef enum run_doubt_kind { RUN_DOUBT_LIST(RUN_DOUBT_KIND) RUN_DOUBT_KINDS } run_doubt_kind;
#undef RUN_DOUBT_KIND

/* A limit of 0: there is no limit, or it is in the case. */
double run_doubt_limit(run_doubt_kind kind);
const char *run_doubt_what(run_doubt_kind kind);
const char *run_doubt_remedy(run_doubt_kind kind);

/*
 * A result is not only doubtful but wrong if a stress at the end of a stage deviates by more than its target, or if
 * the energy balance lacks half of the energy.
 */
#define RUN_SERVO_NONSENSE 1.0
#define RUN_ENERGY_NONSENSE 0.5

/* The rows of a stage in the series. The first row is the start of the stage. */
typedef struct stage_rows {
  size_t count, first, last;
} stage_rows;

stage_rows run_stage_rows(const series_table *table, int stage);

/*
 * Measures of a stage, without its first row. A servo error is the relative deviation of a stress from its target, the
 * largest of all targets.
 */
typedef struct stage_verdict {
  double inertial_number, unbalanced; /* medians over the rows in which p has not been lost; NAN: there are none */
  double servo_error_max;             /* largest servo error after a tenth of the rows; of packing, of the last row; */
                                      /* NAN: there are no targets */
  double servo_error;                 /* the larger of its 90 % quantile and its value in the last row */
  double servo_error_end;             /* of the last row */
  int servo;                          /* its target: a dem_component, or RUN_MEAN_STRESS */
  double energy_error;                /* absolute value in the last row; 0 if almost no energy has been transferred */
  double damping_share;               /* of damping in what was dissipated; NAN: nothing was */
  double shear_left;                  /* largest shear stress in the last row, Pa */
  double pressure_left;               /* smallest p over the largest before it; 1 where a target asks for it */
} stage_verdict;

enum { RUN_MEAN_STRESS = DEM_COMPONENTS };

/* There must be at least one row. False if there is no memory. */
bool run_stage_judge(stage_verdict *verdict, const series_table *table, const dem_case *run, int stage,
                     stage_rows rows);

/* Does the stage prescribe this strain, other than zero? */
bool run_is_driven(const dem_control *control);

/* Has a cyclic stage ended before its amplitude was reached for the first time? There must be at least one row. */
bool run_stage_has_not_reversed(const series_table *table, const dem_stage *stage, stage_rows rows);

enum { RUN_DOUBT_SIZE = 400 };

typedef struct run_doubt {
  run_doubt_kind kind;
  int stage; /* 0: packing */
  char text[RUN_DOUBT_SIZE];
} run_doubt;

typedef struct run_doubts {
  size_t count, capacity;
  run_doubt *list;
  bool is_nonsense; /* the result is wrong: see RUN_SERVO_NONSENSE; or numbers are not finite */
} run_doubts;

/* Judges all stages. False if there is no memory: nothing is to be freed then. */
bool run_doubts_find(run_doubts *doubts, const series_table *table, const dem_case *run);

void run_doubts_free(run_doubts *doubts);

/* "packing", or the name of a stage. */
const char *run_stage_name(const dem_case *run, int stage);

#endif
