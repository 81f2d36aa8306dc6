// SPDX-License-Identifier: MIT
// The headers from C++11
#include <jager/compact.h>
#include <jager/compare.h>
#include <jager/pairs.h>

int main()
{
  jager_law law = jager_law_default();
  jager_pool *pool = jager_pool_create(0);
  jager_contact contact = jager_contact();
  jager_force force = jager_force();
  const double dxi[2] = {1e-3, 0.0};
  const bool moved = pool != nullptr && jager_law_set_bodies(&law, 1.0, 0.5) == JAGER_OK &&
                     jager_contact_init(&contact, &law, 1.0, 1.0) == JAGER_OK &&
                     jager_contact_move(&contact, &law, pool, 0.01, dxi, &force) == JAGER_OK;
  jager_dashpot dashpot;
  const bool damped = moved && jager_dashpot_init(&dashpot, &law, 0.1) == JAGER_OK &&
                      jager_dashpot_damp(dashpot, 1.0, 1.0, force.fn, 0.009, 0.01, dxi, 0).fn > 0.0;
  double half_shift = 0.0;
  const bool compared = damped && jager_mindlin_loading(&law, 1.0, force.fn, force.ft[0], &half_shift) == JAGER_OK;
  jager_pairs *pairs = jager_pairs_create(0);
  jager_sweep sweep = jager_sweep_default();
  sweep.laws = &law;
  sweep.law_count = 1;
  const bool swept = pairs != nullptr && jager_pairs_move(pairs, &sweep, nullptr, nullptr) == JAGER_OK;
  jager_compact compact = jager_compact();
  const jager_compact_law compact_law = jager_compact_law_of(0.5, 0.5);
  const bool checked = jager_compact_check(&compact, compact_law) == JAGER_OK;
  jager_pairs_destroy(pairs);
  jager_contact_release(&contact, pool);
  jager_pool_destroy(pool);
  return compared && swept && checked && force.ft[0] > 0.0 && half_shift > 0.0 ? 0 : 1;
}
