/* SPDX-License-Identifier: MIT */
/*
 * Pairs of spheres in space: from their positions and rotations to the movement of their contact, from the force of the
 * contact back to forces and torques, and dashpots. All are inline functions of plain numbers, for loops over many
 * pairs that compilers vectorise; jager_frame_step in jager/jager.h does the same for one pair with checked arguments,
 * for rotations of any size, and for walls.
 *
 * Movements follow from positions and rotations, not from velocities. With the branch l = x_q - x_p, its length d and
 * n = l/d, before (0) and after the step,
 *
 *     ζ = (R_p + R_q - d) / 2                                                              (half-overlap)
 *     2Δξ = the part across n of  l - l0 - (h_p θ_p + h_q θ_q) × b,      b = (n0 + n) / 2  (Δξ: half-shift)
 *
 * with arms h = R - (ζ0 + ζ)/2 to the middle of the overlap and Cayley's vectors θ of the rotations.
 *
 * The derivation: the finite rotation by the vector φ is Cayley's transform of θ = 2 tan(|φ|/2) φ/|φ|, that is
 * x - x0 = θ × (x + x0)/2. As h_p + h_q is the mean distance, the branch changes by
 *
 *     l - l0 = (d - d0) b + (h_p + h_q) (n - n0),
 *
 * and n - n0 = θ × b when the pair turns as one rigid body: the difference is along b, however far the pair turns and
 * however fast it closes. For all other movements, b, the arms and the axes are means of before and after: the error of
 * a step is of third order, and the error of a path of second.
 *
 * The local axes of a pair are n, a tangent e and f = n × e; of these only e is kept from step to step. The axes follow
 * the normal (they tumble) and rotate about it by the mean spin (they twirl). The rotation that takes n0 to n takes a
 * vector e across n0 to e - (e·n) (n0 + n)/(1 + n0·n). The result is across n to rounding for any e: the axes cannot
 * drift away from the normal.
 */
#if !defined(JAGER_PAIR_H) || defined(JAGER_PAIR_TEXT)

/*
 * The number type of the functions below: double. A file that defines JAGER_REAL as a vector type of its compiler, with
 * the macros that follow, gets the same functions for several pairs side by side. jager/compact.h defines
 * JAGER_PAIR_TEXT and its own types and names. The end of the header undefines these macros.
 */
#ifndef JAGER_PAIR_TEXT
#define JAGER_PAIR_H

#include "jager/jager.h"

#include <math.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifdef JAGER_REAL
typedef JAGER_REAL jager_real;
typedef JAGER_REAL_TRUTH jager_truth;
#else
typedef double jager_real; /* a number */
typedef int jager_truth;   /* the result of a comparison */
#define JAGER_REAL_SQRT(a) sqrt(a)
#define JAGER_REAL_ABS(a) fabs(a)
#define JAGER_REAL_OF(a) (a)
#define JAGER_REAL_CHOOSE(condition, a, b) ((condition) ? (a) : (b))
#define JAGER_PAIR_INLINE static inline
#endif
typedef double jager_scalar; /* a number that pairs side by side have in common */

#endif

/* ---- Vectors --------------------------------------------------------------------------------------------------- */

/* A vector in space. */
typedef struct jager_vec3 {
  jager_real x; /* first component */
  jager_real y; /* second */
  jager_real z; /* third */
} jager_vec3;

/* a + b */
JAGER_PAIR_INLINE jager_vec3 jager_vec3_add(jager_vec3 a, jager_vec3 b)
{
  jager_vec3 sum = {a.x + b.x, a.y + b.y, a.z + b.z};
  return sum;
}

/* a - b */
JAGER_PAIR_INLINE jager_vec3 jager_vec3_subtract(jager_vec3 a, jager_vec3 b)
{
  jager_vec3 difference = {a.x - b.x, a.y - b.y, a.z - b.z};
  return difference;
}

/* s a */
JAGER_PAIR_INLINE jager_vec3 jager_vec3_scale(jager_real s, jager_vec3 a)
{
  jager_vec3 scaled = {s * a.x, s * a.y, s * a.z};
  return scaled;
}

