/* SPDX-License-Identifier: MIT */
/*
 * Soak: random adversarial movements; after every call all invariants of the contact are checked.
 *
 *     soak [--calls N] [--seed S] [--episode K]
 *
 * An episode is some thousands of movements of one kind by one contact; its seed follows from S and its number, so that
 * `--seed S --episode K` replays a failure alone. After each call are checked
 *   - the state: elastic just where Δζ > 0 and |Δξ/κ| < fΔζ; all numbers finite;
 *   - ζ* strictly increasing, |p*| <= f, |Ft| <= f Fn;
 *   - Ft = Σ p* ΔFn*;
 *   - closure: the path E = Σ p* Δζ* has moved by Δξ/κ, unless all of it slid, or segments were merged (dp_max), or ζ
 *     is so small that its cube underflows.
 * Spheres and cones: power laws differ from them only in Fn(ζ), which test_power and test_pairs check. The oracle is a
 * shadow of the history, independent of the library, with sums in extended precision. A call changes only the two
 * topmost points, so that checks are cheap; now and then the whole history is compared with the shadow to the bit, and
 * packed and unpacked. The worst drift is reported relative to f Fn (force) and fζ (closure).
 */
#define _POSIX_C_SOURCE 200809L

#include "contact/history.h"
#include "jager/jager.h"
#include "example_law.h"
#include "random_numbers.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- Random numbers -------------------------------------------------------------------------------------------- */

static double uniform(uint64_t *state) /* [-1, 1) */
{
  return (double)(random_bits(state) >> 11) * 0x1p-52 - 1.0;
}

/* 2^-k, k uniform in [0, range] */
static double random_scale(uint64_t *state, unsigned range)
{
  return ldexp(1.0, -(int)random_below(state, range + 1));
}

/* ---- The shadow ------------------------------------------------------------------------------------------------ */

struct shadow_point {
  double zeta, p[2];
  long double fn, ft[2], e[2]; /* Fn, Σ p ΔFn and Σ p Δζ up to here */
};

struct soak {
  jager_law law;
  jager_pool *pool;
  jager_contact contact;
  struct shadow_point *points;
  size_t capacity;
  jager_point *whole;
  uint64_t calls, sweep_at;
  uint64_t seed, episode, episode_calls;
  long double old_e[2]; /* of the top, before the call */
  double old_rest[2];
  double last_zeta, last_dxi[2];
  double worst_force, worst_closure, worst_slope, worst_bound;
  uint64_t states[JAGER_STATE_COUNT];
  uint32_t longest;
  const char *failure;
};

static void set_point(struct soak *s, uint32_t k, double zeta, double fn, const double p[2])
{
  struct shadow_point *at = &s->points[k];
  const struct shadow_point *under = at - 1;
  at->zeta = zeta;
  at->fn = fn;
  for (int i = 0; i < 2; i++) {
    at->p[i] = p[i];
    at->ft[i] = under->ft[i] + (long double)p[i] * (at->fn - under->fn);
    at->e[i] = under->e[i] + (long double)p[i] * ((long double)zeta - under->zeta);
  }
}

static int grow(struct soak *s, size_t need)
{
  if (need <= s->capacity)
    return 0;
  size_t capacity = need * 2;
  void *points = realloc(s->points, capacity * sizeof *s->points);
  if (!points)
    return -1;
  s->points = points;
  void *whole = realloc(s->whole, capacity * sizeof *s->whole);
  if (!whole)
    return -1;
  s->whole = whole;
  s->capacity = capacity;
  return 0;
}

/* The contact is the same to the bit after packing and unpacking. */
static const char *round_trip(struct soak *s)
{
  size_t size = jager_contact_pack_size(&s->contact);
  void *bytes = malloc(size);
  jager_contact copy = {0};
  const char *failure = NULL;
  if (!bytes || jager_contact_pack(&s->contact, bytes, size) != JAGER_OK)
    failure = "cannot be packed";
  else if (jager_contact_unpack(&copy, &s->law, s->pool, bytes, size, NULL) != JAGER_OK)
    failure = "cannot be unpacked";
  else {
    failure = jager_contact_equal(&s->contact, &copy) ? NULL : "unpacked differently";
    jager_contact_release(&copy, s->pool);
  }
  free(bytes);
  return failure;
}

