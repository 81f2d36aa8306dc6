/* SPDX-License-Identifier: MIT */
/*
 * A small assembly of spheres for engine.js: it is packed, comes to rest, and is then sheared as its user likes.
 *
 * The case belongs to the assembly, which adds stages to its end while the simulation is under way; stages that have
 * begun change only their end. So each run belongs to a case that could have been written before, and gives the bits of
 * `jager run`.
 */
#include "dem/drive.h"
#include "dem/cycles.h"
#include "dem/measures.h"
#include "dem/snapshot.h"
#include "dem/simulation_state.h"
#include "exports.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Range of neighbour lists, in mean diameters. There is no clock to choose it by; it changes no result. */
static const double skin = 0.06;

typedef struct assembly {
  dem_case run;
  dem_simulation *dem;
  error_info error;
} assembly;

/* The options of engine.assembly(), as numbers. */
typedef struct assembly_options {
  double spheres, seed, model, friction, pressure, packing_friction, tolerance;
  double diameter_min, diameter_max;          /* m */
  double packing_unbalanced, rest_unbalanced; /* packing and rest end below these unbalanced forces */
  double rest_steps;                          /* ... rest at the latest after so many steps */
} assembly_options;

/*
 * The options of assembly.shear(): `amplitude` > 0: cycles of the shear angle γ; else γ grows by `rate` in each step.
 */
typedef struct shear_options {
  double amplitude, rate;
  double cycles;          /* 0: without end */
  double steps_per_cycle; /* at least */
  double inertial_number; /* 0: steps_per_cycle alone */
  double keeps_volume;    /* 1: undrained; 0: all three normal stresses are held at the pressure */
  double at_once;         /* 1: the shear before ends with the next step; 0: with its present cycle */
} shear_options;

/* ---- The case ---------------------------------------------------------------------------------------------------- */

static dem_stage *add_stage(assembly *a, const char *name)
{
  dem_stage *stage = &a->run.stages[a->run.stage_count++];
  *stage = dem_stage_default(&a->run);
  snprintf(stage->name, sizeof stage->name, "%s", name);
  return stage;
}

static void hold_pressure(dem_stage *stage, double pressure)
{
  for (int k = DEM_XX; k <= DEM_ZZ; k++)
    stage->control[k] = (dem_control){.kind = DEM_CONTROL_STRESS, .value = pressure};
}

static void make_case(assembly *a, const assembly_options *options)
{
  dem_case *run = &a->run;
  *run = dem_case_default();
  run->seed = (uint64_t)options->seed;
  run->material.friction = options->friction;
  run->contact.model = (jager_model)options->model;
  run->contact.tolerance = run->contact.model == JAGER_MODEL_JAGER ? options->tolerance : 0.0;
  run->skin = skin;
  dem_packing *packing = &run->assembly.packing;
  packing->spheres = (long)options->spheres;
  packing->sizes =
      (dem_sizes){.distribution = DEM_SIZES_UNIFORM, .min = options->diameter_min, .max = options->diameter_max};
  packing->pressure = options->pressure;
  packing->friction = options->packing_friction;
  packing->unbalanced = options->packing_unbalanced;
  dem_stage *rest = add_stage(a, "rest");
  hold_pressure(rest, options->pressure);
  rest->until = (dem_until){.unbalanced = options->rest_unbalanced, .steps = (long)options->rest_steps};
  rest->stops_spheres = true;
}

/* A range of `jager run` that the simulator itself does not check; NULL: all are kept. */
static const char *fault_of(const assembly_options *options)
{
  if (!(options->spheres >= 8.0 && options->spheres <= 100000.0))
    return "the number of spheres must lie in [8, 100000]";
  if (!(options->seed >= 0.0 && options->seed <= 0x1p53))
    return "the seed must be a whole number from 0 to 2^53";
  if (!(options->pressure > 0.0 && options->pressure <= 1e15))
    return "the pressure must be positive";
  if (!(options->packing_friction >= 0.0 && options->packing_friction <= 1e6))
    return "the friction while packing must lie in [0, 1e6]";
  if (!(options->diameter_min > 0.0 && options->diameter_max >= options->diameter_min && options->diameter_max <= 1e3))
    return "the diameters must be positive, the larger one last";
  if (!(options->packing_unbalanced > 0.0 && options->rest_unbalanced > 0.0 && options->rest_steps >= 1.0))
    return "limits of the unbalanced force and of steps must be positive";
  return NULL;
}

