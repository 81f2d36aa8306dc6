/* SPDX-License-Identifier: MIT */
/*
 * Many contacts moved at once, with the results of jager_contact_move to the bit.
 *
 * Nearly all movements are one of four kinds: elastic; a slip that cuts the top segment; a slip that cuts the second
 * one; gross sliding that continues. The kind and the new top segment follow from the data in the contact itself,
 * without a loop. They are found for all contacts of a chunk by the functions of cone.h, which choose by value and not
 * by branch, so that the compiler puts contacts into the lanes of vectors: roots and quotients, which take most of the
 * time, come four at a time. Then each kind is carried out in a loop of its own, whose branches the processor predicts.
 * All other movements go the way of a single contact.
 */
#include "movement.h"

enum { CHUNK = 64, LANES = 4, AHEAD = 8 }; /* contacts in a chunk; contacts in a vector; distance of the prefetch */

enum kind { KIND_ELASTIC, KIND_CUT_TOP, KIND_CUT_SECOND, KIND_SLIDE, KIND_OTHER, KIND_COUNT };

/* The contacts of a chunk, one array for each quantity: as they are, and after the movement */
typedef struct lanes {
  double zeta[CHUNK], v_x[CHUNK], v_y[CHUNK];  /* the target: ζ; Δξ/κ, to which classify adds the residual */
  double size[CHUNK];                          /* movement_size */
  double residual_x[CHUNK], residual_y[CHUNK]; /* xi_residual: of the last movement, then of this one */
  double zeta_old[CHUNK], fn_old[CHUNK];
  double top_x[CHUNK], top_y[CHUNK], top_base[CHUNK];
  double second_x[CHUNK], second_y[CHUNK], second_base[CHUNK];
  double stiffness[CHUNK], friction[CHUNK];
  double segments[CHUNK]; /* of the history; 0: the contact is of another law */
  double share[CHUNK];    /* of the top in the error bound; then what a slip leaves of it (find_bounds_left) */
  double fn[CHUNK], zeta_cut[CHUNK], fn_cut[CHUNK], p_x[CHUNK], p_y[CHUNK]; /* after the movement */
  double kind[CHUNK];
} lanes;

/* A part of the movements */
typedef struct chunk {
  const jager_law *law;
  jager_pool *pool;
  const jager_moves *moves;
  size_t first, count;
} chunk;

static JAGER_INLINE contact_data *contact_at(const chunk *part, size_t k)
{
  return data_of(part->moves->contacts[part->first + k]);
}

/* ---- Finding ----------------------------------------------------------------------------------------------------- */

static JAGER_INLINE void prefetch_contact(const contact_data *c)
{
#if defined(__GNUC__)
  __builtin_prefetch(c, 1);
  __builtin_prefetch((const char *)c + 64, 1);
  __builtin_prefetch((const char *)c + 128, 1);
#else
  (void)c;
#endif
}

/* Its 120 bytes lie in two or three cache lines. */
static JAGER_INLINE void prefetch_node(const history_node *node)
{
#if defined(__GNUC__)
  if (node) {
    __builtin_prefetch(node);
    __builtin_prefetch((const char *)node + 64);
  }
#else
  (void)node;
#endif
}

void jager_contact_prefetch(const jager_contact *contact)
{
  prefetch_node(data_of_const(contact)->node);
}

static JAGER_INLINE void load_lane(const chunk *part, size_t from, lanes *l, size_t k)
{
  size_t at = part->first + from;
  const contact_data *c = contact_at(part, from);
  double zeta = part->moves->zeta[at], dxi_x = part->moves->dxi[0][at], dxi_y = part->moves->dxi[1][at];
  l->zeta[k] = zeta;
  l->size[k] = movement_size(zeta, dxi_x, dxi_y);
  l->v_x[k] = dxi_x * part->law->inverse_kappa;
  l->v_y[k] = dxi_y * part->law->inverse_kappa;
  l->residual_x[k] = c->xi_residual.x;
  l->residual_y[k] = c->xi_residual.y;
  l->zeta_old[k] = c->zeta;
  l->fn_old[k] = c->fn;
  l->top_x[k] = c->top.p.x;
  l->top_y[k] = c->top.p.y;
  l->top_base[k] = c->top.zeta_base;
  l->second_x[k] = c->second.p.x;
  l->second_y[k] = c->second.p.y;
  l->second_base[k] = c->second.zeta_base;
  l->stiffness[k] = c->stiffness;
  l->friction[k] = c->friction;
  l->segments[k] = c->model == JAGER_MODEL_JAGER ? (double)(int32_t)c->length - 1.0 : 0.0;
  l->share[k] = top_share(c);
}

