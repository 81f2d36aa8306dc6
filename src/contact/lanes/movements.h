/* SPDX-License-Identifier: MIT */
/*
 * The movements of a chunk of contacts, side by side, with the results of jager_contact_move to the bit.
 *
 * Nearly all movements are one of four kinds: elastic; a slip that cuts the top segment; a slip that cuts the second
 * one; gross sliding that continues. Kind and new top follow from the data in the contact itself, without a loop:
 * find_moves is `step` of algorithm.h as far as the second segment, in the functions of cone.h. finish_move then
 * writes the new state of each contact. All other movements are made as single contacts.
 */
#ifndef JAGER_MOVEMENTS_H
#define JAGER_MOVEMENTS_H

#include "contact/power.h"
#include "lanes.h"
#include "transpose.h"

/* KIND_DEEP: a slip that drops the second segment; see deep.h */
enum kind { KIND_OTHER, KIND_ELASTIC, KIND_CUT_TOP, KIND_CUT_SECOND, KIND_SLIDE, KIND_DEEP };

/* Contacts of a chunk as bits */
typedef uint64_t chunk_bits;

/* The contacts of a chunk, one array for each quantity. */
typedef struct lanes {
  /* before the movement, in the order of the core of a record */
  _Alignas(64) double zeta_old[CHUNK];
  double fn_old[CHUNK], top_x[CHUNK], top_y[CHUNK];
  double top_base[CHUNK], top_fn[CHUNK], second_x[CHUNK], second_y[CHUNK];
  double second_base[CHUNK], second_fn[CHUNK], anchor_x[CHUNK], anchor_y[CHUNK];
  double anchor_low[CHUNK], bounds[CHUNK], residual_x[CHUNK], residual_y[CHUNK];
  double stiffness[CHUNK];
  int64_t tail[CHUNK];    /* node, shape, points and origin of the record, as bits */
  double segments[CHUNK]; /* in the contact: 1 or 2; 0: it does not touch, or has another law or friction */

  double zeta[CHUNK], dxi_x[CHUNK], dxi_y[CHUNK]; /* the movement */

  /* after it */
  double kind[CHUNK];
  double cut[CHUNK], fn_cut[CHUNK];                      /* where the top or second segment is cut */
  double p_x[CHUNK], p_y[CHUNK];                         /* slope of the new top */
  double slip_residual_x[CHUNK], slip_residual_y[CHUNK]; /* residual of a slip */
  double left[CHUNK];                                    /* what a slip leaves of the share of the top */
  double fn[CHUNK], ft_x[CHUNK], ft_y[CHUNK];
  double ft0_x[CHUNK], ft0_y[CHUNK]; /* before the movement */
} lanes;

/* The part of a law that lanes need */
typedef struct lane_law {
  double friction, inverse_kappa, tolerance;
  double curvature_factor, slip_factor; /* with a tolerance */
  bool merges;                          /* dp_max > 0: elastic steps are left to single contacts */
  jager_contour contour;
  split_exponent force_exponent; /* of a power contour */
} lane_law;

/* Fn(ζ), ζ > 0; all contacts of a sweep have one contour. */
static JAGER_INLINE real lane_normal_force(const lane_law *law, real stiffness, real zeta)
{
  if (law->contour == JAGER_CONTOUR_SPHERE)
    return normal_force_of_spheres(stiffness, zeta);
  if (law->contour == JAGER_CONTOUR_CONE)
    return normal_force_of_cones(stiffness, zeta);
  return stiffness * power_in_range(zeta, law->force_exponent);
}

/* ---- Pairs of 32-bit halves of doubles --------------------------------------------------------------------------- */

/* The first and the second word of a number that consists of two, each as the upper half of a double */
#define UPPER_HALF ((int64_t)0xFFFFFFFF00000000)
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define FIRST_IS_UPPER 1
#else
#define FIRST_IS_UPPER 0
#endif

static JAGER_INLINE integer shift_up(integer bits)
{
#if JAGER_WIDTH == 1
  return (integer)((uint64_t)bits << 32);
#else
  return bits << 32;
#endif
}

static JAGER_INLINE integer shift_down(integer bits)
{
#if JAGER_WIDTH == 1
  return (integer)((uint64_t)bits >> 32);
#else
  return (bits >> 32) & 0xFFFFFFFF;
#endif
}

static JAGER_INLINE real first_word(integer words)
{
  return real_from_bits(FIRST_IS_UPPER ? words & UPPER_HALF : shift_up(words));
}

