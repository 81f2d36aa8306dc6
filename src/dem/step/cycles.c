/* SPDX-License-Identifier: MIT */
/* The account of a stage's cycles. */
#include "cycles.h"
#include "dem/observe/compute_measures.h"
#include "dem/observe/cycle.h"
#include "drive.h"
#include "path.h"

#include <string.h>

/* ---- Counting ---------------------------------------------------------------------------------------------------- */

double dem_cycle_amplitude(const dem_simulation *s)
{
  const dem_cyclic *cyclic = &current_stage(s)->cyclic;
  return cyclic->stress_ratio > 0.0 ? cyclic->stress_ratio * dem_csr_reference(s) : cyclic->amplitude;
}

/* Deviation of a value of the cycled quantity from the centre of the cycles, in amplitudes. */
static double cycle_deviation(const dem_simulation *s, double value)
{
  const dem_cyclic *cyclic = &current_stage(s)->cyclic;
  double center = isnan(cyclic->center) ? s->stage.start[cyclic->of] : cyclic->center;
  return (value - center) / dem_cycle_amplitude(s);
}

static double cycle_deviation_now(const dem_simulation *s)
{
  return cycle_deviation(s, dem_quantity_value(s, current_stage(s)->cyclic.of));
}

/* 1 or -1 at or beyond the amplitude, 0 between. */
static int cycle_side(double deviation)
{
  return deviation >= 1.0 ? 1 : deviation <= -1.0 ? -1 : 0;
}

/* The side at the start of the stage. If that is not 0, the way to the other side is the first half cycle. */
static int cycle_side_at_start(const dem_simulation *s)
{
  if (current_stage(s)->cyclic.has_paths)
    return 0;
  return cycle_side(cycle_deviation(s, s->stage.start[current_stage(s)->cyclic.of]));
}

/* The side at which the loading reverses now; 0: it does not. */
static int side_reached(const dem_simulation *s)
{
  if (current_stage(s)->cyclic.has_paths)
    return dem_path_peak(s);
  int side = cycle_side(cycle_deviation_now(s));
  return side != s->stage.side ? side : 0;
}

/* Number of cycles by the present value of the quantity: it falls where the stress does. */
static double cycles_by_value(const dem_simulation *s)
{
  if (current_stage(s)->cyclic.has_paths)
    return s->stage.phase;
  double deviation = cycle_deviation_now(s);
  if (s->stage.side == 0)
    return 0.25 * fmin(fabs(deviation), 1.0);
  double way = fmin(fmax(0.0, 1.0 - s->stage.side * deviation), 2.0); /* since the last reversal; 2 is half a cycle */
  double first = cycle_side_at_start(s) == 0 ? 0.25 : 0.0; /* the way to the first reversal was a quarter, not a half */
  return 0.5 * (double)s->stage.reversals - first + 0.25 * way;
}

double dem_cycles_done(const dem_simulation *s)
{
  return s->stage.cycles.done;
}

void dem_cycles_reverse(dem_simulation *s)
{
  int side = side_reached(s);
  if (side == 0)
    return;
  s->stage.side = side;
  s->stage.direction = current_stage(s)->cyclic.has_paths ? 1 : -s->stage.direction;
  s->stage.reversals++;
}

/* ---- Stress and strain of the loop ------------------------------------------------------------------------------- */

static double loop_strain(const dem_simulation *s)
{
  dem_quantity cycled = current_stage(s)->cyclic.of;
  int component = (int)dem_cycle_component(cycled);
  if (cycled == DEM_MEAN_STRESS)
    return dem_quantity_value(s, DEM_VOLUMETRIC_STRAIN);
  double strain = dem_quantity_value(s, (dem_quantity)(DEM_STRAIN + component));
  return component >= DEM_XY ? 2.0 * strain : strain;
}

static double loop_stress(const dem_simulation *s)
{
  dem_quantity cycled = current_stage(s)->cyclic.of;
  int component = (int)dem_cycle_component(cycled);
  double stress[DEM_COMPONENTS];
  if (cycled == DEM_MEAN_STRESS)
    return dem_quantity_value(s, DEM_MEAN_STRESS);
  dem_stress(s, stress);
  if (component >= DEM_XY)
    return stress[component];
  double others = stress[DEM_XX] + stress[DEM_YY] + stress[DEM_ZZ] - stress[component];
  return stress[component] - 0.5 * others;
}

/* ---- The account ------------------------------------------------------------------------------------------------- */

/* The stages before this one kept the volume, too: pore pressures count from their start. */
static void set_reference(dem_simulation *s, const dem_stage *before, const stage_state *state_before)
{
  if (before && dem_stage_keeps_volume(before) && dem_stage_keeps_volume(current_stage(s)))
    memcpy(s->stage.reference, state_before->reference, sizeof s->stage.reference);
  else
    dem_stress(s, s->stage.reference);
}

/* A new half cycle: extremes of all strains count from here. */
static void begin_half(dem_simulation *s)
{
  stage_cycles *of = &s->stage.cycles;
  memcpy(of->low_before, of->low, sizeof of->low);
  memcpy(of->high_before, of->high, sizeof of->high);
  for (int k = 0; k < DEM_COMPONENTS; k++)
    of->low[k] = of->high[k] = dem_quantity_value(s, (dem_quantity)(DEM_STRAIN + k));
}

