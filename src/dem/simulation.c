/* SPDX-License-Identifier: MIT */
/* A simulation's life: made, stepped, looked at, destroyed. */
#include "simulation.h"
#include "dem/checkpoint/checkpoint.h"
#include "base/hash.h"
#include "internal.h"
#include "dem/observe/trace.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The unbalanced force is gauged every so many steps. */
enum { GAUGE_INTERVAL = 10 };

/* ---- Making ------------------------------------------------------------------------------------------------------ */

static bool make_law(jager_law *law, const dem_case *run, error_info *error)
{
  jager_status status = dem_case_law(run, law);
  return status == JAGER_OK || error_set(error, "material: %s", jager_status_text(status));
}

/* Stage 0: compression to all six stresses of an isotropic state. How the cell keeps its shape meanwhile: drive.c. */
static dem_stage make_packing_stage(const dem_case *run)
{
  const dem_packing *packing = &run->assembly.packing;
  dem_stage stage = dem_stage_default(run);
  snprintf(stage.name, sizeof stage.name, "packing");
  for (int k = 0; k < DEM_COMPONENTS; k++)
    stage.control[k] = (dem_control){.kind = DEM_CONTROL_STRESS, .value = k <= DEM_ZZ ? packing->pressure : 0.0};
  stage.until = (dem_until){.steps = packing->max_steps, .unbalanced = packing->unbalanced};
  stage.friction = packing->friction;
  stage.damping = packing->damping;
  if (run->stage_count > 0)
    stage.output.series = run->stages[0].output.series;
  return stage;
}

static int processors(void)
{
  long count = sysconf(_SC_NPROCESSORS_ONLN);
  return count < 1 ? 1 : count > 256 ? 256 : (int)count;
}

