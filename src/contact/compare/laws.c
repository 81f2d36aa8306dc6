/* SPDX-License-Identifier: MIT */
/*
 * The list of the laws to compare with: a new law gets its case in move_by_law, and a look at the two functions after
 * it.
 */
#include "incremental.h"
#include "springs.h"

static JAGER_INLINE jager_status move_by_law(const jager_law *law, jager_pool *pool, contact_data *c,
                                             const compare_step *s)
{
  switch (law->model) {
  case JAGER_MODEL_LINEAR:
  case JAGER_MODEL_HERTZ_MINDLIN:
    return move_spring(law, pool, c, s);
  case JAGER_MODEL_MODIFIED_MINDLIN:
  case JAGER_MODEL_ZHANG_VUQUOC:
    return move_incremental(law, pool, c, s);
  case JAGER_MODEL_JAGER: /* is no law to compare with */
  case JAGER_MODEL_COUNT:
    break;
  }
  return JAGER_ERROR_MODEL;
}

uint32_t jager_compare_turning_points_max(jager_model model)
{
  return model == JAGER_MODEL_ZHANG_VUQUOC ? UINT32_MAX - 2 : model == JAGER_MODEL_MODIFIED_MINDLIN ? 1 : 0;
}

double jager_compare_normal_force(const jager_law *law, const contact_data *c, double zeta)
{
  if (!(zeta > 0.0))
    return 0.0;
  return law->model == JAGER_MODEL_LINEAR ? c->stiffness * zeta : normal_force(law, c->stiffness, zeta);
}

double jager_compare_shear_energy(const jager_law *law, const contact_data *c)
{
  double ft = vec2_length(c->anchor.ft);
  return ft > 0.0 ? 0.5 * ft * (ft / shear_stiffness(law, c, c->zeta)) : 0.0;
}

/* Δδ of the part of the movement in which the bodies touch */
static JAGER_INLINE vec2 relative_shift(const contact_data *c, double zeta, const double dxi[2])
{
  double share = c->zeta < 0.0 ? zeta / (zeta - c->zeta) : 1.0;
  return (vec2){2.0 * share * dxi[0], 2.0 * share * dxi[1]};
}

jager_status jager_compare_move(const jager_law *law, jager_pool *pool, contact_data *c, double zeta,
                                const double dxi[2])
{
  if (!(zeta > 0.0)) {
    jager_contact_separate(law, pool, c, zeta);
    return JAGER_OK;
  }
  if (zeta == c->zeta && dxi[0] == 0.0 && dxi[1] == 0.0 && law->friction >= c->friction) {
    c->friction = law->friction;
    return JAGER_OK; /* nothing moves */
  }
  const compare_step s = {.zeta = zeta,
                          .fn = jager_compare_normal_force(law, c, zeta),
                          .shift = relative_shift(c, zeta, dxi),
                          .is_first_touch = !(c->zeta > 0.0)};
  return move_by_law(law, pool, c, &s);
}
