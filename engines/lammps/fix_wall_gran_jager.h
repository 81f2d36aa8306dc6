// SPDX-License-Identifier: MIT
// fix wall/gran/jager: the Jäger contact between spheres and planes across an axis.
//     fix ID group wall/gran/jager G nu friction [keyword ...] xplane|yplane|zplane LO HI
//         [wiggle DIM A T | shear DIM V]
// jager_frame_step computes the relative movement. A plane has radius INFINITY, and the branch ends on the plane.
#ifndef JAGER_LAMMPS_FIX_WALL_GRAN_JAGER_H
#define JAGER_LAMMPS_FIX_WALL_GRAN_JAGER_H

#include "law_reader.h"

#include "fix.h"

#include <vector>

namespace LAMMPS_NS
{

class FixWallGranJager : public Fix
{
public:
  FixWallGranJager(LAMMPS *, int, char **);
  ~FixWallGranJager() override;

  int setmask() override;
  void init() override;
  void setup(int) override;
  void setup_pre_exchange() override;
  void pre_exchange() override;
  void post_force(int) override;
  void post_run() override;

  void grow_arrays(int) override;
  void copy_arrays(int, int, int) override;
  void set_arrays(int) override;
  int pack_exchange(int, double *) override;
  int unpack_exchange(int, double *) override;
  void write_restart(FILE *) override;
  void restart(char *) override;
  int pack_restart(int, double *) override;
  void unpack_restart(int, int) override;
  int size_restart(int) override;
  int maxsize_restart() override;

  double compute_vector(int) override;
  double memory_usage() override;

private:
  enum { LO, HI, SIDES };
  enum { NONE = -1, FORMAT = 4, ATOM_HEAD = 2 };
  enum Motion { STILL, WIGGLE, SHEAR };
  enum Sum { FORCE_LO, FORCE_HI = FORCE_LO + 3, CONTACTS = FORCE_HI + 3, POINTS, SUM_COUNT };

  // The state of a contact of a sphere and a wall after the last step
  struct State {
    jager_frame frame;
    double place[3]; // position of the wall material relative to the centre
    double dashpot[3];
    double radius;     // of the sphere, from which the present stiffness of the contact was computed
    double pending[3]; // by which `place` has changed since the last forces, at the end of a run (contact_store.h)
  };
  struct WallContact {
    jager_contact contact;
    State state;
  };

  struct Global;

  jager_lammps::Law law;
  int axis; // direction of the normal: 0, 1, 2
  bool has_side[SIDES];
  double position[SIDES]; // before any motion
  Motion motion;
  int motion_axis;
  double amplitude, period, speed;
  bigint start; // step at which the motion began
  jager_pool *pool;
  std::vector<int> numbers; // index of the contact of each atom with each side, or NONE
  std::vector<WallContact> contacts;
  std::vector<int> vacant;
  double own[SUM_COUNT], sums[SUM_COUNT];
  bool sums_are_valid;
  bool has_restiffened, has_warned;

  void read_planes(jager_lammps::LawReader &);
  void read_motion(jager_lammps::LawReader &);
  void wall_shift(bigint, double *) const;
  jager_step step_of(int, int, const double *, const double *) const;
  void apply(int, int, const WallContact &);
  void push(int, int, const double *, const double *);
  void push_all(int, const double *);
  int touch(int, int, const double *, const double *);
  void move(int, int, const jager_step &);
  void settle(int, int, const double *, const double *);
  void place_of(int, int, const double *, double *, double *) const;
  void measure_pending();
  void restiffen(int, WallContact &);
  void part(int &);
  void check(jager_status, int) const;
  int side_doubles(int) const;
  int atom_doubles(int) const;
  int pack_atom(int, double *) const;
  int unpack_atom(int, const double *);
};

} // namespace LAMMPS_NS

#endif
