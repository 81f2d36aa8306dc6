/* SPDX-License-Identifier: MIT */
/*
 * Four passes, all vectorised: movements; contacts, in batches of the library; dashpots; forces in global axes.
 */
#include "pair_contact.h"

#include <stdbool.h>
#include <string.h>

#if defined(JAGER_CLONES) && defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define VECTORISED __attribute__((target_clones("avx2", "default")))
#else
#define VECTORISED
#endif

static jager_vec3 vec3_of(const double v[3])
{
  return (jager_vec3){v[0], v[1], v[2]};
}

static void vec3_to(double to[3], jager_vec3 v)
{
  to[0] = v.x;
  to[1] = v.y;
  to[2] = v.z;
}

static void put(double array[3][PAIR_BATCH], size_t k, const double v[3])
{
  for (int i = 0; i < 3; i++)
    array[i][k] = v[i];
}

/*
 * ---- Laws and touching --------------------------------------------------------------------------------------------
 */

jager_status pair_law_set(pair_law *law, const jager_law *contact_law, double viscous)
{
  *law = (pair_law){.law = *contact_law};
  return jager_dashpot_init(&law->dashpot, contact_law, viscous);
}

jager_status pair_contact_touch(pair_contact *pair, const pair_law *law, jager_pool *pool, const double radii[2],
                                const double branch[3], const double shift[3])
{
  jager_vec3 before = vec3_of(branch);
  double gap = 0.0;
  if (shift) {
    before = jager_vec3_subtract(before, vec3_of(shift));
    gap = jager_vec3_length(before) - (radii[0] + radii[1]);
  }
  if (!(gap > 0.0))
    before = vec3_of(branch);
  pair->state = (pair_state){.work = 0.0};
  vec3_to(pair->state.branch, before);
  vec3_to(pair->state.axis, jager_vec3_across(jager_vec3_scale(1.0 / jager_vec3_length(before), before)));
  jager_status status = jager_contact_init(&pair->contact, &law->law, radii[0], radii[1]);
  double zeta = 0.5 * (radii[0] + radii[1] - jager_vec3_length(before)); /* negative: half the gap */
  return status == JAGER_OK ? jager_contact_move(&law->law, pool, &pair->contact, zeta, (double[2]){0.0, 0.0}, NULL)
                            : status;
}

/*
 * ---- First pass: movements ----------------------------------------------------------------------------------------
 */

static void load(pair_batch *restrict b, const pair_contact *contacts)
{
  for (size_t k = 0; k < b->count; k++) {
    const pair_contact *pair = &contacts[b->contact[k]];
    put(b->branch0, k, pair->state.branch);
    put(b->e0, k, pair->state.axis);
  }
}

VECTORISED static void find_movements(pair_batch *restrict b, size_t count)
{
  for (size_t k = 0; k < count; k++) {
    jager_pair_spheres of = {b->radius_p[k], b->radius_q[k],
                             jager_pair_cayley((jager_vec3){b->turn_p[0][k], b->turn_p[1][k], b->turn_p[2][k]}),
                             jager_pair_cayley((jager_vec3){b->turn_q[0][k], b->turn_q[1][k], b->turn_q[2][k]})};
    jager_vec3 l0 = {b->branch0[0][k], b->branch0[1][k], b->branch0[2][k]};
    jager_vec3 e0 = {b->e0[0][k], b->e0[1][k], b->e0[2][k]};
    jager_vec3 l = {b->branch[0][k], b->branch[1][k], b->branch[2][k]};
    jager_pair_movement m = jager_pair_move(&of, l0, e0, l, b->square[k]);
    b->zeta0[k] = m.zeta0;
    b->zeta[k] = m.zeta;
    b->dxi[0][k] = m.dxi[0];
    b->dxi[1][k] = m.dxi[1];
    b->n[0][k] = m.n.x;
    b->n[1][k] = m.n.y;
    b->n[2][k] = m.n.z;
    b->e[0][k] = m.e.x;
    b->e[1][k] = m.e.y;
    b->e[2][k] = m.e.z;
    b->f[0][k] = m.f.x;
    b->f[1][k] = m.f.y;
    b->f[2][k] = m.f.z;
  }
}

