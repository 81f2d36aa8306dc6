/* SPDX-License-Identifier: MIT */
/* One step of a path. */
#include "drive.h"

jager_status contact_drive(law_contact *contact, path_control control, const path_step *step, contact_outcome *outcome)
{
  if (control == PATH_BY_DISPLACEMENT) {
    outcome->movement = step->movement;
    return law_contact_move(contact, step->movement.zeta, step->movement.dxi, &outcome->force);
  }
  jager_status status = law_contact_load(contact, &step->force, &outcome->movement);
  outcome->force = law_contact_force(contact);
  return status;
}

static double part_way(double from, double to, double share)
{
  return from + share * (to - from);
}

static path_step first_part(const law_contact *contact, const path_step *step, double share)
{
  jager_force now = law_contact_force(contact);
  return (path_step){
      .movement = {.zeta = part_way(law_contact_zeta(contact), step->movement.zeta, share),
                   .dxi = {share * step->movement.dxi[0], share * step->movement.dxi[1]}},
      .force = {.fn = part_way(now.fn, step->force.fn, share),
                .ft = {part_way(now.ft[0], step->force.ft[0], share), part_way(now.ft[1], step->force.ft[1], share)}},
  };
}

jager_status contact_drive_partly(law_contact *twin, const law_contact *contact, path_control control,
                                  const path_step *step, double share, contact_outcome *outcome)
{
  jager_status status = law_contact_copy(twin, contact);
  if (status != JAGER_OK)
    return status;
  path_step part = first_part(contact, step, share);
  return contact_drive(twin, control, &part, outcome);
}
