/* SPDX-License-Identifier: MIT */
/*
 * The contact phase: each contact moves as its two spheres have moved since the last step, and its forces act on them.
 *
 * Each block finds the pairs that begin to touch and passes all that touch to the library (jager/pairs.h), which finds
 * movements, forces and sums, and says which contacts have ended.
 */
#include "contacts.h"
#include "drive.h"
#include "grains.h"
#include "neighbours.h"
#include "trace.h"

#include <assert.h>
#include <string.h>

enum {
  AHEAD = 8,         /* pairs are prefetched this many ahead */
  UNIT_INTERVAL = 16 /* steps between normalisations of the axes, far fewer than rounding errors need to show */
};

/* ---- Slots ------------------------------------------------------------------------------------------------------- */

bool dem_slot_set(block *b, candidate *pair, uint32_t number, uint32_t trace)
{
  assert(pair->slot == NO_SLOT);
  if (number >= b->trace_room) {
    uint32_t room = number + number / 32 + 8;
    uint32_t *traces = room < NO_SLOT ? realloc(b->traces, room * sizeof *traces) : NULL;
    if (!traces)
      return false;
    b->traces = traces;
    b->trace_room = room;
  }
  pair->slot = (uint16_t)number;
  b->traces[number] = trace;
  return true;
}

void dem_slot_clear(const dem_simulation *s, block *b, candidate *pair)
{
  assert(pair->slot < b->trace_room);
  if (b->traces[pair->slot])
    dem_trace_end(s->traces, b->traces[pair->slot], s);
  pair->slot = NO_SLOT;
}

/* ---- The order of pairs ------------------------------------------------------------------------------------------ */

/*
 * A processor cannot predict the kind of a pair if the pairs come mixed, and the kind hardly ever changes. So
 * block.order is partitioned into groups, each of which has a loop of its own:
 *
 *     0            ... inner_end       touching, inner, by rising candidate number
 *     inner_end    ... touching_end    touching, outer, by rising candidate number
 *     touching_end ... watched_end     separate, but nearer than the margin: tested in every step
 *     watched_end  ...                 separate; not tested until spheres can have come nearer by the margin
 */
#ifndef NDEBUG
/* Are the groups in their places, and does each pair belong to its group? */
static bool partition_is_valid(const block *b)
{
  if (b->inner_end > b->touching_end || b->touching_end > b->watched_end || b->watched_end > b->start[b->count])
    return false;
  for (uint32_t i = 0; i < b->start[b->count]; i++) {
    uint16_t k = b->order[i];
    bool touches = i < b->touching_end, is_first = i == 0 || i == b->inner_end;
    if (k >= b->start[b->count] || (b->candidates[k].slot != NO_SLOT) != touches)
      return false;
    if (touches && (is_inner(b, &b->candidates[k]) != (i < b->inner_end) || (!is_first && b->order[i - 1] >= k)))
      return false;
  }
  return true;
}
#endif

/* Separate pairs with a wider gap are not watched. */
static double watch_margin(const dem_simulation *s)
{
  return 0.02 * s->skin;
}

/* Makes the partition anew: the touching pairs after a listing only, since they are moved one by one otherwise. */
static void partition_pairs(const dem_simulation *s, block *b)
{
  uint32_t total = b->start[b->count];
  if (b->partition_is_stale) {
    uint32_t count = 0;
    for (int outer = 0; outer < 2; outer++) {
      b->inner_end = count;
      for (uint32_t k = 0; k < total; k++)
        if (b->candidates[k].slot != NO_SLOT && (b->wrench_number[k] != NO_WRENCH) == outer)
          b->order[count++] = (uint16_t)k;
    }
    b->touching_end = count;
    for (uint32_t k = 0; k < total; k++)
      if (b->candidates[k].slot == NO_SLOT)
        b->order[count++] = (uint16_t)k;
    b->touching_is_stale = true;
    b->partition_is_stale = false;
  }
  double margin = watch_margin(s);
  uint32_t near = b->touching_end;
  for (uint32_t i = near; i < total; i++) {
    uint16_t k = b->order[i];
    const candidate *pair = &b->candidates[k];
    const jager_particle *p = &s->bodies[b->first + b->owners[k]], *q = &s->bodies[pair->q];
    vec3 branch = pair_branch(p, q, &s->images[pair->image]);
    double reach = p->radius + q->radius + margin;
    if (vec3_dot(branch, branch) < reach * reach) {
      b->order[i] = b->order[near];
      b->order[near++] = k;
    }
  }
  b->watched_end = near;
  b->approach_at_partition = s->approach_bound;
  assert(partition_is_valid(b));
}

