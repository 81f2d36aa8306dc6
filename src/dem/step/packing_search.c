/* SPDX-License-Identifier: MIT */
/* Packing to a void ratio, or to a relative density. */
#include "packing_search.h"
#include "drive.h"
#include "stage.h"
#include "dem/setup/packing_restart.h"

#include <math.h>

typedef enum search_phase {
  SEARCH_LOOSEST, /* friction of the start, until the assembly is at rest */
  SEARCH_FALLS,   /* friction falls; without friction, until the assembly is at rest */
  SEARCH_HOLDS,   /* the target is reached: friction of the start, until the assembly is at rest */
  SEARCH_RESTARTS /* waits for the step of the next trial */
} search_phase;

/*
 * Friction falls in levels as (1 - level/LEVELS)²: finely near zero, where the void ratio depends on it most. A level
 * lasts until the unbalanced force is small again.
 */
enum { LEVELS = 400, LEVEL_STEPS = 50 };
#define LEVEL_UNBALANCED 5.0 /* times the unbalanced force that ends the packing */

/* The void ratio above the target at which friction stops the assembly: what it still loses until it is at rest. */
#define STOPPING_DISTANCE 1e-4

static double void_ratio(const dem_simulation *s)
{
  return dem_quantity_value(s, DEM_VOID_RATIO);
}

static double friction_of_level(const dem_simulation *s, long level)
{
  double share = 1.0 - (double)level / LEVELS;
  return share * share * dem_case_packing_friction(s->run);
}

/* The friction was checked when packing began; all others are smaller. */
static void enter(dem_simulation *s, search_phase phase, double friction)
{
  s->search.phase = (int)phase;
  s->search.steps = 0;
  jager_law_set_friction(&s->law, friction);
}

void dem_packing_search_begin(dem_simulation *s)
{
  const dem_packing *packing = &s->run->assembly.packing;
  packing_search *search = &s->search;
  if (packing->target == DEM_PACKING_FREE)
    return;
  if (search->report.trials == 0)
    search->report.target = packing->target == DEM_PACKING_VOID_RATIO ? packing->target_value : 0.0;
  search->report.trials++;
  search->report.friction = dem_case_packing_friction(s->run);
  search->level = 0;
  enter(s, SEARCH_LOOSEST, search->report.friction);
}

/* ---- Friction falls ---------------------------------------------------------------------------------------------- */

/* A target above the loosest state is not ahead: friction falls to zero then, to learn the densest. */
static bool target_is_ahead(const dem_simulation *s)
{
  return s->search.report.target > 0.0 && s->search.report.target <= s->search.report.loosest;
}

static void fall(dem_simulation *s)
{
  packing_search *search = &s->search;
  if (target_is_ahead(s) && void_ratio(s) <= search->report.target + STOPPING_DISTANCE)
    enter(s, SEARCH_HOLDS, dem_case_packing_friction(s->run));
  else if (search->level < LEVELS && search->steps >= LEVEL_STEPS &&
           s->unbalanced < LEVEL_UNBALANCED * s->packing_stage.until.unbalanced) {
    search->report.friction = friction_of_level(s, ++search->level);
    enter(s, SEARCH_FALLS, search->report.friction);
  }
}

/* ---- At rest ----------------------------------------------------------------------------------------------------- */

static bool refuse_target(const dem_simulation *s, error_info *error)
{
  const dem_packing_report *report = &s->search.report;
  return error_set(error,
                   "assembly.packing.void_ratio: %.4g cannot be reached: these spheres have %.4f (friction %.4g) to "
                   "%.4f (no friction) at this pressure; %s",
                   report->target, report->loosest, dem_case_packing_friction(s->run), report->densest,
                   report->target > report->loosest
                       ? "raise assembly.packing.friction, or lower assembly.packing.initial_density, for looser ones"
                       : "sizes that differ more pack more densely");
}

static bool refuse_overshoot(const dem_simulation *s, error_info *error)
{
  return error_set(error,
                   "assembly.packing: the assembly has passed the void ratio %.4g and come to rest at %.4f: take more "
                   "spheres, a smaller .unbalanced or more .damping",
                   s->search.report.target, void_ratio(s));
}

