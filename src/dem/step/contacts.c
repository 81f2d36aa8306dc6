/* SPDX-License-Identifier: MIT */
/*
 * The contact phase: each contact moves as its two spheres have moved since the last step, and pushes them.
 *
 * Contacts go through in batches, in four passes: the pairs that touch are collected; their movements are computed
 * (vectorised: the same operations for all); the contacts move, side by side in the library; the forces are turned into
 * global axes (vectorised) and handed out. Sums run in the order of the contacts, or in LANES sums that take turns: the
 * same bits on any machine.
 */
#include "dem/internal.h"
#include "base/clock.h"
#include "pair_geometry.h"
#include "dem/observe/trace.h"

#include <stdlib.h>
#include <string.h>

enum {
  BATCH = 64, /* contacts: this takes 30 KB, and what it points to, contacts and frames, 14 KB */
  LANES = 4,
  AHEAD = 8 /* pairs that are fetched into the cache before they are needed */
};

/* Axes are made unit every so many steps: rounding takes longer than that to show. */
enum { UNIT_INTERVAL = 16 };

/* What is the same for all contacts of a step. */
typedef struct pass {
  const dem_simulation *simulation;
  const jager_law *law;
  const body *bodies;
  const image *images;
  double inverse_dt;
  double viscous;
  double exponent;
  double inverse_kappa;
  bool make_unit;
  bool is_timed; /* the third pass, by the clock */
} pass;

/* Contacts on their way through the passes. Vectors are (x, y, z) in three arrays. */
typedef struct batch {
  double branch[3][BATCH], square[BATCH]; /* and its length squared */
  double radius_p[BATCH], radius_q[BATCH], turn_p[3][BATCH], turn_q[3][BATCH];
  double branch0[3][BATCH], e0[3][BATCH], ft0[2][BATCH], zeta_before[BATCH]; /* before the step */
  double n[3][BATCH], e[3][BATCH], f[3][BATCH];                              /* after it: normal, tangents */
  double zeta[BATCH], dxi[2][BATCH];
  double fn[BATCH], ft[2][BATCH];
  double force[3][BATCH], torque_p[3][BATCH], torque_q[3][BATCH];
  double virial[6][LANES];   /* xx yy zz xy xz yz */
  double overlap_max[LANES]; /* of ζ over the smaller radius */
  double tangential_work[LANES], normal_force[LANES];
  push loads[BLOCK_SPHERES]; /* of the block's spheres, so far */
  jager_contact *contacts[BATCH];
  uint32_t pair[BATCH];
  uint16_t slot[BATCH];
  size_t count;
} batch;

/* The candidate k of the block is the one that failed. */
static void remember_failure(block *b, uint32_t k)
{
  b->failed_p = b->first + b->owners[k];
  b->failed_q = b->candidates[k].q;
}

/* ---- Which pairs touch -------------------------------------------------------------------------------------------- */

/*
 * Which kind a pair is could not be foreseen by the processor if the pairs came mixed, and it hardly ever changes. So each
 * kind is a group in the block's order, and has a loop of its own: those that touch, inner and outer; those apart that
 * are so near that they could touch soon; and the rest, which are not looked at until spheres can have gone far enough.
 */

/* From p to the image of q that is near. */
static inline vec3 branch_of(const pass *step, const body *here, const body *there, const candidate *pair)
{
  return vec3_add(vec3_subtract(there->x, here->x), step->images[pair->image].shift);
}

static inline bool is_within(double square, const body *here, const body *there)
{
  double radii = here->radius + there->radius;
  return square < radii * radii;
}

/* Pairs further apart are not watched. */
static double margin_of(const dem_simulation *s)
{
  return 0.0625 * s->skin;
}

/* Gap of a pair, for sorting: need not be exact. */
static double gap_of(const pass *step, const block *b, uint32_t k)
{
  const candidate *pair = &b->candidates[k];
  const body *here = &step->bodies[b->first + b->owners[k]], *there = &step->bodies[pair->q];
  return vec3_length(branch_of(step, here, there, pair)) - (here->radius + there->radius);
}