/* Makes block.touching anew, and room for the motions of traces. False: out of memory. */
static bool list_touching(const dem_simulation *s, block *b)
{
  if (b->touching_end > b->touching_room) {
    size_t room = b->touching_end + b->touching_end / 32 + 8;
    jager_pair *larger = realloc(b->touching, room * sizeof *larger);
    if (!larger)
      return false;
    b->touching = larger;
    b->touching_room = room;
    free(b->motions); /* as long as the list: made anew when it is needed */
    b->motions = NULL;
  }
  for (uint32_t i = 0; b->touching_is_stale && i < b->touching_end; i++) {
    uint16_t k = b->order[i], number = b->wrench_number[k];
    const candidate *pair = &b->candidates[k];
    b->touching[i] = (jager_pair){.p = b->first + b->owners[k],
                                  .q = pair->q,
                                  .contact = pair->slot,
                                  .wrench = number == NO_WRENCH ? JAGER_NONE : (uint32_t)b->first_wrench + number,
                                  .shift = pair->image};
  }
  b->touching_is_stale = false;
  if (s->traces && !b->motions)
    b->motions = malloc((b->touching_room + 1) * sizeof *b->motions);
  return !s->traces || b->motions;
}

/* ---- Contacts begin and end -------------------------------------------------------------------------------------- */

/* Position of a sphere a step ago: x = x0 + v Δt + A x0. */
static vec3 position_before(const dem_simulation *s, uint32_t i)
{
  upper_matrix a = s->movement, gradient = {1.0 + a.xx, 1.0 + a.yy, 1.0 + a.zz, a.xy, a.xz, a.yz};
  return upper_matrix_solve(gradient,
                            vec3_add_scaled(vec3_load(s->bodies[i].x), -s->dt, dem_clump_sphere_motion(s, i).v));
}

/*
 * Makes the contact of a pair that touches for the first time. Its gap a step ago decides which part of the step's
 * movement counts. Pairs that overlap when a simulation begins have no past: their first movement is along the
 * normal.
 */
static jager_status begin_contact(const dem_simulation *s, block *b, uint32_t p, candidate *pair, vec3 branch)
{
  vec3 before = vec3_subtract(position_before(s, pair->q), position_before(s, p));
  before = vec3_add(before, s->images[pair->image].shift_before);
  uint32_t number;
  jager_status status =
      jager_pairs_begin(b->contacts, &s->law, s->bodies[p].radius, s->bodies[pair->q].radius,
                        (double[3]){branch.x, branch.y, branch.z}, (double[3]){before.x, before.y, before.z}, &number);
  if (status != JAGER_OK)
    return status;
  uint32_t trace = s->traces ? dem_trace_begin(s->traces, s, p, pair->q, NULL) : 0;
  return dem_slot_set(b, pair, number, trace) ? JAGER_OK : JAGER_ERROR_MEMORY;
}

/* Finds watched pairs that touch now, makes their contacts, and moves them to the touching pairs. */
static bool find_new_contacts(const dem_simulation *s, block *b)
{
  for (uint32_t i = b->touching_end; i < b->watched_end; i++) {
    uint16_t k = b->order[i];
    candidate *pair = &b->candidates[k];
    if (i + 2 * AHEAD < b->watched_end)
      __builtin_prefetch(&b->candidates[b->order[i + 2 * AHEAD]]);
    if (i + AHEAD < b->watched_end)
      __builtin_prefetch(&s->bodies[b->candidates[b->order[i + AHEAD]].q]);
    uint32_t p = b->first + b->owners[k];
    const jager_particle *here = &s->bodies[p], *there = &s->bodies[pair->q];
    vec3 branch = pair_branch(here, there, &s->images[pair->image]);
    double radii = here->radius + there->radius;
    if (!(vec3_dot(branch, branch) < radii * radii))
      continue;
    b->status = begin_contact(s, b, p, pair, branch);
    if (b->status != JAGER_OK) {
      b->failed_p = p;
      b->failed_q = pair->q;
      return false;
    }
    bool inner = b->wrench_number[k] == NO_WRENCH;
    uint32_t to = inner ? b->inner_end : b->touching_end, first = inner ? 0 : b->inner_end;
    while (to > first && b->order[to - 1] > k)
      to--;
    memmove(b->order + to + 1, b->order + to, (i - to) * sizeof *b->order);
    b->order[to] = k;
    b->inner_end += inner;
    b->touching_end++;
    b->touching_is_stale = b->incoming_is_stale = true;
    assert(partition_is_valid(b));
  }
  return true;
}

/* Pairs whose contacts the library has ended leave the touching ones: they are watched. */
static void remove_ended(const dem_simulation *s, block *b)
{
  uint32_t listed = b->touching_end;
  for (uint32_t n = 0, i = 0; n < listed; n++) {
    if (b->touching[n].contact != JAGER_NONE) {
      i++;
      continue;
    }
    uint16_t k = b->order[i];
    dem_slot_clear(s, b, &b->candidates[k]);
    b->touching_end--;
    b->inner_end -= i < b->inner_end;
    memmove(b->order + i, b->order + i + 1, (b->touching_end - i) * sizeof *b->order);
    b->order[b->touching_end] = k;
    b->touching_is_stale = b->incoming_is_stale = true;
    assert(partition_is_valid(b));
  }
}

