/* SPDX-License-Identifier: MIT */
/*
 * Traces: the samples of a trace are the movements and forces of its contact.
 *
 * Oracles: a new contact of libjager that is moved along the traced ζ and ξ must have the traced forces; births and
 * deaths of contacts are found by comparing all contacts before and after every step.
 */
#include "dem_support.h"

#include "dem/trace.h"

enum { SPHERES = 100 };

FIXTURE_PACKED(ONCE, SPHERES)

/* Flow at constant mean stress: contacts are born and die. */
static dem_case flow_case(void)
{
  dem_case run = dem_still_case(1e-7);
  dem_write_spheres(directory, "packed", packed.cell, SPHERES, packed.x, packed.radius, NULL);
  dem_take_file(&run, directory, "packed");
  run.stages[0].control[DEM_XY] = (dem_control){.kind = DEM_CONTROL_STRAIN_STEP, .value = 5e-5};
  run.stages[0].mean_stress_is_held = true;
  run.stages[0].mean_stress.value = 10e6;
  run.stages[0].damping.local = 0.2;
  return run;
}

/* ---- Replaying --------------------------------------------------------------------------------------------------- */

/* Largest difference of a force, over the normal force. */
static double replay(const dem_simulation *s, const dem_trace_life *life)
{
  SCOPED_POOL pool = jager_pool_create(0);
  jager_contact contact = {0};
  const jager_particle *a = &s->bodies[dem_sphere(s, life->ids[0])], *b = &s->bodies[dem_sphere(s, life->ids[1])];
  double worst = 0.0;
  assert_ok(jager_contact_init(&contact, &s->law, a->radius, b->radius));
  for (size_t k = 0; k < life->count; k++) {
    const dem_trace_sample *now = &life->samples[k];
    double dxi[2] = {now->xi1, now->xi2};
    jager_force force;
    if (k > 0) {
      dxi[0] -= life->samples[k - 1].xi1;
      dxi[1] -= life->samples[k - 1].xi2;
    }
    assert_ok(jager_contact_move(&contact, &s->law, pool, now->zeta, dxi, &force));
    worst = fmax(worst, fabs(force.fn - now->fn) / now->fn);
    worst = fmax(worst, hypot(force.ft[0] - now->ft1, force.ft[1] - now->ft2) / now->fn);
    ck_assert_double_ge(now->length, 2.0);
  }
  jager_contact_release(&contact, pool);
  return worst;
}

/* A pair that touches now and then; one that touches from the start. */
typedef struct chosen {
  uint32_t often[2], always[2];
} chosen;

typedef struct watch {
  bool touches[SPHERES][SPHERES];
  long birth[SPHERES][SPHERES]; /* of the present life, or the last one */
  int lives[SPHERES][SPHERES];
} watch;

/* Marks the touching pairs by ids, the smaller first. Finds births and deaths. */
typedef void told(void *context, uint32_t a, uint32_t b, bool is_birth);

static void watch_step(watch *w, const dem_simulation *s, told *tell, void *context)
{
  static bool now[SPHERES][SPHERES];
  memset(now, 0, sizeof now);
  contact_walk at = contact_walk_start(s);
  while (contact_walk_next(&at)) {
    uint32_t a = s->ids[at.p], b = s->ids[at.q];
    now[a < b ? a : b][a < b ? b : a] = true;
  }
  for (uint32_t a = 0; a < SPHERES; a++)
    for (uint32_t b = a + 1; b < SPHERES; b++) {
      if (now[a][b] == w->touches[a][b])
        continue;
      if (now[a][b]) {
        w->birth[a][b] = s->step;
        w->lives[a][b]++;
      }
      w->touches[a][b] = now[a][b];
      if (tell)
        tell(context, a, b, now[a][b]);
    }
}

