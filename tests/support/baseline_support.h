/* SPDX-License-Identifier: MIT */
/* Shared by the tests of the comparison laws. */
#ifndef TEST_BASELINE_SUPPORT_H
#define TEST_BASELINE_SUPPORT_H

#include "contact/compare/laws.h"
#include "support.h"

#include <float.h>
#include <stdlib.h>

static const double zero[2] = {0.0, 0.0};
static const jager_model springs[] = {JAGER_MODEL_LINEAR, JAGER_MODEL_HERTZ_MINDLIN};
static const jager_model incremental[] = {JAGER_MODEL_MODIFIED_MINDLIN, JAGER_MODEL_ZHANG_VUQUOC};

#define ZETA0 0.01 /* where the paths start, R = 1 */

/* For long loops: Check writes a file at every assertion that is made. */
static inline void assert_near(double a, double b, double tolerance)
{
  if (!(fabs(a - b) <= tolerance))
    ck_abort_msg("%.17g and %.17g differ by %.3g, more than %.3g", a, b, a - b, tolerance);
}

static inline double random_between(double low, double high)
{
  return low + (high - low) * ((double)rand() / (double)RAND_MAX);
}

static inline jager_law law_of(jager_model model)
{
  jager_law law = example_law();
  ck_assert_int_eq(jager_law_set_model(&law, model), JAGER_OK);
  return law;
}

static inline jager_contact contact_of(const jager_law *law)
{
  jager_contact contact = {0};
  ck_assert_int_eq(jager_contact_init(&contact, law, 1.0, 1.0), JAGER_OK);
  return contact;
}

static inline jager_force move2(const jager_law *law, jager_pool *pool, jager_contact *contact, double zeta, double x,
                                double y)
{
  jager_force force;
  const double dxi[2] = {x, y};
  jager_status status = jager_contact_move(contact, law, pool, zeta, dxi, &force);
  if (status != JAGER_OK) /* called only on failure: Check writes a file at every assertion */
    ck_abort_msg("%s", jager_status_text(status));
  return force;
}

static inline jager_force move1(const jager_law *law, jager_pool *pool, jager_contact *contact, double zeta, double x)
{
  return move2(law, pool, contact, zeta, x, 0.0);
}

/* Shift by x in equal steps at this ζ */
static inline jager_force move_in_steps(const jager_law *law, jager_pool *pool, jager_contact *contact, double zeta,
                                        double x, int steps)
{
  jager_force force = jager_contact_force(contact);
  for (int i = 0; i < steps; i++)
    force = move1(law, pool, contact, zeta, x / steps);
  return force;
}

/* The ξ of full sliding at ZETA0 */
static inline double unit_shift(const jager_law *law)
{
  return law->kappa * law->friction * ZETA0;
}

static inline double length2(const double v[2])
{
  return hypot(v[0], v[1]);
}

static inline size_t entries_of(const jager_contact *contact)
{
  size_t count = 0;
  FOR_EACH_ENTRY(at, data_of_const(contact))
  count++;
  return count;
}

static inline void load_with_two_turns(const jager_law *law, jager_pool *pool, jager_contact *contact)
{
  double u = unit_shift(law);
  (void)move1(law, pool, contact, ZETA0, 0.0);
  (void)move_in_steps(law, pool, contact, ZETA0, 0.4 * u, 20);
  (void)move_in_steps(law, pool, contact, ZETA0, -0.3 * u, 20);
  (void)move_in_steps(law, pool, contact, ZETA0, 0.1 * u, 20);
}

#endif
