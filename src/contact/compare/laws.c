/* SPDX-License-Identifier: MIT */
/*
 * The laws to compare with. A new law needs a case in move_by_law; check also the two functions after it.
 */
#include "laws.h"

/* ==== What all laws use =========================================================================================== */

/* A movement at whose end the bodies touch */
typedef struct compare_step {
  double zeta, fn;     /* after the movement */
  vec2 shift;          /* Δδ of the part of the movement in which the bodies touch */
  bool is_first_touch; /* the bodies were apart before */
} compare_step;

/* The latest turning point, and how many there are */
typedef struct turning_points {
  vec2 latest; /* zero if there is none */
  uint32_t count;
} turning_points;

/* dFt/dδ without slip */
static JAGER_INLINE double shear_stiffness(const jager_law *law, const contact_data *c, double zeta)
{
  if (law->model == JAGER_MODEL_LINEAR)
    return law->linear_kt > 0.0 ? law->linear_kt : 0.5 * c->stiffness * law->inverse_kappa;
  return 0.5 * law->inverse_kappa * normal_slope(law, c->stiffness, zeta);
}

/* Takes the newest entry off; zero if there is none. */
static JAGER_INLINE vec2 turning_point_pop(jager_pool *pool, contact_data *c)
{
  return c->fill > 0 ? entry_pop(pool, c) : (vec2){0.0, 0.0};
}

/* |v| > limit, without a square root where squares are in range */
static JAGER_INLINE bool is_longer(vec2 v, double limit)
{
  double square = vec2_dot(v, v), bound = limit * limit;
  if (bound > 1e-280 && square < 1e280)
    return square > bound;
  return vec2_length(v) > limit;
}

/* Stores the result of a movement. A force beyond friction is capped, and all turning points are forgotten. */
static JAGER_INLINE void store_result(const jager_law *law, jager_pool *pool, contact_data *c, const compare_step *s,
                                      vec2 ft, turning_points points, jager_state state)
{
  double limit = law->friction * s->fn;
  if (is_longer(ft, limit)) {
    ft = vec2_with_length(ft, limit);
    while (c->node)
      (void)turning_point_pop(pool, c);
    points = (turning_points){{0.0, 0.0}, 0};
    state = JAGER_STATE_SLIDE;
  }
  c->zeta = s->zeta;
  c->fn = c->top.fn_base = s->fn;
  c->anchor.ft = ft;
  c->top.p = points.latest;
  c->friction = law->friction;
  c->length = 2 + points.count;
  c->state = (uint8_t)state;
}

static JAGER_INLINE bool is_finite(vec2 v)
{
  return isfinite(v.x) && isfinite(v.y);
}

/* ==== Two springs with a cap ====================================================================================== */

/*
 * "linear" has constant stiffnesses; "hertz-mindlin" has kt(ζ), and Ft shrinks with the radius
 * of contact when N falls. Both are capped at f N.
 */

static JAGER_INLINE jager_status move_spring(const jager_law *law, jager_pool *pool, contact_data *c,
                                             const compare_step *s)
{
  double kt = shear_stiffness(law, c, s->zeta), kept = 1.0;
  if (law->model == JAGER_MODEL_HERTZ_MINDLIN && s->zeta < c->zeta) /* a/a_old, as Fn' ~ a */
    kept = kt / shear_stiffness(law, c, c->zeta);
  vec2 ft = {kept * c->anchor.ft.x + kt * s->shift.x, kept * c->anchor.ft.y + kt * s->shift.y};
  if (!is_finite(ft))
    return JAGER_ERROR_TOO_LARGE;
  store_result(law, pool, c, s, ft, (turning_points){{0.0, 0.0}, 0}, JAGER_STATE_ELASTIC);
  return JAGER_OK;
}

/* ==== The tangent stiffness of Mindlin and Deresiewicz ============================================================ */