static JAGER_INLINE real second_word(integer words)
{
  return real_from_bits(FIRST_IS_UPPER ? shift_up(words) : words & UPPER_HALF);
}

/* Both words from the upper halves of two numbers */
static JAGER_INLINE integer join_words(integer first, integer second)
{
  return FIRST_IS_UPPER ? (first & UPPER_HALF) | shift_down(second) : (second & UPPER_HALF) | shift_down(first);
}

/* number_high32_above of a >= 0, in the upper half */
static JAGER_INLINE integer upper_half_above(real a)
{
  integer half = real_bits(a) & UPPER_HALF;
#if JAGER_WIDTH == 1
  return half + (real_from_bits(half) < a ? (int64_t)1 << 32 : 0);
#else
  return half - ((real_from_bits(half) < a) & -((int64_t)1 << 32));
#endif
}

static JAGER_INLINE truth truth_of(bool a)
{
#if JAGER_WIDTH == 1
  return a;
#else
  return (truth){0} - (int64_t)a;
#endif
}

static JAGER_INLINE integer choose_bits(truth condition, integer a, integer b)
{
  return real_bits(choose(condition, real_from_bits(a), real_from_bits(b)));
}

/* ---- Node, shape, points and origin of a pair_record, as one number ---------------------------------------------- */

#if FIRST_IS_UPPER
enum { TAIL_SHAPE = 24, TAIL_POINTS = 16, TAIL_ORIGIN = 0 };
#else
enum { TAIL_SHAPE = 32, TAIL_POINTS = 40, TAIL_ORIGIN = 48 };
#endif

static JAGER_INLINE uint32_t tail_node(int64_t tail)
{
  return (uint32_t)(FIRST_IS_UPPER ? tail >> 32 : tail);
}

static JAGER_INLINE unsigned tail_fill(int64_t tail)
{
  return (unsigned)(tail >> (TAIL_SHAPE + SHAPE_FILL)) & 7;
}

static JAGER_INLINE integer tail_field(integer tail, int shift, int64_t mask)
{
  return (tail >> shift) & mask;
}

/* False for a long history that was exact until a tolerance was set: the next step shortens it. */
static JAGER_INLINE truth is_short(integer tail, int shift, double tolerance)
{
  return (tail_field(tail, shift, 0xFF) < (int64_t)GROWTH_MAX) | truth_of(!(tolerance > 0.0));
}

/* ---- Finding ----------------------------------------------------------------------------------------------------- */

static JAGER_INLINE vec2 lane_vec2(const double *x, const double *y, size_t k)
{
  return (vec2){real_load(x + k), real_load(y + k)};
}

static JAGER_INLINE real kind_of(truth elastic, truth slides, truth in_top, truth in_second)
{
  real slip = choose(in_top, real_of(KIND_CUT_TOP), choose(in_second, real_of(KIND_CUT_SECOND), real_of(KIND_DEEP)));
  return choose(elastic, real_of(KIND_ELASTIC), choose(slides, real_of(KIND_SLIDE), slip));
}

/* The segments that are cut, as they are seen from the targets */
typedef struct cut_lanes {
  _Alignas(64) double p_x[CHUNK];
  double p_y[CHUNK], end[CHUNK], v_x[CHUNK], v_y[CHUNK], error_x[CHUNK], error_y[CHUNK];
} cut_lanes;

/*
 * `step` of algorithm.h, as far as the second segment, for the contacts k ..., in two parts: with one root in each, a
 * processor has the contacts of several passes under way. First the kind and the cut.
 */
