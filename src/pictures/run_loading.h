/* SPDX-License-Identifier: MIT */
/*
 * Finds how a run loads its assembly: the kind of loading, the stages that the pictures show, and the driven strain.
 *
 * A stage loads the assembly if its case prescribes a non-zero strain, a wave, or a stress that differs from that of
 * the stage before. The pictures show the last group of stages with the same kind of loading (along the same
 * component, or isotropic), with the stages between and after them that do not load. Examples: after consolidation and
 * shearing, only the shearing; after loading and unloading, both. If no stage loads, the pictures show all stages over
 * time. Strains count from the start of the first stage that is shown.
 */
#ifndef JAGER_PICTURES_RUN_LOADING_H
#define JAGER_PICTURES_RUN_LOADING_H

#include "dem/case.h"
#include "files/series.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum run_loading_kind {
  RUN_LOADING_STILL, /* no stage loads: packing, consolidation, rest */
  RUN_LOADING_ISOTROPIC,
  RUN_LOADING_NORMAL, /* compression or extension along an axis */
  RUN_LOADING_SHEAR
} run_loading_kind;

typedef struct run_loading {
  run_loading_kind kind;
  dem_component component; /* the driven one; zz if still or isotropic */
  int lateral;             /* plane strain: the free component beside the driven one; -1: not plane strain */
  bool is_cyclic;          /* the driven strain reverses: only stresses are drawn over it */
  bool is_at_constant_volume;
  int first_stage, last_stage;         /* 0 is packing */
  size_t first, end;                   /* rows; the first is the last row before the first stage, if there is one */
  double strain[DEM_COMPONENTS], step; /* at the start of the first stage */
  bool counts_cycles;                  /* the series counts cycles in these stages */
  double cycles_before[DEM_STAGES_MAX + 1]; /* of each stage: cycles of the stages before it that are shown */
} run_loading;

/* True in rows of packing. Strains, work and dissipation start again from zero when packing ends. */
bool run_loading_is_packing(const series_table *table, size_t row);

/* A strain since the end of packing: zero in rows of packing. */
double run_loading_strain(const series_table *table, int component, size_t row);

/* Cycles since the start of the first stage. */
double run_loading_cycles(const run_loading *loading, const series_table *table, size_t row);

/* The table must have rows. */
run_loading run_loading_find(const series_table *table, const dem_case *run);

#endif
