/* SPDX-License-Identifier: MIT */
/*
 * Many contacts moved at once: what jager_contact_move does, bit by bit, for several contacts side by side.
 *
 * Nearly all movements are one of four: elastic; a slip whose cone is entered in the top segment, or in the one under it;
 * or gross sliding that goes on. Which of them, and what the new top is, follows from what lies in the contact itself,
 * without a loop. It is computed here for all contacts by the same operations, chosen between by value, not by branch,
 * so that the compiler can put contacts into the lanes of vectors: roots and quotients, which take most of the time, come
 * four for one. (Each operation is that of walk.h, in its order: tests hold the two against each other.) Then each kind is
 * carried out in a loop of its own, in which the processor is not surprised by what comes next. All other movements
 * take the usual way.
 */
#include "walk.h"

enum { CHUNK = 64, AHEAD = 8 }; /* contacts side by side; and how far ahead they are fetched into the cache */

enum kind { KIND_ELASTIC, KIND_CUT_TOP, KIND_CUT_UNDER, KIND_SLIDE, KIND_OTHER, KIND_COUNT };

/* Contacts side by side: as they are, and what the movement makes of them. */
typedef struct lanes {
  double zeta[CHUNK], x[CHUNK], y[CHUNK], size[CHUNK]; /* the target: ζ, Δξ/κ; and the size of Δξ */
  double rest_x[CHUNK], rest_y[CHUNK];                 /* of the last movement, then of this one */
  double end[CHUNK], p_x[CHUNK], p_y[CHUNK], base[CHUNK];
  double under_x[CHUNK], under_y[CHUNK], under[CHUNK];
  double stiffness[CHUNK], friction[CHUNK];
  double segments[CHUNK]; /* that the contact has; 0: it is of another law */
  double fn[CHUNK], cut[CHUNK], fn_cut[CHUNK];
  double new_x[CHUNK], new_y[CHUNK];
  double fn_end[CHUNK]; /* Fn before the movement */
  double share[CHUNK];  /* of the tolerance: what the top has spent, then what it leaves of it, if it is dropped */
  double kind[CHUNK];
} lanes;

static JAGER_INLINE void fetch(const jager_contact *c)
{
#if defined(__GNUC__)
  __builtin_prefetch(c, 1);
  __builtin_prefetch((const char *)c + 64, 1);
  __builtin_prefetch((const char *)c + 128, 1);
#else
  (void)c;
#endif
}

/* A part of the movements. */
typedef struct chunk {
  const jager_law *law;
  jager_pool *pool;
  const jager_moves *moves;
  size_t first, count;
} chunk;

static JAGER_INLINE jager_contact *contact_of(const chunk *part, size_t k)
{
  return part->moves->contacts[part->first + k];
}

/* Fills whole vectors, at the end with copies of the last contact. Returns how many lanes that makes. */
static size_t load_lanes(const chunk *part, lanes *l)
{
  const double *zeta = part->moves->zeta, *dx = part->moves->dxi[0], *dy = part->moves->dxi[1];
  size_t whole = (part->count + 3) / 4 * 4;
  for (size_t k = 0; k < whole; k++) {
    size_t from = k < part->count ? k : part->count - 1, at = part->first + from;
    const jager_contact *c = contact_of(part, from);
    if (k + AHEAD < part->count)
      fetch(contact_of(part, k + AHEAD));
    l->zeta[k] = zeta[at];
    l->size[k] = fabs(zeta[at]) * (JAGER_XI_MAX / JAGER_ZETA_MAX) + fabs(dx[at]) + fabs(dy[at]);
    l->x[k] = dx[at] * part->law->inverse_kappa;
    l->y[k] = dy[at] * part->law->inverse_kappa;
    l->rest_x[k] = c->rest[0];
    l->rest_y[k] = c->rest[1];
    l->end[k] = c->zeta;
    l->p_x[k] = c->p[0];
    l->p_y[k] = c->p[1];
    l->base[k] = c->zeta_base;
    l->under_x[k] = c->p_under[0];
    l->under_y[k] = c->p_under[1];
    l->under[k] = c->zeta_under;
    l->stiffness[k] = c->stiffness;
    l->fn_end[k] = c->fn;
    l->share[k] = jager_whole(c->spent) - jager_whole(c->spent_under);
    l->friction[k] = c->friction;
    l->segments[k] = c->model == JAGER_MODEL_JAGER ? (double)(int32_t)c->length - 1.0 : 0.0;
  }
  return whole;
}