static void sort_out(const pass *step, block *b)
{
  uint32_t total = b->start[b->count], count = 0, far = total;
  double margin = margin_of(step->simulation);
  for (int outer = 0; outer < 2; outer++) {
    b->inner = count;
    for (uint32_t k = 0; k < total; k++)
      if (b->candidates[k].slot != NO_SLOT && (b->push_number[k] != NO_PUSH) == outer)
        b->order[count++] = (uint16_t)k;
  }
  b->touching = count;
  for (uint32_t k = 0; k < total; k++) {
    if (b->candidates[k].slot != NO_SLOT)
      continue;
    if (gap_of(step, b, k) < margin)
      b->order[count++] = (uint16_t)k;
    else
      b->order[--far] = (uint16_t)k;
  }
  b->near = count;
  b->approach_sorted = step->simulation->approach;
  b->order_is_stale = false;
}

/* The watched pair at place `i` of the order touches now. */
static void to_touching(block *b, uint32_t i)
{
  uint16_t k = b->order[i];
  bool inner = b->push_number[k] == NO_PUSH;
  uint32_t to = inner ? b->inner : b->touching, first = inner ? 0 : b->inner;
  while (to > first && b->order[to - 1] > k)
    to--;
  memmove(b->order + to + 1, b->order + to, (i - to) * sizeof *b->order);
  b->order[to] = k;
  b->inner += inner;
  b->touching++;
}

/* The pair at place `i` of the order has parted: it is watched now. */
static void to_watched(block *b, uint32_t i)
{
  uint16_t k = b->order[i];
  b->touching--;
  b->inner -= i < b->inner;
  memmove(b->order + i, b->order + i + 1, (b->touching - i) * sizeof *b->order);
  b->order[b->touching] = k;
}

/* ---- Touching and parting ------------------------------------------------------------------------------------------ */

/* The pair at place `i` of the order */
static void part(const pass *step, block *b, uint32_t i)
{
  uint32_t k = b->order[i];
  candidate *pair = &b->candidates[k];
  slot_give_back(step->simulation, b, pair->slot);
  pair->slot = NO_SLOT;
  if (b->push_number[k] != NO_PUSH)
    step->simulation->pushes[b->push_base + b->push_number[k]] = (push){.force = {0.0, 0.0, 0.0}};
  to_watched(b, i);
}

/* Where a sphere was a step ago: x = x0 + v Δt + A x0. */
static vec3 place_before(const dem_simulation *s, uint32_t i)
{
  upper a = s->movement, gradient = {1.0 + a.xx, 1.0 + a.yy, 1.0 + a.zz, a.xy, a.xz, a.yz};
  return upper_solve(gradient, vec3_add_scaled(s->bodies[i].x, -s->dt, s->motions[i].v));
}

/*
 * A pair touches. Where it stood a step ago, apart, tells which part of the step's movement counts. Pairs that overlap
 * when a simulation is made have no past: they are pressed straight.
 */
static bool touch(const pass *step, block *b, uint32_t p, candidate *pair, vec3 branch)
{
  const dem_simulation *s = step->simulation;
  const body *bodies = step->bodies;
  const image *im = &step->images[pair->image];
  vec3 before = vec3_subtract(place_before(s, pair->q), place_before(s, p));
  before = vec3_add(before, im->shift_before);
  double distance = vec3_length(before);
  double gap = distance - (bodies[p].radius + bodies[pair->q].radius);
  if (!(gap > 0.0)) { /* overlapped already */
    before = branch;
    distance = vec3_length(branch);
  }
  pair->slot = slot_take(b);
  if (pair->slot == NO_SLOT)
    return false;
  jager_contact *c = &b->contacts[pair->slot];
  b->frames[pair->slot] = (contact_frame){.branch = before, .axis = vec3_across(vec3_scale(1.0 / distance, before))};
  b->status = jager_contact_init(c, step->law, bodies[p].radius, bodies[pair->q].radius);
  if (b->status == JAGER_OK && gap > 0.0)
    b->status = jager_contact_move(step->law, b->pool, c, -0.5 * gap, (double[2]){0.0, 0.0}, NULL);
  b->traces[pair->slot] = s->traces ? trace_begin(s->traces, s, p, pair->q, NULL) : 0;
  return b->status == JAGER_OK;
}

/* ---- First pass: who touches -------------------------------------------------------------------------------------- */

static void put(double array[3][BATCH], size_t k, vec3 v)
{
  array[0][k] = v.x;
  array[1][k] = v.y;
  array[2][k] = v.z;
}

