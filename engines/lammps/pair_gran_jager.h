// SPDX-License-Identifier: MIT
// pair_style gran/jager: the Jäger contact between spheres.
//     pair_style gran/jager
//     pair_coeff I J G nu friction [tolerance X] [dp_max X] [damping B] [contour ...] [other G nu]
// docs/lammps.md is its manual page. fix_jager_history.h keeps the histories.
#ifndef JAGER_LAMMPS_PAIR_GRAN_JAGER_H
#define JAGER_LAMMPS_PAIR_GRAN_JAGER_H

#include "compat.h"
#include "contact_store.h"
#include "law_reader.h"

#include <string>
#include <vector>

namespace LAMMPS_NS
{

class FixJagerHistory;

class PairGranJager : public jager_compat::SpherePair
{
public:
  explicit PairGranJager(LAMMPS *);
  ~PairGranJager() override;

  void compute(int, int) override;
  void settings(int, char **) override;
  void coeff(int, char **) override;
  void init_style() override;
  double init_one(int, int) override;
  double single(int, int, int, int, double, double, double, double &) override;

  void write_restart(FILE *) override;
  void read_restart(FILE *) override;
  double memory_usage() override;

  const jager_lammps::Law &law_of(int itype, int jtype) const
  {
    return laws[itype * (types + 1) + jtype];
  }
  uint16_t law_number(int itype, int jtype) const // in the sweeps over the pairs
  {
    return law_numbers[itype * (types + 1) + jtype];
  }
  double largest_radius_of(int type) const // the largest radius that the neighbour lists allow for
  {
    return largest_radius[type];
  }

private:
  // The values of single() in addition to force and energy
  enum Extra { FN, FT, FT_X, FT_Y, FT_Z, STATE, LENGTH, NORMAL, TANGENTIAL, FRICTION, EXTRA_COUNT };

  int types;
  std::vector<jager_lammps::Material> materials; // of each pair of types
  std::vector<jager_lammps::Law> laws;
  std::vector<double> largest_radius; // of each type
  std::string history_id;             // of the fix
  FixJagerHistory *history;
  bool history_is_new;
  int freeze_bit;

  // Pairs of types with the same coefficients have the same number, so that their contacts are moved together.
  std::vector<uint16_t> law_numbers; // of each pair of types
  std::vector<jager_lammps::Material> numbered_materials;
  std::vector<jager_law> numbered_laws;
  std::vector<jager_dashpot> numbered_dashpots;

  // All atoms, ghosts included, as the library sees them
  std::vector<jager_particle> particle_memory;
  jager_particle *particles; // in particle_memory, on a cache line
  std::vector<jager_wrench> loads;
  std::vector<jager_pair_motion> motions;
  std::vector<double> shifts; // of the pairs that are moved in the setup of a run, four each

  jager_lammps::Material &material(int i, int j)
  {
    return materials[i * (types + 1) + j];
  }
  FixJagerHistory *find_history() const;
  void choose_id();
  void allocate();
  void check_world();
  void find_radii();
  void find_frozen();
  bool spheres_may_grow() const;
  void make_history();
  void pass_values_through_hybrid();

  void number_law(int, int);

  int owned() const;
  void make_room(size_t);
  void copy_atoms();
  void find_touches();
  void begin(size_t, const double *);
  bool has_been_moved(const jager_pair &) const;
  void settle(size_t);
  void move_contacts(size_t);
  void move_part(jager_sweep &, size_t, double *);
  void tally_motions(size_t, size_t);
  void recall_forces();
  void hand_out();
  bool tallies_pairs() const;
  void tally(const jager_pair &, const jager_vec3 &);
  void add_virial(const double *);
  [[noreturn]] void fail_contact(jager_status, int, int) const;
};

} // namespace LAMMPS_NS

#endif
