// SPDX-License-Identifier: MIT
// How pair_style hybrid of LAMMPS 29 Sep 2021 and its relatives lie in memory, as far as it is needed: Debian's
// liblammps-dev has not got the header. Whoever reads it must first make sure that it looks as it should (see compat.h).
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
