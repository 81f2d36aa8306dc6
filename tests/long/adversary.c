/* SPDX-License-Identifier: MIT */
/*
 * Short histories against an adversary: hill climbing over short sequences of movements for the largest difference
 * between the forces of a contact with a tolerance τ and of its exact twin.
 *
 *     adversary [--seed S] [--starts N] [--trials M] [--directions 1|2] [--contour sphere|cone|power]
 *
 * For each contour, number of directions and τ, N random sequences are improved by M random changes each; the best one
 * gets 10 M more. A change is kept if it does not lower the largest difference after any movement. Bounds: along a line
 * τ f Fn, which is proven; in the plane √τ f Fn, which is not (docs/theory.md). The exit code is 1 if one is exceeded.
 * Rows of the table do not depend on each other: --directions and --contour choose some.
 */
#define _POSIX_C_SOURCE 200809L

#include "jager/jager.h"
#include "example_law.h"
#include "random_numbers.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOVEMENTS_MAX = 96, DECADES = 6 };

/* Relative to the present ζ, so that results do not depend on the scale */
typedef struct movement {
  double rise;     /* Δζ / ζ */
  double shift[2]; /* Δξ / κfζ */
} movement;

typedef struct sequence {
  int count;
  movement of[MOVEMENTS_MAX];
  double score; /* largest |Ft - exact| / f Fn after any of the movements */
} sequence;

typedef struct search {
  jager_law law, exact_law;
  jager_pool *pool;
  int dimensions;
  uint64_t random;
} search;

/* ---- Score ------------------------------------------------------------------------------------------------------- */

static int twins_move(search *s, jager_contact twins[2], double zeta, const double dxi[2], double *difference)
{
  jager_force force, exact;
  if (jager_contact_move(&twins[0], &s->law, s->pool, zeta, dxi, &force) != JAGER_OK ||
      jager_contact_move(&twins[1], &s->exact_law, s->pool, zeta, dxi, &exact) != JAGER_OK)
    return 0;
  *difference = hypot(force.ft[0] - exact.ft[0], force.ft[1] - exact.ft[1]) / (s->law.friction * exact.fn);
  return isfinite(*difference) != 0;
}

/* Makes the movements of a sequence. Returns 0 if one was refused, or a force is not a number. */
static int play(search *s, sequence *of)
{
  jager_contact twins[2] = {0};
  double zeta = 1e-3, first[2] = {0.0, 0.0}, reach = s->law.kappa * s->law.friction, difference = 0.0;
  (void)jager_contact_init(&twins[0], &s->law, 1.0, 1.0);
  twins[1] = twins[0];
  int done = twins_move(s, twins, zeta, first, &difference);
  of->score = 0.0;
  for (int i = 0; done && i < of->count; i++) {
    const movement *m = &of->of[i];
    const double dxi[2] = {reach * zeta * m->shift[0], reach * zeta * m->shift[1]};
    zeta *= 1.0 + m->rise;
    done = twins_move(s, twins, zeta, dxi, &difference);
    of->score = fmax(of->score, difference);
  }
  jager_contact_release(&twins[0], s->pool);
  jager_contact_release(&twins[1], s->pool);
  return done;
}

/* ---- Random sequences and changes -------------------------------------------------------------------------------- */

static double random_size(search *s, double decades)
{
  return pow(10.0, random_in(&s->random, -decades, 0.0));
}

/* Keeps ζ away from zero and infinity, and movements of one direction on their line. */
static void make_legal(const search *s, movement *m)
{
  m->rise = fmin(fmax(m->rise, -0.9), 4.0);
  if (s->dimensions == 1)
    m->shift[1] = 0.0;
}

/* Up with a slope below or just at the friction; or any movement */
static movement random_movement(search *s)
{
  double angle = random_in(&s->random, 0.0, 6.283185307179586), size = random_size(s, 4.0);
  movement m = {.rise = size * random_in(&s->random, -1.0, 1.0)};
  double shift = size * random_in(&s->random, 0.0, 2.0);
  if (random_below(&s->random, 4)) {
    m.rise = fabs(m.rise);
    shift = m.rise * (random_below(&s->random, 2) ? random_in(&s->random, 0.0, 1.0) : 1.0 - random_size(s, 5.0));
  }
  m.shift[0] = shift * cos(angle);
  m.shift[1] = shift * sin(angle);
  make_legal(s, &m);
  return m;
}

