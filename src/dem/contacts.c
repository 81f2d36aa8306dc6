/* SPDX-License-Identifier: MIT */
/*
 * The contact phase: each contact moves as its two spheres have moved since the last step, and pushes them.
 *
 * Movements come from positions and rotations, not from velocities. With the branch l = x_q - x_p, its length d and
 * n = l/d, before (0) and after the step,
 *
 *     ζ = (R_p + R_q - d) / 2,
 *     2Δξ = the part across n of  l - l0 - (a_p θ_p + a_q θ_q) × b,      b = (n0 + n) / 2,
 *
 * with arms a = R - (ζ0 + ζ)/2 to the middle of the overlap and Cayley's vectors θ of the rotations: zero for a pair that
 * turns as one rigid body, however far, and of third order in what the spheres move against each other. (The derivation
 * stands in src/contact/frame.c, which does the same for anyone with quaternions; here the axes are kept as n and one
 * tangent e1, which is cheaper.)
 *
 * The axes tumble with n and twirl about it by the mean spin. The rotation that takes n0 to n takes a vector e across n0
 * to e - (e·n) (n0 + n)/(1 + n0·n). The result is across n to rounding, whatever e was: the axes cannot drift off.
 *
 * Contacts go through in batches, in four passes: the pairs that touch are collected; their movements are computed
 * (vectorised: the same operations for all); the contacts move, one by one; the forces are turned into global axes
 * (vectorised). Sums run in the order of the contacts, or in LANES sums that take turns: the same bits on any machine.
 */
#include "internal.h"
#include "clock.h"
#include "trace.h"

#include <stdlib.h>
#include <string.h>

enum {
  BATCH = 64, /* contacts: what they need here fits into the nearest cache */
  LANES = 4,
  AHEAD = 4, /* contacts that histories are fetched into the cache before they are needed */
  AHEAD_FAR = 10
};

/* Axes are made unit every so many steps: rounding takes longer than that to show. */
enum { UNIT_INTERVAL = 16 };

/* What is the same for all contacts of a step. */
typedef struct pass {
  const dem_simulation *simulation;
  const jager_law *law;
  const body *bodies;
  const image *images;
  double overlap_limit;
  double inverse_dt;
  double viscous;
  double exponent;
  double inverse_kappa;
  bool make_unit;
  bool is_timed; /* the third pass, by the clock */
} pass;

/* Contacts on their way through the passes. Vectors are (x, y, z) in three arrays. */
typedef struct batch {
  double branch[3][BATCH], distance[BATCH];
  double radius_p[BATCH], radius_q[BATCH], turn_p[3][BATCH], turn_q[3][BATCH];
  double branch0[3][BATCH], e0[3][BATCH], zeta_before[BATCH]; /* before the step */
  double n[3][BATCH], e[3][BATCH], f[3][BATCH];               /* after it: normal, tangents */
  double zeta[BATCH], dxi[2][BATCH];
  double fn[BATCH], ft[2][BATCH];
  double force[3][BATCH], torque_p[3][BATCH], torque_q[3][BATCH];
  double virial[6][LANES];   /* xx yy zz xy xz yz */
  double overlap_max[LANES]; /* of ζ over the smaller radius */
  uint32_t pair[BATCH];
  uint16_t slot[BATCH];
  size_t count;
} batch;

/* ---- Touching and parting ------------------------------------------------------------------------------------------ */

static void part(const pass *step, block *b, uint32_t k)
{
  candidate *pair = &b->candidates[k];
  slot_give_back(step->simulation, b, pair->slot);
  pair->slot = NO_SLOT;
  step->simulation->pushes[b->push_base + k] = (push){.force = {0.0, 0.0, 0.0}};
  b->order_is_stale = true;
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
  t->distance[at] = square;
  t->radius_p[at] = here->radius;
  t->radius_q[at] = there->radius;
  put(t->turn_p, at, here->turn);
  put(t->turn_q, at, there->turn);
  put(t->branch0, at, frame->branch);
  put(t->e0, at, frame->axis);
  t->pair[at] = k;
  t->slot[at] = slot;
}

/* Whole lanes: what is missing is filled with a contact that is there. */
static size_t fill_lanes(batch *t)
{
  size_t whole = (t->count + LANES - 1) / LANES * LANES;
  for (size_t k = t->count; k < whole; k++) {
    put(t->branch, k, get(t->branch, 0));
    t->distance[k] = t->distance[0];
    t->radius_p[k] = t->radius_p[0];
    t->radius_q[k] = t->radius_q[0];
    put(t->turn_p, k, get(t->turn_p, 0));
    put(t->turn_q, k, get(t->turn_q, 0));
    put(t->branch0, k, get(t->branch0, 0));
    put(t->e0, k, get(t->e0, 0));
    t->fn[k] = t->ft[0][k] = t->ft[1][k] = 0.0;
  }
  return whole;
}

