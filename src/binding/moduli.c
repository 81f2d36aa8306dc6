/* SPDX-License-Identifier: MIT */
/* Elastic moduli. */
#include "handles.h"
#include "moduli/moduli.h"

#include <string.h>

_Static_assert(MODULI_KINDS == 3 && MODULI_VOIGT == 6, "the arrays of binding_moduli");

static void take_result(binding_moduli *to, const moduli_result *from)
{
  *to = (binding_moduli){.spheres = from->spheres,
                         .rattlers = from->rattlers,
                         .contacts = from->contacts,
                         .floppy = from->floppy,
                         .p = from->p,
                         .density = from->density,
                         .unbalanced = from->unbalanced,
                         .resisted = from->resisted,
                         .is_stable = from->is_stable,
                         .residual = from->residual};
  memcpy(to->stress, from->stress, sizeof to->stress);
  memcpy(to->stiffness, from->stiffness, sizeof to->stiffness);
  memcpy(to->wave_p, from->waves.p, sizeof to->wave_p);
  memcpy(to->wave_s, from->waves.s, sizeof to->wave_s);
  for (int k = 0; k < MODULI_KINDS; k++) {
    to->bulk[k] = from->averages[k].bulk;
    to->shear[k] = from->averages[k].shear;
    to->young[k] = from->averages[k].young;
    to->poisson[k] = from->averages[k].poisson;
    to->anisotropy[k] = from->averages[k].anisotropy;
  }
}

static bool compute(const dem_simulation *dem, int threads, binding_moduli *result, binding_error *error)
{
  error_info info = {.text = ""};
  moduli_network network;
  moduli_result of;
  moduli_settings settings = {.threads = threads};
  if (!moduli_network_take(&network, dem, &info))
    return binding_error_take(error, BINDING_RUN_FAILED, &info);
  bool is_done = moduli_compute(&of, &network, &settings, &info);
  moduli_network_free(&network);
  if (!is_done)
    return binding_error_take(error, BINDING_RUN_FAILED, &info);
  take_result(result, &of);
  return true;
}

/* After packing the friction of the material acts, as it would in the next step: on a copy, since this is no step. */
static bool compute_packed(const binding_simulation *s, int threads, binding_moduli *result, binding_error *error)
{
  error_info info = {.text = ""};
  binding_simulation *copy = binding_simulation_copy(s, error);
  if (!copy)
    return false;
  bool is_done = dem_simulation_begin_stage(copy->dem, &info) != DEM_FAILED
                     ? compute(copy->dem, threads, result, error)
                     : binding_error_take(error, BINDING_RUN_FAILED, &info);
  binding_simulation_destroy(copy);
  return is_done;
}

bool binding_simulation_moduli(const binding_simulation *s, int threads, binding_moduli *result, binding_error *error)
{
  bool is_packed = dem_simulation_stage(s->dem) == 0 && dem_simulation_events(s->dem).stage_ended;
  binding_error_clear(error);
  return is_packed && !dem_simulation_has_failed(s->dem) ? compute_packed(s, threads, result, error)
                                                         : compute(s->dem, threads, result, error);
}
