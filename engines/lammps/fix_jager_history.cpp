// SPDX-License-Identifier: MIT
#include "fix_jager_history.h"

#include "compat.h"
#include "pair_gran_jager.h"

#include "atom.h"
#include "comm.h"
#include "error.h"
#include "force.h"
#include "neigh_list.h"
#include "update.h"

#include <algorithm>
#include <cmath>

using namespace LAMMPS_NS;
using namespace FixConst;
using jager_lammps::NO_CONTACT;

const char *const FixJagerHistory::ID = "JAGER";
const char *const FixJagerHistory::STYLE = "JAGER/HISTORY";

// Of an entry as numbers: how many, the partner's tag, the state of the pair, the packed contact.
enum { ENTRY_HEAD = 2, ENTRY_FIXED = ENTRY_HEAD + sizeof(pair_state) / sizeof(double) };

// In front of the entries of an atom: how many numbers in all (as restart files want it), how many entries.
enum { ATOM_HEAD = 2 };

FixJagerHistory::FixJagerHistory(LAMMPS *engine, int narg, char **arg)
    : Fix(engine, narg, arg), pair(nullptr), slots_are_valid(false), most_doubles(ATOM_HEAD), sums(),
      sums_are_valid(false), are_from_file(false), migrated(0.0)
{
  if (narg != 3)
    error->all(FLERR, std::string("Illegal fix JAGER/HISTORY command: pair_style gran/jager makes it by itself"));
  restart_global = restart_peratom = 1;
  create_attribute = 1;
  maxexchange_dynamic = 1;
  maxexchange = most_doubles;
  scalar_flag = vector_flag = 1;
  size_vector = SUM_COUNT;
  global_freq = 1;
  extscalar = extvector = 0;
  FixJagerHistory::grow_arrays(atom->nmax);
  atom->add_callback(Atom::GROW);
  atom->add_callback(Atom::RESTART);
}

FixJagerHistory::~FixJagerHistory()
{
  atom->delete_callback(id, Atom::GROW);
  atom->delete_callback(id, Atom::RESTART);
}

int FixJagerHistory::setmask()
{
  return PRE_EXCHANGE | POST_NEIGHBOR | POST_RUN;
}

// ---- When -----------------------------------------------------------------------------------------------------------

// Between runs the contacts are at their atoms: post_run has put them there.
void FixJagerHistory::setup_pre_exchange()
{
  measure_atoms();
}

void FixJagerHistory::pre_exchange()
{
  hand_to_atoms();
}

// The pairs keep their contacts: a run with `pre no` goes on with the same neighbour list.
void FixJagerHistory::post_run()
{
  hand_to_atoms();
  add_up();
}

void FixJagerHistory::setup_post_neighbor()
{
  claim_all();
}

void FixJagerHistory::post_neighbor()
{
  claim_all();
}

// ---- From pairs to atoms --------------------------------------------------------------------------------------------

namespace
{

// Which owned atom has this tag. Open addressing; made only if some pair needs it.
class OwnedAtoms
{
public:
  explicit OwnedAtoms(const Atom *atom) : tags(atom->tag), mask(1)
  {
    while (mask < 2u * static_cast<uint32_t>(atom->nlocal) + 1u)
      mask = 2u * mask + 1u;
    table.assign(mask + 1u, -1);
    for (int i = 0; i < atom->nlocal; i++)
      table[place(tags[i])] = i;
  }
  int find(tagint tag) const
  {
    return table[place(tag)];
  }

private:
  const tagint *tags;
  uint32_t mask;
  std::vector<int> table;

  uint32_t place(tagint tag) const
  {
    uint32_t at = (static_cast<uint32_t>(tag) * 2654435761u) & mask;
    while (table[at] >= 0 && tags[table[at]] != tag)
      at = (at + 1u) & mask;
    return at;
  }
};

} // namespace

void FixJagerHistory::add_entry(int i, tagint partner, int contact)
{
  entries.push_back({partner, heads[i], contact, 0});
  heads[i] = static_cast<int>(entries.size()) - 1;
}

// Both atoms of a pair get it. With newton on one may be a ghost: then its entry goes to its owner, which is often this
// rank itself. With newton off the owner has a contact of its own.
void FixJagerHistory::hand_to_atoms()
{
  if (!slots_are_valid)
    return;
  entries.clear();
  received.clear();
  std::fill(heads.begin(), heads.end(), NONE);
  const bool newton = force->newton_pair != 0;
  std::vector<OwnedAtoms> owned;
  for (const jager_lammps::ListedPair &touching : store.touching) {
    const int atoms[2] = {touching.p, touching.q};
    for (int k = 0; k < 2; k++) {
      int i = atoms[k];
      if (i >= atom->nlocal) {
        if (!newton)
          continue;
        if (owned.empty())
          owned.emplace_back(atom);
        const int own = owned.front().find(atom->tag[i]);
        i = own >= 0 ? own : i;
      }
      add_entry(i, atom->tag[atoms[1 - k]], touching.contact);
    }
  }
  if (newton && comm->nprocs > 1)
    jager_compat::reverse_variable(comm, this, jager_compat::first());
  measure_atoms();
}