/* In the step in which the spheres first touch, only the movement after the touch counts. */
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

typedef struct contact_phase {
  const dem_simulation *simulation;
  jager_dashpot dashpot;
} contact_phase;

/* On failure the reason is in the status of the block. */
static void move_block(void *context, size_t index)
{
  const contact_phase *phase = context;
  const dem_simulation *s = phase->simulation;
  block *b = &s->blocks[index];
  if (b->partition_is_stale || !(s->approach_bound - b->approach_at_partition < watch_margin(s)))
    partition_pairs(s, b); /* a pair that is not watched may have come to touch */
  if (!find_new_contacts(s, b))
    return;
  if (!list_touching(s, b)) {
    b->status = JAGER_ERROR_MEMORY;
    return;
  }
  if (s->grains && !b->loaded_is_stale) /* the other loads are zero */
    for (uint32_t k = 0; k < b->loaded_count; k++)
      s->loads[b->first + b->loaded[k]] = (jager_wrench){.force = {0.0, 0.0, 0.0}};
  else
    memset(s->loads + b->first, 0, b->count * sizeof *s->loads);
  jager_sweep sweep = {.size = sizeof(jager_sweep),
                       .laws = &s->law,
                       .dashpots = &phase->dashpot,
                       .law_count = 1,
                       .dt = s->dt,
                       .particles = s->bodies,
                       .shifts = (const double(*)[4])s->shifts,
                       .pairs = b->touching,
                       .count = b->touching_end,
                       .loads = s->loads,
                       .wrenches = s->outer_wrenches,
                       .motions = b->motions,
                       .normalise = s->step % UNIT_INTERVAL == 0};
  jager_sums sums;
  size_t failed;
  b->status = jager_pairs_move(b->contacts, &sweep, &sums, &failed);
  if (b->status != JAGER_OK) {
    if (b->touching_end > 0) {
      b->failed_p = b->touching[failed].p;
      b->failed_q = b->touching[failed].q;
    }
    return;
  }
  if (b->motions)
    record_traces(s, b);
  if (sums.ended > 0)
    remove_ended(s, b);
  _Static_assert(DEM_COMPONENTS == 6 && DEM_XY == 3 && DEM_XZ == 4 && DEM_YZ == 5,
                 "components as the library's virial");
  memcpy(b->sums.virial, sums.virial, sizeof b->sums.virial);
  b->sums.tangential_work = sums.tangential_work;
  b->sums.viscous = sums.viscous;
  b->sums.normal_force = sums.normal_force;
  b->sums.overlap = sums.overlap;
  b->sums.contacts = (uint32_t)sums.contacts;
}

/* ---- All blocks -------------------------------------------------------------------------------------------------- */

/* The cause is the user's time step if that is not stable, and the load otherwise. */
static bool report_overlap(const dem_simulation *s, error_info *error)
{
  uint32_t p = 0, q = 0;
  double worst = 0.0, fixed = s->run->time_step.fixed, stable = s->stable_step;
  for (contact_walk at = contact_walk_start(s); contact_walk_next(&at);) {
    double overlap = 2.0 * jager_contact_zeta(&at.contact) / fmin(s->bodies[at.p].radius, s->bodies[at.q].radius);
    if (overlap > worst) {
      worst = overlap;
      p = at.p;
      q = at.q;
    }
  }
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

bool dem_contacts_move(dem_simulation *s, error_info *error)
{
  contact_phase phase = {.simulation = s};
  (void)jager_dashpot_init(&phase.dashpot, &s->law, s->damping.viscous); /* law and share have been checked */
  thread_pool_run(s->workers, move_block, &phase, s->block_count);
  dem_incoming_update(s);
  if (s->grains)
    dem_clumps_gather(s);

  double virial[DEM_COMPONENTS] = {0.0}, tangential_work = 0.0, viscous = 0.0, overlap = 0.0;
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

  for (size_t k = 0; k < s->block_count; k++) {
    const block *b = &s->blocks[k];
    if (b->status != JAGER_OK)
      return (b->status == JAGER_ERROR_MEMORY ? error_set_memory : error_set)(
          error, "step %ld: the contact of the spheres %u and %u cannot be moved: %s", s->step + 1, s->ids[b->failed_p],
          s->ids[b->failed_q], jager_status_text(b->status));
  }
  return s->overlap <= s->run->overlap_limit || report_overlap(s, error);
}

void dem_contacts_sum_normal_forces(dem_simulation *s)
{
  for (size_t k = 0; k < s->block_count; k++) {
    block *b = &s->blocks[k];
    double part[LANES] = {0.0};
    partition_pairs(s, b);
    for (uint32_t i = 0; i < b->touching_end; i++) {
      jager_contact view;
      (void)jager_pairs_view(b->contacts, b->candidates[b->order[i]].slot, &view);
      part[i % LANES] += jager_contact_fn(&view);
    }
    b->sums.normal_force = lane_total(part);
  }
}
