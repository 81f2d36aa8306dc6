// SPDX-License-Identifier: MIT
// Sums over all contacts, and rates of dissipation: the scalar and the vector of fix JAGER/HISTORY
#include "fix_jager_history.h"

#include "pair_gran_jager.h"

#include "atom.h"
#include "error.h"
#include "update.h"

#include <cstring>

using namespace LAMMPS_NS;

// ---- Sums -----------------------------------------------------------------------------------------------------------

// Between runs the sums belong to the last step: post_run computes them, since the neighbour list may no longer exist.
void FixJagerHistory::add_up()
{
  if (sums_are_valid || !has_list || update->whichflag == 0)
    return;
  double own[SUM_COUNT] = {0.0};
  for (const jager_pair &touching : store.touching) {
    const double weight = weight_of(touching);
    const jager_contact contact = store.view(touching.contact);
    jager_energy energy = {0.0, 0.0, 0.0};
    const jager_law &law = pair->law_of(atom->type[touching.p], atom->type[touching.q]).contact;
    jager_pairs_stored(store.contacts, &law, touching.contact, &energy);
    own[CONTACTS] += weight;
    own[POINTS] += weight * jager_contact_length(&contact);
    own[SLIDING] += jager_contact_state(&contact) == JAGER_STATE_SLIDE ? weight : 0.0;
    own[NORMAL] += weight * energy.normal;
    own[TANGENTIAL] += weight * energy.tangential;
  }
  own[BYTES] = store.bytes();
  own[FRICTION] = store.work - own[TANGENTIAL];
  own[VISCOUS] = store.viscous;
  own[MIGRATED] = migrated;
  own[RESTIFFENED] = restiffened;
  own[FRICTION_RATE] = rates[0];
  own[VISCOUS_RATE] = rates[1];
  MPI_Allreduce(own, sums, SUM_COUNT, MPI_DOUBLE, MPI_SUM, world);
  if (sums[CONTACTS] > 0.0) {
    sums[MEAN_POINTS] = sums[POINTS] / sums[CONTACTS];
    sums[SLIDING] /= sums[CONTACTS];
  }
  sums_are_valid = true;
}

// ---- Rates of dissipation -------------------------------------------------------------------------------------------

double FixJagerHistory::stored_tangential() const
{
  double sum = 0.0;
  for (const jager_pair &touching : store.touching) {
    const jager_law &law = pair->law_of(atom->type[touching.p], atom->type[touching.q]).contact;
    jager_energy energy = {0.0, 0.0, 0.0};
    jager_pairs_stored(store.contacts, &law, touching.contact, &energy);
    sum += weight_of(touching) * energy.tangential;
  }
  return sum;
}

void FixJagerHistory::note_setup()
{
  has_stepped = false;
  viscous_before = store.viscous;
  if (follows_friction)
    friction_before = store.work - stored_tangential();
}

// Contacts change ranks, so that the rates of one rank mean nothing; their sum does.
void FixJagerHistory::note_step()
{
  const double per_time = update->dt > 0.0 ? 1.0 / update->dt : 0.0;
  store.pending.clear();
  has_stepped = true;
  rates[1] = (store.viscous - viscous_before) * per_time;
  viscous_before = store.viscous;
  if (!follows_friction)
    return;
  const double friction = store.work - stored_tangential();
  rates[0] = (friction - friction_before) * per_time;
  friction_before = friction;
}

// The rate of friction is wanted for the first time. After a step it is too late, since the energy before is not known.
void FixJagerHistory::follow_friction()
{
  if (update->whichflag == 0 || has_stepped || !has_list)
    error->all(FLERR, std::string("Pair gran/jager: the rate of friction is not known, since nothing has asked for it "
                                  "at the beginning of the run: give 'fix_modify ") +
                          id + " rate yes' before");
  follows_friction = true;
  friction_before = store.work - stored_tangential();
}

int FixJagerHistory::modify_param(int narg, char **arg)
{
  if (strcmp(arg[0], "rate") != 0)
    return 0;
  if (narg < 2 || (strcmp(arg[1], "yes") != 0 && strcmp(arg[1], "no") != 0))
    error->all(FLERR, std::string("Illegal fix_modify command: rate yes or rate no"));
  follow_rate(strcmp(arg[1], "yes") == 0);
  return 2;
}

double FixJagerHistory::compute_scalar()
{
  add_up();
  return sums[CONTACTS];
}

double FixJagerHistory::compute_vector(int n)
{
  if (n == FRICTION_RATE && !follows_friction)
    follow_friction();
  add_up();
  return sums[n];
}
