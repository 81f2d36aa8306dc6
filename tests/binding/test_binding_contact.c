/* SPDX-License-Identifier: MIT */
/*
 * Contacts moved by arrays, for other languages.
 *
 * Oracle: contacts of the library that are moved one by one, to the bit. Seeds: 1 to 4.
 */
#include "binding_support.h"

#include "random_numbers.h"

enum { STEPS = 40, MANY = 1100 }; /* MANY: more than two blocks */

static const double radius = 1e-3;
static jager_law law;
static jager_pool *pool;

static void prepare(void)
{
  law = jager_law_default();
  assert_ok(jager_law_set_bodies(&law, 29e9, 0.15));
  law.friction = 0.5;
  pool = jager_pool_create(0);
  ck_assert_ptr_nonnull(pool);
}

static void clean_up(void)
{
  jager_pool_destroy(pool);
}

FIXTURE_EACH(prepare, clean_up)

static jager_contact fresh(void)
{
  jager_contact contact = {{0}};
  assert_ok(jager_contact_init(&contact, &law, radius, radius));
  return contact;
}

static void assert_same(double got, double expected)
{
  ck_assert_msg(memcmp(&got, &expected, sizeof got) == 0, "%.17g instead of %.17g", got, expected);
}

/* ---- One contact along a path ------------------------------------------------------------------------------------ */

typedef struct path {
  double zeta[STEPS], xi[2 * STEPS];
  double reached[3 * STEPS], fn[STEPS], ft[2 * STEPS], normal[STEPS], tangential[STEPS], dissipated[STEPS];
  uint8_t state[STEPS];
} path;

static binding_walk walk_of(path *p, int columns, bool is_change, bool has_energies)
{
  binding_walk walk = {.count = STEPS,
                       .zeta = p->zeta,
                       .xi = p->xi,
                       .columns = columns,
                       .is_change = is_change,
                       .start = {1e-6, -2e-6},
                       .reached = p->reached,
                       .fn = p->fn,
                       .ft = p->ft,
                       .state = p->state};
  if (has_energies) {
    walk.normal = p->normal;
    walk.tangential = p->tangential;
    walk.dissipated = p->dissipated;
  }
  return walk;
}

static void make_path(path *p, uint64_t seed)
{
  for (int k = 0; k < STEPS; k++)
    p->zeta[k] = random_in(&seed, 1e-6, 2e-6);
  for (int k = 0; k < 2 * STEPS; k++)
    p->xi[k] = random_in(&seed, -1e-6, 1e-6);
}

/* Each of columns, changes and energies, with and without. */
TEST(a_path_is_its_movements)
{
  for (int variant = 0; variant < 8; variant++) {
    static path p;
    int columns = variant % 2 + 1;
    bool is_change = variant / 2 % 2 != 0, has_energies = variant / 4 != 0;
    make_path(&p, 1);
    binding_walk walk = walk_of(&p, columns, is_change, has_energies);
    jager_contact contact = fresh(), single = fresh();
    jager_balance balance;
    size_t failed = 77;
    double at[2] = {walk.start[0], walk.start[1]};
    assert_ok(binding_contact_walk(&law, pool, &contact, &walk, &failed));
    assert_ok(jager_balance_begin(&balance, &single, &law));
    for (int k = 0; k < STEPS; k++) {
      jager_force force;
      double given[2] = {p.xi[columns * k], columns == 2 ? p.xi[2 * k + 1] : 0.0}, dxi[2];
      for (int i = 0; i < 2; i++) {
        dxi[i] = is_change ? given[i] : given[i] - at[i];
        at[i] = is_change ? at[i] + given[i] : given[i];
        assert_same(p.reached[3 * k + 1 + i], at[i]);
      }
      assert_ok(jager_balance_move(&balance, &single, &law, pool, p.zeta[k], dxi, &force));
      assert_same(p.reached[3 * k], p.zeta[k]);
      assert_same(p.fn[k], force.fn);
      assert_same(p.ft[2 * k], force.ft[0]);
      assert_same(p.ft[2 * k + 1], force.ft[1]);
      ck_assert_int_eq(p.state[k], jager_contact_state(&single));
      if (has_energies) {
        assert_same(p.normal[k], jager_balance_energy(&balance).normal);
        assert_same(p.tangential[k], jager_balance_energy(&balance).tangential);
        assert_same(p.dissipated[k], jager_balance_energy(&balance).dissipated);
      }
    }
    assert_same(walk.start[0], at[0]);
    assert_same(walk.start[1], at[1]);
    jager_contact_release(&contact, pool);
    jager_contact_release(&single, pool);
  }
}

