/* SPDX-License-Identifier: MIT */
/* A packing that begins anew. */
#ifndef JAGER_DEM_SETUP_PACKING_RESTART_H
#define JAGER_DEM_SETUP_PACKING_RESTART_H

#include "dem/state.h"

/*
 * Puts the spheres back to where packing began: the same random spheres, without contacts, in stage 0. Steps and time
 * go on, and the search for the target, which begins its next trial. On failure the simulation is as it was.
 */
bool dem_packing_restart(dem_simulation *s, error_info *error);

#endif
