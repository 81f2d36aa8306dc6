// SPDX-License-Identifier: MIT
// The header from C++
#include <jager/jager.h>

int main()
{
  jager_law law = jager_law_default();
  jager_pool *pool = jager_pool_create(0);
  jager_contact contact;
  jager_force force;
  const double dxi[2] = {1e-3, 0.0};
  const bool moved = pool != nullptr && jager_contact_init(&contact, &law, 1.0, 1.0) == JAGER_OK &&
                     jager_contact_move(&law, pool, &contact, 0.01, dxi, &force) == JAGER_OK;
  jager_pool_destroy(pool);
  return moved && force.ft[0] > 0.0 ? 0 : 1;
}
