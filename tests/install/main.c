/* SPDX-License-Identifier: MIT */
/* Ten lines with an installed libjager, or with the amalgamation. */
#include <jager/jager.h>

#include <math.h>
#include <stdio.h>

int main(void)
{
  jager_law law = jager_law_default();
  jager_pool *pool = jager_pool_create(0);
  jager_contact contact = {0};
  jager_force force = {0.0, {0.0, 0.0}};
  double press[2] = {0.0, 0.0}, shear[2] = {0.003, 0.0};
  if (!pool || jager_law_set_bodies(&law, 1.0, 0.5) != JAGER_OK ||
      jager_contact_init(&contact, &law, 1.0, 1.0) != JAGER_OK ||
      jager_contact_move(&contact, &law, pool, 0.01, press, &force) != JAGER_OK ||
      jager_contact_move(&contact, &law, pool, 0.01, shear, &force) != JAGER_OK)
    return 1;
  double expected = 0.5 * force.fn * (1.0 - pow(1.0 - 0.003 / (1.5 * 0.5 * 0.01), 1.5));
  printf("jager %s: Fn = %g, Ft = %g\n", jager_version(), force.fn, force.ft[0]);
  jager_contact_release(&contact, pool);
  jager_pool_destroy(pool);
  return fabs(force.ft[0] - expected) < 1e-14 ? 0 : 1;
}
