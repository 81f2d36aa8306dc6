/* SPDX-License-Identifier: MIT */
/* Another case for a simulation under way. */
#include "dem/checkpoint/case_change.h"
#include "drive.h"
#include "step.h"
#include "trace.h"

/* A servo that begins or ends its work starts anew: its integral belongs to another loading. */
static void change_servo(servo *state, bool was_held, bool is_held, double stress)
{
  if (was_held != is_held)
    *state = (servo){.start = stress};
}

/* The present stage has other friction, control or damping. */
static bool change_loading(dem_simulation *s, const dem_stage *before, error_info *error)
{
  const dem_stage *now = current_stage(s);
  int with_friction = s->stage.number; /* the last stage that sets a friction; 0: the material does */
  while (with_friction > 0 && isnan(s->run->stages[with_friction - 1].friction))
    with_friction--;
  jager_status status = jager_law_set_friction(&s->law, with_friction > 0 ? s->run->stages[with_friction - 1].friction
                                                                          : s->run->material.friction);
  if (status != JAGER_OK)
    return error_set(error, "stage '%s': %s", now->name, jager_status_text(status));

  double stress[DEM_COMPONENTS];
  dem_stress(s, stress);
  for (int k = 0; k < DEM_COMPONENTS; k++)
    change_servo(&s->stage.servos[k], is_held_by_servo(&before->control[k]), is_held_by_servo(&now->control[k]),
                 stress[k]);
  change_servo(&s->stage.servos[SERVO_MEAN], before->mean_stress_is_held, now->mean_stress_is_held,
               (stress[DEM_XX] + stress[DEM_YY] + stress[DEM_ZZ]) / 3.0);
  if (dem_stage_keeps_volume(now) && !dem_stage_keeps_volume(before))
    dem_stress(s, s->stage.reference); /* pore pressures count from here */

  const dem_damping *a = &s->damping, *b = &now->damping;
  if (a->viscous != b->viscous || a->local != b->local || a->global != b->global) {
    s->damping = *b;
    /* The stable time step depends on the damping: the next step computes it, as if contacts had become stiffer. */
    if (s->overlap > 0.0)
      s->overlap_known = 0.0;
  }
  return true;
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
  if (difference.of_end)
    (void)dem_stage_take_back_end(s);
  bool is_changed = true;
  if (difference.of_loading && s->stage_just_ended)
    is_changed =
        error_set(error, "stage '%s' has ended: change the next stage, or give this one a later end in the same change",
                  current_stage(s)->name);
  else if (difference.of_loading)
    is_changed = change_loading(s, &before->stages[s->stage.number - 1], error);
  if (!is_changed) {
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
