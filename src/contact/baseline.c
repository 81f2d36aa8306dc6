/* SPDX-License-Identifier: MIT */
/*
 * The laws to compare with. All keep Fn(ζ) and replace the history by less; δ = 2ξ is the relative shift, N = Fn,
 * T = |Ft|, and kt = Fn'(ζ)/(2κ) the stiffness dFt/dδ while nothing slips.
 *
 * Two springs. "linear": constant stiffnesses. "hertz-mindlin": kt(ζ), and Ft shrinks with the radius of contact when N
 * is taken off. Both are capped at f N.
 *
 * Two laws with the tangent stiffness of Mindlin and Deresiewicz, which are one code. On first loading slip has come
 * inward to a depth ζ_s, at which N was M = Fn(ζ_s) = N - T/f, and δ = 2κf (ζ - ζ_s). With θ = Fn'(ζ_s)/Fn'(ζ),
 *
 *     dT = θ kt dδ + f (1 - θ) dN.
 *
 * After a reversal at T_k the new slip has come to M = N - |T - T_k|/(2f), as it must first undo the old one, and the
 * same equation holds in its direction. Spheres have Fn ~ a³ and Fn' ~ a, so that θ³ = M/N; cones have θ² = M/N. A step
 * takes M at its start and N at its end:
 *
 *     θ³ = 1 - (T + fΔN)/(fN) = (f N_old - T)/(fN)   or   1 - (|T - T_k| + 2fΔN)/(2fN) = (f N_old - |T - T_k|/2)/(fN).
 *
 * Where kt |Δδ| < f ΔN nothing slips and θ = 1. A turning point stands for slip that has come to M and stays there, so
 * that T_k, which is T_{k-1} ± 2f (N - M), moves with N: by f ΔN, away from T_{k-1} (from rest, if it is the first).
 * When loading comes back to where a loop began, |T - T_k| = |T_{k-1} - T_k| (with one turning point: 2 |T_1|), the
 * loop is closed, and both its turning points are forgotten. "modified-mindlin" remembers one turning point, and each
 * reversal replaces it; "zhang-vuquoc" remembers them all.
 *
 * In two directions ΔT is along Δδ, the reversal is where (Ft - T_k)·Δδ < 0, and lengths take the place of absolute
 * values.
 *
 * What these laws get wrong with steps of any size: a movement without slip leaves its trace in the exact history, and
 * none here; and when N falls by more than kt |Δδ|/f, slip goes on in its old direction, and takes Ft with it, though
 * the shift turns or rests.
 *
 * How the contact's fields are used: ft_under is Ft (and fn_base = fn, so that jager_contact_force finds just that), p
 * the latest turning point or zero, the entries in the pool are the older ones, with zeta = 0, and length - 2 is the
 * number of all.
 */
#include "internal.h"

#include <float.h>

/* ---- Vectors and stiffnesses ----------------------------------------------------------------------------------- */

static JAGER_INLINE double length_of(vec2 v)
{
  double square = jager_dot(v, v);
  if (square > 1e-280 && square < 1e280)
    return sqrt(square);
  double largest = jager_max(fabs(v.x), fabs(v.y));
  if (!(largest > 0.0))
    return 0.0;
  v = (vec2){v.x / largest, v.y / largest};
  return largest * sqrt(jager_dot(v, v));
}

/* |v| > limit, without a square root where squares can be trusted */
static JAGER_INLINE bool is_longer(vec2 v, double limit)
{
  double square = jager_dot(v, v), bound = limit * limit;
  if (bound > 1e-280 && square < 1e280)
    return square > bound;
  return length_of(v) > limit;
}

/* dFt/dδ in full stick */
static JAGER_INLINE double shear_stiffness(const jager_law *law, const jager_contact *contact, double zeta)
{
  if (law->model == JAGER_MODEL_LINEAR)
    return law->linear_kt > 0.0 ? law->linear_kt : 0.5 * contact->stiffness * law->inverse_kappa;
  return 0.5 * law->inverse_kappa * jager_normal_slope(law, contact->stiffness, zeta);
}

double jager_baseline_normal_force(const jager_law *law, const jager_contact *contact, double zeta)
{
  if (!(zeta > 0.0))
    return 0.0;
  return law->model == JAGER_MODEL_LINEAR ? contact->stiffness * zeta
                                          : jager_normal_force(law, contact->stiffness, zeta);
}

/* That of a spring of the present stiffness */
double jager_baseline_shear_energy(const jager_law *law, const jager_contact *contact)
{
  double ft = length_of(jager_vec2(contact->ft_under));
  return ft > 0.0 ? 0.5 * ft * (ft / shear_stiffness(law, contact, contact->zeta)) : 0.0;
}

/* ---- Turning points -------------------------------------------------------------------------------------------- */

/* The latest turning point and how many there are; the older ones are the contact's entries in the pool. */
typedef struct turning {
  vec2 latest; /* zero if there is none */
  uint32_t count;
} turning;

