/* SPDX-License-Identifier: MIT */
/* Cases: their defaults, and what follows from their values. */
#include "case_keys.h"
#include "shape.h"
#include "jager/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

dem_case dem_case_default(void)
{
  dem_case run = {.seed = 1};
  dem_block_set_standards(&dem_case_block, &run);
  run.assembly.packing.damping = (dem_damping){.viscous = 0.02, .local = 0.05};
  return run;
}

jager_status dem_case_law(const dem_case *run, jager_law *law)
{
  const dem_contact_law *c = &run->contact;
  *law = jager_law_default();
  jager_status status = jager_law_set_bodies(law, run->material.shear_modulus, run->material.poisson);
  if (status == JAGER_OK)
    status = jager_law_set_friction(law, run->material.friction);
  if (status == JAGER_OK)
    status = jager_law_set_model(law, c->model);
  if (status == JAGER_OK)
    status = jager_law_set_tolerance(law, c->tolerance);
  if (status == JAGER_OK)
    status = jager_law_set_dp_max(law, c->dp_max);
  if (status == JAGER_OK)
    status = jager_law_set_contour(law, c->contour, c->slope, c->exponent);
  if (status == JAGER_OK)
    status = jager_law_set_linear(law, c->linear_kn, c->linear_kt);
  return status;
}

double dem_case_packing_friction(const dem_case *run)
{
  double friction = run->assembly.packing.friction;
  return isnan(friction) ? run->material.friction : friction;
}

dem_stage dem_stage_default(const dem_case *of)
{
  dem_stage stage = {.mean_stress = {.kind = DEM_CONTROL_STRESS}};
  dem_block_set_standards(dem_key_find("stages")->block, &stage);
  stage.damping = of->damping;
  return stage;
}

const char *dem_component_name(dem_component component)
{
  static const char *const names[DEM_COMPONENTS] = {"xx", "yy", "zz", "xy", "xz", "yz"};
  return names[component];
}

bool dem_quantity_is_size(dem_quantity quantity)
{
  return quantity >= DEM_GAMMA_SIZE && quantity < DEM_QUANTITIES;
}

bool dem_stage_keeps_volume(const dem_stage *stage)
{
  bool all_are_held = !stage->mean_stress_is_held;
  for (int k = DEM_XX; k <= DEM_ZZ; k++) {
    const dem_control *control = &stage->control[k];
    if (control->kind == DEM_CONTROL_VOLUME)
      return true;
    all_are_held = all_are_held && control->kind <= DEM_CONTROL_STRAIN && control->value == 0.0;
  }
  return all_are_held;
}

/* Copies a text, which may be NULL. False: no memory. */
static bool copy_text(char **to, const char *from)
{
  *to = from ? strdup(from) : NULL;
  return *to || !from;
}

bool dem_case_copy(dem_case *to, const dem_case *from)
{
  const dem_packing *packing = &from->assembly.packing;
  size_t bytes = (size_t)packing->shape_count * sizeof *packing->shapes;
  *to = *from;
  bool has_memory = copy_text(&to->title, from->title);
  has_memory = copy_text(&to->assembly.path, from->assembly.path) && has_memory;
  has_memory = copy_text(&to->assembly.name, from->assembly.name) && has_memory;
  if (packing->shapes) {
    dem_shape_choice *shapes = to->assembly.packing.shapes = malloc(bytes);
    has_memory = shapes && has_memory;
    if (shapes)
      memcpy(shapes, packing->shapes, bytes);
  }
  if (!has_memory)
    dem_case_free(to);
  return has_memory;
}

void dem_case_free(dem_case *run)
{
  free(run->title);
  free(run->assembly.path);
  free(run->assembly.name);
  free(run->assembly.packing.shapes);
  run->assembly.packing.shapes = NULL;
  run->title = run->assembly.path = run->assembly.name = NULL;
}