/* Reads the whole history, into the shadow or to compare it. */
static const char *sweep(struct soak *s, int into_shadow)
{
  if (grow(s, (size_t)jager_contact_length(&s->contact) + 4) != 0)
    return "no memory for the shadow";
  if (jager_contact_history(&s->contact, &s->law, s->whole, s->capacity) != JAGER_OK)
    return "the history cannot be read";
  for (uint32_t k = 1; k < jager_contact_length(&s->contact); k++) {
    const jager_point *p = &s->whole[k];
    if (into_shadow)
      set_point(s, k, p->zeta, p->fn, p->p);
    else if (p->zeta != s->points[k].zeta || p->p[0] != s->points[k].p[0] || p->p[1] != s->points[k].p[1])
      return "the stored history differs from its shadow";
  }
  return into_shadow ? NULL : round_trip(s);
}

/* ---- The checks ------------------------------------------------------------------------------------------------ */

static const char *check_slope(struct soak *s, const double p[2])
{
  double f = s->law.friction, over = p[0] * p[0] + p[1] * p[1] - f * f;
  if (!(over <= 4e-15 * f * f))
    return "|p*| > f";
  if (over > s->worst_slope * f * f)
    s->worst_slope = over / (f * f);
  return NULL;
}

/* Copies the two topmost points to the shadow and checks them */
static const char *check_top(struct soak *s)
{
  const contact_data *c = data_of_const(&s->contact);
  if (c->length < 2 || grow(s, (size_t)c->length + 4) != 0)
    return "impossible length";
  if (c->length == 2 && c->top.zeta_base != 0.0)
    return "a single segment does not start at zero";
  if (c->length > 2) {
    if (c->second.zeta_base != s->points[c->length - 3].zeta)
      return "the history below the top has changed";
    if (!(c->second.zeta_base < c->top.zeta_base))
      return "zeta* does not increase";
    const double slope[2] = {c->second.p.x, c->second.p.y};
    set_point(s, c->length - 2, c->top.zeta_base, c->top.fn_base, slope);
    const char *failure = check_slope(s, slope);
    if (failure)
      return failure;
  }
  if (!(c->top.zeta_base < c->zeta))
    return "zeta* does not increase at the top";
  const double slope[2] = {c->top.p.x, c->top.p.y};
  set_point(s, c->length - 1, c->zeta, c->fn, slope);
  return check_slope(s, slope);
}

/* The difference between the history and the movements so far, Δξ/κ */
static void read_residual(const jager_contact *contact, double residual[2])
{
  residual[0] = data_of_const(contact)->xi_residual.x;
  residual[1] = data_of_const(contact)->xi_residual.y;
}

static const char *check_force(struct soak *s, const jager_force *force)
{
  const struct shadow_point *top = &s->points[jager_contact_length(&s->contact) - 1];
  double limit = s->law.friction * force->fn;
  double square = force->ft[0] * force->ft[0] + force->ft[1] * force->ft[1];
  if (!isfinite(force->fn) || !isfinite(force->ft[0]) || !isfinite(force->ft[1]))
    return "a force is not finite";
  if (!(force->fn > 1e-150))
    return force->fn >= 0.0 ? NULL : "Fn < 0";
  if (!(square <= limit * limit * (1.0 + 2e-14)))
    return "|Ft| > f Fn";
  if (square > limit * limit * (1.0 + 2.0 * s->worst_bound))
    s->worst_bound = 0.5 * (square / (limit * limit) - 1.0);
  double error = fmax(fabs((double)(force->ft[0] - top->ft[0])), fabs((double)(force->ft[1] - top->ft[1])));
  if (!(error <= 1e-13 * limit))
    return "Ft is not the sum over the history";
  if (error > s->worst_force * limit)
    s->worst_force = error / limit;
  return NULL;
}