static vec3 get(double array[3][BATCH], size_t k)
{
  return (vec3){array[0][k], array[1][k], array[2][k]};
}

static inline void collect(batch *t, const block *b, uint32_t k, const body *here, const body *there, vec3 branch,
                           double square)
{
  size_t at = t->count++;
  uint16_t slot = b->candidates[k].slot;
  const contact_frame *frame = &b->frames[slot];
  put(t->branch, at, branch);
  t->square[at] = square;
  t->radius_p[at] = here->radius;
  t->radius_q[at] = there->radius;
  put(t->turn_p, at, here->turn);
  put(t->turn_q, at, there->turn);
  put(t->branch0, at, frame->branch);
  put(t->e0, at, frame->axis);
  t->ft0[0][at] = frame->ft[0];
  t->ft0[1][at] = frame->ft[1];
  t->contacts[at] = &b->contacts[slot];
  t->pair[at] = k;
  t->slot[at] = slot;
}

/* Whole lanes: what is missing is filled with a contact that is there. */
static size_t fill_lanes(batch *t)
{
  size_t whole = (t->count + LANES - 1) / LANES * LANES;
  for (size_t k = t->count; k < whole; k++) {
    put(t->branch, k, get(t->branch, 0));
    t->square[k] = t->square[0];
    t->radius_p[k] = t->radius_p[0];
    t->radius_q[k] = t->radius_q[0];
    put(t->turn_p, k, get(t->turn_p, 0));
    put(t->turn_q, k, get(t->turn_q, 0));
    put(t->branch0, k, get(t->branch0, 0));
    put(t->e0, k, get(t->e0, 0));
    t->fn[k] = t->ft[0][k] = t->ft[1][k] = t->ft0[0][k] = t->ft0[1][k] = 0.0;
  }
  return whole;
}

/* ---- Second pass: movements --------------------------------------------------------------------------------------- */

VECTORISED static void find_movements(batch *restrict t, size_t count)
{
  for (size_t k = 0; k < count; k++) {
    pair_spheres of = {t->radius_p[k],
                       t->radius_q[k],
                       {t->turn_p[0][k], t->turn_p[1][k], t->turn_p[2][k]},
                       {t->turn_q[0][k], t->turn_q[1][k], t->turn_q[2][k]}};
    vec3 branch0 = {t->branch0[0][k], t->branch0[1][k], t->branch0[2][k]};
    vec3 e0 = {t->e0[0][k], t->e0[1][k], t->e0[2][k]};
    vec3 branch = {t->branch[0][k], t->branch[1][k], t->branch[2][k]};
    pair_movement m = pair_move(&of, branch0, e0, branch, t->square[k]);
    t->zeta_before[k] = m.zeta0;
    t->zeta[k] = m.zeta;
    t->dxi[0][k] = m.dxi[0];
    t->dxi[1][k] = m.dxi[1];
    t->n[0][k] = m.n.x;
    t->n[1][k] = m.n.y;
    t->n[2][k] = m.n.z;
    t->e[0][k] = m.e.x;
    t->e[1][k] = m.e.y;
    t->e[2][k] = m.e.z;
    t->f[0][k] = m.f.x;
    t->f[1][k] = m.f.y;
    t->f[2][k] = m.f.z;
  }
}

/* ---- Third pass: the contacts move -------------------------------------------------------------------------------- */

/* Dashpots beside the springs: a share of critical damping each; the sum never pulls. Returns the energy they take. */
static double damp(const pass *step, const body *p, const body *q, const jager_contact *contact, double zeta_before,
                   const double dxi[2], jager_force *force)
{
  double stiffness = contact_stiffness(contact, step->exponent);
  double mass = p->mass * q->mass / (p->mass + q->mass);
  double critical = 2.0 * step->viscous * sqrt(mass * stiffness);
  double approach = 2.0 * (contact->zeta - zeta_before);
  double normal = critical * approach * step->inverse_dt;
  normal = normal < -force->fn ? -force->fn : normal;
  double lost = normal * approach;
  force->fn += normal;
  if (contact->state != JAGER_SLIDE) {
    double tangential = 2.0 * critical * sqrt(step->inverse_kappa) * step->inverse_dt;
    for (int k = 0; k < 2; k++) {
      force->ft[k] += tangential * dxi[k];
      lost += 2.0 * tangential * dxi[k] * dxi[k];
    }
  }
  return lost;
}