/* Fills whole vectors, at the end with copies of the last contact. Returns the number of lanes. */
static size_t load_lanes(const chunk *part, lanes *l)
{
  size_t whole = (part->count + LANES - 1) / LANES * LANES;
  for (size_t k = 0; k < whole; k++) {
    if (k + AHEAD < part->count)
      prefetch_contact(contact_at(part, k + AHEAD));
    load_lane(part, k < part->count ? k : part->count - 1, l, k);
  }
  return whole;
}

static JAGER_INLINE vec2 select_vec2(bool first, vec2 a, vec2 b)
{
  return (vec2){first ? a.x : b.x, first ? a.y : b.y};
}

static JAGER_INLINE seen_segment select_segment(bool first, seen_segment a, seen_segment b)
{
  return (seen_segment){select_vec2(first, a.p, b.p),
                        first ? a.end : b.end,
                        first ? a.base : b.base,
                        select_vec2(first, a.v, b.v),
                        select_vec2(first, a.v_base, b.v_base),
                        select_vec2(first, a.v_error, b.v_error)};
}

static JAGER_INLINE double kind_of(bool elastic, bool slides, bool in_top, bool in_second, bool cut_is_inside,
                                   bool in_range)
{
  double slip_kind = in_top ? (double)KIND_CUT_TOP : (double)KIND_CUT_SECOND;
  slip_kind = (cut_is_inside & (in_top | in_second)) ? slip_kind : (double)KIND_OTHER;
  slip_kind = slides ? (double)KIND_SLIDE : slip_kind;
  slip_kind = in_range ? slip_kind : (double)KIND_OTHER;
  return elastic ? (double)KIND_ELASTIC : slip_kind;
}

/* `step` of algorithm.h for contours of spheres, as far as the second segment */
JAGER_VECTORISED static void classify(lanes *restrict l, size_t count, double f)
{
  for (size_t k = 0; k < count; k++) {
    const double target = l->zeta[k], zeta_old = l->zeta_old[k];
    vec2 v = {l->v_x[k], l->v_y[k]};
    bool moves = (target != zeta_old) | (v.x != 0.0) | (v.y != 0.0);
    bool common = movement_is_common(l->size[k], zeta_old, target, l->friction[k], f) & (l->segments[k] > 0.0);
    v = vec2_add(v, (vec2){l->residual_x[k], l->residual_y[k]});
    seen_segment top = see_top((vec2){l->top_x[k], l->top_y[k]}, zeta_old, l->top_base[k], v);
    seen_segment second = see_below(top, (vec2){l->second_x[k], l->second_y[k]}, l->second_base[k]);
    bool elastic = cone_contains_top(f, target - zeta_old, v);
    bool in_top = cone_contains(f, target - top.base, top.v_base);
    bool in_second = cone_contains(f, target - second.base, second.v_base);

    seen_segment i = select_segment(in_top, top, second);
    double cut = cone_entry(f, target, i);
    bool cut_is_inside = (cut < target) & (cut > i.base);
    bool slides = (l->segments[k] == 1.0) & !in_top;
    cone_way way = way_from(i, cut, target);
    way.v = select_vec2(slides, top.v_base, way.v);
    double square = vec2_dot(way.v, way.v);
    vec2 p = vec2_scale_to(way.v, square, f);
    vec2 residual = way_residual(way, p);

    double kind = kind_of(elastic, slides, in_top, in_second, cut_is_inside, square_is_in_range(square));
    l->kind[k] = (common & moves) ? kind : (double)KIND_OTHER;
    l->fn[k] = normal_force_of_spheres(l->stiffness[k], target);
    l->zeta_cut[k] = cut;
    l->fn_cut[k] = normal_force_of_spheres(l->stiffness[k], cut);
    l->v_x[k] = v.x;
    l->v_y[k] = v.y;
    l->p_x[k] = p.x;
    l->p_y[k] = p.y;
    l->residual_x[k] = residual.x;
    l->residual_y[k] = residual.y;
  }
}

