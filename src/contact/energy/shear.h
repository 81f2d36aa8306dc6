/* SPDX-License-Identifier: MIT */
/*
 * The contact as a continuum of springs, for its energies.
 *
 * The springs that engage at depth z have the density Fn"(z) and the shear w(z) = E_top - E(z), so that
 * Ft = ∫ Fn" w dz; a spring slides when |w| reaches f (ζ - z). On a segment w is linear in z. With the relative
 * movements 2ζ and 2ξ = 2κE, the energies are
 *
 *     stored      Ut = κ ∫ Fn" |w|² dz,
 *     dissipated  D = 2κ ∫∫ Fn" w · dE(z) dz        (E(z) changes only where the spring slides).
 */
#ifndef JAGER_SHEAR_H
#define JAGER_SHEAR_H

#include "contact/history.h"
#include "quadrature.h"

/* A segment, with the shear w of the springs that engage at its end */
typedef struct shear_segment {
  vec2 p, w_end;
  double z_end;
} shear_segment;

static JAGER_INLINE vec2 shear_at(const shear_segment *segment, double z)
{
  return vec2_add_scaled(segment->w_end, segment->z_end - z, segment->p);
}

/* Fn" dz = spring_density dv */
static JAGER_INLINE double spring_density(const jager_law *law, double stiffness)
{
  return (1.0 + 1.0 / law->exponent) * stiffness;
}

#endif
