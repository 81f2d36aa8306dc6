// SPDX-License-Identifier: MIT
// Which changes of positions between two runs are rounding errors.
#ifndef JAGER_LAMMPS_ROUNDING_H
#define JAGER_LAMMPS_ROUNDING_H

#include "domain.h"

#include <algorithm>
#include <cfloat>
#include <cmath>

namespace jager_lammps
{

// In the setup of a run LAMMPS wraps atoms into the box, converts positions to fractions of it and back (triclinic
// boxes), and another image of an atom may be the neighbour. Each of these changes a position by some units in the last
// place of the largest coordinate.
inline double rounding_of(const LAMMPS_NS::Domain *domain)
{
  double largest = 0.0;
  for (int d = 0; d < 3; d++)
    largest = std::max({largest, fabs(domain->boxlo[d]), fabs(domain->boxhi[d]), domain->prd[d]});
  return 64.0 * DBL_EPSILON * largest;
}

} // namespace jager_lammps

#endif
