/* SPDX-License-Identifier: MIT */
/* A contact is made, moved and read. The algorithm of a movement is in jager/detail/algorithm.h. */
#include "contact/compare/laws.h"
#include "contact/energy/energy.h"
#include "step.h"

#define LINEAR_REFERENCE 0.01 /* ζ/R at which "linear" takes the contour's stiffness, if the law gives none */

jager_status jager_contact_init(jager_contact *contact, const jager_law *law, double radius_a, double radius_b)
{
  if (!contact || !law)
    return JAGER_ERROR_NULL;
  if (contact_is_in_use(data_of(contact)))
    return JAGER_ERROR_IN_USE;
  double stiffness;
  jager_status status = jager_contour_stiffness(law, radius_a, radius_b, &stiffness);
  if (status != JAGER_OK)
    return status;
  if (law->model == JAGER_MODEL_LINEAR) { /* Fn = C ζ */
    double reference = isinf(radius_a) ? radius_b : isinf(radius_b) ? radius_a : fmin(radius_a, radius_b);
    double tangent = normal_slope(law, stiffness, LINEAR_REFERENCE * reference);
    stiffness = law->linear_kn > 0.0 ? 2.0 * law->linear_kn : tangent;
  }
  if (!(stiffness >= JAGER_STIFFNESS_MIN && stiffness <= JAGER_STIFFNESS_MAX))
    return law->contour == JAGER_CONTOUR_SPHERE ? JAGER_ERROR_RADIUS : JAGER_ERROR_CONTOUR;
  *data_of(contact) = contact_untouched(stiffness, law->friction, (uint8_t)law->model);
  return JAGER_OK;
}

/* ---- Movements --------------------------------------------------------------------------------------------------- */

/* The step takes at most one node, and the movement that follows another. */
JAGER_COLD jager_status jager_adopt_friction(const jager_law *law, jager_pool *pool, contact_data *c)
{
  if (law->friction >= c->friction || !(c->zeta > 0.0))
    return JAGER_OK;
  return jager_pool_reserve(pool, 2) && lower_friction(law, pool, c) ? JAGER_OK : JAGER_ERROR_MEMORY;
}

JAGER_COLD jager_status jager_move_any(const jager_law *law, jager_pool *pool, contact_data *c, double zeta, vec2 e,
                                       double *zeta_slip)
{
  *zeta_slip = 0.0;
  if (!(zeta > 0.0)) { /* [9-12] */
    jager_contact_separate(law, pool, c, zeta);
    return JAGER_OK;
  }
  jager_status status = jager_adopt_friction(law, pool, c);
  if (status != JAGER_OK)
    return status;
  if (c->zeta > 0.0)
    status = move_touching(law, pool, c, zeta, e, zeta_slip);
  else
    step_first(law, c, (step_target){zeta, normal_force(law, c->stiffness, zeta), e, SPACE_MOVEMENT}, zeta_slip);
  if (status == JAGER_OK)
    c->friction = law->friction;
  assert(jager_history_is_valid(c) || c->length == 1);
  return status;
}

/* Any other movement of the exact law: first touch, separation, changed friction */
static JAGER_COLD jager_status move_uncommon(const jager_law *law, jager_pool *pool, contact_data *c, double zeta,
                                             const double dxi[2])
{
  jager_status status = check_movement(law, pool, c, zeta, dxi);
  if (status != JAGER_OK)
    return status;
  double zeta_slip;
  zeta = zeta_in_range(zeta);
  return jager_move_any(law, pool, c, zeta, shift_while_touching(law, c, zeta, dxi), &zeta_slip);
}

