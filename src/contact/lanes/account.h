/* SPDX-License-Identifier: MIT */
/*
 * The arithmetic of the tolerance (tolerance.h), for one contact or for several side by side: what it costs to join two
 * segments, and what slip leaves of an error.
 */
#ifndef JAGER_ACCOUNT_H
#define JAGER_ACCOUNT_H

#include "contact/compensated.h"

/* Fn"(ζ) = curvature_factor Fn/ζ², and Fn"/4f = slip_factor Fn/ζ², of a contour with the exponent alpha */
static JAGER_INLINE double curvature_factor_of(double alpha)
{
  return (alpha + 1.0) / (alpha * alpha);
}

static JAGER_INLINE double slip_factor_of(double alpha, double friction)
{
  return (alpha + 1.0) / (4.0 * alpha * alpha * friction);
}

/* ---- Two segments joined ----------------------------------------------------------------------------------------- */

/* What a new top may use of the tolerance that is left; the rest is kept for segments that stay longer. */
#define JOIN_SHARE 0.02

/* The deviation δ when two segments that meet in a point, the cut, are replaced by one */
typedef struct tent {
  real cost;   /* upper bound of ∫ |δ| Fn" dz: a force */
  real weight; /* of the upper segment in the slope of the joint one */
} tent;

/*
 * `bend` is the upper slope less the lower one. δ is a tent over the cut, of the height |bend| rise run/(rise + run);
 * Fn" = factor Fn/ζ² does not rise with ζ.
 */
static JAGER_INLINE tent tent_of(double factor, vec2 bend, real zeta_base, real fn_base, real zeta_cut, real fn_cut,
                                 real zeta_end)
{
  real rise = zeta_cut - zeta_base, run = zeta_end - zeta_cut, weight = run / (zeta_end - zeta_base);
  real height = real_sqrt(vec2_dot(bend, bend)) * rise * weight;
  real at_base = factor * (fn_base / (zeta_base * zeta_base)), at_cut = factor * (fn_cut / (zeta_cut * zeta_cut));
  tent joined = {0.5 * height * (at_base * rise + at_cut * run), weight};
  return joined;
}

/* May the top, whose base has the error bound `below`, get the error bound `bound`? `budget` is τ f. */
static JAGER_INLINE truth tent_is_allowed(double budget, real fn_base, real below, real bound)
{
  return bound - below <= JOIN_SHARE * (budget * fn_base - below);
}

/* ---- Slip -------------------------------------------------------------------------------------------------------- */

/*
 * Slip replaces the path above a point by the cone. Let `gap` be the distance of that point from the cone. No point of
 * the path above it is nearer to the cone, so that there |δ| falls by `gap` at least. Let a be an upper bound of ∫ |δ|
 * Fn" dz from the point to the end of the path, where δ is zero. As no slope exceeds f, |δ| changes by at most 2f per
 * unit of z; of all such δ with the same integral a, a narrow peak keeps most of it: (√a - gap √(Fn"/4f))². Fn" is
 * least at the end of the path, where Fn"/4f is slip_factor(law) Fn/ζ².
 *
 * This is what is left of a. The old path ends at (ζ, Fn); v leads from the point sideways to the target, `depth` above
 * it.
 */
static JAGER_INLINE real bound_after_slip(double factor, double f, real a, real zeta, real fn, vec2 v, real depth)
{
  real zero = real_of(0.0), gap = real_sqrt(vec2_dot(v, v)) - f * depth;
  real root = real_sqrt(a) - real_max(gap, zero) * (real_sqrt(factor * fn) / zeta);
  real left = choose(root > 0.0, real_min(root * root, a), zero);
  return choose(a > 0.0, left, zero);
}

/* ---- Shortening -------------------------------------------------------------------------------------------------- */

/*
 * A history is shortened when it has grown by GROWTH_MAX points and has more than LENGTH_SHORT points. SHORTEN_WINDOW
 * of the topmost segments are looked at. A history that is moved with a tolerance never grows by so many points between
 * two shortenings; one that has, by movements without a tolerance or by loads, is looked at as a whole.
 */
enum { GROWTH_MAX = 14, LENGTH_SHORT = 12, SHORTEN_WINDOW = 32 };

#endif