/* An impossible movement is named, and does not change the contact. */
TEST(a_path_that_fails_leaves_the_contact)
{
  static path p;
  jager_contact contact = fresh(), single = fresh();
  jager_force force, expected;
  const double dxi[2] = {1e-7, -3e-7};
  make_path(&p, 2);
  binding_walk walk = walk_of(&p, 2, true, true);
  size_t failed;
  assert_ok(jager_contact_move(&contact, &law, pool, 1.5e-6, dxi, NULL));
  assert_ok(jager_contact_move(&single, &law, pool, 1.5e-6, dxi, NULL));
  for (int wrong = 0; wrong < STEPS; wrong += 13) {
    double kept = p.zeta[wrong];
    p.zeta[wrong] = NAN;
    ck_assert_int_eq(binding_contact_walk(&law, pool, &contact, &walk, &failed), JAGER_ERROR_NOT_FINITE);
    ck_assert_uint_eq(failed, (size_t)wrong);
    p.zeta[wrong] = kept;
    assert_same(walk.start[0], 1e-6);
    assert_same(walk.start[1], -2e-6);
    ck_assert_uint_eq(jager_contact_length(&contact), jager_contact_length(&single));
  }
  assert_ok(jager_contact_move(&contact, &law, pool, 1.2e-6, dxi, &force));
  assert_ok(jager_contact_move(&single, &law, pool, 1.2e-6, dxi, &expected));
  assert_same(force.ft[0], expected.ft[0]);
  assert_same(force.ft[1], expected.ft[1]);
  jager_contact_release(&contact, pool);
  jager_contact_release(&single, pool);
}

/* ---- Many contacts ----------------------------------------------------------------------------------------------- */

static jager_contact many[MANY], singles[MANY];
static double zeta[MANY], shift[2 * MANY], fn[MANY], ft[2 * MANY];
static uint8_t state[MANY];

static binding_moves moves_of(int columns)
{
  return (binding_moves){.count = MANY,
                         .contacts = many,
                         .zeta = zeta,
                         .dxi = shift,
                         .columns = columns,
                         .fn = fn,
                         .ft = ft,
                         .state = state};
}

static void make_many(void)
{
  for (int i = 0; i < MANY; i++) {
    many[i] = fresh();
    singles[i] = fresh();
  }
}

static void release_many(void)
{
  for (int i = 0; i < MANY; i++) {
    jager_contact_release(&many[i], pool);
    jager_contact_release(&singles[i], pool);
  }
}

static void make_movements(uint64_t *seed)
{
  for (int i = 0; i < MANY; i++)
    zeta[i] = random_in(seed, -1e-7, 2e-6); /* some part */
  for (int i = 0; i < 2 * MANY; i++)
    shift[i] = random_in(seed, -1e-6, 1e-6);
}

TEST(many_contacts_move_as_each_alone)
{
  for (int columns = 1; columns <= 2; columns++) {
    uint64_t seed = 3;
    size_t moved;
    make_many();
    for (int step = 0; step < 12; step++) {
      make_movements(&seed);
      binding_moves moves = moves_of(columns);
      assert_ok(binding_contacts_move(&law, pool, &moves, &moved));
      ck_assert_uint_eq(moved, MANY);
      for (int i = 0; i < MANY; i++) {
        jager_force force;
        const double dxi[2] = {shift[columns * i], columns == 2 ? shift[2 * i + 1] : 0.0};
        assert_ok(jager_contact_move(&singles[i], &law, pool, zeta[i], dxi, &force));
        assert_same(fn[i], force.fn);
        assert_same(ft[2 * i], force.ft[0]);
        assert_same(ft[2 * i + 1], force.ft[1]);
        ck_assert_int_eq(state[i], jager_contact_state(&singles[i]));
      }
    }
    release_many();
  }
}

/* Movements beyond the limits of jager_contact_move are found before any contact moves. */
TEST(wrong_numbers_move_no_contact)
{
  static const struct {
    double zeta, dxi[2];
    jager_status status;
  } wrong[] = {
      {NAN, {0.0, 0.0}, JAGER_ERROR_NOT_FINITE},        {1e-6, {INFINITY, 0.0}, JAGER_ERROR_NOT_FINITE},
      {1e-6, {0.0, -NAN}, JAGER_ERROR_NOT_FINITE},      {1.001e60, {0.0, 0.0}, JAGER_ERROR_TOO_LARGE},
      {-1.001e60, {0.0, 0.0}, JAGER_ERROR_TOO_LARGE},   {1e-6, {0.501e150, 0.0}, JAGER_ERROR_TOO_LARGE},
      {1e-6, {0.0, -0.501e150}, JAGER_ERROR_TOO_LARGE},
  };
  uint64_t seed = 4;
  make_many();
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
    size_t moved, place = MANY - 1 - 150 * k;
    make_movements(&seed);
    zeta[place] = wrong[k].zeta;
    shift[2 * place] = wrong[k].dxi[0];
    shift[2 * place + 1] = wrong[k].dxi[1];
    binding_moves moves = moves_of(2);
    for (size_t i = 0; i < MANY; i++)
      fn[i] = -1.0;
    ck_assert_int_eq(binding_contacts_move(&law, pool, &moves, &moved), wrong[k].status);
    ck_assert_uint_eq(moved, place);
    for (size_t i = 0; i < MANY; i++)
      ck_assert(fn[i] == -1.0 && jager_contact_length(&many[i]) == jager_contact_length(&singles[i]));
  }
  release_many();
}
