/* SPDX-License-Identifier: MIT */
/*
 * jager/compact.h against the library: an exact twin makes the same movements. With room for every point it has the
 * same bits; with few points its error stays below the bound that it reports.
 */
#include "support.h"
#include "variant.h"

#include <stdbool.h>
#include <string.h>

#define RADIUS 1e-3
#define SHEAR_MODULUS 29e9

enum { HISTORY_ROOM = 4096 };

/* Within loops: Check writes a message for every assertion, even if it holds. */
#define hold(condition)                                                                                                \
  do {                                                                                                                 \
    if (!(condition))                                                                                                  \
      ck_abort_msg("%s", #condition);                                                                                  \
  } while (0)

/* An exact contact and a compact one that follows it */
struct twins {
  jager_law law;
  jager_pool *pool;
  jager_contact exact;
  const compact_variant *variant;
  double stiffness;
  _Alignas(8) char compact[COMPACT_BYTES_MAX];
  jager_force exact_force, force;
};

static void twins_create(struct twins *t, const char *variant, double friction)
{
  memset(t, 0, sizeof *t);
  t->variant = compact_variant_named(variant);
  ck_assert_ptr_nonnull(t->variant);
  t->law = jager_law_default();
  assert_ok(jager_law_set_bodies(&t->law, SHEAR_MODULUS, 0.15));
  assert_ok(jager_law_set_friction(&t->law, friction));
  t->pool = jager_pool_create(0);
  assert_ok(jager_contact_init(&t->exact, &t->law, RADIUS, RADIUS));
  t->stiffness = jager_contact_coefficient(&t->exact);
}

static void twins_destroy(struct twins *t)
{
  jager_contact_release(&t->exact, t->pool);
  jager_pool_destroy(t->pool);
}

static void twins_move(struct twins *t, double zeta, const double dxi[2])
{
  hold(jager_contact_move(&t->exact, &t->law, t->pool, zeta, dxi, &t->exact_force) == JAGER_OK);
  hold(t->variant->move(&t->law, t->compact, t->stiffness, zeta, dxi, &t->force) == 0);
}

/* |Ft - exact Ft| */
static double twins_error(const struct twins *t)
{
  return hypot(t->force.ft[0] - t->exact_force.ft[0], t->force.ft[1] - t->exact_force.ft[1]);
}

/* A random movement: small and large, elastic and sliding, apart at times; along x only, or in the plane. */
static void random_movement(uint64_t *seed, double *zeta, double dxi[2], bool plane)
{
  const double scale = 1e-7, kind = random_in(seed, 0.0, 1.0);
  if (kind < 0.002)
    *zeta = random_in(seed, -0.5, 0.0) * scale; /* apart */
  else if (kind < 0.1)
    *zeta = random_in(seed, 0.05, 1.5) * scale;
  else if (kind < 0.8)
    *zeta = fmax(*zeta, 0.01 * scale) * (1.0 + random_in(seed, -0.01, 0.02));
  const double reach = scale * pow(10.0, random_in(seed, -4.0, kind > 0.97 ? 1.0 : -1.0));
  dxi[0] = kind > 0.1 && kind < 0.15 ? 0.0 : random_in(seed, -1.0, 1.0) * reach;
  dxi[1] = plane && kind > 0.15 ? random_in(seed, -1.0, 1.0) * reach : 0.0;
}

/* A movement of a long climb, mostly elastic, which fills any history; with reversals */
static void climbing_movement(uint64_t *seed, double *zeta, double dxi[2], bool plane)
{
  const double kind = random_in(seed, 0.0, 1.0), before = *zeta;
  if (kind < 0.01 || !(*zeta > 0.0) || *zeta > 1e-6)
    *zeta = random_in(seed, 0.3, 1.0) * (*zeta > 0.0 && *zeta <= 1e-6 ? *zeta : 1e-7);
  else
    *zeta *= 1.0 + random_in(seed, 0.0, 0.01);
  const double reach = kind < 0.03 ? 0.1 * *zeta : 0.5 * fabs(*zeta - before);
  dxi[0] = random_in(seed, -1.0, 1.0) * reach;
  dxi[1] = plane ? random_in(seed, -1.0, 1.0) * reach : 0.0;
}

/* ---- With room for all points: the same bits ------------------------------------------------------------------- */

static void assert_same_history(const struct twins *t)
{
  static jager_point exact[HISTORY_ROOM], compact[HISTORY_ROOM];
  assert_ok(jager_contact_history(&t->exact, &t->law, exact, HISTORY_ROOM));
  int count = t->variant->history(t->compact, compact);
  hold(count == (int)jager_contact_length(&t->exact));
  for (int k = 0; k < count; k++)
    hold(exact[k].zeta == compact[k].zeta && exact[k].p[0] == compact[k].p[0] && exact[k].p[1] == compact[k].p[1]);
}

static void follow_to_the_bit(uint64_t seed, bool plane, jager_contour contour)
{
  struct twins t;
  double zeta = 0.0, dxi[2];
  twins_create(&t, "512", random_in(&seed, 0.05, 1.2));
  if (contour == JAGER_CONTOUR_CONE) {
    assert_ok(jager_law_set_contour(&t.law, JAGER_CONTOUR_CONE, 0.1, 1.0));
    assert_ok(jager_contact_init(&t.exact, &t.law, RADIUS, RADIUS));
    t.stiffness = jager_contact_coefficient(&t.exact);
  }
  for (int k = 0; k < 3000; k++) {
    random_movement(&seed, &zeta, dxi, plane);
    if (k % 97 == 96) /* friction falls and rises */
      assert_ok(jager_law_set_friction(&t.law, random_in(&seed, 0.05, 1.2)));
    if (k % 501 == 500 && contour == JAGER_CONTOUR_SPHERE) { /* and the bodies grow */
      double radius = RADIUS * random_in(&seed, 0.9, 1.1);
      assert_ok(jager_contact_restiffen(&t.exact, &t.law, radius, radius));
      t.stiffness = jager_contact_coefficient(&t.exact);
    }
    twins_move(&t, zeta, dxi);
    hold(memcmp(&t.force, &t.exact_force, sizeof t.force) == 0);
    hold(t.variant->state(t.compact) == (int)jager_contact_state(&t.exact));
    hold(t.variant->error(&t.law, t.compact) == 0.0);
    jager_force read = t.variant->force(&t.law, t.compact);
    hold(memcmp(&read, &t.force, sizeof read) == 0);
    if (k % 50 == 0 && zeta > 0.0)
      assert_same_history(&t);
  }
  twins_destroy(&t);
}

TEST_LOOP(same_bits, 40)
{
  follow_to_the_bit((uint64_t)_i, _i % 2, _i % 5 == 0 ? JAGER_CONTOUR_CONE : JAGER_CONTOUR_SPHERE);
}

/* ---- With few points: within the bound ------------------------------------------------------------------------- */

static const char *const few[] = {"4", "6", "8", "12", "16", "24"};

enum { FEW = sizeof few / sizeof few[0] };

/*
 * What the error may be: on a line the bound, which is proven; in the plane √(bound f Fn), as docs/theory.md states it
 */
static double allowed_error(double bound, double limit, bool plane)
{
  return plane ? sqrt(bound * limit) : bound;
}

/* `rounding`: what rounding may add to the bound, as a share of f Fn. */
static void stay_within_bound(uint64_t seed, const char *variant, bool plane, double rounding)
{
  struct twins t;
  double zeta = 0.0, dxi[2];
  const bool climbs = seed % 2;
  int full = 0;
  twins_create(&t, variant, random_in(&seed, climbs ? 0.7 : 0.05, 1.2));
  for (int k = 0; k < 10000; k++) {
    if (climbs)
      climbing_movement(&seed, &zeta, dxi, plane);
    else
      random_movement(&seed, &zeta, dxi, plane);
    twins_move(&t, zeta, dxi);
    const double limit = t.law.friction * t.force.fn, bound = t.variant->error(&t.law, t.compact);
    hold(t.variant->used(t.compact) <= t.variant->points);
    hold(fabs(t.force.fn - t.exact_force.fn) <= rounding * t.exact_force.fn);
    hold(hypot(t.force.ft[0], t.force.ft[1]) <= limit * (1.0 + rounding));
    hold(bound >= 0.0 && bound <= 2.0 * limit * (1.0 + rounding));
    if (t.variant->state(t.compact) == JAGER_STATE_SLIDE)
      hold(bound == 0.0);
    hold(twins_error(&t) <= allowed_error(bound, limit, plane) + rounding * limit);
    full += t.variant->used(t.compact) == t.variant->points;
  }
  if (climbs || t.variant->points <= 6)
    ck_assert_int_gt(full, 200); /* else the test would compare nothing */
  twins_destroy(&t);
}

TEST_LOOP(bound_on_a_line, 8 * FEW)
{
  stay_within_bound((uint64_t)(1000 + _i), few[_i / 2 % FEW], false, 1e-9);
}

TEST_LOOP(bound_in_the_plane, 8 * FEW)
{
  stay_within_bound((uint64_t)(2000 + _i), few[_i / 2 % FEW], true, 1e-9);
}

/* Rounding in single precision comes on top of the bound, and does not grow with the number of movements. */
TEST_LOOP(single_precision, 48)
{
  static const char *const singles[] = {"4 stored single", "8 stored single", "24 stored single",
                                        "4 single",        "8 single",        "24 single"};
  stay_within_bound((uint64_t)(3000 + _i), singles[_i / 2 % 6], false, 5e-6);
}

/* ---- Bytes ------------------------------------------------------------------------------------------------------- */

TEST(wrong_movements_change_nothing)
{
  struct twins t;
  const double nothing[2] = {0.0, 0.0}, shear[2] = {1e-9, 2e-9};
  const double bad[] = {NAN, INFINITY, -INFINITY, 1e200};
  for (int v = 0; v < compact_variant_count; v++) {
    twins_create(&t, compact_variants[v]->name, 0.5);
    twins_move(&t, 1e-7, nothing);
    twins_move(&t, 1.1e-7, shear);
    char before[COMPACT_BYTES_MAX];
    memcpy(before, t.compact, sizeof before);
    jager_force force = {-1.0, {-2.0, -3.0}};
    for (int k = 0; k < 4; k++) {
      const double dxi[3][2] = {{0.0, 0.0}, {bad[k], 0.0}, {0.0, bad[k]}};
      for (int i = 0; i < 3; i++)
        ck_assert_int_ne(t.variant->move(&t.law, t.compact, t.stiffness, i == 0 ? bad[k] : 1e-7, dxi[i], &force), 0);
      ck_assert_int_ne(t.variant->move(&t.law, t.compact, k == 3 ? 0.0 : bad[k], 1e-7, nothing, &force), 0);
      jager_law law = t.law;
      law.friction = k == 3 ? -0.1 : bad[k];
      ck_assert_int_ne(t.variant->move(&law, t.compact, t.stiffness, 1e-7, nothing, &force), 0);
      law = t.law;
      law.exponent = k == 3 ? 1.5 : bad[k];
      ck_assert_int_ne(t.variant->move(&law, t.compact, t.stiffness, 1e-7, nothing, &force), 0);
    }
    ck_assert_mem_eq(before, t.compact, sizeof before);
    memset(t.compact, 0xff, t.variant->bytes); /* memory that was not set to zero */
    memcpy(before, t.compact, sizeof before);
    ck_assert_int_eq(t.variant->move(&t.law, t.compact, t.stiffness, 1e-7, nothing, &force), JAGER_ERROR_CORRUPT);
    ck_assert_mem_eq(before, t.compact, sizeof before);
    ck_assert(force.fn == -1.0 && force.ft[0] == -2.0 && force.ft[1] == -3.0);
    twins_destroy(&t);
  }
}

/* Movements leave a valid contact. With one word replaced it is refused, or all its results are finite. */
TEST_LOOP(other_bytes, compact_variant_count)
{
  const uint32_t words[] = {0x7fc00000u, 0x7ff80000u, 0xffffffffu, 0xfff00000u, 0x3ff00000u, 0x80000000u};
  const double shear[2] = {3e-9, -2e-9};
  const compact_variant *of = compact_variants[_i];
  const size_t count = of->bytes / sizeof words[0];
  for (size_t place = 0; place < count && of->points <= 32; place++)
    for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
      struct twins t;
      uint64_t seed = place + 1;
      double zeta = 0.0, dxi[2];
      twins_create(&t, of->name, 0.5);
      for (int i = 0; i < 20; i++) {
        climbing_movement(&seed, &zeta, dxi, true);
        twins_move(&t, zeta, dxi);
        hold(of->check(&t.law, t.compact) == 0);
      }
      memcpy(t.compact + place * sizeof words[0], &words[k], sizeof words[0]);
      const bool is_contact = of->check(&t.law, t.compact) == 0;
      const jager_force read = of->force(&t.law, t.compact);
      const double error = of->error(&t.law, t.compact);
      if (is_contact || !isnan(read.fn) || !isnan(read.ft[0]) || !isnan(read.ft[1]) || !isnan(error))
        hold(isfinite(read.fn) && isfinite(read.ft[0]) && isfinite(read.ft[1]) && error >= 0.0);
      for (int i = 0; i < 3; i++) {
        jager_force force = {NAN, {NAN, NAN}};
        const jager_status status = of->move(&t.law, t.compact, t.stiffness, i == 1 ? 0.1 * zeta : zeta, shear, &force);
        hold(status == JAGER_ERROR_CORRUPT ||
             (status == JAGER_OK && isfinite(force.fn) && isfinite(force.ft[0]) && isfinite(force.ft[1])));
      }
      twins_destroy(&t);
    }
}

