/* SPDX-License-Identifier: MIT */
/* One step and its phases, and the stages: step.c, time_step.c, motion.c. The contact phase is in contacts.h. */
#ifndef JAGER_DEM_STEP_H
#define JAGER_DEM_STEP_H

#include "simulation_state.h"

/* ---- Stages ------------------------------------------------------------------------------------------------------ */

/* Least number of steps before an assembly counts as at rest: forces need some steps to act. */
enum { STEPS_TO_REST = 100 };

bool dem_stage_begin(dem_simulation *s, int number, error_info *error);

/* To be called after each step: reverses a cyclic stage at its amplitude. Returns whether the stage has ended. */
bool dem_stage_finish_step(dem_simulation *s);

/* Stops all grains. At the end of packing: velocities have the unit of time that the inertia of packing gave them. */
void dem_grains_stop(dem_simulation *s);

/*
 * The stage has ended, but the case has changed since: does it go on with the new end? Returns whether it does, and
 * makes up for what the step at the old end has left out.
 */
bool dem_stage_take_back_end(dem_simulation *s);

/* ---- The time step (time_step.c) --------------------------------------------------------------------------------- */

/* Computes the time step, and the modulus for the servo, from the stiffnesses of the present contacts. */
void dem_stiffness_update(dem_simulation *s);

/*
 * Are they out of date? They are every time_step.interval steps, when a stage begins, and after contacts have
 * stiffened.
 */
bool dem_stiffness_is_stale(const dem_simulation *s);

/* ---- The motion phase (motion.c) --------------------------------------------------------------------------------- */

/* Advances velocities, positions and rotations of all spheres. */
void dem_motion_advance(dem_simulation *s, bool measures_unbalanced);

/* Force and torque on sphere i by all its contacts. */
static inline void forces_gather(const dem_simulation *s, size_t i, vec3 *force, vec3 *torque)
{
  vec3 f = vec3_load(s->loads[i].force), t = vec3_load(s->loads[i].torque);
  for (uint32_t k = s->incoming_start[i]; k < s->incoming_end[i]; k++) {
    const jager_wrench *in = &s->outer_wrenches[s->incoming[k]];
    f = vec3_add(f, vec3_load(in->force));
    t = vec3_add(t, vec3_load(in->torque));
  }
  *force = f;
  *torque = t;
}

#endif
