/* SPDX-License-Identifier: MIT */
/*
 * What the contact is compared with: closed forms for spheres, and stiffnesses at which the comparison law "linear" has
 * the force of the contour. The comparison laws themselves are models of a jager_law: jager_law_set_model.
 */
#ifndef JAGER_COMPARE_H
#define JAGER_COMPARE_H

#include "jager/jager.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Stiffnesses of "linear" ----------------------------------------------------------------------------------- */

/*
 * Sets the stiffnesses of "linear" against the whole movements 2ζ and 2ξ, N/m; 0: derive. The derived kn is the
 * contour's dFn/d(2ζ) at ζ = 1/100 of the smaller radius, a large overlap: to compare laws, derive kn with one of the
 * two functions below. Errors: STIFFNESS.
 */
JAGER_API jager_status jager_law_set_linear(jager_law *law, double kn, double kt);

/*
 * Set linear_kn so that "linear" has the contour's Fn (Hertz's, for spheres) at this half-overlap ζ, or at this Fn,
 * between bodies of these radii, which are those of jager_contact_init. linear_kt stays. Errors: those of
 * jager_law_check, RADIUS, STIFFNESS (ζ or Fn is not positive or out of range).
 */
JAGER_API jager_status jager_law_set_linear_at_zeta(jager_law *law, double radius_a, double radius_b,
                                                    double half_overlap);
JAGER_API jager_status jager_law_set_linear_at_force(jager_law *law, double radius_a, double radius_b, double fn);

/* ---- Closed forms ---------------------------------------------------------------------------------------------- */

/*
 * The closed forms of Cattaneo, Mindlin and Deresiewicz for spheres, with R = 2 R_A R_B/(R_A + R_B), to compare with.
 * Errors of all: those of jager_law_check; CONTOUR (no spheres), RADIUS, NOT_FINITE, TOO_LARGE; DOMAIN outside the
 * stated range.
 */

/* The half-shift ξ at constant Fn, first loading to Ft; |Ft| <= f Fn. */
JAGER_API jager_status jager_mindlin_loading(const jager_law *law, double radius, double fn, double ft,
                                             double *half_shift);

/* The half-shift ξ at constant Fn after loading to ft_peak and unloading to Ft; |Ft| <= ft_peak <= f Fn. */
JAGER_API jager_status jager_mindlin_unloading(const jager_law *law, double radius, double fn, double ft_peak,
                                               double ft, double *half_shift);

/* Energy dissipated in one cycle at constant Fn between ±ft_peak; 0 <= ft_peak <= f Fn. */
JAGER_API jager_status jager_mindlin_cycle_loss(const jager_law *law, double radius, double fn, double ft_peak,
                                                double *loss);

/* A loading path of § 17 of Mindlin and Deresiewicz: normal, then oblique, then back; ratio > f > 0. */
typedef struct jager_oblique {
  double fn_start; /* the spheres are pressed together to this Fn */
  double fn_peak;  /* then dFt/dFn = ratio up to this Fn, then back with the same ratio */
  double ratio;    /* dFt/dFn */
} jager_oblique;

/* The half-shift ξ and Ft of that path at Fn: during loading, or (unloading != 0) during unloading; |Ft| <= f Fn. */
JAGER_API jager_status jager_mindlin_oblique(const jager_law *law, double radius, const jager_oblique *path, double fn,
                                             int unloading, double *ft, double *half_shift);

/* The shear traction of that path, Pa, at the distance r >= 0 from the centre of the contact area. */
JAGER_API jager_status jager_mindlin_oblique_traction(const jager_law *law, double radius, const jager_oblique *path,
                                                      double fn, int unloading, double r, double *shear);

#ifdef __cplusplus
}
#endif

#endif
