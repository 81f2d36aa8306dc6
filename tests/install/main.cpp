// SPDX-License-Identifier: MIT
// The headers from C++11
#include <jager/jager.h>
#include <jager/pair.h>

int main()
{
  jager_law law = jager_law_default();
  jager_pool *pool = jager_pool_create(0);
  jager_contact contact = jager_contact();
  jager_force force = jager_force();
  const double dxi[2] = {1e-3, 0.0};
  const bool moved = pool != nullptr && jager_law_set_bodies(&law, 1.0, 0.5) == JAGER_OK &&
                     jager_contact_init(&contact, &law, 1.0, 1.0) == JAGER_OK &&
                     jager_contact_move(&law, pool, &contact, 0.01, dxi, &force) == JAGER_OK;
  jager_dashpot dashpot;
  const bool damped = moved && jager_dashpot_init(&dashpot, &law, 0.1) == JAGER_OK &&
                      jager_dashpot_damp(dashpot, 1.0, 1.0, force.fn, 0.009, 0.01, dxi, 0).fn > 0.0;
  jager_contact_release(pool, &contact);
  jager_pool_destroy(pool);
  return damped && force.ft[0] > 0.0 ? 0 : 1;
}
