/* SPDX-License-Identifier: MIT */
/* Which files a run writes at which step. */
#include "output_due.h"

/* Stage 0, packing, has the series of the first stage and no snapshots. */
static output_intervals intervals_of(const run_output *output, int stage)
{
  return stage > 0 ? output->stages[stage - 1] : (output_intervals){.series = output->stages[0].series};
}

static bool is_due(long interval, long step, dem_events events)
{
  return interval > 0 && (events.stage_ended || step % interval == 0);
}

/* The stages of a modulus reduction are one stage of the case, which ends with the last of them. */
static bool ends_stage_of_case(const run_output *output, int stage)
{
  for (int i = 0; i < output->reductions.count; i++) {
    const run_reduction *of = &output->reductions.list[i];
    if (stage >= of->first_stage && stage < of->first_stage + 2 * of->count - 1)
      return false;
  }
  return true;
}

run_due run_output_due(const run_output *output, const dem_simulation *simulation)
{
  int stage = dem_simulation_stage(simulation);
  long step = dem_simulation_steps(simulation);
  dem_events events = dem_simulation_events(simulation);
  output_intervals now = intervals_of(output, stage), before = {0};
  if (!events.stage_began)
    return (run_due){.series =
                         is_due(now.series, step, events) || (now.series > 0 && (events.reversed || events.liquefied)),
                     .snapshot = is_due(now.snapshot, step, events),
                     .vtk = is_due(now.vtk, step, events),
                     .picture = output->pictures && events.stage_ended && ends_stage_of_case(output, stage)};
  if (step > 0)
    before = intervals_of(output, stage - 1);
  return (run_due){.series = now.series > 0,
                   .snapshot = now.snapshot > 0 && before.snapshot == 0,
                   .vtk = now.vtk > 0 && before.vtk == 0};
}