/* jager_step_on and jager_slip as far as the segment under the top, for contours of spheres. */
JAGER_VECTORISED static void find_moves(lanes *restrict l, size_t count, double f)
{
  for (size_t k = 0; k < count; k++) {
    double target = l->zeta[k], x = l->x[k], y = l->y[k], end = l->end[k], base = l->base[k], under = l->under[k];
    int moves = (target != end) | (x != 0.0) | (y != 0.0);
    int common = (l->size[k] <= JAGER_XI_MAX) & (target > 0.0) & (end > 0.0) & (l->friction[k] == f);
    x += l->rest_x[k];
    y += l->rest_y[k];
    double p_x = l->p_x[k], p_y = l->p_y[k], u_x = l->under_x[k], u_y = l->under_y[k], stiffness = l->stiffness[k];
    double rise = target - end, reach = f * rise;
    int elastic = (rise > 0.0) & (x * x + y * y < reach * reach);

    /* sideways from the bases of the two segments to the target; is it inside the cone? */
    double run = end - base, run_u = base - under;
    double b_x = x + run * p_x, b_y = y + run * p_y;
    double c_x = b_x + run_u * u_x, c_y = b_y + run_u * u_y;
    double depth = target - base, depth_u = target - under;
    int in_top = (depth > 0.0) & (b_x * b_x + b_y * b_y < f * f * depth * depth);
    int in_under = (depth_u > 0.0) & (c_x * c_x + c_y * c_y < f * f * depth_u * depth_u);

    /* the segment that is cut */
    double lost_x = 0.0 + jager_lost_one(x, run * p_x, b_x), lost_y = 0.0 + jager_lost_one(y, run * p_y, b_y);
    lost_x = in_top ? 0.0 : lost_x;
    lost_y = in_top ? 0.0 : lost_y;
    double v_x = in_top ? x : b_x, v_y = in_top ? y : b_y;
    double q_x = in_top ? p_x : u_x, q_y = in_top ? p_y : u_y;
    double from = in_top ? end : base, to = in_top ? base : under;

    /* where: jager_entry_into_cone */
    double up = from - target, level_x = v_x + up * q_x, level_y = v_y + up * q_y;
    double square = level_x * level_x + level_y * level_y, along = level_x * q_x + level_y * q_y;
    double c = f * f - (q_x * q_x + q_y * q_y), radicand = along * along + c * square;
    radicand = radicand < 0.0 ? 0.0 : radicand;
    double root = sqrt(radicand);
    double sum = root + along, difference = root - along;
    double numerator = along <= 0.0 ? square : sum, denominator = along <= 0.0 ? difference : c;
    double down = numerator / denominator;
    down = square > 0.0 ? down : 0.0;
    double least = target - from, most = target - to;
    double within = down > least ? down : least;
    within = within < most ? within : most;
    within = down >= 0.0 ? within : most;
    double cut = target - within;
    int regular = (cut < target) & (cut > to);

    /* the way from there to the target is the new top; that of gross sliding comes from zero */
    int slides = (l->segments[k] == 1.0) & !in_top;
    double left = from - cut, way_x = v_x + left * q_x, way_y = v_y + left * q_y, x_way = target - cut;
    lost_x += jager_lost_one(v_x, left * q_x, way_x);
    lost_y += jager_lost_one(v_y, left * q_y, way_y);
    way_x = slides ? b_x : way_x;
    way_y = slides ? b_y : way_y;
    double way_square = way_x * way_x + way_y * way_y;
    int in_range = (way_square > 1e-280) & (way_square < 1e280); /* else jager_with_length has more to do */
    double scale = f / sqrt(way_square), new_x = way_x * scale, new_y = way_y * scale;
    double rest_x = lost_x + (way_x + -x_way * new_x), rest_y = lost_y + (way_y + -x_way * new_y);

    l->fn[k] = stiffness * target * sqrt(target);
    l->cut[k] = cut;
    l->fn_cut[k] = stiffness * cut * sqrt(cut);
    l->x[k] = x;
    l->y[k] = y;
    l->new_x[k] = new_x;
    l->new_y[k] = new_y;
    l->rest_x[k] = rest_x;
    l->rest_y[k] = rest_y;
    double slip = in_top ? (double)KIND_CUT_TOP : (double)KIND_CUT_UNDER;
    slip = (regular & (in_top | in_under)) ? slip : (double)KIND_OTHER;
    slip = slides ? (double)KIND_SLIDE : slip;
    slip = in_range ? slip : (double)KIND_OTHER;
    double kind = elastic ? (double)KIND_ELASTIC : slip;
    l->kind[k] = (common & moves & (l->segments[k] > 0.0)) ? kind : (double)KIND_OTHER;
  }
}

