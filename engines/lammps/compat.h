// SPDX-License-Identifier: MIT
// Differences between versions of LAMMPS: one function for each. It uses the interface of the version at hand.
#ifndef JAGER_LAMMPS_COMPAT_H
#define JAGER_LAMMPS_COMPAT_H

#include <algorithm>

#include "comm.h"
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

// ---- A half list of all spheres whose surfaces are nearer than the skin ---------------------------------------------

enum { REQUEST_SIZE = 1 << 2 }; // NeighConst::REQ_SIZE of LAMMPS since 2022

template <typename N>
auto request_spheres(N *neighbor, LAMMPS_NS::Pair *pair, int, first) -> decltype(neighbor->add_request(pair, 0), true)
{
  neighbor->add_request(pair, REQUEST_SIZE);
  return true;
}

// Returns false if the memory layout of the request is not that of the header.
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

// ---- Reverse communication of variable size -------------------------------------------------------------------------

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

// Version 29 Sep 2021 has bugs in the copying of the extra values of sub-styles. hybrid/overlay and hybrid/scaled copy
// only those of the style whose pair_coeff was given last, and zeros for the others. hybrid reads past the end of the
// values, until the program crashes.
enum { WRONG_COPIES = 20210929 };

class Hybrid : public LAMMPS_NS::PairHybrid
{
public:
  // Makes `style` the last style of each pair of types that uses it. Returns false if the memory layout of the object
  // is not that of the header.
  static bool put_last(LAMMPS_NS::Pair *pair, const LAMMPS_NS::Pair *style, int types)
  {
    LAMMPS_NS::PairHybrid *hybrid = static_cast<LAMMPS_NS::PairHybrid *>(pair);
    int **counts = hybrid->*&Hybrid::nmap, ***map = hybrid->*&Hybrid::map, number = 0;
    while (number < hybrid->nstyles && hybrid->styles[number] != style)
      number++;
    if (number >= hybrid->nstyles)
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
