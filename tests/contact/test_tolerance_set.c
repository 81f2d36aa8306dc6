/* SPDX-License-Identifier: MIT */
/*
 * A tolerance set after histories have grown without one. Oracles: for the force an exact twin, for the length a twin
 * with the tolerance from the beginning. tests/long/tolerance.c --late tries more kinds of movements.
 */
#include "histories.h"
#include "contact/history.h"

enum { CONTOURS = 4, DECADES = 6, FORMS = 4, LENGTHS = 6 };

static const uint32_t lengths[LENGTHS] = {10, 40, 100, 300, 1000, 3000};

/* ---- Histories --------------------------------------------------------------------------------------------------- */

/* How a contact moves: along a line or in the plane, with slopes that turn slowly or jump */
typedef struct way {
  int directions;
  bool jumps;
  int steps;
  uint64_t seed;
} way;

/* A step up; now and then a step back, which slips */
static jager_movement next_step(const struct bench *b, way *w, double size)
{
  double reach = 0.7 * b->law.friction * b->law.kappa, phase = 0.01 * w->steps++;
  double rise = size * random_in(&w->seed, 0.5, 1.5), slope[2] = {sin(phase), cos(1.3 * phase)};
  for (int i = 0; i < 2; i++)
    slope[i] = reach * (w->jumps ? random_in(&w->seed, -1.0, 1.0) : slope[i]);
  if (w->steps % 40 == 0)
    rise *= -2.0;
  double zeta = fmax(jager_contact_zeta(&b->contact), 0.0);
  return (jager_movement){zeta + rise, {slope[0] * rise, w->directions == 2 ? slope[1] * rise : 0.0}};
}

static jager_force make(struct bench *b, jager_movement m)
{
  return bench_move(b, m.zeta, m.dxi[0], m.dxi[1]);
}

static void grow(struct bench *b, way *w, uint32_t length)
{
  (void)bench_move(b, 1.0, 0.0, 0.0);
  while (jager_contact_length(&b->contact) < length)
    (void)make(b, next_step(b, w, 1.0 / length));
}

/* ---- What must hold ---------------------------------------------------------------------------------------------- */

/*
 * After a shortening bounds rise from the bottom to the top. Where a bound rises, it is below τ f Fn at the base of
 * that segment. (Slip lowers segments without their bounds: there the true error is smaller than the bound.)
 */
static void assert_account_holds(const struct bench *b)
{
  const contact_data *c = data_of_const(&b->contact);
  double budget = b->law.tolerance * b->law.friction * (1.0 + 1e-4); /* bounds are rounded up, each by 1e-6 at most */
  uint32_t bound = c->error_bound.top, below = c->error_bound.second;
  entry_cursor next = entry_cursor_top(c);
  ck_assert(jager_history_is_valid(c));
  FOR_EACH_SEGMENT(at, c)
  {
    ck_assert_uint_ge(bound, below);
    ck_assert_double_lt(at.zeta_base, at.zeta);
    if (bound > below)
      ck_assert_double_le(number_from_high32(bound), budget * normal_force(&b->law, c->stiffness, at.zeta_base));
    bound = below;
    below = next.node ? *entry_error_bound(next) : 0;
    if (next.node)
      entry_cursor_descend(&next);
  }
  ck_assert_uint_eq(bound, 0);
}

/* Three contacts with the same movements */
typedef struct triplets {
  struct bench late, early, exact;
  double worst; /* error of the late one over τ f Fn */
} triplets;

static void move_triplets(triplets *t, jager_movement m)
{
  jager_force force = make(&t->late, m), exact = make(&t->exact, m);
  (void)make(&t->early, m);
  double error = hypot(force.ft[0] - exact.ft[0], force.ft[1] - exact.ft[1]);
  t->worst = fmax(t->worst, (error / (t->early.law.friction * exact.fn) - 1e-13) / t->early.law.tolerance);
}

/* Moves on, then unloads to nearly zero, with shear to and fro */
static void unload_triplets(triplets *t, way *w)
{
  for (double zeta = jager_contact_zeta(&t->exact.contact); zeta > 1e-3; zeta *= random_in(&w->seed, 0.8, 1.01)) {
    double shift = 0.3 * t->exact.law.friction * t->exact.law.kappa * zeta;
    jager_movement m = {zeta, {shift * random_in(&w->seed, -1.0, 1.0), 0.0}};
    m.dxi[1] = w->directions == 2 ? shift * random_in(&w->seed, -1.0, 1.0) : 0.0;
    move_triplets(t, m);
  }
}

static triplets triplets_create(int contour, double tolerance)
{
  jager_law law = law_of_kind(contour);
  triplets t = {.late = bench_create(law), .exact = bench_create(law)};
  assert_ok(jager_law_set_tolerance(&law, tolerance));
  t.early = bench_create(law);
  return t;
}

