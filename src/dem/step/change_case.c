/* SPDX-License-Identifier: MIT */
/* Another case for a simulation under way. */
#include "dem/checkpoint/case_change.h"
#include "dem/observe/trace.h"
#include "drive.h"
#include "stage.h"

/* The friction that acts in a stage, from 1. */
static double friction_in(const dem_case *run, int number)
{
  while (number > 0 && isnan(run->stages[number - 1].friction))
    number--;
  return number > 0 ? run->stages[number - 1].friction : run->material.friction;
}

/* ---- The present stage ------------------------------------------------------------------------------------------- */

/* A servo that begins or ends its work starts anew: its integral is that of another loading. */
static void change_servo(servo *state, bool was_held, bool is_held, double stress)
{
  if (was_held != is_held)
    *state = (servo){.start = stress};
}

static void change_servos(dem_simulation *s, const dem_stage *before, const dem_stage *now)
{
  double stress[DEM_COMPONENTS];
  dem_stress(s, stress);
  for (int k = 0; k < DEM_COMPONENTS; k++)
    change_servo(&s->stage.servos[k], is_held_by_servo(&before->control[k]), is_held_by_servo(&now->control[k]),
                 stress[k]);
  change_servo(&s->stage.servos[SERVO_MEAN], before->mean_stress_is_held, now->mean_stress_is_held,
               (stress[DEM_XX] + stress[DEM_YY] + stress[DEM_ZZ]) / 3.0);
}

static bool damping_differs(const dem_damping *a, const dem_damping *b)
{
  return a->viscous != b->viscous || a->local != b->local || a->global != b->global;
}

/* The stable time step depends on the damping: the next step computes it, as if contacts had become stiffer. */
static void change_damping(dem_simulation *s, const dem_damping *now)
{
  if (!damping_differs(&s->damping, now))
    return;
  s->damping = *now;
  if (s->overlap > 0.0)
    s->overlap_known = 0.0;
}

static bool change_loading(dem_simulation *s, const dem_case *before, error_info *error)
{
  const dem_stage *stage_before = &before->stages[s->stage.number - 1], *stage = current_stage(s);
  jager_status status = jager_law_set_friction(&s->law, friction_in(s->run, s->stage.number));
  if (status != JAGER_OK)
    return error_set(error, "stage '%s': %s", stage->name, jager_status_text(status));
  change_servos(s, stage_before, stage);
  change_damping(s, &stage->damping);
  if (dem_stage_keeps_volume(stage) && !dem_stage_keeps_volume(stage_before))
    dem_stress(s, s->stage.reference); /* pore pressures count from here */
  return true;
}

/* ---- All --------------------------------------------------------------------------------------------------------- */

static bool change(dem_simulation *s, const dem_case *before, dem_case_difference difference, error_info *error)
{
  if (difference.of_end)
    (void)dem_stage_take_back_end(s);
  if (!difference.of_loading)
    return true;
  if (s->stage_just_ended)
    return error_set(error,
                     "stage '%s' has ended: change the next stage, or give this one a later end in the same change",
                     current_stage(s)->name);
  return change_loading(s, before, error);
}

bool dem_simulation_change_case(dem_simulation *s, const dem_case *now, error_info *error)
{
  dem_case_difference difference;
  if (s->failed)
    return error_set(error, "the simulation has failed before");
  if (!dem_case_may_change(s, now, &difference, error))
    return false;
  const dem_case *before = s->run;
  const stage_state stage_before = s->stage;
  const bool had_ended = s->stage_just_ended, had_reversed = s->just_reversed;
  s->run = now;
  if (!change(s, before, difference, error)) {
    s->run = before;
    s->stage = stage_before;
    s->stage_just_ended = had_ended;
    s->just_reversed = had_reversed;
    return false;
  }
  if (s->traces)
    dem_trace_book_set_case(s->traces, now);
  return true;
}