/* ---- Making ------------------------------------------------------------------------------------------------------ */

WEB_EXPORT void web_assembly_destroy(assembly *a)
{
  if (!a)
    return;
  dem_simulation_destroy(a->dem);
  free(a);
}

/* An assembly before its first step. It may have failed, see web_assembly_error; NULL: no memory. */
WEB_EXPORT assembly *web_assembly_create(const assembly_options *options)
{
  assembly *a = calloc(1, sizeof *a);
  if (!a)
    return NULL;
  const char *fault = fault_of(options);
  if (fault) {
    error_set(&a->error, "%s", fault);
    return a;
  }
  make_case(a, options);
  a->dem = dem_simulation_create(&a->run, 1, &a->error);
  return a;
}

/* The text of the last error; NULL: none. */
WEB_EXPORT const char *web_assembly_error(const assembly *a)
{
  return a->error.text[0] ? a->error.text : NULL;
}

/* ---- Stepping ---------------------------------------------------------------------------------------------------- */

/*
 * Up to `count` steps, fewer if a cycle or a stage ends or the last stage is over. Returns the number of steps made,
 * or -1 with an error.
 */
WEB_EXPORT int web_assembly_step(assembly *a, int count)
{
  int made = 0;
  while (made < count) {
    dem_progress progress = dem_simulation_step(a->dem, &a->error);
    if (progress == DEM_FAILED)
      return -1;
    if (progress == DEM_DONE)
      break;
    made++;
    dem_events events = dem_simulation_events(a->dem);
    if (events.cycle_ended || events.stage_ended)
      break;
  }
  return made;
}

/* Is the last stage over? */
WEB_EXPORT int web_assembly_waits(const assembly *a)
{
  return a->dem->stage_just_ended && a->dem->stage.number == a->run.stage_count;
}

/* ---- Shearing ---------------------------------------------------------------------------------------------------- */

static void set_cycles(dem_stage *stage, const shear_options *options)
{
  stage->control[DEM_XZ] = (dem_control){
      .kind = DEM_CONTROL_STRAIN_PATH, .value = 0.5 * options->amplitude, .wave = {.frequency = 1.0, .center = NAN}};
  stage->cyclic = (dem_cyclic){.on = true,
                               .has_paths = true,
                               .of = (dem_quantity)(DEM_STRAIN + DEM_XZ),
                               .center = NAN,
                               .steps_per_cycle = (long)options->steps_per_cycle,
                               .run_in = 1.0};
  stage->inertial_number = options->inertial_number;
  stage->until.cycles = options->cycles;
}

/* Ends the shear that is under way or has not begun yet, so that the next one can begin. */
static void end_shear(assembly *a, bool at_once)
{
  const dem_simulation *s = a->dem;
  if (a->run.stage_count > 1 && s->stage.number < a->run.stage_count) { /* it has not begun: the new one replaces it */
    a->run.stage_count--;
    return;
  }
  if (s->stage.number < 2 || s->stage_just_ended)
    return;
  dem_stage *stage = &a->run.stages[s->stage.number - 1];
  if (stage->cyclic.on && !at_once)
    stage->until.cycles = floor(dem_cycles_done(s)) + 1.0;
  else
    stage->until.steps = s->stage.steps + 1;
}

/* There is no room for more stages: all between the rest and the present one, which has the last number, go. */
static void forget_stages(assembly *a)
{
  a->run.stages[1] = a->run.stages[DEM_STAGES_MAX - 1];
  a->run.stage_count = a->dem->stage.number = 2;
}

/* False, with an error: the options make no sense. */
WEB_EXPORT int web_assembly_shear(assembly *a, const shear_options *options)
{
  if (!(options->amplitude > 0.0 ? options->amplitude <= 0.5 && options->steps_per_cycle >= 4.0 &&
                                       options->cycles >= 0.0 && options->inertial_number >= 0.0
                                 : fabs(options->rate) <= 1e-3))
    return error_set(&a->error, "the amplitude must lie in (0, 0.5], a cycle must have 4 steps or more, and the shear "
                                "in a step must not exceed 0.001");
  end_shear(a, options->at_once != 0.0);
  if (a->run.stage_count == DEM_STAGES_MAX)
    forget_stages(a);
  dem_stage *stage = add_stage(a, "shear");
  if (options->keeps_volume == 0.0)
    hold_pressure(stage, a->run.assembly.packing.pressure);
  if (options->amplitude > 0.0)
    set_cycles(stage, options);
  else
    stage->control[DEM_XZ] = (dem_control){.kind = DEM_CONTROL_STRAIN_STEP, .value = 0.5 * options->rate};
  return 1;
}

