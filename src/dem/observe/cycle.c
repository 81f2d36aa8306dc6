/* SPDX-License-Identifier: MIT */
/* Names and values of a cycle, from their list, and the values of the cycle that has ended. */
#include "cycle.h"
#include "dem/state.h"
#include "dem/step/cycles.h"
#include "dem/step/drive.h"
#include "dem/step/path.h"

#include <stddef.h>
#include <string.h>

/* ---- Names ------------------------------------------------------------------------------------------------------- */

typedef struct cycle_text {
  const char *name, *unit, *meaning;
} cycle_text;

#define CYCLE_TEXT(field, unit, meaning) {#field, unit, meaning},
static const cycle_text texts[DEM_CYCLE_VALUES] = {DEM_CYCLE_LIST(CYCLE_TEXT)};
#undef CYCLE_TEXT

const char *dem_cycle_name(int k)
{
  return texts[k].name;
}

const char *dem_cycle_unit(int k)
{
  return texts[k].unit;
}

const char *dem_cycle_meaning(int k)
{
  return texts[k].meaning;
}

double dem_cycle_value(const dem_cycle *cycle, int k)
{
  double value;
  memcpy(&value, (const char *)cycle + (size_t)k * sizeof value, sizeof value);
  return value;
}

void dem_cycle_set_value(dem_cycle *cycle, int k, double value)
{
  memcpy((char *)cycle + (size_t)k * sizeof value, &value, sizeof value);
}

const char *dem_modulus_name(dem_modulus modulus)
{
  static const char *const names[DEM_MODULI] = {"G", "E", "K"};
  return names[modulus];
}

dem_component dem_cycle_component(dem_quantity cycled)
{
  if (cycled < DEM_STRESS)
    return (dem_component)(cycled - DEM_STRAIN);
  if (cycled >= DEM_GAMMA && cycled < DEM_GAMMA_SIZE)
    return (dem_component)(DEM_XY + (cycled - DEM_GAMMA));
  return cycled < DEM_MEAN_STRESS ? (dem_component)(cycled - DEM_STRESS) : DEM_ZZ;
}

dem_modulus dem_cycle_modulus(dem_quantity cycled)
{
  return cycled == DEM_MEAN_STRESS               ? DEM_MODULUS_K
         : dem_cycle_component(cycled) >= DEM_XY ? DEM_MODULUS_G
                                                 : DEM_MODULUS_E;
}

/* ---- Values ------------------------------------------------------------------------------------------------------ */

static void put_modulus(dem_modulus kind, double value, dem_cycle *c)
{
  c->shear_modulus = kind == DEM_MODULUS_G ? value : NAN;
  c->young_modulus = kind == DEM_MODULUS_E ? value : NAN;
  c->bulk_modulus = kind == DEM_MODULUS_K ? value : NAN;
}

/* The energies are those of all components on waves, and the loop is that of one: with two there is no ratio. */
static void put_damping_ratios(const loop_values *of, bool has_one_component, dem_cycle *c)
{
  c->damping_ratio = has_one_component ? dem_loop_damping_ratio(of, of->area) : NAN;
  c->damping_ratio_friction = has_one_component ? dem_loop_damping_ratio(of, of->friction) : NAN;
  c->damping_ratio_numerical = has_one_component ? dem_loop_damping_ratio(of, of->damping) : NAN;
}

static void put_loop(const dem_simulation *s, const loop_values *of, dem_cycle *c)
{
  double reference = dem_csr_reference(s);
  c->strain_amplitude = of->strain_amplitude;
  c->stress_amplitude = of->stress_amplitude;
  c->csr = reference > 0.0 ? of->stress_amplitude / reference : 0.0;
  put_modulus(dem_cycle_modulus(current_stage(s)->cyclic.of), dem_loop_modulus(of), c);
  c->loop_area = of->area;
  c->work = of->work;
  c->dissipated_friction = of->friction;
  c->dissipated_damping = of->damping;
  c->dissipated = of->friction + of->damping;
  put_damping_ratios(of, dem_path_waves(current_stage(s)) <= 1, c);
}

static void put_no_loop(dem_cycle *c)
{
  for (int k = offsetof(dem_cycle, strain_amplitude) / sizeof(double); k < DEM_CYCLE_VALUES; k++)
    dem_cycle_set_value(c, k, NAN);
}

bool dem_simulation_cycle(const dem_simulation *s, dem_cycle *c)
{
  const stage_cycles *of = &s->stage.cycles;
  bool is_cut_off = s->stage_just_ended && !s->just_finished_cycle && s->stage.steps > 0;
  if (!current_stage(s)->cyclic.on || !(s->just_finished_cycle || is_cut_off))
    return false;
  *c = (dem_cycle){.stage = s->stage.number,
                   .cycle = is_cut_off ? dem_cycles_done(s) : (double)of->finished,
                   .step = (double)s->step,
                   .time = s->time,
                   .strain_single = fmax(fabs(of->strain_low), fabs(of->strain_high)),
                   .strain_double = of->strain_high - of->strain_low,
                   .strain_end = of->loop.strain,
                   .void_ratio = dem_quantity_value(s, DEM_VOID_RATIO),
                   .p_min = of->p_min,
                   .r_u_max = dem_pore_pressure_ratio(s, of->p_min),
                   .r_u_end = dem_quantity_value(s, DEM_R_U)};
  if (dem_cycle_has_loop(s))
    put_loop(s, &of->loop.closed, c);
  else
    put_no_loop(c);
  return true;
}
