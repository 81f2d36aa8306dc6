/* SPDX-License-Identifier: MIT */
/* Memory of a simulation, and the sizes and masses of its spheres. */
#include "allocate.h"
#include "dem/observe/compute_measures.h"
#include "dem/observe/trace.h"
#include "dem/space/neighbours.h"
#include "dem/step/skin_tuning.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static bool make_law(jager_law *law, const dem_case *run, error_info *error)
{
  jager_status status = dem_case_law(run, law);
  return status == JAGER_OK || error_set(error, "material: %s", jager_status_text(status));
}

/*
 * Stage 0: compression to the six stresses of an isotropic state. step/drive.c keeps the shape of the cell meanwhile.
 */
static dem_stage make_packing_stage(const dem_case *run)
{
  const dem_packing *packing = &run->assembly.packing;
  dem_stage stage = dem_stage_default(run);
  snprintf(stage.name, sizeof stage.name, "packing");
  for (int k = 0; k < DEM_COMPONENTS; k++)
    stage.control[k] = (dem_control){.kind = DEM_CONTROL_STRESS, .value = k <= DEM_ZZ ? packing->pressure : 0.0};
  stage.until = (dem_until){.steps = packing->max_steps, .unbalanced = packing->unbalanced};
  stage.friction = dem_case_packing_friction(run);
  stage.damping = packing->damping;
  return stage;
}

static int processors(void)
{
  long count = sysconf(_SC_NPROCESSORS_ONLN);
  return count < 1 ? 1 : count > 256 ? 256 : (int)count;
}

static bool allocate_spheres(dem_simulation *s, int threads, error_info *error)
{
  size_t count = s->count;
  s->bodies = allocate_lines(count * sizeof *s->bodies);
  s->motions = allocate_lines(count * sizeof *s->motions);
  s->loads = allocate_lines(count * sizeof *s->loads);
  s->travels = calloc(count, sizeof *s->travels);
  s->ids = calloc(count, sizeof *s->ids);
  s->stiffness = calloc(count, sizeof *s->stiffness);
  s->dashpots = calloc(count, sizeof *s->dashpots);
  s->surroundings = calloc(count, sizeof *s->surroundings);
  s->workers = thread_pool_create(threads > 0 ? threads : processors());
  return (s->bodies && s->motions && s->loads && s->travels && s->ids && s->stiffness && s->dashpots &&
          s->surroundings && s->workers) ||
         error_set_memory(error, "out of memory for %zu spheres, or no threads", count);
}

static bool allocate_traces(dem_simulation *s, error_info *error)
{
  if (s->run->trace_count > 0)
    s->traces = dem_trace_book_create(s->run);
  return s->run->trace_count == 0 || s->traces || error_set_memory(error, "out of memory for the traces");
}

dem_simulation *dem_simulation_allocate(const dem_case *run, size_t count, int threads, error_info *error)
{
  dem_simulation *s = calloc(1, sizeof *s);
  if (!s) {
    error_set_memory(error, "out of memory");
    return NULL;
  }
  s->run = run;
  s->count = count;
  s->packing_stage = make_packing_stage(run);
  s->damping = run->damping;
  s->density = run->material.density * run->density_scaling;
  if (allocate_spheres(s, threads, error) && allocate_traces(s, error) && make_law(&s->law, run, error) &&
      dem_neighbours_allocate(s, error) && dem_measures_allocate(s, error))
    return s;
  dem_simulation_destroy(s);
  return NULL;
}

void dem_simulation_update_sizes(dem_simulation *s)
{
  double volume = 0.0, diameter = 0.0, max = 0.0, min = INFINITY;
  for (size_t i = 0; i < s->count; i++) {
    double r = s->bodies[i].radius;
    volume += sphere_volume(r);
    diameter += 2.0 * r;
    max = fmax(max, r);
    min = fmin(min, r);
  }
  s->solid_volume = volume;
  s->mean_diameter = diameter / (double)s->count;
  s->radius_max = max;
  s->radius_min = min;
  s->skin = (s->run->skin > 0.0 ? s->run->skin : SKIN_AT_START) * s->mean_diameter;
}

double dem_simulation_mass(const dem_simulation *s, double radius)
{
  return s->run->material.density * s->run->density_scaling * (4.0 / 3.0 * PI) * radius * radius * radius;
}

void dem_simulation_update_density(dem_simulation *s)
{
  double mass = 0.0;
  if (!s->run->scales_each_sphere)
    return;
  for (size_t i = 0; i < s->count; i++)
    mass += s->bodies[i].mass;
  s->density = mass / s->solid_volume;
}

void dem_simulation_destroy(dem_simulation *s)
{
  if (!s)
    return;
  dem_neighbours_free(s);
  dem_measures_free(s);
  thread_pool_destroy(s->workers);
  dem_trace_book_destroy(s->traces);
  free(s->bodies);
  free(s->motions);
  free(s->loads);
  free(s->travels);
  free(s->ids);
  free(s->stiffness);
  free(s->dashpots);
  free(s->surroundings);
  free(s);
}
