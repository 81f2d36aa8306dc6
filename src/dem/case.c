/* SPDX-License-Identifier: MIT */
/* Cases: defaults, names and the contact law. */
#include "case.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

dem_case dem_case_default(void)
{
  return (dem_case){
      .seed = 1,
      .material = {.shear_modulus = 29e9, .poisson = 0.15, .friction = 0.5, .density = 2650.0},
      .contact = {.model = JAGER_MODEL_JAGER, .contour = JAGER_CONTOUR_SPHERE},
      .damping = {.viscous = 0.0, .local = 0.2, .global = 0.0},
      .time_step = {.safety = 0.8, .interval = 50},
      .density_scaling = 1.0,
      .overlap_limit = 0.1,
      .assembly = {.source = DEM_SOURCE_PACKING,
                   .packing = {.pressure = 100e3,
                               .unbalanced = 1e-2,
                               .max_steps = 1000000,
                               .aspect = {1.0, 1.0, 1.0},
                               .initial_density = 0.5,
                               .damping = {.viscous = 0.1, .local = 0.5}}},
  };
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
  return (dem_stage){
      .friction = NAN, .mean_stress = {.kind = DEM_CONTROL_STRESS}, .cyclic = {.center = NAN}, .damping = of->damping};
}

const char *dem_quantity_name(dem_quantity quantity)
{
  static const char *const names[DEM_QUANTITIES] = {"strain_xx",
                                                    "strain_yy",
                                                    "strain_zz",
                                                    "strain_xy",
                                                    "strain_xz",
                                                    "strain_yz",
                                                    "stress_xx",
                                                    "stress_yy",
                                                    "stress_zz",
                                                    "stress_xy",
                                                    "stress_xz",
                                                    "stress_yz",
                                                    "p",
                                                    "q",
                                                    "volumetric_strain",
                                                    "void_ratio",
                                                    "gamma_xy",
                                                    "gamma_xz",
                                                    "gamma_yz",
                                                    "|gamma_xy|",
                                                    "|gamma_xz|",
                                                    "|gamma_yz|",
                                                    "double_amplitude_xx",
                                                    "double_amplitude_yy",
                                                    "double_amplitude_zz",
                                                    "double_amplitude_xy",
                                                    "double_amplitude_xz",
                                                    "double_amplitude_yz",
                                                    "r_u",
                                                    "r_u_zz"};
  return (unsigned)quantity < DEM_QUANTITIES ? names[quantity] : NULL;
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
  *to = *from;
  bool has_memory = copy_text(&to->title, from->title);
  has_memory = copy_text(&to->assembly.path, from->assembly.path) && has_memory;
  has_memory = copy_text(&to->assembly.name, from->assembly.name) && has_memory;
  if (!has_memory)
    dem_case_free(to);
  return has_memory;
}

void dem_case_free(dem_case *run)
{
  free(run->title);
  free(run->assembly.path);
  free(run->assembly.name);
  run->title = run->assembly.path = run->assembly.name = NULL;
}
