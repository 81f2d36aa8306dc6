/* SPDX-License-Identifier: MIT */
/*
 * Tangent stiffnesses of a contact, and the dashpots that follow from them.
 *
 * Fn = C ζ^m gives dFn/d(2ζ) = (m/2) Fn/ζ, with m = 1 + 1/α for a contour of exponent α and m = 1 for "linear". In full
 * stick a movement dξ changes the slope of the top segment by dξ/(κ dζ), so that dFt/d(2ξ) = dFn/d(2ζ)/κ.
 */
#include "step.h"
#include "jager/pair.h"
#include "contact/pairs/records.h"

/* m/2 of Fn = C ζ^m */
static double half_exponent(const jager_law *law)
{
  return law->model == JAGER_MODEL_LINEAR ? 0.5 : 0.5 * (1.0 + 1.0 / law->exponent);
}

static jager_stiffness stiffness_at(const jager_law *law, double zeta, double fn)
{
  const bool touches = zeta > 0.0, kt_is_given = law->model == JAGER_MODEL_LINEAR && law->linear_kt > 0.0;
  const double normal = touches ? half_exponent(law) * fn / zeta : 0.0;
  return (jager_stiffness){normal, kt_is_given && touches ? law->linear_kt : normal * law->inverse_kappa};
}

jager_status jager_contact_stiffness(const jager_contact *contact, const jager_law *law, jager_stiffness *stiffness)
{
  if (!law || !contact || !stiffness)
    return JAGER_ERROR_NULL;
  jager_status status = jager_law_check(law);
  if (status != JAGER_OK)
    return status;
  const contact_data *c = data_of_const(contact);
  status = check_law_of(law, c);
  if (status != JAGER_OK)
    return status;
  *stiffness = stiffness_at(law, c->zeta, c->fn);
  return JAGER_OK;
}

jager_status jager_pairs_stiffness(const jager_pairs *pairs, const jager_law *law, uint32_t number, double *zeta,
                                   jager_stiffness *stiffness)
{
  if (!pairs || !law || !zeta || !stiffness)
    return JAGER_ERROR_NULL;
  if (!pairs_has(pairs, number))
    return JAGER_ERROR_UNINITIALISED;
  const pair_record *record = &pairs->records[number];
  if (pairs->origins[record->origin].model != (uint8_t)law->model)
    return JAGER_ERROR_MODEL;
  *zeta = record->core[CORE_ZETA];
  *stiffness = stiffness_at(law, *zeta, record->core[CORE_FN]);
  return JAGER_OK;
}

jager_status jager_dashpot_init(jager_dashpot *dashpot, const jager_law *law, double share)
{
  if (!dashpot)
    return JAGER_ERROR_NULL;
  jager_status status = jager_law_check(law);
  if (status != JAGER_OK)
    return status;
  if (!(share >= 0.0 && share <= 1.0))
    return JAGER_ERROR_DAMPING;
  *dashpot = (jager_dashpot){2.0 * share, half_exponent(law), sqrt(law->inverse_kappa)};
  return JAGER_OK;
}