static const char *check_closure(struct soak *s, const long double old_e[2], const double e[2], double zeta_old)
{
  const struct shadow_point *top = &s->points[jager_contact_length(&s->contact) - 1];
  double scale = s->law.friction * fmax(zeta_old, jager_contact_zeta(&s->contact));
  if (jager_contact_state(&s->contact) == JAGER_STATE_SLIDE || !(scale > 1e-150) || s->law.dp_max > 0.0)
    return NULL;
  double error = 0.0, residual[2];
  read_residual(&s->contact, residual);
  for (int i = 0; i < 2; i++)
    error = fmax(error, fabs((double)(top->e[i] + residual[i] - (old_e[i] + e[i]))));
  if (!(error <= 1e-13 * scale))
    return "the path has not moved by the movement";
  if (error > s->worst_closure * scale)
    s->worst_closure = error / scale;
  return NULL;
}

static const char *check_state(const struct soak *s, double zeta_old, const double e[2])
{
  double rise = jager_contact_zeta(&s->contact) - fmax(0.0, zeta_old), reach = s->law.friction * rise;
  int elastic = rise > 0.0 && e[0] * e[0] + e[1] * e[1] < reach * reach;
  int nothing = rise == 0.0 && s->last_dxi[0] == 0.0 && s->last_dxi[1] == 0.0;
  return nothing || elastic == (jager_contact_state(&s->contact) == JAGER_STATE_ELASTIC) ? NULL : "wrong state";
}

static const char *check_touching(struct soak *s, const jager_force *force, const double dxi[2], double zeta_old,
                                  int was_touching)
{
  double share = zeta_old < 0.0 ? jager_contact_zeta(&s->contact) / (jager_contact_zeta(&s->contact) - zeta_old) : 1.0;
  share *= s->law.inverse_kappa;
  double e[2] = {dxi[0] * share + s->old_rest[0], dxi[1] * share + s->old_rest[1]};
  long double old_e[2] = {0.0L, 0.0L};
  if (was_touching)
    memcpy(old_e, s->old_e, sizeof old_e);
  if (s->last_zeta == zeta_old && dxi[0] == 0.0 && dxi[1] == 0.0)
    e[0] = s->old_rest[0], e[1] = s->old_rest[1];
  const char *failure = check_state(s, zeta_old, e);
  if (!failure)
    failure = check_top(s);
  if (!failure)
    failure = check_force(s, force);
  if (!failure)
    failure = check_closure(s, old_e, e, zeta_old);
  return failure;
}

/* ---- One call -------------------------------------------------------------------------------------------------- */

static int move(struct soak *s, double zeta, double dxi0, double dxi1)
{
  double zeta_old = jager_contact_zeta(&s->contact);
  int was_touching = zeta_old > 0.0, touches = zeta >= 1e-60; /* what is smaller counts as 0 */
  uint32_t old_top = jager_contact_length(&s->contact) - 1;
  double dxi[2] = {dxi0, dxi1};
  jager_force force;
  if (grow(s, (size_t)jager_contact_length(&s->contact) + 8) != 0)
    s->failure = "no memory for the shadow";
  read_residual(&s->contact, s->old_rest);
  memcpy(s->old_e, s->points[old_top].e, sizeof s->old_e);
  s->last_zeta = zeta;
  s->last_dxi[0] = dxi0;
  s->last_dxi[1] = dxi1;
  jager_status status = jager_contact_move(&s->contact, &s->law, s->pool, zeta, dxi, &force);
  s->calls++;
  s->episode_calls++;
  s->states[jager_contact_state(&s->contact)]++;
  if (jager_contact_length(&s->contact) > s->longest)
    s->longest = jager_contact_length(&s->contact);
  if (status != JAGER_OK)
    s->failure = jager_status_text(status);
  else if (!touches)
    s->failure = force.fn == 0.0 && force.ft[0] == 0.0 && force.ft[1] == 0.0 && jager_contact_length(&s->contact) == 1
                     ? NULL
                     : "not parted";
  else
    s->failure = check_touching(s, &force, dxi, zeta_old, was_touching);
  if (!s->failure && s->episode_calls >= s->sweep_at) {
    s->failure = touches ? sweep(s, 0) : NULL;
    s->sweep_at = s->episode_calls + 1000 + 20 * (uint64_t)jager_contact_length(&s->contact);
  }
  return s->failure != NULL;
}

