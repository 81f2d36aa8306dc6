/* SPDX-License-Identifier: MIT */
/*
 * Short histories against exact twins: after each of many random movements, the force of a contact with a tolerance is
 * compared with the force of a twin without.
 *
 *     tolerance [--calls N] [--seed S] [--episode K] [--late 1]
 *
 * An episode is the life of one pair of contacts with one tolerance, from 1e-6 to 1e-1, and one kind of movement; its
 * seed follows from S and its number, so that `--seed S --episode K` replays it alone. Movements along a line must keep
 * the proven bound, |Ft - Ft_exact| <= τ f Fn. In two directions one movement can make an error of order √τ of one of
 * order τ (docs/theory.md): there √τ f Fn is the bound, and the output says how often and how far τ f Fn is exceeded.
 * Now and then the history is checked: ζ* rises, |p*| <= f, and Ft is Σ p* ΔFn*.
 *
 * With --late the tolerance is set after a random part of the episode and taken away for a while later on. Movements
 * count while it is set, lengths until it is taken away: without a tolerance, slip gives no allowance back. A third
 * contact has the tolerance from the beginning, to compare the lengths.
 */
#define _POSIX_C_SOURCE 200809L

#include "jager/jager.h"
#include "example_law.h"
#include "mover.h"
#include "options.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DECADES = 6, CALLS_AN_EPISODE = 20000, EXPONENT_MAX = 6 };

/* ---- Episodes ---------------------------------------------------------------------------------------------------- */

/* All episodes with one tolerance and number of directions */
typedef struct tally {
  uint64_t calls, beyond; /* movements; those with an error above τ f Fn */
  uint64_t lengths;       /* number of summed lengths */
  double worst, sum;      /* of the error over τ f Fn */
  double exact, length, early;
  uint32_t longest, longest_exact;
  uint64_t worst_episode;
} tally;

typedef struct twins {
  jager_law law, exact_law;
  jager_pool *pool;
  jager_contact contact, exact, early;
  uint64_t seed, episode;
  int late;
  tally tallies[2][DECADES];
} twins;

static void add_up(twins *t, tally *sum, const jager_force *force, const jager_force *exact)
{
  double scale = t->law.tolerance * t->law.friction * exact->fn;
  double error = hypot(force->ft[0] - exact->ft[0], force->ft[1] - exact->ft[1]) / scale;
  sum->calls++;
  sum->beyond += error > 1.0;
  sum->sum += error;
  if (!(error <= sum->worst)) {
    sum->worst = error;
    sum->worst_episode = t->episode;
  }
}

static void add_lengths(const twins *t, tally *sum)
{
  sum->lengths++;
  sum->length += jager_contact_length(&t->contact);
  sum->exact += jager_contact_length(&t->exact);
  sum->early += jager_contact_length(&t->early);
  sum->longest = jager_contact_length(&t->contact) > sum->longest ? jager_contact_length(&t->contact) : sum->longest;
  sum->longest_exact =
      jager_contact_length(&t->exact) > sum->longest_exact ? jager_contact_length(&t->exact) : sum->longest_exact;
}

/* The short history is a possible one, and the force follows from it. */
static int history_is_right(const twins *t, const jager_force *force)
{
  static jager_point points[100000];
  uint32_t length = jager_contact_length(&t->contact);
  if (jager_contact_history(&t->contact, &t->law, points, sizeof points / sizeof points[0]) != JAGER_OK)
    return 0;
  double sum[2] = {0.0, 0.0}, limit = t->law.friction * (1.0 + 1e-12);
  for (uint32_t k = 1; k < length; k++) {
    double rise = points[k].fn - points[k - 1].fn;
    if (!(points[k].zeta > points[k - 1].zeta) || !(hypot(points[k].p[0], points[k].p[1]) <= limit))
      return 0;
    sum[0] += points[k].p[0] * rise;
    sum[1] += points[k].p[1] * rise;
  }
  return hypot(sum[0] - force->ft[0], sum[1] - force->ft[1]) <= 1e-12 * limit * force->fn;
}

/* The law without its tolerance, and the contacts */
static void begin_episode(twins *t, uint64_t *random, double friction, double radius)
{
  t->exact_law = example_law();
  (void)jager_law_set_friction(&t->exact_law, friction);
  unsigned contour = random_below(random, 8);
  if (contour == 0)
    (void)jager_law_set_contour(&t->exact_law, JAGER_CONTOUR_CONE, 0.3, 0.0);
  else if (contour == 1)
    (void)jager_law_set_contour(&t->exact_law, JAGER_CONTOUR_POWER, 0.3, random_in(random, 1.0, EXPONENT_MAX));
  (void)jager_contact_init(&t->contact, &t->exact_law, radius, radius);
  t->exact = t->early = t->contact;
}

/* When the tolerance is set, taken away and set again */
typedef struct schedule {
  int on, off, again;
} schedule;

static schedule make_schedule(const twins *t)
{
  if (!t->late)
    return (schedule){0, CALLS_AN_EPISODE, CALLS_AN_EPISODE};
  uint64_t mix = t->seed + t->episode, random = random_bits(&mix);
  int on = (int)random_below(&random, CALLS_AN_EPISODE / 2), off = on + (int)random_below(&random, CALLS_AN_EPISODE);
  return (schedule){on, off, off + (int)random_below(&random, 5000)};
}

