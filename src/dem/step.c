/* SPDX-License-Identifier: MIT */
/* One step of a simulation; stages: their beginning, reversals, end and progress. */
#include "step.h"
#include "contacts.h"
#include "cycles.h"
#include "drive.h"
#include "grains.h"
#include "measures.h"
#include "neighbours.h"
#include "packing.h"
#include "setup.h"
#include "trace.h"

#include <string.h>

/* ---- The beginning of a stage ------------------------------------------------------------------------------------ */

void dem_grains_stop(dem_simulation *s)
{
  memset(s->motions, 0, s->count * sizeof *s->motions);
  s->clumps_have_moved = false;
  for (size_t i = 0; s->grains && i < s->grain_count; i++)
    s->grains[i].v = s->grains[i].momentum = (vec3){0.0, 0.0, 0.0};
}

bool dem_stage_begin(dem_simulation *s, int number, error_info *error)
{
  stage_state before = s->stage;
  const dem_stage *stage_before = s->step > 0 ? current_stage(s) : NULL;
  s->stage = (stage_state){.number = number, .direction = 1};
  const dem_stage *stage = current_stage(s);
  if (stage->stops_spheres) {
    /* Local damping needs a force: spheres without contacts would fly on for ever, hit others and disturb small loops.
     * Their energy counts as dissipated by damping. */
    double kinetic = dem_kinetic_energy(s);
    dem_grains_stop(s);
    s->energy.damped += kinetic - dem_kinetic_energy(s);
  }
  s->stage.pace.factor = stage->inertial_number > 0.0 ? 0.0 : 1.0;
  memcpy(s->stage.strain_start, s->strain, sizeof s->strain);
  double stress[DEM_COMPONENTS]; /* a servo keeps its integral if the stage before held the same stress */
  dem_stress(s, stress);
  for (int k = 0; k < DEM_COMPONENTS; k++) {
    s->stage.servos[k].start = stress[k];
    if (stage_before && is_held_by_servo(&stage->control[k]) && is_held_by_servo(&stage_before->control[k]))
      s->stage.servos[k].integral = before.servos[k].integral;
  }
  s->stage.servos[SERVO_MEAN].start = (stress[DEM_XX] + stress[DEM_YY] + stress[DEM_ZZ]) / 3.0;
  if (stage_before && stage->mean_stress_is_held && stage_before->mean_stress_is_held)
    s->stage.servos[SERVO_MEAN].integral = before.servos[SERVO_MEAN].integral;
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

/* ---- Its end ----------------------------------------------------------------------------------------------------- */

/*
 * While a servo still strains the assembly, dashpots may carry a part of the stress. The assembly counts as at rest
 * only below this inertial number of the strains that servos impose.
 */
#define REST_INERTIAL_NUMBER 1e-4

static bool is_at_rest(const dem_simulation *s, double unbalanced)
{
  const dem_stage *stage = current_stage(s);
  if (s->stage.steps < STEPS_TO_REST || !(s->unbalanced < unbalanced) || !(s->stage.servo_error < 0.01) ||
      s->contact_count == 0)
    return false;
  long longest_ramp = stage->mean_stress_is_held ? stage->mean_stress.ramp : 0;
  double square = 0.0;
  for (int k = 0; k < DEM_COMPONENTS; k++) {
    if (stage->control[k].kind == DEM_CONTROL_STRESS && stage->control[k].ramp > longest_ramp)
      longest_ramp = stage->control[k].ramp;
    if (is_held_by_servo(&stage->control[k]) || (stage->mean_stress_is_held && k <= DEM_ZZ))
      square += s->increment[k] * s->increment[k];
  }
  double pressure = dem_quantity_value(s, DEM_MEAN_STRESS), rate = sqrt(square) / s->dt;
  return s->stage.steps > longest_ramp &&
         !(rate * s->mean_diameter > REST_INERTIAL_NUMBER * sqrt(fmax(pressure, 0.0) / s->density));
}

static bool has_ended(dem_simulation *s)
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
  for (int k = 0; k < until->count; k++) {
    const dem_criterion *criterion = &until->criteria[k];
    double value = dem_quantity_value(s, criterion->of);
    bool rises = criterion->value >= s->stage.start[criterion->of] || dem_quantity_is_size(criterion->of);
    if (rises ? value >= criterion->value : value <= criterion->value)
      return true;
  }
  return false;
}

bool dem_stage_finish_step(dem_simulation *s)
{
  if (!has_ended(s))
    return false;
  if (is_packing(s))
    dem_grains_stop(s);
  return true;
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

/* The unbalanced force falls by decades while the assembly comes to rest. A packing must first reach its pressure. */
static double rest_progress(const dem_simulation *s, double unbalanced)
{
  double rest = s->unbalanced > 0.0 ? log(fmin(s->unbalanced, 1.0)) / log(fmin(unbalanced, 0.9)) : 0.0;
  if (s->stage.number > 0)
    return rest;
  double pressure = dem_quantity_value(s, DEM_MEAN_STRESS) / s->run->assembly.packing.pressure;
  return 0.3 * fmin(pressure, 1.0) + 0.7 * fmin(rest, 1.0);
}

double dem_simulation_stage_progress(const dem_simulation *s)
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
  for (int k = 0; k < until->count; k++) {
    const dem_criterion *criterion = &until->criteria[k];
    double start = s->stage.start[criterion->of], way = criterion->value - start;
    done = fmax(done, way != 0.0 ? (dem_quantity_value(s, criterion->of) - start) / way : 0.0);
  }
  return fmin(fmax(done, 0.0), 1.0);
}