static JAGER_INLINE void find_cut_of(lanes *l, cut_lanes *c, size_t k, const lane_law *law)
{
  const double f = law->friction;
  const real target = real_load(l->zeta + k), zeta_old = real_load(l->zeta_old + k);
  const real dxi_x = real_load(l->dxi_x + k), dxi_y = real_load(l->dxi_y + k), segments = real_load(l->segments + k);
  vec2 v = {dxi_x * law->inverse_kappa, dxi_y * law->inverse_kappa};
  truth moves = (target != zeta_old) | (v.x != 0.0) | (v.y != 0.0);
  real size = movement_size(target, dxi_x, dxi_y);
  integer bounds = real_bits(real_load(l->bounds + k));
  truth known = truth_of(law->tolerance > 0.0) | (bounds == 0); /* exact histories have no bounds to account for */
  truth common = (size <= JAGER_XI_MAX) & (target >= JAGER_ZETA_MIN) & (zeta_old > 0.0) & (segments > 0.0) & known;
  v = vec2_add(v, lane_vec2(l->residual_x, l->residual_y, k));
  seen_segment top = see_top(lane_vec2(l->top_x, l->top_y, k), zeta_old, real_load(l->top_base + k), v);
  seen_segment second = see_below(top, lane_vec2(l->second_x, l->second_y, k), real_load(l->second_base + k));
  truth elastic = cone_contains_top(f, target - zeta_old, v);
  truth in_top = cone_contains(f, target - top.base, top.v_base);
  truth in_second = cone_contains(f, target - second.base, second.v_base);

  seen_segment i = choose_segment(in_top, top, second);
  real cut = cone_entry(f, target, i);
  truth cut_is_inside = (cut < target) & (cut > i.base);
  truth slides = (segments == 1.0) & truth_not(in_top);
  vec2 straight = vec2_divide(v, target - zeta_old);
  truth bends = (straight.x != top.p.x) | (straight.y != top.p.y);
  truth may_push = truth_of(law->tolerance > 0.0) | (truth_of(!law->merges) & bends);
  truth is_deep = truth_not(in_top | in_second | slides);
  truth regular = (elastic & may_push) | (truth_not(elastic) & (is_deep | cut_is_inside | slides));
  real kind = kind_of(elastic, slides, in_top, in_second);
  real_store(l->kind + k, choose(common & moves & regular, kind, real_of(KIND_OTHER)));
  real_store(l->cut + k, cut);
  real_store(l->p_x + k, straight.x);
  real_store(l->p_y + k, straight.y);
  real_store(c->p_x + k, i.p.x);
  real_store(c->p_y + k, i.p.y);
  real_store(c->end + k, i.end);
  real_store(c->v_x + k, i.v.x); /* for sliding: from the base of its top segment */
  real_store(c->v_y + k, i.v.y);
  real_store(c->error_x + k, i.v_error.x);
  real_store(c->error_y + k, i.v_error.y);
  if (law->tolerance > 0.0) {
    real share = first_word(bounds) - second_word(bounds);
    real_store(l->left + k, bound_after_slip(law->slip_factor, f, share, zeta_old, real_load(l->fn_old + k), top.v_base,
                                             target - top.base));
  }
}

/* Then the slope of the new top, and the normal forces. */
static JAGER_INLINE void find_slope_of(lanes *l, const cut_lanes *c, size_t k, const lane_law *law)
{
  const real target = real_load(l->zeta + k), cut = real_load(l->cut + k), kind = real_load(l->kind + k);
  const real stiffness = real_load(l->stiffness + k);
  const truth elastic = kind == (double)KIND_ELASTIC, deep = kind == (double)KIND_DEEP;
  const seen_segment i = {.p = lane_vec2(c->p_x, c->p_y, k),
                          .end = real_load(c->end + k),
                          .v = lane_vec2(c->v_x, c->v_y, k),
                          .v_error = lane_vec2(c->error_x, c->error_y, k)};
  cone_way way = way_from(i, cut, target);
  way.v = vec2_choose(kind == (double)KIND_SLIDE, i.v, way.v);
  real square = vec2_dot(way.v, way.v);
  vec2 p = vec2_scale_to(way.v, square, law->friction), residual = way_residual(way, p);
  p = vec2_choose(elastic, lane_vec2(l->p_x, l->p_y, k), p);
  real_store(l->kind + k, choose(elastic | deep | square_is_in_range(square), kind, real_of(KIND_OTHER)));
  real_store(l->fn + k, lane_normal_force(law, stiffness, target));
  real_store(l->fn_cut + k, lane_normal_force(law, stiffness, cut));
  real_store(l->p_x + k, p.x);
  real_store(l->p_y + k, p.y);
  real_store(l->slip_residual_x + k, residual.x);
  real_store(l->slip_residual_y + k, residual.y);
}

static JAGER_INLINE void find_moves(lanes *l, size_t count, const lane_law *law)
{
  cut_lanes cuts;
  for (size_t k = 0; k < count; k += JAGER_WIDTH)
    find_cut_of(l, &cuts, k, law);
  for (size_t k = 0; k < count; k += JAGER_WIDTH)
    find_slope_of(l, &cuts, k, law);
}

/* ---- Storing ----------------------------------------------------------------------------------------------------- */

/* The bits of `count` contacts of this kind */
static JAGER_INLINE chunk_bits bits_of_kind(const lanes *l, size_t count, enum kind kind)
{
  chunk_bits bits = 0;
  for (size_t k = 0; k < count; k += JAGER_WIDTH)
    bits |= (chunk_bits)truth_bits(real_load(l->kind + k) == (double)kind) << k;
  return bits;
}

