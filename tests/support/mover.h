/* SPDX-License-Identifier: MIT */
/* Random movements of one contact, of many kinds, for tests that compare it with a twin. */
#ifndef TEST_MOVER_H
#define TEST_MOVER_H

#include "random_numbers.h"

#include <math.h>

/* Components: ζ - 1 and ξ/κf, all of order 1 at most */
typedef struct mover {
  uint64_t random;
  unsigned kind;
  double line[2]; /* direction of movements along a line; zero: in the plane */
  double place[3], speed[3];
  double step, rate, pull, mix, phase, turn;
} mover;

static inline mover mover_create(uint64_t *random, int dimensions)
{
  mover m = {.random = random_bits(random)};
  m.kind = random_below(&m.random, 6);
  m.step = exp2(random_in(&m.random, -16.0, -2.0));
  m.rate = exp2(random_in(&m.random, -9.0, 0.0));  /* at which velocities are forgotten */
  m.pull = exp2(random_in(&m.random, -16.0, 0.0)); /* back to where it began */
  m.mix = exp2(random_in(&m.random, -5.0, 4.0));   /* sideways against up and down */
  m.turn = exp2(random_in(&m.random, -9.0, 0.0));
  if (dimensions == 1) {
    double angle = random_in(&m.random, 0.0, 6.3);
    m.line[0] = cos(angle);
    m.line[1] = sin(angle);
  }
  return m;
}

/* Random walks of the velocity: smooth paths */
static inline void mover_drift(mover *m)
{
  for (int k = 0; k < 3; k++) {
    m->speed[k] += m->rate * (m->step * random_in(&m->random, -1.0, 1.0) - m->speed[k]);
    m->speed[k] -= m->rate * m->pull * m->place[k] * m->step;
  }
}

/* Jumps of all sizes */
static inline void mover_jump(mover *m)
{
  double size = exp2(-(double)random_below(&m->random, 20));
  for (int k = 0; k < 3; k++)
    m->speed[k] = size * random_in(&m->random, -1.0, 1.0) - m->pull * 0.1 * m->place[k];
}

/* Circles, with ζ up and down in another rhythm */
static inline void mover_circle(mover *m)
{
  m->phase += m->turn;
  m->speed[0] = m->step * cos(0.37 * m->phase);
  m->speed[1] = m->step * cos(m->phase);
  m->speed[2] = m->step * sin(m->phase);
}

/* To and fro, with turning points ever nearer, then far again */
static inline void mover_swing(mover *m)
{
  m->phase += m->turn;
  double size = m->step * exp(-0.05 * fmod(m->phase, 100.0));
  for (int k = 0; k < 3; k++)
    m->speed[k] = size * sin(m->phase * (1.0 + 0.31 * k)) + 0.01 * size * random_in(&m->random, -1.0, 1.0);
}

/* Climbs with a turning slope, and short ways back */
static inline void mover_climb(mover *m)
{
  m->phase += m->turn * 0.1;
  m->speed[0] = random_below(&m->random, 50) ? 1e-3 * m->step : -0.02 * m->step;
  m->speed[1] = 0.9 * m->speed[0] / m->mix * sin(m->phase);
  m->speed[2] = 0.9 * m->speed[0] / m->mix * cos(1.3 * m->phase);
}

/* Slopes near the cone's, where cuts are ill-conditioned */
static inline void mover_graze(mover *m)
{
  if (random_below(&m->random, 30) == 0)
    m->phase += random_in(&m->random, -1.0, 1.0);
  double up = m->step * random_in(&m->random, -0.3, 1.0) * 1e-2, slope = 1.0 + 1e-3 * random_in(&m->random, -1.0, 1.0);
  m->speed[0] = up;
  m->speed[1] = up * slope / m->mix * cos(m->phase);
  m->speed[2] = up * slope / m->mix * sin(m->phase);
}

static inline void mover_advance(mover *m)
{
  static void (*const kinds[])(mover *) = {mover_drift, mover_jump,  mover_circle,
                                           mover_swing, mover_climb, mover_graze};
  kinds[m->kind](m);
  for (int k = 0; k < 3; k++)
    m->place[k] += m->speed[k];
  if (!(fabs(m->place[0]) < 0.98)) { /* turned back long before the bodies separate */
    m->place[0] = 0.5 * random_in(&m->random, -1.0, 1.0);
    m->speed[0] = 0.0;
  }
}

/* Returns the ζ of a movement, around `unit`; its Δξ is in units of `shift`. Number 0 only presses. */
static inline double mover_next(mover *m, int number, double unit, double shift, double dxi[2])
{
  dxi[0] = dxi[1] = 0.0;
  if (number > 0) {
    mover_advance(m);
    dxi[0] = m->mix * m->speed[1];
    dxi[1] = m->mix * m->speed[2];
    if (m->line[0] != 0.0 || m->line[1] != 0.0) {
      dxi[1] = dxi[0] * m->line[1];
      dxi[0] *= m->line[0];
    }
  }
  dxi[0] *= shift;
  dxi[1] *= shift;
  return unit * (1.0 + m->place[0]);
}

#endif
