/* SPDX-License-Identifier: MIT */
/* One step of a simulation, and the change of stages. */
#include "dem/observe/compute_measures.h"
#include "dem/observe/trace.h"
#include "dem/space/neighbours.h"
#include "contacts.h"
#include "cycles.h"
#include "drive.h"
#include "motion.h"
#include "packing_search.h"
#include "path.h"
#include "skin_tuning.h"
#include "stage.h"
#include "stiffness.h"

#include <string.h>

/* Steps between measurements of the unbalanced force. */
enum { UNBALANCED_INTERVAL = 10 };

/* ---- One step ---------------------------------------------------------------------------------------------------- */

/*
 * Reduces the tilt of a sheared cell, and wraps the positions. Both depend on the state only, not on the neighbour
 * list.
 */
static void reduce_cell_tilt(dem_simulation *s)
{
  if (!dem_cell_reduce_tilt(&s->cell))
    return;
  for (size_t i = 0; i < s->count; i++)
    s->bodies[i].x = dem_cell_wrap(s->cell, s->bodies[i].x);
  s->neighbours_are_stale = true;
}

static void deform_cell(dem_simulation *s)
{
  s->cell_before = s->cell;
  s->cell = dem_cell_moved(s->cell, s->movement);
  for (int k = 0; k < DEM_COMPONENTS; k++)
    s->strain[k] += s->increment[k];
  dem_images_update(s);
}

/* Work of the cell on the assembly in the step, from the mean of the virials before and after. */
static double work_of(const double before[DEM_COMPONENTS], const double after[DEM_COMPONENTS], upper_matrix a)
{
  double m[DEM_COMPONENTS];
  for (int k = 0; k < DEM_COMPONENTS; k++)
    m[k] = 0.5 * (before[k] + after[k]);
  return -(m[DEM_XX] * a.xx + m[DEM_YY] * a.yy + m[DEM_ZZ] * a.zz + m[DEM_XY] * a.xy + m[DEM_XZ] * a.xz +
           m[DEM_YZ] * a.yz);
}

/* A list with a thicker skin than that of the start may be too long: the run must not fail for it. */
static bool list_neighbours(dem_simulation *s, error_info *error)
{
  dem_skin_tuning_choose(s);
  return dem_neighbours_list(s, error) || (dem_skin_tuning_retreat(s) && dem_neighbours_list(s, error));
}

/* Advances the simulation by one time step. */
static bool advance(dem_simulation *s, error_info *error)
{
  double before[DEM_COMPONENTS];
  memcpy(before, s->virial, sizeof before);
  s->dt_before = s->dt;
  if (dem_stiffness_is_stale(s))
    dem_stiffness_update(s);
  reduce_cell_tilt(s);
  dem_drive(s);
  deform_cell(s);
  dem_motion_advance(s, s->step % UNBALANCED_INTERVAL == 0);
  if (s->neighbours_are_stale && !list_neighbours(s, error))
    return false;
  if (!dem_contacts_move(s, error) || !dem_traces_are_complete(s, error))
    return false;
  s->energy.work += work_of(before, s->virial, s->movement);
  s->step++;
  s->time += s->dt;
  s->stage.steps++;
  s->stage.time += s->dt;
  return true;
}

/* ---- Stages ------------------------------------------------------------------------------------------------------ */

/* After packing: the friction of the material acts, and strains and energies count from here. */
static void end_packing(dem_simulation *s)
{
  jager_law_set_friction(&s->law, s->run->material.friction); /* make_law has checked it */
  memset(s->strain, 0, sizeof s->strain);
  dem_ledger_open(s);
}

static dem_progress next_stage(dem_simulation *s, error_info *error)
{
  int number = s->stage.number;
  if (number == 0)
    end_packing(s);
  if (number == s->run->stage_count)
    return DEM_DONE;
  return dem_stage_begin(s, number + 1, error) ? DEM_GOES_ON : DEM_FAILED;
}

static bool packing_has_failed(const dem_simulation *s, error_info *error)
{
  if (s->stage.number > 0 || s->stage.steps < s->run->assembly.packing.max_steps)
    return false;
  error_set(
      error,
      "packing has not come to rest within %ld steps: the pressure deviates by %.3g, the unbalanced force is %.3g of "
      "the contact force; raise assembly.packing.max_steps, .unbalanced or .damping",
      s->stage.steps, s->stage.servo_error, s->unbalanced);
  return true;
}

dem_progress dem_simulation_begin_stage(dem_simulation *s, error_info *error)
{
  if (s->failed) {
    error_set(error, "the simulation has failed before");
    return DEM_FAILED;
  }
  if (!s->stage_just_ended)
    return DEM_GOES_ON;
  dem_progress progress = next_stage(s, error);
  s->stage_just_ended = progress == DEM_DONE;
  s->failed = progress == DEM_FAILED;
  return progress;
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
  s->just_reversed = s->stage.reversals != reversals || dem_path_has_peaked(s, phase);
  s->failed = (s->stage_just_ended && packing_has_failed(s, error)) || !dem_packing_search_continue(s, error);
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
