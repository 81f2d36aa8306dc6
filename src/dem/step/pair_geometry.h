/* SPDX-License-Identifier: MIT */
/*
 * From two spheres in space to the movement of their contact, and from its force back to them. The simulator and the
 * pair style of LAMMPS both use it, in loops that compilers vectorise. The kinematics are those of pair_kinematics.h,
 * which the frames of the library share; here the axes are kept as n and one tangent e1, which is cheaper than a
 * quaternion.
 *
 * The axes tumble with n and twirl about it by the mean spin. The rotation that takes n0 to n takes a vector e across n0
 * to e - (e·n) (n0 + n)/(1 + n0·n). The result is across n to rounding, whatever e was: the axes cannot drift off.
 */
#ifndef JAGER_DEM_STEP_PAIR_GEOMETRY_H
#define JAGER_DEM_STEP_PAIR_GEOMETRY_H

#include "contact/pair_kinematics.h"

typedef struct pair_spheres {
  double radius_p, radius_q;
  vec3 turn_p, turn_q; /* Cayley's vectors of the step's rotations */
} pair_spheres;

typedef struct pair_movement {
  double zeta0, zeta; /* half the overlap, before and after */
  double dxi[2];
  vec3 n, e, f; /* normal and tangents, after */
} pair_movement;

/* Cayley's vector of a rotation vector: 2 tan(θ/2) θ/|θ|, to fourth order; steps turn by far less than a degree. */
static inline vec3 pair_cayley(vec3 theta)
{
  return vec3_scale(1.0 + vec3_dot(theta, theta) * (1.0 / 12.0), theta);
}

/* The branch before and after, whose square is known already, and the first tangent before. */
static inline pair_movement pair_move(const pair_spheres *of, vec3 branch0, vec3 e0, vec3 branch, double square)
{
  double distance = sqrt(square), radii = of->radius_p + of->radius_q;
  double distance0 = vec3_length(branch0), zeta0 = 0.5 * (radii - distance0), zeta = 0.5 * (radii - distance);
  vec3 n0 = vec3_scale(1.0 / distance0, branch0), n = vec3_scale(1.0 / distance, branch);
  vec3 sum = vec3_add(n0, n), mean = vec3_scale(0.5, sum);
  double arm_p = pair_arm(of->radius_p, zeta0, zeta), arm_q = pair_arm(of->radius_q, zeta0, zeta);
  vec3 du = pair_surface_shift(vec3_subtract(branch, branch0), arm_p, of->turn_p, arm_q, of->turn_q, mean);

  double twirl = pair_twirl(of->turn_p, of->turn_q, mean), cosine = 1.0 - 0.5 * twirl * twirl;
  vec3 tumbled = vec3_add_scaled(e0, -vec3_dot(e0, n) / (1.0 + vec3_dot(n0, n)), sum);
  vec3 across = vec3_cross(n, tumbled);
  vec3 e = vec3_add_scaled(vec3_scale(cosine, tumbled), twirl, across);
  vec3 f = vec3_add_scaled(vec3_scale(cosine, across), -twirl, tumbled);
  vec3 e_mean = vec3_scale(0.5, vec3_add(e0, e)), f_mean = vec3_cross(mean, e_mean);
  return (pair_movement){.zeta0 = zeta0,
                         .zeta = zeta,
                         .dxi = {0.5 * vec3_dot(du, e_mean), 0.5 * vec3_dot(du, f_mean)},
                         .n = n,
                         .e = e,
                         .f = f};
}

/* A tangent of unit length again, after some steps: Newton's step for 1/√ */
static inline vec3 pair_unit(vec3 e)
{
  return vec3_scale(1.5 - 0.5 * vec3_dot(e, e), e);
}

/*
 * The force on q is Fn n - Ft1 e - Ft2 f. It acts in the middle of the overlap, R - ζ from the centres: with
 * n × force = Ft2 e - Ft1 f, the moment, the torques are -(R - ζ) times that on both spheres. Here of one component.
 */
static inline double pair_force(double fn, double ft1, double ft2, double n, double e, double f)
{
  return fn * n - ft1 * e - ft2 * f;
}

static inline double pair_moment(double ft1, double ft2, double e, double f)
{
  return ft2 * e - ft1 * f;
}

#endif