/* What a slip leaves of the shares of tops that are dropped; called before classify, which changes the residuals. */
JAGER_VECTORISED static void find_bounds_left(lanes *restrict l, size_t count, double f, double factor)
{
  for (size_t k = 0; k < count; k++) {
    vec2 v = {l->v_x[k] + l->residual_x[k], l->v_y[k] + l->residual_y[k]};
    seen_segment top = see_top((vec2){l->top_x[k], l->top_y[k]}, l->zeta_old[k], l->top_base[k], v);
    l->share[k] =
        bound_after_slip(factor, f, l->share[k], l->zeta_old[k], l->fn_old[k], top.v_base, l->zeta[k] - l->top_base[k]);
  }
}

/* The contacts of a chunk by kind, in their order */
typedef struct sorted_kinds {
  uint8_t list[KIND_COUNT][CHUNK];
  size_t count[KIND_COUNT];
} sorted_kinds;

static void sort_by_kind(const lanes *l, size_t count, sorted_kinds *s)
{
  memset(s, 0, sizeof *s);
  for (size_t k = 0; k < count; k++) {
    /* NOLINTNEXTLINE(clang-analyzer-core.uninitialized.Assign): classify has set them all */
    size_t kind = (size_t)l->kind[k];
    s->list[kind][s->count[kind]++] = (uint8_t)k;
  }
}

/* ---- Checking ---------------------------------------------------------------------------------------------------- */

/* An upper bound of the nodes that the movements take. A movement of another kind may lose friction first. */
static size_t nodes_needed(const chunk *part, const sorted_kinds *s)
{
  size_t needed = 3 * s->count[KIND_OTHER];
  for (int kind = KIND_ELASTIC; kind <= KIND_CUT_TOP; kind++)
    for (size_t i = 0; i < s->count[kind]; i++)
      needed += entry_push_needs_node(contact_at(part, s->list[kind][i]));
  return needed;
}

/* Can all be moved? Only movements of other kinds can have errors. */
static jager_status check_chunk(const chunk *part, const sorted_kinds *s)
{
  for (size_t i = 0; i < s->count[KIND_OTHER]; i++) {
    size_t k = s->list[KIND_OTHER][i], at = part->first + k;
    double dxi[2] = {part->moves->dxi[0][at], part->moves->dxi[1][at]};
    jager_status status = check_movement(part->law, part->pool, contact_at(part, k), part->moves->zeta[at], dxi);
    if (status != JAGER_OK)
      return status;
  }
  return jager_pool_reserve(part->pool, nodes_needed(part, s)) ? JAGER_OK : JAGER_ERROR_MEMORY;
}

/* ---- Carrying out: the memory is reserved, so that nothing can fail ---------------------------------------------- */

static JAGER_INLINE void store_force(const chunk *part, size_t k, jager_force force)
{
  part->moves->fn[part->first + k] = force.fn;
  part->moves->ft[0][part->first + k] = force.ft[0];
  part->moves->ft[1][part->first + k] = force.ft[1];
}

static JAGER_INLINE void move_kind(const chunk *part, const lanes *l, size_t k, enum kind kind)
{
  contact_data *c = contact_at(part, k);
  step_target t = {l->zeta[k], l->fn[k], {l->v_x[k], l->v_y[k]}, SPACE_MOVEMENT};
  if (kind == KIND_ELASTIC)
    (void)step_elastic(part->law, part->pool, c, t);
  else if (kind == KIND_SLIDE)
    slide(part->law, part->pool, c, t, (vec2){l->p_x[k], l->p_y[k]});
  else
    (void)slip(part->law, part->pool, c, t,
               (slip_cut){.in_second = kind == KIND_CUT_SECOND,
                          .zeta = l->zeta_cut[k],
                          .fn = l->fn_cut[k],
                          .p = {l->p_x[k], l->p_y[k]},
                          .xi_residual = {l->residual_x[k], l->residual_y[k]},
                          .bound_left = l->share[k]});
  assert(jager_history_is_valid(c));
  store_force(part, k, force_of(c));
}