/*
 * ---- Second pass: the contacts move -------------------------------------------------------------------------------
 */

/* Moves the contacts [first, end), all of one law. On an error, `failed` is the contact that caused it. */
static jager_status move_some(pair_batch *restrict b, jager_contact *const *contacts, size_t first, size_t end,
                              jager_pool *pool, size_t *failed)
{
  const jager_law *law = &b->law[first]->law;
  size_t moved;
  jager_moves moves = {.count = end - first,
                       .contacts = contacts + first,
                       .zeta = b->zeta + first,
                       .dxi = {b->dxi[0] + first, b->dxi[1] + first},
                       .fn = b->fn + first,
                       .ft = {b->ft[0] + first, b->ft[1] + first},
                       .state = b->state + first};
  jager_status status = jager_contacts_move(law, pool, &moves, &moved);
  *failed = first + moved;
  return status;
}

/* Moves consecutive contacts of the same law together. */
static jager_status move_all(pair_batch *restrict b, pair_contact *pairs, jager_pool *pool, size_t *failed)
{
  jager_contact *contacts[PAIR_BATCH];
  for (size_t k = 0; k < b->count; k++)
    contacts[k] = &pairs[b->contact[k]].contact;
  for (size_t first = 0, end; first < b->count; first = end) {
    for (end = first + 1; end < b->count && b->law[end] == b->law[first];)
      end++;
    jager_status status = move_some(b, contacts, first, end, pool, failed);
    if (status != JAGER_OK)
      return status;
  }
  return JAGER_OK;
}

static inline void keep_one(pair_batch *restrict b, size_t k, pair_contact *pair, pair_sums *sums)
{
  const pair_law *law = b->law[k];
  double zeta0 = b->zeta0[k], zeta = b->zeta[k], dxi[2] = {b->dxi[0][k], b->dxi[1][k]};
  double ft[2] = {b->ft[0][k], b->ft[1][k]};
  double share = zeta0 < 0.0 ? zeta / (zeta - zeta0) : 1.0; /* part of the step during which the spheres touch */
  double work = share * ((pair->state.ft[0] + ft[0]) * dxi[0] + (pair->state.ft[1] + ft[1]) * dxi[1]);
  pair->state.work += work;
  sums->work += b->weight[k] * work;
  for (int i = 0; i < 2; i++)
    pair->state.ft[i] = ft[i];
  for (int i = 0; i < 3; i++)
    pair->state.branch[i] = b->branch[i][k];
  vec3_to(pair->state.axis, jager_pair_unit((jager_vec3){b->e[0][k], b->e[1][k], b->e[2][k]}));
  b->factor[k] = law->dashpot.factor;
  b->half_exponent[k] = law->dashpot.half_exponent;
  b->across[k] = b->state[k] == JAGER_STATE_SLIDE ? 0.0 : law->dashpot.across;
}

/*
 * ---- Third pass: dashpots -----------------------------------------------------------------------------------------
 */

/* A sliding contact has across = 0, and so no tangential dashpot. */
VECTORISED static void find_dashpots(pair_batch *restrict b, size_t count, double inverse_dt)
{
  for (size_t k = 0; k < count; k++) {
    jager_dashpot dashpot = {b->factor[k], b->half_exponent[k], b->across[k]};
    double mass = jager_pair_mass(b->mass_p[k], b->mass_q[k]), dxi[2] = {b->dxi[0][k], b->dxi[1][k]};
    jager_dashpot_force force =
        jager_dashpot_damp(dashpot, mass, inverse_dt, b->fn[k], b->zeta0[k], b->zeta[k], dxi, 0);
    b->dashpot[0][k] = force.fn;
    b->dashpot[1][k] = force.ft[0];
    b->dashpot[2][k] = force.ft[1];
    b->lost[k] = b->weight[k] * force.dissipated;
    b->fn[k] += force.fn;
    b->ft[0][k] += force.ft[0];
    b->ft[1][k] += force.ft[1];
  }
}

