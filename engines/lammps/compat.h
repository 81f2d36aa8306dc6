// SPDX-License-Identifier: MIT
// Differences between versions of LAMMPS from 2021 to 2026: one function or class for each. What is used follows from
// what the headers at hand offer, not from their version.
#ifndef JAGER_LAMMPS_COMPAT_H
#define JAGER_LAMMPS_COMPAT_H

#include <algorithm>

#include "atom.h"
#include "comm.h"
#include "domain.h"
#include "error.h"
#include "fix.h"
#include "neigh_request.h"
#include "neighbor.h"
#include "pair.h"
#include "pair_hybrid.h"

namespace jager_compat
{

// The call f(first()) selects the overload for `first` if it compiles with this version, else the one for `second`.
struct second {
};
struct first : second {
};

// ---- Atoms ----------------------------------------------------------------------------------------------------------

// Whether atoms are spheres. sphere_flag is gone since 2024; other bodies with radius, mass and spin have flags still.
template <typename A> auto are_spheres(const A *atom, first) -> decltype(atom->sphere_flag != 0)
{
  return atom->sphere_flag != 0;
}

template <typename A> bool are_spheres(const A *atom, second)
{
  return !atom->ellipsoid_flag && !atom->line_flag && !atom->tri_flag && !atom->body_flag;
}

inline bool can_touch(const LAMMPS_NS::Atom *atom)
{
  return are_spheres(atom, first()) && atom->radius_flag && atom->rmass_flag && atom->omega_flag && atom->torque_flag;
}

// ---- The nearest image of a vector ----------------------------------------------------------------------------------

// Since 2025 the call states where it stands.
template <typename D>
auto minimum_image(D *domain, double *vector, first) -> decltype(domain->minimum_image(FLERR, vector))
{
  return domain->minimum_image(FLERR, vector);
}

template <typename D> void minimum_image(D *domain, double *vector, second)
{
  domain->minimum_image(vector);
}

// ---- A pair style whose cutoffs are those of the radii --------------------------------------------------------------

// LAMMPS asks the style for them until 2025, and takes the radii itself since then. Hence no `override` here.
class SpherePair : public LAMMPS_NS::Pair
{
public:
  explicit SpherePair(LAMMPS_NS::LAMMPS *engine) : Pair(engine)
  {
  }
  virtual double atom2cut(int i)
  {
    return 2.0 * atom->radius[i];
  }
  virtual double radii2cut(double r1, double r2)
  {
    return r1 + r2;
  }
};

// ---- A half list of all spheres whose surfaces are nearer than the skin ---------------------------------------------

enum { REQUEST_SIZE = 1 << 2 }; // NeighConst::REQ_SIZE of LAMMPS since 2022

template <typename N>
auto request_spheres(N *neighbor, LAMMPS_NS::Pair *pair, int, first) -> decltype(neighbor->add_request(pair, 0), true)
{
  neighbor->add_request(pair, REQUEST_SIZE);
  return true;
}

// Returns false if the memory layout of the request differs from the header.
template <typename N> bool request_spheres(N *neighbor, LAMMPS_NS::Pair *pair, int instance, second)
{
  const int number = neighbor->request(pair, instance); // may move the array of requests
  auto *request = neighbor->requests[number];
  if (request->requestor != pair || request->requestor_instance != instance || request->id != 0 || request->pair != 1 ||
      request->fix != 0 || request->compute != 0 || request->command != 0 || request->neigh != 0 ||
      request->half != 1 || request->full != 0 || request->occasional != 0 || request->newton != 0 ||
      request->ghost != 0 || request->size != 0)
    return false;
  request->size = 1;
  return true;
}

// ---- Forward communication of a fix, and reverse communication of variable size -------------------------------------

template <typename C> auto forward(C *comm, LAMMPS_NS::Fix *fix, first) -> decltype(comm->forward_comm(fix))
{
  return comm->forward_comm(fix);
}

template <typename C> void forward(C *comm, LAMMPS_NS::Fix *fix, second)
{
  comm->forward_comm_fix(fix);
}

template <typename C>
auto reverse_variable(C *comm, LAMMPS_NS::Fix *fix, first) -> decltype(comm->reverse_comm_variable(fix))
{
  return comm->reverse_comm_variable(fix);
}

template <typename C> void reverse_variable(C *comm, LAMMPS_NS::Fix *fix, second)
{
  comm->reverse_comm_fix_variable(fix);
}

// ---- Extra values of a pair style within hybrid ---------------------------------------------------------------------

// LAMMPS has bugs in the copying of the extra values of sub-styles. hybrid/overlay and hybrid/scaled copy only those of
// the style whose pair_coeff was given last, and zeros for the others: still in August 2026. hybrid reads past the end
// of the values, until the program crashes: up to 10 Dec 2025.
enum { WRONG_COPIES = 20251210 };

class Hybrid : public LAMMPS_NS::PairHybrid
{
public:
  // Makes `style` the last style of each pair of types that uses it. Returns false if the memory layout of the object
  // is not that of the header.
  static bool put_last(LAMMPS_NS::Pair *pair, const LAMMPS_NS::Pair *style, int types)
  {
    LAMMPS_NS::PairHybrid *hybrid = static_cast<LAMMPS_NS::PairHybrid *>(pair);
    int **counts = hybrid->*&Hybrid::nmap, ***map = hybrid->*&Hybrid::map, number = 0;
    const int count = hybrid->*&Hybrid::nstyles; // protected since 2022
    LAMMPS_NS::Pair **styles = hybrid->*&Hybrid::styles;
    while (number < count && styles[number] != style)
      number++;
    if (number >= count)
      return false;
    for (int i = 1; i <= types; i++)
      for (int j = i; j <= types; j++) {
        int *begin = map[i][j], *end = begin + counts[i][j], *found = std::find(begin, end, number);
        if (found != end)
          std::iter_swap(found, end - 1);
      }
    return true;
  }
};

} // namespace jager_compat

#endif