static void triplets_destroy(triplets *t)
{
  bench_destroy(&t->late);
  bench_destroy(&t->early);
  bench_destroy(&t->exact);
}

/* Sums over all histories of one tolerance */
typedef struct tally {
  int count;
  double late, early, most, worst[3]; /* lengths; the largest excess; errors in one and two directions */
} tally;

static void set_a_tolerance(int contour, double tolerance, uint32_t length, way w, tally *sum)
{
  triplets t = triplets_create(contour, tolerance);
  jager_movement first = {1.0, {0.0, 0.0}};
  move_triplets(&t, first);
  while (jager_contact_length(&t.late.contact) < length)
    move_triplets(&t, next_step(&t.exact, &w, 1.0 / length));
  ck_assert_double_le(t.worst, 0.0); /* exact so far */
  t.late.law = t.early.law;
  move_triplets(&t, next_step(&t.exact, &w, 1.0 / length));
  assert_account_holds(&t.late);
  for (int i = 0; i < 50; i++)
    move_triplets(&t, next_step(&t.exact, &w, 1.0 / length));
  double late = jager_contact_length(&t.late.contact), early = jager_contact_length(&t.early.contact);
  ck_assert_double_le(late, 1.25 * early + 16.0);
  unload_triplets(&t, &w);
  ck_assert(jager_history_is_valid(data_of_const(&t.late.contact)));
  ck_assert_double_le(t.worst, w.directions == 1 ? 1.0 : 1.0 / sqrt(tolerance));
  sum->count++;
  sum->late += late;
  sum->early += early;
  sum->most = fmax(sum->most, late - 1.25 * early);
  sum->worst[w.directions] = fmax(sum->worst[w.directions], t.worst);
  triplets_destroy(&t);
}

/* ---- Tests ------------------------------------------------------------------------------------------------------- */

/* A tolerance of 10^-decade gives the length and accuracy that it gives from the beginning. */
TEST_LOOP(long_histories_get_short_as_a_whole, DECADES)
{
  const int decade = _i + 1;
  tally sum = {0};
  for (int contour = 0; contour < CONTOURS; contour++)
    for (int n = 0; n < LENGTHS; n++)
      for (int form = 0; form < FORMS; form++) {
        way w = {.directions = 1 + form % 2, .jumps = form / 2, .seed = (uint64_t)(1000 * decade + 10 * n + form)};
        set_a_tolerance(contour, pow(10.0, -decade), lengths[n], w, &sum);
      }
  printf("tolerance 1e-%d: %.1f points, %.1f if set before, at most 5/4 of that and %.0f; errors at most %.3f tau "
         "along a line, %.3f tau in the plane\n",
         decade, sum.late / sum.count, sum.early / sum.count, sum.most, sum.worst[1], sum.worst[2]);
}

/* Slip drops more points than are counted; the rest is still known to be long. */
TEST(a_history_too_long_to_count_is_known_to_be_long)
{
  SCOPED_BENCH b = bench_create(example_law());
  way w = {.directions = 1, .seed = 5};
  grow(&b, &w, 3000);
  double zeta = jager_contact_zeta(&b.contact);
  while (jager_contact_length(&b.contact) > 2000)
    (void)bench_move(&b, zeta *= 0.999, 0.0, 0.0);
  assert_ok(jager_law_set_tolerance(&b.law, 1e-3));
  (void)bench_move(&b, zeta *= 0.999, 0.0, 0.0);
  ck_assert_uint_le(jager_contact_length(&b.contact), 40);
  ck_assert_uint_le(jager_pool_bytes_in_use(b.pool), 10 * sizeof(history_node));
  assert_account_holds(&b);
}

/* The pool has one node left, which the movement may take. */
TEST(getting_short_takes_no_memory)
{
  for (uint32_t length = 30; length < 400; length += 7) {
    SCOPED_BENCH b = bench_create(example_law());
    way w = {.directions = 2, .jumps = true, .seed = length};
    grow(&b, &w, length);
    ck_assert(jager_pool_reserve(b.pool, 1));
    history_node *held = NULL; /* all free nodes but one */
    while (b.pool->nodes_free > 1) {
      history_node *node = pool_take(b.pool);
      node->below = held;
      held = node;
    }
    b.pool->byte_limit = b.pool->bytes;
    assert_ok(jager_law_set_tolerance(&b.law, length % 2 ? 1e-12 : 1e-2)); /* hardly shorter; much shorter */
    (void)make(&b, next_step(&b, &w, 1.0 / length));
    assert_account_holds(&b);
    jager_history_free_nodes(b.pool, held, NULL);
  }
}

