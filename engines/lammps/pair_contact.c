/* SPDX-License-Identifier: MIT */
/*
 * Four passes: movements, the contacts side by side in the library, dashpots, forces in global axes; all are vectorised.
 */
#include "pair_contact.h"
#include "dem/step/pair_geometry.h"

#include <stdbool.h>
#include <string.h>

#if defined(JAGER_CLONES) && defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define VECTORISED __attribute__((target_clones("avx2", "default")))
#else
#define VECTORISED
#endif

static vec3 vec3_of(const double v[3])
{
  return (vec3){v[0], v[1], v[2]};
}

static void vec3_to(double to[3], vec3 v)
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

/* ---- Laws and touching -------------------------------------------------------------------------------------------- */

jager_status pair_law_set(pair_law *law, const jager_law *contact_law, double viscous)
{
  if (!(viscous >= 0.0 && viscous <= 1.0))
    return JAGER_ERROR_DOMAIN;
  *law = (pair_law){.law = *contact_law,
                    .viscous = viscous,
                    .factor = 2.0 * viscous * sqrt(0.5 + 0.5 / contact_law->exponent),
                    .across = sqrt(contact_law->inverse_kappa)};
  return jager_law_check(contact_law);
}

jager_status pair_contact_touch(pair_contact *pair, const pair_law *law, jager_pool *pool, const double radii[2],
                                const double branch[3], const double shift[3])
{
  vec3 before = vec3_of(branch);
  double gap = 0.0;
  if (shift) {
    before = vec3_subtract(before, vec3_of(shift));
    gap = vec3_length(before) - (radii[0] + radii[1]);
  }
  if (!(gap > 0.0))
    before = vec3_of(branch);
  *pair = (pair_contact){.state = {.work = 0.0}};
  vec3_to(pair->state.branch, before);
  vec3_to(pair->state.axis, vec3_across(vec3_scale(1.0 / vec3_length(before), before)));
  jager_status status = jager_contact_init(&pair->contact, &law->law, radii[0], radii[1]);
  double zeta = 0.5 * (radii[0] + radii[1] - vec3_length(before)); /* negative: half the gap */
  return status == JAGER_OK ? jager_contact_move(&law->law, pool, &pair->contact, zeta, (double[2]){0.0, 0.0}, NULL)
                            : status;
}

/* ---- First pass: movements ---------------------------------------------------------------------------------------- */

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
    pair_spheres of = {b->radius_p[k], b->radius_q[k],
                       pair_cayley((vec3){b->turn_p[0][k], b->turn_p[1][k], b->turn_p[2][k]}),
                       pair_cayley((vec3){b->turn_q[0][k], b->turn_q[1][k], b->turn_q[2][k]})};
    vec3 l0 = {b->branch0[0][k], b->branch0[1][k], b->branch0[2][k]};
    vec3 e0 = {b->e0[0][k], b->e0[1][k], b->e0[2][k]};
    vec3 l = {b->branch[0][k], b->branch[1][k], b->branch[2][k]};
    pair_movement m = pair_move(&of, l0, e0, l, b->square[k]);
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

/* ---- Second pass: the contacts move ------------------------------------------------------------------------------- */

/* Contacts `first` to `end`, of one law. What cannot be moved is told by its number. */
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
                       .ft = {b->ft[0] + first, b->ft[1] + first}};
  jager_status status = jager_contacts_move(law, pool, &moves, &moved);
  if (status == JAGER_OK)
    return JAGER_OK;
  for (*failed = first + moved; *failed + 1 < end; ++*failed) { /* one of these: which? */
    double dxi[2] = {b->dxi[0][*failed], b->dxi[1][*failed]};
    if (jager_contact_move(law, pool, contacts[*failed], b->zeta[*failed], dxi, NULL) != JAGER_OK)
      break;
  }
  return status;
}

/* Contacts of one law that come one after the other are moved at once. */
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
  double share = zeta0 < 0.0 ? zeta / (zeta - zeta0) : 1.0; /* of the step in which they touch, what was in touch */
  double work = share * ((pair->state.ft[0] + ft[0]) * dxi[0] + (pair->state.ft[1] + ft[1]) * dxi[1]);
  pair->state.work += work;
  sums->work += b->weight[k] * work;
  for (int i = 0; i < 2; i++)
    pair->state.ft[i] = ft[i];
  for (int i = 0; i < 3; i++)
    pair->state.branch[i] = b->branch[i][k];
  vec3_to(pair->state.axis, pair_unit((vec3){b->e[0][k], b->e[1][k], b->e[2][k]}));
  b->viscous[k] = law->factor;
  b->across[k] = pair->contact.state == JAGER_SLIDE ? 0.0 : law->across;
}

/* ---- Third pass: dashpots ----------------------------------------------------------------------------------------- */