/* The new state of the contacts k ... as it is stored */
typedef struct moved {
  real row[4][4]; /* of the core */
  truth pushes;   /* the top has become the second segment */
  truth other;    /* of another kind: nothing has changed */
  integer state;  /* jager_state */
} moved;

/* Joins or pushes: a new segment of slope p from (cut, fn_cut) to the target on the top segment */
static JAGER_INLINE truth join_lanes(const lanes *l, size_t k, const lane_law *law, real cut, real fn_cut, vec2 *p,
                                     integer *bounds)
{
  vec2 lower = lane_vec2(l->top_x, l->top_y, k), bend = vec2_subtract(*p, lower);
  real fn_base = real_load(l->top_fn + k), below = second_word(*bounds);
  tent t =
      tent_of(law->curvature_factor, bend, real_load(l->top_base + k), fn_base, cut, fn_cut, real_load(l->zeta + k));
  real bound = first_word(*bounds) + t.cost;
  truth straight = (bend.x == 0.0) & (bend.y == 0.0);
  truth joins = truth_not(straight) & (real_load(l->segments + k) > 1.0) & (fn_base > 0.0) &
                tent_is_allowed(law->tolerance * law->friction, fn_base, below, bound);
  *p = vec2_choose(joins, vec2_add_scaled(lower, t.weight, bend), *p);
  *bounds = choose_bits(joins, join_words(upper_half_above(bound), real_bits(below)), *bounds);
  return joins | straight;
}

/* set_bound_of_new_top */
static JAGER_INLINE integer bounds_of_new_top(integer bounds, real left)
{
  real second = second_word(bounds);
  integer grown = upper_half_above(second + left);
  return join_words(choose_bits(left > 0.0, grown, real_bits(second)), real_bits(second));
}

/* step_elastic, slip and slide of algorithm.h, chosen by kind; other contacts stay as they are */
static JAGER_INLINE moved finish_move(const lanes *l, size_t k, const lane_law *law)
{
  const real kind = real_load(l->kind + k), zero = real_of(0.0);
  const truth elastic = kind == (double)KIND_ELASTIC, cut_top = kind == (double)KIND_CUT_TOP;
  const truth cut_second = kind == (double)KIND_CUT_SECOND, slides = kind == (double)KIND_SLIDE;
  const truth slips = cut_top | cut_second, other = truth_not(elastic | slips | slides);
  const real zeta_old = real_load(l->zeta_old + k), fn_old = real_load(l->fn_old + k), zeta = real_load(l->zeta + k);
  const vec2 top_p = lane_vec2(l->top_x, l->top_y, k), second_p = lane_vec2(l->second_x, l->second_y, k);
  const real top_base = real_load(l->top_base + k), top_fn = real_load(l->top_fn + k);
  const real second_base = real_load(l->second_base + k), second_fn = real_load(l->second_fn + k);
  integer bounds = real_bits(real_load(l->bounds + k)), low = real_bits(real_load(l->anchor_low + k));

  real cut = choose(elastic, zeta_old, real_load(l->cut + k));
  real fn_cut = choose(elastic, fn_old, real_load(l->fn_cut + k));
  vec2 p = lane_vec2(l->p_x, l->p_y, k);
  truth pushes = elastic | cut_top;
  if (law->tolerance > 0.0) {
    vec2 joint = p;
    integer joint_bounds = bounds;
    truth joins = join_lanes(l, k, law, cut, fn_cut, &joint, &joint_bounds) & pushes;
    p = vec2_choose(joins, joint, p);
    bounds = choose_bits(joins, joint_bounds, bounds);
    bounds = choose_bits(cut_second, bounds_of_new_top(bounds, real_load(l->left + k)), bounds);
    bounds = choose_bits(slides, join_words(real_bits(zero), bounds), bounds);
    pushes = pushes & truth_not(joins);
    real top_bound = first_word(bounds);
    bounds = choose_bits(pushes, join_words(real_bits(top_bound), real_bits(top_bound)), bounds);
  }
  compensated_vec2 anchor = {lane_vec2(l->anchor_x, l->anchor_y, k), {first_word(low), second_word(low)}};
  compensated_vec2_add(&anchor, top_fn - second_fn, second_p);
  vec2 residual = {choose(slips, real_load(l->slip_residual_x + k), zero),
                   choose(slips, real_load(l->slip_residual_y + k), zero)};
  truth cuts = pushes | cut_second;
  moved m = {.pushes = pushes, .other = other};
  m.row[0][0] = choose(other, zeta_old, zeta);
  m.row[0][1] = choose(other, fn_old, real_load(l->fn + k));
  m.row[0][2] = choose(other, top_p.x, p.x);
  m.row[0][3] = choose(other, top_p.y, p.y);
  m.row[1][0] = choose(cuts, cut, top_base);
  m.row[1][1] = choose(cuts, fn_cut, top_fn);
  m.row[1][2] = choose(pushes, top_p.x, second_p.x);
  m.row[1][3] = choose(pushes, top_p.y, second_p.y);
  m.row[2][0] = choose(pushes, top_base, second_base);
  m.row[2][1] = choose(pushes, top_fn, second_fn);
  m.row[2][2] = choose(pushes, anchor.high.x, real_load(l->anchor_x + k));
  m.row[2][3] = choose(pushes, anchor.high.y, real_load(l->anchor_y + k));
  m.row[3][0] = real_from_bits(choose_bits(pushes, join_words(real_bits(anchor.low.x), real_bits(anchor.low.y)), low));
  m.row[3][1] = real_from_bits(bounds);
  m.row[3][2] = choose(other, real_load(l->residual_x + k), residual.x);
  m.row[3][3] = choose(other, real_load(l->residual_y + k), residual.y);
  real state = choose(elastic, real_from_bits((integer)(real_bits(zero) + JAGER_STATE_ELASTIC)),
                      real_from_bits((integer)(real_bits(zero) + JAGER_STATE_SLIP)));
  m.state = choose_bits(slides, real_bits(zero) + JAGER_STATE_SLIDE, real_bits(state));
  return m;
}

