/* SPDX-License-Identifier: MIT */
/*
 * The contact phase: each contact moves as its two spheres have moved since the last step, and its forces act on them.
 *
 * Each block finds the pairs that begin to touch and hands all that touch to the library (jager/pairs.h), which finds
 * movements, forces and sums, and says which contacts have ended.
 */
#include "contacts.h"
#include "base/clock.h"
#include "dem/observe/trace.h"
#include "dem/space/contact_walk.h"
#include "dem/space/slots.h"
#include "drive.h"
#include "lanes.h"
#include "pair_order.h"
#include "stiffness.h"

#include <assert.h>
#include <string.h>

enum {
  AHEAD = 8,         /* pairs that are prefetched before they are needed */
  UNIT_INTERVAL = 16 /* steps between normalisations of the axes, far fewer than rounding errors need to show */
};

/* Values that all contacts of a step share. */
typedef struct contact_phase {
  const dem_simulation *simulation;
  const jager_law *law;
  const body *bodies;
  const image *images;
  jager_dashpot dashpot;
  bool normalises_axes;
  bool is_timed; /* measures the time of the contacts' movements */
} contact_phase;

/* Candidate k of the block is the one whose contact failed. */
static void remember_failure(block *b, uint32_t k)
{
  b->failed_p = b->first + b->owners[k];
  b->failed_q = b->candidates[k].q;
}

/* ---- Contacts begin and end -------------------------------------------------------------------------------------- */

/* Position of a sphere a step ago: x = x0 + v Δt + A x0. */
static vec3 position_before(const dem_simulation *s, uint32_t i)
{
  upper_matrix a = s->movement, gradient = {1.0 + a.xx, 1.0 + a.yy, 1.0 + a.zz, a.xy, a.xz, a.yz};
  return upper_matrix_solve(gradient, vec3_add_scaled(s->bodies[i].x, -s->dt, s->motions[i].v));
}

/*
 * Makes the contact of a pair that touches for the first time. Its gap a step ago tells which part of the step's
 * movement counts. Pairs that overlap when a simulation begins have no past: their first movement is along the
 * normal.
 */
static bool begin_contact(const contact_phase *phase, block *b, uint32_t p, candidate *pair, vec3 branch)
{
  const dem_simulation *s = phase->simulation;
  vec3 before = vec3_subtract(position_before(s, pair->q), position_before(s, p));
  before = vec3_add(before, phase->images[pair->image].shift_before);
  uint32_t number, trace;
  b->status =
      jager_pairs_begin(b->contacts, phase->law, phase->bodies[p].radius, phase->bodies[pair->q].radius,
                        (double[3]){branch.x, branch.y, branch.z}, (double[3]){before.x, before.y, before.z}, &number);
  if (b->status != JAGER_OK)
    return false;
  trace = s->traces ? dem_trace_begin(s->traces, s, p, pair->q, NULL) : 0;
  if (!dem_slot_set(b, pair, number, trace))
    b->status = JAGER_ERROR_MEMORY;
  return b->status == JAGER_OK;
}

/* Finds watched pairs that touch now, and makes their contacts. */
static bool find_new_contacts(const contact_phase *phase, block *b)
{
  for (uint32_t i = b->touching_end; i < b->watched_end; i++) {
    candidate *pair = &b->candidates[b->order[i]];
    if (i + AHEAD < b->watched_end)
      __builtin_prefetch(&phase->bodies[b->candidates[b->order[i + AHEAD]].q]);
    uint32_t p = b->first + b->owners[b->order[i]];
    const body *here = &phase->bodies[p], *there = &phase->bodies[pair->q];
    vec3 branch = pair_branch(here, there, &phase->images[pair->image]);
    double radii = here->radius + there->radius;
    if (!(vec3_dot(branch, branch) < radii * radii))
      continue;
    if (!begin_contact(phase, b, p, pair, branch)) {
      remember_failure(b, b->order[i]);
      return false;
    }
    dem_pair_order_move_to_touching(b, i);
  }
  return true;
}

/* Pairs whose contacts the library has ended leave the touching ones. */
static void remove_ended(const dem_simulation *s, block *b)
{
  uint32_t listed = b->touching_end;
  for (uint32_t k = 0, i = 0; k < listed; k++)
    if (b->touching[k].contact == JAGER_NONE) {
      dem_slot_clear(s, b, &b->candidates[b->order[i]]);
      dem_pair_order_move_to_watched(b, i);
    } else
      i++;
}

