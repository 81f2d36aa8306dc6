/* SPDX-License-Identifier: MIT */
/*
 * bench/contact: the cost of one call of every law, in nanoseconds, in one run.
 *
 * 8,700 contacts (as many as 4,096 spheres have) wander like contacts in slow shear: ζ, ξ1 and ξ2 each follow a smooth
 * random motion around a mean, so that elastic and slip movements and long histories come about by themselves. All laws
 * get the same movements. They are made outside the timed part, in blocks; laws take turns, and the best of all blocks
 * counts, so that noise of the machine hits all alike. All loops fetch histories ahead, as jager_contacts_move does,
 * but for one that shows what that is worth. Two more move all contacts at once with jager_contacts_move, one exact,
 * one with a tolerance. Some have contacts of fixed size (jager/compact.h). The first blocks are a warm-up in which
 * histories grow.
 */
#define _POSIX_C_SOURCE 200809L

#include "contact/history.h"
#include "jager/jager.h"
#include "paper_list.h"
#include "variant.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { CONTACTS = 8700, BLOCK = 16, WARM_UP = 250, BLOCKS = 400, AHEAD = 8 };
enum { LAWS = JAGER_MODEL_COUNT, WITHOUT_HINT = LAWS, CONE, POWER, AT_ONCE, AT_ONCE_SHORT, RUNNERS };

static const char *const compact_names[] = {"8", "12", "24", "12 stored single", "12 single"};

enum { COMPACTS = sizeof compact_names / sizeof compact_names[0] };

#define ZETA_MEAN 1e-7 /* m: 1e-4 R */
#define RADIUS 1e-3
#define SHEAR_MODULUS 29e9
#define POISSON 0.15
#define FRICTION 0.5
#define TOLERANCE 1e-3

static uint64_t random_state = 20261115;

/* uniform in [-1, 1): splitmix64 */
static double random_number(void)
{
  uint64_t z = (random_state += 0x9E3779B97F4A7C15u);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return (double)((z ^ (z >> 31)) >> 11) * 0x1p-52 - 1.0;
}

/* A damped oscillator pushed at random: smooth over some hundred steps, bounded over thousands. */
struct wanderer {
  double position, velocity;
};

static double wander(struct wanderer *w, double strength)
{
  w->velocity += strength * random_number() - 0.01 * w->velocity - 4e-6 * w->position;
  w->position += w->velocity;
  return w->velocity;
}

struct motion {
  struct wanderer zeta, xi[2];
};

struct movement {
  double zeta, dxi[2];
};

static struct motion motions[CONTACTS];
static struct movement movements[BLOCK][CONTACTS];
static double zetas[BLOCK][CONTACTS], dxis[BLOCK][2][CONTACTS]; /* the same, for all at once */

static void make_block(void)
{
  const double strength = 0.5e-4 * ZETA_MEAN;
  for (int step = 0; step < BLOCK; step++)
    for (int i = 0; i < CONTACTS; i++) {
      struct motion *m = &motions[i];
      struct movement *to = &movements[step][i];
      wander(&m->zeta, strength);
      to->zeta = ZETA_MEAN + m->zeta.position;
      for (int k = 0; k < 2; k++)
        to->dxi[k] = dxis[step][k][i] = wander(&m->xi[k], 0.4 * strength);
      zetas[step][i] = to->zeta;
    }
}

