// SPDX-License-Identifier: MIT
// The histories of pair_style gran/jager: they follow their atoms. Made by the pair style, never by a user; its ID is
// JAGER.
//
// During steps a contact belongs to a pair of the neighbour list (contact_store.h). Before atoms change ranks it is
// handed to its two atoms: each gets an entry {tag of the partner, contact}. Atoms that leave take their contacts along
// as bytes. When the new neighbour list is there, each of its pairs looks for its contact at its two atoms, and what
// nobody has claimed is forgotten: the copies that were made for the case that the other rank would have the pair.
//
// Atoms may be renamed (delete_atoms and reset_atom_ids give new tags) and tags may be used again by new atoms. So each
// atom also has the name by which the entries of others know it: the tag it had when they were made, 0 for a new atom.
// Before contacts are claimed, entries follow the atoms that are renamed; those whose partner is gone are forgotten.
//
// A contact's stiffness is that of the radii and types that its atoms had when it was last moved. They are kept with
// the entry. Where they have changed, the contact keeps its history and takes the new stiffness
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
  static const char *const ID;
  static const char *const STYLE;
  enum { FORMAT = 2 }; // of restart files

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
  int pack_reverse_comm_size(int, int) override;
  int pack_reverse_comm(int, int, double *) override;
  void unpack_reverse_comm(int, int *, double *) override;

  void write_restart(FILE *) override;
  void restart(char *) override;
  int pack_restart(int, double *) override;
  void unpack_restart(int, int) override;
  int size_restart(int) override;
  int maxsize_restart() override;

  double compute_scalar() override;
  double compute_vector(int) override;
  double memory_usage() override;

  bool has_slots() const
  {
    return slots_are_valid;
  }
  bigint count_contacts(); // of all ranks; those at atoms count as well
  void follow_bodies(); // contacts of atoms whose radius or type has changed since the last call take the new stiffness
  void contacts_have_moved()
  {
    sums_are_valid = false;
  }

private:
  enum { NONE = -1 };
  enum { NOBODY = 0 }; // no atom has this tag

  // What the stiffness of a contact was made of: of its first and its second sphere.
  struct Bodies {
    double radius[2];
    int type[2];
    bool operator==(const Bodies &) const;
  };

  // A contact at one of its atoms. What came from elsewhere stays bytes until a pair claims it.
  struct Entry {
    tagint partner; // its tag when the entry was made; NOBODY: it is gone
    int next;
    int contact;   // or NONE:
    size_t bytes;  // where they begin in `received`
    bool is_first; // this atom is the contact's first sphere
    Bodies bodies;
  };

  // What is told to thermo. In the order of compute_vector.
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
    SUM_COUNT
  };

  struct Global;

  std::vector<int> heads;    // first entry of each atom, ghosts included
  std::vector<tagint> names; // by which the entries of others know each atom; NOBODY: it is new
  std::vector<Entry> entries;
  std::vector<double> received;
  std::vector<int> claimed; // for each contact before: its number now
  jager_lammps::ContactArray now;
  bool slots_are_valid;
  int most_doubles; // of one atom, on any rank
  double sums[SUM_COUNT];
  bool sums_are_valid;
  bool are_from_file; // the entries
  double migrated;
  std::vector<double>
      known_radii; // of all atoms, ghosts included: the contacts have the stiffness that follows from them
  std::vector<int> known_types;
  double restiffened; // contacts that have taken another stiffness
  bool has_grown;     // some sphere, since the neighbour list was made
  bool has_warned;

  void hand_to_atoms();
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
  int claim(int &, int &);
  const Entry *find_entry(int, int) const;
  const double *branch_of(const Entry &) const;
  void unpack_contact(const Entry &, pair_contact &, int, int);
  int take_over(const Entry &, int, int);
  void check_stiffness(const jager_contact &, const Bodies &, int, int) const;
  Bodies known_bodies(int, int) const;
  Bodies present_bodies(int, int) const;
  void learn_bodies();
  void restiffen(pair_contact &, const Bodies &, int, int);
  double weight_of(int, int) const;
  void check_sizes() const;
  void note_growth();
  void demand_list();
  [[noreturn]] void refuse(int, int, const std::string &) const;
  void add_up();
};

} // namespace LAMMPS_NS

#endif
