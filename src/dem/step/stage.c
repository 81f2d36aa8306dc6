/* SPDX-License-Identifier: MIT */
/* Stages: how they begin, turn round and end. */
#include "dem/internal.h"

#include <string.h>

const dem_stage *stage_of(const dem_simulation *s)
{
  return s->stage.number == 0 ? &s->packing_stage : &s->run->stages[s->stage.number - 1];
}

/* ---- Servos ------------------------------------------------------------------------------------------------------ */

/* The servo goes on at the speed that it had, if the stage before held the same stress. */
static void begin_servos(dem_simulation *s, const dem_stage *before, const stage_state *state_before)
{
  const dem_stage *stage = stage_of(s);
  double stress[DEM_COMPONENTS];
  stress_of(s, stress);
  for (int k = 0; k < DEM_COMPONENTS; k++) {
    s->stage.servos[k].start = stress[k];
    if (before && stage->control[k].kind == DEM_CONTROL_STRESS && before->control[k].kind == DEM_CONTROL_STRESS)
      s->stage.servos[k].integral = state_before->servos[k].integral;
  }
  s->stage.servos[SERVO_MEAN].start = (stress[DEM_XX] + stress[DEM_YY] + stress[DEM_ZZ]) / 3.0;
  if (before && stage->mean_stress_is_held && before->mean_stress_is_held)
    s->stage.servos[SERVO_MEAN].integral = state_before->servos[SERVO_MEAN].integral;
}

/* ---- Cycles ------------------------------------------------------------------------------------------------------ */

/* How far a value of the cycled quantity is from the middle of its cycles, in amplitudes. */
static double cycle_deviation(const dem_simulation *s, double value)
{
  const dem_cyclic *cyclic = &stage_of(s)->cyclic;
  double center = isnan(cyclic->center) ? s->stage.start[cyclic->of] : cyclic->center;
  return (value - center) / cyclic->amplitude;
}

static double cycle_deviation_now(const dem_simulation *s)
{
  return cycle_deviation(s, quantity_value(s, stage_of(s)->cyclic.of));
}

/* 1 or -1 at or beyond an end of the cycles, 0 between them. */
static int cycle_side(double deviation)
{
  return deviation >= 1.0 ? 1 : deviation <= -1.0 ? -1 : 0;
}

/* At the start of the stage. From outside, the way to the other end is the first half cycle. */
static int cycle_side_at_start(const dem_simulation *s)
{
  return cycle_side(cycle_deviation(s, s->stage.start[stage_of(s)->cyclic.of]));
}

/* Full cycles so far: a quarter to the first reversal, a half between reversals. */
static double cycles_done(const dem_simulation *s)
{
  if (!stage_of(s)->cyclic.on)
    return 0.0;
  double deviation = cycle_deviation_now(s);
  if (s->stage.side == 0)
    return 0.25 * fmin(fabs(deviation), 1.0);
  double way = fmax(0.0, 1.0 - s->stage.side * deviation); /* from the last reversal: 2 is half a cycle */
  double first = cycle_side_at_start(s) == 0 ? 0.25 : 0.0; /* less than the half that it counts as */
  return 0.5 * (double)s->stage.reversals - first + 0.25 * way;
}

static void turn_round(dem_simulation *s)
{
  int side = cycle_side(cycle_deviation_now(s));
  if (side == 0 || side == s->stage.side)
    return;
  s->stage.side = side;
  s->stage.direction = -s->stage.direction;
  s->stage.reversals++;
}

/* ---- A stage begins ---------------------------------------------------------------------------------------------- */

bool stage_begin(dem_simulation *s, int number, error_info *error)
{
  stage_state before = s->stage;
  const dem_stage *stage_before = s->step > 0 ? stage_of(s) : NULL;
  s->stage = (stage_state){.number = number, .direction = 1};
  const dem_stage *stage = stage_of(s);
  memcpy(s->stage.strain_start, s->strain, sizeof s->strain);
  begin_servos(s, stage_before, &before);
  for (int k = 0; k < DEM_QUANTITIES; k++)
    s->stage.start[k] = quantity_value(s, (dem_quantity)k);
  if (stage->cyclic.on)
    s->stage.side = cycle_side_at_start(s);
  s->damping = stage->damping;
  if (isnan(stage->friction))
    return true;
  jager_status status = jager_law_set_friction(&s->law, stage->friction);
  return status == JAGER_OK || error_set(error, "stage '%s': %s", stage->name, jager_status_text(status));
}