static void damp(pair_batch *restrict b, pair_contact *contacts, double dt, pair_sums *sums)
{
  find_dashpots(b, b->count, dt > 0.0 ? 1.0 / dt : 0.0);
  for (size_t k = 0; k < b->count; k++) {
    double *dashpot = contacts[b->contact[k]].state.dashpot;
    for (int i = 0; i < 3; i++)
      dashpot[i] = b->dashpot[i][k];
    sums->viscous += b->lost[k];
  }
}

/*
 * ---- Fourth pass: forces -------------------------------------------------------------------------------------------
 */

VECTORISED static void find_forces(pair_batch *restrict b, size_t count)
{
  for (size_t k = 0; k < count; k++) {
    double fn = b->fn[k], ft1 = b->ft[0][k], ft2 = b->ft[1][k];
    double arm_p = b->zeta[k] - b->radius_p[k], arm_q = b->zeta[k] - b->radius_q[k];
    for (int i = 0; i < 3; i++) {
      double moment = jager_pair_moment(ft1, ft2, b->e[i][k], b->f[i][k]);
      b->force[i][k] = jager_pair_force(fn, ft1, ft2, b->n[i][k], b->e[i][k], b->f[i][k]);
      b->torque_p[i][k] = arm_p * moment;
      b->torque_q[i][k] = arm_q * moment;
    }
  }
}

jager_status pair_batch_move(pair_batch *batch, pair_contact *contacts, jager_pool *pool, double dt, pair_sums *sums,
                             size_t *failed)
{
  bool with_dashpots = false;
  load(batch, contacts);
  find_movements(batch, batch->count);
  jager_status status = move_all(batch, contacts, pool, failed);
  if (status != JAGER_OK)
    return status;
  for (size_t k = 0; k < batch->count; k++) {
    keep_one(batch, k, &contacts[batch->contact[k]], sums);
    with_dashpots = with_dashpots || batch->law[k]->dashpot.factor > 0.0;
  }
  if (with_dashpots)
    damp(batch, contacts, dt, sums);
  find_forces(batch, batch->count);
  return JAGER_OK;
}

/*
 * ---- Without a movement -------------------------------------------------------------------------------------------
 */

static jager_vec3 normal_of(const pair_contact *pair)
{
  jager_vec3 branch = vec3_of(pair->state.branch);
  return jager_vec3_scale(1.0 / jager_vec3_length(branch), branch);
}

void pair_batch_recall(pair_batch *batch, const pair_contact *contacts)
{
  for (size_t k = 0; k < batch->count; k++) {
    const pair_contact *pair = &contacts[batch->contact[k]];
    double n[3], f[3];
    vec3_to(n, normal_of(pair));
    vec3_to(f, jager_vec3_cross(vec3_of(n), vec3_of(pair->state.axis)));
    put(batch->n, k, n);
    put(batch->e, k, pair->state.axis);
    put(batch->f, k, f);
    batch->zeta[k] = jager_contact_zeta(&pair->contact);
    batch->fn[k] = jager_contact_fn(&pair->contact) + pair->state.dashpot[0];
    batch->ft[0][k] = pair->state.ft[0] + pair->state.dashpot[1];
    batch->ft[1][k] = pair->state.ft[1] + pair->state.dashpot[2];
  }
  find_forces(batch, batch->count);
}

void pair_contact_force(const pair_contact *pair, double normal[3], double tangential[3])
{
  jager_vec3 n = normal_of(pair), e = vec3_of(pair->state.axis), f = jager_vec3_cross(n, e);
  vec3_to(normal, jager_vec3_scale(jager_contact_fn(&pair->contact) + pair->state.dashpot[0], n));
  vec3_to(tangential, jager_vec3_add(jager_vec3_scale(-(pair->state.ft[0] + pair->state.dashpot[1]), e),
                                     jager_vec3_scale(-(pair->state.ft[1] + pair->state.dashpot[2]), f)));
}
