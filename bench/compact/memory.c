/* SPDX-License-Identifier: MIT */
/*
 * bench/compact/memory: what contacts of fixed size remember, and how their error bound falls again.
 *
 * Forgetting: of two contacts one has been sheared to and fro after the touch, the other one has not. Then both make
 * the same movements, a smooth random motion as of contacts in slow shear. By how much do their tangential forces
 * differ after so many movements, exactly and with K points? Return: a contact that has wandered slips straight on at
 * constant ζ. What is left of its bound and of its error after so much slip? Means over many contacts.
 */
#include "variant.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RADIUS 1e-3
#define ZETA 1e-7 /* m */

static const char *const names[] = {"4", "6", "8", "12", "16", "24"};
static const int looks[] = {1, 10, 100, 1000, 10000};
static const double slips[] = {0.0, 0.01, 0.03, 0.1, 0.3, 0.6, 0.9, 1.5}; /* of κ f ζ */

enum { NAMES = sizeof names / sizeof names[0], LOOKS = sizeof looks / sizeof looks[0] };
enum { SLIPS = sizeof slips / sizeof slips[0], SAMPLES = 200, WANDER = 2000 };

/* A contact of the library and its twins of fixed size */
typedef struct family {
  jager_law law;
  jager_pool *pool;
  jager_contact exact;
  double stiffness;
  jager_force force, forces[NAMES];
  const compact_variant *variants[NAMES];
  _Alignas(8) char compact[NAMES][COMPACT_BYTES_MAX];
} family;

static void fail(const char *text)
{
  fprintf(stderr, "memory: %s\n", text);
  exit(1);
}

static void family_begin(family *f, jager_pool *pool)
{
  memset(f, 0, sizeof *f);
  f->pool = pool;
  f->law = jager_law_default();
  if (jager_law_set_bodies(&f->law, 29e9, 0.15) != JAGER_OK ||
      jager_contact_init(&f->exact, &f->law, RADIUS, RADIUS) != JAGER_OK)
    fail("no contact");
  f->stiffness = jager_contact_coefficient(&f->exact);
  for (int k = 0; k < NAMES; k++)
    if (!(f->variants[k] = compact_variant_named(names[k])))
      fail("no variant");
}

static void family_move(family *f, double zeta, const double dxi[2])
{
  int failed = jager_contact_move(&f->exact, &f->law, f->pool, zeta, dxi, &f->force) != JAGER_OK;
  for (int k = 0; k < NAMES; k++)
    failed |= f->variants[k]->move(&f->law, f->compact[k], f->stiffness, zeta, dxi, &f->forces[k]) != JAGER_OK;
  if (failed)
    fail("a movement was refused");
}

/* κ f ζ: the shift at which a contact slides */
static double reach_of(const family *f)
{
  return f->law.kappa * f->law.friction * ZETA;
}

/* ---- A smooth random motion -------------------------------------------------------------------------------------- */

typedef struct wanderer {
  uint64_t random;
  double place[3], speed[3];
} wanderer;

/* uniform in [-1, 1): splitmix64 */
static double random_number(uint64_t *state)
{
  uint64_t z = (*state += 0x9E3779B97F4A7C15u);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return (double)((z ^ (z >> 31)) >> 11) * 0x1p-52 - 1.0;
}

/* ζ/ZETA - 1 and ξ/κfζ wander about zero, by some tenths. */
static void wander(wanderer *w, double reach, double *zeta, double dxi[2])
{
  for (int k = 0; k < 3; k++) {
    w->speed[k] += 0.05 * (0.02 * random_number(&w->random) - w->speed[k]) - 2e-5 * w->place[k];
    w->place[k] += w->speed[k];
  }
  *zeta = ZETA * (1.0 + fmax(-0.9, w->place[0]));
  dxi[0] = reach * w->speed[1];
  dxi[1] = reach * w->speed[2];
}

/* ---- Forgetting -------------------------------------------------------------------------------------------------- */

static double difference(const jager_force *a, const jager_force *b, double friction)
{
  return hypot(a->ft[0] - b->ft[0], a->ft[1] - b->ft[1]) / (friction * a->fn);
}

