/* SPDX-License-Identifier: MIT */
/* The range of numbers that the contact computes with, for one contact or for several side by side. */
#ifndef JAGER_LIMITS_H
#define JAGER_LIMITS_H

#include "real.h"

/* Beyond these limits squares and products could overflow. */
#define JAGER_ZETA_MAX 1e60
#define JAGER_XI_MAX 1e150
#define JAGER_FN_MAX 1e130 /* of jager_contact_load */
#define JAGER_STIFFNESS_MAX 1e100
#define JAGER_FRICTION_MAX 1e6

/* Above JAGER_XI_MAX, or NaN: a number of the movement may be out of range. */
static JAGER_INLINE real movement_size(real zeta, real dxi_x, real dxi_y)
{
  return real_abs(zeta) * (JAGER_XI_MAX / JAGER_ZETA_MAX) + real_abs(dxi_x) + real_abs(dxi_y);
}

#endif
