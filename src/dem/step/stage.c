/* SPDX-License-Identifier: MIT */
/* Stages: their beginning, reversals, end and progress. */
#include "stage.h"
#include "cycles.h"
#include "dem/observe/compute_measures.h"
#include "drive.h"
#include "packing_search.h"

#include <string.h>

/* ---- Servos ------------------------------------------------------------------------------------------------------ */

/* A servo keeps its integral if the stage before held the same stress. */
static void begin_servos(dem_simulation *s, const dem_stage *before, const stage_state *state_before)
{
  const dem_stage *stage = current_stage(s);
  double stress[DEM_COMPONENTS];
  dem_stress(s, stress);
  for (int k = 0; k < DEM_COMPONENTS; k++) {
    s->stage.servos[k].start = stress[k];
    if (before && is_held_by_servo(&stage->control[k]) && is_held_by_servo(&before->control[k]))
      s->stage.servos[k].integral = state_before->servos[k].integral;
  }
  s->stage.servos[SERVO_MEAN].start = (stress[DEM_XX] + stress[DEM_YY] + stress[DEM_ZZ]) / 3.0;
  if (before && stage->mean_stress_is_held && before->mean_stress_is_held)
    s->stage.servos[SERVO_MEAN].integral = state_before->servos[SERVO_MEAN].integral;
}

/*
 * Sets all velocities to zero. Spheres without contacts would fly on for ever, since local damping needs a force, and
 * disturb small loops when they hit others. Their energy counts as damped.
 */
static void stop_spheres(dem_simulation *s)
{
  double before = dem_kinetic_energy(s);
  memset(s->motions, 0, s->count * sizeof *s->motions);
  s->energy.damped += before - dem_kinetic_energy(s);
}

/* ---- Beginning --------------------------------------------------------------------------------------------------- */

bool dem_stage_begin(dem_simulation *s, int number, error_info *error)
{
  stage_state before = s->stage;
  const dem_stage *stage_before = s->step > 0 ? current_stage(s) : NULL;
  s->stage = (stage_state){.number = number, .direction = 1};
  const dem_stage *stage = current_stage(s);
  if (stage->stops_spheres)
    stop_spheres(s);
  s->stage.pace.factor = stage->inertial_number > 0.0 ? 0.0 : 1.0;
  memcpy(s->stage.strain_start, s->strain, sizeof s->strain);
  begin_servos(s, stage_before, &before);
  for (int k = 0; k < DEM_GAMMA; k++)
    s->stage.start[k] = dem_quantity_value(s, (dem_quantity)k);
  dem_cycles_begin(s, stage_before, &before);
  for (int k = DEM_GAMMA; k < DEM_QUANTITIES; k++)
    s->stage.start[k] = dem_quantity_value(s, (dem_quantity)k);
  if (stage->cyclic.on && !stage->cyclic.has_paths && !(dem_cycle_amplitude(s) > 0.0))
    return error_set(error,
                     "stage '%s': its amplitude would be a fraction of a stress that is not compressive, %.3g Pa: "
                     "consolidate the assembly first",
                     stage->name, dem_csr_reference(s));
  s->damping = stage->damping;
  if (isnan(stage->friction))
    return true;
  jager_status status = jager_law_set_friction(&s->law, stage->friction);
  return status == JAGER_OK || error_set(error, "stage '%s': %s", stage->name, jager_status_text(status));
}

/* ---- Ending ------------------------------------------------------------------------------------------------------ */

static bool criterion_is_met(const dem_simulation *s, const dem_criterion *criterion)
{
  double value = dem_quantity_value(s, criterion->of), start = s->stage.start[criterion->of];
  return criterion->value >= start || dem_quantity_is_size(criterion->of) ? value >= criterion->value
                                                                          : value <= criterion->value;
}

