/* SPDX-License-Identifier: MIT */
/* From a case to a simulation at its first step: its memory, the assembly, the beginning of the first stage. */
#include "setup.h"
#include "contacts.h"
#include "dem/checkpoint/checkpoint.h"
#include "measures.h"
#include "neighbours.h"
#include "packing.h"
#include "step.h"
#include "trace.h"
#include "jager/compare.h"

#include <stdio.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/mman.h>
#endif

/* ---- Memory, sizes and masses ------------------------------------------------------------------------------------ */

enum { HUGE_PAGE = 2 << 20, HUGE_LEAST = 4 * HUGE_PAGE };

/* Spheres and wrenches are visited in no order: large arrays ask for huge pages, and do without if there are none. */
void *dem_lines_allocate(size_t bytes)
{
#ifdef MADV_HUGEPAGE
  if (bytes >= HUGE_LEAST) {
    void *memory = aligned_alloc(HUGE_PAGE, (bytes + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE);
    if (memory)
      (void)madvise(memory, bytes, MADV_HUGEPAGE);
    return memory;
  }
#endif
  return aligned_alloc(CACHE_LINE, (bytes + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE);
}

static bool allocate(dem_simulation *s, const dem_layout *layout, int threads, error_info *error)
{
  size_t count = s->count;
  if (threads <= 0) {
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    threads = processors < 1 ? 1 : processors > 256 ? 256 : (int)processors;
  }
  s->bodies = dem_lines_allocate(count * sizeof *s->bodies);
  s->motions = dem_lines_allocate(count * sizeof *s->motions);
  s->loads = dem_lines_allocate(count * sizeof *s->loads);
  s->travels = calloc(count, sizeof *s->travels);
  s->ids = calloc(count, sizeof *s->ids);
  s->stiffness = calloc(count, sizeof *s->stiffness);
  s->dashpots = calloc(count, sizeof *s->dashpots);
  s->surroundings = calloc(count, sizeof *s->surroundings);
  s->workers = thread_pool_create(threads);
  if (!s->bodies || !s->motions || !s->loads || !s->travels || !s->ids || !s->stiffness || !s->dashpots ||
      !s->surroundings || !s->workers)
    return error_set_memory(error, "out of memory for %zu spheres, or no threads", count);
  if (s->run->trace_count > 0 && !(s->traces = dem_trace_book_create(s->run)))
    return error_set_memory(error, "out of memory for the traces");
  jager_status status = dem_case_law(s->run, &s->law);
  if (status != JAGER_OK)
    return error_set(error, "material: %s", jager_status_text(status));
  if (!dem_clumps_allocate(s, layout, error))
    return false;
  if (s->grains && !(s->clump_stiffness = calloc(s->grain_count, sizeof *s->clump_stiffness)))
    return error_set_memory(error, "out of memory for %zu grains", s->grain_count);
  return dem_neighbours_allocate(s, error) && dem_measures_allocate(s, error);
}

dem_simulation *dem_simulation_allocate(const dem_case *run, const dem_layout *layout, int threads, error_info *error)
{
  dem_simulation *s = calloc(1, sizeof *s);
  if (!s) {
    error_set_memory(error, "out of memory");
    return NULL;
  }
  s->run = run;
  s->count = layout->spheres;
  s->damping = run->damping;
  s->density = run->material.density * run->density_scaling;
  s->steering.weight = 1.0;

  /* Stage 0: compression to the six stresses of an isotropic state. drive.c keeps the shape of the cell meanwhile. */
  const dem_packing *packing = &run->assembly.packing;
  dem_stage *stage = &s->packing_stage;
  *stage = dem_stage_default(run);
  snprintf(stage->name, sizeof stage->name, "packing");
  for (int k = 0; k < DEM_COMPONENTS; k++)
    stage->control[k] = (dem_control){.kind = DEM_CONTROL_STRESS, .value = k <= DEM_ZZ ? packing->pressure : 0.0};
  stage->until = (dem_until){.steps = packing->max_steps, .unbalanced = packing->unbalanced};
  stage->friction = dem_case_packing_friction(run);
  stage->damping = packing->damping;
  if (allocate(s, layout, threads, error))
    return s;
  dem_simulation_destroy(s);
  return NULL;
}

void dem_simulation_destroy(dem_simulation *s)
{
  if (!s)
    return;
  dem_neighbours_free(s);
  dem_measures_free(s);
  dem_clumps_free(s);
  thread_pool_destroy(s->workers);
  dem_trace_book_destroy(s->traces);
  free(s->bodies);
  free(s->motions);
  free(s->loads);
  free(s->travels);
  free(s->ids);
  free(s->stiffness);
  free(s->dashpots);
  free(s->surroundings);
  free(s->clump_stiffness);
  free(s);
}

void dem_simulation_update_sizes(dem_simulation *s)
{
  double volume = 0.0, diameter = 0.0, max = 0.0, min = INFINITY;
  for (size_t i = 0; i < s->grain_count; i++) {
    double r = s->grains ? s->grains[i].radius : s->bodies[i].radius;
    volume += sphere_volume(r);
    diameter += 2.0 * r;
    if (s->grains)
      s->extent_max = fmax(s->extent_max, s->grains[i].extent);
  }
  for (size_t i = 0; i < s->count; i++) {
    max = fmax(max, s->bodies[i].radius);
    min = fmin(min, s->bodies[i].radius);
  }
  s->solid_volume = volume;
  s->mean_diameter = diameter / (double)s->grain_count;
  s->radius_max = max;
  s->radius_min = min;
  s->skin = (s->run->skin > 0.0 ? s->run->skin : SKIN_AT_START) * s->mean_diameter;
}

double dem_simulation_mass(const dem_simulation *s, double radius)
{
  return s->run->material.density * s->run->density_scaling * (4.0 / 3.0 * PI) * radius * radius * radius;
}

void dem_simulation_set_masses(dem_simulation *s)
{
  for (size_t i = 0; i < s->grain_count; i++)
    if (s->grains)
      dem_clump_set_mass(s, i, dem_simulation_mass(s, s->grains[i].radius));
    else
      s->bodies[i].mass = dem_simulation_mass(s, s->bodies[i].radius);
}

void dem_simulation_update_density(dem_simulation *s)
{
  double mass = 0.0;
  if (!scales_each_grain(s)) {
    s->density = s->run->material.density * s->run->density_scaling;
    return;
  }
  for (size_t i = 0; i < s->grain_count; i++)
    mass += s->grains ? s->grains[i].mass : s->bodies[i].mass;
  s->density = mass / s->solid_volume;
}

/* ---- The stiffness of linear springs ----------------------------------------------------------------------------- */

/*
 * The stiffness of the model "linear" where the case gives none. The mean normal force of the assembly compresses the
 * spring as far as the Hertzian contact of two spheres of the mean size; in a lattice the overlap of its contacts is
 * given. Both models then have about the same overlaps, and can be compared.
 *
 * The pressure is the packing pressure or the target of the first stage. p = (contacts / volume) F l / 3 with z/2
 * contacts per sphere and the solid fraction φ gives F = π p d² / (z φ). A dense random packing has z = 6 and φ = 0.64.
 */
static bool derive_linear_stiffness(dem_simulation *s, error_info *error)
{
  const dem_assembly *assembly = &s->run->assembly;
  double d = s->mean_diameter, radius = 0.5 * d;
  jager_status status;
  if (s->law.model != JAGER_MODEL_LINEAR || s->law.linear_kn > 0.0)
    return true;
  if (assembly->source == DEM_SOURCE_LATTICE && assembly->lattice.overlap > 0.0)
    status = jager_law_set_linear_at_zeta(&s->law, radius, radius, assembly->lattice.overlap * radius);
  else {
    const dem_stage *first = &s->run->stages[0];
    double pressure = assembly->source == DEM_SOURCE_PACKING ? assembly->packing.pressure
                      : first->mean_stress_is_held           ? first->mean_stress.value
                                                             : 0.0;
    bool is_given = assembly->source == DEM_SOURCE_PACKING || first->mean_stress_is_held;
    for (int k = DEM_XX; !is_given && k <= DEM_ZZ; k++)
      if (first->control[k].kind == DEM_CONTROL_STRESS)
        pressure = fmax(pressure, first->control[k].value);
    status = jager_law_set_linear_at_force(&s->law, radius, radius, PI * pressure * d * d / (6.0 * 0.64));
  }
  return status == JAGER_OK ||
         error_set(error,
                   "contact.linear.kn is needed: no packing pressure, no normal stress held by the first stage and no "
                   "overlap of a lattice gives the contact force to derive it from");
}

/* ---- The first step ---------------------------------------------------------------------------------------------- */

static bool begins_with_packing(const dem_simulation *s)
{
  return s->run->assembly.source == DEM_SOURCE_PACKING;
}

/* Begins the first stage; the spheres are in place, and have not moved. */
static bool start(dem_simulation *s, error_info *error)
{
  if (!dem_neighbours_list(s, error) || !dem_contacts_move(s, error) || !dem_traces_are_complete(s, error))
    return false;
  dem_stiffness_update(s);
  s->dt_before = s->dt;
  if (!begins_with_packing(s))
    dem_ledger_open(s);
  return dem_stage_begin(s, begins_with_packing(s) ? 0 : 1, error);
}

/* Numbers of spheres of grains; to be freed. NULL: out of memory. */
static uint32_t *count_spheres(const grains *g, dem_layout *layout)
{
  uint32_t *counts = calloc(g->count, sizeof *counts);
  *layout = (dem_layout){.spheres = g->count};
  if (g->shape_count == 0 || !counts)
    return counts;
  *layout = (dem_layout){.grains = g->count, .counts = counts};
  for (size_t i = 0; i < g->count; i++)
    layout->spheres += counts[i] = (uint32_t)g->shapes[g->list[i].shape].count;
  return counts;
}

/* Makes clumps of the given shapes. Spheres have ids in the order of the ids of their grains. */
static bool make_clumps(dem_simulation *s, const grains *g, error_info *error)
{
  uint32_t *first_id = calloc(g->count + 1, sizeof *first_id); /* by the grain's id: 0, 1, ... */
  if (!first_id)
    return error_set_memory(error, "out of memory for %zu grains", g->count);
  for (size_t i = 0; i < g->count; i++)
    first_id[g->list[i].id + 1] = s->grains[i].count;
  for (size_t i = 0; i < g->count; i++)
    first_id[i + 1] += first_id[i];
  for (size_t i = 0; i < g->count; i++) {
    const grain *from = &g->list[i];
    const dem_shape *shape = &g->shapes[from->shape];
    clump *c = &s->grains[i];
    c->x = from->x;
    c->turn = from->turn;
    c->radius = from->radius;
    c->extent = from->radius * shape->bounding_radius;
    c->id = from->id;
    c->shape = from->shape;
    for (int k = 0; k < 3; k++)
      c->gyration[k] = from->radius * from->radius * shape->principal[k];
    for (uint32_t k = 0; k < c->count; k++) {
      s->arms[c->first + k] = vec3_scale(from->radius, shape->spheres[k].center);
      s->bodies[c->first + k] = (jager_particle){.radius = from->radius * shape->spheres[k].radius};
      s->ids[c->first + k] = first_id[from->id] + k;
    }
    dem_clump_place_spheres(s, i);
  }
  free(first_id);
  return true;
}

/* Puts the grains in their places. Random ones still overlap. */
static bool place_grains(dem_simulation *s, const grains *g, error_info *error)
{
  for (size_t i = 0; i < s->count; i++) {
    s->motions[i] = (motion){.v = {0.0, 0.0, 0.0}};
    s->loads[i] = (jager_wrench){.force = {0.0, 0.0, 0.0}};
  }
  for (size_t i = 0; !s->grains && i < s->count; i++) {
    s->bodies[i] = (jager_particle){.radius = g->list[i].radius};
    vec3_store(s->bodies[i].x, g->list[i].x);
    s->ids[i] = g->list[i].id;
  }
  if (s->grains && !make_clumps(s, g, error))
    return false;
  dem_simulation_set_masses(s);
  s->cell = s->cell_before = g->cell;
  dem_simulation_update_sizes(s);
  if (!derive_linear_stiffness(s, error))
    return false;
  if (!begins_with_packing(s))
    return start(s, error);
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
  dem_simulation *s = NULL;
  if (dem_grains_sort(&g, error)) {
    dem_layout layout;
    uint32_t *counts = count_spheres(&g, &layout);
    if (counts && layout.spheres <= DEM_SPHERES_MAX)
      s = dem_simulation_allocate(run, &layout, threads, error);
    else if (counts)
      error_set(error, "the grains have %zu spheres: at most %d are possible", layout.spheres, DEM_SPHERES_MAX);
    else
      error_set_memory(error, "out of memory for %zu grains", g.count);
    free(counts);
  }
  if (s && !place_grains(s, &g, error)) {
    dem_simulation_destroy(s);
    s = NULL;
  }
  dem_grains_free(&g);
  return s;
}

dem_simulation *dem_simulation_prepare(const dem_case *run, int threads, error_info *error)
{
  if (run->assembly.source != DEM_SOURCE_CHECKPOINT)
    return prepare_from_grains(run, threads, error);
  dem_checkpoint *checkpoint = dem_checkpoint_open(run->assembly.path, error);
  dem_simulation *s = checkpoint ? dem_checkpoint_as_assembly(checkpoint, run, threads, error) : NULL;
  dem_checkpoint_close(checkpoint);
  return s;
}

bool dem_simulation_begin(dem_simulation *s, error_info *error)
{
  if (!begins_with_packing(s))
    return true;
  dem_packing_search_begin(s);
  return dem_packing_remove_overlaps(s, error) && start(s, error);
}

dem_simulation *dem_simulation_create(const dem_case *run, int threads, error_info *error)
{
  dem_simulation *s = dem_simulation_prepare(run, threads, error);
  if (!s || dem_simulation_begin(s, error))
    return s;
  dem_simulation_destroy(s);
  return NULL;
}

bool dem_packing_restart(dem_simulation *s, error_info *error)
{
  dem_simulation *fresh = prepare_from_grains(s->run, dem_simulation_threads(s), error);
  if (!fresh)
    return false;
  fresh->step = s->step;
  fresh->time = s->time;
  fresh->search = s->search;
  bool is_ready = dem_simulation_begin(fresh, error);
  const dem_trace_follower *follower = s->traces ? dem_trace_book_follower(s->traces) : NULL;
  if (is_ready && follower) /* it follows the contacts of the new start */
    is_ready = dem_simulation_follow(fresh, follower) || error_set_memory(error, "out of memory");
  if (is_ready) {
    dem_simulation before = *s;
    *s = *fresh;
    *fresh = before;
  }
  dem_simulation_destroy(fresh);
  return is_ready;
}
