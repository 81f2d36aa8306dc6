/* SPDX-License-Identifier: MIT */
/*
 * Skins chosen by the clock.
 *
 * Oracle: a fixed skin: runs with random or tuned skins have the same bits, and so have their checkpoints. For the
 * tuner alone, the best rung of a made-up machine. Seeds: 1 ... 9.
 */
#include "dem_support.h"

#include "dem/neighbours.h"
#include "random_numbers.h"

enum { SPHERES = 1100, STEPS = 500 }; /* nine blocks: enough to be shared by threads */

FIXTURE_ONCE(make_directory, remove_directory)

/* ---- The same bits ----------------------------------------------------------------------------------------------- */

/* Random spheres that are compressed: they fly about and touch, and lists do not last long. */
static dem_case flying_case(double skin)
{
  dem_case run = dem_still_case(0.0);
  dem_take_packing(&run, SPHERES, 10e6);
  run.skin = skin;
  return run;
}

/* Makes a new list at random moments, with a random skin. */
static void change_skin(dem_simulation *s, uint64_t *seed)
{
  if (random_below(seed, 7) > 0)
    return;
  s->skin = s->mean_diameter * exp(random_in(seed, log(0.001), log(0.3)));
  s->neighbours_are_stale = true;
}

/* The bytes of the checkpoint after the steps, as a hash. The notes are the same for all. */
static uint64_t checkpoint_hash(const dem_simulation *s)
{
  error_info error = {.text = ""};
  dem_checkpoint_notes notes = {.input = "", .series_bytes = 0, .seconds = 0.0};
  ck_assert_msg(dem_checkpoint_write(s, scratch_path(directory, "state"), NULL, &notes, &error), "%s", error.text);
  FILE *stream = fopen(scratch_path(directory, "state"), "rb");
  ck_assert_ptr_nonnull(stream);
  uint64_t sum = 14695981039346656037u;
  for (int byte; (byte = fgetc(stream)) != EOF;)
    sum = (sum ^ (uint64_t)byte) * 1099511628211u;
  fclose(stream);
  return sum;
}

typedef struct outcome {
  uint64_t state, file;
  long listings;
} outcome;

/* `seed` 0: the skins of the case. */
static outcome run_flying(double skin, uint64_t seed, int threads)
{
  outcome o = {0, 0, 0};
  SCOPED_CASE run = flying_case(skin);
  SCOPED_SIMULATION s = dem_create(&run, threads);
  for (long k = 0; k < STEPS; k++) {
    upper_matrix listed = s->cell_at_listing;
    if (seed > 0)
      change_skin(s, &seed);
    dem_steps(s, 1);
    o.listings += memcmp(&listed, &s->cell_at_listing, sizeof listed) != 0;
  }
  o.state = dem_simulation_hash(s);
  o.file = checkpoint_hash(s);
  return o;
}

/* The number of threads is a field of checkpoints. */
TEST(no_sequence_of_skins_changes_a_bit)
{
  uint64_t first = 0;
  for (int threads = 1; threads <= 3; threads++) {
    outcome fixed = run_flying(0.02, 0, threads), random = run_flying(0.02, (uint64_t)threads, threads),
            tuned = run_flying(0.0, 0, threads);
    printf("%d threads: %ld listings, %ld with random skins, %ld with tuned ones\n", threads, fixed.listings,
           random.listings, tuned.listings);
    first = threads == 1 ? fixed.state : first;
    ck_assert_uint_eq(fixed.state, first);
    ck_assert_uint_eq(random.state, first);
    ck_assert_uint_eq(tuned.state, first);
    ck_assert_uint_eq(random.file, fixed.file);
    ck_assert_uint_eq(tuned.file, fixed.file);
    ck_assert_int_ne(random.listings, fixed.listings);
    ck_assert_int_ne(tuned.listings, fixed.listings);
  }
}

TEST(the_skin_of_a_case_stays)
{
  SCOPED_CASE run = flying_case(0.03);
  SCOPED_SIMULATION s = dem_create(&run, 1);
  for (int k = 0; k < 200; k++) {
    dem_steps(s, 1);
    ck_assert_double_eq(s->skin, 0.03 * s->mean_diameter);
  }
}

/* ---- Narrow cells ------------------------------------------------------------------------------------------------ */

/* Compresses a cell with one sphere. Returns the step that fails; the tuner would take this rung. */
static long step_of_failure(double skin, int rung)
{
  error_info error = {.text = ""};
  SCOPED_CASE run = dem_still_case(1e-7);
  vec3 x = {0.5, 0.5, 0.5};
  double radius = 0.2; /* two diameters: 0.8 */
  dem_write_spheres(directory, "one", (upper_matrix){.xx = 1.0, .yy = 1.0, .zz = 1.0}, 1, &x, &radius, NULL);
  dem_take_file(&run, directory, "one");
  run.skin = skin;
  run.stages[0].control[DEM_ZZ] = (dem_control){.kind = DEM_CONTROL_STRAIN_STEP, .value = 1e-3};
  SCOPED_SIMULATION s = dem_create(&run, 1);
  dem_progress progress = DEM_GOES_ON;
  while (progress == DEM_GOES_ON) {
    dem_skin_tuner_init(&s->tuner, rung);
    progress = dem_simulation_step(s, &error);
  }
  long step = s->step;
  ck_assert_int_eq(progress, DEM_FAILED);
  ck_assert_msg(strstr(error.text, "two of the largest diameters"), "%s", error.text);
  ck_assert_double_le(s->cell.zz, skin > 0.0 ? 0.8 * (1.0 + skin) : 0.8);
  return step;
}

