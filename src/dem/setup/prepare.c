/* SPDX-License-Identifier: MIT */
/* From a case to a simulation at its first step: the assembly is made or read, and the first stage begins. */
#include "allocate.h"
#include "dem/checkpoint/checkpoint.h"
#include "dem/observe/compute_measures.h"
#include "dem/observe/trace.h"
#include "dem/space/neighbours.h"
#include "dem/step/contacts.h"
#include "dem/step/packing_search.h"
#include "dem/step/stage.h"
#include "dem/step/stiffness.h"
#include "grains.h"
#include "linear_stiffness.h"
#include "packing_restart.h"
#include "remove_overlaps.h"

static void place_grains(dem_simulation *s, const grains *g)
{
  for (size_t i = 0; i < s->count; i++) {
    double r = g->list[i].radius;
    s->bodies[i] = (body){.x = g->list[i].x, .radius = r, .mass = dem_simulation_mass(s, r)};
    s->motions[i] = (motion){.v = {0.0, 0.0, 0.0}};
    s->loads[i] = (wrench){.force = {0.0, 0.0, 0.0}};
    s->ids[i] = g->list[i].id;
  }
  s->cell = s->cell_before = g->cell;
  dem_simulation_update_sizes(s);
}

/* The first forces, of spheres that have not moved. */
static bool first_contacts(dem_simulation *s, error_info *error)
{
  return dem_neighbours_list(s, error) && dem_contacts_move(s, error) && dem_traces_are_complete(s, error);
}

static bool begins_with_packing(const dem_simulation *s)
{
  return s->run->assembly.source == DEM_SOURCE_PACKING;
}

/* Begins the first stage; the spheres are in place. */
static bool start(dem_simulation *s, error_info *error)
{
  if (!first_contacts(s, error))
    return false;
  dem_stiffness_update(s);
  s->dt_before = s->dt;
  if (!begins_with_packing(s))
    dem_ledger_open(s);
  return dem_stage_begin(s, begins_with_packing(s) ? 0 : 1, error);
}

static bool prepare_packing(dem_simulation *s, error_info *error)
{
  if (jager_law_set_friction(&s->law, dem_case_packing_friction(s->run)) != JAGER_OK)
    return error_set(error, "assembly.packing.friction is impossible");
  return dem_packing_list_neighbours(s, error);
}

static dem_simulation *prepare_from_grains(const dem_case *run, int threads, error_info *error)
{
  grains g = {0};
  bool made = run->assembly.source == DEM_SOURCE_FILE ? dem_grains_read(&g, run->assembly.path, error)
                                                      : dem_grains_generate(&g, run, error);
  if (!made)
    return NULL;
  dem_simulation *s = dem_grains_sort(&g, error) ? dem_simulation_allocate(run, g.count, threads, error) : NULL;
  if (s) {
    place_grains(s, &g);
    if (!dem_linear_stiffness_derive(s, error) ||
        !(begins_with_packing(s) ? prepare_packing(s, error) : start(s, error))) {
      dem_simulation_destroy(s);
      s = NULL;
    }
  }
  dem_grains_free(&g);
  return s;
}

static dem_simulation *prepare_from_checkpoint(const dem_case *run, int threads, error_info *error)
{
  dem_checkpoint *checkpoint = dem_checkpoint_open(run->assembly.path, error);
  dem_simulation *s = checkpoint ? dem_checkpoint_as_assembly(checkpoint, run, threads, error) : NULL;
  dem_checkpoint_close(checkpoint);
  return s;
}

dem_simulation *dem_simulation_prepare(const dem_case *run, int threads, error_info *error)
{
  return run->assembly.source == DEM_SOURCE_CHECKPOINT ? prepare_from_checkpoint(run, threads, error)
                                                       : prepare_from_grains(run, threads, error);
}

bool dem_simulation_begin(dem_simulation *s, error_info *error)
{
  if (!begins_with_packing(s))
    return true;
  dem_packing_search_begin(s);
  return dem_packing_remove_overlaps(s, error) && start(s, error);
}

/* A follower of contacts follows those of the new start. */
static bool continue_with(dem_simulation *fresh, const dem_simulation *s, error_info *error)
{
  fresh->step = s->step;
  fresh->time = s->time;
  fresh->search = s->search;
  fresh->law_is_timed = s->law_is_timed;
  const dem_trace_follower *follower = s->traces ? dem_trace_book_follower(s->traces) : NULL;
  return dem_simulation_begin(fresh, error) &&
         (!follower || dem_simulation_follow(fresh, follower) || error_set_memory(error, "out of memory"));
}

bool dem_packing_restart(dem_simulation *s, error_info *error)
{
  dem_simulation *fresh = prepare_from_grains(s->run, dem_simulation_threads(s), error);
  bool is_ready = fresh && continue_with(fresh, s, error);
  if (is_ready) {
    dem_simulation before = *s;
    *s = *fresh;
    *fresh = before;
  }
  dem_simulation_destroy(fresh);
  return is_ready;
}

dem_simulation *dem_simulation_create(const dem_case *run, int threads, error_info *error)
{
  dem_simulation *s = dem_simulation_prepare(run, threads, error);
  if (!s || dem_simulation_begin(s, error))
    return s;
  dem_simulation_destroy(s);
  return NULL;
}