/* Ft after the movement; see force_of */
static JAGER_INLINE vec2 force_of_rows(const real row[4][4])
{
  real top_rise = row[0][1] - row[1][1], second_rise = row[1][1] - row[2][1];
  integer low = real_bits(row[3][0]);
  return (vec2){force_component(row[2][2], first_word(low), row[1][2], second_rise, row[0][2], top_rise),
                force_component(row[2][3], second_word(low), row[1][3], second_rise, row[0][3], top_rise)};
}

/* Ft before it */
static JAGER_INLINE vec2 force_before(const lanes *l, size_t k)
{
  const real top_fn = real_load(l->top_fn + k), second_rise = top_fn - real_load(l->second_fn + k);
  const real top_rise = real_load(l->fn_old + k) - top_fn;
  const integer low = real_bits(real_load(l->anchor_low + k));
  const vec2 anchor = lane_vec2(l->anchor_x, l->anchor_y, k), top_p = lane_vec2(l->top_x, l->top_y, k);
  const vec2 second_p = lane_vec2(l->second_x, l->second_y, k);
  return (vec2){force_component(anchor.x, first_word(low), second_p.x, second_rise, top_p.x, top_rise),
                force_component(anchor.y, second_word(low), second_p.y, second_rise, top_p.y, top_rise)};
}

/* ---- Entries of histories ---------------------------------------------------------------------------------------- */

static JAGER_INLINE unsigned lowest_bit(chunk_bits bits)
{
#if defined(__GNUC__)
  return (unsigned)__builtin_ctzll(bits);
#else
  unsigned k = 0;
  while (!(bits >> k & 1u))
    k++;
  return k;
#endif
}

/* The first `count` bits */
static JAGER_INLINE chunk_bits bits_below(size_t count)
{
  return count < 8 * sizeof(chunk_bits) ? ((chunk_bits)1 << count) - 1 : ~(chunk_bits)0;
}

/* The bits of the contacts k ... that are side by side */
static JAGER_INLINE chunk_bits group_bits(chunk_bits bits, size_t k)
{
  return bits >> k & (((chunk_bits)1 << JAGER_WIDTH) - 1);
}

/* NOLINTBEGIN(bugprone-macro-parentheses): k is declared here */
#define FOR_EACH_BIT(k, bits)                                                                                          \
  for (chunk_bits left_##k = (bits); left_##k; left_##k &= left_##k - 1)                                               \
    for (unsigned k = lowest_bit(left_##k), once_##k = 1; once_##k; once_##k = 0)
/* NOLINTEND(bugprone-macro-parentheses) */

static JAGER_INLINE void prefetch_node(const history_node *node)
{
  JAGER_PREFETCH(node);
  JAGER_PREFETCH((const char *)node + 64);
}

#endif
