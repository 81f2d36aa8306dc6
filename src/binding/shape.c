/* SPDX-License-Identifier: MIT */
/* Volume, centroid and inertia of a grain of several spheres for other languages. */
#include "handles.h"

#include "dem/shape.h"

#include <string.h>

bool binding_shape_measure(const double *spheres, size_t count, binding_shape *result, binding_error *error)
{
  dem_shape_sphere given[DEM_SHAPE_SPHERES_MAX];
  dem_shape shape;
  error_info info = {.text = ""};
  binding_error_clear(error);
  if (count > DEM_SHAPE_SPHERES_MAX)
    return binding_error_set(error, BINDING_BAD_INPUT, "a shape has at most %d spheres, not %zu", DEM_SHAPE_SPHERES_MAX,
                             count);
  for (size_t i = 0; i < count; i++) {
    const double *at = &spheres[4 * i];
    given[i] = (dem_shape_sphere){{at[0], at[1], at[2]}, at[3]};
  }
  if (!dem_shape_make(&shape, given, count, NULL, &info))
    return binding_error_take(error, BINDING_BAD_INPUT, &info);
  *result = (binding_shape){.volume = shape.volume, .centroid = {shape.centroid.x, shape.centroid.y, shape.centroid.z}};
  memcpy(result->inertia, shape.inertia, sizeof result->inertia);
  return true;
}