static jager_status move_single(const chunk *part, size_t k)
{
  size_t at = part->first + k;
  double dxi[2] = {part->moves->dxi[0][at], part->moves->dxi[1][at]};
  jager_force force;
  jager_status status =
      jager_contact_move(part->law, part->pool, part->moves->contacts[at], part->moves->zeta[at], dxi, &force);
  if (status == JAGER_OK)
    store_force(part, k, force);
  return status;
}

static void prefetch_nodes(const chunk *part, const sorted_kinds *s, enum kind kind)
{
  for (size_t i = 0; i < s->count[kind]; i++)
    prefetch_node(contact_at(part, s->list[kind][i])->node);
}

/* The nodes of one kind are fetched into the cache while contacts of another kind move. */
static void carry_out(const chunk *part, const lanes *l, const sorted_kinds *s)
{
  prefetch_nodes(part, s, KIND_OTHER);
  for (size_t i = 0; i < s->count[KIND_CUT_SECOND]; i++)
    move_kind(part, l, s->list[KIND_CUT_SECOND][i], KIND_CUT_SECOND);
  prefetch_nodes(part, s, KIND_CUT_TOP);
  for (size_t i = 0; i < s->count[KIND_SLIDE]; i++)
    move_kind(part, l, s->list[KIND_SLIDE][i], KIND_SLIDE);
  for (size_t i = 0; i < s->count[KIND_OTHER]; i++)
    (void)move_single(part, s->list[KIND_OTHER][i]);
  prefetch_nodes(part, s, KIND_ELASTIC);
  for (size_t i = 0; i < s->count[KIND_CUT_TOP]; i++)
    move_kind(part, l, s->list[KIND_CUT_TOP][i], KIND_CUT_TOP);
  for (size_t i = 0; i < s->count[KIND_ELASTIC]; i++)
    move_kind(part, l, s->list[KIND_ELASTIC][i], KIND_ELASTIC);
}

static jager_status move_chunk(const chunk *part)
{
  lanes l;
  sorted_kinds s;
  size_t whole = load_lanes(part, &l);
  if (part->law->tolerance > 0.0)
    find_bounds_left(&l, whole, part->law->friction, slip_factor(part->law));
  classify(&l, whole, part->law->friction);
  sort_by_kind(&l, part->count, &s);
  jager_status status = check_chunk(part, &s);
  if (status == JAGER_OK)
    carry_out(part, &l, &s);
  return status;
}

/*
 * One contact after the other: for laws and contours that have no vectors, and for chunks in which a contact cannot be
 * moved, to find that contact. `moved` counts the contacts that have moved.
 */
static jager_status move_singly(const chunk *part, size_t *moved)
{
  jager_status status = JAGER_OK;
  for (*moved = 0; *moved < part->count; ++*moved) {
    status = move_single(part, *moved);
    if (status != JAGER_OK)
      break;
  }
  return status;
}

static void store_states(const chunk *part, size_t count)
{
  for (size_t k = 0; part->moves->state && k < count; k++)
    part->moves->state[part->first + k] = (jager_state)contact_at(part, k)->state;
}

static bool moves_are_complete(const jager_moves *m)
{
  return m->contacts && m->zeta && m->dxi[0] && m->dxi[1] && m->fn && m->ft[0] && m->ft[1];
}

static bool has_null(const chunk *part)
{
  bool found = false;
  for (size_t k = 0; k < part->count; k++)
    found |= !part->moves->contacts[part->first + k];
  return found;
}

jager_status jager_contacts_move(const jager_law *law, jager_pool *pool, const jager_moves *moves, size_t *moved)
{
  if (moved)
    *moved = 0;
  if (!law || !pool || !moves || (moves->count > 0 && !moves_are_complete(moves)))
    return JAGER_ERROR_NULL;
  bool in_vectors = law->model == JAGER_MODEL_JAGER && law->contour == JAGER_CONTOUR_SPHERE && law->modulus > 0.0;
  for (size_t first = 0; first < moves->count; first += CHUNK) {
    size_t left = moves->count - first;
    chunk part = {law, pool, moves, first, left < CHUNK ? left : CHUNK};
    size_t count = part.count;
    jager_status status = JAGER_OK;
    if (!in_vectors || has_null(&part) || move_chunk(&part) != JAGER_OK)
      status = move_singly(&part, &count);
    store_states(&part, count);
    if (moved)
      *moved = first + count;
    if (status != JAGER_OK)
      return status;
  }
  return JAGER_OK;
}
