/* SPDX-License-Identifier: MIT */
/* One variant: compiled once for each, with VARIANT, JAGER_COMPACT_POINTS and the types of its numbers. */
#include "variant.h"

#include "jager/compact.h"

_Static_assert(sizeof(jager_compact) <= COMPACT_BYTES_MAX, "any contact has room");

#define TEXT_OF(a) #a
#define TEXT(a) TEXT_OF(a)
#define JOIN_OF(a, b) a##b
#define JOIN(a, b) JOIN_OF(a, b)

#if defined(JAGER_COMPACT_SINGLE)
#define KIND " single"
#elif defined(JAGER_COMPACT_SINGLE_STORED)
#define KIND " stored single"
#else
#define KIND ""
#endif

static jager_compact_law law_of(const jager_law *law)
{
  jager_compact_law of = {(jager_compact_real)law->friction, (jager_compact_real)law->inverse_kappa,
                          (jager_compact_real)law->exponent, (jager_compact_real)law->tolerance};
  return of;
}

static jager_force force_from(jager_compact_force force)
{
  jager_force from = {force.fn, {force.ft[0], force.ft[1]}};
  return from;
}

static jager_status move(const jager_law *law, void *contact, double stiffness, double zeta, const double dxi[2],
                         jager_force *force)
{
  const jager_compact_real shift[2] = {(jager_compact_real)dxi[0], (jager_compact_real)dxi[1]};
  jager_compact_force now;
  jager_status status = jager_compact_move(contact, law_of(law), (jager_compact_real)stiffness,
                                           (jager_compact_real)zeta, shift, force ? &now : NULL);
  if (status == JAGER_OK && force)
    *force = force_from(now);
  return status;
}

static jager_force force(const jager_law *law, const void *contact)
{
  return force_from(jager_compact_force_of(contact, law_of(law)));
}

static double error(const jager_law *law, const void *contact)
{
  return jager_compact_error(contact, law_of(law));
}

static jager_status check(const jager_law *law, const void *contact)
{
  return jager_compact_check(contact, law_of(law));
}

static int used(const void *contact)
{
  return (int)((const jager_compact *)contact)->points;
}

static int state(const void *contact)
{
  return (int)((const jager_compact *)contact)->state;
}

static int history(const void *contact, jager_point *points)
{
  const jager_compact *c = contact;
  const jager_point zero = {0.0, 0.0, {0.0, 0.0}};
  points[0] = zero;
  for (unsigned k = 0; k < c->points; k++) {
    points[k + 1] = zero;
    points[k + 1].zeta = c->zeta[k];
    points[k + 1].p[0] = c->slope[k][0];
    points[k + 1].p[1] = c->slope[k][1];
  }
  return (int)c->points + 1;
}

extern const compact_variant JOIN(compact_variant_, VARIANT);
const compact_variant JOIN(compact_variant_, VARIANT) = {TEXT(JAGER_COMPACT_POINTS) KIND,
                                                         JAGER_COMPACT_POINTS,
                                                         sizeof(jager_compact),
                                                         move,
                                                         force,
                                                         error,
                                                         check,
                                                         used,
                                                         state,
                                                         history};