/* ---- Traces ------------------------------------------------------------------------------------------------------ */

static bool reserve_motions(block *b)
{
  if (!b->motions)
    b->motions = malloc((b->touching_room + 1) * sizeof *b->motions);
  return b->motions;
}

/* Of the step in which the spheres touch first, only the movement after touching counts. */
static void record_traces(const dem_simulation *s, const block *b)
{
  for (uint32_t i = 0; i < b->touching_end; i++) {
    uint32_t number = b->touching[i].contact;
    if (number == JAGER_NONE || !b->traces[number])
      continue;
    const jager_pair_motion *m = &b->motions[i];
    jager_force force = {.fn = m->fn, .ft = {m->ft[0], m->ft[1]}};
    double share = m->zeta0 < 0.0 ? m->zeta / (m->zeta - m->zeta0) : 1.0;
    double dxi[2] = {share * m->dxi[0], share * m->dxi[1]};
    jager_contact view;
    (void)jager_pairs_view(b->contacts, number, &view);
    dem_trace_record(s->traces, b->traces[number], s, m->zeta, dxi, &force, jager_contact_length(&view));
  }
}

/* ---- A block ----------------------------------------------------------------------------------------------------- */

static double seconds_now(void)
{
  return clock_seconds();
}

static jager_sweep sweep_of(const contact_phase *phase, const block *b)
{
  const dem_simulation *s = phase->simulation;
  return (jager_sweep){.laws = phase->law,
                       .dashpots = &phase->dashpot,
                       .law_count = 1,
                       .dt = s->dt,
                       .particles = (const jager_particle *)(const void *)s->bodies,
                       .shifts = (const double(*)[4])s->shifts,
                       .pairs = b->touching,
                       .count = b->touching_end,
                       .loads = (jager_wrench *)(void *)s->loads,
                       .wrenches = (jager_wrench *)(void *)s->outer_wrenches,
                       .motions = s->traces ? b->motions : NULL,
                       .normalise = phase->normalises_axes,
                       .clock = phase->is_timed ? seconds_now : NULL};
}

/* Sets the sums of the contact phase, and keeps those of the motion phase. */
static void store_sums(block *b, const jager_sums *sums)
{
  for (int i = 0; i < DEM_COMPONENTS; i++)
    b->sums.virial[i] = sums->virial[i];
  b->sums.tangential_work = sums->tangential_work;
  b->sums.viscous = sums->viscous;
  b->sums.normal_force = sums->normal_force;
  b->sums.overlap = sums->overlap;
  b->sums.contacts = (uint32_t)sums->contacts;
  b->law_seconds += sums->seconds;
}
_Static_assert(DEM_COMPONENTS == 6 && DEM_XY == 3 && DEM_XZ == 4 && DEM_YZ == 5, "components as the library's virial");

/* On failure the reason is in the status of the block. */
static void move_block(void *context, size_t index)
{
  const contact_phase *phase = context;
  const dem_simulation *s = phase->simulation;
  block *b = &s->blocks[index];
  if (dem_pair_order_is_stale(s, b))
    dem_pair_order_partition(s, b);
  if (!find_new_contacts(phase, b))
    return;
  if ((b->touching_is_stale && !dem_pair_order_list(b)) || (s->traces && !reserve_motions(b))) {
    b->status = JAGER_ERROR_MEMORY;
    return;
  }
  memset(s->loads + b->first, 0, b->count * sizeof *s->loads);
  jager_sweep sweep = sweep_of(phase, b);
  jager_sums sums;
  size_t failed;
  b->status = jager_pairs_move(b->contacts, &sweep, &sums, &failed);
  if (b->status != JAGER_OK) {
    if (b->touching_end > 0)
      remember_failure(b, b->order[failed]);
    return;
  }
  if (s->traces)
    record_traces(s, b);
  if (sums.ended > 0)
    remove_ended(s, b);
  store_sums(b, &sums);
}

/* ---- Errors ------------------------------------------------------------------------------------------------------ */

