/* SPDX-License-Identifier: MIT */
/*
 * Contacts of fixed size (jager/compact.h) against exact twins: after each of many random movements the forces of both
 * are compared, and their difference with the bound that the contact reports.
 *
 *     compact [--calls N] [--seed S] [--episode K]
 *
 * An episode is the life of one pair with one variant (points, precision) and one kind of movement; its seed follows
 * from S and its number, so that `--seed S --episode K` replays it alone. Along a line the error must stay below the
 * bound, in the plane below √(bound f Fn) (docs/theory.md); rounding in single precision counts as a part of the bound.
 * As long as no chord was drawn, double precision must have the twin's bits.
 */
#include "example_law.h"
#include "jager/jager.h"
#include "mover.h"
#include "options.h"
#include "variant.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CALLS_AN_EPISODE = 20000, VARIANTS_MAX = 64 };

/* All episodes with one variant and number of directions; errors and bounds over f Fn */
typedef struct tally {
  uint64_t calls, full, worst_episode;
  double error, error_max, bound, bound_max;
  double worst;    /* largest ratio of the error to the allowed one */
  double rounding; /* the most by which the error exceeds the bound, along a line */
} tally;

typedef struct soak {
  jager_pool *pool;
  uint64_t seed, episode;
  tally tallies[2][VARIANTS_MAX];
} soak;

/* A contact and its exact twin */
typedef struct twins {
  jager_law law;
  jager_contact exact;
  const compact_variant *variant;
  _Alignas(8) char compact[COMPACT_BYTES_MAX];
  double stiffness;
  int directions, chords; /* 1: a chord has been drawn */
} twins;

static int is_single(const compact_variant *variant)
{
  return strstr(variant->name, "single") != NULL;
}

/* The allowed error over f Fn. In the plane a rounding error may grow to its root, like any other. */
static double allowed_error(const twins *t, double bound)
{
  if (t->directions == 1)
    return bound + (is_single(t->variant) ? 1e-4 : 1e-12);
  return sqrt(bound + (is_single(t->variant) ? 1e-5 : 1e-15));
}

static void add_up(const soak *s, const twins *t, tally *sum, const jager_force *force, const jager_force *exact)
{
  const double limit = t->law.friction * exact->fn, bound = t->variant->error(&t->law, t->compact) / limit;
  const double error = hypot(force->ft[0] - exact->ft[0], force->ft[1] - exact->ft[1]) / limit;
  const double allowed = allowed_error(t, bound);
  sum->calls++;
  sum->full += t->variant->used(t->compact) == t->variant->points;
  sum->error += error;
  sum->bound += bound;
  sum->error_max = fmax(sum->error_max, error);
  sum->bound_max = fmax(sum->bound_max, bound);
  sum->rounding = fmax(sum->rounding, error - bound);
  if (!(error / allowed <= sum->worst)) {
    sum->worst = error / allowed;
    sum->worst_episode = s->episode;
  }
}

/* As long as no chord was drawn, double precision has the bits of the twin. */
static int bits_are_right(twins *t, const jager_force *force, const jager_force *exact)
{
  t->chords |= t->variant->error(&t->law, t->compact) > 0.0;
  return t->chords || is_single(t->variant) || memcmp(force, exact, sizeof *force) == 0;
}

static int begin_episode(const soak *s, twins *t, double radius, uint64_t *random)
{
  (void)s;
  memset(t, 0, sizeof *t);
  t->directions = 1 + (int)random_below(random, 2);
  do
    t->variant = compact_variants[random_below(random, (unsigned)compact_variant_count)];
  while (t->variant->points > 32);
  t->law = example_law();
  (void)jager_law_set_friction(&t->law, random_in(random, 0.1, 1.0));
  if (random_below(random, 8) == 0)
    (void)jager_law_set_contour(&t->law, JAGER_CONTOUR_CONE, 0.3, 0.0);
  if (jager_contact_init(&t->exact, &t->law, radius, radius) != JAGER_OK)
    return 1;
  t->stiffness = jager_contact_coefficient(&t->exact);
  return 0;
}

static int number_of(const compact_variant *variant)
{
  int k = 0;
  while (compact_variants[k] != variant)
    k++;
  return k;
}

static int run_episode(soak *s)
{
  uint64_t mix = s->seed ^ (s->episode * 0xD1342543DE82EF95u), random = random_bits(&mix);
  static twins t;
  const double radius = exp2(random_in(&random, -10.0, 3.0));
  if (begin_episode(s, &t, radius, &random))
    return 1;
  tally *sum = &s->tallies[t.directions - 1][number_of(t.variant)];
  mover m = mover_create(&random, t.directions);
  const double unit = 1e-3 * radius, shift = unit * t.law.friction * t.law.kappa;
  for (int i = 0; i < CALLS_AN_EPISODE; i++) {
    double dxi[2], zeta = mover_next(&m, i, unit, shift, dxi);
    jager_force force, exact;
    if (jager_contact_move(&t.exact, &t.law, s->pool, zeta, dxi, &exact) != JAGER_OK ||
        t.variant->move(&t.law, t.compact, t.stiffness, zeta, dxi, &force) != 0 || !bits_are_right(&t, &force, &exact))
      return 1;
    add_up(s, &t, sum, &force, &exact);
  }
  jager_contact_release(&t.exact, s->pool);
  return 0;
}

static int report(const soak *s)
{
  int failed = 0;
  printf("# |Ft - exact| and its bound, over f Fn: mean and largest; the worst of the error over what is allowed (1 "
         "direction: the bound, 2: its root); the most by which the error exceeds the bound; share of movements with "
         "all points in use\n");
  printf("%-10s %-18s %12s %10s %10s %10s %10s %8s %10s %8s\n", "directions", "points", "movements", "error", "largest",
         "bound", "largest", "worst", "rounding", "full");
  for (int directions = 1; directions <= 2; directions++)
    for (int k = 0; k < compact_variant_count; k++) {
      const tally *sum = &s->tallies[directions - 1][k];
      const double calls = (double)sum->calls;
      if (sum->calls == 0)
        continue;
      printf("%-10d %-18s %12" PRIu64 " %10.2e %10.2e %10.2e %10.2e %8.4f", directions, compact_variants[k]->name,
             sum->calls, sum->error / calls, sum->error_max, sum->bound / calls, sum->bound_max, sum->worst);
      if (directions == 1)
        printf(" %10.1e", sum->rounding);
      else
        printf(" %10s", "-");
      printf(" %8.3f\n", (double)sum->full / calls);
      if (!(sum->worst <= 1.0)) {
        printf("FAILED: replay with --seed %" PRIu64 " --episode %" PRIu64 "\n", s->seed, sum->worst_episode);
        failed = 1;
      }
    }
  return failed;
}

int main(int argc, char **argv)
{
  const double calls = option_number(argc, argv, "--calls", 1e7);
  const int single = option_text(argc, argv, "--episode") != NULL;
  static soak s;
  s.seed = option_integer(argc, argv, "--seed", 1);
  s.episode = option_integer(argc, argv, "--episode", 0);
  s.pool = jager_pool_create(0);
  if (!s.pool || compact_variant_count > VARIANTS_MAX)
    return 1;
  for (double done = 0.0; done < calls; done += CALLS_AN_EPISODE) {
    if (run_episode(&s)) {
      printf("FAILED: a movement was refused, or bits differ, in episode %" PRIu64 "\n", s.episode);
      return 1;
    }
    if (single)
      break;
    s.episode++;
  }
  int failed = report(&s);
  failed |= jager_pool_bytes_in_use(s.pool) != 0;
  jager_pool_destroy(s.pool);
  return failed;
}
