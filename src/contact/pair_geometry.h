/* SPDX-License-Identifier: MIT */
/*
 * From two particles in space to the movement of their contact, and from its force back to them. One set of formulas for
 * all: the frames of the library (frame.c), the simulator and the pair style of LAMMPS. The latter two call pair_move, in
 * loops that compilers vectorise; its axes are n and one tangent e1, which is cheaper than a quaternion.
 *
 * Movements come from positions and rotations, not from velocities. With the branch l = x_q - x_p, its length d and
 * n = l/d, before (0) and after the step,
 *
 *     ζ = (R_p + R_q - d) / 2,
 *     2Δξ = the part across n of  l - l0 - (h_p θ_p + h_q θ_q) × b,      b = (n0 + n) / 2,
 *
 * with arms h = R - (ζ0 + ζ)/2 to the middle of the overlap and Cayley's vectors θ of the rotations.
 *
 * Why. The finite rotation by the vector φ is Cayley's transform of θ = 2 tan(|φ|/2) φ/|φ|: x - x0 = θ × (x + x0)/2. As
 * h_p + h_q is the mean distance, the branch changes by
 *
 *     l - l0 = (d - d0) b + (h_p + h_q) (n - n0),
 *
 * and n - n0 = θ × b when the pair turns as one rigid body: what is left is along b, however far the pair turns and
 * however fast it closes. For all other movements, b, the arms and the axes being means of before and after, the error of
 * a step is of third order, and that of a path of second.
 *
 * The axes tumble with n and twirl about it by the mean spin. The rotation that takes n0 to n takes a vector e across n0
 * to e - (e·n) (n0 + n)/(1 + n0·n). The result is across n to rounding, whatever e was: the axes cannot drift off.
 */
#ifndef JAGER_PAIR_GEOMETRY_H
#define JAGER_PAIR_GEOMETRY_H

#include "vec3.h"

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

/* From the centre of a sphere to the middle of the overlap, on average over the step */
static inline double pair_arm(double radius, double zeta0, double zeta)
{
  return radius - 0.5 * (zeta0 + zeta);
}

/* How the surfaces move past each other, and apart: `shift` less what the rotations carry along. `mean` is b. */
static inline vec3 pair_surface_shift(vec3 shift, double arm_p, vec3 turn_p, double arm_q, vec3 turn_q, vec3 mean)
{
  vec3 carried = vec3_add(vec3_scale(arm_p, turn_p), vec3_scale(arm_q, turn_q));
  return vec3_subtract(shift, vec3_cross(carried, mean));
}

/* The mean spin about b: 2 tan(ψ/2) of the angle ψ by which the axes twirl */
static inline double pair_twirl(vec3 turn_p, vec3 turn_q, vec3 mean)
{
  return 0.5 * vec3_dot(vec3_add(turn_p, turn_q), mean);
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
