/* SPDX-License-Identifier: MIT */
/* Functions that all comparison laws use to carry out a movement. */
#ifndef JAGER_COMPARE_STEP_H
#define JAGER_COMPARE_STEP_H

#include "laws.h"

/* A movement at whose end the bodies touch */
typedef struct compare_step {
  double zeta, fn;     /* after the movement */
  vec2 shift;          /* Δδ of the part of the movement in which the bodies touch */
  bool is_first_touch; /* the bodies were apart before */
} compare_step;

/* The latest turning point, and how many there are */
typedef struct turning_points {
  vec2 latest; /* zero if there is none */
  uint32_t count;
} turning_points;

/* dFt/dδ without slip */
static JAGER_INLINE double shear_stiffness(const jager_law *law, const contact_data *c, double zeta)
{
  if (law->model == JAGER_MODEL_LINEAR)
    return law->linear_kt > 0.0 ? law->linear_kt : 0.5 * c->stiffness * law->inverse_kappa;
  return 0.5 * law->inverse_kappa * normal_slope(law, c->stiffness, zeta);
}

/* Takes the newest entry off; zero if there is none. */
static JAGER_INLINE vec2 turning_point_pop(jager_pool *pool, contact_data *c)
{
  return c->fill > 0 ? entry_pop(pool, c) : (vec2){0.0, 0.0};
}

/* |v| > limit, without a square root where squares are in range */
static JAGER_INLINE bool is_longer(vec2 v, double limit)
{
  double square = vec2_dot(v, v), bound = limit * limit;
  if (bound > 1e-280 && square < 1e280)
    return square > bound;
  return vec2_length(v) > limit;
}

/* Stores the result of a movement. A force beyond friction is capped, and all turning points are forgotten. */
static JAGER_INLINE void store_result(const jager_law *law, jager_pool *pool, contact_data *c, const compare_step *s,
                                      vec2 ft, turning_points points, jager_state state)
{
  double limit = law->friction * s->fn;
  if (is_longer(ft, limit)) {
    ft = vec2_with_length(ft, limit);
    while (c->node)
      (void)turning_point_pop(pool, c);
    points = (turning_points){{0.0, 0.0}, 0};
    state = JAGER_STATE_SLIDE;
  }
  c->zeta = s->zeta;
  c->fn = c->top.fn_base = s->fn;
  c->anchor.ft = ft;
  c->top.p = points.latest;
  c->friction = law->friction;
  c->length = 2 + points.count;
  c->state = (uint8_t)state;
}

static JAGER_INLINE bool is_finite(vec2 v)
{
  return isfinite(v.x) && isfinite(v.y);
}

#endif
