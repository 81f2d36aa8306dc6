/* SPDX-License-Identifier: MIT */
/* A contact's life: movements, friction and stiffness that change, reading, releasing. walk.h tells how one moves. */
#include "walk.h"

/* Gives back the nodes down to `end`, which stays. */
static void free_nodes(jager_pool *pool, jager_node *node, const jager_node *end)
{
  while (node != end) {
    jager_node *below = node->below;
    jager_pool_give(pool, node);
    node = below;
  }
}

void jager_contact_forget(jager_pool *pool, jager_contact *contact)
{
  free_nodes(pool, contact->node, NULL);
  *contact = (jager_contact){.friction = contact->friction,
                             .stiffness = contact->stiffness,
                             .length = 1,
                             .state = JAGER_APART,
                             .model = contact->model};
}

void jager_contact_part(const jager_law *law, jager_pool *pool, jager_contact *contact, double zeta)
{
  jager_contact_forget(pool, contact);
  contact->zeta = zeta;
  contact->friction = law->friction;
}

/* ---- Friction that has become less ------------------------------------------------------------------------------ */

static vec2 not_steeper(vec2 p, double friction)
{
  return jager_dot(p, p) > friction * friction ? jager_with_length(p, friction) : p;
}

/* ζ* at which entry `index` of a node starts */
static double start_of(const jager_node *node, unsigned index)
{
  return index > 0 ? node->entry[index - 1].zeta : jager_entry_end(node->below, JAGER_NODE_ENTRIES);
}

JAGER_COLD void jager_sum_anchor(const jager_law *law, jager_contact *contact)
{
  jager_sum ft = {{0.0, 0.0}, {0.0, 0.0}};
  double fn = contact->fn_under;
  unsigned fill = contact->fill;
  for (const jager_node *node = contact->node; node; node = node->below, fill = JAGER_NODE_ENTRIES)
    while (fill-- > 0) {
      double fn_start = jager_normal_force(law, contact->stiffness, start_of(node, fill));
      jager_sum_add(&ft, fn - fn_start, node->entry[fill].p);
      fn = fn_start;
    }
  jager_set_anchor(contact, ft);
}

/* Lays every segment below the top down to f. */
static void lay_down(const jager_law *law, jager_contact *contact)
{
  vec2 p_under = not_steeper(jager_vec2(contact->p_under), law->friction);
  jager_set_under(contact, p_under, contact->zeta_under, contact->fn_under);
  unsigned fill = contact->fill;
  for (jager_node *node = contact->node; node; node = node->below, fill = JAGER_NODE_ENTRIES)
    while (fill-- > 0)
      node->entry[fill].p = not_steeper(node->entry[fill].p, law->friction);
  jager_sum_anchor(law, contact);
}

/*
 * The contact slips where it stands until the lower friction holds it: a slip without movement. What lies below the cut
 * may still be steeper than the new f; such segments are laid down to f, each in its own direction, so that all later
 * walks may rely on |p| <= f. Both take at most one node, the movement that follows another.
 */
JAGER_COLD jager_status jager_adopt_friction(const jager_law *law, jager_pool *pool, jager_contact *contact)
{
  if (law->friction >= contact->friction || !(contact->zeta > 0.0))
    return JAGER_OK;
  if (!jager_pool_reserve(pool, 2))
    return JAGER_ERROR_MEMORY;
  uint8_t state = contact->state;
  double zeta_slip;
  jager_law exact = *law; /* a chord over segments that are still too steep would be too steep itself */
  exact.tolerance = 0.0;
  if (!jager_slip(&exact, pool, contact, contact->zeta, contact->fn, (vec2){0.0, 0.0}, JAGER_IN_MOVEMENTS, &zeta_slip))
    return JAGER_ERROR_MEMORY;
  lay_down(law, contact);
  if (zeta_slip >= contact->zeta) /* it held */
    contact->state = state;
  contact->friction = law->friction;
  return JAGER_OK;
}

/* ---- Stiffness that has changed --------------------------------------------------------------------------------- */

/* Forces spent of the tolerance grow with all other forces; rounded up, they keep their order. */
static uint32_t scale_spent(uint32_t spent, double factor)
{
  return jager_half_above(factor * jager_whole(spent));
}

