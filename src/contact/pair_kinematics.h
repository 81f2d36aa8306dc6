/* SPDX-License-Identifier: MIT */
/*
 * The relative movement of two particles at their contact: one set of formulas for the frames of the library (frame.c),
 * the simulator and the pair style of LAMMPS.
 *
 * Movements follow from positions and rotations, not from velocities. With the branch l = x_q - x_p, its length d and
 * the normal n = l/d, where 0 marks values before the step,
 *
 *     ζ = (R_p + R_q - d) / 2,
 *     2Δξ = the tangential part of  l - l0 - (h_p θ_p + h_q θ_q) × b,      b = (n0 + n) / 2,
 *
 * with the arms h = R - (ζ0 + ζ)/2 to the middle of the overlap and Cayley's vectors θ of the rotations.
 *
 * Derivation. The finite rotation by the vector φ is Cayley's transform of θ = 2 tan(|φ|/2) φ/|φ|: x - x0 = θ × (x +
 * x0)/2. As h_p + h_q is the mean distance, the branch changes by
 *
 *     l - l0 = (d - d0) b + (h_p + h_q) (n - n0),
 *
 * and n - n0 = θ × b when the pair turns as one rigid body: then 2Δξ is exactly zero, however far the pair turns and
 * however fast it closes. For all other movements the error of a step is of third order, and that of a path of second,
 * because b, the arms and the axes are means of the values before and after the step.
 */
#ifndef JAGER_PAIR_KINEMATICS_H
#define JAGER_PAIR_KINEMATICS_H

#include "vec3.h"

/* Mean distance from the centre of a sphere to the middle of the overlap during the step */
static inline double pair_arm(double radius, double zeta0, double zeta)
{
  return radius - 0.5 * (zeta0 + zeta);
}

/* Relative movement of the two surfaces: `shift` of the centres less that of the rotations; `mean` is b. */
static inline vec3 pair_surface_shift(vec3 shift, double arm_p, vec3 turn_p, double arm_q, vec3 turn_q, vec3 mean)
{
  vec3 carried = vec3_add(vec3_scale(arm_p, turn_p), vec3_scale(arm_q, turn_q));
  return vec3_subtract(shift, vec3_cross(carried, mean));
}

/* 2 tan(ψ/2) of the angle ψ by which the axes twirl: the mean spin about b */
static inline double pair_twirl(vec3 turn_p, vec3 turn_q, vec3 mean)
{
  return 0.5 * vec3_dot(vec3_add(turn_p, turn_q), mean);
}

#endif
