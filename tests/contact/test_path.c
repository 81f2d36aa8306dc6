/* SPDX-License-Identifier: MIT */
/*
 * One contact along a path. Oracles: a twin that moves one movement at a time, to the bit; Mindlin's closed form at
 * constant Fn. Invariant: an error leaves the contact in the state after the last good movement.
 */
#include "histories.h"
#include "jager/compare.h"

#include <string.h>

enum { STEPS = 400 };

/* A path, and arrays for all its results */
typedef struct journey {
  double zeta[STEPS], dxi[2][STEPS], fn[STEPS], ft[2][STEPS], normal[STEPS], tangential[STEPS], dissipated[STEPS];
  jager_state state[STEPS];
} journey;

static jager_path path_of(journey *j, int with_energies)
{
  return (jager_path){.count = STEPS,
                      .zeta = j->zeta,
                      .dxi = {j->dxi[0], j->dxi[1]},
                      .fn = j->fn,
                      .ft = {j->ft[0], j->ft[1]},
                      .state = j->state,
                      .normal = with_energies ? j->normal : NULL,
                      .tangential = with_energies ? j->tangential : NULL,
                      .dissipated = with_energies ? j->dissipated : NULL};
}

/* Random movements, of which some separate the bodies */
static void choose_path(journey *j, const jager_law *law, uint64_t *seed)
{
  SCOPED_BENCH guide = bench_create(*law);
  memset(j, 0, sizeof *j);
  for (int i = 0; i < STEPS; i++) {
    jager_movement m = any_movement(&guide, 1e-3, seed);
    j->zeta[i] = m.zeta;
    j->dxi[0][i] = m.dxi[0];
    j->dxi[1][i] = m.dxi[1];
    bench_move(&guide, m.zeta, m.dxi[0], m.dxi[1]);
  }
}

static void assert_is_as_twin(const journey *j, struct bench *twin, int with_energies, size_t count)
{
  jager_balance balance;
  assert_ok(jager_balance_begin(&balance, &twin->contact, &twin->law));
  for (size_t i = 0; i < count; i++) {
    const double dxi[2] = {j->dxi[0][i], j->dxi[1][i]};
    jager_force force;
    if (with_energies)
      assert_ok(jager_balance_move(&balance, &twin->contact, &twin->law, twin->pool, j->zeta[i], dxi, &force));
    else
      assert_ok(jager_contact_move(&twin->contact, &twin->law, twin->pool, j->zeta[i], dxi, &force));
    ck_assert(j->fn[i] == force.fn && j->ft[0][i] == force.ft[0] && j->ft[1][i] == force.ft[1]);
    ck_assert_int_eq(j->state[i], jager_contact_state(&twin->contact));
    if (with_energies) {
      const jager_energy energy = jager_balance_energy(&balance);
      ck_assert(j->normal[i] == energy.normal && j->tangential[i] == energy.tangential &&
                j->dissipated[i] == energy.dissipated);
    }
  }
}

TEST_LOOP(a_path_is_its_movements, LAW_WITH_TOLERANCE + 1)
{
  static journey j;
  uint64_t seed = 11;
  for (int with_energies = 0; with_energies < 2; with_energies++) {
    SCOPED_BENCH b = bench_create(law_of_kind(_i)), twin = bench_create(law_of_kind(_i));
    choose_path(&j, &b.law, &seed);
    jager_path path = path_of(&j, with_energies);
    size_t moved = 0;
    assert_ok(jager_contact_move_path(&b.contact, &b.law, b.pool, &path, &moved));
    ck_assert_uint_eq(moved, STEPS);
    assert_is_as_twin(&j, &twin, with_energies, STEPS);
    ck_assert_int_eq(jager_contact_equal(&b.contact, &twin.contact), 1);
  }
}

TEST(an_error_stops_the_path)
{
  static journey j;
  uint64_t seed = 12;
  for (int with_energies = 0; with_energies < 2; with_energies++) {
    SCOPED_BENCH b = bench_create(law_of_kind(0)), twin = bench_create(law_of_kind(0));
    choose_path(&j, &b.law, &seed);
    j.dxi[1][237] = NAN;
    jager_path path = path_of(&j, with_energies);
    size_t moved = 0;
    ck_assert_int_eq(jager_contact_move_path(&b.contact, &b.law, b.pool, &path, &moved), JAGER_ERROR_NOT_FINITE);
    ck_assert_uint_eq(moved, 237);
    assert_is_as_twin(&j, &twin, with_energies, 237);
    ck_assert_int_eq(jager_contact_equal(&b.contact, &twin.contact), 1);
    for (int i = 237; i < STEPS; i++)
      ck_assert(j.fn[i] == 0.0 && j.state[i] == 0 && j.dissipated[i] == 0.0);
  }
}

TEST(shear_at_constant_force_is_mindlins)
{
  enum { POINTS = 50 };
  const double radius = 1.0, zeta = 0.01;
  double zetas[POINTS + 1], dxi[2][POINTS + 1] = {{0.0}}, ft[POINTS + 1], last = 0.0;
  SCOPED_BENCH b = bench_create(example_law());
  double fn = b.law.modulus * sqrt(radius * zeta * zeta * zeta);
  zetas[0] = zeta;
  for (int i = 1; i <= POINTS; i++) {
    double xi;
    assert_ok(jager_mindlin_loading(&b.law, radius, fn, b.law.friction * fn * i / (POINTS + 1.0), &xi));
    zetas[i] = zeta;
    dxi[0][i] = xi - last;
    last = xi;
  }
  jager_path path = {.count = POINTS + 1, .zeta = zetas, .dxi = {dxi[0], dxi[1]}, .ft = {ft, NULL}};
  assert_ok(jager_contact_move_path(&b.contact, &b.law, b.pool, &path, NULL));
  for (int i = 1; i <= POINTS; i++)
    assert_within(ft[i], b.law.friction * fn * i / (POINTS + 1.0), 1e-13 * fn);
}

TEST(nothing_given_is_an_error)
{
  const double one[1] = {1e-3};
  SCOPED_BENCH b = bench_create(example_law());
  size_t moved = 7;
  jager_path none = {.count = 0}, lacking[3] = {{.count = 1, .zeta = one, .dxi = {one, NULL}},
                                                {.count = 1, .zeta = one, .dxi = {NULL, one}},
                                                {.count = 1, .zeta = NULL, .dxi = {one, one}}};
  const jager_contact before = b.contact;
  for (int i = 0; i < 3; i++)
    ck_assert_int_eq(jager_contact_move_path(&b.contact, &b.law, b.pool, &lacking[i], &moved), JAGER_ERROR_NULL);
  ck_assert_int_eq(jager_contact_move_path(&b.contact, NULL, b.pool, &none, &moved), JAGER_ERROR_NULL);
  ck_assert_int_eq(jager_contact_move_path(&b.contact, &b.law, NULL, &none, &moved), JAGER_ERROR_NULL);
  ck_assert_int_eq(jager_contact_move_path(NULL, &b.law, b.pool, &none, &moved), JAGER_ERROR_NULL);
  ck_assert_int_eq(jager_contact_move_path(&b.contact, &b.law, b.pool, NULL, &moved), JAGER_ERROR_NULL);
  assert_ok(jager_contact_move_path(&b.contact, &b.law, b.pool, &none, &moved)); /* no movements need no arrays */
  ck_assert_uint_eq(moved, 0);
  ck_assert_mem_eq(&before, &b.contact, sizeof before);
}
