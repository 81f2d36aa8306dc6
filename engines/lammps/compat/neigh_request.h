// SPDX-License-Identifier: MIT
// How a neighbour request of LAMMPS 29 Sep 2021 lies in memory, as far as it is needed: Debian's liblammps-dev has not
// got the header. Whoever writes to it must first make sure that it looks like a new request (see compat.h).
#ifndef LMP_NEIGH_REQUEST_H
#define LMP_NEIGH_REQUEST_H

#include "pointers.h"

namespace LAMMPS_NS
{

class NeighRequest : protected Pointers
{
public:
  int index;
  void *requestor;
  int requestor_instance, id;
  int pair, fix, compute, command, neigh;
  int half, full;
  int occasional, newton, ghost, size;
};

} // namespace LAMMPS_NS

#endif