static chosen choose(long steps)
{
  static watch w;
  memset(&w, 0, sizeof w);
  SCOPED_CASE run = flow_case();
  SCOPED_SIMULATION s = dem_create(&run, 1);
  watch_step(&w, s, NULL, NULL);
  for (long k = 0; k < steps; k++) {
    dem_steps(s, 1);
    watch_step(&w, s, NULL, NULL);
  }
  chosen c = {.often = {0, 0}};
  int most = 0;
  for (uint32_t a = 0; a < SPHERES; a++)
    for (uint32_t b = a + 1; b < SPHERES; b++) {
      if (w.touches[a][b] && w.birth[a][b] == 0)
        c.always[0] = a, c.always[1] = b;
      if (w.lives[a][b] > most && w.touches[a][b]) {
        most = w.lives[a][b];
        c.often[0] = b, c.often[1] = a; /* the larger first: either order will do */
      }
    }
  ck_assert_int_ge(most, 2);
  return c;
}

TEST(a_traced_pair_can_be_replayed)
{
  enum { STEPS = 1500 };
  chosen c = choose(STEPS);
  for (int model = 0; model < JAGER_MODEL_COUNT; model++) {
    SCOPED_CASE run = flow_case();
    run.contact.model = (jager_model)model;
    run.contact.linear_kn = 2e6;
    run.trace_count = 2;
    run.traces[0] =
        (dem_trace){.kind = DEM_TRACE_PAIR, .ids = {c.often[0], c.often[1]}, .component = DEM_XY, .every = 1};
    run.traces[1] =
        (dem_trace){.kind = DEM_TRACE_PAIR, .ids = {c.always[0], c.always[1]}, .component = DEM_XY, .every = 1};
    SCOPED_SIMULATION s = dem_create(&run, 1);
    dem_steps(s, STEPS);
    double worst = 0.0;
    size_t lives = 0, samples = 0;
    for (uint32_t request = 0; request < 2; request++) {
      long last = 0;
      const dem_trace_life *life;
      for (size_t next = 0; (life = dem_trace_book_life(dem_simulation_traces(s), request, &next)) != NULL; lives++) {
        worst = fmax(worst, replay(s, life));
        samples += life->count;
        ck_assert_int_ge(life->birth, last); /* in their order */
        last = life->death;
      }
    }
    printf("%s: %zu lives, %zu samples, replayed within %.1e of the normal force\n",
           jager_model_name((jager_model)model), lives, samples, worst);
    ck_assert_uint_gt(samples, 500);
    /*
     * two of the models take the cube root of the distance to sliding, which is a rounding error when the contact
     * slides
     */
    bool is_steep = model == JAGER_MODEL_MODIFIED_MINDLIN || model == JAGER_MODEL_ZHANG_VUQUOC;
    ck_assert_double_le(worst, is_steep ? 0.05 : 1e-12);
  }
}

/* Two spheres touch first within a step: only the movement after touching counts. */
TEST(a_touch_within_a_step_can_be_replayed)
{
  double worst = 0.0;
  const double radius[2] = {1e-3, 1e-3};
  for (int phase = 0; phase < 10; phase++) {
    vec3 x[2] = {{3e-3, 3e-3, 3e-3}, {5e-3 + 4e-9 * (phase + 0.5) / 10.0, 3e-3, 3e-3}};
    SCOPED_CASE run = dem_still_case(4e-7);
    run.trace_count = 1;
    run.traces[0] = (dem_trace){.kind = DEM_TRACE_PAIR, .ids = {0, 1}, .every = 1};
    dem_write_spheres(directory, "pair", (upper_matrix){.xx = 1e-2, .yy = 1e-2, .zz = 1e-2}, 2, x, radius, NULL);
    dem_take_file(&run, directory, "pair");
    SCOPED_SIMULATION s = dem_create(&run, 1);
    s->motions[dem_sphere(s, 1)].v = (vec3){-0.01, 0.004, -0.003}; /* towards the first, not sliding */
    dem_steps(s, 60);
    size_t next = 0;
    const dem_trace_life *life = dem_trace_book_life(dem_simulation_traces(s), 0, &next);
    ck_assert_ptr_nonnull(life);
    ck_assert_int_eq(life->birth, 1);
    ck_assert_int_gt(life->death, 30);
    ck_assert_double_lt(hypot(life->samples[0].ft1, life->samples[0].ft2), 0.49 * life->samples[0].fn);
    worst = fmax(worst, replay(s, life));
  }
  printf("touch within a step: replayed within %.1e of the normal force\n", worst);
  ck_assert_double_le(worst, 1e-12);
}

