/* SPDX-License-Identifier: MIT */
/* Numbers that follow from a stiffness. */
#ifndef JAGER_MODULI_AVERAGES_H
#define JAGER_MODULI_AVERAGES_H

#include "moduli.h"

moduli_averages moduli_averages_of(const double stiffness[MODULI_VOIGT][MODULI_VOIGT]);

/*
 * Velocities of plane waves along the axes: ρV² is the change of the stress on the plane across the axis per unit of
 * displacement gradient. The gradient of a shear wave, ∂u_j/∂i, is a strain and a rotation by half of it each; the
 * latter turns the stress, which adds (σ_jj - σ_ii)/2 to C.
 */
moduli_waves moduli_waves_of(const double stiffness[MODULI_VOIGT][MODULI_VOIGT], const double stress[MODULI_VOIGT],
                             double density);

/*
 * The number of pivots of the symmetric part of a stiffness that are positive: 6 if it is positive definite. Pivots
 * below 1e-9 of the largest entry of the diagonal count as zero.
 */
int moduli_positive_pivots(const double stiffness[MODULI_VOIGT][MODULI_VOIGT]);

#endif
