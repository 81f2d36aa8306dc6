/* SPDX-License-Identifier: MIT */
/*
 * The order in which the contact phase takes the candidates of a block.
 *
 * A processor cannot predict the kind of a pair if the pairs come mixed, and the kind hardly ever changes. So
 * block.order is partitioned into groups, each of which has a loop of its own:
 *
 *     0            ... inner_end       touching, inner, by rising candidate number
 *     inner_end    ... touching_end    touching, outer, by rising candidate number
 *     touching_end ... watched_end     separate, but nearer than the margin: tested in every step
 *     watched_end  ...                 separate; not tested until spheres can have come nearer by the margin
 */
#ifndef JAGER_DEM_STEP_PAIR_ORDER_H
#define JAGER_DEM_STEP_PAIR_ORDER_H

#include "dem/state.h"

/* Has the neighbour list changed, or can a pair that is not watched have come to touch? */
bool dem_pair_order_is_stale(const dem_simulation *s, const block *b);

/* Makes the partition anew. */
void dem_pair_order_partition(const dem_simulation *s, block *b);

/* Makes block.touching anew. False: out of memory. */
bool dem_pair_order_list(block *b);

/* Moves the watched pair at index i of the order, which has a contact now, to its group. */
void dem_pair_order_move_to_touching(block *b, uint32_t i);

/* Moves the touching pair at index i of the order, whose contact has ended, to the watched pairs. */
void dem_pair_order_move_to_watched(block *b, uint32_t i);

#endif