/* What tops leave of what they have spent, if they are dropped; before find_moves adds the rest of the last movement. */
JAGER_VECTORISED static void find_carries(lanes *restrict l, size_t count, double f, double factor)
{
  for (size_t k = 0; k < count; k++) {
    double run = l->end[k] - l->base[k], x = l->x[k] + l->rest_x[k], y = l->y[k] + l->rest_y[k];
    vec2 v_base = {x + run * l->p_x[k], y + run * l->p_y[k]};
    l->share[k] = jager_carry(factor, f, l->share[k], l->end[k], l->fn_end[k], v_base, l->zeta[k] - l->base[k]);
  }
}

/* Contacts of a chunk by kind, in the order in which they came. */
typedef struct sorted {
  uint8_t list[KIND_COUNT][CHUNK];
  size_t count[KIND_COUNT];
} sorted;

static void sort_moves(const lanes *l, size_t count, sorted *s)
{
  memset(s, 0, sizeof *s);
  for (size_t k = 0; k < count; k++) {
    /* NOLINTNEXTLINE(clang-analyzer-core.uninitialized.Assign): find_moves has filled them all */
    size_t kind = (size_t)l->kind[k];
    s->list[kind][s->count[kind]++] = (uint8_t)k;
  }
}

/* ---- Carrying out -------------------------------------------------------------------------------------------------- */

/* Nodes that the movements may take: with these at hand none can fail. An uncommon one may lose friction first. */
static size_t nodes_needed(const chunk *part, const sorted *s)
{
  size_t needed = 3 * s->count[KIND_OTHER];
  for (int kind = KIND_ELASTIC; kind <= KIND_CUT_TOP; kind++)
    for (size_t i = 0; i < s->count[kind]; i++) {
      const jager_contact *c = contact_of(part, s->list[kind][i]);
      needed += !c->node || c->fill == JAGER_NODE_ENTRIES;
    }
  return needed;
}

/* Whether all can be moved: those found side by side can. */
static jager_status check_chunk(const chunk *part, const sorted *s)
{
  for (size_t i = 0; i < s->count[KIND_OTHER]; i++) {
    size_t k = s->list[KIND_OTHER][i], at = part->first + k;
    double dxi[2] = {part->moves->dxi[0][at], part->moves->dxi[1][at]};
    jager_status status = jager_check_movement(part->law, part->pool, contact_of(part, k), part->moves->zeta[at], dxi);
    if (status != JAGER_OK)
      return status;
  }
  return jager_pool_reserve(part->pool, nodes_needed(part, s)) ? JAGER_OK : JAGER_ERROR_MEMORY;
}

static JAGER_INLINE void tell_force(const chunk *part, size_t k, jager_force force)
{
  part->moves->fn[part->first + k] = force.fn;
  part->moves->ft[0][part->first + k] = force.ft[0];
  part->moves->ft[1][part->first + k] = force.ft[1];
}

static void cut_under(const chunk *part, const lanes *l, size_t k)
{
  jager_contact *c = contact_of(part, k);
  jager_take_over(c, c->spent_under, l->share[k]);
  jager_set_base(c, l->cut[k], l->fn_cut[k]);
  jager_set_top(c, l->zeta[k], l->fn[k], (vec2){l->new_x[k], l->new_y[k]}, (vec2){l->rest_x[k], l->rest_y[k]});
  c->state = JAGER_SLIP;
  tell_force(part, k, jager_force_of(c));
}

static void slide_on(const chunk *part, const lanes *l, size_t k)
{
  jager_contact *c = contact_of(part, k);
  jager_slide(c, l->zeta[k], l->fn[k], (vec2){l->new_x[k], l->new_y[k]});
  tell_force(part, k, jager_force_of(c));
}

/* There is memory: nothing can fail. */
static void cut_top(const chunk *part, const lanes *l, size_t k)
{
  jager_contact *c = contact_of(part, k);
  vec2 p = {l->new_x[k], l->new_y[k]};
  (void)jager_cut_top(part->law, part->pool, c, l->zeta[k], l->cut[k], l->fn_cut[k], &p, JAGER_IN_MOVEMENTS);
  jager_set_top(c, l->zeta[k], l->fn[k], p, (vec2){l->rest_x[k], l->rest_y[k]});
  c->state = JAGER_SLIP;
  jager_keep_short(part->law, part->pool, c);
  tell_force(part, k, jager_force_of(c));
}