/* A thick skin must not make a cell too narrow: then the clock would decide when the run fails. */
TEST(a_tuned_skin_fits_into_the_cell)
{
  long first = step_of_failure(0.0, 0), fixed = step_of_failure(0.02, 0);
  for (int rung = 1; rung < SKIN_RUNGS; rung++)
    ck_assert_int_eq(step_of_failure(0.0, rung), first);
  printf("a cell of one sphere is too narrow after %ld steps; with the skin 0.02 after %ld\n", first, fixed);
  ck_assert_int_ge(first, fixed);
}

/* If a thick skin makes a list too long, it is made with the skin of the start, and so are all later lists. */
TEST(a_failed_listing_is_tried_again_with_a_thinner_skin)
{
  SCOPED_CASE run = flying_case(0.0);
  SCOPED_SIMULATION s = dem_create(&run, 1);
  ck_assert(!dem_skin_tuning_retreat(s)); /* it has the skin of the start */
  dem_steps(s, 50);
  ck_assert_double_gt(s->skin, 1.1 * SKIN_AT_START * s->mean_diameter); /* of a packing */
  s->blocks[0].status = JAGER_ERROR_CAPACITY;
  s->neighbours_are_stale = true;
  ck_assert(dem_skin_tuning_retreat(s));
  ck_assert_int_eq(s->blocks[0].status, JAGER_OK);
  for (int k = 0; k < 300; k++) {
    dem_steps(s, 1);
    ck_assert_double_le(s->skin, SKIN_AT_START * s->mean_diameter);
  }
}

/* ---- The tuner alone --------------------------------------------------------------------------------------------- */

/* A machine whose steps take longer with thicker skins, and whose lists last longer. */
typedef struct machine {
  double of_skin, of_listing; /* cost of the skin of the start, and of a listing, over the cost of a step */
  double lasts;               /* steps that a list with that skin lasts */
  double noise;               /* of each time, as a share of it; one step in fifty takes ten times as long */
} machine;

static double mean_cost(const machine *m, int rung)
{
  double f = dem_skin_factor(rung);
  return 1.0 + m->of_skin * f + m->of_listing / ceil(m->lasts * f);
}

static int best_rung(const machine *m)
{
  int best = 0;
  for (int rung = 1; rung < SKIN_RUNGS; rung++)
    best = mean_cost(m, rung) < mean_cost(m, best) ? rung : best;
  return best;
}

static double noisy(const machine *m, double time, uint64_t *seed)
{
  time *= 1.0 + m->noise * random_in(seed, -1.0, 1.0);
  return m->noise > 0.0 && random_below(seed, 50) == 0 ? 10.0 * time : time;
}

/* Mean cost of a step over that with the best rung, in the second half of so many steps. */
static double run_machine(const machine *m, int start, long steps, uint64_t seed)
{
  skin_tuner t;
  double cost = 0.0;
  long counted = 0;
  dem_skin_tuner_init(&t, start);
  for (long k = 0; k < steps;) {
    int rung = dem_skin_tuner_choose(&t);
    double f = dem_skin_factor(rung);
    long lasts = (long)ceil(m->lasts * f);
    for (long i = 0; i < lasts; i++, k++) {
      double time = 1.0 + m->of_skin * f + (i == 0 ? m->of_listing : 0.0);
      dem_skin_tuner_add_step(&t, noisy(m, time, &seed), i == 0);
      cost += k >= steps / 2 ? time : 0.0;
      counted += k >= steps / 2;
    }
  }
  return cost / (double)counted / mean_cost(m, best_rung(m));
}

TEST(the_tuner_finds_a_good_skin)
{
  const machine machines[] = {
      {0.01, 3.0, 8.0, 0.0},   {0.05, 3.0, 8.0, 0.0}, {0.3, 3.0, 8.0, 0.0},  {0.01, 3.0, 500.0, 0.0},
      {0.01, 3.0, 8.0, 0.1},   {0.05, 3.0, 8.0, 0.1}, {0.3, 3.0, 8.0, 0.1},  {0.01, 3.0, 500.0, 0.1},
      {0.001, 10.0, 2.0, 0.1}, {1.0, 0.5, 30.0, 0.1}, {0.05, 3.0, 8.0, 0.3}, {0.0, 0.0, 1.0, 0.1},
  };
  for (size_t i = 0; i < sizeof machines / sizeof *machines; i++)
    for (int start = 0; start < SKIN_RUNGS; start += 4)
      for (uint64_t seed = 1; seed < 10; seed++) {
        const machine *m = &machines[i];
        double excess = run_machine(m, start, 30000, seed);
        ck_assert_msg(excess < 1.08, "machine %zu from rung %d, seed %d: %.3f times the cost of rung %d", i, start,
                      (int)seed, excess, best_rung(m));
      }
}
