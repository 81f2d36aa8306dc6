/* SPDX-License-Identifier: MIT */
/* Packing: removing overlaps, and the search for a void ratio or a relative density. */
#include "packing.h"
#include "drive.h"
#include "neighbours.h"
#include "setup.h"
#include "step.h"

#include <string.h>

/* ---- Overlaps ---------------------------------------------------------------------------------------------------- */

/*
 * Random spheres overlap deeply, and Hertz's forces would accelerate them violently. So overlaps are removed before the
 * first step by relaxation: in each round, each pair that overlaps is separated by a fraction of its overlap.
 */
#define OVERLAP_LEFT 1e-3    /* largest overlap at the end, in mean diameters */
#define RELAXATION 0.6       /* fraction of its overlap by which a pair is separated in a round */
#define RELAXATION_SKIN 0.15 /* in mean diameters */
enum { ROUNDS_MAX = 5000 };

/* One round: computes the shift of each sphere, and returns the largest overlap. */
static double separate_pairs(const dem_simulation *s, vec3 *shifts)
{
  double worst = 0.0;
  memset(shifts, 0, s->count * sizeof *shifts);
  for (size_t k = 0; k < s->block_count; k++) {
    const block *b = &s->blocks[k];
    for (uint32_t local = 0; local < b->count; local++)
      for (uint32_t i = b->start[local]; i < b->start[local + 1]; i++) {
        const candidate *pair = &b->candidates[i];
        const jager_particle *p = &s->bodies[b->first + local], *q = &s->bodies[pair->q];
        vec3 branch = pair_branch(p, q, &s->images[pair->image]);
        double distance = vec3_length(branch), overlap = p->radius + q->radius - distance;
        if (overlap <= 0.0)
          continue;
        worst = fmax(worst, overlap);
        vec3 n = distance > 0.0 ? vec3_scale(1.0 / distance, branch) : (vec3){1.0, 0.0, 0.0};
        double share = q->radius / (p->radius + q->radius);
        shifts[b->first + local] = vec3_add_scaled(shifts[b->first + local], -RELAXATION * share * overlap, n);
        shifts[pair->q] = vec3_add_scaled(shifts[pair->q], RELAXATION * (1.0 - share) * overlap, n);
      }
  }
  return worst;
}

bool dem_packing_list_neighbours(dem_simulation *s, error_info *error)
{
  double skin = s->skin;
  s->skin = RELAXATION_SKIN * s->mean_diameter;
  bool done = dem_neighbours_list(s, error);
  s->skin = skin;
  s->neighbours_are_stale = true;
  return done;
}

/*
 * Moves all grains by their shifts, those of several spheres without a turn by the mean of the shifts of their spheres
 * that overlap others. Returns whether the way of a sphere since the neighbours were listed has a larger square than
 * this one.
 */
static bool shift_grains(dem_simulation *s, vec3 *shifts, double square_max)
{
  bool is_far = false;
  for (size_t i = 0; s->grains && i < s->grain_count; i++) {
    clump *c = &s->grains[i];
    vec3 sum = {0.0, 0.0, 0.0};
    double shifted = 0.0;
    for (uint32_t k = c->first; k < c->first + c->count; k++) {
      shifted += vec3_dot(shifts[k], shifts[k]) > 0.0;
      sum = vec3_add(sum, shifts[k]);
    }
    vec3 mean = shifted > 0.0 ? vec3_scale(1.0 / shifted, sum) : sum;
    c->x = vec3_add(c->x, mean);
    for (uint32_t k = c->first; k < c->first + c->count; k++)
      shifts[k] = mean;
  }
  for (size_t i = 0; i < s->count; i++) {
    vec3_store(s->bodies[i].x, vec3_add(vec3_load(s->bodies[i].x), shifts[i]));
    if (travel_add(&s->travels[i], shifts[i]) > square_max)
      is_far = true;
  }
  return is_far;
}

bool dem_packing_remove_overlaps(dem_simulation *s, error_info *error)
{
  vec3 *shifts = malloc(s->count * sizeof *shifts);
  if (!shifts)
    return error_set_memory(error, "out of memory for %zu spheres", s->count);
  double skin = s->skin, worst = INFINITY;
  s->skin = RELAXATION_SKIN * s->mean_diameter;
  bool done = true;
  s->neighbours_are_stale = true;
  for (int round = 0; round < ROUNDS_MAX && worst > OVERLAP_LEFT * s->mean_diameter && done; round++) {
    if (s->neighbours_are_stale)
      done = dem_neighbours_list(s, error);
    if (done) {
      worst = separate_pairs(s, shifts);
      s->neighbours_are_stale = shift_grains(s, shifts, 0.2 * s->skin * s->skin);
    }
  }
  free(shifts);
  s->skin = skin;
  s->neighbours_are_stale = true;
  if (done && worst > 0.05 * s->mean_diameter)
    return error_set(error,
                     "cannot place %zu grains without overlap at the solid fraction %g: lower assembly.packing."
                     "initial_density",
                     s->grain_count, s->run->assembly.packing.initial_density);
  return done;
}