/* Contacts that contradict themselves: points without overlap, overlap without points, more points than fit */
TEST(contradictions_are_corrupt)
{
  for (int v = 0; v < compact_variant_count; v++) {
    const compact_variant *of = compact_variants[v];
    const double shear[2] = {1e-9, 0.0}, nothing[2] = {0.0, 0.0};
    const size_t points_at = of->bytes - 8, state_at = of->bytes - 4;
    for (uint32_t k = 0; k < 4; k++) {
      struct twins t;
      twins_create(&t, of->name, 0.5);
      twins_move(&t, 1e-7, nothing);
      const uint32_t points[] = {0, (uint32_t)of->points + 1, UINT32_MAX, 2}, apart = 0;
      memcpy(t.compact + points_at, &points[k], 4);
      if (k == 0)
        memcpy(t.compact + state_at, &apart, 4);
      ck_assert_int_eq(of->check(&t.law, t.compact), JAGER_ERROR_CORRUPT);
      ck_assert(isnan(of->force(&t.law, t.compact).fn) && isnan(of->error(&t.law, t.compact)));
      ck_assert_int_eq(of->move(&t.law, t.compact, t.stiffness, 1e-7, shear, NULL), JAGER_ERROR_CORRUPT);
      twins_destroy(&t);
    }
  }
}

