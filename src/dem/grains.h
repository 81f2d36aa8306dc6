/* SPDX-License-Identifier: MIT */
/*
 * Grains of several spheres: rigid clumps. Contacts are between spheres; here their forces become those of the grains,
 * and the motion of a grain that of its spheres.
 *
 * A sphere at the arm d from the centroid of its grain, with the contact force f and the contact torque t about its
 * centre, gives the grain the force f and the torque t + d × f. The contacts sum the virial with branches between the
 * centres of spheres. The cell's deformation moves centroids: its work, and the stress, come from branches between
 * centroids, with which the virial is smaller by Σ f ⊗ d over all spheres. It is symmetric if no torque is left.
 */
#ifndef JAGER_DEM_GRAINS_H
#define JAGER_DEM_GRAINS_H

#include "simulation_state.h"

/* Numbers of spheres of the grains, in their order; no counts: the spheres are the grains. */
typedef struct dem_layout {
  size_t spheres, grains;
  const uint32_t *counts; /* of each grain; NULL if grains is 0 */
} dem_layout;

/* Allocates the grains of a layout that has any, and gives them their spheres. */
bool dem_clumps_allocate(dem_simulation *s, const dem_layout *layout, error_info *error);
void dem_clumps_free(dem_simulation *s);

/* Puts the spheres where position and rotation of grain i have them. */
void dem_clump_place_spheres(dem_simulation *s, size_t i);

/* Sums forces and torques of all grains, and takes the arms out of the virial of each block. */
void dem_clumps_gather(dem_simulation *s);

/* Angular velocity with this angular momentum, in the axes of space. */
vec3 dem_clump_spin(const clump *c, vec3 momentum);

/* Kinetic energy with this velocity and this angular momentum. */
double dem_clump_kinetic_energy(const clump *c, vec3 v, vec3 momentum);

/* Changes the mass; the velocities stay. */
void dem_clump_set_mass(dem_simulation *s, size_t i, double mass);

/* ---- Motion ------------------------------------------------------------------------------------------------------ */

/* Vectors and rotations of the grains of a block in arrays, so that the arithmetic is vectorised. */
typedef struct vec3_lanes {
  double x[BLOCK_SPHERES], y[BLOCK_SPHERES], z[BLOCK_SPHERES];
} vec3_lanes;

typedef struct quaternion_lanes {
  double w[BLOCK_SPHERES], x[BLOCK_SPHERES], y[BLOCK_SPHERES], z[BLOCK_SPHERES];
} quaternion_lanes;

static inline vec3 vec3_of_lane(const vec3_lanes *from, size_t k)
{
  return (vec3){from->x[k], from->y[k], from->z[k]};
}

static inline void vec3_to_lane(vec3_lanes *to, size_t k, vec3 v)
{
  to->x[k] = v.x;
  to->y[k] = v.y;
  to->z[k] = v.z;
}

static inline quaternion quaternion_of_lane(const quaternion_lanes *from, size_t k)
{
  return (quaternion){from->w[k], from->x[k], from->y[k], from->z[k]};
}

static inline void quaternion_to_lane(quaternion_lanes *to, size_t k, quaternion q)
{
  to->w[k] = q.w;
  to->x[k] = q.x;
  to->y[k] = q.y;
  to->z[k] = q.z;
}

/* The rotations of the grains of a block. */
typedef struct clump_rotations {
  quaternion_lanes turn;
  vec3_lanes momentum, torque, gyration;
  double mass[BLOCK_SPHERES];
  vec3_lanes turned; /* Cayley's vector of the rotation in the step, in the axes of space */
} clump_rotations;

/* Reads `count` grains, and fills the last lanes with grains at rest. */
void dem_rotations_load(clump_rotations *r, const clump *grains, size_t count);

/* New momenta by the torques. Returns the energy over dt that damping dissipates. */
double dem_rotations_accelerate(clump_rotations *r, size_t count, const dem_damping *damping, double dt);

/* Turns free grains for a time dt. See grains.c. */
void dem_rotations_turn(clump_rotations *r, size_t count, double dt);

/* Turns one free grain, and returns Cayley's vector of the rotation, in the axes of space. */
vec3 dem_clump_turn(clump *c, double dt);

/* At a listing of neighbours, from which on the grain's travel counts: keeps its rotation, and finds its reach. */
void dem_clump_start_travel(const dem_simulation *s, size_t i);

/*
 * Makes the motions of the spheres in the last step: their displacements relative to the mean flow over dt. They are
 * needed for output and at new contacts only.
 */
motion dem_clump_sphere_motion(const dem_simulation *s, size_t i);
void dem_clumps_find_motions(const dem_simulation *s);

#endif
