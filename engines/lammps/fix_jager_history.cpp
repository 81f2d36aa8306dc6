// SPDX-License-Identifier: MIT
#include "fix_jager_history.h"

#include "compat.h"
#include "pair_gran_jager.h"

#include "atom.h"
#include "comm.h"
#include "domain.h"
#include "error.h"
#include "force.h"
#include "neigh_list.h"
#include "update.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <unordered_map>
#include <unordered_set>

using namespace LAMMPS_NS;
using namespace FixConst;
using jager_lammps::Beside;

const char *const FixJagerHistory::ID = "JAGER";
const char *const FixJagerHistory::STYLE = "JAGER/HISTORY";

// The state of the pair in a packed entry, after the last step
namespace
{
struct PackedState {
  double branch[3], axis[3]; // x_q - x_p, first tangent
  double ft[2];              // of the springs; they follow from the contact, too
  Beside beside;
  jager_lammps::Pending pending;
};
} // namespace

// A packed entry is an array of doubles: their number, the tag of the partner, 1 if the atom is the first sphere of the
// contact (else 0), two radii, two types, the state of the pair, the packed contact. Tags are integers (ubuf).
enum { ENTRY_HEAD = 7, ENTRY_FIXED = ENTRY_HEAD + sizeof(PackedState) / sizeof(double) };

// The head of the packed entries of an atom: the number of doubles (first, as LAMMPS requires in restart files), the
// number of entries, the name and the tag of the atom.
enum { ATOM_HEAD = 4 };