static void forget(jager_pool *pool, uint64_t seed, double sums[NAMES + 1][LOOKS])
{
  static family a, b;
  family_begin(&a, pool);
  family_begin(&b, pool);
  const double reach = reach_of(&a), nothing[2] = {0.0, 0.0}, to[2] = {0.5 * reach, 0.0}, fro[2] = {-0.5 * reach, 0.0};
  wanderer w = {.random = seed};
  family_move(&a, ZETA, nothing);
  family_move(&b, ZETA, nothing);
  family_move(&a, ZETA, to);
  family_move(&a, ZETA, fro);
  for (int i = 1, look = 0; look < LOOKS; i++) {
    double zeta, dxi[2];
    wander(&w, reach, &zeta, dxi);
    family_move(&a, zeta, dxi);
    family_move(&b, zeta, dxi);
    if (i < looks[look])
      continue;
    for (int k = 0; k < NAMES; k++)
      sums[k][look] += difference(&a.forces[k], &b.forces[k], a.law.friction) / SAMPLES;
    sums[NAMES][look++] += difference(&a.force, &b.force, a.law.friction) / SAMPLES;
  }
  jager_contact_release(&a.exact, pool);
  jager_contact_release(&b.exact, pool);
}

/* ---- Return ------------------------------------------------------------------------------------------------------ */

static void come_back(jager_pool *pool, uint64_t seed, double bounds[NAMES][SLIPS], double errors[NAMES][SLIPS])
{
  static family f;
  family_begin(&f, pool);
  const double reach = reach_of(&f), step = 0.01;
  wanderer w = {.random = seed};
  double zeta = ZETA, dxi[2] = {0.0, 0.0}, gone = 0.0;
  family_move(&f, ZETA, dxi);
  for (int i = 0; i < WANDER; i++) {
    wander(&w, reach, &zeta, dxi);
    family_move(&f, zeta, dxi);
  }
  const double on[2] = {step * reach * zeta / ZETA, 0.0};
  for (int look = 0; look < SLIPS; look++) {
    for (; gone < slips[look] - 0.5 * step; gone += step)
      family_move(&f, zeta, on);
    const double limit = f.law.friction * f.force.fn * SAMPLES;
    for (int k = 0; k < NAMES; k++) {
      bounds[k][look] += f.variants[k]->error(&f.law, f.compact[k]) / limit;
      errors[k][look] += difference(&f.forces[k], &f.force, f.law.friction) / SAMPLES;
    }
  }
  jager_contact_release(&f.exact, pool);
}

int main(void)
{
  static double forgotten[NAMES + 1][LOOKS], bounds[NAMES][SLIPS], errors[NAMES][SLIPS];
  jager_pool *pool = jager_pool_create(0);
  if (!pool)
    fail("no memory");
  for (uint64_t seed = 1; seed <= SAMPLES; seed++) {
    forget(pool, seed, forgotten);
    come_back(pool, 1000 + seed, bounds, errors);
  }
  printf("# two pasts, the same movements since: difference of Ft over f Fn after so many of them\n%-8s", "points");
  for (int look = 0; look < LOOKS; look++)
    printf(" %10d", looks[look]);
  for (int k = 0; k <= NAMES; k++) {
    printf("\n%-8s", k < NAMES ? names[k] : "exact");
    for (int look = 0; look < LOOKS; look++)
      printf(" %10.2e", forgotten[k][look]);
  }
  printf("\n\n# slip straight on after %d movements: bound, and error, over f Fn after so much slip, in κ f ζ\n%-8s",
         (int)WANDER, "points");
  for (int look = 0; look < SLIPS; look++)
    printf(" %17.2f", slips[look]);
  for (int k = 0; k < NAMES; k++) {
    printf("\n%-8s", names[k]);
    for (int look = 0; look < SLIPS; look++)
      printf("  %7.1e %7.1e", bounds[k][look], errors[k][look]);
  }
  printf("\n");
  jager_pool_destroy(pool);
  return 0;
}
