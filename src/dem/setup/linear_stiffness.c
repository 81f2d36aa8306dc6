/* SPDX-License-Identifier: MIT */
/*
 * The stiffness of the model "linear" where the case gives none. The mean normal force of the assembly compresses the
 * spring as far as the Hertzian contact of two spheres of the mean size; in a lattice the overlap of its contacts is
 * given. Both models then have about the same overlaps, and can be compared.
 */
#include "linear_stiffness.h"

/* The pressure on the assembly: that of the packing, or the target of the first stage. 0: unknown. */
static double expected_pressure(const dem_case *run)
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
 * p = (contacts / volume) F l / 3 with z/2 contacts per sphere and the solid fraction φ gives F = π p d² / (z φ). A
 * dense random packing has z = 6 and φ = 0.64.
 */
static double mean_force(double pressure, double diameter)
{
  return PI * pressure * diameter * diameter / (6.0 * 0.64);
}

bool dem_linear_stiffness_derive(dem_simulation *s, error_info *error)
{
  const dem_assembly *assembly = &s->run->assembly;
  double radius = 0.5 * s->mean_diameter;
  if (s->law.model != JAGER_MODEL_LINEAR || s->law.linear_kn > 0.0)
    return true;
  bool is_lattice = assembly->source == DEM_SOURCE_LATTICE && assembly->lattice.overlap > 0.0; /* of every contact */
  jager_status status = is_lattice
                            ? jager_law_set_linear_at_zeta(&s->law, radius, radius, assembly->lattice.overlap * radius)
                            : jager_law_set_linear_at_force(&s->law, radius, radius,
                                                            mean_force(expected_pressure(s->run), s->mean_diameter));
  return status == JAGER_OK ||
         error_set(error,
                   "contact.linear.kn is needed: no packing pressure, no normal stress held by the first stage and no "
                   "overlap of a lattice tells the contact force to derive it from");
}
