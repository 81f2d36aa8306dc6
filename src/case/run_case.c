/* SPDX-License-Identifier: MIT */
/* The description of a run: its defaults. */
#include "run_case.h"

run_case run_case_default(void)
{
  return (run_case){.simulation = dem_case_default(), .output = {.checkpoint_minutes = 10.0, .pictures = true}};
}

output_intervals output_intervals_default(void)
{
  return (output_intervals){.series = 100};
}

bool run_case_copy(run_case *to, const run_case *from)
{
  to->output = from->output;
  return dem_case_copy(&to->simulation, &from->simulation);
}

void run_case_free(run_case *run)
{
  dem_case_free(&run->simulation);
}
