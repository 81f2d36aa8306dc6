// SPDX-License-Identifier: MIT
// The memory layout of pair_style hybrid and its derived styles in LAMMPS 29 Sep 2021, up to the last member that is
// needed: Debian's liblammps-dev does not contain the header. Callers must check the layout before they read a member
// (see compat.h).
#ifndef LMP_PAIR_HYBRID_H
#define LMP_PAIR_HYBRID_H

#include "pair.h"

namespace LAMMPS_NS
{

class PairHybrid : public Pair
{
public:
  int nstyles;
  Pair **styles;
  char **keywords;
  int *multiple;
  int outerflag, respaflag;

protected:
  int **nmap; // for each pair of types: how many styles,
  int ***map; // and which
};

} // namespace LAMMPS_NS

#endif