/* ---- Second pass: movements --------------------------------------------------------------------------------------- */

VECTORISED static void find_movements(batch *restrict t, size_t count)
{
  for (size_t k = 0; k < count; k++) {
    vec3 branch = {t->branch[0][k], t->branch[1][k], t->branch[2][k]};
    double distance = sqrt(t->distance[k]), radii = t->radius_p[k] + t->radius_q[k];
    vec3 branch0 = {t->branch0[0][k], t->branch0[1][k], t->branch0[2][k]};
    double distance0 = vec3_length(branch0), zeta0 = 0.5 * (radii - distance0), zeta = 0.5 * (radii - distance);
    vec3 n0 = vec3_scale(1.0 / distance0, branch0), n = vec3_scale(1.0 / distance, branch);
    vec3 sum = vec3_add(n0, n), mean = vec3_scale(0.5, sum);
    double half = 0.5 * (zeta0 + zeta), arm_p = t->radius_p[k] - half, arm_q = t->radius_q[k] - half;

    vec3 turn_p = {t->turn_p[0][k], t->turn_p[1][k], t->turn_p[2][k]};
    vec3 turn_q = {t->turn_q[0][k], t->turn_q[1][k], t->turn_q[2][k]};
    vec3 spin = vec3_add(vec3_scale(arm_p, turn_p), vec3_scale(arm_q, turn_q));
    vec3 du = vec3_subtract(vec3_subtract(branch, branch0), vec3_cross(spin, mean));

    double twirl = 0.5 * vec3_dot(vec3_add(turn_p, turn_q), mean), cosine = 1.0 - 0.5 * twirl * twirl;
    vec3 e0 = {t->e0[0][k], t->e0[1][k], t->e0[2][k]};
    vec3 tumbled = vec3_add_scaled(e0, -vec3_dot(e0, n) / (1.0 + vec3_dot(n0, n)), sum);
    vec3 across = vec3_cross(n, tumbled);
    vec3 e = vec3_add_scaled(vec3_scale(cosine, tumbled), twirl, across);
    vec3 f = vec3_add_scaled(vec3_scale(cosine, across), -twirl, tumbled);
    vec3 e_mean = vec3_scale(0.5, vec3_add(e0, e)), f_mean = vec3_cross(mean, e_mean);

    t->zeta_before[k] = zeta0;
    t->zeta[k] = zeta;
    t->dxi[0][k] = 0.5 * vec3_dot(du, e_mean);
    t->dxi[1][k] = 0.5 * vec3_dot(du, f_mean);
    t->n[0][k] = n.x;
    t->n[1][k] = n.y;
    t->n[2][k] = n.z;
    t->e[0][k] = e.x;
    t->e[1][k] = e.y;
    t->e[2][k] = e.z;
    t->f[0][k] = f.x;
    t->f[1][k] = f.y;
    t->f[2][k] = f.z;
  }
}

/* ---- Third pass: the contacts move -------------------------------------------------------------------------------- */