/*
 * Two laws with the tangent stiffness of Mindlin and Deresiewicz: "modified-mindlin" and "zhang-vuquoc". They differ in
 * how many turning points they store.
 *
 * On first loading, slip has come inward to a depth ζ_s at which N was M = Fn(ζ_s) = N - T/f, and δ = 2κf (ζ - ζ_s).
 * With θ = Fn'(ζ_s)/Fn'(ζ),
 *
 *     dT = θ kt dδ + f (1 - θ) dN.
 *
 * After a reversal at T_k the new slip must first undo the old one: it has come to M = N - |T - T_k|/(2f), and the same
 * equation holds in its direction. Spheres have Fn ~ a³ and Fn' ~ a, so that θ³ = M/N; cones have θ² = M/N. A step
 * takes M at its start and N at its end:
 *
 *     θ³ = 1 - (T + fΔN)/(fN) = (f N_old - T)/(fN)   or   1 - (|T - T_k| + 2fΔN)/(2fN) = (f N_old - |T - T_k|/2)/(fN).
 *
 * Where kt |Δδ| < f ΔN nothing slips, and θ = 1. A turning point stands for slip that has come to M and stays there.
 * So T_k, which is T_{k-1} ± 2f (N - M), moves with N: by f ΔN, away from T_{k-1} (from 0, if it is the first). When
 * loading comes back to where a loop began, |T - T_k| = |T_{k-1} - T_k| (with one turning point: 2 |T_1|), the loop is
 * closed, and both its turning points are forgotten. "modified-mindlin" stores one turning point, which each reversal
 * replaces; "zhang-vuquoc" stores all.
 *
 * In two directions ΔT is along Δδ, the reversal is where (Ft - T_k)·Δδ < 0, and lengths take the place of absolute
 * values.
 *
 * Two errors of these laws do not vanish with the step: a movement without slip changes the exact history but not their
 * state; and when N falls by more than kt |Δδ|/f, slip continues in its old direction and takes Ft with it, although
 * the shift reverses or rests.
 */

/* ---- Turning points ---------------------------------------------------------------------------------------------- */

/* The turning point at this place in the nodes, zero if there is none */
static JAGER_INLINE vec2 turning_point_at(entry_cursor at)
{
  return at.node ? entry_at(at)->p : (vec2){0.0, 0.0};
}

/* The force reverses here. False: out of memory, and nothing has changed. */
static JAGER_INLINE bool store_reversal(const jager_law *law, jager_pool *pool, contact_data *c, turning_points *points,
                                        vec2 ft)
{
  if (law->model == JAGER_MODEL_MODIFIED_MINDLIN)
    points->count = 0;
  else if (points->count > 0 && !entry_push(pool, c, 0.0, points->latest, 0))
    return false;
  points->latest = ft;
  points->count++;
  return true;
}

/* The latest loop is closed: its two turning points are forgotten. The first turning point forms a loop with 0. */
static void close_loop(jager_pool *pool, contact_data *c, turning_points *points)
{
  (void)turning_point_pop(pool, c);
  points->latest = turning_point_pop(pool, c);
  points->count -= points->count > 1 ? 2 : 1;
}

/* Squared length of the latest leg, from the turning point before (or 0) to the latest */
static JAGER_INLINE double leg_squared(const contact_data *c, const turning_points *points)
{
  vec2 leg = vec2_subtract(points->latest, turning_point_at(entry_cursor_top(c)));
  return vec2_dot(leg, leg);
}

/* A turning point, moved by `way` away from the one before; if way < 0, towards it but not past it */
static JAGER_INLINE vec2 shifted_point(vec2 point, vec2 before, double way)
{
  vec2 leg = vec2_subtract(point, before);
  double length = vec2_length(leg);
  return length > 0.0 ? vec2_add_scaled(point, real_max(way / length, -1.0), leg) : point;
}

/*
 * All turning points move with N, by way = f ΔN. A leg whose ends would meet, as N has fallen below where it began, is
 * closed first. Each step passes over all entries: histories of this law are short.
 */
static JAGER_INLINE void shift_points(jager_pool *pool, contact_data *c, turning_points *points, double way)
{
  while (way < 0.0 && points->count > 0 && leg_squared(c, points) <= (points->count > 1 ? 4.0 : 1.0) * way * way)
    close_loop(pool, c, points);
  if (points->count == 0)
    return;
  entry_cursor at = entry_cursor_top(c);
  points->latest = shifted_point(points->latest, turning_point_at(at), way);
  while (at.node) {
    vec2 *point = &entry_at(at)->p;
    entry_cursor_descend(&at);
    *point = shifted_point(*point, turning_point_at(at), way);
  }
}

/* Closes the loops whose beginning Ft has reached or passed. */
static JAGER_INLINE void close_loops(jager_pool *pool, contact_data *c, turning_points *points, vec2 ft)
{
  while (points->count > 0) {
    vec2 back = vec2_subtract(ft, points->latest);
    if (vec2_dot(back, back) < (points->count > 1 ? 1.0 : 4.0) * leg_squared(c, points))
      return;
    close_loop(pool, c, points);
  }
}

/* ---- One movement ------------------------------------------------------------------------------------------------ */

/*
 * θ from M/N, which may lie outside [0, 1] by rounding or a change of friction. Seven digits suffice: the step is
 * explicit and of first order, and a root to rounding would take a sixth more time.
 */
