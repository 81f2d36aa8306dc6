/* SPDX-License-Identifier: MIT */
/* Random spheres are moved until they hardly overlap, before the first step. */
#ifndef JAGER_DEM_SETUP_REMOVE_OVERLAPS_H
#define JAGER_DEM_SETUP_REMOVE_OVERLAPS_H

#include "dem/state.h"

/* Lists the neighbours as dem_packing_remove_overlaps will need them: fails if the cell is too narrow for that. */
bool dem_packing_list_neighbours(dem_simulation *s, error_info *error);

bool dem_packing_remove_overlaps(dem_simulation *s, error_info *error);

#endif
