/* SPDX-License-Identifier: MIT */
/* Hertz's normal force between spheres, for one contact or for several side by side. */
#ifndef JAGER_HERTZ_H
#define JAGER_HERTZ_H

#include "real.h"

/* Fn(ζ) of spheres, ζ >= 0 */
static JAGER_INLINE real normal_force_of_spheres(real stiffness, real zeta)
{
  return stiffness * zeta * real_sqrt(zeta);
}

#endif
