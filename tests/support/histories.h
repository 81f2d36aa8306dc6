/* SPDX-License-Identifier: MIT */
/* Laws of every kind, and movements that give contacts histories. */
#ifndef TEST_HISTORIES_H
#define TEST_HISTORIES_H

#include "support.h"

#include <stdbool.h>

enum { LAW_KINDS = 9, LAW_WITH_TOLERANCE = LAW_KINDS };

/*
 * 0-3: the exact law with each contour; 4: with merging; 5-8: the comparison laws; from LAW_WITH_TOLERANCE on: with a
 * tolerance, and the contours of 0-3
 */
static inline jager_law law_of_kind(int kind)
{
  const bool has_tolerance = kind >= LAW_WITH_TOLERANCE;
  kind -= has_tolerance ? LAW_WITH_TOLERANCE : 0;
  static const jager_model models[LAW_KINDS] = {
      [5] = JAGER_MODEL_LINEAR,
      [6] = JAGER_MODEL_HERTZ_MINDLIN,
      [7] = JAGER_MODEL_MODIFIED_MINDLIN,
      [8] = JAGER_MODEL_ZHANG_VUQUOC,
  };
  jager_law law = example_law();
  assert_ok(jager_law_set_model(&law, models[kind]));
  if (kind == 1)
    assert_ok(jager_law_set_contour(&law, JAGER_CONTOUR_CONE, 0.4, 0.0));
  else if (kind == 2)
    assert_ok(jager_law_set_contour(&law, JAGER_CONTOUR_POWER, 0.7, 1.5));
  else if (kind == 3)
    assert_ok(jager_law_set_contour(&law, JAGER_CONTOUR_POWER, 2.0, 3.0));
  else if (kind == 4)
    assert_ok(jager_law_set_dp_max(&law, 0.02));
  if (has_tolerance)
    assert_ok(jager_law_set_tolerance(&law, 1e-3));
  return law;
}

/* Climbs elastically from separation to a history of `length` points; ζ ends near `length` times `step`. */
static inline void climb(struct bench *b, uint32_t length, double step, uint64_t *seed)
{
  double reach = 0.6 * b->law.friction * b->law.kappa;
  (void)bench_move(b, 0.0, 0.0, 0.0);
  while (jager_contact_length(&b->contact) < length) {
    double rise = step * random_in(seed, 0.5, 1.5),
           zeta = jager_contact_zeta(&b->contact) > 0.0 ? jager_contact_zeta(&b->contact) : 0.0;
    (void)bench_move(b, zeta + rise, reach * rise * random_in(seed, -1.0, 1.0),
                     reach * rise * random_in(seed, -1.0, 1.0));
  }
}

/* Any movement: up, down, sideways, sometimes with zero components, seldom a separation; ζ stays below 10 scales. */
static inline jager_movement any_movement(const struct bench *b, double scale, uint64_t *seed)
{
  unsigned kind = (unsigned)(random_bits(seed) >> 40) % 64;
  double size = scale * exp2(-(double)(kind % 8)), shift = size * b->law.kappa * b->law.friction;
  jager_movement m = {fmax(jager_contact_zeta(&b->contact), 0.0), {0.0, 0.0}};
  m.zeta += kind % 5 == 0 ? 0.0 : size * random_in(seed, -0.45, 0.55);
  if (!(m.zeta > 0.0) && kind > 2)
    m.zeta = size * random_in(seed, 0.1, 1.0);
  if (m.zeta > 10.0 * scale)
    m.zeta = scale;
  for (int i = 0; i < 2; i++)
    m.dxi[i] = kind % 7 == 0 ? 0.0 : shift * random_in(seed, -1.0, 1.0);
  return m;
}

static inline void wander(struct bench *b, double scale, int movements, uint64_t *seed)
{
  for (int i = 0; i < movements; i++) {
    jager_movement m = any_movement(b, scale, seed);
    (void)bench_move(b, m.zeta, m.dxi[0], m.dxi[1]);
  }
}

/* Ever smaller swings, for laws that remember turning points. */
static inline void swing_down(struct bench *b, double zeta, int turns)
{
  double width = b->law.friction * b->law.kappa * zeta;
  (void)bench_move(b, zeta, 0.0, 0.0);
  for (int i = 0; i <= turns; i++, width *= 0.93)
    (void)bench_move(b, zeta, i % 2 ? -width : width, 0.02 * width);
}

#endif
