/* SPDX-License-Identifier: MIT */
/* One step of a path. */
#include "drive.h"

jager_status contact_drive(const jager_law *law, jager_pool *pool, jager_contact *contact, path_control control,
                           const path_step *step, jager_balance *balance, contact_outcome *outcome)
{
  if (control == PATH_BY_DISPLACEMENT) {
    outcome->movement = step->movement;
    return jager_balance_move(balance, law, pool, contact, step->movement.zeta, step->movement.dxi, &outcome->force);
  }
  jager_status status = jager_balance_load(balance, law, pool, contact, &step->force, &outcome->movement);
  outcome->force = jager_contact_force(contact);
  return status;
}

static double part_way(double from, double to, double share)
{
  return from + share * (to - from);
}

static path_step first_part(const jager_contact *contact, const path_step *step, double share)
{
  jager_force now = jager_contact_force(contact);
  return (path_step){
      .movement = {.zeta = part_way(jager_contact_zeta(contact), step->movement.zeta, share),
                   .dxi = {share * step->movement.dxi[0], share * step->movement.dxi[1]}},
      .force = {.fn = part_way(now.fn, step->force.fn, share),
                .ft = {part_way(now.ft[0], step->force.ft[0], share), part_way(now.ft[1], step->force.ft[1], share)}},
  };
}

jager_status contact_drive_partly(const jager_law *law, jager_pool *pool, const jager_contact *contact,
                                  path_control control, const path_step *step, double share, contact_outcome *outcome)
{
  jager_contact copy = {0};
  jager_status status = jager_contact_clone(contact, pool, &copy);
  if (status != JAGER_OK)
    return status;
  path_step part = first_part(contact, step, share);
  if (control == PATH_BY_DISPLACEMENT) {
    outcome->movement = part.movement;
    status = jager_contact_move(law, pool, &copy, part.movement.zeta, part.movement.dxi, &outcome->force);
  } else {
    status = jager_contact_load(law, pool, &copy, &part.force, &outcome->movement, NULL);
    outcome->force = jager_contact_force(&copy);
  }
  jager_contact_release(pool, &copy);
  return status;
}
