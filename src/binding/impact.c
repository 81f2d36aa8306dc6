/* SPDX-License-Identifier: MIT */
/* Impacts of two bodies. */
#include "handles.h"
#include "laws/impact.h"

#include <math.h>
#include <string.h>

/* The number of a law; LAW_COUNT: there is none of this name. */
static int find_law(const char *name)
{
  int law = 0;
  while (law < LAW_COUNT && strcmp(name, law_name(law)) != 0)
    law++;
  return law;
}

/* What impact_compute does not look at. */
static bool check_bodies(const binding_impact_bodies *b, binding_error *error)
{
  if (!(b->mass_a > 0.0 && b->mass_b > 0.0 && (isfinite(b->mass_a) || isfinite(b->mass_b))))
    return binding_error_set(error, BINDING_BAD_INPUT,
                             "the masses must be more than 0, and one of the bodies must be able to move");
  if (!isfinite(b->radius_a) || (isfinite(b->mass_b) && !isfinite(b->radius_b)))
    return binding_error_set(error, BINDING_BAD_INPUT,
                             "the first body must be a sphere, and a wall must have an infinite mass");
  if (!(b->damping >= 0.0 && b->damping <= 1.0))
    return binding_error_set(error, BINDING_BAD_INPUT, "the damping, %g, must lie between 0 and 1", b->damping);
  return (b->steps >= 10 && b->steps <= 1000000) ||
         binding_error_set(error, BINDING_BAD_INPUT, "the number of steps, %d, must lie between 10 and 1000000",
                           b->steps);
}

static void take_result(binding_impact *to, const impact *of, const impact_result *from)
{
  double unit = of->bodies.parameters.kappa * of->bodies.parameters.friction * of->approach;
  *to = (binding_impact){.rebound = from->rebound,
                         .shear = from->shear,
                         .spin_a = from->spin[0],
                         .spin_b = from->spin[1],
                         .energy_before = from->energy[0],
                         .energy_after = from->energy[1],
                         .dissipated = from->dissipated,
                         .viscous = from->viscous,
                         .depth = from->depth,
                         .force_error = from->force_error,
                         .psi1 = of->shear / unit,
                         .psi2 = from->shear / unit,
                         .steps = from->steps,
                         .separates = from->separates};
}

static bool collide(impact *of, size_t number, binding_impact *result, binding_error *error)
{
  impact_result found;
  if (!(of->approach > 0.0 && isfinite(of->approach) && isfinite(of->shear)))
    return binding_error_set(error, BINDING_BAD_INPUT,
                             "impact %zu: the normal velocity, %g, must be more than 0, and the tangential one, %g, a "
                             "number",
                             number, of->approach, of->shear);
  jager_status status = impact_compute(of, &found);
  if (status == JAGER_ERROR_MEMORY)
    return binding_error_memory(error);
  if (status != JAGER_OK)
    return binding_error_set(error, BINDING_RUN_FAILED, "impact %zu, model %s: %s", number, law_name(of->bodies.law),
                             jager_status_text(status));
  take_result(result, of, &found);
  return true;
}

bool binding_impacts(const binding_impact_bodies *bodies, size_t count, const double *approach, const double *shear,
                     binding_impact *results, binding_error *error)
{
  binding_error_clear(error);
  int law = find_law(bodies->model);
  if (law == LAW_COUNT)
    return binding_error_set(error, BINDING_BAD_INPUT, "there is no model '%s'", bodies->model);
  if (!check_bodies(bodies, error))
    return false;
  impact of = {.bodies = {.law = law,
                          .parameters = bodies->law,
                          .radius_a = bodies->radius_a,
                          .radius_b = bodies->radius_b,
                          .grid = {SPRINGS_COUNT_DEFAULT, 0.0}},
               .mass_a = bodies->mass_a,
               .mass_b = bodies->mass_b,
               .damping = bodies->damping,
               .steps = bodies->steps};
  for (size_t i = 0; i < count; i++) {
    of.approach = approach[i];
    of.shear = shear[i];
    if (!collide(&of, i, &results[i], error))
      return false;
  }
  return true;
}
