/* SPDX-License-Identifier: MIT */
/* The cycles of a cyclic stage. */
#include "cycles.h"
#include "drive.h"
#include "measures.h"

#include <stddef.h>
#include <string.h>

/* ---- The list of values ------------------------------------------------------------------------------------------ */

#define CYCLE_TEXT(field, unit, meaning) {#field, unit, meaning},
static const struct {
  const char *name, *unit, *meaning;
} texts[DEM_CYCLE_VALUES] = {DEM_CYCLE_LIST(CYCLE_TEXT)};
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

bool dem_cycles_stress(const dem_cyclic *cyclic)
{
  return cyclic->of >= DEM_STRESS && cyclic->of <= DEM_DEVIATOR;
}

bool dem_is_flow_failure(const dem_cyclic *cyclic, double liquefied_in)
{
  return dem_cycles_stress(cyclic) && !cyclic->has_paths && liquefied_in < 0.25;
}

/* ---- The hysteresis loop ----------------------------------------------------------------------------------------- */

static loop_half half_from(double strain, double stress)
{
  return (loop_half){.strain_low = strain, .strain_high = strain, .stress_low = stress, .stress_high = stress};
}

static loop_half halves_join(const loop_half *a, const loop_half *b)
{
  return (loop_half){.area = a->area + b->area,
                     .strain_low = fmin(a->strain_low, b->strain_low),
                     .strain_high = fmax(a->strain_high, b->strain_high),
                     .stress_low = fmin(a->stress_low, b->stress_low),
                     .stress_high = fmax(a->stress_high, b->stress_high)};
}

static void push_peak(hysteresis_loop *l, energy_account energies)
{
  l->peaks[2] = l->peaks[1];
  l->peaks[1] = l->peaks[0];
  l->peaks[0] = (loop_peak){l->strain, l->stress, energies};
}

void dem_loop_begin(hysteresis_loop *l, double strain, double stress, bool is_peak, energy_account energies)
{
  *l = (hysteresis_loop){.strain = strain, .stress = stress, .starts_at_peak = is_peak};
  l->now = l->before = half_from(strain, stress);
  push_peak(l, energies);
}

void dem_loop_add(hysteresis_loop *l, double strain, double stress)
{
  loop_half next = half_from(strain, stress);
  next.area = 0.5 * (l->stress + stress) * (strain - l->strain);
  l->now = halves_join(&l->now, &next);
  l->strain = strain;
  l->stress = stress;
}

bool dem_loop_is_open(const loop_values *of)
{
  return !(of->gap <= DEM_LOOP_GAP_MAX);
}

void dem_loop_turn(hysteresis_loop *l, energy_account energies, double volume)
{
  push_peak(l, energies);
  l->peak_count++;
  if (l->peak_count % 2 == 0) {
    bool is_half = l->peak_count == 2 && !l->starts_at_peak;
    loop_half path = is_half ? l->now : halves_join(&l->before, &l->now);
    const loop_peak *from = &l->peaks[is_half ? 1 : 2], *to = &l->peaks[0];
    double strain = to->strain - from->strain, stress = to->stress - from->stress;
    double times = is_half ? 2.0 : 1.0, share = times / volume;
    double drift = 0.5 * (path.stress_low + path.stress_high) * strain;
    l->closed = (loop_values){.strain_amplitude = 0.5 * (path.strain_high - path.strain_low),
                              .stress_amplitude = 0.5 * (path.stress_high - path.stress_low),
                              .area = times * (path.area - drift),
                              .work = share * (to->energies.work - from->energies.work),
                              .friction = share * (to->energies.friction - from->energies.friction),
                              .damping = share * (to->energies.damping - from->energies.damping)};
    if (!is_half && !(strain == 0.0 && stress == 0.0))
      l->closed.gap = fmax(fabs(strain) / l->closed.strain_amplitude, fabs(stress) / l->closed.stress_amplitude);
    l->is_closed = true;
  }
  l->before = l->now;
  l->now = half_from(l->strain, l->stress);
}

double dem_loop_modulus(const loop_values *of)
{
  return of->stress_amplitude / of->strain_amplitude;
}

double dem_loop_damping_ratio(const loop_values *of, double energy)
{
  return dem_loop_is_open(of) ? NAN : energy / (2.0 * PI * of->stress_amplitude * of->strain_amplitude);
}

/* ---- Counting ---------------------------------------------------------------------------------------------------- */

double dem_cycle_amplitude(const dem_simulation *s)
{
  const dem_cyclic *cyclic = &current_stage(s)->cyclic;
  return cyclic->stress_ratio > 0.0 ? cyclic->stress_ratio * dem_csr_reference(s) : cyclic->amplitude;
}