void dem_cycles_begin(dem_simulation *s, const dem_stage *before, const stage_state *state_before)
{
  stage_cycles *of = &s->stage.cycles;
  loop_energies energies = dem_energies(s);
  set_reference(s, before, state_before);
  s->stage.friction_start = energies.friction;
  s->stage.damping_start = energies.damping;
  *of = (stage_cycles){.p_min = dem_quantity_value(s, DEM_MEAN_STRESS)};
  s->just_finished_cycle = s->just_liquefied = false;
  if (!current_stage(s)->cyclic.on)
    return;
  s->stage.side = cycle_side_at_start(s);
  if (s->stage.side != 0 && dem_drive_sign(s, current_stage(s)->cyclic.of) == s->stage.side)
    s->stage.direction = -s->stage.direction;
  of->done = cycles_by_value(s);
  dem_loop_begin(&of->loop, loop_strain(s), loop_stress(s), s->stage.side != 0, energies);
}

static void widen_strains(dem_simulation *s)
{
  stage_cycles *of = &s->stage.cycles;
  for (int k = 0; k < DEM_COMPONENTS; k++) {
    double strain = dem_quantity_value(s, (dem_quantity)(DEM_STRAIN + k));
    of->low[k] = fmin(of->low[k], strain);
    of->high[k] = fmax(of->high[k], strain);
  }
}

/* The values of a finished cycle stay until the step after it, so that they can be read. */
static void widen_cycle(dem_simulation *s)
{
  stage_cycles *of = &s->stage.cycles;
  double p = dem_quantity_value(s, DEM_MEAN_STRESS), strain = loop_strain(s);
  if (s->just_finished_cycle) {
    of->p_min = p;
    of->strain_low = of->strain_high = of->loop.strain;
    of->peaks_before = of->loop.peak_count;
  }
  of->p_min = fmin(of->p_min, p);
  of->strain_low = fmin(of->strain_low, strain);
  of->strain_high = fmax(of->strain_high, strain);
}

/*
 * On a path whose amplitude still grows, loops are open. From peak to peak a full one takes a wave, and the first one,
 * half a loop, half a wave.
 */
static void open_in_run_in(dem_simulation *s)
{
  const dem_stage *stage = current_stage(s);
  loop *l = &s->stage.cycles.loop;
  if (!stage->cyclic.has_paths)
    return;
  double waves = l->peak_count == 2 && !l->starts_at_peak ? 0.5 : 1.0;
  double frequency = stage->control[dem_cycle_component(stage->cyclic.of)].wave.frequency;
  if (s->stage.phase - waves / frequency < stage->cyclic.run_in - 1e-9)
    l->closed.gap = fmax(l->closed.gap, 1.0);
}

static void add_to_loop(dem_simulation *s)
{
  stage_cycles *of = &s->stage.cycles;
  widen_cycle(s);
  dem_loop_add(&of->loop, loop_strain(s), loop_stress(s));
  if (side_reached(s) != 0) {
    dem_loop_turn(&of->loop, dem_energies(s), dem_cell_volume(s->cell));
    open_in_run_in(s);
    begin_half(s);
  }
  of->done = fmax(of->done, cycles_by_value(s));
  s->just_finished_cycle = of->done >= (double)(of->finished + 1);
  of->finished += s->just_finished_cycle;
}

void dem_cycles_add_step(dem_simulation *s)
{
  stage_cycles *of = &s->stage.cycles;
  widen_strains(s);
  if (current_stage(s)->cyclic.on)
    add_to_loop(s);
  s->just_liquefied = !of->has_liquefied && dem_quantity_value(s, DEM_R_U) >= DEM_LIQUEFIED_R_U;
  of->has_liquefied = of->has_liquefied || s->just_liquefied;
}

bool dem_cycle_has_loop(const dem_simulation *s)
{
  const stage_cycles *of = &s->stage.cycles;
  return of->loop.is_closed && of->loop.peak_count / 2 > of->peaks_before / 2;
}

/* ---- Ratios ------------------------------------------------------------------------------------------------------ */

static double reference_pressure(const dem_simulation *s)
{
  const double *stress = s->stage.reference;
  return (stress[DEM_XX] + stress[DEM_YY] + stress[DEM_ZZ]) / 3.0;
}

static double loss(const dem_simulation *s, double now, double before)
{
  return dem_stage_keeps_volume(current_stage(s)) && before > 0.0 ? 1.0 - now / before : 0.0;
}

double dem_pore_pressure_ratio(const dem_simulation *s, double p)
{
  return loss(s, p, reference_pressure(s));
}

double dem_pore_pressure_ratio_zz(const dem_simulation *s, double stress_zz)
{
  return loss(s, stress_zz, s->stage.reference[DEM_ZZ]);
}

double dem_csr_reference(const dem_simulation *s)
{
  const dem_cyclic *cyclic = &current_stage(s)->cyclic;
  if (!cyclic->on || cyclic->of == DEM_MEAN_STRESS)
    return 0.0;
  dem_component component = dem_cycle_component(cyclic->of);
  return component < DEM_XY    ? 2.0 * reference_pressure(s)
         : component == DEM_XY ? s->stage.reference[DEM_YY]
                               : s->stage.reference[DEM_ZZ];
}

double dem_csr(const dem_simulation *s)
{
  double reference = dem_csr_reference(s);
  return reference > 0.0 ? loop_stress(s) / reference : 0.0;
}

double dem_double_amplitude(const dem_simulation *s, dem_component component)
{
  const stage_cycles *of = &s->stage.cycles;
  double low = fmin(of->low[component], of->low_before[component]);
  double high = fmax(of->high[component], of->high_before[component]);
  return component >= DEM_XY ? 2.0 * (high - low) : high - low;
}
