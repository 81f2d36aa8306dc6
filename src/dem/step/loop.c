/* SPDX-License-Identifier: MIT */
/* The hysteresis loop of a cyclic stage. */
#include "loop.h"

#include <math.h>

#define PI 3.14159265358979323846

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

static void push_peak(loop *l, loop_energies energies)
{
  l->peaks[2] = l->peaks[1];
  l->peaks[1] = l->peaks[0];
  l->peaks[0] = (loop_peak){l->strain, l->stress, energies};
}

void dem_loop_begin(loop *l, double strain, double stress, bool is_peak, loop_energies energies)
{
  *l = (loop){.strain = strain, .stress = stress, .starts_at_peak = is_peak};
  l->now = l->before = half_from(strain, stress);
  push_peak(l, energies);
}

void dem_loop_add(loop *l, double strain, double stress)
{
  loop_half next = {.area = 0.5 * (l->stress + stress) * (strain - l->strain),
                    .strain_low = strain,
                    .strain_high = strain,
                    .stress_low = stress,
                    .stress_high = stress};
  l->now = halves_join(&l->now, &next);
  l->strain = strain;
  l->stress = stress;
}

static double gap_between(const loop_peak *from, const loop_peak *to, const loop_values *of)
{
  double strain = fabs(to->strain - from->strain), stress = fabs(to->stress - from->stress);
  return strain <= 0.0 && stress <= 0.0 ? 0.0 : fmax(strain / of->strain_amplitude, stress / of->stress_amplitude);
}

bool dem_loop_is_open(const loop_values *of)
{
  return !(of->gap <= DEM_LOOP_GAP_MAX);
}

/* The loop of this path between two peaks; `times` is 2 for the half of a loop. */
static loop_values loop_close(const loop_half *path, const loop_peak *from, const loop_peak *to, double times,
                              double volume)
{
  double drift = 0.5 * (path->stress_low + path->stress_high) * (to->strain - from->strain), share = times / volume;
  loop_values of = {.strain_amplitude = 0.5 * (path->strain_high - path->strain_low),
                    .stress_amplitude = 0.5 * (path->stress_high - path->stress_low),
                    .area = times * (path->area - drift),
                    .work = share * (to->energies.work - from->energies.work),
                    .friction = share * (to->energies.friction - from->energies.friction),
                    .damping = share * (to->energies.damping - from->energies.damping)};
  of.gap = times > 1.0 ? 0.0 : gap_between(from, to, &of);
  return of;
}

void dem_loop_turn(loop *l, loop_energies energies, double volume)
{
  push_peak(l, energies);
  l->peak_count++;
  if (l->peak_count % 2 == 0) {
    bool is_half = l->peak_count == 2 && !l->starts_at_peak;
    loop_half path = is_half ? l->now : halves_join(&l->before, &l->now);
    l->closed = loop_close(&path, &l->peaks[is_half ? 1 : 2], &l->peaks[0], is_half ? 2.0 : 1.0, volume);
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