/* a + s b */
JAGER_PAIR_INLINE jager_vec3 jager_vec3_add_scaled(jager_vec3 a, jager_real s, jager_vec3 b)
{
  jager_vec3 sum = {a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
  return sum;
}

/* a · b */
JAGER_PAIR_INLINE jager_real jager_vec3_dot(jager_vec3 a, jager_vec3 b)
{
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

/* a × b */
JAGER_PAIR_INLINE jager_vec3 jager_vec3_cross(jager_vec3 a, jager_vec3 b)
{
  jager_vec3 product = {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
  return product;
}

/* |a| */
JAGER_PAIR_INLINE jager_real jager_vec3_length(jager_vec3 a)
{
  return JAGER_REAL_SQRT(jager_vec3_dot(a, a));
}

#if !defined(JAGER_REAL)
/* A unit vector across the unit vector n: a first tangent for a new contact. */
JAGER_PAIR_INLINE jager_vec3 jager_vec3_across(jager_vec3 n)
{
  jager_vec3 x = {1, 0, 0}, y = {0, 1, 0};
  jager_vec3 across = jager_vec3_cross(n, JAGER_REAL_ABS(n.x) < JAGER_REAL_OF(0.6) ? x : y);
  return jager_vec3_scale(1 / jager_vec3_length(across), across);
}
#endif

/* ---- Kinematics ------------------------------------------------------------------------------------------------ */

/* Arm of a sphere: from its centre to the middle of the overlap, on average over the step. */
JAGER_PAIR_INLINE jager_real jager_pair_arm(jager_real radius, jager_real half_overlap0, jager_real half_overlap)
{
  return radius - (half_overlap0 + half_overlap) / 2;
}

/*
 * The relative movement of the two surfaces at the contact: `shift` less the part that the rotations cause. `mean` is
 * b.
 */
JAGER_PAIR_INLINE jager_vec3 jager_pair_surface_shift(jager_vec3 shift, jager_real arm_p, jager_vec3 turn_p,
                                                      jager_real arm_q, jager_vec3 turn_q, jager_vec3 mean)
{
  jager_vec3 turned = jager_vec3_add(jager_vec3_scale(arm_p, turn_p), jager_vec3_scale(arm_q, turn_q));
  return jager_vec3_subtract(shift, jager_vec3_cross(turned, mean));
}

/* The mean spin about b: 2 tan(ψ/2) of the angle ψ by which the axes twirl. */
JAGER_PAIR_INLINE jager_real jager_pair_twirl(jager_vec3 turn_p, jager_vec3 turn_q, jager_vec3 mean)
{
  return jager_vec3_dot(jager_vec3_add(turn_p, turn_q), mean) / 2;
}

/*
 * Cayley's vector of a rotation vector, 2 tan(|φ|/2) φ/|φ|, to fourth order: for steps that turn by less than a degree.
 */
JAGER_PAIR_INLINE jager_vec3 jager_pair_cayley(jager_vec3 rotation)
{
  return jager_vec3_scale(1 + jager_vec3_dot(rotation, rotation) * JAGER_REAL_OF(1.0 / 12.0), rotation);
}

/* Two spheres in a step. */
typedef struct jager_pair_spheres {
  jager_real radius_p; /* m */
  jager_real radius_q; /* m */
  jager_vec3 turn_p;   /* Cayley's vector of the rotation of p in the step */
  jager_vec3 turn_q;   /* Cayley's vector of the rotation of q in the step */
} jager_pair_spheres;

/* The movement of their contact, and the local axes after it. */
typedef struct jager_pair_movement {
  jager_real zeta0;  /* half-overlap ζ before, m */
  jager_real zeta;   /* half-overlap ζ after, m */
  jager_real dxi[2]; /* half-shift Δξ, m */
  jager_vec3 n;      /* unit normal after, from p to q */
  jager_vec3 e;      /* first tangent after */
  jager_vec3 f;      /* second tangent after */
} jager_pair_movement;

/*
 * The movement of a step, from the branch and the first tangent before it and the branch after it; `square` is the
 * square of the length of the latter, which the caller knows from testing for contact.
 */
JAGER_PAIR_INLINE jager_pair_movement jager_pair_move(const jager_pair_spheres *of, jager_vec3 branch0, jager_vec3 e0,
                                                      jager_vec3 branch, jager_real square)
{
  jager_real distance = JAGER_REAL_SQRT(square), radii = of->radius_p + of->radius_q;
  jager_real distance0 = jager_vec3_length(branch0), zeta0 = (radii - distance0) / 2, zeta = (radii - distance) / 2;
  jager_vec3 n0 = jager_vec3_scale(1 / distance0, branch0), n = jager_vec3_scale(1 / distance, branch);
  jager_vec3 sum = jager_vec3_add(n0, n), mean = jager_vec3_scale(JAGER_REAL_OF(0.5), sum);
  jager_real arm_p = jager_pair_arm(of->radius_p, zeta0, zeta), arm_q = jager_pair_arm(of->radius_q, zeta0, zeta);
  jager_vec3 du =
      jager_pair_surface_shift(jager_vec3_subtract(branch, branch0), arm_p, of->turn_p, arm_q, of->turn_q, mean);

  jager_real twirl = jager_pair_twirl(of->turn_p, of->turn_q, mean), cosine = 1 - twirl * twirl / 2;
  jager_vec3 tumbled = jager_vec3_add_scaled(e0, -jager_vec3_dot(e0, n) / (1 + jager_vec3_dot(n0, n)), sum);
  jager_vec3 across = jager_vec3_cross(n, tumbled);
  jager_vec3 e = jager_vec3_add_scaled(jager_vec3_scale(cosine, tumbled), twirl, across);
  jager_vec3 f = jager_vec3_add_scaled(jager_vec3_scale(cosine, across), -twirl, tumbled);
  jager_vec3 e_mean = jager_vec3_scale(JAGER_REAL_OF(0.5), jager_vec3_add(e0, e)),
             f_mean = jager_vec3_cross(mean, e_mean);
  jager_pair_movement movement = {zeta0, zeta, {jager_vec3_dot(du, e_mean) / 2, jager_vec3_dot(du, f_mean) / 2},
                                  n,     e,    f};
  return movement;
}

/* Makes a tangent of nearly unit length a unit vector, by a step of Newton's for 1/√: once in some steps is enough. */
JAGER_PAIR_INLINE jager_vec3 jager_pair_unit(jager_vec3 e)
{
  return jager_vec3_scale(JAGER_REAL_OF(1.5) - jager_vec3_dot(e, e) / 2, e);
}

/* ---- Forces and torques ---------------------------------------------------------------------------------------- */

/*
 * One component of the force on q, Fn n - Ft1 e - Ft2 f, from the same component of the axes. The force on p is its
 * opposite.
 */
JAGER_PAIR_INLINE jager_real jager_pair_force(jager_real fn, jager_real ft1, jager_real ft2, jager_real n, jager_real e,
                                              jager_real f)
{
  return fn * n - ft1 * e - ft2 * f;
}

/*
 * One component of n × force = Ft2 e - Ft1 f. The force acts in the middle of the overlap, R - ζ from the centres: the
 * torques on p and q are both -(R - ζ) times that, each with its own radius.
 */
JAGER_PAIR_INLINE jager_real jager_pair_moment(jager_real ft1, jager_real ft2, jager_real e, jager_real f)
{
  return ft2 * e - ft1 * f;
}

/* ---- Dashpots -------------------------------------------------------------------------------------------------- */

/*
 * The effective mass of two spheres, kg; both masses are finite. Against a wall, or a sphere that cannot move, the
 * effective mass is the mass of the other sphere.
 */
JAGER_PAIR_INLINE jager_real jager_pair_mass(jager_real mass_p, jager_real mass_q)
{
  return mass_p * mass_q / (mass_p + mass_q);
}

/*
 * Dashpots beside the springs of a contact: each has a share β of critical damping, 2√(m k), with the effective mass m
 * and the tangent stiffness k = dFn/d(2ζ), or k/κ across, also for "linear" with a kt of its own. Make it with
 * jager_dashpot_init.
 */
typedef struct jager_dashpot {
  jager_scalar factor;        /* 2β */
  jager_scalar half_exponent; /* half the exponent of Fn(ζ): dFn/d(2ζ) = half_exponent Fn/ζ */
  jager_scalar across;        /* √(1/κ): critical damping across, relative to along the normal */
} jager_dashpot;

/*
 * The force of the dashpots, N, which adds to the force of the contact, and the energy dissipated in the step, J.
 */
typedef struct jager_dashpot_force {
  jager_real fn;         /* along the normal */
  jager_real ft[2];      /* across */
  jager_real dissipated; /* in the step */
} jager_dashpot_force;

#ifndef JAGER_PAIR_TEXT

/* Dashpots with the share β of critical damping. Errors: those of jager_law_check; DAMPING (β outside [0, 1]). */
JAGER_API jager_status jager_dashpot_init(jager_dashpot *dashpot, const jager_law *law, double share);

#endif

/*
 * The force of the dashpots in a step of length 1/inverse_dt that has taken the contact from half_overlap0 to
 * half_overlap and by half_shift. fn is Fn of the contact after the step, `mass` the effective mass (jager_pair_mass).
 * Normal force and dashpot together never pull. A contact that slides has no dashpot across.
 */
JAGER_PAIR_INLINE jager_dashpot_force jager_dashpot_damp(jager_dashpot dashpot, jager_real mass,
                                                         jager_scalar inverse_dt, jager_real fn,
                                                         jager_real half_overlap0, jager_real half_overlap,
                                                         const jager_real half_shift[2], jager_truth slides)
{
  const jager_real zero = JAGER_REAL_OF(0.0);
  jager_real stiffness = JAGER_REAL_CHOOSE(half_overlap > 0, dashpot.half_exponent * fn / half_overlap, zero);
  jager_real coefficient = dashpot.factor * JAGER_REAL_SQRT(mass * stiffness),
             approach = 2 * (half_overlap - half_overlap0);
  jager_real normal = coefficient * approach * inverse_dt;
  normal = JAGER_REAL_CHOOSE(normal < -fn, -fn, normal);
  jager_real across = JAGER_REAL_CHOOSE(slides, zero, 2 * coefficient * dashpot.across * inverse_dt);
  jager_real dissipated = normal * approach;
  dissipated += 2 * across * half_shift[0] * half_shift[0];
  dissipated += 2 * across * half_shift[1] * half_shift[1];
  jager_dashpot_force force = {normal, {across * half_shift[0], across * half_shift[1]}, dissipated};
  return force;
}

#ifndef JAGER_PAIR_TEXT
#ifdef __cplusplus
}
#endif
#endif

#undef JAGER_PAIR_TEXT
#undef JAGER_REAL
#undef JAGER_REAL_TRUTH
#undef JAGER_REAL_SQRT
#undef JAGER_REAL_ABS
#undef JAGER_REAL_OF
#undef JAGER_REAL_CHOOSE
#undef JAGER_PAIR_INLINE

#endif
