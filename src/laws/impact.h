/* SPDX-License-Identifier: MIT */
/*
 * The impact of two spheres, or of a sphere and a flat wall that cannot move, without spin before, under any law.
 *
 * vn and vt are the normal and tangential velocities of the surfaces at the point of contact. In units of κ f vn,
 *
 *     ψ = vt/(κ f vn) = 2(1 - ν)/(f (2 - ν)) vt/vn   for bodies of one material,
 *
 * as in N. Maw, J. R. Barber, J. N. Fawcett, The oblique impact of elastic spheres, Wear 38 (1976) 101-114. ψ₁ and
 * ψ₂ have vt before and after the impact, and both have vn before it. With the reduced mass m for the normal and m_t
 * for the shear (2m/7 for solid spheres and walls), an impact
 *
 * - begins without slip if ψ₁ < 1;
 * - slides from beginning to end if ψ₁ >= 4χ - 1; then ψ₂ = ψ₁ - 4χ, χ = m/(2κ m_t) = 7(1 - ν)/(2(2 - ν)).
 *
 * The integrator is the leapfrog of constant steps: second order, momentum and angular momentum are constant. Overlaps
 * are finite here, and arms and normal change in the contact: results differ from the theory by the order of
 * overlap over radius.
 */
#ifndef JAGER_LAWS_IMPACT_H
#define JAGER_LAWS_IMPACT_H

#include "law_contact.h"

#include <stdatomic.h>
#include <stdbool.h>

/* An impact may take this many times the requested number of steps: dashpots prolong it. */
enum { IMPACT_LONGEST = 100 };

typedef struct impact {
  law_bodies bodies;     /* radius_b is INFINITY for a wall; grid.zeta_largest is set by impact_compute */
  double mass_a, mass_b; /* kg; INFINITY: cannot move */
  double approach;       /* vn, m/s, > 0 */
  double shear;          /* vt, m/s */
  double damping;        /* dashpots' share of critical damping, 0: none */
  int steps;             /* in the duration of Hertz's impact */
  const atomic_int
      *stop; /* another thread sets it to end impact_compute, whose result means nothing then; NULL: none */
} impact;

/* The motion of a body. */
typedef struct impact_motion {
  double x[3]; /* m */
  double v[3]; /* m/s */
  double w[3]; /* spin, rad/s */
} impact_motion;

typedef struct impact_result {
  double rebound;     /* vn after, m/s, positive: apart */
  double shear;       /* vt after, m/s, in the direction of vt before */
  double spin[2];     /* rad/s, positive in the sense in which a body rolls along its way past the other */
  double energy[2];   /* kinetic, before and after, J, where the centre of mass (or the wall) rests */
  double dissipated;  /* by the contact, J; negative: created */
  double viscous;     /* by dashpots, J */
  double depth;       /* largest ζ, m */
  double force_error; /* largest error of Ft from the number of springs over f times the largest Fn */
  int steps;          /* that the contact took */
  bool separates;     /* false: it has not come apart within IMPACT_LONGEST times `steps` */
  impact_motion before[2], after[2]; /* of the bodies: to test what is conserved */
} impact_result;

/* χ, above; larger masses of `mass` than 1e300 count as infinite. */
double impact_chi(const impact *i);

/* Largest ζ and duration of Hertz's impact at these speeds, spheres only. */
typedef struct impact_hertz {
  double depth, duration; /* m, s */
} impact_hertz;

/* Errors: those of law_contact_init, CONTOUR (no spheres). */
jager_status impact_hertz_of(const impact *i, impact_hertz *hertz);

/* Errors: those of impact_hertz_of, law_contact_move, jager_frame_step, jager_dashpot_init. */
jager_status impact_compute(const impact *i, impact_result *result);

#endif
