/* SPDX-License-Identifier: MIT */
/* The motion phase of a step, and the total force on a sphere. */
#ifndef JAGER_DEM_STEP_MOTION_H
#define JAGER_DEM_STEP_MOTION_H

#include "dem/state.h"

/* Advances velocities, positions and rotations of all spheres. */
void dem_motion_advance(dem_simulation *s, bool measures_unbalanced);

/* Force and torque on sphere i by all its contacts. The outer wrenches of separate pairs are zero. */
static inline void forces_gather(const dem_simulation *s, size_t i, vec3 *force, vec3 *torque)
{
  vec3 f = s->loads[i].force, t = s->loads[i].torque;
  for (uint32_t k = s->incoming_start[i]; k < s->incoming_start[i + 1]; k++) {
    const wrench *in = &s->outer_wrenches[s->incoming[k]];
    f = vec3_add(f, in->force);
    t = vec3_add(t, in->torque);
  }
  *force = f;
  *torque = t;
}

#endif