/* With kn = dFn/d(2ζ) = exponent/2 Fn/ζ and the effective mass m = m_p m_q/(m_p + m_q), critical damping is 2√(m kn). */
VECTORISED static void find_dashpots(pair_batch *restrict b, size_t count, double inverse_dt)
{
  for (size_t k = 0; k < count; k++) {
    double mass_p = b->mass_p[k], mass_q = b->mass_q[k], both = mass_p * mass_q * b->fn[k];
    double depth = b->zeta[k] > 0.0 ? b->zeta[k] : 1.0; /* spheres that just touch have no force either */
    double coefficient = b->viscous[k] * sqrt(both / ((mass_p + mass_q) * depth)) * inverse_dt;
    double across = 2.0 * coefficient * b->across[k], approach = 2.0 * (b->zeta[k] - b->zeta0[k]);
    double normal = coefficient * approach, pull = -b->fn[k], dxi1 = b->dxi[0][k], dxi2 = b->dxi[1][k];
    normal = normal < pull ? pull : normal;
    b->dashpot[0][k] = normal;
    b->dashpot[1][k] = across * dxi1;
    b->dashpot[2][k] = across * dxi2;
    b->lost[k] = b->weight[k] * (normal * approach + 2.0 * across * (dxi1 * dxi1 + dxi2 * dxi2));
    b->fn[k] += normal;
    b->ft[0][k] += across * dxi1;
    b->ft[1][k] += across * dxi2;
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

double pair_law_damp(const pair_law *law, const jager_contact *contact, double mass, double approach,
                     const double dxi[2], double dt, jager_force *force, double dashpot[3])
{
  bool is_damped = dt > 0.0 && contact->zeta > 0.0;
  double coefficient = is_damped ? law->factor * sqrt(mass * force->fn / contact->zeta) / dt : 0.0;
  double across = contact->state == JAGER_SLIDE ? 0.0 : 2.0 * coefficient * law->across;
  dashpot[0] = fmax(coefficient * approach, -force->fn);
  dashpot[1] = across * dxi[0];
  dashpot[2] = across * dxi[1];
  force->fn += dashpot[0];
  force->ft[0] += dashpot[1];
  force->ft[1] += dashpot[2];
  return dashpot[0] * approach + 2.0 * (dashpot[1] * dxi[0] + dashpot[2] * dxi[1]);
}

/* ---- Fourth pass: forces ------------------------------------------------------------------------------------------- */

VECTORISED static void find_forces(pair_batch *restrict b, size_t count)
{
  for (size_t k = 0; k < count; k++) {
    double fn = b->fn[k], ft1 = b->ft[0][k], ft2 = b->ft[1][k];
    double arm_p = b->zeta[k] - b->radius_p[k], arm_q = b->zeta[k] - b->radius_q[k];
    for (int i = 0; i < 3; i++) {
      double moment = pair_moment(ft1, ft2, b->e[i][k], b->f[i][k]);
      b->force[i][k] = pair_force(fn, ft1, ft2, b->n[i][k], b->e[i][k], b->f[i][k]);
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
    with_dashpots = with_dashpots || batch->law[k]->viscous > 0.0;
  }
  if (with_dashpots)
    damp(batch, contacts, dt, sums);
  find_forces(batch, batch->count);
  return JAGER_OK;
}

/* ---- Without a movement ------------------------------------------------------------------------------------------- */

static vec3 normal_of(const pair_contact *pair)
{
  vec3 branch = vec3_of(pair->state.branch);
  return vec3_scale(1.0 / vec3_length(branch), branch);
}

void pair_batch_recall(pair_batch *batch, const pair_contact *contacts)
{
  for (size_t k = 0; k < batch->count; k++) {
    const pair_contact *pair = &contacts[batch->contact[k]];
    double n[3], f[3];
    vec3_to(n, normal_of(pair));
    vec3_to(f, vec3_cross(vec3_of(n), vec3_of(pair->state.axis)));
    put(batch->n, k, n);
    put(batch->e, k, pair->state.axis);
    put(batch->f, k, f);
    batch->zeta[k] = pair->contact.zeta;
    batch->fn[k] = pair->contact.fn + pair->state.dashpot[0];
    batch->ft[0][k] = pair->state.ft[0] + pair->state.dashpot[1];
    batch->ft[1][k] = pair->state.ft[1] + pair->state.dashpot[2];
  }
  find_forces(batch, batch->count);
}

void pair_contact_force(const pair_contact *pair, double normal[3], double tangential[3])
{
  vec3 n = normal_of(pair), e = vec3_of(pair->state.axis), f = vec3_cross(n, e);
  vec3_to(normal, vec3_scale(pair->contact.fn + pair->state.dashpot[0], n));
  vec3_to(tangential, vec3_add(vec3_scale(-(pair->state.ft[0] + pair->state.dashpot[1]), e),
                               vec3_scale(-(pair->state.ft[1] + pair->state.dashpot[2]), f)));
}
