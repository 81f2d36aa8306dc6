/* SPDX-License-Identifier: MIT */
/*
 * The contact phase: each contact moves as its two spheres have moved since the last step, and its forces act on them.
 *
 * A block takes its contacts in batches, and each batch in four stages: the pairs that touch are collected; their
 * movements are computed (vectorised: the same operations for all); the contacts move, in one call of the library;
 * the forces are rotated into global axes (vectorised) and added to the spheres. Sums run in the order of the
 * contacts, or in LANES interleaved partial sums: the same bits on any machine.
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
  BATCH = 64,        /* contacts: a batch takes 30 KB, and the contacts and frames that it points to take 14 KB */
  AHEAD = 8,         /* pairs that are prefetched before they are needed */
  UNIT_INTERVAL = 16 /* steps between normalisations of the axes, far fewer than rounding errors need to show */
};
_Static_assert(BATCH % LANES == 0, "a full batch consists of whole lanes");

/* Values that all contacts of a step share. */
typedef struct contact_phase {
  const dem_simulation *simulation;
  const jager_law *law;
  const body *bodies;
  const image *images;
  double inverse_dt;
  jager_dashpot dashpot;
  bool normalises_axes;
  bool is_timed; /* measures the time of the third stage */
} contact_phase;

/* The contacts of a batch. Vectors are (x, y, z) in three arrays. */
typedef struct batch {
  double branch[3][BATCH], square[BATCH]; /* and the square of its length */
  double radius_p[BATCH], radius_q[BATCH], turn_p[3][BATCH], turn_q[3][BATCH];
  double branch0[3][BATCH], e0[3][BATCH], ft0[2][BATCH], zeta_before[BATCH]; /* before the step */
  double n[3][BATCH], e[3][BATCH], f[3][BATCH];                              /* after it: normal, tangents */
  double zeta[BATCH], dxi[2][BATCH];
  double fn[BATCH], ft[2][BATCH];
  double force[3][BATCH], torque_p[3][BATCH], torque_q[3][BATCH];
  double virial[6][LANES];   /* xx yy zz xy xz yz */
  double overlap_max[LANES]; /* of ζ over the smaller radius */
  double tangential_work[LANES], normal_force[LANES];
  wrench loads[BLOCK_SPHERES]; /* on the spheres of the block, so far */
  jager_contact *contacts[BATCH];
  uint32_t pair[BATCH];
  uint16_t slot[BATCH];
  size_t count;
} batch;

/* Candidate k of the block is the one whose contact failed. */
static void remember_failure(block *b, uint32_t k)
{
  b->failed_p = b->first + b->owners[k];
  b->failed_q = b->candidates[k].q;
}

static inline vec3 branch_of(const contact_phase *phase, const body *here, const body *there, const candidate *pair)
{
  return pair_branch(here, there, &phase->images[pair->image]);
}

static inline bool overlaps(double square, const body *here, const body *there)
{
  double radii = here->radius + there->radius;
  return square < radii * radii;
}

/* ---- Contacts begin and end -------------------------------------------------------------------------------------- */

/* Ends the contact of the pair at index i of the order. */
static void separate(const contact_phase *phase, block *b, uint32_t i)
{
  uint32_t k = b->order[i];
  candidate *pair = &b->candidates[k];
  dem_slot_release(phase->simulation, b, pair->slot);
  pair->slot = NO_SLOT;
  if (b->wrench_number[k] != NO_WRENCH)
    phase->simulation->outer_wrenches[b->first_wrench + b->wrench_number[k]] = (wrench){.force = {0.0, 0.0, 0.0}};
  dem_pair_order_move_to_watched(b, i);
}

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
  const body *bodies = phase->bodies;
  const image *im = &phase->images[pair->image];
  vec3 before = vec3_subtract(position_before(s, pair->q), position_before(s, p));
  before = vec3_add(before, im->shift_before);
  double distance = vec3_length(before);
  double gap = distance - (bodies[p].radius + bodies[pair->q].radius);
  if (!(gap > 0.0)) { /* the spheres overlapped already */
    before = branch;
    distance = vec3_length(branch);
  }
  assert(pair->slot == NO_SLOT);
  pair->slot = dem_slot_take(b);
  if (pair->slot == NO_SLOT)
    return false;
  jager_contact *c = &b->contacts[pair->slot];
  b->frames[pair->slot] = (contact_frame){.branch = before, .axis = vec3_across(vec3_scale(1.0 / distance, before))};
  b->status = jager_contact_init(c, phase->law, bodies[p].radius, bodies[pair->q].radius);
  if (b->status == JAGER_OK && gap > 0.0)
    b->status = jager_contact_move(phase->law, b->pool, c, -0.5 * gap, (double[2]){0.0, 0.0}, NULL);
  b->traces[pair->slot] = s->traces ? dem_trace_begin(s->traces, s, p, pair->q, NULL) : 0;
  return b->status == JAGER_OK;
}

