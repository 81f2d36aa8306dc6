/* SPDX-License-Identifier: MIT */
/* The law of the paper's example, which most tests use: spheres with G = 1 and ν = 0.5, f = 0.5. */
#ifndef TEST_EXAMPLE_LAW_H
#define TEST_EXAMPLE_LAW_H

#include "jager/jager.h"

static inline jager_law example_law(void)
{
  jager_law law = jager_law_default();
  (void)jager_law_set_bodies(&law, 1.0, 0.5);
  return law;
}

#endif