static sequence random_sequence(search *s)
{
  sequence made = {.count = 16 + (int)random_below(&s->random, MOVEMENTS_MAX / 2)};
  for (int i = 0; i < made.count; i++)
    made.of[i] = random_movement(s);
  return made;
}

static void change_numbers(search *s, movement *m)
{
  double size =
      random_size(s, 8.0) * (random_below(&s->random, 2) ? 1.0 : fabs(m->rise) + hypot(m->shift[0], m->shift[1]));
  unsigned which = random_below(&s->random, 7) + 1;
  double *const numbers[3] = {&m->rise, &m->shift[0], &m->shift[1]};
  for (int i = 0; i < 3; i++)
    if (which >> i & 1u)
      *numbers[i] += size * random_in(&s->random, -1.0, 1.0);
}

static void turn(movement *m, double angle)
{
  double c = cos(angle), d = sin(angle), x = m->shift[0];
  m->shift[0] = c * x - d * m->shift[1];
  m->shift[1] = d * x + c * m->shift[1];
}

static void scale(movement *m, double factor)
{
  m->rise *= factor;
  m->shift[0] *= factor;
  m->shift[1] *= factor;
}

static void insert(sequence *of, int at, movement m)
{
  if (of->count == MOVEMENTS_MAX)
    return;
  memmove(&of->of[at + 1], &of->of[at], (size_t)(of->count - at) * sizeof m);
  of->of[at] = m;
  of->count++;
}

static void drop(sequence *of, int at)
{
  if (of->count < 2)
    return;
  of->count--;
  memmove(&of->of[at], &of->of[at + 1], (size_t)(of->count - at) * sizeof of->of[0]);
}

static void change_once(search *s, sequence *of)
{
  int at = (int)random_below(&s->random, (unsigned)of->count);
  movement *m = &of->of[at];
  switch (random_below(&s->random, 10)) {
  case 0:
    insert(of, at, random_movement(s));
    break;
  case 1:
    drop(of, at);
    break;
  case 2:
    scale(m, 0.5);
    insert(of, at, *m);
    break;
  case 3: /* this and all that follow */
    for (double angle = random_size(s, 6.0) * random_in(&s->random, -1.0, 1.0); at < of->count; at++)
      turn(&of->of[at], angle);
    break;
  case 4:
    turn(m, random_size(s, 6.0) * random_in(&s->random, -3.2, 3.2));
    break;
  case 5:
    scale(m, 1.0 + random_size(s, 6.0) * random_in(&s->random, -1.0, 1.0));
    break;
  default:
    change_numbers(s, m);
  }
}

static sequence changed(search *s, const sequence *from)
{
  sequence made = *from;
  do
    change_once(s, &made);
  while (random_below(&s->random, 3) == 0);
  for (int i = 0; i < made.count; i++)
    make_legal(s, &made.of[i]);
  return made;
}

/* ---- Search ------------------------------------------------------------------------------------------------------ */

static int improve(search *s, sequence *best, uint64_t trials)
{
  for (uint64_t i = 0; i < trials; i++) {
    sequence next = changed(s, best);
    if (!play(s, &next))
      return 0;
    if (next.score >= best->score)
      *best = next;
  }
  return 1;
}

static int find_worst(search *s, uint64_t starts, uint64_t trials, sequence *worst)
{
  *worst = (sequence){.score = -1.0};
  for (uint64_t i = 0; i < starts; i++) {
    sequence next = random_sequence(s);
    if (!play(s, &next) || !improve(s, &next, trials))
      return 0;
    if (next.score > worst->score)
      *worst = next;
  }
  return improve(s, worst, 10 * trials);
}

/* ---- Table ------------------------------------------------------------------------------------------------------- */

typedef struct contour {
  const char *name;
  jager_contour kind;
  double exponent;
} contour;