/* Of the step in which spheres touch, only what they move in touch counts. */
static void tell_trace(const dem_simulation *s, const block *b, const batch *t, size_t k)
{
  jager_force force = {.fn = t->fn[k], .ft = {t->ft[0][k], t->ft[1][k]}};
  double before = t->zeta_before[k], share = before < 0.0 ? t->zeta[k] / (t->zeta[k] - before) : 1.0;
  double dxi[2] = {share * t->dxi[0][k], share * t->dxi[1][k]};
  uint16_t slot = t->slot[k];
  trace_move(s->traces, b->traces[slot], s, t->zeta[k], dxi, &force, b->contacts[slot].length);
}

static void tell_traces(const dem_simulation *s, const block *b, const batch *t)
{
  for (size_t k = 0; k < t->count; k++)
    if (b->traces[t->slot[k]])
      tell_trace(s, b, t, k);
}

static void damp_all(const pass *step, block *b, batch *t)
{
  for (size_t k = 0; k < t->count; k++) {
    const body *p = &step->bodies[b->first + b->owners[t->pair[k]]], *q = &step->bodies[b->candidates[t->pair[k]].q];
    jager_force force = {.fn = t->fn[k], .ft = {t->ft[0][k], t->ft[1][k]}};
    double dxi[2] = {t->dxi[0][k], t->dxi[1][k]};
    b->sums.viscous += damp(step, p, q, t->contacts[k], t->zeta_before[k], dxi, &force);
    t->fn[k] = force.fn;
    t->ft[0][k] = force.ft[0];
    t->ft[1][k] = force.ft[1];
  }
}

static bool move_contacts(const pass *step, block *b, batch *t)
{
  jager_moves moves = {.count = t->count,
                       .contacts = t->contacts,
                       .zeta = t->zeta,
                       .dxi = {t->dxi[0], t->dxi[1]},
                       .fn = t->fn,
                       .ft = {t->ft[0], t->ft[1]}};
  size_t moved = 0;
  b->status = jager_contacts_move(step->law, b->pool, &moves, &moved);
  if (b->status != JAGER_OK)
    remember_failure(b, t->pair[moved]);
  return b->status == JAGER_OK;
}

/* What the springs have done; and the frames as they are now. */
static void keep(const pass *step, block *b, batch *t)
{
  for (size_t k = 0; k < t->count; k++) {
    vec3 axis = get(t->e, k);
    if (step->make_unit)
      axis = pair_unit(axis);
    b->frames[t->slot[k]] =
        (contact_frame){.branch = get(t->branch, k), .axis = axis, .ft = {t->ft[0][k], t->ft[1][k]}};
  }
}

VECTORISED static void sum_springs(batch *restrict t, size_t count)
{
  for (size_t k = 0; k < count; k += LANES)
    for (size_t lane = 0; lane < LANES; lane++) {
      size_t i = k + lane;
      t->tangential_work[lane] +=
          (t->ft0[0][i] + t->ft[0][i]) * t->dxi[0][i] + (t->ft0[1][i] + t->ft[1][i]) * t->dxi[1][i];
      t->normal_force[lane] += t->fn[i];
    }
}

/* ---- Fourth pass: forces ------------------------------------------------------------------------------------------ */

VECTORISED static void find_forces(batch *restrict t, size_t count)
{
  for (size_t k = 0; k < count; k++) {
    double fn = t->fn[k], ft1 = t->ft[0][k], ft2 = t->ft[1][k];
    double arm_p = t->zeta[k] - t->radius_p[k], arm_q = t->zeta[k] - t->radius_q[k];
    for (int i = 0; i < 3; i++) {
      double moment = pair_moment(ft1, ft2, t->e[i][k], t->f[i][k]);
      t->force[i][k] = pair_force(fn, ft1, ft2, t->n[i][k], t->e[i][k], t->f[i][k]);
      t->torque_p[i][k] = arm_p * moment;
      t->torque_q[i][k] = arm_q * moment;
    }
  }
  for (size_t k = 0; k < count; k += LANES)
    for (size_t lane = 0; lane < LANES; lane++) {
      size_t i = k + lane;
      double smaller = t->radius_p[i] < t->radius_q[i] ? t->radius_p[i] : t->radius_q[i],
             overlap = t->zeta[i] / smaller;
      t->overlap_max[lane] = overlap > t->overlap_max[lane] ? overlap : t->overlap_max[lane];
      t->virial[0][lane] += t->force[0][i] * t->branch[0][i];
      t->virial[1][lane] += t->force[1][i] * t->branch[1][i];
      t->virial[2][lane] += t->force[2][i] * t->branch[2][i];
      t->virial[3][lane] += t->force[0][i] * t->branch[1][i];
      t->virial[4][lane] += t->force[0][i] * t->branch[2][i];
      t->virial[5][lane] += t->force[1][i] * t->branch[2][i];
    }
}