/* Segments that were shortened before do not change. */
TEST(the_part_that_is_short_is_kept)
{
  SCOPED_BENCH b = bench_create(law_of_kind(LAW_WITH_TOLERANCE));
  static jager_point before[4000], after[4000];
  way w = {.directions = 2, .jumps = true, .seed = 6};
  assert_ok(jager_law_set_tolerance(&b.law, 1e-6));
  grow(&b, &w, 300);
  assert_ok(jager_contact_history(&b.contact, &b.law, before, 4000));
  assert_ok(jager_law_set_tolerance(&b.law, 0.0));
  while (jager_contact_length(&b.contact) < 450)
    (void)make(&b, next_step(&b, &w, 1e-3));
  assert_ok(jager_law_set_tolerance(&b.law, 1e-6));
  (void)make(&b, next_step(&b, &w, 1e-3));
  ck_assert_uint_lt(jager_contact_length(&b.contact), 440);
  assert_ok(jager_contact_history(&b.contact, &b.law, after, 4000));
  for (int k = 0; k < 250; k++)
    ck_assert(before[k].zeta == after[k].zeta && before[k].p[0] == after[k].p[0]);
  assert_account_holds(&b);
}

enum { WAYS = 4, TOGETHER = 9 };

/* Moves contacts [0] one by one, [1] in a batch, [2] with energies; [3] were packed and unpacked before. */
static void move_each_way(const jager_law *law, jager_pool *pool, jager_contact contacts[WAYS][TOGETHER],
                          const double zeta[TOGETHER], double dxi[2][TOGETHER])
{
  jager_contact *batch[TOGETHER];
  double fn[TOGETHER], ft[2][TOGETHER];
  for (int i = 0; i < TOGETHER; i++) {
    const double shift[2] = {dxi[0][i], dxi[1][i]};
    jager_balance balance;
    assert_ok(jager_contact_move(&contacts[0][i], law, pool, zeta[i], shift, NULL));
    assert_ok(jager_balance_begin(&balance, &contacts[2][i], law));
    assert_ok(jager_balance_move(&balance, &contacts[2][i], law, pool, zeta[i], shift, NULL));
    assert_ok(jager_contact_move(&contacts[3][i], law, pool, zeta[i], shift, NULL));
    batch[i] = &contacts[1][i];
  }
  jager_moves moves = {.count = TOGETHER, .contacts = batch, .zeta = zeta, .fn = fn};
  for (int k = 0; k < 2; k++) {
    moves.dxi[k] = dxi[k];
    moves.ft[k] = ft[k];
  }
  assert_ok(jager_contacts_move(&moves, law, pool, NULL));
}

static void copy_each_way(const struct bench *b, jager_contact contacts[WAYS][TOGETHER], int i)
{
  static unsigned char bytes[200000];
  for (int k = 0; k < 3; k++)
    assert_ok(jager_contact_clone(&b->contact, b->pool, &contacts[k][i]));
  assert_ok(jager_contact_pack(&b->contact, bytes, sizeof bytes));
  assert_ok(jager_contact_unpack(&contacts[3][i], &b->law, b->pool, bytes, sizeof bytes, NULL));
}

/* Shortening gives the same bits one by one, in a batch, with energies and from packed bytes. */
TEST(each_way_to_move_gives_the_same_bits)
{
  static jager_contact contacts[WAYS][TOGETHER];
  for (int contour = 0; contour < CONTOURS; contour++) {
    SCOPED_BENCH b = bench_create(law_of_kind(contour));
    for (int i = 0; i < TOGETHER; i++) {
      way w = {.directions = 1 + i % 2, .jumps = i / 2 % 2, .seed = (uint64_t)(7 + i)};
      grow(&b, &w, (uint32_t)(10 + i * i * i * 4));
      copy_each_way(&b, contacts, i);
      (void)bench_move(&b, -1.0, 0.0, 0.0);
    }
    assert_ok(jager_law_set_tolerance(&b.law, 1e-4));
    uint64_t seed = 8;
    for (int step = 0; step < 60; step++) {
      double zeta[TOGETHER], dxi[2][TOGETHER];
      for (int i = 0; i < TOGETHER; i++) {
        zeta[i] = jager_contact_zeta(&contacts[0][i]) * (1.0 + 1e-2 * random_in(&seed, -0.5, 1.0));
        dxi[0][i] = 3e-3 * random_in(&seed, -1.0, 1.0);
        dxi[1][i] = 3e-3 * random_in(&seed, -1.0, 1.0);
      }
      move_each_way(&b.law, b.pool, contacts, zeta, dxi);
      for (int k = 1; k < WAYS; k++)
        for (int i = 0; i < TOGETHER; i++)
          ck_assert(jager_contact_equal(&contacts[0][i], &contacts[k][i]));
    }
    for (int k = 0; k < WAYS; k++)
      for (int i = 0; i < TOGETHER; i++)
        jager_contact_release(&contacts[k][i], b.pool);
  }
}