dem_simulation *simulation_allocate(const dem_case *run, size_t count, int threads, error_info *error)
{
  dem_simulation *s = calloc(1, sizeof *s);
  if (!s) {
    error_set_memory(error, "out of memory");
    return NULL;
  }
  s->run = run;
  s->count = count;
  s->packing_stage = make_packing_stage(run);
  s->damping = run->damping;
  s->bodies = aligned_alloc(CACHE_LINE, count * sizeof *s->bodies);
  s->motions = aligned_alloc(CACHE_LINE, (count * sizeof *s->motions + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE);
  s->loads = aligned_alloc(CACHE_LINE, (count * sizeof *s->loads + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE);
  s->travels = calloc(count, sizeof *s->travels);
  s->ids = calloc(count, sizeof *s->ids);
  s->stiffness = calloc(count, sizeof *s->stiffness);
  s->dashpots = calloc(count, sizeof *s->dashpots);
  s->surroundings = calloc(count, sizeof *s->surroundings);
  s->workers = thread_pool_create(threads > 0 ? threads : processors());
  bool done = s->bodies && s->motions && s->loads && s->travels && s->ids && s->stiffness && s->dashpots &&
              s->surroundings && s->workers;
  if (!done)
    error_set_memory(error, "out of memory for %zu spheres, or no threads", count);
  else if (run->trace_count > 0 && !(s->traces = trace_book_create(run)))
    done = error_set_memory(error, "out of memory for the traces");
  if (done && make_law(&s->law, run, error) && neighbours_allocate(s, error) && measure_allocate(s, error))
    return s;
  dem_simulation_destroy(s);
  return NULL;
}

void simulation_take_sizes(dem_simulation *s)
{
  double volume = 0.0, diameter = 0.0, max = 0.0, min = INFINITY;
  for (size_t i = 0; i < s->count; i++) {
    double r = s->bodies[i].radius;
    volume += sphere_volume(r);
    diameter += 2.0 * r;
    max = fmax(max, r);
    min = fmin(min, r);
  }
  s->solid_volume = volume;
  s->mean_diameter = diameter / (double)s->count;
  s->radius_max = max;
  s->radius_min = min;
  s->skin = s->run->skin * s->mean_diameter;
}

double simulation_mass(const dem_simulation *s, double radius)
{
  return s->run->material.density * s->run->density_scaling * (4.0 / 3.0 * PI) * radius * radius * radius;
}

static void place_grains(dem_simulation *s, const grains *g)
{
  for (size_t i = 0; i < s->count; i++) {
    double r = g->list[i].radius;
    s->bodies[i] = (body){.x = g->list[i].x, .radius = r, .mass = simulation_mass(s, r)};
    s->motions[i] = (motion){.v = {0.0, 0.0, 0.0}};
    s->loads[i] = (push){.force = {0.0, 0.0, 0.0}};
    s->ids[i] = g->list[i].id;
  }
  s->cell = s->cell_before = g->cell;
  simulation_take_sizes(s);
}

/* A run whose traces have gaps is of no use: it ends where the first sample is missing. */
static bool traces_are_whole(const dem_simulation *s, error_info *error)
{
  return !s->traces || !trace_book_is_short(s->traces) ||
         error_set_memory(error, "step %ld: out of memory for the traces", s->dt > 0.0 ? s->step + 1 : 0L);
}

/* The first forces, of spheres that have not moved yet. */
static bool first_contacts(dem_simulation *s, error_info *error)
{
  return neighbours_list(s, error) && contacts_move(s, error) && traces_are_whole(s, error);
}

static bool packs(const dem_simulation *s)
{
  return s->run->assembly.source == DEM_SOURCE_PACKING;
}

/* The spheres are where they belong: the first stage begins. */
static bool start(dem_simulation *s, error_info *error)
{
  if (!first_contacts(s, error))
    return false;
  stiffness_update(s);
  s->dt_before = s->dt;
  if (!stage_begin(s, packs(s) ? 0 : 1, error))
    return false;
  if (!packs(s))
    ledger_open(s);
  return true;
}

static bool prepare_packing(dem_simulation *s, error_info *error)
{
  if (jager_law_set_friction(&s->law, s->run->assembly.packing.friction) != JAGER_OK)
    return error_set(error, "assembly.packing.friction is impossible");
  return packing_list(s, error);
}

static dem_simulation *prepare_from_grains(const dem_case *run, int threads, error_info *error)
{
  grains g = {0};
  bool made = run->assembly.source == DEM_SOURCE_FILE ? grains_read(&g, run->assembly.path, error)
                                                      : grains_generate(&g, run, error);
  if (!made)
    return NULL;
  dem_simulation *s = grains_sort(&g, error) ? simulation_allocate(run, g.count, threads, error) : NULL;
  if (s) {
    place_grains(s, &g);
    if (!linear_derive(s, error) || !(packs(s) ? prepare_packing(s, error) : start(s, error))) {
      dem_simulation_destroy(s);
      s = NULL;
    }
  }
  grains_free(&g);
  return s;
}

dem_simulation *dem_simulation_prepare(const dem_case *run, int threads, error_info *error)
{
  return run->assembly.source == DEM_SOURCE_CHECKPOINT ? checkpoint_as_assembly(run, threads, error)
                                                       : prepare_from_grains(run, threads, error);
}

bool dem_simulation_begin(dem_simulation *s, error_info *error)
{
  return !packs(s) || (packing_spread(s, error) && start(s, error));
}

dem_simulation *dem_simulation_create(const dem_case *run, int threads, error_info *error)
{
  dem_simulation *s = dem_simulation_prepare(run, threads, error);
  if (!s || dem_simulation_begin(s, error))
    return s;
  dem_simulation_destroy(s);
  return NULL;
}

void dem_simulation_destroy(dem_simulation *s)
{
  if (!s)
    return;
  neighbours_free(s);
  measure_free(s);
  thread_pool_destroy(s->workers);
  trace_book_destroy(s->traces);
  free(s->bodies);
  free(s->motions);
  free(s->loads);
  free(s->travels);
  free(s->ids);
  free(s->stiffness);
  free(s->dashpots);
  free(s->surroundings);
  free(s);
}

/* ---- A step ------------------------------------------------------------------------------------------------------ */

/* A cell that leans too far is set upright, and the spheres brought into it: what it is to be depends on nothing else. */
static void set_upright(dem_simulation *s)
{
  if (!cell_reduce(&s->cell))
    return;
  for (size_t i = 0; i < s->count; i++)
    s->bodies[i].x = cell_wrap(s->cell, s->bodies[i].x);
  s->must_list = true;
}

static void deform_cell(dem_simulation *s)
{
  s->cell_before = s->cell;
  s->cell = cell_moved(s->cell, s->movement);
  for (int k = 0; k < DEM_COMPONENTS; k++)
    s->strain[k] += s->increment[k];
  images_update(s);
}

/* Work of the cell on the assembly in the step: the mean of the virials, before and after. */
static double work_of(const double before[DEM_COMPONENTS], const double after[DEM_COMPONENTS], upper a)
{
  double m[DEM_COMPONENTS];
  for (int k = 0; k < DEM_COMPONENTS; k++)
    m[k] = 0.5 * (before[k] + after[k]);
  return -(m[DEM_XX] * a.xx + m[DEM_YY] * a.yy + m[DEM_ZZ] * a.zz + m[DEM_XY] * a.xy + m[DEM_XZ] * a.xz +
           m[DEM_YZ] * a.yz);
}

static bool advance(dem_simulation *s, error_info *error)
{
  double before[DEM_COMPONENTS];
  memcpy(before, s->virial, sizeof before);
  s->dt_before = s->dt;
  if (stiffness_is_stale(s))
    stiffness_update(s);
  set_upright(s);
  drive(s);
  deform_cell(s);
  motion_advance(s, s->step % GAUGE_INTERVAL == 0);
  if (s->must_list && !neighbours_list(s, error))
    return false;
  if (!contacts_move(s, error) || !traces_are_whole(s, error))
    return false;
  s->energy.work += work_of(before, s->virial, s->movement);
  s->step++;
  s->time += s->dt;
  s->stage.steps++;
  s->stage.time += s->dt;
  return true;
}

/* The assembly is ready: the material's friction acts, and strains and energies count from here. */
static void become_ready(dem_simulation *s)
{
  jager_law_set_friction(&s->law, s->run->material.friction); /* was checked when the law was made */
  memset(s->strain, 0, sizeof s->strain);
  ledger_open(s);
}

static dem_progress next_stage(dem_simulation *s, error_info *error)
{
  int number = s->stage.number;
  if (number == 0)
    become_ready(s);
  if (number == s->run->stage_count)
    return DEM_DONE;
  return stage_begin(s, number + 1, error) ? DEM_GOES_ON : DEM_FAILED;
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
  if (!advance(s, error)) {
    s->failed = true;
    return DEM_FAILED;
  }
  long reversals = s->stage.reversals;
  s->stage_just_ended = stage_has_ended(s);
  s->just_reversed = s->stage.reversals != reversals;
  if (s->stage_just_ended && packing_has_failed(s, error)) {
    s->failed = true;
    return DEM_FAILED;
  }
  return DEM_GOES_ON;
}

/* ---- Looking ----------------------------------------------------------------------------------------------------- */

static bool is_due(const dem_simulation *s, long every)
{
  return every > 0 && (s->stage_just_ended || s->step % every == 0);
}

/* The end of the stage before, which is the same state, has had its snapshots if that stage makes any. */
static dem_due due_at_start(const dem_simulation *s)
{
  const dem_output *output = &stage_of(s)->output, none = {0};
  const dem_output *before = s->step == 0           ? &none
                             : s->stage.number == 1 ? &s->packing_stage.output
                                                    : &s->run->stages[s->stage.number - 2].output;
  return (dem_due){.series = output->series > 0,
                   .snapshot = output->snapshot > 0 && before->snapshot == 0,
                   .vtk = output->vtk > 0 && before->vtk == 0};
}

dem_due dem_simulation_due(const dem_simulation *s)
{
  const dem_output *output = &stage_of(s)->output;
  if (s->stage.steps == 0)
    return due_at_start(s);
  return (dem_due){.series = is_due(s, output->series) || (output->series > 0 && s->just_reversed),
                   .snapshot = is_due(s, output->snapshot),
                   .vtk = is_due(s, output->vtk),
                   .stage_ended = s->stage_just_ended};
}

long dem_simulation_steps(const dem_simulation *s)
{
  return s->step;
}

int dem_simulation_stage(const dem_simulation *s)
{
  return s->stage.number;
}

const char *dem_simulation_stage_name(const dem_simulation *s)
{
  return stage_of(s)->name;
}

double dem_simulation_stage_progress(const dem_simulation *s)
{
  return stage_progress(s);
}

size_t dem_simulation_spheres(const dem_simulation *s)
{
  return s->count;
}

size_t dem_simulation_contacts(const dem_simulation *s)
{
  return s->contact_count;
}

int dem_simulation_threads(const dem_simulation *s)
{
  return thread_pool_size(s->workers);
}

const dem_case *dem_simulation_case(const dem_simulation *s)
{
  return s->run;
}

const struct trace_book *dem_simulation_traces(const dem_simulation *s)
{
  return s->traces;
}

void dem_simulation_time_law(dem_simulation *s)
{
  s->law_is_timed = true;
}

double dem_simulation_law_seconds(const dem_simulation *s)
{
  double seconds = 0.0;
  for (size_t k = 0; k < s->block_count; k++)
    seconds += s->blocks[k].law_seconds;
  return seconds;
}

bool dem_simulation_follow(dem_simulation *s, const trace_follower *follower)
{
  if (!s->traces && !(s->traces = trace_book_create(s->run)))
    return false;
  trace_book_set_follower(s->traces, follower);
  for (contact_walk at = contact_walk_start(s); contact_next(&at);)
    if (*at.trace == 0)
      *at.trace = trace_begin(s->traces, s, at.p, at.q, at.contact);
  return !trace_book_is_short(s->traces);
}

size_t dem_simulation_bytes(const dem_simulation *s)
{
  size_t bytes =
      sizeof *s + s->count * (sizeof *s->bodies + sizeof *s->motions + sizeof *s->loads + sizeof *s->travels +
                              sizeof *s->ids + sizeof *s->stiffness + sizeof *s->dashpots + sizeof *s->surroundings +
                              sizeof *s->incoming_start + sizeof *s->touching);
  bytes += s->push_room * sizeof *s->pushes + s->incoming_room * sizeof *s->incoming;
  for (size_t k = 0; k < s->block_count; k++) {
    const block *b = &s->blocks[k];
    bytes +=
        sizeof *b +
        b->candidate_room * (sizeof *b->candidates + sizeof *b->owners + sizeof *b->order + sizeof *b->push_number) +
        jager_pool_bytes(b->pool);
    bytes += b->slot_room * (sizeof *b->contacts + sizeof *b->frames + sizeof *b->traces + sizeof *b->free_slots);
  }
  return bytes;
}

/* Room for any of the contacts, packed; NULL: there is no memory. */
static void *packing_buffer(const dem_simulation *s, size_t *room)
{
  *room = 1;
  for (contact_walk at = contact_walk_start(s); contact_next(&at);) {
    size_t size = jager_contact_pack_size(at.contact);
    *room = size > *room ? size : *room;
  }
  return malloc(*room);
}

static void hash_contacts(hash *h, const dem_simulation *s, void *bytes, size_t room)
{
  for (contact_walk at = contact_walk_start(s); contact_next(&at);) {
    hash_add(h, at.frame, sizeof *at.frame);
    jager_contact_pack(at.contact, bytes, room); /* cannot fail: there is room */
    hash_add(h, bytes, jager_contact_pack_size(at.contact));
  }
}

uint64_t dem_simulation_hash(const dem_simulation *s)
{
  size_t room;
  void *bytes = packing_buffer(s, &room);
  if (!bytes)
    return 0;
  hash h = hash_start();
  hash_word(&h, (uint64_t)s->step);
  hash_add(&h, &s->cell, sizeof s->cell);
  for (size_t i = 0; i < s->count; i++) {
    hash_add(&h, &s->bodies[i].x, sizeof s->bodies[i].x);
    hash_add(&h, &s->motions[i], sizeof s->motions[i]);
  }
  hash_contacts(&h, s, bytes, room);
  free(bytes);
  uint64_t value = hash_value(&h);
  return value != 0 ? value : 1; /* 0 says that there is none */
}