/* Changes the friction. The whole history may change, so that the shadow is read anew. */
static int change_friction(struct soak *s, double friction)
{
  double zero[2] = {0.0, 0.0};
  jager_force force;
  if (jager_law_set_friction(&s->law, friction) != JAGER_OK ||
      jager_contact_move(&s->contact, &s->law, s->pool, jager_contact_zeta(&s->contact), zero, &force) != JAGER_OK)
    s->failure = "friction cannot be changed";
  else if (jager_contact_zeta(&s->contact) > 0.0)
    s->failure = sweep(s, 1);
  return s->failure != NULL;
}

/* ---- Kinds of episodes ----------------------------------------------------------------------------------------- */

struct episode {
  uint64_t random;
  double zeta;    /* scale of ζ */
  double step;    /* scale of the movements */
  double line[2]; /* collinear: direction; else zero */
  unsigned count; /* calls to make */
};

/* A movement sideways: along the line, if there is one */
static void sideways(struct episode *e, double size, double dxi[2])
{
  double along = size * uniform(&e->random), across = size * uniform(&e->random);
  int collinear = e->line[0] != 0.0 || e->line[1] != 0.0;
  dxi[0] = collinear ? along * e->line[0] : along;
  dxi[1] = collinear ? along * e->line[1] : across;
}

/* Keeps ζ within (0, 4] of the scale: the contact neither separates nor grows without bound. */
static double inside(const struct episode *e, double zeta)
{
  if (!(zeta > 1e-6 * e->zeta))
    return 1e-6 * e->zeta + (zeta < 0.0 ? -0.5 * zeta : 0.0);
  return zeta > 4.0 * e->zeta ? 4.0 * e->zeta : zeta;
}

static int wander(struct soak *s, struct episode *e)
{
  double vz = 0.0, v[2] = {0.0, 0.0}, damping = random_scale(&e->random, 8), push[2];
  for (unsigned i = 0; i < e->count; i++) {
    vz += e->step * uniform(&e->random) - damping * vz;
    sideways(e, e->step, push);
    v[0] += push[0] - damping * v[0];
    v[1] += push[1] - damping * v[1];
    if (move(s, inside(e, jager_contact_zeta(&s->contact) + vz), v[0], v[1]))
      return 1;
  }
  return 0;
}

static int mixed_scales(struct soak *s, struct episode *e)
{
  double dxi[2];
  for (unsigned i = 0; i < e->count; i++) {
    double scale = random_scale(&e->random, 60), dz = e->zeta * scale * uniform(&e->random);
    sideways(e, e->zeta * random_scale(&e->random, 60), dxi);
    if (move(s, inside(e, jager_contact_zeta(&s->contact) + dz), dxi[0], dxi[1]))
      return 1;
  }
  return 0;
}

static int repeated(struct soak *s, struct episode *e)
{
  double dxi[2];
  for (unsigned i = 0; i < e->count;) {
    double dz = e->step * uniform(&e->random);
    sideways(e, e->step, dxi);
    for (unsigned k = 0, n = 1 + random_below(&e->random, 50); k < n; k++, i++)
      if (move(s, inside(e, jager_contact_zeta(&s->contact) + dz), dxi[0], dxi[1]))
        return 1;
  }
  return 0;
}