JAGER_CLONED jager_status jager_contact_move(jager_contact *contact, const jager_law *law, jager_pool *pool,
                                             double zeta, const double dxi[2], jager_force *force)
{
  if (!law || !pool || !contact || !dxi)
    return JAGER_ERROR_NULL;
  contact_data *c = data_of(contact);
  jager_status status;
  if (law->model == JAGER_MODEL_JAGER && c->model == JAGER_MODEL_JAGER && law->modulus > 0.0 &&
      movement_is_common(movement_size(zeta, dxi[0], dxi[1]), c->zeta, zeta, c->friction, law->friction)) {
    double zeta_slip;
    vec2 e = {dxi[0] * law->inverse_kappa, dxi[1] * law->inverse_kappa};
    status = move_touching(law, pool, c, zeta, e, &zeta_slip);
    assert(jager_history_is_valid(c));
  } else if (law->model == JAGER_MODEL_JAGER) {
    status = move_uncommon(law, pool, c, zeta, dxi);
  } else {
    status = check_movement(law, pool, c, zeta, dxi);
    if (status == JAGER_OK)
      status = jager_compare_move(law, pool, c, zeta_in_range(zeta), dxi);
  }
  if (status == JAGER_OK && force)
    *force = force_of(c);
  return status;
}

jager_status jager_contact_restiffen(jager_contact *contact, const jager_law *law, double radius_a, double radius_b)
{
  jager_contact like = {0};
  jager_status status = contact ? jager_contact_init(&like, law, radius_a, radius_b) : JAGER_ERROR_NULL;
  if (status != JAGER_OK)
    return status;
  contact_data *c = data_of(contact);
  if (c->model != JAGER_MODEL_JAGER || law->model != JAGER_MODEL_JAGER)
    return JAGER_ERROR_UNSUPPORTED;
  if (c->length == 0)
    return JAGER_ERROR_UNINITIALISED;
  set_stiffness(law, c, data_of(&like)->stiffness);
  return JAGER_OK;
}

/* ---- Many movements in one call ---------------------------------------------------------------------------------- */

enum { CONTACTS_AHEAD = 16, NODES_AHEAD = 8 }; /* contacts and nodes are fetched this many movements ahead */

static void prefetch_ahead(const jager_moves *moves, size_t k)
{
  if (k + CONTACTS_AHEAD < moves->count)
    for (int line = 0; line < 3; line++)
      JAGER_PREFETCH((const char *)moves->contacts[k + CONTACTS_AHEAD] + 64 * line);
  if (k + NODES_AHEAD < moves->count && moves->contacts[k + NODES_AHEAD])
    history_prefetch(data_of_const(moves->contacts[k + NODES_AHEAD]));
}

jager_status jager_contacts_move(const jager_moves *moves, const jager_law *law, jager_pool *pool, size_t *moved)
{
  if (moved)
    *moved = 0;
  if (!law || !pool || !moves)
    return JAGER_ERROR_NULL;
  const jager_moves m = *moves;
  if (m.count > 0 && !(m.contacts && m.zeta && m.dxi[0] && m.dxi[1] && m.fn && m.ft[0] && m.ft[1]))
    return JAGER_ERROR_NULL;
  for (size_t k = 0; k < m.count; k++) {
    const double dxi[2] = {m.dxi[0][k], m.dxi[1][k]};
    jager_force force;
    prefetch_ahead(&m, k);
    jager_status status = jager_contact_move(m.contacts[k], law, pool, m.zeta[k], dxi, &force);
    if (status != JAGER_OK)
      return status;
    m.fn[k] = force.fn;
    m.ft[0][k] = force.ft[0];
    m.ft[1][k] = force.ft[1];
    if (m.state)
      m.state[k] = jager_contact_state(m.contacts[k]);
    if (moved)
      *moved = k + 1;
  }
  return JAGER_OK;
}

/* Writes a number, if there is an array for it. */
static void write_number(double *array, size_t at, double value)
{
  if (array)
    array[at] = value;
}

/* The outputs of movement `at` */
static void write_outputs(const jager_path *path, size_t at, const jager_contact *contact, const jager_force *force,
                          const jager_energy *energy)
{
  write_number(path->fn, at, force->fn);
  write_number(path->ft[0], at, force->ft[0]);
  write_number(path->ft[1], at, force->ft[1]);
  write_number(path->normal, at, energy->normal);
  write_number(path->tangential, at, energy->tangential);
  write_number(path->dissipated, at, energy->dissipated);
  if (path->state)
    path->state[at] = (jager_state)data_of_const(contact)->state;
}

