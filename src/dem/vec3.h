/* SPDX-License-Identifier: MIT */
/* Short names for the vectors of jager/pair.h. */
#ifndef JAGER_DEM_VEC3_H
#define JAGER_DEM_VEC3_H

#include "jager/pair.h"

typedef jager_vec3 vec3;
#define vec3_add jager_vec3_add
#define vec3_subtract jager_vec3_subtract
#define vec3_scale jager_vec3_scale
#define vec3_add_scaled jager_vec3_add_scaled
#define vec3_dot jager_vec3_dot
#define vec3_cross jager_vec3_cross
#define vec3_length jager_vec3_length
#define vec3_across jager_vec3_across

#endif