/* Some movements out, and the same back in reverse, exactly where rounding permits */
static int reversed(struct soak *s, struct episode *e)
{
  enum { MOST = 32 };
  double zeta[MOST + 1], dxi[MOST][2];
  for (unsigned i = 0; i < e->count;) {
    unsigned n = 1 + random_below(&e->random, MOST);
    zeta[0] = jager_contact_zeta(&s->contact);
    for (unsigned k = 0; k < n; k++, i++) {
      zeta[k + 1] = inside(e, zeta[k] + e->step * uniform(&e->random));
      sideways(e, e->step, dxi[k]);
      if (move(s, zeta[k + 1], dxi[k][0], dxi[k][1]))
        return 1;
    }
    for (unsigned k = n; k-- > 0; i++)
      if (move(s, zeta[k], -dxi[k][0], -dxi[k][1]))
        return 1;
  }
  return 0;
}

/* Along a straight line in n steps, back on it in m others */
static int same_line(struct soak *s, struct episode *e)
{
  double dxi[2];
  for (unsigned i = 0; i < e->count;) {
    double from = jager_contact_zeta(&s->contact), to = inside(e, from + 30.0 * e->step * uniform(&e->random));
    sideways(e, 30.0 * e->step, dxi);
    for (int back = 0; back < 2; back++) {
      unsigned n = 1 + random_below(&e->random, 20);
      double start = back ? to : from, end = back ? from : to, sign = back ? -1.0 : 1.0;
      for (unsigned k = 1; k <= n; k++, i++)
        if (move(s, start + (end - start) * k / n, sign * dxi[0] / n, sign * dxi[1] / n))
          return 1;
    }
  }
  return 0;
}

static int only_one_changes(struct soak *s, struct episode *e)
{
  double dxi[2];
  for (unsigned i = 0; i < e->count; i++) {
    unsigned kind = random_below(&e->random, 4);
    double dz = kind == 0 || kind == 3 ? 0.0 : e->step * uniform(&e->random);
    sideways(e, e->step, dxi);
    if (kind == 1 || kind == 3)
      dxi[0] = dxi[1] = 0.0;
    if (move(s, inside(e, jager_contact_zeta(&s->contact) + dz), dxi[0], dxi[1]))
      return 1;
  }
  return 0;
}

static int denormal(struct soak *s, struct episode *e)
{
  double dxi[2];
  for (unsigned i = 0; i < e->count; i++) {
    double tiny = DBL_MIN * random_scale(&e->random, 52);
    sideways(e, random_below(&e->random, 3) ? tiny : e->step, dxi);
    double dz = random_below(&e->random, 3) ? tiny * uniform(&e->random) : e->step * uniform(&e->random);
    double zeta = random_below(&e->random, 64) ? jager_contact_zeta(&s->contact) + dz : tiny;
    if (move(s, zeta > 0.0 ? zeta : e->zeta, dxi[0], dxi[1]))
      return 1;
  }
  return 0;
}

static int huge(struct soak *s, struct episode *e)
{
  double dxi[2];
  for (unsigned i = 0; i < e->count; i++) {
    double size = e->step * (random_below(&e->random, 4) ? 1.0 : ldexp(1.0, (int)random_below(&e->random, 400)));
    sideways(e, size, dxi);
    if (move(s, inside(e, jager_contact_zeta(&s->contact) + e->step * uniform(&e->random)), dxi[0], dxi[1]))
      return 1;
  }
  return 0;
}

static int parting(struct soak *s, struct episode *e)
{
  double dxi[2];
  for (unsigned i = 0; i < e->count; i++) {
    sideways(e, e->step, dxi);
    double zeta = jager_contact_zeta(&s->contact) + e->step * (uniform(&e->random) - 0.02);
    if (!(fabs(zeta) < 4.0 * e->zeta))
      zeta = e->zeta * uniform(&e->random);
    if (move(s, zeta, dxi[0], dxi[1]))
      return 1;
  }
  return 0;
}