static void climb_on(const chunk *part, const lanes *l, size_t k)
{
  jager_contact *c = contact_of(part, k);
  double rise = l->zeta[k] - c->zeta;
  vec2 p = {l->x[k] / rise, l->y[k] / rise};
  (void)jager_climb(part->law, part->pool, c, l->zeta[k], l->fn[k], p, JAGER_IN_MOVEMENTS);
  tell_force(part, k, jager_force_of(c));
}

static void move_other(const chunk *part, size_t k)
{
  size_t at = part->first + k;
  double dxi[2] = {part->moves->dxi[0][at], part->moves->dxi[1][at]};
  jager_force force;
  (void)jager_contact_move(part->law, part->pool, contact_of(part, k), part->moves->zeta[at], dxi, &force);
  tell_force(part, k, force);
}

static void fetch_nodes(const chunk *part, const sorted *s, enum kind kind)
{
  for (size_t i = 0; i < s->count[kind]; i++)
    jager_contact_prefetch(contact_of(part, s->list[kind][i]));
}

static void carry_out(const chunk *part, const lanes *l, const sorted *s)
{
  fetch_nodes(part, s, KIND_OTHER);
  for (size_t i = 0; i < s->count[KIND_CUT_UNDER]; i++)
    cut_under(part, l, s->list[KIND_CUT_UNDER][i]);
  fetch_nodes(part, s, KIND_CUT_TOP);
  for (size_t i = 0; i < s->count[KIND_SLIDE]; i++)
    slide_on(part, l, s->list[KIND_SLIDE][i]);
  for (size_t i = 0; i < s->count[KIND_OTHER]; i++)
    move_other(part, s->list[KIND_OTHER][i]);
  fetch_nodes(part, s, KIND_ELASTIC);
  for (size_t i = 0; i < s->count[KIND_CUT_TOP]; i++)
    cut_top(part, l, s->list[KIND_CUT_TOP][i]);
  for (size_t i = 0; i < s->count[KIND_ELASTIC]; i++)
    climb_on(part, l, s->list[KIND_ELASTIC][i]);
}

static jager_status move_chunk(const chunk *part)
{
  lanes l;
  sorted s;
  size_t whole = load_lanes(part, &l);
  if (part->law->tolerance > 0.0)
    find_carries(&l, whole, part->law->friction, jager_peak_factor(part->law));
  find_moves(&l, whole, part->law->friction);
  sort_moves(&l, part->count, &s);
  jager_status status = check_chunk(part, &s);
  if (status == JAGER_OK)
    carry_out(part, &l, &s);
  return status;
}

/* Laws and contours that are not worked on side by side */
static jager_status move_single(const chunk *part)
{
  size_t at = part->first;
  double dxi[2] = {part->moves->dxi[0][at], part->moves->dxi[1][at]};
  jager_force force;
  jager_status status =
      jager_contact_move(part->law, part->pool, contact_of(part, 0), part->moves->zeta[at], dxi, &force);
  if (status == JAGER_OK)
    tell_force(part, 0, force);
  return status;
}

static bool is_complete(const jager_moves *m)
{
  return m->contacts && m->zeta && m->dxi[0] && m->dxi[1] && m->fn && m->ft[0] && m->ft[1];
}

jager_status jager_contacts_move(const jager_law *law, jager_pool *pool, const jager_moves *moves, size_t *moved)
{
  if (moved)
    *moved = 0;
  if (!law || !pool || !moves || (moves->count > 0 && !is_complete(moves)))
    return JAGER_ERROR_NULL;
  bool side_by_side = law->model == JAGER_MODEL_JAGER && law->contour == JAGER_CONTOUR_SPHERE;
  size_t largest = side_by_side ? CHUNK : 1;
  for (size_t first = 0; first < moves->count; first += largest) {
    size_t left = moves->count - first;
    chunk part = {law, pool, moves, first, left < largest ? left : largest};
    jager_status status = side_by_side ? move_chunk(&part) : move_single(&part);
    if (status != JAGER_OK)
      return status;
    if (moved)
      *moved = first + part.count;
  }
  return JAGER_OK;
}
