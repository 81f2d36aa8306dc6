/* SPDX-License-Identifier: MIT */
/* Rotations in extended precision, with sines and cosines: the oracle of the tests of frames. */
#ifndef TEST_ROTATION_H
#define TEST_ROTATION_H

#include "support.h"

typedef struct xyz {
  long double x, y, z;
} xyz;

typedef struct turned { /* unit quaternion, scalar first: turns v to t v t* */
  long double w;
  xyz v;
} turned;

static inline xyz sum_of(xyz a, long double s, xyz b)
{
  return (xyz){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static inline long double inner(xyz a, xyz b)
{
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline xyz outer(xyz a, xyz b)
{
  return (xyz){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline long double length_of(xyz a)
{
  return sqrtl(inner(a, a));
}

/* First b, then a */
static inline turned after(turned a, turned b)
{
  xyz v = sum_of(sum_of(outer(a.v, b.v), a.w, b.v), b.w, a.v);
  turned t = {a.w * b.w - inner(a.v, b.v), v};
  long double scale = 1.0L / sqrtl(t.w * t.w + inner(t.v, t.v));
  return (turned){t.w * scale, {t.v.x * scale, t.v.y * scale, t.v.z * scale}};
}

static inline turned turn_by(const double theta[3])
{
  xyz t = {theta[0], theta[1], theta[2]};
  long double angle = length_of(t), factor = angle > 0.0L ? sinl(angle / 2.0L) / angle : 0.5L;
  return (turned){cosl(angle / 2.0L), {factor * t.x, factor * t.y, factor * t.z}};
}

static inline xyz turn(turned t, xyz v)
{
  xyz c = outer(t.v, v);
  return sum_of(sum_of(v, 2.0L * t.w, c), 2.0L, outer(t.v, c));
}

static inline void spin_of(turned t, double theta[3])
{
  long double sine = length_of(t.v), factor = sine > 0.0L ? 2.0L * atan2l(sine, t.w) / sine : 2.0L;
  theta[0] = (double)(factor * t.v.x);
  theta[1] = (double)(factor * t.v.y);
  theta[2] = (double)(factor * t.v.z);
}

static inline xyz xyz_of(const double v[3])
{
  return (xyz){v[0], v[1], v[2]};
}

static inline void store(double to[3], xyz v)
{
  to[0] = (double)v.x;
  to[1] = (double)v.y;
  to[2] = (double)v.z;
}

/* Global vector in a frame's axes, with the oracle's own formula */
static inline xyz in_axes(const jager_frame *frame, xyz v)
{
  return turn((turned){frame->q[0], {frame->q[1], frame->q[2], frame->q[3]}}, v);
}

static inline void random_direction(uint64_t *seed, double n[3])
{
  double square;
  do {
    for (int i = 0; i < 3; i++)
      n[i] = random_in(seed, -1.0, 1.0);
    square = n[0] * n[0] + n[1] * n[1] + n[2] * n[2];
  } while (!(square > 0.01 && square < 1.0));
  for (int i = 0; i < 3; i++)
    n[i] /= sqrt(square);
}

/* Check writes a file at each assertion: a loop of a million may call it only on failure. */
static inline jager_movement stepped(jager_frame *frame, const jager_step *step)
{
  jager_movement movement = {NAN, {NAN, NAN}};
  if (jager_frame_step(frame, step, &movement) != JAGER_OK)
    ck_abort_msg("the step fails");
  return movement;
}

#endif