/* Dashpots beside the springs: a share of critical damping each; the sum never pulls. Returns the energy they take. */
static double damp(const pass *step, const body *p, const body *q, const jager_contact *contact, double zeta_before,
                   const double dxi[2], jager_force *force)
{
  double stiffness = 0.5 * step->exponent * force->fn / contact->zeta;
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

static void fetch_ahead(const batch *t, const block *b, size_t k)
{
  if (k + AHEAD_FAR < t->count) {
    const char *far = (const char *)&b->contacts[t->slot[k + AHEAD_FAR]];
    __builtin_prefetch(far);
    __builtin_prefetch(far + 64);
    __builtin_prefetch(far + 128);
  }
  if (k + AHEAD < t->count)
    jager_contact_prefetch(&b->contacts[t->slot[k + AHEAD]]);
}

/* Of the step in which spheres touch, only what they move in touch counts. */
static void tell_trace(const dem_simulation *s, const block *b, const batch *t, size_t k, const jager_force *force)
{
  double before = t->zeta_before[k], share = before < 0.0 ? t->zeta[k] / (t->zeta[k] - before) : 1.0;
  double dxi[2] = {share * t->dxi[0][k], share * t->dxi[1][k]};
  uint16_t slot = t->slot[k];
  trace_move(s->traces, b->traces[slot], s, t->zeta[k], dxi, force, b->contacts[slot].length);
}

static inline bool move_contact(const pass *step, block *b, batch *t, size_t k)
{
  jager_contact *c = &b->contacts[t->slot[k]];
  contact_frame *frame = &b->frames[t->slot[k]];
  double dxi[2] = {t->dxi[0][k], t->dxi[1][k]};
  jager_force force;
  b->status = jager_contact_move(step->law, b->pool, c, t->zeta[k], dxi, &force);
  if (b->status != JAGER_OK)
    return false;
  b->sums.tangential_work += (frame->ft[0] + force.ft[0]) * dxi[0] + (frame->ft[1] + force.ft[1]) * dxi[1];
  b->sums.normal_force += force.fn;
  vec3 axis = get(t->e, k);
  if (step->make_unit) /* Newton's step for 1/√ */
    axis = vec3_scale(1.5 - 0.5 * vec3_dot(axis, axis), axis);
  *frame = (contact_frame){.branch = get(t->branch, k), .axis = axis, .ft = {force.ft[0], force.ft[1]}};
  if (step->simulation->traces && b->traces[t->slot[k]])
    tell_trace(step->simulation, b, t, k, &force);
  if (step->viscous > 0.0)
    b->sums.viscous += damp(step, &step->bodies[b->first + b->owners[t->pair[k]]],
                            &step->bodies[b->candidates[t->pair[k]].q], c, t->zeta_before[k], dxi, &force);
  t->fn[k] = force.fn;
  t->ft[0][k] = force.ft[0];
  t->ft[1][k] = force.ft[1];
  return true;
}

/* ---- Fourth pass: forces ------------------------------------------------------------------------------------------ */

/*
 * The force on q is Fn n - Ft1 e - Ft2 f. It acts in the middle of the overlap, R - ζ from the centres: with
 * n × force = Ft2 e - Ft1 f, the torques are -(R - ζ) times that on both spheres.
 */
VECTORISED static void find_forces(batch *restrict t, size_t count)
{
  for (size_t k = 0; k < count; k++) {
    double fn = t->fn[k], ft1 = t->ft[0][k], ft2 = t->ft[1][k];
    double arm_p = t->zeta[k] - t->radius_p[k], arm_q = t->zeta[k] - t->radius_q[k];
    for (int i = 0; i < 3; i++) {
      double moment = ft2 * t->e[i][k] - ft1 * t->f[i][k];
      t->force[i][k] = fn * t->n[i][k] - ft1 * t->e[i][k] - ft2 * t->f[i][k];
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

static void hand_out(const pass *step, block *b, batch *t)
{
  motion *motions = step->simulation->motions;
  push *pushes = step->simulation->pushes + b->push_base;
  for (size_t k = 0; k < t->count; k++) {
    motion *m = &motions[b->first + b->owners[t->pair[k]]];
    vec3 force = get(t->force, k);
    m->force = vec3_subtract(m->force, force);
    m->torque = vec3_add(m->torque, get(t->torque_p, k));
    pushes[t->pair[k]] = (push){.force = force, .torque = get(t->torque_q, k)};
  }
}

/* ---- A block ------------------------------------------------------------------------------------------------------ */

static bool work_off(const pass *step, block *b, batch *t)
{
  size_t whole = fill_lanes(t);
  find_movements(t, whole);
  double start = step->is_timed ? clock_seconds() : 0.0;
  for (size_t k = 0; k < t->count; k++) {
    fetch_ahead(t, b, k);
    if (!move_contact(step, b, t, k))
      return false;
  }
  if (step->is_timed)
    b->law_seconds += clock_seconds() - start;
  find_forces(t, whole);
  hand_out(step, b, t);
  b->sums.contacts += (uint32_t)t->count;
  t->count = 0;
  return true;
}

/*
 * Whether a pair touches could not be foreseen by the processor if the pairs came mixed. It hardly ever changes in a step,
 * so those that touched and those that did not have loops of their own.
 */
static void sort_out(block *b)
{
  uint32_t total = b->start[b->count], touching = 0;
  for (uint32_t k = 0; k < total; k++)
    if (b->candidates[k].slot != NO_SLOT)
      b->order[touching++] = (uint16_t)k;
  b->touching = touching;
  for (uint32_t k = 0; k < total; k++)
    if (b->candidates[k].slot == NO_SLOT)
      b->order[touching++] = (uint16_t)k;
  b->order_is_stale = false;
}

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

/* Pairs that were apart: some have come into touch. */
static bool find_touches(const pass *step, block *b)
{
  uint32_t total = b->start[b->count];
  for (uint32_t i = b->touching; i < total; i++) {
    candidate *pair = &b->candidates[b->order[i]];
    uint32_t p = b->first + b->owners[b->order[i]];
    const body *here = &step->bodies[p], *there = &step->bodies[pair->q];
    vec3 branch = branch_of(step, here, there, pair);
    if (!is_within(vec3_dot(branch, branch), here, there))
      continue;
    b->order_is_stale = true;
    if (!touch(step, b, p, pair, branch))
      return false;
  }
  if (b->order_is_stale)
    sort_out(b);
  return true;
}

/* Pairs that touch: into the batch, which is worked off when full. Some have parted. */
static bool move_touching(const pass *step, block *b, batch *t)
{
  for (uint32_t i = 0; i < b->touching; i++) {
    uint32_t k = b->order[i];
    const candidate *pair = &b->candidates[k];
    const body *here = &step->bodies[b->first + b->owners[k]], *there = &step->bodies[pair->q];
    vec3 branch = branch_of(step, here, there, pair);
    double square = vec3_dot(branch, branch);
    if (is_within(square, here, there)) {
      collect(t, b, k, here, there, branch, square);
      if (t->count == BATCH && !work_off(step, b, t))
        return false;
    } else
      part(step, b, k);
  }
  return t->count == 0 || work_off(step, b, t);
}

static void move_block(void *context, size_t index)
{
  const pass *step = context;
  const dem_simulation *s = step->simulation;
  block *b = &s->blocks[index];
  batch t;
  memset(t.virial, 0, sizeof t.virial);
  memset(t.overlap_max, 0, sizeof t.overlap_max);
  t.count = 0;
  double resultant = b->sums.resultant, damped = b->sums.damped, gravity_work = b->sums.gravity_work;
  b->sums = (block_sums){.resultant = resultant, .damped = damped, .gravity_work = gravity_work};
  for (uint32_t local = 0; local < b->count; local++)
    s->motions[b->first + local].force = s->motions[b->first + local].torque = (vec3){0.0, 0.0, 0.0};
  if (b->order_is_stale)
    sort_out(b);
  if (!find_touches(step, b) || !move_touching(step, b, &t))
    return; /* why is in the block's status */
  b->overlap_too_big = false;
  for (int lane = 0; lane < LANES; lane++)
    b->overlap_too_big = b->overlap_too_big || 2.0 * t.overlap_max[lane] > step->overlap_limit;
  for (int i = 0; i < 6; i++)
    b->sums.virial[i] = (t.virial[i][0] + t.virial[i][1]) + (t.virial[i][2] + t.virial[i][3]);
}

/* ---- All --------------------------------------------------------------------------------------------------------- */

static bool report_failures(const dem_simulation *s, dem_error *error)
{
  for (size_t i = 0; i < s->block_count; i++) {
    if (s->blocks[i].status != JAGER_OK)
      return fail(error, "step %ld: a contact cannot be moved: %s", s->step + 1,
                  jager_status_text(s->blocks[i].status));
    if (s->blocks[i].overlap_too_big)
      return fail(
          error,
          "step %ld: two spheres overlap by more than %g of the smaller radius (overlap_limit): the time step or "
          "the speed of loading is too large, or the spheres are too soft for the stress",
          s->step + 1, s->run->overlap_limit);
  }
  return true;
}

static void add_sums(dem_simulation *s)
{
  double virial[DEM_COMPONENTS] = {0.0}, tangential_work = 0.0, viscous = 0.0;
  size_t contacts = 0;
  for (size_t k = 0; k < s->block_count; k++) {
    const block_sums *sums = &s->blocks[k].sums;
    for (int i = 0; i < DEM_COMPONENTS; i++)
      virial[i] += sums->virial[i];
    tangential_work += sums->tangential_work;
    viscous += sums->viscous;
    contacts += sums->contacts;
  }
  memcpy(s->virial, virial, sizeof virial);
  s->energy.tangential_work += tangential_work;
  s->energy.damped += viscous;
  s->contact_count = contacts;
}

bool contacts_move(dem_simulation *s, dem_error *error)
{
  pass step = {.simulation = s,
               .law = &s->law,
               .bodies = s->bodies,
               .images = s->images,
               .overlap_limit = s->run->overlap_limit,
               .inverse_dt = s->dt > 0.0 ? 1.0 / s->dt : 0.0,
               .viscous = s->damping.viscous,
               .exponent = law_exponent(&s->law),
               .inverse_kappa = s->law.inverse_kappa,
               .make_unit = s->step % UNIT_INTERVAL == 0,
               .is_timed = s->law_is_timed};
  team_run(s->workers, move_block, &step, s->block_count);
  add_sums(s);
  return report_failures(s, error);
}