// ---- Entries as numbers ---------------------------------------------------------------------------------------------

size_t FixJagerHistory::entry_doubles(const Entry &entry) const
{
  if (entry.contact == NONE)
    return static_cast<size_t>(received[entry.bytes]);
  size_t bytes = jager_contact_pack_size(&store.contacts.data()[entry.contact].contact);
  return ENTRY_FIXED + (bytes + sizeof(double) - 1) / sizeof(double);
}

double *FixJagerHistory::pack_entry(const Entry &entry, double *to) const
{
  const size_t size = entry_doubles(entry);
  if (entry.contact == NONE) {
    memcpy(to, &received[entry.bytes], size * sizeof(double));
    return to + size;
  }
  const pair_contact &contact = store.contacts.data()[entry.contact];
  to[size - 1] = 0.0; // the last bytes may be none of the contact's
  to[0] = static_cast<double>(size);
  to[1] = static_cast<double>(entry.partner);
  memcpy(to + ENTRY_HEAD, &contact.state, sizeof contact.state);
  jager_status status = jager_contact_pack(&contact.contact, to + ENTRY_FIXED, (size - ENTRY_FIXED) * sizeof(double));
  if (status != JAGER_OK)
    error->one(FLERR, std::string("Pair gran/jager: a history cannot be packed: ") + jager_status_text(status));
  return to + size;
}

void FixJagerHistory::receive_entry(int i, const double *from)
{
  add_entry(i, static_cast<tagint>(from[1]), NONE);
  entries.back().bytes = received.size();
  received.insert(received.end(), from, from + static_cast<size_t>(from[0]));
}

int FixJagerHistory::atom_doubles(int i) const
{
  size_t size = ATOM_HEAD;
  for (int k = heads[i]; k != NONE; k = entries[k].next)
    size += entry_doubles(entries[k]);
  return static_cast<int>(size);
}

int FixJagerHistory::pack_atom(int i, double *buf) const
{
  double *to = buf + ATOM_HEAD;
  int count = 0;
  for (int k = heads[i]; k != NONE; k = entries[k].next, count++)
    to = pack_entry(entries[k], to);
  buf[0] = static_cast<double>(to - buf);
  buf[1] = count;
  return static_cast<int>(to - buf);
}

int FixJagerHistory::unpack_atom(int i, const double *buf)
{
  const double *from = buf + ATOM_HEAD;
  for (int count = static_cast<int>(buf[1]); count > 0; count--) {
    receive_entry(i, from);
    from += static_cast<size_t>(from[0]);
  }
  return static_cast<int>(from - buf);
}

// LAMMPS makes its buffers as large as the largest atom needs.
void FixJagerHistory::measure_atoms()
{
  int most = ATOM_HEAD;
  for (int i = 0; i < atom->nlocal; i++)
    most = std::max(most, atom_doubles(i));
  MPI_Allreduce(&most, &most_doubles, 1, MPI_INT, MPI_MAX, world);
  maxexchange = most_doubles;
}

int FixJagerHistory::pack_reverse_comm_size(int n, int first)
{
  int size = 0;
  for (int i = first; i < first + n; i++)
    size += atom_doubles(i);
  return size;
}

int FixJagerHistory::pack_reverse_comm(int n, int first, double *buf)
{
  int size = 0;
  for (int i = first; i < first + n; i++)
    size += pack_atom(i, buf + size);
  return size;
}

void FixJagerHistory::unpack_reverse_comm(int n, int *list, double *buf)
{
  for (int i = 0; i < n; i++)
    buf += unpack_atom(list[i], buf);
}

// ---- Atoms come and go ----------------------------------------------------------------------------------------------

void FixJagerHistory::grow_arrays(int nmax)
{
  heads.resize(nmax, NONE);
}

void FixJagerHistory::copy_arrays(int i, int j, int)
{
  heads[j] = heads[i];
}

void FixJagerHistory::set_arrays(int i)
{
  heads[i] = NONE;
}

int FixJagerHistory::pack_exchange(int i, double *buf)
{
  return pack_atom(i, buf);
}

int FixJagerHistory::unpack_exchange(int nlocal, double *buf)
{
  heads[nlocal] = NONE;
  migrated += buf[1];
  return unpack_atom(nlocal, buf);
}

// ---- From atoms to pairs --------------------------------------------------------------------------------------------