static void hand_out(const pass *step, const block *b, batch *t)
{
  for (size_t k = 0; k < t->count; k++) {
    push *on_p = &t->loads[b->owners[t->pair[k]]];
    vec3 force = get(t->force, k), torque = get(t->torque_q, k);
    on_p->force = vec3_subtract(on_p->force, force);
    on_p->torque = vec3_add(on_p->torque, get(t->torque_p, k));
    uint16_t number = b->push_number[t->pair[k]];
    if (number == NO_PUSH) {
      push *on_q = &t->loads[b->candidates[t->pair[k]].q - b->first];
      on_q->force = vec3_add(on_q->force, force);
      on_q->torque = vec3_add(on_q->torque, torque);
    } else {
      step->simulation->pushes[b->push_base + number] = (push){.force = force, .torque = torque};
    }
  }
}

/* Nothing that is not a number leaves the contact phase: the sums of this batch tell whether one of its forces is none. */
static bool forces_are_finite(block *b, const batch *t)
{
  double zero = 0.0; /* NaN and infinity times zero are NaN */
  for (int i = 0; i < 6; i++)
    for (int lane = 0; lane < LANES; lane++)
      zero += 0.0 * t->virial[i][lane];
  if (zero == 0.0)
    return true;
  b->status = JAGER_ERROR_NOT_FINITE;
  for (size_t k = t->count; k-- > 0;)
    if (!isfinite(t->force[0][k] + t->force[1][k] + t->force[2][k]))
      remember_failure(b, t->pair[k]);
  return false;
}

/* ---- A block ------------------------------------------------------------------------------------------------------ */

static bool work_off(const pass *step, block *b, batch *t)
{
  size_t whole = fill_lanes(t);
  find_movements(t, whole);
  double start = step->is_timed ? clock_seconds() : 0.0;
  if (!move_contacts(step, b, t))
    return false;
  sum_springs(t, whole);
  keep(step, b, t);
  if (step->simulation->traces)
    tell_traces(step->simulation, b, t);
  if (step->viscous > 0.0)
    damp_all(step, b, t);
  if (step->is_timed)
    b->law_seconds += clock_seconds() - start;
  find_forces(t, whole);
  if (!forces_are_finite(b, t))
    return false;
  hand_out(step, b, t);
  b->sums.contacts += (uint32_t)t->count;
  t->count = 0;
  return true;
}

/* What pair number `i` of the block's order will need is fetched into the cache. */
static inline void fetch_pair(const pass *step, const block *b, uint32_t i, bool touches)
{
  const candidate *pair = &b->candidates[b->order[i]];
  __builtin_prefetch(&step->bodies[pair->q]);
  if (touches)
    __builtin_prefetch(&b->frames[pair->slot], 1);
}

/* Pairs that were apart: some have come into touch. */
static bool find_touches(const pass *step, block *b)
{
  for (uint32_t i = b->touching; i < b->near; i++) {
    candidate *pair = &b->candidates[b->order[i]];
    if (i + AHEAD < b->near)
      fetch_pair(step, b, i + AHEAD, false);
    uint32_t p = b->first + b->owners[b->order[i]];
    const body *here = &step->bodies[p], *there = &step->bodies[pair->q];
    vec3 branch = branch_of(step, here, there, pair);
    if (!is_within(vec3_dot(branch, branch), here, there))
      continue;
    if (!touch(step, b, p, pair, branch)) {
      remember_failure(b, b->order[i]);
      return false;
    }
    to_touching(b, i);
  }
  return true;
}