/* The centre of the cycles, a value of the cycled quantity. */
static double cycle_center(const dem_simulation *s)
{
  const dem_stage *stage = current_stage(s);
  const dem_cyclic *cyclic = &stage->cyclic;
  double given = cyclic->has_paths ? stage->control[dem_cycle_component(cyclic->of)].wave.center : cyclic->center;
  return isnan(given) ? s->stage.start[cyclic->of] : given;
}

/* Deviation of a value of the cycled quantity from the centre of the cycles, in amplitudes. */
static double cycle_deviation(const dem_simulation *s, double value)
{
  return (value - cycle_center(s)) / dem_cycle_amplitude(s);
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
    return dem_wave_peak(s);
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

/* ---- The account ------------------------------------------------------------------------------------------------- */

static double loop_strain(const dem_simulation *s)
{
  dem_quantity cycled = current_stage(s)->cyclic.of;
  int component = (int)dem_cycle_component(cycled);
  if (cycled == DEM_MEAN_STRESS)
    return dem_quantity_value(s, DEM_VOLUMETRIC_STRAIN);
  double strain = dem_quantity_value(s, (dem_quantity)(DEM_STRAIN + component));
  return component >= DEM_XY ? 2.0 * strain : strain;
}

/* The shear stress, or the deviator along the component; not of p. */
static double shear_of(const double stress[DEM_COMPONENTS], dem_component component)
{
  double own = stress[component], others = stress[DEM_XX] + stress[DEM_YY] + stress[DEM_ZZ] - own;
  return component < DEM_XY ? own - 0.5 * others : own;
}

static double loop_stress(const dem_simulation *s)
{
  dem_quantity cycled = current_stage(s)->cyclic.of;
  double stress[DEM_COMPONENTS];
  if (cycled == DEM_MEAN_STRESS)
    return dem_quantity_value(s, DEM_MEAN_STRESS);
  dem_stress(s, stress);
  return shear_of(stress, dem_cycle_component(cycled));
}

void dem_cycles_begin(dem_simulation *s, const dem_stage *before, const stage_state *state_before)
{
  const dem_stage *stage = current_stage(s);
  stage_cycles *of = &s->stage.cycles;
  energy_account energies = dem_energies(s);
  if (before && dem_stage_keeps_volume(before) && dem_stage_keeps_volume(stage)) /* pore pressures count from there */
    memcpy(s->stage.reference, state_before->reference, sizeof s->stage.reference);
  else
    dem_stress(s, s->stage.reference);
  s->stage.friction_start = energies.friction;
  s->stage.damping_start = energies.damping;
  *of = (stage_cycles){.p_min = dem_quantity_value(s, DEM_MEAN_STRESS)};
  s->just_finished_cycle = s->just_liquefied = false;
  if (!stage->cyclic.on)
    return;
  s->stage.side = cycle_side_at_start(s);
  if (s->stage.side != 0 && dem_drive_sign(s, stage->cyclic.of) == s->stage.side)
    s->stage.direction = -s->stage.direction;
  of->done = cycles_by_value(s);
  dem_loop_begin(&of->loop, loop_strain(s), loop_stress(s), s->stage.side != 0, energies);
}

/* The account of a cyclic stage. The values of a finished cycle can be read until the step after it. */
static void add_to_loop(dem_simulation *s)
{
  const dem_stage *stage = current_stage(s);
  stage_cycles *of = &s->stage.cycles;
  hysteresis_loop *l = &of->loop;
  double p = dem_quantity_value(s, DEM_MEAN_STRESS), strain = loop_strain(s);
  if (s->just_finished_cycle) {
    of->p_min = p;
    of->strain_low = of->strain_high = l->strain;
    of->peaks_before = l->peak_count;
  }
  of->p_min = fmin(of->p_min, p);
  of->strain_low = fmin(of->strain_low, strain);
  of->strain_high = fmax(of->strain_high, strain);
  dem_loop_add(l, strain, loop_stress(s));

  if (side_reached(s) != 0) {
    dem_loop_turn(l, dem_energies(s), dem_cell_volume(s->cell));
    if (stage->cyclic.has_paths) {
      /* On a path whose amplitude still grows, loops are open. From peak to peak a full one takes a wave, and the first
       * one, half a loop, half a wave. */
      double waves = l->peak_count == 2 && !l->starts_at_peak ? 0.5 : 1.0;
      double frequency = stage->control[dem_cycle_component(stage->cyclic.of)].wave.frequency;
      if (s->stage.phase - waves / frequency < stage->cyclic.run_in - 1e-9)
        l->closed.gap = fmax(l->closed.gap, 1.0);
    }
    /* A new half cycle: extremes of all strains count from here. */
    memcpy(of->low_before, of->low, sizeof of->low);
    memcpy(of->high_before, of->high, sizeof of->high);
    for (int k = 0; k < DEM_COMPONENTS; k++)
      of->low[k] = of->high[k] = dem_quantity_value(s, (dem_quantity)(DEM_STRAIN + k));
  }
  of->done = fmax(of->done, cycles_by_value(s));
  s->just_finished_cycle = of->done >= (double)(of->finished + 1);
  of->finished += s->just_finished_cycle;
}

void dem_cycles_add_step(dem_simulation *s)
{
  stage_cycles *of = &s->stage.cycles;
  for (int k = 0; k < DEM_COMPONENTS; k++) {
    double strain = dem_quantity_value(s, (dem_quantity)(DEM_STRAIN + k));
    of->low[k] = fmin(of->low[k], strain);
    of->high[k] = fmax(of->high[k], strain);
  }
  if (current_stage(s)->cyclic.on)
    add_to_loop(s);
  s->just_liquefied = !of->has_liquefied && dem_quantity_value(s, DEM_R_U) >= DEM_LIQUEFIED_R_U;
  of->has_liquefied = of->has_liquefied || s->just_liquefied;
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

/* The stress of the loop at the start of the stage, moved with the cycled quantity to the centre of the cycles. */
static double static_stress(const dem_simulation *s)
{
  dem_quantity cycled = current_stage(s)->cyclic.of;
  const double *start = s->stage.start;
  return shear_of(&start[DEM_STRESS], dem_cycle_component(cycled)) + (cycle_center(s) - start[cycled]);
}

double dem_static_stress_ratio(const dem_simulation *s)
{
  double reference = dem_csr_reference(s);
  return reference > 0.0 ? static_stress(s) / reference : 0.0;
}

double dem_csr(const dem_simulation *s)
{
  double reference = dem_csr_reference(s);
  return reference > 0.0 ? (loop_stress(s) - static_stress(s)) / reference : 0.0;
}

double dem_double_amplitude(const dem_simulation *s, dem_component component)
{
  const stage_cycles *of = &s->stage.cycles;
  double low = fmin(of->low[component], of->low_before[component]);
  double high = fmax(of->high[component], of->high_before[component]);
  return component >= DEM_XY ? 2.0 * (high - low) : high - low;
}

/* ---- The values of the cycle that has ended ---------------------------------------------------------------------- */

bool dem_simulation_cycle(const dem_simulation *s, dem_cycle *c)
{
  const stage_cycles *of = &s->stage.cycles;
  const loop_values *closed = &of->loop.closed;
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
  for (int k = offsetof(dem_cycle, strain_amplitude) / sizeof(double); k < DEM_CYCLE_VALUES; k++)
    dem_cycle_set_value(c, k, NAN);
  bool has_loop = of->loop.is_closed && of->loop.peak_count / 2 > of->peaks_before / 2;
  if (!has_loop)
    return true;

  double reference = dem_csr_reference(s);
  c->strain_amplitude = closed->strain_amplitude;
  c->stress_amplitude = closed->stress_amplitude;
  c->csr = reference > 0.0 ? closed->stress_amplitude / reference : 0.0;
  c->static_stress_ratio = dem_static_stress_ratio(s);
  dem_modulus kind = dem_cycle_modulus(current_stage(s)->cyclic.of);
  double modulus = dem_loop_modulus(closed);
  c->shear_modulus = kind == DEM_MODULUS_G ? modulus : NAN;
  c->young_modulus = kind == DEM_MODULUS_E ? modulus : NAN;
  c->bulk_modulus = kind == DEM_MODULUS_K ? modulus : NAN;
  c->loop_area = closed->area;
  c->work = closed->work;
  c->dissipated_friction = closed->friction;
  c->dissipated_damping = closed->damping;
  c->dissipated = closed->friction + closed->damping;
  /* The energies include all components on waves, the loop has one: with two waves there is no ratio. */
  if (dem_wave_count(current_stage(s)) <= 1) {
    c->damping_ratio = dem_loop_damping_ratio(closed, closed->area);
    c->damping_ratio_friction = dem_loop_damping_ratio(closed, closed->friction);
    c->damping_ratio_numerical = dem_loop_damping_ratio(closed, closed->damping);
  }
  return true;
}
