/* SPDX-License-Identifier: MIT */
/*
 * What kind of test a run was: the stages worth drawing, and the strain to draw them over.
 *
 * A stage loads the assembly if the case prescribes a strain in it that is not zero, or a stress other than that of the
 * stage before. Drawn are the last stage that loads, those before it that load in the same way (along the same component,
 * or from all sides), and the stages between and behind them: after consolidation and shearing only the shearing, after
 * loading and unloading both. If no stage loads, all are drawn, as at rest. Strains count from the start of the first
 * stage that is drawn.
 */
#ifndef JAGER_PICTURES_RUN_AXIS_H
#define JAGER_PICTURES_RUN_AXIS_H

#include "dem/case.h"
#include "files/series.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum run_test {
  RUN_TEST_STILL,     /* no stage loads: packing, consolidation, rest */
  RUN_TEST_ISOTROPIC, /* compressed from all sides */
  RUN_TEST_NORMAL,    /* along an axis */
  RUN_TEST_SHEAR
} run_test;

typedef struct run_axis {
  run_test test;
  dem_component component; /* that was driven; of a still or isotropic test, zz */
  int lateral;             /* plane strain: the component whose stress holds the assembly; -1: not plane */
  bool is_cyclic;          /* it went to and fro: over the strain, only stresses can be read */
  bool is_at_constant_volume;
  int first_stage, last_stage;
  size_t first, end; /* rows; the first one is the state before the first stage, if there is a row of it */
  double strain[DEM_COMPONENTS], step; /* at the start of the first stage */
} run_axis;

/*
 * A row of packing. Strains, work and dissipation start anew from zero when the assembly is ready: what they are in such
 * a row has nothing to do with the stages.
 */
bool run_axis_is_packing(const series_table *table, size_t row);

/* A strain since the assembly was ready: zero in rows of packing. */
double run_axis_strain(const series_table *table, int component, size_t row);

/* The table must have rows. */
run_axis run_axis_choose(const series_table *table, const dem_case *run);

#endif