// The pair's contact at its atom i. In a narrow box a pair may be near twice, through two images: the contact belongs
// to the one whose branch is still where it was, up to what spheres move in a step.
const FixJagerHistory::Entry *FixJagerHistory::find_entry(int i, tagint partner, const double *branch) const
{
  for (int k = heads[i]; k != NONE; k = entries[k].next) {
    const Entry &entry = entries[k];
    if (entry.partner != partner)
      continue;
    const double *then =
        entry.contact == NONE ? &received[entry.bytes + ENTRY_HEAD] : store.contacts.data()[entry.contact].state.branch;
    double moved = 0.0, length = 0.0;
    for (int d = 0; d < 3; d++) {
      moved += (branch[d] - then[d]) * (branch[d] - then[d]);
      length += then[d] * then[d];
    }
    if (moved < 0.25 * length)
      return &entry;
  }
  return nullptr;
}

// A number in the new array, with the contact of the entry.
int FixJagerHistory::take_over(const Entry &entry, int i, int j)
{
  const int number = static_cast<int>(now.append());
  pair_contact *to = now.data() + number;
  jager_status status = JAGER_OK;
  if (entry.contact == NONE) {
    const double *from = &received[entry.bytes];
    const pair_law *law = pair->law_of(atom->type[i], atom->type[j]);
    memcpy(&to->state, from + ENTRY_HEAD, sizeof to->state);
    status = jager_contact_unpack(&law->law, store.pool, &to->contact, from + ENTRY_FIXED,
                                  (static_cast<size_t>(from[0]) - ENTRY_FIXED) * sizeof(double), nullptr);
  } else if (claimed[entry.contact] == NONE) {
    memcpy(to, store.contacts.data() + entry.contact, sizeof *to);
    claimed[entry.contact] = number;
  } else { // newton off, and the pair touches through a boundary of its own rank from now on: two copies
    *to = now.data()[claimed[entry.contact]];
    status = jager_contact_clone(&now.data()[claimed[entry.contact]].contact, store.pool, &to->contact);
  }
  if (status != JAGER_OK)
    refuse(i, j, jager_status_text(status));
  return number;
}

void FixJagerHistory::refuse(int i, int j, const std::string &why) const
{
  error->one(FLERR, "Pair gran/jager: the history of atoms " + std::to_string(atom->tag[i]) + " and " +
                        std::to_string(atom->tag[j]) + " cannot be used: " + why);
}

// A contact keeps the stiffness that it was made with: it must be that of the coefficients that it goes on with.
void FixJagerHistory::check_stiffness(int number, int p, int q) const
{
  jager_contact fresh;
  const jager_contact &contact = now.data()[number].contact;
  const pair_law *law = pair->law_of(atom->type[p], atom->type[q]);
  if (jager_contact_init(&fresh, &law->law, atom->radius[p], atom->radius[q]) != JAGER_OK ||
      !(fabs(fresh.stiffness - contact.stiffness) <= 1e-9 * contact.stiffness))
    refuse(p, q, "the stiffness of their contact is not that of pair_coeff; has it changed since the restart file?");
}

int FixJagerHistory::claim(int p, int q)
{
  const bool has_p = p < atom->nlocal && heads[p] != NONE, has_q = q < atom->nlocal && heads[q] != NONE;
  if (!has_p && !has_q)
    return NO_CONTACT;
  double branch[3];
  for (int d = 0; d < 3; d++)
    branch[d] = atom->x[q][d] - atom->x[p][d];
  const Entry *entry = has_p ? find_entry(p, atom->tag[q], branch) : nullptr;
  if (!entry && has_q)
    entry = find_entry(q, atom->tag[p], branch);
  if (!entry)
    return NO_CONTACT;
  const int number = take_over(*entry, p, q);
  if (are_from_file)
    check_stiffness(number, p, q);
  return number;
}

void FixJagerHistory::claim_all()
{
  const NeighList *list = pair->list;
  now.clear();
  claimed.assign(store.contacts.size(), NONE);
  store.forget_pairs(atom->nlocal);
  for (int ii = 0; ii < list->inum; ii++) {
    const int i = list->ilist[ii], *neighbours = list->firstneigh[i];
    store.starts[i] = store.slots.size();
    for (int jj = 0; jj < list->numneigh[i]; jj++) {
      const int j = neighbours[jj] & NEIGHMASK, p = atom->tag[i] < atom->tag[j] ? i : j, q = p == i ? j : i;
      store.add(p, q, claim(p, q));
    }
  }
  for (uint32_t k = 0; k < store.contacts.size(); k++)
    if (claimed[k] == NONE)
      jager_contact_release(store.pool, &store.contacts.data()[k].contact);
  store.replace(now);
  slots_are_valid = true;
  sums_are_valid = are_from_file = false;
  entries.clear();
  received.clear();
  std::fill(heads.begin(), heads.end(), NONE);
}