static JAGER_INLINE turning turning_of(const jager_contact *contact)
{
  return (turning){jager_vec2(contact->p), contact->length > 2 ? contact->length - 2 : 0};
}

/* The one before the latest, zero if there is none */
static JAGER_INLINE vec2 turning_before(const jager_contact *contact)
{
  return contact->fill > 0 ? contact->node->entry[contact->fill - 1].p : (vec2){0.0, 0.0};
}

/* Takes the newest entry from the pool; zero if there is none. */
static vec2 pop_entry(jager_pool *pool, jager_contact *contact)
{
  return contact->fill > 0 ? jager_pop(pool, contact) : (vec2){0.0, 0.0};
}

/* The force turns here. False if there is no memory, and then nothing has changed. */
static JAGER_INLINE bool remember_turn(const jager_law *law, jager_pool *pool, jager_contact *contact, turning *points,
                                       vec2 ft)
{
  if (law->model == JAGER_MODEL_MODIFIED_MINDLIN)
    points->count = 0;
  else if (points->count > 0 && !jager_push(pool, contact, (jager_entry){0.0, points->latest}, 0))
    return false;
  points->latest = ft;
  points->count++;
  return true;
}

static void forget_all(jager_pool *pool, jager_contact *contact, turning *points)
{
  while (contact->node)
    (void)pop_entry(pool, contact);
  *points = (turning){{0.0, 0.0}, 0};
}

/* The latest loop has closed: its two turning points go; the first of all is a loop with the state of rest. */
static void close_loop(jager_pool *pool, jager_contact *contact, turning *points)
{
  (void)pop_entry(pool, contact);
  points->latest = pop_entry(pool, contact);
  points->count -= points->count > 1 ? 2 : 1;
}

/* Squared length of the latest leg, from the turning point before (or rest) to the latest */
static JAGER_INLINE double leg_squared(const jager_contact *contact, const turning *points)
{
  vec2 leg = jager_along(points->latest, -1.0, turning_before(contact));
  return jager_dot(leg, leg);
}

/* A turning point, moved away from the one before by `way`; if towards it, not past it */
static JAGER_INLINE vec2 moved(vec2 point, vec2 before, double way)
{
  vec2 leg = jager_along(point, -1.0, before);
  double length = length_of(leg);
  return length > 0.0 ? jager_along(point, jager_max(way / length, -1.0), leg) : point;
}

/*
 * All turning points follow N by way = f ΔN. A leg whose ends meet, N having fallen below where it began, goes first.
 * One pass over the entries in each step: histories of this law are short, and only the jager law can do without.
 */
static JAGER_INLINE void follow(jager_pool *pool, jager_contact *contact, turning *points, double way)
{
  while (way < 0.0 && points->count > 0 && leg_squared(contact, points) <= (points->count > 1 ? 4.0 : 1.0) * way * way)
    close_loop(pool, contact, points);
  if (points->count == 0)
    return;
  points->latest = moved(points->latest, turning_before(contact), way);
  unsigned fill = contact->fill;
  for (jager_node *node = contact->node; node; node = node->below, fill = JAGER_NODE_ENTRIES)
    while (fill-- > 0) {
      vec2 before = fill > 0      ? node->entry[fill - 1].p
                    : node->below ? node->below->entry[JAGER_NODE_ENTRIES - 1].p
                                  : (vec2){0.0, 0.0};
      node->entry[fill].p = moved(node->entry[fill].p, before, way);
    }
}

/* Forgets the loops that loading to Ft has come back to the beginning of, or past it. */
static JAGER_INLINE void close_loops(jager_pool *pool, jager_contact *contact, turning *points, vec2 ft)
{
  while (points->count > 0) {
    vec2 back = jager_along(ft, -1.0, points->latest);
    if (jager_dot(back, back) < (points->count > 1 ? 1.0 : 4.0) * leg_squared(contact, points))
      return;
    close_loop(pool, contact, points);
  }
}

/* ---- One movement ---------------------------------------------------------------------------------------------- */

/* What the movement brings about, before anything of the contact has changed */
typedef struct baseline_step {
  double zeta, fn; /* new */
  vec2 shift;      /* Δδ in touch */
  bool touches;    /* the bodies were apart */
} baseline_step;

/* Everything that is known of the contact after the movement. Ft beyond friction is cut, and remembers nothing. */
static JAGER_INLINE void settle(const jager_law *law, jager_pool *pool, jager_contact *contact, const baseline_step *s,
                                vec2 ft, turning points, jager_state state)
{
  double limit = law->friction * s->fn;
  if (is_longer(ft, limit)) {
    ft = jager_with_length(ft, limit);
    forget_all(pool, contact, &points);
    state = JAGER_SLIDE;
  }
  contact->zeta = s->zeta;
  contact->fn = contact->fn_base = s->fn;
  contact->ft_under[0] = ft.x;
  contact->ft_under[1] = ft.y;
  contact->p[0] = points.latest.x;
  contact->p[1] = points.latest.y;
  contact->friction = law->friction;
  contact->length = 2 + points.count;
  contact->state = (uint8_t)state;
}