jager_status jager_contact_restiffen(const jager_law *law, jager_contact *contact, double radius_a, double radius_b)
{
  jager_contact like;
  jager_status status = contact ? jager_contact_init(&like, law, radius_a, radius_b) : JAGER_ERROR_NULL;
  if (status != JAGER_OK)
    return status;
  if (contact->model != JAGER_MODEL_JAGER || law->model != JAGER_MODEL_JAGER)
    return JAGER_ERROR_UNSUPPORTED;
  double factor = like.stiffness / contact->stiffness;
  contact->stiffness = like.stiffness;
  if (!(contact->zeta > 0.0))
    return JAGER_OK;
  contact->fn = jager_normal_force(law, like.stiffness, contact->zeta);
  contact->fn_base = jager_normal_force(law, like.stiffness, contact->zeta_base);
  contact->fn_under = jager_normal_force(law, like.stiffness, contact->zeta_under);
  contact->spent = scale_spent(contact->spent, factor);
  contact->spent_under = scale_spent(contact->spent_under, factor);
  unsigned fill = contact->fill;
  for (jager_node *node = contact->spent > 0 ? contact->node : NULL; node;
       node = node->below, fill = JAGER_NODE_ENTRIES)
    for (unsigned i = 0; i < fill; i++)
      node->spent[i] = scale_spent(node->spent[i], factor);
  jager_sum_anchor(law, contact);
  return JAGER_OK;
}

/* ---- Movements ------------------------------------------------------------------------------------------------- */

/* Δξ/κ, as far as it happens in touch: bodies that were apart touch on the way, bodies that part do so on the way. */
static JAGER_INLINE vec2 shift_in_touch(const jager_law *law, const jager_contact *contact, double zeta,
                                        const double dxi[2])
{
  double from = contact->zeta, share = law->inverse_kappa;
  if (from < 0.0 && zeta > 0.0)
    share *= zeta / (zeta - from);
  else if (from > 0.0 && zeta < 0.0)
    share *= from / (from - zeta);
  return (vec2){dxi[0] * share, dxi[1] * share};
}

/* A contact that touches moves on to ζ > 0; friction is as before. */
static JAGER_INLINE jager_status move_on(const jager_law *law, jager_pool *pool, jager_contact *contact, double zeta,
                                         vec2 e, double *zeta_slip)
{
  if (zeta == contact->zeta) {
    if (e.x == 0.0 && e.y == 0.0) {
      *zeta_slip = zeta;
      return JAGER_OK; /* nothing happens, and not a bit of the history changes */
    }
  }
  double fn = jager_normal_force(law, contact->stiffness, zeta);
  e = (vec2){e.x + contact->rest[0], e.y + contact->rest[1]};
  return jager_step_on(law, pool, contact, zeta, fn, e, JAGER_IN_MOVEMENTS, zeta_slip) ? JAGER_OK : JAGER_ERROR_MEMORY;
}

/* Any movement of "jager". zeta_slip: see jager_slip. */
static JAGER_COLD jager_status move(const jager_law *law, jager_pool *pool, jager_contact *contact, double zeta, vec2 e,
                                    double *zeta_slip)
{
  *zeta_slip = 0.0;
  if (!(zeta > 0.0)) {
    jager_contact_part(law, pool, contact, zeta);
    return JAGER_OK;
  }
  jager_status status = jager_adopt_friction(law, pool, contact);
  if (status != JAGER_OK)
    return status;
  if (contact->zeta > 0.0)
    status = move_on(law, pool, contact, zeta, e, zeta_slip);
  else
    jager_touch(law, contact, zeta, jager_normal_force(law, contact->stiffness, zeta), zeta, e, zeta_slip);
  if (status == JAGER_OK)
    contact->friction = law->friction;
  return status;
}

jager_force jager_contact_force(const jager_contact *contact)
{
  return jager_force_of(contact);
}

static JAGER_COLD jager_status move_uncommon(const jager_law *law, jager_pool *pool, jager_contact *contact,
                                             double zeta, const double dxi[2])
{
  jager_status status = jager_check_movement(law, pool, contact, zeta, dxi);
  if (status != JAGER_OK)
    return status;
  double zeta_slip;
  return move(law, pool, contact, zeta, shift_in_touch(law, contact, zeta, dxi), &zeta_slip);
}

JAGER_CLONED jager_status jager_contact_move(const jager_law *law, jager_pool *pool, jager_contact *contact,
                                             double zeta, const double dxi[2], jager_force *force)
{
  if (!law || !pool || !contact || !dxi)
    return JAGER_ERROR_NULL;
  jager_status status;
  if (jager_is_common(law, contact, zeta, dxi)) {
    double zeta_slip;
    vec2 e = {dxi[0] * law->inverse_kappa, dxi[1] * law->inverse_kappa};
    status = move_on(law, pool, contact, zeta, e, &zeta_slip);
  } else if (law->model == JAGER_MODEL_JAGER) {
    status = move_uncommon(law, pool, contact, zeta, dxi);
  } else {
    status = jager_check_movement(law, pool, contact, zeta, dxi);
    if (status == JAGER_OK)
      status = jager_baseline_move(law, pool, contact, zeta, dxi);
  }
  if (status == JAGER_OK && force)
    *force = jager_force_of(contact);
  return status;
}