/* ---- Samples ----------------------------------------------------------------------------------------------------- */

/* Samples every `every` steps and at birth, with the time and strain of that step. */
TEST(samples_come_when_asked_for)
{
  enum { STEPS = 400, EVERY = 7 };
  chosen c = choose(STEPS);
  SCOPED_CASE run = flow_case();
  run.trace_count = 1;
  run.traces[0] =
      (dem_trace){.kind = DEM_TRACE_PAIR, .ids = {c.always[0], c.always[1]}, .component = DEM_XY, .every = EVERY};
  SCOPED_SIMULATION s = dem_create(&run, 2);
  dem_steps(s, STEPS);
  size_t next = 0;
  const dem_trace_life *life = dem_trace_book_life(dem_simulation_traces(s), 0, &next);
  ck_assert_ptr_nonnull(life);
  ck_assert_int_eq(life->birth, 0); /* it was there at the start */
  ck_assert_int_eq(life->death, -1);
  ck_assert_uint_eq(life->count, 1 + STEPS / EVERY);
  for (size_t k = 0; k < life->count; k++) {
    const dem_trace_sample *now = &life->samples[k];
    ck_assert_double_eq(now->step, EVERY * (double)k);
    assert_within(now->time, 1e-7 * now->step, 1e-18);
    assert_within(now->strain, 5e-5 * now->step, 1e-15);
    ck_assert_double_le(hypot(now->ft1, now->ft2), run.material.friction * now->fn * (1.0 + 1e-12));
  }
}

/* ---- The longest life -------------------------------------------------------------------------------------------- */

typedef struct best_life {
  uint32_t ids[2];
  long birth, death; /* -1: it lives */
  double off;        /* of its strain at birth from the one asked for */
} best_life;

typedef struct search {
  const dem_simulation *simulation;
  const dem_trace *trace;
  const watch *watch;
  bool is_wanted[SPHERES][SPHERES];
  double off[SPHERES][SPHERES];
  best_life best;
  size_t candidates;
} search;

/*
 * Longer lives first; a life that has not ended is the longest, the earlier born first; then nearer births; then ids.
 */
static bool is_better(const best_life *a, const best_life *b)
{
  if (b->birth < 0)
    return true;
  if ((a->death < 0) != (b->death < 0))
    return a->death < 0;
  long age_a = a->death < 0 ? -a->birth : a->death - a->birth, age_b = b->death < 0 ? -b->birth : b->death - b->birth;
  if (age_a != age_b)
    return age_a > age_b;
  if (a->off < b->off || a->off > b->off)
    return a->off < b->off;
  return a->ids[0] != b->ids[0] ? a->ids[0] < b->ids[0] : a->ids[1] < b->ids[1];
}

static void consider(search *q, uint32_t a, uint32_t b, long death)
{
  best_life life = {{a, b}, q->watch->birth[a][b], death, q->off[a][b]};
  if (is_better(&life, &q->best))
    q->best = life;
}

static void follow(void *context, uint32_t a, uint32_t b, bool is_birth)
{
  search *q = context;
  if (!is_birth) {
    if (q->is_wanted[a][b])
      consider(q, a, b, q->simulation->step);
    q->is_wanted[a][b] = false;
    return;
  }
  double off = fabs(q->simulation->strain[q->trace->component] - q->trace->strain);
  q->is_wanted[a][b] = q->simulation->step > 0 && off <= q->trace->window;
  q->off[a][b] = off;
  q->candidates += q->is_wanted[a][b];
}

static best_life longest_by_hand(dem_simulation *s, const dem_trace *trace, long steps, size_t *candidates)
{
  static watch w;
  static search q;
  memset(&w, 0, sizeof w);
  q = (search){.simulation = s, .trace = trace, .watch = &w, .best = {.birth = -1}};
  watch_step(&w, s, follow, &q);
  for (long k = 0; k < steps; k++) {
    dem_steps(s, 1);
    watch_step(&w, s, follow, &q);
  }
  for (uint32_t a = 0; a < SPHERES; a++)
    for (uint32_t b = a + 1; b < SPHERES; b++)
      if (w.touches[a][b] && q.is_wanted[a][b])
        consider(&q, a, b, -1);
  *candidates = q.candidates;
  return q.best;
}