/* ---- The search -------------------------------------------------------------------------------------------------- */

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

/* Friction stops the assembly this far above the target: it loses about as much until it is at rest. */
#define STOPPING_DISTANCE 1e-4

static double void_ratio(const dem_simulation *s)
{
  return dem_quantity_value(s, DEM_VOID_RATIO);
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

/* A target above the loosest state cannot be reached: friction then falls to zero to find the densest state. */
static bool target_is_ahead(const dem_simulation *s)
{
  return s->search.report.target > 0.0 && s->search.report.target <= s->search.report.loosest;
}

/* Is this the end? If not, another phase follows. */
static bool rest(dem_simulation *s, error_info *error)
{
  const dem_packing *packing = &s->run->assembly.packing;
  packing_search *search = &s->search;
  dem_packing_report *report = &search->report;
  bool has_no_friction = search->phase == SEARCH_FALLS && search->level == LEVELS;
  if (search->phase == SEARCH_LOOSEST)
    report->loosest = void_ratio(s);
  if (has_no_friction) {
    report->densest = void_ratio(s);
    if (packing->target == DEM_PACKING_RELATIVE_DENSITY)
      report->target = report->loosest - packing->target_value * (report->loosest - report->densest);
  }
  if (report->target > 0.0 && fabs(void_ratio(s) - report->target) <= DEM_VOID_RATIO_TOLERANCE) {
    report->void_ratio = void_ratio(s);
    return true;
  }
  s->stage_just_ended = false;
  if (search->phase == SEARCH_HOLDS && void_ratio(s) < report->target)
    return error_set(
        error,
        "assembly.packing: the assembly has passed the void ratio %.4g and come to rest at %.4f: take more "
        "spheres, a smaller .unbalanced or more .damping",
        report->target, void_ratio(s));
  if (search->phase == SEARCH_LOOSEST || search->phase == SEARCH_HOLDS)
    enter(s, SEARCH_FALLS, report->friction);
  else if (has_no_friction && packing->target == DEM_PACKING_VOID_RATIO)
    return error_set(error,
                     "assembly.packing.void_ratio: %.4g cannot be reached: these spheres have %.4f (friction %.4g) to "
                     "%.4f (no friction) at this pressure; %s",
                     report->target, report->loosest, dem_case_packing_friction(s->run), report->densest,
                     report->target > report->loosest
                         ? "raise assembly.packing.friction, or lower assembly.packing.initial_density, for looser ones"
                         : "sizes that differ more pack more densely");
  else if (has_no_friction)
    enter(s, SEARCH_RESTARTS, 0.0);
  return true;
}

/*
 * Some work is done every so many steps: the unbalanced force every 10, axes of contacts every 16, the time step every
 * `interval`. A trial that begins at a common multiple repeats the one before to the bit.
 */
static bool trial_would_repeat(const dem_simulation *s)
{
  enum { WORK_INTERVALS = 80, PATIENCE = 20000 };
  long divisor = WORK_INTERVALS; /* the greatest common one, by Euclid's algorithm */
  for (long rest = s->run->time_step.interval; rest > 0;) {
    long next = divisor % rest;
    divisor = rest;
    rest = next;
  }
  long interval = WORK_INTERVALS / divisor * s->run->time_step.interval;
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
  if (search->phase == SEARCH_FALLS) {
    if (target_is_ahead(s) && void_ratio(s) <= search->report.target + STOPPING_DISTANCE)
      enter(s, SEARCH_HOLDS, dem_case_packing_friction(s->run));
    else if (search->level < LEVELS && search->steps >= LEVEL_STEPS &&
             s->unbalanced < LEVEL_UNBALANCED * s->packing_stage.until.unbalanced) {
      double share = 1.0 - (double)++search->level / LEVELS;
      search->report.friction = share * share * dem_case_packing_friction(s->run);
      enter(s, SEARCH_FALLS, search->report.friction);
    }
  }
  return search->phase != SEARCH_RESTARTS || !trial_would_repeat(s) || dem_packing_restart(s, error);
}

double dem_packing_search_progress(const dem_simulation *s, double rest)
{
  const packing_search *search = &s->search;
  const dem_packing_report *report = &search->report;
  double way = report->loosest - report->target, level = (double)search->level / LEVELS, trial = 1.0;
  /* Measured: the first rest and the fall of friction take about equally long, the last rest a fifth of that. */
  if (search->phase == SEARCH_LOOSEST)
    trial = 0.45 * rest;
  else if (search->phase == SEARCH_FALLS)
    trial = 0.45 + 0.45 * (target_is_ahead(s) ? fmin((report->loosest - void_ratio(s)) / way, 1.0) : level);
  else if (search->phase == SEARCH_HOLDS)
    trial = 0.9 + 0.1 * rest;
  bool has_two = s->run->assembly.packing.target == DEM_PACKING_RELATIVE_DENSITY;
  return (report->trials > 1 ? 0.5 : 0.0) + (has_two ? 0.5 : 1.0) * trial;
}
