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

/*
 * Turns a free grain for a time dt. Returns Cayley's vector of the rotation, in the axes of space. See grains.c.
 */
vec3 dem_clump_turn(clump *c, double dt);

#endif