/* ---- Ending ------------------------------------------------------------------------------------------------------ */

static bool criterion_is_met(const dem_simulation *s, const dem_criterion *criterion)
{
  double value = quantity_value(s, criterion->of), start = s->stage.start[criterion->of];
  return criterion->value >= start ? value >= criterion->value : value <= criterion->value;
}

/* At least so many steps before an assembly counts as at rest: at first no force has had time to act. */
enum { STEPS_TO_REST = 100 };

/* No stress is on its way to another one. */
static bool ramps_are_over(const dem_simulation *s)
{
  const dem_stage *stage = stage_of(s);
  long longest = stage->mean_stress_is_held ? stage->mean_stress.ramp : 0;
  for (int k = 0; k < DEM_COMPONENTS; k++)
    if (stage->control[k].kind == DEM_CONTROL_STRESS && stage->control[k].ramp > longest)
      longest = stage->control[k].ramp;
  return s->stage.steps > longest;
}

/*
 * Servos still strain an assembly that gives way, and dashpots may carry a part of the stress meanwhile. It counts as at rest
 * below this inertial number of the strains that servos make.
 */
#define REST_INERTIAL_NUMBER 1e-4

static bool servos_are_still(const dem_simulation *s)
{
  const dem_stage *stage = stage_of(s);
  double square = 0.0;
  for (int k = 0; k < DEM_COMPONENTS; k++)
    if (stage->control[k].kind == DEM_CONTROL_STRESS || (stage->mean_stress_is_held && k <= DEM_ZZ))
      square += s->increment[k] * s->increment[k];
  double density = s->run->material.density * s->run->density_scaling;
  double pressure = quantity_value(s, DEM_MEAN_STRESS), rate = sqrt(square) / s->dt;
  return !(rate * s->mean_diameter > REST_INERTIAL_NUMBER * sqrt(fmax(pressure, 0.0) / density));
}

static bool is_at_rest(const dem_simulation *s, double unbalanced)
{
  return s->stage.steps >= STEPS_TO_REST && s->unbalanced < unbalanced && s->stage.servo_error < 0.01 &&
         s->contact_count > 0 && ramps_are_over(s) && servos_are_still(s);
}

bool stage_has_ended(dem_simulation *s)
{
  const dem_stage *stage = stage_of(s);
  const dem_until *until = &stage->until;
  if (stage->cyclic.on) {
    if (until->cycles > 0.0 && cycles_done(s) >= until->cycles)
      return true;
    turn_round(s);
  }
  if (until->steps > 0 && s->stage.steps >= until->steps)
    return true;
  if (until->time > 0.0 && s->stage.time >= until->time)
    return true;
  if (until->unbalanced > 0.0 && is_at_rest(s, until->unbalanced))
    return true;
  for (int k = 0; k < until->count; k++)
    if (criterion_is_met(s, &until->criteria[k]))
      return true;
  return false;
}

/* ---- How far it is ----------------------------------------------------------------------------------------------- */

static double criterion_progress(const dem_simulation *s, const dem_criterion *criterion)
{
  double start = s->stage.start[criterion->of], way = criterion->value - start;
  return way != 0.0 ? (quantity_value(s, criterion->of) - start) / way : 0.0;
}

/* Coming to rest: the unbalanced force falls by decades. Before that, a packing must reach its pressure. */
static double rest_progress(const dem_simulation *s, double unbalanced)
{
  double rest = s->unbalanced > 0.0 ? log(fmin(s->unbalanced, 1.0)) / log(fmin(unbalanced, 0.9)) : 0.0;
  if (s->stage.number > 0)
    return rest;
  double pressure = quantity_value(s, DEM_MEAN_STRESS) / s->run->assembly.packing.pressure;
  return 0.3 * fmin(pressure, 1.0) + 0.7 * fmin(rest, 1.0);
}

double stage_progress(const dem_simulation *s)
{
  const dem_until *until = &stage_of(s)->until;
  double done = until->unbalanced > 0.0 ? rest_progress(s, until->unbalanced) : 0.0;
  if (until->steps > 0 && s->stage.number > 0)
    done = fmax(done, (double)s->stage.steps / (double)until->steps);
  if (until->time > 0.0)
    done = fmax(done, s->stage.time / until->time);
  if (until->cycles > 0.0)
    done = fmax(done, cycles_done(s) / until->cycles);
  for (int k = 0; k < until->count; k++)
    done = fmax(done, criterion_progress(s, &until->criteria[k]));
  return fmin(fmax(done, 0.0), 1.0);
}
