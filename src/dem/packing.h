/* SPDX-License-Identifier: MIT */
/*
 * Packing: the overlaps of random spheres are removed before the first step; then the assembly is compressed, to a void
 * ratio or to a relative density if the case asks for one.
 *
 * The friction while packing decides how dense an assembly becomes. The void ratio of separate packings scatters by
 * some thousandths even if their frictions hardly differ, so that no friction can be found by bisection that gives a
 * void ratio to three digits. Within one packing the void ratio is continuous: the search begins with the friction of
 * the start, lets the assembly come to rest, and then lowers the friction at constant pressure, so slowly that the
 * assembly always is near equilibrium. Contacts slip, and the assembly becomes denser. As soon as it has the void ratio
 * of the target, the friction of the start acts again: the assembly stops, and comes to rest.
 *
 *     friction of the start ──rest──▶ falls, level by level ──target──▶ friction of the start ──rest──▶ end
 *             e_max                            │ zero
 *                                              └──rest──▶ e_min
 *
 * e_max is the void ratio at the first rest, e_min that at rest without friction. A relative density needs both: the
 * first trial falls down to e_min, the second begins again with the same spheres and repeats the first, bit by bit, up
 * to the target. A void ratio that cannot be reached is recognised in the same way: the message states the range.
 */
#ifndef JAGER_DEM_PACKING_H
#define JAGER_DEM_PACKING_H

#include "simulation_state.h"

/* The void ratio at the end of packing deviates from its target by no more. */
#define DEM_VOID_RATIO_TOLERANCE 0.002

/* Begins a trial, if the packing has a target. */
void dem_packing_search_begin(dem_simulation *s);

/*
 * To be called after each step, when it is known whether packing has come to rest: lowers or raises the friction. At
 * rest without having reached the target, packing goes on. False, with an error, if the target cannot be reached.
 */
bool dem_packing_search_continue(dem_simulation *s, error_info *error);

/* Completed share of the search; `rest` is how near the assembly is to rest, 0 to 1. */
double dem_packing_search_progress(const dem_simulation *s, double rest);

/* Lists the neighbours as dem_packing_remove_overlaps will need them: fails if the cell is too narrow for that. */
bool dem_packing_list_neighbours(dem_simulation *s, error_info *error);

/* Moves random spheres until they hardly overlap, before the first step. */
bool dem_packing_remove_overlaps(dem_simulation *s, error_info *error);

#endif