static JAGER_INLINE bool is_finite(vec2 v)
{
  return fabs(v.x) <= DBL_MAX && fabs(v.y) <= DBL_MAX;
}

/* "linear" and "hertz-mindlin" */
static JAGER_INLINE jager_status move_spring(const jager_law *law, jager_pool *pool, jager_contact *contact,
                                             const baseline_step *s)
{
  double kt = shear_stiffness(law, contact, s->zeta), keep = 1.0;
  if (law->model == JAGER_MODEL_HERTZ_MINDLIN && s->zeta < contact->zeta) /* a/a_old, as Fn' ~ a */
    keep = kt / shear_stiffness(law, contact, contact->zeta);
  vec2 ft = {keep * contact->ft_under[0] + kt * s->shift.x, keep * contact->ft_under[1] + kt * s->shift.y};
  if (!is_finite(ft))
    return JAGER_ERROR_TOO_LARGE;
  settle(law, pool, contact, s, ft, (turning){{0.0, 0.0}, 0}, JAGER_ELASTIC);
  return JAGER_OK;
}

/*
 * θ from M/N, which rounding, or friction that has changed, may put outside [0, 1]. Seven digits are plenty: the step
 * is explicit and of first order, and the last nine would cost a sixth of its time.
 */
static JAGER_INLINE double stick_ratio(const jager_law *law, double force_ratio)
{
  if (!(force_ratio > 0.0))
    return 0.0;
  if (force_ratio >= 1.0)
    return 1.0;
  if (law->contour == JAGER_CONTOUR_SPHERE)
    return jager_cube_root_nearly(force_ratio);
  return law->contour == JAGER_CONTOUR_CONE ? sqrt(force_ratio) : pow(force_ratio, 1.0 / (law->exponent + 1.0));
}

/* "modified-mindlin" and "zhang-vuquoc" */
static JAGER_INLINE jager_status move_incremental(const jager_law *law, jager_pool *pool, jager_contact *contact,
                                                  const baseline_step *s)
{
  const double f = law->friction, way = f * (s->fn - contact->fn);
  const double kt = shear_stiffness(law, contact, s->touches ? s->zeta : contact->zeta);
  const vec2 ft_old = jager_vec2(contact->ft_under);
  turning points = turning_of(contact);
  vec2 since = jager_along(ft_old, -1.0, points.latest), ft;
  bool turns = jager_dot(since, s->shift) < 0.0;
  double shift = length_of(s->shift);
  jager_state state = JAGER_ELASTIC;
  if (kt * shift < way || !(shift > 0.0)) {
    ft = jager_along(ft_old, kt, s->shift);
  } else {
    double slipped = turns ? 0.0 : length_of(since) * (points.count > 0 ? 0.5 : 1.0);
    double theta = stick_ratio(law, (f * contact->fn - slipped) / (f * s->fn));
    ft = jager_along(ft_old, theta * kt + (1.0 - theta) * way / shift, s->shift);
    state = JAGER_SLIP;
  }
  if (!is_finite(ft))
    return JAGER_ERROR_TOO_LARGE;
  if (turns && !remember_turn(law, pool, contact, &points, ft_old))
    return JAGER_ERROR_MEMORY;
  if (points.count > 0) {
    if (way != 0.0)
      follow(pool, contact, &points, way);
    close_loops(pool, contact, &points, ft);
  }
  settle(law, pool, contact, s, ft, points, state);
  return JAGER_OK;
}

/* Δδ, as far as it happens in touch */
static JAGER_INLINE vec2 relative_shift_in_touch(const jager_contact *contact, double zeta, const double dxi[2])
{
  double share = contact->zeta < 0.0 ? zeta / (zeta - contact->zeta) : 1.0;
  return (vec2){2.0 * share * dxi[0], 2.0 * share * dxi[1]};
}

jager_status jager_baseline_move(const jager_law *law, jager_pool *pool, jager_contact *contact, double zeta,
                                 const double dxi[2])
{
  if (!(zeta > 0.0)) {
    jager_contact_forget(pool, contact);
    contact->zeta = zeta;
    contact->friction = law->friction;
    return JAGER_OK;
  }
  if (zeta == contact->zeta && dxi[0] == 0.0 && dxi[1] == 0.0 && law->friction >= contact->friction) {
    contact->friction = law->friction;
    return JAGER_OK; /* nothing happened */
  }
  const baseline_step s = {.zeta = zeta,
                           .fn = jager_baseline_normal_force(law, contact, zeta),
                           .shift = relative_shift_in_touch(contact, zeta, dxi),
                           .touches = !(contact->zeta > 0.0)};
  if (law->model == JAGER_MODEL_LINEAR || law->model == JAGER_MODEL_HERTZ_MINDLIN)
    return move_spring(law, pool, contact, &s);
  return move_incremental(law, pool, contact, &s);
}