static search search_create(const contour *shape, int dimensions, double tolerance, uint64_t random)
{
  search s = {.exact_law = example_law(), .dimensions = dimensions, .random = random};
  if (shape->kind != JAGER_CONTOUR_SPHERE)
    (void)jager_law_set_contour(&s.exact_law, shape->kind, 0.3, shape->exponent);
  s.law = s.exact_law;
  (void)jager_law_set_tolerance(&s.law, tolerance);
  s.pool = jager_pool_create(0);
  return s;
}

typedef struct effort {
  uint64_t seed, starts, trials;
  uint64_t directions; /* 0: both numbers */
  const char *contour; /* NULL: all */
} effort;

static int is_wanted(const effort *how, const contour *shape, int dimensions)
{
  return (how->directions == 0 || how->directions == (uint64_t)dimensions) &&
         (!how->contour || strcmp(how->contour, shape->name) == 0);
}

/* One row. Returns whether the bound holds. */
static int try_one(const contour *shape, int dimensions, int decade, const effort *how)
{
  double tolerance = pow(10.0, -(double)decade), bound = dimensions == 1 ? tolerance + 1e-13 : sqrt(tolerance);
  uint64_t mix = how->seed ^ ((uint64_t)(16 * dimensions + decade) * 0xD1342543DE82EF95u);
  search s = search_create(shape, dimensions, tolerance, random_bits(&mix));
  sequence worst;
  int holds = s.pool && find_worst(&s, how->starts, how->trials, &worst);
  if (!holds)
    printf("FAILED: a movement was refused, or has no force\n");
  else {
    printf("%-10s %10d %6.0e %10d %12.3e %12.4f %12.4f\n", shape->name, dimensions, tolerance, worst.count, worst.score,
           worst.score / tolerance, worst.score / sqrt(tolerance));
    holds = worst.score <= bound;
    if (!holds)
      printf("FAILED: the bound is %g\n", bound);
  }
  (void)fflush(stdout);
  jager_pool_destroy(s.pool);
  return holds;
}

static int parse(effort *how, int argc, char **argv)
{
  for (int i = 1; i < argc; i += 2) {
    uint64_t *const numbers[] = {&how->seed, &how->starts, &how->trials, &how->directions};
    static const char *const names[] = {"--seed", "--starts", "--trials", "--directions"};
    int k = 0;
    while (k < 4 && strcmp(argv[i], names[k]) != 0)
      k++;
    if (i + 1 < argc && k < 4)
      *numbers[k] = strtoull(argv[i + 1], NULL, 10);
    else if (i + 1 < argc && strcmp(argv[i], "--contour") == 0)
      how->contour = argv[i + 1];
    else
      return 0;
  }
  return 1;
}

int main(int argc, char **argv)
{
  static const contour contours[] = {
      {"sphere", JAGER_CONTOUR_SPHERE, 0.0}, {"cone", JAGER_CONTOUR_CONE, 0.0}, {"power", JAGER_CONTOUR_POWER, 4.0}};
  effort how = {.seed = 1, .starts = 5, .trials = 20000};
  int holds = 1, rows = 0;
  if (!parse(&how, argc, argv)) {
    (void)fprintf(stderr,
                  "adversary: a number or a contour belongs to each of --seed, --starts, --trials, --directions, "
                  "--contour\n");
    return 2;
  }
  printf("# |Ft - exact| over f Fn: the largest found, by itself, over tau, and over sqrt(tau); power: r^4\n");
  printf("# seed %" PRIu64 ", %" PRIu64 " starts of %" PRIu64 " trials\n", how.seed, how.starts, how.trials);
  printf("%-10s %10s %6s %10s %12s %12s %12s\n", "contour", "directions", "tau", "movements", "largest", "/ tau",
         "/ sqrt(tau)");
  for (int dimensions = 1; dimensions <= 2; dimensions++)
    for (size_t i = 0; i < sizeof contours / sizeof *contours; i++)
      for (int decade = DECADES; decade >= 1 && is_wanted(&how, &contours[i], dimensions); decade--, rows++)
        holds &= try_one(&contours[i], dimensions, decade, &how);
  if (rows == 0)
    (void)fprintf(stderr, "adversary: nothing to do: directions are 1 or 2, contours sphere, cone or power\n");
  return rows == 0 ? 2 : !holds;
}