/* ---- Movements with their energies ------------------------------------------------------------------------------ */

/*
 * A copy of the nodes that hold the topmost segments; the nodes below are shared. The top node is always a copy, as the
 * next push may write to it. The two segments that lie in the contact are counted, too: so two entries are to spare,
 * and only a movement that drops five segments more than it may would give back a node that is not its own.
 */
static jager_status copy_upper(const jager_contact *contact, jager_pool *pool, uint32_t segments, jager_trial *trial)
{
  size_t nodes = 0, entries = 0;
  jager_node *shared = contact->node;
  for (unsigned fill = contact->fill; shared && (nodes == 0 || entries < segments); fill = JAGER_NODE_ENTRIES) {
    entries += fill;
    nodes++;
    shared = shared->below;
  }
  if (!jager_pool_reserve(pool, nodes))
    return JAGER_ERROR_MEMORY;
  trial->moved = *contact;
  trial->shared = shared;
  jager_node **link = &trial->moved.node;
  for (const jager_node *from = contact->node; from != shared; from = from->below) {
    *link = jager_pool_take(pool);
    **link = *from;
    link = &(*link)->below;
  }
  *link = shared;
  return JAGER_OK;
}

/* Friction has become less: the history changes all the way down, and both sides of the movement need their own. */
static JAGER_COLD jager_status copy_with_less_friction(const jager_law *law, jager_pool *pool,
                                                       const jager_contact *contact, jager_trial *trial)
{
  jager_status status = jager_contact_clone(contact, pool, &trial->held);
  if (status != JAGER_OK)
    return status;
  status = jager_adopt_friction(law, pool, &trial->held);
  if (status == JAGER_OK)
    status = jager_contact_clone(&trial->held, pool, &trial->moved);
  if (status != JAGER_OK) {
    jager_contact_forget(pool, &trial->held);
    return status;
  }
  trial->held_is_copy = true;
  trial->let_go = fmax(0.0, jager_shear_energy(law, contact) - jager_shear_energy(law, &trial->held));
  return JAGER_OK;
}

jager_status jager_trial_begin(const jager_law *law, jager_pool *pool, const jager_contact *contact, uint32_t segments,
                               jager_trial *trial)
{
  *trial = (jager_trial){.held = *contact};
  if (law->friction < contact->friction)
    return copy_with_less_friction(law, pool, contact, trial);
  return copy_upper(contact, pool, segments, trial);
}

void jager_trial_end(jager_pool *pool, jager_contact *contact, jager_trial *trial, bool keep)
{
  if (trial->held_is_copy)
    jager_contact_forget(pool, &trial->held);
  free_nodes(pool, keep ? contact->node : trial->moved.node, trial->shared);
  if (keep)
    *contact = trial->moved;
}

/* True if the movement is elastic for sure: then it dissipates nothing. */
static bool is_elastic(const jager_law *law, const jager_contact *contact, double zeta, vec2 e)
{
  double reach = law->friction * (zeta - contact->zeta);
  vec2 v = {e.x + contact->rest[0], e.y + contact->rest[1]};
  return contact->zeta > 0.0 && law->friction >= contact->friction && zeta > contact->zeta &&
         jager_dot(v, v) < reach * reach;
}

/* An elastic movement of the exact law, carried out without a trial. */
static jager_status climb_with_energy(const jager_law *law, jager_pool *pool, jager_contact *contact, double zeta,
                                      vec2 e, jager_energy_change *change)
{
  double zeta_before = contact->zeta, zeta_slip;
  jager_force before = jager_contact_force(contact);
  jager_status status = move(law, pool, contact, zeta, e, &zeta_slip);
  change->dissipated = 0.0;
  if (status == JAGER_OK && change->wants_tangential)
    change->tangential = jager_climb_energy(law, contact, zeta_before, before.ft);
  return status;
}