/* What a state at rest tells: the loosest or densest void ratio, and with both the target of a relative density. */
static void note_rest(dem_simulation *s)
{
  const dem_packing *packing = &s->run->assembly.packing;
  packing_search *search = &s->search;
  dem_packing_report *report = &search->report;
  if (search->phase == SEARCH_LOOSEST)
    report->loosest = void_ratio(s);
  if (search->phase != SEARCH_FALLS || search->level < LEVELS)
    return;
  report->densest = void_ratio(s);
  if (packing->target == DEM_PACKING_RELATIVE_DENSITY)
    report->target = report->loosest - packing->target_value * (report->loosest - report->densest);
}

static bool has_reached_target(const dem_simulation *s)
{
  double target = s->search.report.target;
  return target > 0.0 && fabs(void_ratio(s) - target) <= DEM_VOID_RATIO_TOLERANCE;
}

/* What follows a rest that is not the end. */
static bool go_on_from_rest(dem_simulation *s, error_info *error)
{
  packing_search *search = &s->search;
  switch ((search_phase)search->phase) {
  case SEARCH_LOOSEST:
    enter(s, SEARCH_FALLS, search->report.friction);
    return true;
  case SEARCH_HOLDS:
    if (void_ratio(s) < search->report.target)
      return refuse_overshoot(s, error);
    enter(s, SEARCH_FALLS, search->report.friction);
    return true;
  case SEARCH_FALLS:
    if (search->level < LEVELS)
      return true;
    if (s->run->assembly.packing.target == DEM_PACKING_VOID_RATIO)
      return refuse_target(s, error);
    enter(s, SEARCH_RESTARTS, 0.0);
    return true;
  default:
    return true;
  }
}

static bool rest(dem_simulation *s, error_info *error)
{
  note_rest(s);
  if (has_reached_target(s)) {
    s->search.report.void_ratio = void_ratio(s);
    return true;
  }
  s->stage_just_ended = false;
  return go_on_from_rest(s, error);
}

/* ---- All of it --------------------------------------------------------------------------------------------------- */

/* Of numbers from 1 on, by Euclid's algorithm. */
static long common_multiple(long a, long b)
{
  long divisor = a;
  for (long rest = b; rest > 0;) {
    long next = divisor % rest;
    divisor = rest;
    rest = next;
  }
  return a / divisor * b;
}

/*
 * Some work is done every so many steps: the unbalanced force every 10, axes of contacts every 16, the time step every
 * `interval`. A trial that begins at a common multiple repeats the one before to the bit.
 */
static bool trial_would_repeat(const dem_simulation *s)
{
  enum { WORK_INTERVALS = 80, PATIENCE = 20000 };
  long interval = common_multiple(WORK_INTERVALS, s->run->time_step.interval);
  return interval < 1 || s->step % interval == 0 || s->search.steps > PATIENCE;
}

bool dem_packing_search_continue(dem_simulation *s, error_info *error)
{
  packing_search *search = &s->search;
  if (s->stage.number > 0 || search->report.trials == 0)
    return true;
  bool is_at_rest = s->stage_just_ended && search->steps >= STEPS_TO_REST;
  s->stage_just_ended = is_at_rest;
  search->steps++;
  if (is_at_rest && !rest(s, error))
    return false;
  if (s->stage_just_ended)
    return true;
  if (search->phase == SEARCH_FALLS)
    fall(s);
  return search->phase != SEARCH_RESTARTS || !trial_would_repeat(s) || dem_packing_restart(s, error);
}

/* Measured: coming to rest at first and the fall take about as long as each other, the last rest a fifth of that. */
static double trial_progress(const dem_simulation *s, double rest)
{
  const packing_search *search = &s->search;
  const dem_packing_report *report = &search->report;
  double way = report->loosest - report->target, level = (double)search->level / LEVELS;
  switch ((search_phase)search->phase) {
  case SEARCH_LOOSEST:
    return 0.45 * rest;
  case SEARCH_FALLS:
    return 0.45 + 0.45 * (target_is_ahead(s) ? fmin((report->loosest - void_ratio(s)) / way, 1.0) : level);
  case SEARCH_HOLDS:
    return 0.9 + 0.1 * rest;
  default:
    return 1.0;
  }
}

double dem_packing_search_progress(const dem_simulation *s, double rest)
{
  bool has_two = s->run->assembly.packing.target == DEM_PACKING_RELATIVE_DENSITY;
  double share = has_two ? 0.5 : 1.0, before = s->search.report.trials > 1 ? 0.5 : 0.0;
  return before + share * trial_progress(s, rest);
}