/* The spheres of the contact with the largest overlap, and that overlap over the smaller radius. */
static double deepest_contact(const dem_simulation *s, uint32_t *p, uint32_t *q)
{
  double worst = 0.0;
  for (contact_walk at = contact_walk_start(s); contact_walk_next(&at);) {
    double overlap = 2.0 * jager_contact_zeta(&at.contact) / fmin(s->bodies[at.p].radius, s->bodies[at.q].radius);
    if (overlap > worst) {
      worst = overlap;
      *p = at.p;
      *q = at.q;
    }
  }
  return worst;
}

/* The cause is the user's time step if that is not stable, and the load otherwise. */
static bool report_overlap(const dem_simulation *s, error_info *error)
{
  uint32_t p = 0, q = 0;
  double worst = deepest_contact(s, &p, &q), fixed = s->run->time_step.fixed, stable = s->stable_step;
  if (stable > 0.0 && fixed > stable)
    return error_set(error,
                     "step %ld: spheres %u and %u overlap by %.3g of the smaller radius, more than overlap_limit, %g: "
                     "time_step.fixed is %.3g s, but not stable beyond %.3g s",
                     s->step + 1, s->ids[p], s->ids[q], worst, s->run->overlap_limit, fixed, stable);
  return error_set(
      error,
      "step %ld: spheres %u and %u overlap by %.3g of the smaller radius, more than overlap_limit, %g, at p = "
      "%.4g Pa: the spheres are too soft for the stress, or the strain in a step is too large",
      s->step + 1, s->ids[p], s->ids[q], worst, s->run->overlap_limit, dem_quantity_value(s, DEM_MEAN_STRESS));
}

static bool report_failures(const dem_simulation *s, error_info *error)
{
  for (size_t i = 0; i < s->block_count; i++) {
    const block *b = &s->blocks[i];
    if (b->status != JAGER_OK)
      return (b->status == JAGER_ERROR_MEMORY ? error_set_memory : error_set)(
          error, "step %ld: the contact of the spheres %u and %u cannot be moved: %s", s->step + 1, s->ids[b->failed_p],
          s->ids[b->failed_q], jager_status_text(b->status));
  }
  return s->overlap <= s->run->overlap_limit || report_overlap(s, error);
}

/* ---- All blocks -------------------------------------------------------------------------------------------------- */

static void add_sums(dem_simulation *s)
{
  double virial[DEM_COMPONENTS] = {0.0}, tangential_work = 0.0, viscous = 0.0;
  double overlap = 0.0;
  size_t contacts = 0;
  for (size_t k = 0; k < s->block_count; k++) {
    const block_sums *sums = &s->blocks[k].sums;
    for (int i = 0; i < DEM_COMPONENTS; i++)
      virial[i] += sums->virial[i];
    tangential_work += sums->tangential_work;
    viscous += sums->viscous;
    contacts += sums->contacts;
    overlap = fmax(overlap, sums->overlap);
  }
  memcpy(s->virial, virial, sizeof virial);
  s->energy.tangential_work += tangential_work;
  s->energy.damped += viscous;
  s->contact_count = contacts;
  s->overlap = overlap;
}

static contact_phase contact_phase_of(const dem_simulation *s)
{
  contact_phase phase = {.simulation = s,
                         .law = &s->law,
                         .bodies = s->bodies,
                         .images = s->images,
                         .normalises_axes = s->step % UNIT_INTERVAL == 0,
                         .is_timed = s->law_is_timed};
  (void)jager_dashpot_init(&phase.dashpot, &s->law, s->damping.viscous); /* law and share have been checked */
  return phase;
}

void dem_contacts_sum_normal_forces(dem_simulation *s)
{
  for (size_t k = 0; k < s->block_count; k++) {
    block *b = &s->blocks[k];
    double part[LANES] = {0.0};
    dem_pair_order_partition(s, b);
    for (uint32_t i = 0; i < b->touching_end; i++) {
      jager_contact view;
      (void)jager_pairs_view(b->contacts, b->candidates[b->order[i]].slot, &view);
      part[i % LANES] += jager_contact_fn(&view);
    }
    b->sums.normal_force = lane_total(part);
  }
}

bool dem_contacts_move(dem_simulation *s, error_info *error)
{
  contact_phase phase = contact_phase_of(s);
  thread_pool_run(s->workers, move_block, &phase, s->block_count);
  add_sums(s);
  return report_failures(s, error);
}