/* By single units in the last place: Fn may stay the same, and slopes may be equal. */
static int ulps(struct soak *s, struct episode *e)
{
  double slope = 0.4 * s->law.friction * s->law.kappa * uniform(&e->random), turn = uniform(&e->random);
  if (move(s, e->zeta * (1.5 + uniform(&e->random)), 0.0, 0.0))
    return 1;
  for (unsigned i = 0; i < e->count; i++) {
    double zeta = jager_contact_zeta(&s->contact);
    if (random_below(&e->random, 16) == 0) /* elsewhere */
      zeta *= 1.0 + 1e-3 * uniform(&e->random);
    for (unsigned k = 1 + random_below(&e->random, 2); k > 0; k--)
      zeta = nextafter(zeta, random_below(&e->random, 8) ? 4.0 * e->zeta : 0.0);
    double rise = zeta - jager_contact_zeta(&s->contact), share = random_below(&e->random, 3) ? 0.0 : slope * rise;
    if (move(s, zeta, share, turn * share))
      return 1;
  }
  return 0;
}

/* Elastic all the way up, with a segment in each step, then down through all of them */
static int climb(struct soak *s, struct episode *e, unsigned steps)
{
  double dz = e->zeta / steps, reach = s->law.friction * s->law.kappa * dz, v[2];
  for (unsigned i = 0; i < steps; i++) {
    sideways(e, 0.7 * reach, v);
    if (move(s, jager_contact_zeta(&s->contact) > 0.0 ? jager_contact_zeta(&s->contact) + dz : dz, v[0], v[1]))
      return 1;
  }
  for (unsigned i = 0; i < steps / 2; i++) {
    sideways(e, 2.0 * reach * (1 + random_below(&e->random, 3)), v);
    if (move(s, inside(e, jager_contact_zeta(&s->contact) + 2.0 * dz * (uniform(&e->random) - 0.5)), v[0], v[1]))
      return 1;
  }
  return 0;
}

static int frictions(struct soak *s, struct episode *e)
{
  static const double values[] = {0.0, 1e-3, 0.2, 0.5, 0.7, 1.0, 50.0};
  double dxi[2];
  for (unsigned i = 0; i < e->count; i++) {
    if (random_below(&e->random, 200) == 0 && change_friction(s, values[random_below(&e->random, 7)]))
      return 1;
    sideways(e, e->step, dxi);
    if (move(s, inside(e, jager_contact_zeta(&s->contact) + e->step * uniform(&e->random)), dxi[0], dxi[1]))
      return 1;
  }
  return 0;
}

static int run_kind(struct soak *s, struct episode *e, unsigned kind)
{
  switch (kind) {
  case 0:
    return mixed_scales(s, e);
  case 1:
    return repeated(s, e);
  case 2:
    return reversed(s, e);
  case 3:
    return same_line(s, e);
  case 4:
    return only_one_changes(s, e);
  case 5:
    return denormal(s, e);
  case 6:
    return huge(s, e);
  case 7:
    return parting(s, e);
  case 8:
    return frictions(s, e);
  case 9:
    return climb(s, e, random_below(&e->random, 400) == 0 ? 1000000 : 3000);
  case 10:
    return ulps(s, e);
  default:
    return wander(s, e);
  }
}