/* Pairs that touch: into the batch, which is worked off when full. Some have parted. */
static bool move_touching(const pass *step, block *b, batch *t)
{
  for (uint32_t i = 0; i < b->touching;) {
    uint32_t k = b->order[i];
    if (i + AHEAD < b->touching)
      fetch_pair(step, b, i + AHEAD, true);
    const candidate *pair = &b->candidates[k];
    const body *here = &step->bodies[b->first + b->owners[k]], *there = &step->bodies[pair->q];
    vec3 branch = branch_of(step, here, there, pair);
    double square = vec3_dot(branch, branch);
    if (is_within(square, here, there)) {
      collect(t, b, k, here, there, branch, square);
      i++;
      if (t->count == BATCH && !work_off(step, b, t))
        return false;
    } else
      part(step, b, i);
  }
  return t->count == 0 || work_off(step, b, t);
}

static double lane_total(const double part[LANES])
{
  return (part[0] + part[1]) + (part[2] + part[3]);
}

static void move_block(void *context, size_t index)
{
  const pass *step = context;
  const dem_simulation *s = step->simulation;
  block *b = &s->blocks[index];
  batch t;
  memset(t.virial, 0, sizeof t.virial);
  memset(t.overlap_max, 0, sizeof t.overlap_max);
  memset(t.tangential_work, 0, sizeof t.tangential_work);
  memset(t.normal_force, 0, sizeof t.normal_force);
  t.count = 0;
  double resultant = b->sums.resultant, damped = b->sums.damped, gravity_work = b->sums.gravity_work;
  b->sums = (block_sums){.resultant = resultant, .damped = damped, .gravity_work = gravity_work};
  memset(t.loads, 0, sizeof t.loads);
  if (b->order_is_stale || !(s->approach - b->approach_sorted < margin_of(s)))
    sort_out(step, b);
  if (!find_touches(step, b) || !move_touching(step, b, &t))
    return; /* why is in the block's status */
  memcpy(s->loads + b->first, t.loads, b->count * sizeof t.loads[0]);
  for (int lane = 0; lane < LANES; lane++)
    b->sums.overlap = fmax(b->sums.overlap, 2.0 * t.overlap_max[lane]);
  for (int i = 0; i < 6; i++)
    b->sums.virial[i] = lane_total(t.virial[i]);
  b->sums.tangential_work = lane_total(t.tangential_work);
  b->sums.normal_force = lane_total(t.normal_force);
}

/* ---- All --------------------------------------------------------------------------------------------------------- */

/* The contact with the largest overlap, and what it is over the smaller radius. */
static double deepest_contact(const dem_simulation *s, uint32_t *p, uint32_t *q)
{
  double worst = 0.0;
  for (contact_walk at = contact_walk_start(s); contact_next(&at);) {
    double overlap = 2.0 * at.contact->zeta / fmin(s->bodies[at.p].radius, s->bodies[at.q].radius);
    if (overlap > worst) {
      worst = overlap;
      *p = at.p;
      *q = at.q;
    }
  }
  return worst;
}

/* Says what is too large: the user's own time step, or the load. */
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
      s->step + 1, s->ids[p], s->ids[q], worst, s->run->overlap_limit, quantity_value(s, DEM_MEAN_STRESS));
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

static pass pass_of(const dem_simulation *s)
{
  return (pass){.simulation = s,
                .law = &s->law,
                .bodies = s->bodies,
                .images = s->images,
                .inverse_dt = s->dt > 0.0 ? 1.0 / s->dt : 0.0,
                .viscous = s->damping.viscous,
                .exponent = law_exponent(&s->law),
                .inverse_kappa = s->law.inverse_kappa,
                .make_unit = s->step % UNIT_INTERVAL == 0,
                .is_timed = s->law_is_timed};
}

void contacts_sum_normal(dem_simulation *s)
{
  pass step = pass_of(s);
  for (size_t k = 0; k < s->block_count; k++) {
    block *b = &s->blocks[k];
    double part[LANES] = {0.0};
    sort_out(&step, b);
    for (uint32_t i = 0; i < b->touching; i++)
      part[i % LANES] += b->contacts[b->candidates[b->order[i]].slot].fn;
    b->sums.normal_force = lane_total(part);
  }
}

bool contacts_move(dem_simulation *s, error_info *error)
{
  pass step = pass_of(s);
  thread_pool_run(s->workers, move_block, &step, s->block_count);
  add_sums(s);
  return report_failures(s, error);
}
