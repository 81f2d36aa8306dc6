/* SPDX-License-Identifier: MIT */
/*
 * Contacts at the limits of their ranges: ζ, Δξ, forces, stiffness and friction of random magnitude, for all laws and
 * contours. Oracle: the conditions of a possible state, which jager_contact_unpack checks; |Ft| <= f Fn. The seed is
 * the number of the loop.
 */
#include "support.h"

#include <stdbool.h>
#include <stdlib.h>

enum { WALKS = 60, MOVEMENTS = 120, POINTS_MAX = 4 * MOVEMENTS };

/* Within loops: Check writes a message for every assertion, even if it holds. */
#define hold(condition)                                                                                                \
  do {                                                                                                                 \
    if (!(condition))                                                                                                  \
      ck_abort_msg("%s", #condition);                                                                                  \
  } while (0)

/* 10^x, x in [low, high); half of the numbers are within a decade of the ends, where the limits are */
static double random_size(uint64_t *seed, double low, double high)
{
  const double x = random_in(seed, 0.0, 1.0);
  return pow(10.0, x < 0.5 ? low + (high - low) * 2.0 * x : x < 0.75 ? low + 4.0 * (x - 0.5) : high - 4.0 * (x - 0.75));
}

static jager_law random_law(uint64_t *seed)
{
  jager_law law = jager_law_default();
  const double kind = random_in(seed, 0.0, 1.0), slope = random_size(seed, -300.0, 300.0);
  hold(jager_law_set_bodies(&law, random_size(seed, -60.0, 60.0), random_in(seed, -0.9, 0.5)) == JAGER_OK);
  hold(jager_law_set_friction(&law, kind < 0.05 ? 0.0 : random_size(seed, kind < 0.2 ? -300.0 : -3.0, 6.0)) ==
       JAGER_OK);
  if (kind > 0.6)
    hold(jager_law_set_contour(&law, JAGER_CONTOUR_CONE, slope, 1.0) == JAGER_OK);
  else if (kind > 0.4)
    hold(jager_law_set_contour(&law, JAGER_CONTOUR_POWER, slope, random_in(seed, 1.0, 4.0)) == JAGER_OK);
  if (random_in(seed, 0.0, 1.0) < 0.3)
    hold(jager_law_set_tolerance(&law, random_size(seed, -10.0, 0.0)) == JAGER_OK);
  else if (random_in(seed, 0.0, 1.0) < 0.2)
    hold(jager_law_set_dp_max(&law, random_size(seed, -10.0, 0.0)) == JAGER_OK);
  if (random_in(seed, 0.0, 1.0) < 0.3)
    hold(jager_law_set_model(&law, (jager_model)(random_bits(seed) % JAGER_MODEL_COUNT)) == JAGER_OK);
  return law;
}

/* With less friction (f Δζ)² may be a subnormal number, and slopes may exceed f (history.c). */
static bool has_digits(const jager_law *law)
{
  return law->friction == 0.0 || law->friction > 1e-60;
}

static void assert_possible(const jager_law *law, jager_pool *pool, const jager_contact *contact)
{
  static unsigned char bytes[200 + 28 * POINTS_MAX];
  const jager_force force = jager_contact_force(contact);
  const double limit = law->friction * force.fn;
  hold(isfinite(force.fn) && force.fn >= 0.0 && isfinite(force.ft[0]) && isfinite(force.ft[1]));
  hold(!has_digits(law) || hypot(force.ft[0], force.ft[1]) <= limit * (1.0 + 1e-9) + 1e-300);
  hold((force.fn > 0.0) == (jager_contact_zeta(contact) > 0.0));
  jager_contact copy = {0};
  hold(jager_contact_pack(contact, bytes, sizeof bytes) == JAGER_OK);
  const jager_status status = jager_contact_unpack(&copy, law, pool, bytes, sizeof bytes, NULL);
  hold(status == JAGER_OK || !has_digits(law));
  hold(status != JAGER_OK || jager_contact_equal(&copy, contact));
  jager_contact_release(&copy, pool);
}

/* A ζ between zero and the limit, near the last one, one ulp beside it, or below 0 */
static double random_zeta(uint64_t *seed, double before, double low, double high)
{
  const double kind = random_in(seed, 0.0, 1.0);
  if (kind < 0.2 || !(before > 0.0))
    return fmin(1e60, random_size(seed, low, high));
  if (kind < 0.3)
    return nextafter(before, kind < 0.25 ? 0.0 : 1e60);
  if (kind < 0.35)
    return before;
  if (kind < 0.37)
    return -before;
  return fmin(1e60, before * (kind < 0.5 ? random_size(seed, -20.0, 0.0) : random_in(seed, 0.5, 1.5)));
}

/* jager_contacts_move moves a copy to the same bits. */
static void assert_lanes_agree(const jager_law *law, jager_pool *pool, jager_contact *twin, double zeta,
                               const double dxi[2], const jager_contact *moved)
{
  double fn, ft[2];
  const jager_moves moves = {
      .count = 1, .contacts = &twin, .zeta = &zeta, .dxi = {&dxi[0], &dxi[1]}, .fn = &fn, .ft = {&ft[0], &ft[1]}};
  hold(jager_contacts_move(&moves, law, pool, NULL) == JAGER_OK);
  hold(jager_contact_equal(twin, moved));
}

/* Only forces and energies beyond the range of a double are refused. */
static void move_at_random(const jager_law *law, jager_pool *pool, jager_contact *contact, uint64_t *seed,
                           const double range[2])
{
  const double before = jager_contact_zeta(contact), zeta = random_zeta(seed, before, range[0], range[1]);
  const double reach = fmin(1e150, fmax(fabs(zeta), fabs(before)) * fmin(law->friction, 1e3) *
                                       random_size(seed, random_bits(seed) % 8 ? -6.0 : -300.0, 1.0));
  const double dxi[2] = {reach * random_in(seed, -1.0, 1.0),
                         random_bits(seed) % 3 ? reach * random_in(seed, -1.0, 1.0) : 0};
  jager_energy energy = {0};
  jager_status status;
  jager_contact twin = {0};
  hold(jager_contact_clone(contact, pool, &twin) == JAGER_OK);
  if (random_bits(seed) % 4 == 0)
    status = move_with_energy(contact, law, pool, zeta, dxi, NULL, &energy);
  else
    status = jager_contact_move(contact, law, pool, zeta, dxi, NULL);
  hold(status == JAGER_OK || status == JAGER_ERROR_TOO_LARGE);
  if (status == JAGER_OK)
    assert_lanes_agree(law, pool, &twin, zeta, dxi, contact);
  jager_contact_release(&twin, pool);
  if (law->model == JAGER_MODEL_JAGER && random_bits(seed) % 8 == 0) {
    const double fn = random_size(seed, -323.0, 130.0), share = law->friction * random_in(seed, -1.0, 1.0);
    const jager_force load = {fn, {fn * share, 0.0}};
    jager_movement movement;
    status = load_with_energy(contact, law, pool, &load, &movement, &energy);
    hold(status == JAGER_OK || status == JAGER_ERROR_TOO_LARGE || status == JAGER_ERROR_BEYOND_FRICTION);
  }
  hold(energy.normal >= 0.0 && energy.tangential >= 0.0);
}

TEST_LOOP(any_numbers, 50)
{
  static const double ranges[][2] = {{-324.0, 60.0}, {-62.0, -50.0}, {-180.0, -100.0}, {50.0, 60.0}, {-12.0, -3.0}};
  uint64_t seed = (uint64_t)_i;
  for (int walk = 0; walk < WALKS; walk++) {
    jager_law law = random_law(&seed);
    SCOPED_POOL pool = jager_pool_create(0);
    jager_contact contact = {0};
    const double radius = random_size(&seed, -300.0, 300.0);
    const jager_status status = jager_contact_init(&contact, &law, radius, radius);
    hold(status == JAGER_OK || status == JAGER_ERROR_RADIUS || status == JAGER_ERROR_CONTOUR);
    for (int k = 0; k < MOVEMENTS && status == JAGER_OK; k++) {
      move_at_random(&law, pool, &contact, &seed, ranges[walk % 5]);
      assert_possible(&law, pool, &contact);
    }
    jager_contact_release(&contact, pool);
  }
}