jager_status jager_contact_move_path(jager_contact *contact, const jager_law *law, jager_pool *pool,
                                     const jager_path *path, size_t *moved)
{
  if (moved)
    *moved = 0;
  if (!law || !pool || !contact || !path || (path->count > 0 && !(path->zeta && path->dxi[0] && path->dxi[1])))
    return JAGER_ERROR_NULL;
  const bool with_energies = path->normal || path->tangential || path->dissipated;
  jager_balance balance = {{0}};
  jager_status status = with_energies ? jager_balance_begin(&balance, contact, law) : JAGER_OK;
  for (size_t at = 0; at < path->count && status == JAGER_OK; at++) {
    const double dxi[2] = {path->dxi[0][at], path->dxi[1][at]};
    jager_force force;
    status = with_energies ? jager_balance_move(&balance, contact, law, pool, path->zeta[at], dxi, &force)
                           : jager_contact_move(contact, law, pool, path->zeta[at], dxi, &force);
    if (status != JAGER_OK)
      break;
    const jager_energy energy = with_energies ? jager_balance_energy(&balance) : (jager_energy){.normal = 0.0};
    write_outputs(path, at, contact, &force, &energy);
    if (moved)
      *moved = at + 1;
  }
  return status;
}

/* ---- Reading ----------------------------------------------------------------------------------------------------- */

double jager_contact_zeta(const jager_contact *contact)
{
  return data_of_const(contact)->zeta;
}

double jager_contact_fn(const jager_contact *contact)
{
  return data_of_const(contact)->fn;
}

jager_state jager_contact_state(const jager_contact *contact)
{
  return (jager_state)data_of_const(contact)->state;
}

uint32_t jager_contact_length(const jager_contact *contact)
{
  return data_of_const(contact)->length;
}

jager_model jager_contact_model(const jager_contact *contact)
{
  return (jager_model)data_of_const(contact)->model;
}

double jager_contact_friction(const jager_contact *contact)
{
  return data_of_const(contact)->friction;
}

double jager_contact_coefficient(const jager_contact *contact)
{
  return data_of_const(contact)->stiffness;
}

jager_force jager_contact_force(const jager_contact *contact)
{
  return force_of(data_of_const(contact));
}

jager_status jager_contact_history(const jager_contact *contact, const jager_law *law, jager_point *points,
                                   size_t capacity)
{
  if (!law || !contact || !points)
    return JAGER_ERROR_NULL;
  const contact_data *c = data_of_const(contact);
  if (c->model != JAGER_MODEL_JAGER || law->model != JAGER_MODEL_JAGER)
    return JAGER_ERROR_UNSUPPORTED;
  jager_status status = check_law_of(law, c);
  if (status != JAGER_OK)
    return status;
  if (capacity < c->length)
    return JAGER_ERROR_CAPACITY;
  points[0] = (jager_point){.zeta = 0.0};
  FOR_EACH_SEGMENT(at, c)
  {
    double fn = normal_force(law, c->stiffness, at.zeta);
    points[at.segments_left] = (jager_point){.zeta = at.zeta, .fn = fn, .p = {at.p.x, at.p.y}};
  }
  return JAGER_OK;
}

jager_status jager_contact_stored(const jager_contact *contact, const jager_law *law, jager_pool *pool,
                                  jager_energy *energy)
{
  if (!law || !contact || !energy)
    return JAGER_ERROR_NULL;
  const contact_data *c = data_of_const(contact);
  jager_status status = check_law_of(law, c);
  if (status != JAGER_OK)
    return status;
  *energy = (jager_energy){.normal = jager_normal_energy(law, c),
                           .tangential = c->model == JAGER_MODEL_JAGER ? jager_shear_energy(law, pool, c)
                                                                       : jager_compare_shear_energy(law, c)};
  return JAGER_OK;
}