static JAGER_INLINE double stick_ratio(const jager_law *law, double force_ratio)
{
  if (!(force_ratio > 0.0))
    return 0.0;
  if (force_ratio >= 1.0)
    return 1.0;
  if (law->contour == JAGER_CONTOUR_SPHERE)
    return cube_root_approximate(force_ratio);
  if (law->contour == JAGER_CONTOUR_CONE)
    return sqrt(force_ratio);
  return jager_power(force_ratio, exponent_inverse(exponent_plus(exponent_of(law->exponent), 1.0)));
}

static JAGER_INLINE jager_status move_incremental(const jager_law *law, jager_pool *pool, contact_data *c,
                                                  const compare_step *s)
{
  const double f = law->friction, way = f * (s->fn - c->fn);
  const double kt = shear_stiffness(law, c, s->is_first_touch ? s->zeta : c->zeta);
  const vec2 ft_old = c->anchor.ft;
  turning_points points = {c->top.p, c->length > 2 ? c->length - 2 : 0};
  vec2 since = vec2_subtract(ft_old, points.latest), ft;
  bool reverses = vec2_dot(since, s->shift) < 0.0;
  double shift = vec2_length(s->shift);
  jager_state state = JAGER_STATE_ELASTIC;
  if (kt * shift < way || !(shift > 0.0)) {
    ft = vec2_add_scaled(ft_old, kt, s->shift);
  } else {
    double slipped = reverses ? 0.0 : vec2_length(since) * (points.count > 0 ? 0.5 : 1.0);
    double theta = stick_ratio(law, (f * c->fn - slipped) / (f * s->fn));
    ft = vec2_add_scaled(ft_old, theta * kt + (1.0 - theta) * way / shift, s->shift);
    state = JAGER_STATE_SLIP;
  }
  if (!is_finite(ft))
    return JAGER_ERROR_TOO_LARGE;
  if (reverses && !store_reversal(law, pool, c, &points, ft_old))
    return JAGER_ERROR_MEMORY;
  if (points.count > 0) {
    if (way != 0.0)
      shift_points(pool, c, &points, way);
    close_loops(pool, c, &points, ft);
  }
  store_result(law, pool, c, s, ft, points, state);
  return JAGER_OK;
}

/* ==== The list of laws ============================================================================================ */

static JAGER_INLINE jager_status move_by_law(const jager_law *law, jager_pool *pool, contact_data *c,
                                             const compare_step *s)
{
  switch (law->model) {
  case JAGER_MODEL_LINEAR:
  case JAGER_MODEL_HERTZ_MINDLIN:
    return move_spring(law, pool, c, s);
  case JAGER_MODEL_MODIFIED_MINDLIN:
  case JAGER_MODEL_ZHANG_VUQUOC:
    return move_incremental(law, pool, c, s);
  case JAGER_MODEL_JAGER: /* not a law to compare with */
  case JAGER_MODEL_COUNT:
    break;
  }
  return JAGER_ERROR_MODEL;
}

uint32_t jager_compare_turning_points_max(jager_model model)
{
  return model == JAGER_MODEL_ZHANG_VUQUOC ? UINT32_MAX - 2 : model == JAGER_MODEL_MODIFIED_MINDLIN ? 1 : 0;
}

double jager_compare_normal_force(const jager_law *law, const contact_data *c, double zeta)
{
  if (!(zeta > 0.0))
    return 0.0;
  return law->model == JAGER_MODEL_LINEAR ? c->stiffness * zeta : normal_force(law, c->stiffness, zeta);
}

double jager_compare_shear_energy(const jager_law *law, const contact_data *c)
{
  double ft = vec2_length(c->anchor.ft);
  return ft > 0.0 ? 0.5 * ft * (ft / shear_stiffness(law, c, c->zeta)) : 0.0;
}

jager_status jager_compare_move(const jager_law *law, jager_pool *pool, contact_data *c, double zeta,
                                const double dxi[2])
{
  if (!(zeta > 0.0)) {
    jager_contact_separate(law, pool, c, zeta);
    return JAGER_OK;
  }
  if (zeta == c->zeta && dxi[0] == 0.0 && dxi[1] == 0.0 && law->friction >= c->friction) {
    c->friction = law->friction;
    return JAGER_OK; /* nothing moves */
  }
  const double share = c->zeta < 0.0 ? zeta / (zeta - c->zeta) : 1.0; /* of the movement in which the bodies touch */
  const compare_step s = {.zeta = zeta,
                          .fn = jager_compare_normal_force(law, c, zeta),
                          .shift = {2.0 * share * dxi[0], 2.0 * share * dxi[1]},
                          .is_first_touch = !(c->zeta > 0.0)};
  return move_by_law(law, pool, c, &s);
}
