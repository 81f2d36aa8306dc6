// SPDX-License-Identifier: MIT
// lmp_jager: LAMMPS with the styles of libjager. It takes every option that lmp takes.
#include "register.h"

#include "input.h"
#include "lammps.h"

#include <dlfcn.h>
#include <mpi.h>

using LAMMPS_NS::LAMMPS;

// LAMMPS calls this function after it has created its parts: at its start and in the command `clear`. It overrides the
// function of the LAMMPS library: it calls that function, then registers the styles. (If the library were linked such
// that it called its own function directly, the styles would be unknown after `clear`.)
void LAMMPS::post_create()
{
  typedef void (*method)(LAMMPS *);
  method original = reinterpret_cast<method>(dlsym(RTLD_NEXT, "_ZN9LAMMPS_NS6LAMMPS11post_createEv"));
  if (original)
    original(this);
  jager_lammps_register(this);
}

int main(int argc, char *argv[])
{
  MPI_Init(&argc, &argv);
  LAMMPS *lmp = new LAMMPS(argc, argv, MPI_COMM_WORLD);
  jager_lammps_register(lmp);
  lmp->input->file();
  delete lmp;
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
