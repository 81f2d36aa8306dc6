/* SPDX-License-Identifier: MIT */
/* Neighbour lists: the blocks and their candidate pairs. */
#ifndef JAGER_DEM_SPACE_NEIGHBOURS_H
#define JAGER_DEM_SPACE_NEIGHBOURS_H

#include "dem/state.h"

/* Divides the spheres into blocks without candidates. */
bool dem_neighbours_allocate(dem_simulation *s, error_info *error);
void dem_neighbours_free(dem_simulation *s);

/* Lists all near pairs. Existing contacts keep their state. */
bool dem_neighbours_list(dem_simulation *s, error_info *error);

/* Updates the vectors of the periodic images after the cell has changed. */
void dem_images_update(dem_simulation *s);

#endif