static jager_status move_jager_energy(const jager_law *law, jager_pool *pool, jager_contact *contact, double zeta,
                                      const double dxi[2], jager_energy_change *change)
{
  jager_trial trial;
  double zeta_slip;
  vec2 e = shift_in_touch(law, contact, zeta, dxi);
  bool changes_below = law->tolerance > 0.0 || law->dp_max > 0.0; /* an elastic movement may simplify the history */
  if (is_elastic(law, contact, zeta, e) && !(changes_below && change->wants_tangential))
    return climb_with_energy(law, pool, contact, zeta, e, change);
  vec2 v = {e.x + contact->rest[0], e.y + contact->rest[1]};
  double fn = zeta > 0.0 ? jager_normal_force(law, contact->stiffness, zeta) : 0.0;
  uint32_t segments = jager_segments_at_stake(law, contact, zeta, fn, v, JAGER_IN_MOVEMENTS);
  jager_status status = jager_trial_begin(law, pool, contact, segments, &trial);
  if (status != JAGER_OK)
    return status;
  status = move(law, pool, &trial.moved, zeta, e, &zeta_slip);
  if (status == JAGER_OK) {
    change->dissipated = trial.let_go + jager_dissipation(law, &trial.held, fmax(0.0, zeta), e, zeta_slip);
    if (change->wants_tangential)
      change->tangential = jager_shear_energy_change(law, contact, &trial.moved, jager_trial_depth(&trial));
    if (!isfinite(change->dissipated))
      status = JAGER_ERROR_TOO_LARGE;
  }
  jager_trial_end(pool, contact, &trial, status == JAGER_OK);
  return status;
}

/* A comparison law is no continuum of springs: what its work does not store it dissipates, with either sign. */
static jager_status move_baseline_energy(const jager_law *law, jager_pool *pool, jager_contact *contact, double zeta,
                                         const double dxi[2], jager_energy_change *change)
{
  double stored = jager_baseline_shear_energy(law, contact);
  vec2 e = shift_in_touch(law, contact, zeta, dxi);
  jager_force before = jager_contact_force(contact);
  jager_status status = jager_baseline_move(law, pool, contact, zeta, dxi);
  if (status != JAGER_OK)
    return status;
  jager_force after = jager_contact_force(contact);
  double work = law->kappa * ((before.ft[0] + after.ft[0]) * e.x + (before.ft[1] + after.ft[1]) * e.y);
  change->tangential = jager_baseline_shear_energy(law, contact) - stored;
  change->dissipated = work - change->tangential;
  return JAGER_OK;
}

jager_status jager_move_with_energy(const jager_law *law, jager_pool *pool, jager_contact *contact, double zeta,
                                    const double dxi[2], jager_energy_change *change)
{
  jager_status status = jager_check_movement(law, pool, contact, zeta, dxi);
  if (status != JAGER_OK)
    return status;
  return law->model == JAGER_MODEL_JAGER ? move_jager_energy(law, pool, contact, zeta, dxi, change)
                                         : move_baseline_energy(law, pool, contact, zeta, dxi, change);
}

jager_status jager_contact_move_energy(const jager_law *law, jager_pool *pool, jager_contact *contact, double zeta,
                                       const double dxi[2], jager_force *force, jager_energy *energy)
{
  if (!energy)
    return JAGER_ERROR_NULL;
  jager_energy_change change = {.wants_tangential = false};
  jager_status status = jager_move_with_energy(law, pool, contact, zeta, dxi, &change);
  if (status != JAGER_OK)
    return status;
  if (force)
    *force = jager_contact_force(contact);
  status = jager_contact_stored(law, contact, energy);
  energy->dissipated = change.dissipated;
  return status;
}

/* ---- Reading, releasing ---------------------------------------------------------------------------------------- */

jager_status jager_contact_history(const jager_law *law, const jager_contact *contact, jager_point *points,
                                   size_t capacity)
{
  if (!law || !contact || !points)
    return JAGER_ERROR_NULL;
  if (contact->model != JAGER_MODEL_JAGER || law->model != JAGER_MODEL_JAGER)
    return JAGER_ERROR_UNSUPPORTED;
  if (capacity < contact->length)
    return JAGER_ERROR_CAPACITY;
  points[0] = (jager_point){.zeta = 0.0};
  if (contact->length < 2)
    return JAGER_OK;
  jager_cursor at = jager_cursor_top(contact);
  for (uint32_t k = contact->length - 1;; k--, jager_cursor_descend(&at)) {
    double fn = jager_normal_force(law, contact->stiffness, at.zeta);
    points[k] = (jager_point){.zeta = at.zeta, .fn = fn, .p = {at.p.x, at.p.y}};
    if (jager_cursor_at_bottom(&at))
      return JAGER_OK;
  }
}

void jager_contact_release(jager_pool *pool, jager_contact *contact)
{
  if (pool && contact)
    jager_contact_forget(pool, contact);
}

jager_status jager_contact_stored(const jager_law *law, const jager_contact *contact, jager_energy *energy)
{
  if (!law || !contact || !energy)
    return JAGER_ERROR_NULL;
  if ((int)law->model != (int)contact->model)
    return JAGER_ERROR_MODEL;
  *energy =
      (jager_energy){.normal = jager_normal_energy(law, contact),
                     .tangential = contact->model == JAGER_MODEL_JAGER ? jager_shear_energy(law, contact)
                                                                       : jager_baseline_shear_energy(law, contact)};
  return JAGER_OK;
}