/* A number of a contact, as it is stored */
static void set_number(const compact_variant *of, char *compact, int place, double value)
{
  const int k = of->points;
  const float single = (float)value;
  if (of->bytes == sizeof(double) * (size_t)(3 * k + 6) + sizeof(uint32_t) * (size_t)(k + 4))
    memcpy(compact + (size_t)place * sizeof value, &value, sizeof value);
  else
    memcpy(compact + (size_t)place * sizeof single, &single, sizeof single);
}

/* The smallest overlap and stiffness that make a contact; below them there is none. */
TEST(small_numbers)
{
  const double zetas[] = {1e-60, 1e-30, 1e-13}, stiffnesses[] = {1e-100, 1e-18}, nothing[2] = {0.0, 0.0};
  for (int v = 0; v < compact_variant_count; v++) {
    const compact_variant *of = compact_variants[v];
    struct twins t;
    twins_create(&t, of->name, 0.5);
    int made = 0;
    for (int i = 0; i < 6; i++) {
      memset(t.compact, 0, of->bytes);
      if (of->move(&t.law, t.compact, stiffnesses[i % 2], zetas[i / 2], nothing, NULL) != 0 || of->used(t.compact) == 0)
        continue;
      ck_assert_int_eq(of->check(&t.law, t.compact), 0);
      if (made++ > 0)
        continue; /* the smallest one: below there are none */
      set_number(of, t.compact, 0, 0.9 * zetas[i / 2]);
      ck_assert_int_eq(of->check(&t.law, t.compact), JAGER_ERROR_CORRUPT);
      set_number(of, t.compact, 0, zetas[i / 2]);
      ck_assert_int_eq(of->check(&t.law, t.compact), 0);
      set_number(of, t.compact, 3 * of->points + 4, 0.9 * stiffnesses[i % 2]);
      ck_assert_int_eq(of->check(&t.law, t.compact), JAGER_ERROR_CORRUPT);
    }
    ck_assert_int_gt(made, 0);
    twins_destroy(&t);
  }
}

/* Contacts without a history have the same bytes, whatever they have been through. */
TEST(separation_leaves_no_trace)
{
  for (int v = 0; v < compact_variant_count; v++) {
    struct twins t, u;
    uint64_t seed = (uint64_t)v;
    double zeta = 0.0, dxi[2];
    const double nothing[2] = {0.0, 0.0};
    twins_create(&t, compact_variants[v]->name, 0.5);
    twins_create(&u, compact_variants[v]->name, 0.5);
    for (int k = 0; k < 200; k++) {
      random_movement(&seed, &zeta, dxi, true);
      twins_move(&t, zeta, dxi);
    }
    twins_move(&t, -1e-8, nothing);
    twins_move(&u, -1e-8, nothing);
    ck_assert_mem_eq(t.compact, u.compact, t.variant->bytes);
    twins_destroy(&t);
    twins_destroy(&u);
  }
}