/* One contact's life. Returns 1 on failure. */
static int run_episode(struct soak *s)
{
  static const double frictions_used[] = {0.5, 0.5, 0.5, 0.3, 0.3, 0.7, 0.7, 1.0, 1.0, 30.0, 30.0, 0.1, 1e-4, 0.0};
  uint64_t mix = s->seed ^ (s->episode * 0xD1342543DE82EF95u);
  struct episode e = {.random = random_bits(&mix), .count = 20000};
  s->law = example_law();
  s->episode_calls = s->sweep_at = 0;
  double shear_modulus =
      ldexp(1.0, (int)random_below(&e.random, 40)); /* one random number a statement: the order counts */
  (void)jager_law_set_bodies(&s->law, shear_modulus, 0.25 * (1.0 + uniform(&e.random)));
  (void)jager_law_set_friction(&s->law, frictions_used[random_below(&e.random, 14)]);
  if (random_below(&e.random, 8) == 0)
    (void)jager_law_set_contour(&s->law, JAGER_CONTOUR_CONE, 0.3, 0.0);
  if (random_below(&e.random, 8) == 0)
    (void)jager_law_set_dp_max(&s->law, 0.1 * s->law.friction);
  if (jager_contact_init(&s->contact, &s->law, 1.0, 1.0 + uniform(&e.random) * 0.9) != JAGER_OK) {
    s->failure = "cannot make a contact";
    return 1;
  }
  e.zeta = random_scale(&e.random, 40);
  e.step = 0.1 * e.zeta * random_scale(&e.random, 14);
  switch (random_below(&e.random, 3)) {
  case 0:
    e.line[0] = 1.0;
    break;
  case 1:
    e.line[0] = uniform(&e.random);
    e.line[1] = uniform(&e.random);
    break;
  default:
    break;
  }
  int failed = run_kind(s, &e, random_below(&e.random, 13));
  jager_contact_release(&s->contact, s->pool);
  if (!failed && jager_pool_bytes_in_use(s->pool) != 0) {
    s->failure = "the pool has lost nodes";
    failed = 1;
  }
  return failed;
}

static void report(const struct soak *s, double seconds)
{
  printf("seed %" PRIu64 ": %" PRIu64 " calls in %" PRIu64 " episodes, %.1f ns a call with all checks\n", s->seed,
         s->calls, s->episode, 1e9 * seconds / (double)s->calls);
  printf("  elastic %.1f %%, slip %.1f %%, slide %.1f %%, apart %.1f %%; longest history %" PRIu32 " points\n",
         100.0 * (double)s->states[JAGER_STATE_ELASTIC] / (double)s->calls,
         100.0 * (double)s->states[JAGER_STATE_SLIP] / (double)s->calls,
         100.0 * (double)s->states[JAGER_STATE_SLIDE] / (double)s->calls,
         100.0 * (double)s->states[JAGER_STATE_APART] / (double)s->calls, s->longest);
  printf(
      "  worst drift: |Ft - sum p dFn| %.1e f Fn, closure %.1e f zeta, |p|^2 - f^2 %.1e f^2, |Ft| - f Fn %.1e f Fn\n",
      s->worst_force, s->worst_closure, s->worst_slope, s->worst_bound);
  fflush(stdout);
}

static int report_failure(const struct soak *s)
{
  printf("FAILED: %s\n  at call %" PRIu64 " of the episode, zeta = %a, dxi = %a, %a\n"
         "  replay with: soak --seed %" PRIu64 " --episode %" PRIu64 "\n",
         s->failure, s->episode_calls, s->last_zeta, s->last_dxi[0], s->last_dxi[1], s->seed, s->episode);
  return 1;
}

static double seconds_now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int argc, char **argv)
{
  double calls = 1e8;
  int single = 0;
  struct soak s = {.seed = 1, .capacity = 0};
  for (int i = 1; i + 1 < argc; i += 2) {
    if (strcmp(argv[i], "--calls") == 0)
      calls = strtod(argv[i + 1], NULL);
    else if (strcmp(argv[i], "--seed") == 0)
      s.seed = strtoull(argv[i + 1], NULL, 10);
    else if (strcmp(argv[i], "--episode") == 0) {
      s.episode = strtoull(argv[i + 1], NULL, 10);
      single = 1;
    }
  }
  s.pool = jager_pool_create(0);
  if (!s.pool || grow(&s, 1024) != 0)
    return 1;
  memset(&s.points[0], 0, sizeof s.points[0]);
  double start = seconds_now(), next_report = start + 600.0;
  while ((double)s.calls < calls) {
    if (run_episode(&s))
      return report_failure(&s);
    if (single)
      break;
    s.episode++;
    if (seconds_now() > next_report) {
      report(&s, seconds_now() - start);
      next_report += 600.0;
    }
  }
  report(&s, seconds_now() - start);
  jager_pool_destroy(s.pool);
  free(s.points);
  free(s.whole);
  return 0;
}