/* Moves all contacts; `force` of the contact, `exact` of its twin. The early contact always has the tolerance. */
static int move_all(twins *t, int tolerant, double zeta, const double dxi[2], jager_force *force, jager_force *exact)
{
  return jager_contact_move(&t->contact, tolerant ? &t->law : &t->exact_law, t->pool, zeta, dxi, force) == JAGER_OK &&
         jager_contact_move(&t->exact, &t->exact_law, t->pool, zeta, dxi, exact) == JAGER_OK &&
         (!t->late || jager_contact_move(&t->early, &t->law, t->pool, zeta, dxi, NULL) == JAGER_OK);
}

static int run_episode(twins *t)
{
  uint64_t mix = t->seed ^ (t->episode * 0xD1342543DE82EF95u), random = random_bits(&mix);
  int dimensions = 1 + (int)random_below(&random, 2), decade = (int)random_below(&random, DECADES);
  double friction = random_in(&random, 0.1, 1.0), radius = exp2(random_in(&random, -10.0, 3.0));
  begin_episode(t, &random, friction, radius);
  tally *sum = &t->tallies[dimensions - 1][decade];
  t->law = t->exact_law;
  (void)jager_law_set_tolerance(&t->law, pow(10.0, -(double)(decade + 1)));
  mover m = mover_create(&random, dimensions);
  const schedule when = make_schedule(t);
  double unit = 1e-3 * radius, shift = unit * t->law.friction * t->law.kappa;
  for (int i = 0; i < CALLS_AN_EPISODE; i++) {
    double dxi[2], zeta = mover_next(&m, i, unit, shift, dxi);
    jager_force force, exact;
    int tolerant = (i >= when.on && i < when.off) || i >= when.again;
    if (!move_all(t, tolerant, zeta, dxi, &force, &exact) || (i % 61 == 0 && !history_is_right(t, &force)))
      return 1;
    if (tolerant)
      add_up(t, sum, &force, &exact);
    if (tolerant && i < when.off)
      add_lengths(t, sum);
  }
  jager_contact_release(&t->contact, t->pool);
  jager_contact_release(&t->exact, t->pool);
  jager_contact_release(&t->early, t->pool);
  return 0;
}

/* Of the error over τ f Fn. In one direction: 1 and rounding. In two: stated, not proven. */
static double bound_of(int dimensions, int decade)
{
  double tolerance = pow(10.0, -(double)(decade + 1));
  return (dimensions == 1 ? tolerance + 1e-13 : sqrt(tolerance)) / tolerance;
}

static int report(const twins *t)
{
  int failed = 0;
  printf("# |Ft - exact| over tau f Fn: the worst, the mean, and how many movements end beyond 1; points of the "
         "histories\n");
  printf("%-10s %-6s %13s %8s %8s %9s %8s %8s %9s %9s\n", "directions", "tau", "movements", "worst", "mean", "beyond",
         "length", "exact", "longest", "exact");
  if (t->late)
    printf("# and the mean length of a contact with the tolerance from the beginning\n");
  for (int dimensions = 1; dimensions <= 2; dimensions++)
    for (int decade = DECADES - 1; decade >= 0; decade--) {
      const tally *sum = &t->tallies[dimensions - 1][decade];
      if (sum->calls == 0)
        continue;
      double calls = (double)sum->calls, lengths = (double)sum->lengths;
      printf("%-10d %-6.0e %13" PRIu64 " %8.4f %8.2g %9.1e %8.1f %8.1f %9" PRIu32 " %9" PRIu32, dimensions,
             pow(10.0, -(double)(decade + 1)), sum->calls, sum->worst, sum->sum / calls, (double)sum->beyond / calls,
             sum->length / lengths, sum->exact / lengths, sum->longest, sum->longest_exact);
      if (t->late)
        printf(" %8.1f", sum->early / lengths);
      printf("\n");
      if (!(sum->worst <= bound_of(dimensions, decade))) {
        printf("FAILED: replay with --seed %" PRIu64 " --episode %" PRIu64 "\n", t->seed, sum->worst_episode);
        failed = 1;
      }
    }
  return failed;
}

int main(int argc, char **argv)
{
  const double calls = option_number(argc, argv, "--calls", 1e7);
  const int single = option_text(argc, argv, "--episode") != NULL;
  static twins t;
  t.seed = option_integer(argc, argv, "--seed", 1);
  t.episode = option_integer(argc, argv, "--episode", 0);
  t.late = option_integer(argc, argv, "--late", 0) != 0;
  t.pool = jager_pool_create(0);
  if (!t.pool)
    return 1;
  for (double done = 0.0; done < calls; done += CALLS_AN_EPISODE) {
    if (run_episode(&t)) {
      printf("FAILED: a movement was refused, or a history is wrong, in episode %" PRIu64 "\n", t.episode);
      return 1;
    }
    if (single)
      break;
    t.episode++;
  }
  int failed = report(&t);
  failed |= jager_pool_bytes_in_use(t.pool) != 0;
  jager_pool_destroy(t.pool);
  return failed;
}