FixJagerHistory::FixJagerHistory(LAMMPS *engine, int narg, char **arg)
    : Fix(engine, narg, arg), pair(nullptr), has_list(false), most_doubles(ATOM_HEAD), sums(), sums_are_valid(false),
      are_from_file(false), migrated(0.0), restiffened(0.0), has_grown(false), has_warned(false), has_told_names(false),
      follows_friction(false), has_stepped(false), rates(), friction_before(0.0), viscous_before(0.0)
{
  if (narg != 3)
    error->all(FLERR, std::string("Illegal fix JAGER/HISTORY command: pair_style gran/jager makes it by itself"));
  restart_global = restart_peratom = 1;
  create_attribute = 1;
  maxexchange_dynamic = 1;
  maxexchange = most_doubles;
  comm_forward = 3;
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

// ---- Hooks of LAMMPS ------------------------------------------------------------------------------------------------

// Between runs the entries of the atoms exist already: post_run has made them.
void FixJagerHistory::setup_pre_exchange()
{
  measure_atoms();
}

void FixJagerHistory::pre_exchange()
{
  hand_to_atoms();
}

// The pairs keep their contacts, since a run with `pre no` continues with the same neighbour list.
void FixJagerHistory::post_run()
{
  measure_pending();
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

// ---- The end of a run -----------------------------------------------------------------------------------------------

// Finds how far atoms have moved since the forces of the last step. Ghosts are where the forces found them; their
// owners tell where they are now.
void FixJagerHistory::measure_pending()
{
  store.pending.clear();
  if (!has_list)
    return;
  places.assign(3 * static_cast<size_t>(atom->nlocal + atom->nghost), 0.0);
  if (atom->nlocal > 0)
    std::copy_n(atom->x[0], 3 * static_cast<size_t>(atom->nlocal), places.begin());
  jager_compat::forward(comm, this, jager_compat::first());
  for (const jager_pair &touching : store.touching) {
    double branch[3] = {0.0, 0.0, 0.0}, axis[3];
    jager_lammps::Pending pending;
    jager_pairs_frame(store.contacts, touching.contact, branch, axis);
    for (size_t d = 0; d < 3; d++)
      pending.by[d] = places[3 * touching.q + d] - places[3 * touching.p + d] - branch[d];
    store.set_pending(touching.contact, pending);
  }
  std::vector<double>().swap(places);
}

int FixJagerHistory::pack_forward_comm(int n, int *list, double *buf, int pbc_flag, int *pbc)
{
  double shift[3] = {0.0, 0.0, 0.0};
  if (pbc_flag) {
    shift[0] = pbc[0] * domain->xprd + pbc[5] * domain->xy + pbc[4] * domain->xz;
    shift[1] = pbc[1] * domain->yprd + pbc[3] * domain->yz;
    shift[2] = pbc[2] * domain->zprd;
  }
  for (int k = 0; k < n; k++)
    for (int d = 0; d < 3; d++)
      buf[3 * k + d] = places[3 * static_cast<size_t>(list[k]) + d] + shift[d];
  return 3 * n;
}

void FixJagerHistory::unpack_forward_comm(int n, int first, double *buf)
{
  std::copy_n(buf, 3 * n, places.begin() + 3 * static_cast<size_t>(first));
}

// ---- From pairs to atoms --------------------------------------------------------------------------------------------

namespace
{

// A hash table from tags to owned atoms, with open addressing. It is made only if a pair needs it.
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

void FixJagerHistory::add_entry(int i, const Entry &entry)
{
  entries.push_back(entry);
  entries.back().next = heads[i];
  heads[i] = static_cast<int>(entries.size()) - 1;
}

// Makes an entry for both atoms of each pair that touches. With newton on, one of them may be a ghost: its entry goes
// to the rank that owns the atom, often this one. With newton off, the owner has its own copy of the contact.
void FixJagerHistory::hand_to_atoms()
{
  if (!has_list)
    return;
  entries.clear();
  received.clear();
  std::fill(heads.begin(), heads.end(), NONE);
  const bool newton = force->newton_pair != 0;
  std::vector<OwnedAtoms> owned;
  for (const jager_pair &touching : store.touching) {
    const int atoms[2] = {static_cast<int>(touching.p), static_cast<int>(touching.q)};
    const Bodies bodies = known_bodies(atoms[0], atoms[1]);
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
      add_entry(i, {atom->tag[atoms[1 - k]], NONE, static_cast<int>(touching.contact), 0, k == 0, bodies});
    }
  }
  if (newton && comm->nprocs > 1)
    jager_compat::reverse_variable(comm, this, jager_compat::first());
  measure_atoms();
}

// ---- Packing and unpacking ------------------------------------------------------------------------------------------

size_t FixJagerHistory::entry_doubles(const Entry &entry) const
{
  if (entry.contact == NONE)
    return static_cast<size_t>(received[entry.bytes]);
  const jager_contact contact = store.view(entry.contact);
  const size_t bytes = jager_contact_pack_size(&contact);
  return ENTRY_FIXED + (bytes + sizeof(double) - 1) / sizeof(double);
}

void FixJagerHistory::write_head(const Entry &entry, double *to)
{
  to[1] = ubuf(entry.partner).d;
  to[2] = entry.is_first ? 1.0 : 0.0;
  for (int k = 0; k < 2; k++) {
    to[3 + k] = entry.bodies.radius[k];
    to[5 + k] = entry.bodies.type[k];
  }
}

double *FixJagerHistory::pack_entry(const Entry &entry, double *to) const
{
  const size_t size = entry_doubles(entry);
  if (entry.contact == NONE) {
    memcpy(to, &received[entry.bytes], size * sizeof(double));
    write_head(entry, to); // the tag of the partner may have changed
    return to + size;
  }
  const jager_contact contact = store.view(entry.contact);
  const jager_force springs = jager_contact_force(&contact);
  PackedState state = {{0.0, 0.0, 0.0},
                       {0.0, 0.0, 0.0},
                       {springs.ft[0], springs.ft[1]},
                       store.beside[entry.contact],
                       store.pending_of(entry.contact)};
  jager_pairs_frame(store.contacts, entry.contact, state.branch, state.axis);
  to[size - 1] = 0.0; // the packed contact may end within the last double
  to[0] = static_cast<double>(size);
  write_head(entry, to);
  memcpy(to + ENTRY_HEAD, &state, sizeof state);
  jager_status status = jager_contact_pack(&contact, to + ENTRY_FIXED, (size - ENTRY_FIXED) * sizeof(double));
  if (status != JAGER_OK)
    error->one(FLERR, std::string("Pair gran/jager: a history cannot be packed: ") + jager_status_text(status));
  return to + size;
}

void FixJagerHistory::receive_entry(int i, const double *from)
{
  const Bodies bodies = {{from[3], from[4]}, {static_cast<int>(from[5]), static_cast<int>(from[6])}};
  add_entry(i, {static_cast<tagint>(ubuf(from[1]).i), NONE, NONE, received.size(), from[2] != 0.0, bodies});
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
  buf[2] = ubuf(names[i]).d;
  buf[3] = ubuf(atom->tag[i]).d;
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

// Finds the largest size of a packed atom, which LAMMPS needs for its buffers. All ranks call this function together,
// so that the warning can be given here, once.
void FixJagerHistory::measure_atoms()
{
  int own[2] = {ATOM_HEAD, restiffened > 0.0}, most[2];
  for (int i = 0; i < atom->nlocal; i++)
    own[0] = std::max(own[0], atom_doubles(i));
  MPI_Allreduce(own, most, 2, MPI_INT, MPI_MAX, world);
  maxexchange = most_doubles = most[0];
  if (most[1] && !has_warned && comm->me == 0)
    error->warning(FLERR,
                   std::string("Pair gran/jager: radii or types of spheres that touch have changed; their contacts "
                               "keep their histories and take the new stiffness (f_JAGER[11] counts them)"));
  has_warned = has_warned || most[1];
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

// ---- Atoms that migrate, are added or deleted -----------------------------------------------------------------------

void FixJagerHistory::grow_arrays(int nmax)
{
  heads.resize(nmax, NONE);
  names.resize(nmax, NOBODY);
}

void FixJagerHistory::copy_arrays(int i, int j, int)
{
  heads[j] = heads[i];
  names[j] = names[i];
}

void FixJagerHistory::set_arrays(int i)
{
  heads[i] = NONE;
  names[i] = NOBODY;
}

int FixJagerHistory::pack_exchange(int i, double *buf)
{
  return pack_atom(i, buf);
}

int FixJagerHistory::unpack_exchange(int nlocal, double *buf)
{
  heads[nlocal] = NONE;
  names[nlocal] = static_cast<tagint>(ubuf(buf[2]).i);
  migrated += buf[1];
  return unpack_atom(nlocal, buf);
}

// ---- Atoms that are renumbered --------------------------------------------------------------------------------------

// Concatenates the lists of all ranks.
static std::vector<tagint> gather_all(const std::vector<tagint> &own, MPI_Comm world)
{
  int ranks, count = static_cast<int>(own.size());
  MPI_Comm_size(world, &ranks);
  std::vector<int> counts(ranks), starts(ranks, 0);
  MPI_Allgather(&count, 1, MPI_INT, counts.data(), 1, MPI_INT, world);
  for (int rank = 1; rank < ranks; rank++)
    starts[rank] = starts[rank - 1] + counts[rank - 1];
  std::vector<tagint> all(starts.back() + counts.back());
  MPI_Allgatherv(own.data(), count, MPI_LMP_TAGINT, all.data(), counts.data(), starts.data(), MPI_LMP_TAGINT, world);
  return all;
}

// Updates the partners of all entries. `changes` holds the name and the tag of each atom for which the two differ. A
// partner whose name is not in `changes` has kept its tag or is deleted; if an atom of `changes` now has that tag, the
// partner is deleted.
void FixJagerHistory::rename_partners(const std::vector<tagint> &changes)
{
  std::unordered_map<tagint, tagint> tag_now;
  std::unordered_set<tagint> taken;
  for (size_t k = 0; k < changes.size(); k += 2) {
    if (changes[k] != NOBODY)
      tag_now[changes[k]] = changes[k + 1];
    taken.insert(changes[k + 1]);
  }
  for (Entry &entry : entries) {
    const auto found = tag_now.find(entry.partner);
    if (found != tag_now.end())
      entry.partner = found->second;
    else if (taken.count(entry.partner) > 0)
      entry.partner = NOBODY;
  }
}

// Warns once if atoms have got other tags while spheres touch.
void FixJagerHistory::tell_names(bool have_changed)
{
  if (have_changed && !has_told_names && comm->me == 0)
    error->warning(FLERR,
                   std::string("Pair gran/jager: the IDs of atoms have changed while spheres touch; contacts keep "
                               "their histories and follow their atoms; lists of contacts have the new IDs"));
  has_told_names = has_told_names || have_changed;
}

void FixJagerHistory::follow_names()
{
  std::vector<tagint> changes;
  int own[3] = {!entries.empty(), 0, 0}, any[3]; // contacts, changes, atoms that had another tag
  for (int i = 0; i < atom->nlocal; i++)
    if (names[i] != atom->tag[i]) {
      changes.push_back(names[i]);
      changes.push_back(atom->tag[i]);
      own[1] = 1;
      own[2] = own[2] || names[i] != NOBODY;
    }
  MPI_Allreduce(own, any, 3, MPI_INT, MPI_MAX, world);
  if (any[0] && any[1])
    rename_partners(gather_all(changes, world));
  tell_names(any[0] && any[2]);
  std::copy(atom->tag, atom->tag + atom->nlocal, names.begin());
}

// ---- Radii and types that change ------------------------------------------------------------------------------------

bool FixJagerHistory::Bodies::operator==(const Bodies &other) const
{
  return radius[0] == other.radius[0] && radius[1] == other.radius[1] && type[0] == other.type[0] &&
         type[1] == other.type[1];
}

FixJagerHistory::Bodies FixJagerHistory::known_bodies(int p, int q) const
{
  return {{known_radii[p], known_radii[q]}, {known_types[p], known_types[q]}};
}

FixJagerHistory::Bodies FixJagerHistory::present_bodies(int p, int q) const
{
  return {{atom->radius[p], atom->radius[q]}, {atom->type[p], atom->type[q]}};
}

void FixJagerHistory::learn_bodies()
{
  const int count = atom->nlocal + atom->nghost;
  known_radii.assign(atom->radius, atom->radius + count);
  known_types.assign(atom->type, atom->type + count);
}

// The weight of a pair in sums over all ranks: 1/2 if two ranks have the pair (newton off), else 1.
double FixJagerHistory::weight_of(const jager_pair &of) const
{
  const uint32_t local = static_cast<uint32_t>(atom->nlocal);
  return force->newton_pair || (of.p < local && of.q < local) ? 1.0 : 0.5;
}

// The contact keeps its history and takes the new stiffness. The elastic energy of its tangential springs changes with
// the stiffness. The same change is added to the work, so that it does not count as frictional dissipation.
void FixJagerHistory::restiffen(jager_pair &of, const Bodies &before)
{
  const int p = static_cast<int>(of.p), q = static_cast<int>(of.q);
  const jager_law &law_before = pair->law_of(before.type[0], before.type[1]).contact;
  const jager_law &law = pair->law_of(atom->type[p], atom->type[q]).contact;
  if (law.contour != law_before.contour || law.exponent != law_before.exponent)
    refuse(p, q, "their types have changed while they touch, and with them the contour of their contact");
  jager_contact contact = store.view(of.contact);
  const double stiffness = jager_contact_coefficient(&contact);
  jager_energy stored = {0.0, 0.0, 0.0}, stored_before = {0.0, 0.0, 0.0};
  jager_contact_stored(&contact, &law_before, nullptr, &stored_before);
  jager_status status = jager_pairs_restiffen(store.contacts, &law, of.contact, atom->radius[p], atom->radius[q]);
  if (status != JAGER_OK)
    refuse(p, q, jager_status_text(status));
  of.law = pair->law_number(atom->type[p], atom->type[q]);
  contact = store.view(of.contact);
  if (jager_contact_coefficient(&contact) == stiffness && law.kappa == law_before.kappa)
    return;
  jager_contact_stored(&contact, &law, nullptr, &stored);
  store.beside[of.contact].work += stored.tangential - stored_before.tangential;
  store.work += weight_of(of) * (stored.tangential - stored_before.tangential);
  restiffened += weight_of(of);
}

// Stops if a sphere is larger than the radius for which the neighbour lists of this run were set up: the list might
// miss contacts.
void FixJagerHistory::check_sizes() const
{
  for (int i = 0; i < atom->nlocal; i++)
    if (atom->radius[i] > pair->largest_radius_of(atom->type[i]))
      error->one(
          FLERR,
          "Pair gran/jager: atom " + std::to_string(atom->tag[i]) +
              " is larger than the neighbour lists of this run allow for, which is " +
              (force_reneighbor ? "1.25 times " : "") +
              "the largest sphere of its type at the beginning: take shorter runs, or begin with larger spheres");
}

void FixJagerHistory::note_growth()
{
  for (size_t i = 0; i < known_radii.size(); i++) {
    if (!(atom->radius[i] > known_radii[i]))
      continue;
    has_grown = true;
    if (!force_reneighbor)
      error->one(FLERR,
                 "Pair gran/jager: atom " + std::to_string(atom->tag[i]) +
                     " has grown in a run without fix adapt, so that neighbours may be missed: change radii between "
                     "runs (without 'pre no'), or with fix adapt");
  }
}

// Requests a new neighbour list in the next step if a sphere has grown on any rank, since the sphere may touch others
// that are not in the list. Called only if there is a fix adapt: without it, radii cannot grow during a run.
void FixJagerHistory::demand_list()
{
  int own = has_grown, any = 0;
  MPI_Allreduce(&own, &any, 1, MPI_INT, MPI_MAX, world);
  if (any)
    next_reneighbor = update->ntimestep + 1;
}

void FixJagerHistory::follow_bodies()
{
  const size_t count = known_radii.size();
  if (count > 0 && (memcmp(known_radii.data(), atom->radius, count * sizeof(double)) != 0 ||
                    memcmp(known_types.data(), atom->type, count * sizeof(int)) != 0)) {
    for (jager_pair &touching : store.touching) {
      const Bodies before = known_bodies(touching.p, touching.q);
      if (!(before == present_bodies(touching.p, touching.q)))
        restiffen(touching, before);
    }
    note_growth();
    check_sizes();
    learn_bodies();
  }
  if (force_reneighbor)
    demand_list();
}

// ---- From atoms to pairs --------------------------------------------------------------------------------------------

// The branch from the first sphere of the contact to the second, when the contact was last moved
void FixJagerHistory::branch_of(const Entry &entry, double *branch) const
{
  double axis[3];
  if (entry.contact == NONE)
    std::copy_n(&received[entry.bytes + ENTRY_HEAD], 3, branch);
  else
    jager_pairs_frame(store.contacts, entry.contact, branch, axis);
}

// The entry of atom i for its contact with atom j, or null. In a narrow periodic box two images of j may be
// neighbours of i: the contact belongs to the image whose branch has changed by less than half its length.
const FixJagerHistory::Entry *FixJagerHistory::find_entry(int i, int j) const
{
  if (i >= atom->nlocal)
    return nullptr;
  for (int k = heads[i]; k != NONE; k = entries[k].next) {
    const Entry &entry = entries[k];
    if (entry.partner != atom->tag[j])
      continue;
    const double sign = entry.is_first ? 1.0 : -1.0;
    double then[3] = {0.0, 0.0, 0.0}, moved = 0.0, length = 0.0;
    branch_of(entry, then);
    for (int d = 0; d < 3; d++) {
      const double shift = sign * (atom->x[j][d] - atom->x[i][d]) - then[d];
      moved += shift * shift;
      length += then[d] * then[d];
    }
    if (moved < 0.25 * length)
      return &entry;
  }
  return nullptr;
}

// Unpacks a contact that came from another rank or from a restart file.
void FixJagerHistory::unpack_contact(const Entry &entry, jager_pair &to)
{
  const double *from = &received[entry.bytes];
  const int *type = entry.bodies.type;
  PackedState state;
  if (std::min(type[0], type[1]) < 1 || std::max(type[0], type[1]) > atom->ntypes)
    refuse(to.p, to.q, "they have no possible type: the restart file is damaged");
  memcpy(&state, from + ENTRY_HEAD, sizeof state);
  jager_status status = jager_pairs_unpack(store.contacts, &pair->law_of(type[0], type[1]).contact, from + ENTRY_FIXED,
                                           (static_cast<size_t>(from[0]) - ENTRY_FIXED) * sizeof(double), nullptr,
                                           state.branch, state.axis, &to.contact);
  if (status != JAGER_OK)
    refuse(to.p, to.q, jager_status_text(status));
  if (are_from_file)
    check_stiffness(entry, to);
  store.add(to, state.beside);
  store.set_pending(to.contact, state.pending);
}

// Newton is off, and each sphere now touches a ghost of the other on the same rank: the contact exists twice.
void FixJagerHistory::copy_contact(const Entry &entry, jager_pair &to)
{
  const jager_contact contact = store.view(entry.contact);
  const Beside beside = store.beside[entry.contact];
  const jager_lammps::Pending pending = store.pending_of(entry.contact);
  double branch[3], axis[3];
  jager_status status = jager_pairs_frame(store.contacts, entry.contact, branch, axis);
  if (status == JAGER_OK)
    status = jager_pairs_add(store.contacts, &contact, branch, axis, &to.contact);
  if (status != JAGER_OK)
    refuse(to.p, to.q, jager_status_text(status));
  store.add(to, beside);
  store.set_pending(to.contact, pending);
}

// Adds the pair with the contact of the entry to those that touch.
void FixJagerHistory::take_over(const Entry &entry, int p, int q)
{
  jager_pair to = {static_cast<uint32_t>(p),
                   static_cast<uint32_t>(q),
                   static_cast<uint32_t>(entry.contact),
                   JAGER_NONE,
                   0,
                   pair->law_number(atom->type[p], atom->type[q])};
  if (entry.contact == NONE)
    unpack_contact(entry, to);
  else if (claimed[entry.contact]) {
    copy_contact(entry, to);
    return;
  } else {
    claimed[entry.contact] = true;
    store.touching.push_back(to);
  }
  if (!(entry.bodies == present_bodies(p, q)))
    restiffen(store.touching.back(), entry.bodies);
}

void FixJagerHistory::refuse(int i, int j, const std::string &why) const
{
  error->one(FLERR, "Pair gran/jager: the history of atoms " + std::to_string(atom->tag[i]) + " and " +
                        std::to_string(atom->tag[j]) + " cannot be used: " + why);
}

// Stops unless the stiffness of a contact from a restart file is the one that follows from the coefficients and from
// the radii and types in the file.
void FixJagerHistory::check_stiffness(const Entry &entry, const jager_pair &of) const
{
  const Bodies &bodies = entry.bodies;
  if (pair->law_of(bodies.type[0], bodies.type[1])
          .check_stiffness(store.view(of.contact), bodies.radius[0], bodies.radius[1]) != JAGER_OK)
    refuse(of.p, of.q,
           "the stiffness of their contact differs from pair_coeff; has it changed since the restart file?");
}

// Looks for the contact of two atoms. False: they have none. The first sphere of the contact may be q.
bool FixJagerHistory::claim(int p, int q)
{
  const Entry *entry = find_entry(p, q);
  bool is_reversed = entry && !entry->is_first;
  if (!entry) {
    entry = find_entry(q, p);
    is_reversed = entry && entry->is_first;
  }
  if (!entry)
    return false;
  if (is_reversed)
    std::swap(p, q);
  take_over(*entry, p, q);
  return true;
}

void FixJagerHistory::claim_all()
{
  const NeighList *list = pair->list;
  follow_names();
  claimed.assign(store.beside.size(), false);
  store.forget_pairs();
  for (int ii = 0; ii < list->inum; ii++) {
    const int i = list->ilist[ii], *neighbours = list->firstneigh[i];
    for (int jj = 0; jj < list->numneigh[i]; jj++) {
      const int j = neighbours[jj] & NEIGHMASK, p = atom->tag[i] < atom->tag[j] ? i : j, q = p == i ? j : i;
      if (!claim(p, q))
        store.apart.push_back({p, q});
    }
  }
  if (store.arrange() != JAGER_OK)
    error->one(FLERR, std::string("Pair gran/jager: out of memory"));
  check_sizes();
  learn_bodies();
  has_list = true;
  has_grown = sums_are_valid = are_from_file = false;
  entries.clear();
  received.clear();
  std::fill(heads.begin(), heads.end(), NONE);
}

// ---- Restart files --------------------------------------------------------------------------------------------------

// The data of the fix in a restart file that do not belong to atoms
struct FixJagerHistory::Global {
  double format, largest_atom, work, viscous, migrated, restiffened, friction_rate, viscous_rate;
};

void FixJagerHistory::write_restart(FILE *fp)
{
  if (update->whichflag != 0) {
    measure_pending();
    hand_to_atoms();
  } else
    measure_atoms();
  add_up();
  if (comm->me != 0)
    return;
  Global state = {FORMAT,
                  static_cast<double>(most_doubles),
                  sums[FRICTION] + sums[TANGENTIAL],
                  sums[VISCOUS],
                  sums[MIGRATED],
                  sums[RESTIFFENED],
                  sums[FRICTION_RATE],
                  sums[VISCOUS_RATE]};
  int size = sizeof state;
  fwrite(&size, sizeof size, 1, fp);
  fwrite(&state, sizeof state, 1, fp);
}

void FixJagerHistory::restart(char *buf)
{
  Global state;
  memcpy(&state.format, buf, sizeof state.format);
  if (static_cast<int>(state.format) != FORMAT)
    error->all(FLERR, "Pair gran/jager: the histories in the restart file have format " +
                          std::to_string(static_cast<long>(state.format)) + ", this version reads format " +
                          std::to_string(static_cast<int>(FORMAT)) + ": read it with the version that wrote it");
  memcpy(&state, buf, sizeof state);
  maxexchange = most_doubles = static_cast<int>(state.largest_atom);
  sums[FRICTION] = state.work;
  sums[VISCOUS] = state.viscous;
  sums[MIGRATED] = state.migrated;
  sums[RESTIFFENED] = state.restiffened;
  sums[FRICTION_RATE] = state.friction_rate;
  sums[VISCOUS_RATE] = state.viscous_rate;
  has_warned = state.restiffened > 0.0;
  if (comm->me == 0) {
    store.work = state.work;
    store.viscous = state.viscous;
    migrated = state.migrated;
    restiffened = state.restiffened;
    rates[0] = state.friction_rate;
    rates[1] = state.viscous_rate;
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

// LAMMPS keeps the histories of a restart file until the first run. Until then it does not move them with their
// atoms, so that the tags must be compared.
void FixJagerHistory::unpack_restart(int i, int nth)
{
  const double *from = atom->extra[i];
  for (int k = 0; k < nth; k++)
    from += static_cast<int>(*from);
  if (static_cast<tagint>(ubuf(from[3]).i) != atom->tag[i])
    error->one(
        FLERR,
        std::string("Pair gran/jager: atoms were deleted or renumbered between read_restart and the first run, so "
                    "that their histories are lost: give 'run 0' after read_restart"));
  heads[i] = NONE;
  names[i] = static_cast<tagint>(ubuf(from[2]).i);
  unpack_atom(i, from);
  are_from_file = true;
}

// ---- Size -----------------------------------------------------------------------------------------------------------

bigint FixJagerHistory::count_contacts()
{
  bigint own = static_cast<bigint>(store.touching.size() + entries.size()), all = 0;
  MPI_Allreduce(&own, &all, 1, MPI_LMP_BIGINT, MPI_SUM, world);
  return all;
}

double FixJagerHistory::memory_usage()
{
  return store.bytes() + static_cast<double>(heads.capacity() * sizeof(int) + names.capacity() * sizeof(tagint) +
                                             known_radii.capacity() * (sizeof(double) + sizeof(int)) +
                                             entries.capacity() * sizeof(Entry) + received.capacity() * sizeof(double));
}
