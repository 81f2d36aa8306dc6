/* SPDX-License-Identifier: MIT */
/* The stiffness of the model "linear" where the case gives none. */
#ifndef JAGER_DEM_SETUP_LINEAR_STIFFNESS_H
#define JAGER_DEM_SETUP_LINEAR_STIFFNESS_H

#include "dem/state.h"

/* Derives the stiffness unless the case gives it or has another model. The sizes of the spheres must be known. */
bool dem_linear_stiffness_derive(dem_simulation *s, error_info *error);

#endif