/* ---- First stage: touching pairs are collected ------------------------------------------------------------------- */

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
  assert(at < BATCH && slot < b->slots);
  const contact_frame *frame = &b->frames[slot];
  put(t->branch, at, branch);
  t->square[at] = square;
  t->radius_p[at] = here->radius;
  t->radius_q[at] = there->radius;
  put(t->turn_p, at, here->rotation);
  put(t->turn_q, at, there->rotation);
  put(t->branch0, at, frame->branch);
  put(t->e0, at, frame->axis);
  t->ft0[0][at] = frame->ft[0];
  t->ft0[1][at] = frame->ft[1];
  t->contacts[at] = &b->contacts[slot];
  t->pair[at] = k;
  t->slot[at] = slot;
}

/* Fills the last lanes with copies of the first contact, without forces. Returns the number of elements. */
static size_t fill_lanes(batch *t)
{
  size_t whole = lane_round_up(t->count);
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

/* ---- Second stage: movements ------------------------------------------------------------------------------------- */

VECTORISED static void find_movements(batch *restrict t, size_t count)
{
  for (size_t k = 0; k < count; k++) {
    jager_pair_spheres of = {t->radius_p[k],
                             t->radius_q[k],
                             {t->turn_p[0][k], t->turn_p[1][k], t->turn_p[2][k]},
                             {t->turn_q[0][k], t->turn_q[1][k], t->turn_q[2][k]}};
    vec3 branch0 = {t->branch0[0][k], t->branch0[1][k], t->branch0[2][k]};
    vec3 e0 = {t->e0[0][k], t->e0[1][k], t->e0[2][k]};
    vec3 branch = {t->branch[0][k], t->branch[1][k], t->branch[2][k]};
    jager_pair_movement m = jager_pair_move(&of, branch0, e0, branch, t->square[k]);
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

/* ---- Third stage: the contacts move ------------------------------------------------------------------------------ */

/* Of the step in which the spheres touch first, only the movement after touching counts. */
static void record_trace(const dem_simulation *s, const block *b, const batch *t, size_t k)
{
  jager_force force = {.fn = t->fn[k], .ft = {t->ft[0][k], t->ft[1][k]}};
  double before = t->zeta_before[k], share = before < 0.0 ? t->zeta[k] / (t->zeta[k] - before) : 1.0;
  double dxi[2] = {share * t->dxi[0][k], share * t->dxi[1][k]};
  uint16_t slot = t->slot[k];
  dem_trace_record(s->traces, b->traces[slot], s, t->zeta[k], dxi, &force, jager_contact_length(&b->contacts[slot]));
}

static void record_traces(const dem_simulation *s, const block *b, const batch *t)
{
  for (size_t k = 0; k < t->count; k++)
    if (b->traces[t->slot[k]])
      record_trace(s, b, t, k);
}

/* Adds the forces of the dashpots. */
static void damp_batch(const contact_phase *phase, block *b, batch *t)
{
  for (size_t k = 0; k < t->count; k++) {
    const body *p = &phase->bodies[b->first + b->owners[t->pair[k]]], *q = &phase->bodies[b->candidates[t->pair[k]].q];
    double dxi[2] = {t->dxi[0][k], t->dxi[1][k]};
    jager_dashpot_force damping = jager_dashpot_damp(phase->dashpot, jager_pair_mass(p->mass, q->mass),
                                                     phase->inverse_dt, t->fn[k], t->zeta_before[k], t->zeta[k], dxi,
                                                     jager_contact_state(t->contacts[k]) == JAGER_STATE_SLIDE);
    b->sums.viscous += damping.dissipated;
    t->fn[k] += damping.fn;
    t->ft[0][k] += damping.ft[0];
    t->ft[1][k] += damping.ft[1];
  }
}

static bool move_contacts(const contact_phase *phase, block *b, batch *t)
{
  jager_moves moves = {.count = t->count,
                       .contacts = t->contacts,
                       .zeta = t->zeta,
                       .dxi = {t->dxi[0], t->dxi[1]},
                       .fn = t->fn,
                       .ft = {t->ft[0], t->ft[1]}};
  size_t moved = 0;
  b->status = jager_contacts_move(phase->law, b->pool, &moves, &moved);
  if (b->status != JAGER_OK)
    remember_failure(b, t->pair[moved]);
  return b->status == JAGER_OK;
}

/* Stores the frames after the movement, with the tangential forces of the springs, without dashpots. */
static void store_frames(const contact_phase *phase, block *b, batch *t)
{
  for (size_t k = 0; k < t->count; k++) {
    vec3 axis = get(t->e, k);
    if (phase->normalises_axes)
      axis = jager_pair_unit(axis);
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

/* ---- Fourth stage: forces ---------------------------------------------------------------------------------------- */

VECTORISED static void find_forces(batch *restrict t, size_t count)
{
  for (size_t k = 0; k < count; k++) {
    double fn = t->fn[k], ft1 = t->ft[0][k], ft2 = t->ft[1][k];
    double arm_p = t->zeta[k] - t->radius_p[k], arm_q = t->zeta[k] - t->radius_q[k];
    for (int i = 0; i < 3; i++) {
      double moment = jager_pair_moment(ft1, ft2, t->e[i][k], t->f[i][k]);
      t->force[i][k] = jager_pair_force(fn, ft1, ft2, t->n[i][k], t->e[i][k], t->f[i][k]);
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

/* Adds the forces to the spheres of the block, and stores those on spheres of other blocks. */
static void scatter_forces(const contact_phase *phase, const block *b, batch *t)
{
  for (size_t k = 0; k < t->count; k++) {
    wrench *on_p = &t->loads[b->owners[t->pair[k]]];
    vec3 force = get(t->force, k), torque = get(t->torque_q, k);
    on_p->force = vec3_subtract(on_p->force, force);
    on_p->torque = vec3_add(on_p->torque, get(t->torque_p, k));
    uint16_t number = b->wrench_number[t->pair[k]];
    if (number == NO_WRENCH) {
      assert(is_inner(b, &b->candidates[t->pair[k]]));
      wrench *on_q = &t->loads[b->candidates[t->pair[k]].q - b->first];
      on_q->force = vec3_add(on_q->force, force);
      on_q->torque = vec3_add(on_q->torque, torque);
    } else {
      phase->simulation->outer_wrenches[b->first_wrench + number] = (wrench){.force = force, .torque = torque};
    }
  }
}

/*
 * No NaN and no infinity leaves the contact phase: the virial of the batch shows whether one of its forces is not
 * finite.
 */
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

/* ---- A block ----------------------------------------------------------------------------------------------------- */

/* The second to fourth stage of a batch, which is empty afterwards. */
static bool process_batch(const contact_phase *phase, block *b, batch *t)
{
  size_t whole = fill_lanes(t);
  find_movements(t, whole);
  double start = phase->is_timed ? clock_seconds() : 0.0;
  if (!move_contacts(phase, b, t))
    return false;
  sum_springs(t, whole);
  store_frames(phase, b, t);
  if (phase->simulation->traces)
    record_traces(phase->simulation, b, t);
  if (phase->dashpot.factor > 0.0)
    damp_batch(phase, b, t);
  if (phase->is_timed)
    b->law_seconds += clock_seconds() - start;
  find_forces(t, whole);
  if (!forces_are_finite(b, t))
    return false;
  scatter_forces(phase, b, t);
  b->sums.contacts += (uint32_t)t->count;
  t->count = 0;
  return true;
}

/* Prefetches the data of the pair at index i of the order. */
static inline void prefetch_pair(const contact_phase *phase, const block *b, uint32_t i, bool touches)
{
  const candidate *pair = &b->candidates[b->order[i]];
  __builtin_prefetch(&phase->bodies[pair->q]);
  if (touches)
    __builtin_prefetch(&b->frames[pair->slot], 1);
}

/* Finds watched pairs that touch now, and makes their contacts. */
static bool find_new_contacts(const contact_phase *phase, block *b)
{
  for (uint32_t i = b->touching_end; i < b->watched_end; i++) {
    candidate *pair = &b->candidates[b->order[i]];
    if (i + AHEAD < b->watched_end)
      prefetch_pair(phase, b, i + AHEAD, false);
    uint32_t p = b->first + b->owners[b->order[i]];
    const body *here = &phase->bodies[p], *there = &phase->bodies[pair->q];
    vec3 branch = branch_of(phase, here, there, pair);
    if (!overlaps(vec3_dot(branch, branch), here, there))
      continue;
    if (!begin_contact(phase, b, p, pair, branch)) {
      remember_failure(b, b->order[i]);
      return false;
    }
    dem_pair_order_move_to_touching(b, i);
  }
  return true;
}

/* Collects the touching pairs and processes each batch when it is full. Pairs that have separated leave the group. */
static bool process_touching(const contact_phase *phase, block *b, batch *t)
{
  for (uint32_t i = 0; i < b->touching_end;) {
    uint32_t k = b->order[i];
    if (i + AHEAD < b->touching_end)
      prefetch_pair(phase, b, i + AHEAD, true);
    const candidate *pair = &b->candidates[k];
    const body *here = &phase->bodies[b->first + b->owners[k]], *there = &phase->bodies[pair->q];
    vec3 branch = branch_of(phase, here, there, pair);
    double square = vec3_dot(branch, branch);
    if (overlaps(square, here, there)) {
      collect(t, b, k, here, there, branch, square);
      i++;
      if (t->count == BATCH && !process_batch(phase, b, t))
        return false;
    } else
      separate(phase, b, i);
  }
  return t->count == 0 || process_batch(phase, b, t);
}

/* Clears the sums of the contact phase, and keeps those of the motion phase. */
static void clear_sums(block *b, batch *t)
{
  memset(t->virial, 0, sizeof t->virial);
  memset(t->overlap_max, 0, sizeof t->overlap_max);
  memset(t->tangential_work, 0, sizeof t->tangential_work);
  memset(t->normal_force, 0, sizeof t->normal_force);
  memset(t->loads, 0, sizeof t->loads);
  t->count = 0;
  double resultant = b->sums.resultant, damped = b->sums.damped, gravity_work = b->sums.gravity_work;
  b->sums = (block_sums){.resultant = resultant, .damped = damped, .gravity_work = gravity_work};
}

static void store_sums(block *b, const batch *t)
{
  for (int lane = 0; lane < LANES; lane++)
    b->sums.overlap = fmax(b->sums.overlap, 2.0 * t->overlap_max[lane]);
  for (int i = 0; i < 6; i++)
    b->sums.virial[i] = lane_total(t->virial[i]);
  b->sums.tangential_work = lane_total(t->tangential_work);
  b->sums.normal_force = lane_total(t->normal_force);
}

/* On failure the reason is in the status of the block. */
static void move_block(void *context, size_t index)
{
  const contact_phase *phase = context;
  const dem_simulation *s = phase->simulation;
  block *b = &s->blocks[index];
  batch t;
  clear_sums(b, &t);
  if (dem_pair_order_is_stale(s, b))
    dem_pair_order_partition(s, b);
  if (!find_new_contacts(phase, b) || !process_touching(phase, b, &t))
    return;
  memcpy(s->loads + b->first, t.loads, b->count * sizeof t.loads[0]);
  store_sums(b, &t);
}

/* ---- Errors ------------------------------------------------------------------------------------------------------ */

/* The spheres of the contact with the largest overlap, and that overlap over the smaller radius. */
static double deepest_contact(const dem_simulation *s, uint32_t *p, uint32_t *q)
{
  double worst = 0.0;
  for (contact_walk at = contact_walk_start(s); contact_walk_next(&at);) {
    double overlap = 2.0 * jager_contact_zeta(at.contact) / fmin(s->bodies[at.p].radius, s->bodies[at.q].radius);
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
                         .inverse_dt = s->dt > 0.0 ? 1.0 / s->dt : 0.0,
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
    for (uint32_t i = 0; i < b->touching_end; i++)
      part[i % LANES] += jager_contact_fn(&b->contacts[b->candidates[b->order[i]].slot]);
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