static double now_ns(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static void fail(const char *what)
{
  fprintf(stderr, "bench/contact: %s\n", what);
  exit(1);
}

struct runner {
  jager_law law;
  jager_pool *pool;
  jager_contact *contacts;
  int ahead; /* of the hint; 0: none */
  double best;
};

static void runner_create(struct runner *runner, int number)
{
  jager_model model = number < LAWS ? (jager_model)number : JAGER_MODEL_JAGER;
  jager_contour contour = number == CONE    ? JAGER_CONTOUR_CONE
                          : number == POWER ? JAGER_CONTOUR_POWER
                                            : JAGER_CONTOUR_SPHERE;
  runner->ahead = number == WITHOUT_HINT ? 0 : AHEAD;
  runner->law = jager_law_default();
  runner->pool = jager_pool_create(0);
  runner->contacts = calloc(CONTACTS, sizeof *runner->contacts);
  runner->best = 1e300;
  if (!runner->pool || !runner->contacts || jager_law_set_bodies(&runner->law, SHEAR_MODULUS, POISSON) != JAGER_OK ||
      jager_law_set_friction(&runner->law, FRICTION) != JAGER_OK ||
      jager_law_set_model(&runner->law, model) != JAGER_OK ||
      jager_law_set_contour(&runner->law, contour, 0.03, 1.5) != JAGER_OK ||
      jager_law_set_tolerance(&runner->law, number == AT_ONCE_SHORT ? TOLERANCE : 0.0) != JAGER_OK)
    fail("no memory");
  for (int i = 0; i < CONTACTS; i++)
    if (jager_contact_init(&runner->contacts[i], &runner->law, RADIUS, RADIUS) != JAGER_OK)
      fail("cannot make a contact");
}

static void runner_block(struct runner *runner, double *checksum)
{
  double start = now_ns();
  for (int step = 0; step < BLOCK; step++)
    for (int i = 0; i < CONTACTS; i++) {
      jager_force force;
      const struct movement *m = &movements[step][i];
      if (runner->ahead && i + runner->ahead < CONTACTS)
        history_prefetch(data_of_const(&runner->contacts[i + runner->ahead]));
      if (jager_contact_move(&runner->contacts[i], &runner->law, runner->pool, m->zeta, m->dxi, &force) != JAGER_OK)
        fail("a movement failed");
      *checksum += force.ft[0];
    }
  runner->best = fmin(runner->best, (now_ns() - start) / (BLOCK * (double)CONTACTS));
}

static void at_once_block(struct runner *runner, double *checksum)
{
  static jager_contact *pointers[CONTACTS];
  static double fn[CONTACTS], ft[2][CONTACTS];
  for (int i = 0; i < CONTACTS; i++)
    pointers[i] = &runner->contacts[i];
  double start = now_ns();
  for (int step = 0; step < BLOCK; step++) {
    jager_moves moves = {.count = CONTACTS,
                         .contacts = pointers,
                         .zeta = zetas[step],
                         .dxi = {dxis[step][0], dxis[step][1]},
                         .fn = fn,
                         .ft = {ft[0], ft[1]}};
    if (jager_contacts_move(&moves, &runner->law, runner->pool, NULL) != JAGER_OK)
      fail("a movement failed");
  }
  runner->best = fmin(runner->best, (now_ns() - start) / (BLOCK * (double)CONTACTS));
  for (int i = 0; i < CONTACTS; i++)
    *checksum += ft[0][i];
}

static void paper_block(const struct runner *like, struct paper_pool *pool, struct paper_contact *contacts,
                        double *best)
{
  double start = now_ns(), stiffness = jager_contact_coefficient(&like->contacts[0]);
  for (int step = 0; step < BLOCK; step++)
    for (int i = 0; i < CONTACTS; i++) {
      const struct movement *m = &movements[step][i];
      if (i + AHEAD < CONTACTS)
        __builtin_prefetch(contacts[i + AHEAD].top);
      if (paper_move(stiffness, like->law.kappa, like->law.friction, pool, &contacts[i], m->zeta, m->dxi) != 0)
        fail("the paper's list is full");
    }
  *best = fmin(*best, (now_ns() - start) / (BLOCK * (double)CONTACTS));
}

struct compact_runner {
  const compact_variant *variant;
  char *contacts;
  double best;
};

static void compact_create(struct compact_runner *runner, int number)
{
  runner->variant = compact_variant_named(compact_names[number]);
  runner->contacts = runner->variant ? calloc(CONTACTS, runner->variant->bytes) : NULL;
  runner->best = 1e300;
  if (!runner->contacts)
    fail("no memory");
}

static void compact_block(const struct runner *like, struct compact_runner *runner, double *checksum)
{
  const size_t bytes = runner->variant->bytes;
  double start = now_ns(), stiffness = jager_contact_coefficient(&like->contacts[0]);
  for (int step = 0; step < BLOCK; step++)
    for (int i = 0; i < CONTACTS; i++) {
      jager_force force;
      const struct movement *m = &movements[step][i];
      if (runner->variant->move(&like->law, runner->contacts + (size_t)i * bytes, stiffness, m->zeta, m->dxi, &force))
        fail("a movement failed");
      *checksum += force.ft[0];
    }
  runner->best = fmin(runner->best, (now_ns() - start) / (BLOCK * (double)CONTACTS));
}

static void report_compact(const struct compact_runner compacts[COMPACTS], double yardstick)
{
  for (int k = 0; k < COMPACTS; k++) {
    char name[64];
    snprintf(name, sizeof name, "fixed size, %s", compact_names[k]);
    printf("%-28s %10.1f %24.2f\n", name, compacts[k].best, compacts[k].best / yardstick);
  }
}

struct census {
  double states[JAGER_STATE_COUNT];
  double length, length_max, steps;
};

static void take_census(const struct runner *jager, struct census *census)
{
  for (int i = 0; i < CONTACTS; i++) {
    const jager_contact *c = &jager->contacts[i];
    census->states[jager_contact_state(c)]++;
    census->length += jager_contact_length(c);
    census->length_max = fmax(census->length_max, jager_contact_length(c));
    census->steps++;
  }
}

/* Prints the table. Returns the bytes of an entry, including the pool's reserve. */
static double report(struct runner runners[RUNNERS], const struct compact_runner compacts[COMPACTS], double paper,
                     const struct census *census, int quick)
{
  double yardstick = runners[JAGER_MODEL_MODIFIED_MINDLIN].best;
  printf("# %d contacts, best of %d blocks of %d steps, one core\n", CONTACTS, quick ? BLOCKS / 10 : BLOCKS, BLOCK);
  printf("# movements: %.1f %% elastic, %.1f %% slip, %.1f %% slide; history mean %.1f, longest %.0f points\n",
         100 * census->states[JAGER_STATE_ELASTIC] / census->steps,
         100 * census->states[JAGER_STATE_SLIP] / census->steps,
         100 * census->states[JAGER_STATE_SLIDE] / census->steps, census->length / census->steps, census->length_max);
  const struct runner *jager = &runners[JAGER_MODEL_JAGER];
  double entries = 0.0;
  for (int i = 0; i < CONTACTS; i++)
    entries += jager_contact_length(&jager->contacts[i]) - 1.0; /* the zeroth point is not stored */
  printf("# history store: %.1f bytes an entry in use, %.1f with the pool's reserve, %.1f with the contacts as well\n",
         (double)jager_pool_bytes_in_use(jager->pool) / entries, (double)jager_pool_bytes(jager->pool) / entries,
         ((double)jager_pool_bytes(jager->pool) + (double)CONTACTS * sizeof(jager_contact)) / entries);
  printf("%-28s %10s %24s\n", "law", "ns/call", "x modified-mindlin");
  for (int k = 0; k < LAWS; k++)
    printf("%-28s %10.1f %24.2f\n", jager_model_name((jager_model)k), runners[k].best, runners[k].best / yardstick);
  printf("%-28s %10.1f %24.2f\n", "jager, without prefetch", runners[WITHOUT_HINT].best,
         runners[WITHOUT_HINT].best / yardstick);
  printf("%-28s %10.1f %24.2f\n", "jager, cones", runners[CONE].best, runners[CONE].best / yardstick);
  printf("%-28s %10.1f %24.2f\n", "jager, powers r^1.5", runners[POWER].best, runners[POWER].best / yardstick);
  printf("%-28s %10.1f %24.2f\n", "jager, many at once", runners[AT_ONCE].best, runners[AT_ONCE].best / yardstick);
  printf("%-28s %10.1f %24.2f\n", "the same, tolerance 1e-3", runners[AT_ONCE_SHORT].best,
         runners[AT_ONCE_SHORT].best / yardstick);
  printf("%-28s %10.1f %24.2f\n", "jager, the paper's list", paper, paper / yardstick);
  report_compact(compacts, yardstick);
  double length = 0.0;
  for (int i = 0; i < CONTACTS; i++)
    length += jager_contact_length(&runners[AT_ONCE_SHORT].contacts[i]);
  printf("# with the tolerance histories have %.1f points at the end, exact ones %.1f\n", length / CONTACTS,
         entries / CONTACTS + 1.0);
  return (double)jager_pool_bytes(jager->pool) / entries;
}

int main(int argc, char **argv)
{
  int quick = argc > 1 && strcmp(argv[1], "--quick") == 0;
  struct runner runners[RUNNERS];
  struct compact_runner compacts[COMPACTS];
  struct paper_pool paper_pool;
  struct paper_contact *paper_contacts = calloc(CONTACTS, sizeof *paper_contacts);
  struct census census = {.length = 0};
  double paper_best = 1e300, checksum = 0.0;
  if (!paper_contacts || paper_pool_create(&paper_pool, (size_t)CONTACTS * 2000) != 0)
    fail("no memory");
  for (int k = 0; k < RUNNERS; k++)
    runner_create(&runners[k], k);
  for (int k = 0; k < COMPACTS; k++)
    compact_create(&compacts[k], k);
  int warm_up = quick ? WARM_UP / 10 : WARM_UP, blocks = quick ? BLOCKS / 10 : BLOCKS;
  for (int block = 0; block < warm_up + blocks; block++) {
    make_block();
    for (int k = 0; k < RUNNERS; k++)
      (k < AT_ONCE ? runner_block : at_once_block)(&runners[k], &checksum);
    for (int k = 0; k < COMPACTS; k++)
      compact_block(&runners[JAGER_MODEL_JAGER], &compacts[k], &checksum);
    paper_block(&runners[JAGER_MODEL_JAGER], &paper_pool, paper_contacts, &paper_best);
    if (block < warm_up) {
      paper_best = 1e300;
      for (int k = 0; k < RUNNERS; k++)
        runners[k].best = 1e300;
      for (int k = 0; k < COMPACTS; k++)
        compacts[k].best = 1e300;
    } else {
      take_census(&runners[JAGER_MODEL_JAGER], &census);
    }
  }
  double bytes_an_entry = report(runners, compacts, paper_best, &census, quick);
  printf("# checksum %.17g\n", checksum);
  for (int k = 0; k < RUNNERS; k++) {
    jager_pool_destroy(runners[k].pool);
    free(runners[k].contacts);
  }
  for (int k = 0; k < COMPACTS; k++)
    free(compacts[k].contacts);
  paper_pool_destroy(&paper_pool);
  free(paper_contacts);
  if (!(bytes_an_entry <= 34.0) || !isfinite(checksum))
    fail("more than 34 bytes an entry, or forces that are no numbers");
  return 0;
}
