// SPDX-License-Identifier: MIT
// A library to preload into lmp_jager: in place of reading the input script, LAMMPS throws. Debian's version exits
// instead, so that its errors cannot test what lmp_jager does with exceptions. JAGER_THROWS says what is thrown:
//     all     an error on all ranks
//     one     an error on the last rank, for which the others wait
//     memory  an exception that is not from LAMMPS
#include "exceptions.h"
#include "input.h"

#include <cstdlib>
#include <new>

void LAMMPS_NS::Input::file()
{
  const char *given = getenv("JAGER_THROWS");
  const std::string what = given ? given : "";
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (what == "all")
    throw LAMMPSException("on all ranks");
  if (what == "one" && rank == ranks - 1)
    throw LAMMPSAbortException("on one rank", MPI_COMM_WORLD);
  if (what == "memory")
    throw std::bad_alloc();
  MPI_Barrier(MPI_COMM_WORLD);
}