TEST(the_longest_life_is_found)
{
  const double strains[] = {0.005, 0.02, 0.03, 0.03}, windows[] = {0.003, 0.005, 0.001, 1.0};
  for (int k = 0; k < 4; k++)
    for (int threads = 1; threads <= 2; threads++) {
      SCOPED_CASE run = flow_case();
      run.trace_count = 1;
      run.traces[0] = (dem_trace){
          .kind = DEM_TRACE_BORN, .component = DEM_XY, .strain = strains[k], .window = windows[k], .every = 1};
      SCOPED_SIMULATION s = dem_create(&run, threads);
      size_t candidates, next = 0;
      best_life best = longest_by_hand(s, &run.traces[0], k == 3 ? 3000 : 1200, &candidates);
      const dem_trace_life *life = dem_trace_book_life(dem_simulation_traces(s), 0, &next);
      ck_assert_int_ge(best.birth, 0);
      ck_assert_ptr_nonnull(life);
      ck_assert_uint_eq(life->ids[0], best.ids[0]);
      ck_assert_uint_eq(life->ids[1], best.ids[1]);
      ck_assert_int_eq(life->birth, best.birth);
      ck_assert_int_eq(life->death, best.death);
      long end = life->death < 0 ? s->step + 1 : life->death;
      ck_assert_int_eq((long)life->count, end - life->birth);
      ck_assert_double_le(replay(s, life), 1e-12);
      ck_assert_ptr_null(dem_trace_book_life(dem_simulation_traces(s), 0, &next));
      if (threads == 1)
        printf("born near %g: %zu candidates, the longest from step %ld to %ld\n", strains[k], candidates, life->birth,
               life->death);
    }
}

enum { EDGE = 3, LATTICE = EDGE * EDGE * EDGE };

/* Spheres on a cubic lattice, with gaps that close in the third step, in a random order. */
static dem_case closing_case(uint64_t seed)
{
  double gap = 1e-4, edge = 2e-3 * (1.0 + gap), radius[LATTICE];
  vec3 x[LATTICE];
  size_t order[LATTICE];
  for (size_t k = 0; k < LATTICE; k++) {
    x[k] = (vec3){edge * (double)(k % EDGE), edge * (double)(k / EDGE % EDGE), edge * (double)(k / EDGE / EDGE)};
    radius[k] = 1e-3;
    size_t other = random_below(&seed, (unsigned)k + 1);
    order[k] = order[other];
    order[other] = k;
  }
  dem_write_spheres(directory, "lattice", (upper_matrix){.xx = EDGE * edge, .yy = EDGE * edge, .zz = EDGE * edge},
                    LATTICE, x, radius, order);
  dem_case run = dem_still_case(1e-7);
  dem_take_file(&run, directory, "lattice");
  for (int k = DEM_XX; k <= DEM_ZZ; k++)
    run.stages[0].control[k] = (dem_control){.kind = DEM_CONTROL_STRAIN_STEP, .value = 0.4 * gap};
  return run;
}

/* All contacts are born in the same step, at the same strain: the ids decide. Seed: the number of the case. */
TEST(of_equal_lives_the_ids_decide)
{
  for (uint64_t seed = 1; seed <= 5; seed++) {
    SCOPED_CASE run = closing_case(seed);
    run.trace_count = 1;
    run.traces[0] = (dem_trace){.kind = DEM_TRACE_BORN, .component = DEM_XX, .window = 1.0, .every = 1};
    SCOPED_SIMULATION s = dem_create(&run, 1);
    size_t candidates, next = 0;
    best_life best = longest_by_hand(s, &run.traces[0], 5, &candidates);
    const dem_trace_life *life = dem_trace_book_life(dem_simulation_traces(s), 0, &next);
    ck_assert_uint_eq(candidates, 3 * LATTICE);
    ck_assert_ptr_nonnull(life);
    ck_assert_uint_eq(life->ids[0], best.ids[0]);
    ck_assert_uint_eq(life->ids[1], best.ids[1]);
  }
}
