// SPDX-License-Identifier: MIT
// The fix that keeps the histories of pair_style gran/jager with their atoms. The pair style creates it, with the ID
// JAGER (of further ones in hybrid: JAGER2 ...); users do not.
//
// During steps a contact belongs to a pair of the neighbour list (contact_store.h). Before atoms change ranks, each of
// its two atoms gets an entry {tag of the partner, contact}. Atoms that migrate take their contacts along, packed into
// bytes. When the new neighbour list exists, each of its pairs looks for its contact in the entries of its two atoms.
// Entries that no pair claims are deleted: they are copies for the case that the other rank has the pair.
//
// Atoms may be renumbered (delete_atoms and reset_atom_ids assign new tags), and new atoms may get tags that were used
// before. So each atom also has a name, by which the entries of other atoms refer to it: its tag when the entries were
// made, or 0 for a new atom. Before pairs claim their contacts, the entries are updated to the new tags, and entries
// whose partner has been deleted are dropped.
//
// The stiffness of a contact follows from the radii and types of its atoms when the contact was last moved. The entry
// stores them. If they have changed, the contact keeps its history and takes the new stiffness
// (jager_contact_restiffen).
#ifndef JAGER_LAMMPS_FIX_JAGER_HISTORY_H
#define JAGER_LAMMPS_FIX_JAGER_HISTORY_H

#include "contact_store.h"
#include "fix.h"

namespace LAMMPS_NS
{

class PairGranJager;

class FixJagerHistory : public Fix
{
public:
  static const char *const ID; // of the first
  static const char *const STYLE;
  enum { FORMAT = 4 }; // of restart files

  jager_lammps::ContactStore store;
  PairGranJager *pair;

  FixJagerHistory(LAMMPS *, int, char **);
  ~FixJagerHistory() override;

  int setmask() override;
  void setup_pre_exchange() override;
  void setup_post_neighbor() override;
  void pre_exchange() override;
  void post_neighbor() override;
  void post_run() override;

  void grow_arrays(int) override;
  void copy_arrays(int, int, int) override;
  void set_arrays(int) override;
  int pack_exchange(int, double *) override;
  int unpack_exchange(int, double *) override;
  int pack_forward_comm(int, int *, double *, int, int *) override;
  void unpack_forward_comm(int, int, double *) override;
  int pack_reverse_comm_size(int, int) override;
  int pack_reverse_comm(int, int, double *) override;
  void unpack_reverse_comm(int, int *, double *) override;

  void write_restart(FILE *) override;
  void restart(char *) override;
  int pack_restart(int, double *) override;
  void unpack_restart(int, int) override;
  int size_restart(int) override;
  int maxsize_restart() override;

  int modify_param(int, char **) override;
  double compute_scalar() override;
  double compute_vector(int) override;
  double memory_usage() override;

  bool has_pairs() const
  {
    return has_list;
  }
  bigint count_contacts(); // on all ranks, of pairs or of atoms
  void follow_bodies();    // updates the stiffness of contacts whose atoms have changed their radius or type
  void contacts_have_moved()
  {
    sums_are_valid = false;
  }
  bool follows_rate() const
  {
    return follows_friction;
  }
  void follow_rate(bool is_wanted) // of friction
  {
    follows_friction = is_wanted;
  }
  void note_setup(); // the rates of dissipation count from here
  void note_step();

private:
  enum { NONE = -1 };
  enum { NOBODY = 0 }; // no atom has this tag

  // The properties of the first and the second sphere that determine the stiffness of their contact
  struct Bodies {
    double radius[2];
    int type[2];
    bool operator==(const Bodies &) const;
  };

  // The entry of an atom for one of its contacts. A contact from another rank or from a file stays packed until a pair
  // claims it.
  struct Entry {
    tagint partner; // tag of the other atom when the entry was made, or NOBODY if that atom is deleted
    int next;
    int contact;   // number in the store, or NONE if the contact is packed
    size_t bytes;  // index in `received` at which the packed contact begins
    bool is_first; // this atom is the first sphere of the contact
    Bodies bodies;
  };

  // The sums that thermo output can show, in the order of compute_vector
  enum Sum {
    CONTACTS,
    POINTS,
    MEAN_POINTS,
    SLIDING,
    BYTES,
    NORMAL,
    TANGENTIAL,
    FRICTION,
    VISCOUS,
    MIGRATED,
    RESTIFFENED,
    FRICTION_RATE,
    VISCOUS_RATE,
    SUM_COUNT
  };

  struct Global;

  std::vector<int> heads;    // first entry of each atom, ghosts included
  std::vector<tagint> names; // of each atom in the entries of others; NOBODY for a new atom
  std::vector<Entry> entries;
  std::vector<double> received;
  std::vector<bool> claimed; // for each contact that there was before the new neighbour list
  bool has_list;             // the pairs of the store come from a neighbour list
  int most_doubles;          // largest number of doubles that one atom needs, on all ranks
  double sums[SUM_COUNT];
  bool sums_are_valid;
  bool are_from_file; // the entries come from a restart file
  double migrated;
  // Radii and types of all atoms, ghosts included, from which the present stiffnesses of the contacts were computed
  std::vector<double> known_radii;
  std::vector<int> known_types;
  double restiffened; // number of contacts whose stiffness has changed
  bool has_grown;     // a sphere has grown since the neighbour list was made
  bool has_warned;
  bool has_told_names; // has warned of atoms with new tags
  // Rates of dissipation. That of friction needs the stored energy of all contacts in each step: only if it is wanted.
  bool follows_friction, has_stepped; // in this run
  double rates[2];                    // in the last step, of this rank: friction, dashpots
  double friction_before, viscous_before;
  std::vector<double> places; // of all atoms, ghosts included, while post_run measures what is pending

  void hand_to_atoms();
  void measure_pending();
  void tell_names(bool);
  double stored_tangential() const;
  void follow_friction();
  void add_entry(int, const Entry &);
  void receive_entry(int, const double *);
  size_t entry_doubles(const Entry &) const;
  static void write_head(const Entry &, double *);
  double *pack_entry(const Entry &, double *) const;
  int atom_doubles(int) const;
  int pack_atom(int, double *) const;
  int unpack_atom(int, const double *);
  void measure_atoms();

  void follow_names();
  void rename_partners(const std::vector<tagint> &);
  void claim_all();
  bool claim(int, int);
  const Entry *find_entry(int, int) const;
  void branch_of(const Entry &, double *) const;
  void take_over(const Entry &, int, int);
  void unpack_contact(const Entry &, jager_pair &);
  void copy_contact(const Entry &, jager_pair &);
  void check_stiffness(const Entry &, const jager_pair &) const;
  Bodies known_bodies(int, int) const;
  Bodies present_bodies(int, int) const;
  void learn_bodies();
  void restiffen(jager_pair &, const Bodies &);
  double weight_of(const jager_pair &) const;
  void check_sizes() const;
  void note_growth();
  void demand_list();
  [[noreturn]] void refuse(int, int, const std::string &) const;
  void add_up();
};

} // namespace LAMMPS_NS

#endif
