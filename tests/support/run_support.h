/* SPDX-License-Identifier: MIT */
/* Shared by the tests of runs. Include it before any other header. */
#ifndef TEST_RUN_SUPPORT_H
#define TEST_RUN_SUPPORT_H

#include "dem_support.h"

#include "run/variants.h"

/* Spheres that do not touch: quick, and enough to count steps. The case has no stage yet. */
static inline run_case loose_case(void)
{
  run_case run = run_case_default();
  run.simulation = dem_still_case(1e-7);
  run.simulation.stage_count = 0;
  run.simulation.assembly.source = DEM_SOURCE_LATTICE;
  run.simulation.assembly.lattice =
      (dem_lattice){.kind = DEM_LATTICE_SC, .cells = {3, 3, 3}, .radius = 1e-3, .overlap = -0.5};
  run.output.pictures = false;
  return run;
}

/* A list of two runs of loose spheres, in list/jager and list/hertz-mindlin of `directory` */
static inline run_variants_report execute_list(run_settings settings, long series, const run_watcher *watcher)
{
  run_case run = loose_case();
  run_variants_report report;
  run.output.stages[0] = (output_intervals){.series = series};
  dem_add_stage(&run.simulation, "stage", 20);
  run.output.variants = (run_variants){.models = {JAGER_MODEL_JAGER, JAGER_MODEL_HERTZ_MINDLIN}, .model_count = 2};
  settings.dir = scratch_path(directory, "list");
  settings.threads = 1;
  settings.input = "# no text\n";
  settings.command = "test";
  run_variants_execute(&report, &run, &settings, watcher);
  return report;
}

#endif