/* Have all stress targets reached their final values? */
static bool ramps_are_over(const dem_simulation *s)
{
  const dem_stage *stage = current_stage(s);
  long longest = stage->mean_stress_is_held ? stage->mean_stress.ramp : 0;
  for (int k = 0; k < DEM_COMPONENTS; k++)
    if (stage->control[k].kind == DEM_CONTROL_STRESS && stage->control[k].ramp > longest)
      longest = stage->control[k].ramp;
  return s->stage.steps > longest;
}

/*
 * While a servo still strains the assembly, dashpots may carry a part of the stress. The assembly counts as at rest
 * only below this inertial number of the strains that servos impose.
 */
#define REST_INERTIAL_NUMBER 1e-4

static bool servos_are_still(const dem_simulation *s)
{
  const dem_stage *stage = current_stage(s);
  double square = 0.0;
  for (int k = 0; k < DEM_COMPONENTS; k++)
    if (is_held_by_servo(&stage->control[k]) || (stage->mean_stress_is_held && k <= DEM_ZZ))
      square += s->increment[k] * s->increment[k];
  double pressure = dem_quantity_value(s, DEM_MEAN_STRESS), rate = sqrt(square) / s->dt;
  return !(rate * s->mean_diameter > REST_INERTIAL_NUMBER * sqrt(fmax(pressure, 0.0) / s->density));
}

static bool is_at_rest(const dem_simulation *s, double unbalanced)
{
  return s->stage.steps >= STEPS_TO_REST && s->unbalanced < unbalanced && s->stage.servo_error < 0.01 &&
         s->contact_count > 0 && ramps_are_over(s) && servos_are_still(s);
}

bool dem_stage_finish_step(dem_simulation *s)
{
  const dem_stage *stage = current_stage(s);
  const dem_until *until = &stage->until;
  if (stage->cyclic.on) {
    if (until->cycles > 0.0 && dem_cycles_done(s) >= until->cycles)
      return true;
    dem_cycles_reverse(s);
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

bool dem_stage_take_back_end(dem_simulation *s)
{
  long reversals = s->stage.reversals;
  if (!s->stage_just_ended || dem_stage_finish_step(s))
    return false;
  s->stage_just_ended = false;
  s->just_reversed = s->just_reversed || s->stage.reversals != reversals;
  return true;
}

/* ---- Progress ---------------------------------------------------------------------------------------------------- */

static double criterion_progress(const dem_simulation *s, const dem_criterion *criterion)
{
  double start = s->stage.start[criterion->of], way = criterion->value - start;
  return way != 0.0 ? (dem_quantity_value(s, criterion->of) - start) / way : 0.0;
}

/* The unbalanced force falls by decades while the assembly comes to rest. A packing must first reach its pressure. */
static double rest_progress(const dem_simulation *s, double unbalanced)
{
  double rest = s->unbalanced > 0.0 ? log(fmin(s->unbalanced, 1.0)) / log(fmin(unbalanced, 0.9)) : 0.0;
  if (s->stage.number > 0)
    return rest;
  double pressure = dem_quantity_value(s, DEM_MEAN_STRESS) / s->run->assembly.packing.pressure;
  return 0.3 * fmin(pressure, 1.0) + 0.7 * fmin(rest, 1.0);
}

double dem_stage_progress(const dem_simulation *s)
{
  const dem_until *until = &current_stage(s)->until;
  if (s->stage.number == 0 && s->search.report.trials > 0)
    return dem_packing_search_progress(s, rest_progress(s, until->unbalanced));
  double done = until->unbalanced > 0.0 ? rest_progress(s, until->unbalanced) : 0.0;
  if (until->steps > 0 && s->stage.number > 0)
    done = fmax(done, (double)s->stage.steps / (double)until->steps);
  if (until->time > 0.0)
    done = fmax(done, s->stage.time / until->time);
  if (until->cycles > 0.0)
    done = fmax(done, dem_cycles_done(s) / until->cycles);
  for (int k = 0; k < until->count; k++)
    done = fmax(done, criterion_progress(s, &until->criteria[k]));
  return fmin(fmax(done, 0.0), 1.0);
}