/* ---- One step ---------------------------------------------------------------------------------------------------- */

/* Steps between measurements of the unbalanced force. */
enum { UNBALANCED_INTERVAL = 10 };

/* Advances the simulation by one time step. */
static bool advance(dem_simulation *s, error_info *error)
{
  double virial_before[DEM_COMPONENTS];
  memcpy(virial_before, s->virial, sizeof virial_before);
  s->dt_before = s->dt;
  if (dem_stiffness_is_stale(s))
    dem_stiffness_update(s);
  /* Tilt and wrapping depend on the state only, not on the neighbour list. */
  if (dem_cell_reduce_tilt(&s->cell)) {
    for (size_t i = 0; s->grains && i < s->grain_count; i++) {
      s->grains[i].x = dem_cell_wrap(s->cell, s->grains[i].x);
      dem_clump_place_spheres(s, i);
    }
    for (size_t i = 0; !s->grains && i < s->count; i++)
      vec3_store(s->bodies[i].x, dem_cell_wrap(s->cell, vec3_load(s->bodies[i].x)));
    s->neighbours_are_stale = true;
  }

  dem_drive(s);
  s->cell_before = s->cell;
  s->cell = dem_cell_moved(s->cell, s->movement);
  for (int k = 0; k < DEM_COMPONENTS; k++)
    s->strain[k] += s->increment[k];
  dem_images_update(s);

  dem_motion_advance(s, s->step % UNBALANCED_INTERVAL == 0);
  if (s->neighbours_are_stale) {
    dem_skin_tuning_choose(s);
    /* A list with a thicker skin than at the start may be too long for memory: the run must not fail because of it. */
    if (!dem_neighbours_list(s, error) && !(dem_skin_tuning_retreat(s) && dem_neighbours_list(s, error)))
      return false;
  }
  if (!dem_contacts_move(s, error) || !dem_traces_are_complete(s, error))
    return false;

  /* Work of the cell on the assembly, from the mean of the virials before and after the step. */
  upper_matrix a = s->movement;
  double m[DEM_COMPONENTS];
  for (int k = 0; k < DEM_COMPONENTS; k++)
    m[k] = 0.5 * (virial_before[k] + s->virial[k]);
  s->energy.work += -(m[DEM_XX] * a.xx + m[DEM_YY] * a.yy + m[DEM_ZZ] * a.zz + m[DEM_XY] * a.xy + m[DEM_XZ] * a.xz +
                      m[DEM_YZ] * a.yz);
  s->step++;
  s->time += s->dt;
  s->stage.steps++;
  s->stage.time += s->dt;
  return true;
}

dem_progress dem_simulation_begin_stage(dem_simulation *s, error_info *error)
{
  int number = s->stage.number;
  if (s->failed) {
    error_set(error, "the simulation has failed before");
    return DEM_FAILED;
  }
  if (!s->stage_just_ended)
    return DEM_GOES_ON;
  if (number == 0) { /* packing is over: friction and inertia are those of the case, strains and energies count anew */
    jager_law_set_friction(&s->law, s->run->material.friction); /* checked when the law was made */
    dem_simulation_set_masses(s);
    memset(s->strain, 0, sizeof s->strain);
    dem_ledger_open(s);
  }
  if (number == s->run->stage_count)
    return DEM_DONE;
  s->stage_just_ended = false;
  s->failed = !dem_stage_begin(s, number + 1, error);
  if (number == 0) { /* the time step and the kinetic energy to begin with are those of the case, too */
    dem_simulation_update_density(s);
    dem_stiffness_update(s);
    s->dt_before = s->dt;
    dem_ledger_open(s);
  }
  return s->failed ? DEM_FAILED : DEM_GOES_ON;
}

dem_progress dem_simulation_step(dem_simulation *s, error_info *error)
{
  dem_progress progress = dem_simulation_begin_stage(s, error);
  if (progress != DEM_GOES_ON)
    return progress;
  dem_skin_tuning_begin_step(s);
  double phase = s->stage.phase;
  if (!advance(s, error)) {
    s->failed = true;
    return DEM_FAILED;
  }
  dem_skin_tuning_end_step(s);
  long reversals = s->stage.reversals;
  dem_cycles_add_step(s);
  s->stage_just_ended = dem_stage_finish_step(s);
  s->just_reversed = s->stage.reversals != reversals || dem_wave_has_peaked(s, phase);
  if (s->stage_just_ended && s->stage.number == 0 && s->stage.steps >= s->run->assembly.packing.max_steps) {
    error_set(
        error,
        "packing has not come to rest within %ld steps: the pressure deviates by %.3g, the unbalanced force is %.3g of "
        "the contact force; raise assembly.packing.max_steps, .unbalanced or .damping",
        s->stage.steps, s->stage.servo_error, s->unbalanced);
    s->failed = true;
  } else
    s->failed = !dem_packing_search_continue(s, error);
  return s->failed ? DEM_FAILED : DEM_GOES_ON;
}

dem_events dem_simulation_events(const dem_simulation *s)
{
  if (s->stage.steps == 0)
    return (dem_events){.stage_began = true};
  return (dem_events){.reversed = s->just_reversed,
                      .cycle_ended = s->just_finished_cycle,
                      .liquefied = s->just_liquefied,
                      .stage_ended = s->stage_just_ended};
}
