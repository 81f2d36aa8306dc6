/* SPDX-License-Identifier: MIT */
/*
 * A step tried on a copy, so that its energies can be found from the history before and after it, and a failure leaves
 * the contact as it was. Only the part of the history that the step may change is copied; the rest is shared.
 */
#ifndef JAGER_TRIAL_H
#define JAGER_TRIAL_H

#include "contact/algorithm.h"

typedef struct step_trial {
  contact_data before;         /* the contact, after it has adopted a lower friction if there is one */
  contact_data after;          /* the copy to move */
  history_node *shared;        /* the first node that `after` shares with the contact; NULL: none */
  bool before_is_copy;         /* its nodes are copies, too, as friction has fallen */
  double friction_drop_energy; /* dissipated because friction has fallen */
} step_trial;

/* `target` is where the step goes; ζ <= 0: the bodies separate. */
jager_status jager_trial_begin(const jager_law *law, jager_pool *pool, const contact_data *c, step_target target,
                               step_trial *trial);

/* Gives the copies back; to keep the step, `after` takes the place of the contact. */
void jager_trial_end(jager_pool *pool, contact_data *c, step_trial *trial, bool keep);

/* The ζ* up to which `after` has the history of the contact */
static inline double trial_depth(const step_trial *trial)
{
  return entry_end((entry_cursor){trial->shared, NODE_ENTRIES});
}

#endif
