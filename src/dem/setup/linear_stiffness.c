/* SPDX-License-Identifier: MIT */
/*
 * The stiffness of the model "linear" where the case gives none: that of a spring which the mean normal force of the assembly
 * compresses as far as the contact of two spheres of the mean size (a lattice: as far as its contacts are). Then both models
 * have about the same overlaps, and can be compared.
 */
#include "dem/internal.h"

/* The pressure that the assembly will be under: that of the packing, or what the first stage aims at. 0: it is not known. */
static double pressure_of(const dem_case *run)
{
  if (run->assembly.source == DEM_SOURCE_PACKING)
    return run->assembly.packing.pressure;
  const dem_stage *first = &run->stages[0];
  if (first->mean_stress_is_held)
    return first->mean_stress.value;
  double largest = 0.0;
  for (int k = DEM_XX; k <= DEM_ZZ; k++)
    if (first->control[k].kind == DEM_CONTROL_STRESS)
      largest = fmax(largest, first->control[k].value);
  return largest;
}

/*
 * p = (contacts / volume) F l / 3, with z/2 contacts a sphere and the solid fraction φ, gives F = π p d² / (z φ): here for
 * z = 6 and φ = 0.64, those of a dense random packing.
 */
static double mean_force(double pressure, double diameter)
{
  return PI * pressure * diameter * diameter / (6.0 * 0.64);
}

bool linear_derive(dem_simulation *s, error_info *error)
{
  const dem_assembly *assembly = &s->run->assembly;
  double radius = 0.5 * s->mean_diameter;
  if (s->law.model != JAGER_MODEL_LINEAR || s->law.linear_kn > 0.0)
    return true;
  bool is_lattice = assembly->source == DEM_SOURCE_LATTICE && assembly->lattice.overlap > 0.0; /* of every contact */
  jager_status status =
      is_lattice
          ? jager_law_set_linear_at_zeta(&s->law, radius, radius, assembly->lattice.overlap * radius)
          : jager_law_set_linear_at_force(&s->law, radius, radius, mean_force(pressure_of(s->run), s->mean_diameter));
  return status == JAGER_OK ||
         error_set(error,
                   "contact.linear.kn is needed: no packing pressure, no normal stress held by the first stage and no "
                   "overlap of a lattice tells the contact force to derive it from");
}