/* ---- Reading ----------------------------------------------------------------------------------------------------- */

WEB_EXPORT const char *web_measure_name(int k)
{
  return k < DEM_MEASURE_COUNT ? dem_measure_name(k) : NULL;
}

WEB_EXPORT const char *web_cycle_name(int k)
{
  return k < DEM_CYCLE_VALUES ? dem_cycle_name(k) : NULL;
}

WEB_EXPORT void web_assembly_measure(const assembly *a, double *values)
{
  dem_measures measures;
  dem_simulation_measure(a->dem, &measures);
  for (int k = 0; k < DEM_MEASURE_COUNT; k++)
    values[k] = dem_measure_value(&measures, k);
}

/* The cycle that ended with the last step; 0: none has. */
WEB_EXPORT int web_assembly_cycle(const assembly *a, double *values)
{
  dem_cycle cycle;
  if (!dem_simulation_cycle(a->dem, &cycle))
    return 0;
  for (int k = 0; k < DEM_CYCLE_VALUES; k++)
    values[k] = dem_cycle_value(&cycle, k);
  return 1;
}

/* What is quick to read: γ, τ, p, progress of the stage, time, steps, number of the stage, edges of the cell. */
WEB_EXPORT void web_assembly_glance(const assembly *a, double *values)
{
  const dem_simulation *s = a->dem;
  const double v[] = {2.0 * s->strain[DEM_XZ],
                      dem_quantity_value(s, (dem_quantity)(DEM_STRESS + DEM_XZ)),
                      dem_quantity_value(s, DEM_MEAN_STRESS),
                      dem_simulation_stage_progress(s),
                      s->time,
                      (double)s->step,
                      s->stage.number,
                      s->cell.xx,
                      0.0,
                      0.0,
                      s->cell.xy,
                      s->cell.yy,
                      0.0,
                      s->cell.xz,
                      s->cell.yz,
                      s->cell.zz};
  memcpy(values, v, sizeof v);
}

/* Spheres and contacts as they are now, to be freed with web_snapshot_free; NULL: no memory. */
WEB_EXPORT dem_snapshot *web_snapshot_take(const assembly *a)
{
  dem_snapshot *snapshot = malloc(sizeof *snapshot);
  if (snapshot && dem_snapshot_take(a->dem, snapshot) == JAGER_OK)
    return snapshot;
  free(snapshot);
  return NULL;
}

WEB_EXPORT void web_snapshot_free(dem_snapshot *snapshot)
{
  dem_snapshot_free(snapshot);
  free(snapshot);
}

WEB_EXPORT size_t web_snapshot_spheres(const dem_snapshot *snapshot)
{
  return snapshot->sphere_count;
}

WEB_EXPORT size_t web_snapshot_contacts(const dem_snapshot *snapshot)
{
  return snapshot->contact_count;
}

/* x, y, z, radius of each. */
WEB_EXPORT void web_snapshot_read_spheres(const dem_snapshot *snapshot, double *values)
{
  for (size_t i = 0; i < snapshot->sphere_count; i++) {
    memcpy(values + 4 * i, snapshot->spheres[i].position, 3 * sizeof *values);
    values[4 * i + 3] = snapshot->spheres[i].radius;
  }
}

/* Numbers of both spheres, Fn, |Ft|, state, and the branch vector to the nearest image of the second. */
WEB_EXPORT void web_snapshot_read_contacts(const dem_snapshot *snapshot, double *values)
{
  for (size_t i = 0; i < snapshot->contact_count; i++) {
    const dem_contact_view *c = &snapshot->contacts[i];
    const double v[] = {c->ids[0], c->ids[1], c->fn, c->ft, c->state, c->branch[0], c->branch[1], c->branch[2]};
    memcpy(values + 8 * i, v, sizeof v);
  }
}

/* The hash that `jager run` prints, as two words, the lower one first. */
WEB_EXPORT void web_assembly_hash(const assembly *a, uint64_t *hash)
{
  *hash = dem_simulation_hash(a->dem);
}
