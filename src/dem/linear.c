/* SPDX-License-Identifier: MIT */
/*
 * The stiffness of the model "linear" where the case gives none: that of a spring which the mean normal force of the assembly
 * compresses as far as the contact of two spheres of the mean size (a lattice: as far as its contacts are). Then both models
 * have about the same overlaps, and can be compared.
 */
#include "internal.h"

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

/* Two spheres of this radius, by the law without "linear": ζ under the force, or if that is zero, the force at ζ. */
static bool press(const dem_simulation *s, double radius, double *zeta, double *fn)
{
  jager_law law = s->law;
  jager_pool *pool = s->blocks[0].pool;
  jager_contact contact;
  jager_force force = {.fn = *fn};
  jager_movement movement = {.zeta = *zeta};
  if (jager_law_set_model(&law, JAGER_MODEL_JAGER) != JAGER_OK ||
      jager_contact_init(&contact, &law, radius, radius) != JAGER_OK)
    return false;
  jager_status status = *fn > 0.0 ? jager_contact_load(&law, pool, &contact, &force, &movement, NULL)
                                  : jager_contact_move(&law, pool, &contact, *zeta, movement.dxi, &force);
  jager_contact_release(pool, &contact);
  *zeta = movement.zeta;
  *fn = force.fn;
  return status == JAGER_OK && movement.zeta > 0.0 && force.fn > 0.0;
}

bool linear_derive(dem_simulation *s, dem_error *error)
{
  const dem_assembly *assembly = &s->run->assembly;
  double radius = 0.5 * s->mean_diameter, zeta = 0.0, force = 0.0;
  if (s->law.model != JAGER_MODEL_LINEAR || s->law.linear_kn > 0.0)
    return true;
  if (assembly->source == DEM_SOURCE_LATTICE && assembly->lattice.overlap > 0.0)
    zeta = assembly->lattice.overlap * radius; /* of every contact */
  else
    force = mean_force(pressure_of(s->run), s->mean_diameter);
  if (!press(s, radius, &zeta, &force))
    return fail(error,
                "contact.linear.kn is needed: no packing pressure, no normal stress held by the first stage and no "
                "overlap of a lattice tells the contact force to derive it from");
  s->law.linear_kn = 0.5 * force / zeta;
  return true;
}