// ---- Restart files --------------------------------------------------------------------------------------------------

// What does not belong to an atom. Between runs the contacts are at their atoms already.
struct FixJagerHistory::Global {
  double format, largest_atom, work, viscous, migrated;
};

void FixJagerHistory::write_restart(FILE *fp)
{
  if (update->whichflag != 0)
    hand_to_atoms();
  else
    measure_atoms();
  add_up();
  if (comm->me != 0)
    return;
  Global state = {FORMAT, static_cast<double>(most_doubles), sums[FRICTION] + sums[TANGENTIAL], sums[VISCOUS],
                  sums[MIGRATED]};
  int size = sizeof state;
  fwrite(&size, sizeof size, 1, fp);
  fwrite(&state, sizeof state, 1, fp);
}

void FixJagerHistory::restart(char *buf)
{
  Global state;
  memcpy(&state, buf, sizeof state);
  if (static_cast<int>(state.format) != FORMAT)
    error->all(FLERR, "Pair gran/jager: the histories in the restart file have format " +
                          std::to_string(static_cast<long>(state.format)) + ", this version reads format " +
                          std::to_string(static_cast<int>(FORMAT)) + ": read it with the version that wrote it");
  maxexchange = most_doubles = static_cast<int>(state.largest_atom);
  sums[FRICTION] = state.work;
  sums[VISCOUS] = state.viscous;
  sums[MIGRATED] = state.migrated;
  if (comm->me == 0) {
    store.sums.work = state.work;
    store.sums.viscous = state.viscous;
    migrated = state.migrated;
  }
}

int FixJagerHistory::size_restart(int i)
{
  return atom_doubles(i);
}

int FixJagerHistory::maxsize_restart()
{
  return most_doubles;
}

int FixJagerHistory::pack_restart(int i, double *buf)
{
  return pack_atom(i, buf);
}

void FixJagerHistory::unpack_restart(int i, int nth)
{
  const double *from = atom->extra[i];
  for (int k = 0; k < nth; k++)
    from += static_cast<int>(*from);
  heads[i] = NONE;
  unpack_atom(i, from);
  are_from_file = true;
}

// ---- Sums -----------------------------------------------------------------------------------------------------------

// Between runs they are those of the last step, which post_run has asked for: the neighbour list may be gone. Of a pair
// that two ranks have (newton off), each counts half.
void FixJagerHistory::add_up()
{
  if (sums_are_valid || !slots_are_valid || update->whichflag == 0)
    return;
  double own[SUM_COUNT] = {0.0};
  for (const jager_lammps::ListedPair &touching : store.touching) {
    const int p = touching.p, q = touching.q;
    const double weight = force->newton_pair || (p < atom->nlocal && q < atom->nlocal) ? 1.0 : 0.5;
    const jager_contact &contact = store.contacts.data()[touching.contact].contact;
    jager_energy energy = {0.0, 0.0, 0.0};
    jager_contact_stored(&pair->law_of(atom->type[p], atom->type[q])->law, &contact, &energy);
    own[CONTACTS] += weight;
    own[POINTS] += weight * contact.length;
    own[SLIDING] += contact.state == JAGER_SLIDE ? weight : 0.0;
    own[NORMAL] += weight * energy.normal;
    own[TANGENTIAL] += weight * energy.tangential;
  }
  own[BYTES] = store.bytes();
  own[FRICTION] = store.sums.work - own[TANGENTIAL];
  own[VISCOUS] = store.sums.viscous;
  own[MIGRATED] = migrated;
  MPI_Allreduce(own, sums, SUM_COUNT, MPI_DOUBLE, MPI_SUM, world);
  if (sums[CONTACTS] > 0.0) {
    sums[MEAN_POINTS] = sums[POINTS] / sums[CONTACTS];
    sums[SLIDING] /= sums[CONTACTS];
  }
  sums_are_valid = true;
}

double FixJagerHistory::compute_scalar()
{
  add_up();
  return sums[CONTACTS];
}

double FixJagerHistory::compute_vector(int n)
{
  add_up();
  return sums[n];
}

bigint FixJagerHistory::count_contacts()
{
  bigint own = static_cast<bigint>(store.touching.size() + entries.size()), all = 0;
  MPI_Allreduce(&own, &all, 1, MPI_LMP_BIGINT, MPI_SUM, world);
  return all;
}

double FixJagerHistory::memory_usage()
{
  return store.bytes() + static_cast<double>(heads.capacity() * sizeof(int) + entries.capacity() * sizeof(Entry) +
                                             received.capacity() * sizeof(double) + now.bytes());
}
