/* SPDX-License-Identifier: MIT */
/*
 * The laws to compare the exact contact with, behind the same interface. All keep Fn(ζ), but store less than a history.
 * laws.c has the list of them.
 *
 * In comments δ = 2ξ is the relative shift, N = Fn, T = |Ft|, and kt = Fn'(ζ)/(2κ) the stiffness dFt/dδ without slip.
 *
 * Their use of contact_data: anchor.ft is Ft (and top.fn_base = fn, so that force_of returns just that); top.p is the
 * latest turning point or zero; the entries in the nodes are the older turning points, with zeta = 0; length - 2 is the
 * number of all turning points. The other fields are zero.
 */
#ifndef JAGER_COMPARE_LAWS_H
#define JAGER_COMPARE_LAWS_H

#include "contact/step.h"

/* One movement of a law to compare with. The numbers have been checked. */
jager_status jager_compare_move(const jager_law *law, jager_pool *pool, contact_data *c, double zeta,
                                const double dxi[2]);

/* Energy stored in shear, by a spring of the present stiffness */
double jager_compare_shear_energy(const jager_law *law, const contact_data *c);

double jager_compare_normal_force(const jager_law *law, const contact_data *c, double zeta);

/* How many turning points a law stores at most */
uint32_t jager_compare_turning_points_max(jager_model model);

#endif
