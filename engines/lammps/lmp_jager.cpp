// SPDX-License-Identifier: MIT
// lmp_jager: LAMMPS with the styles of libjager. It takes every option that lmp takes.
#include "register.h"

#include "input.h"
#include "lammps.h"

#include <dlfcn.h>
#include <mpi.h>

using LAMMPS_NS::LAMMPS;

// LAMMPS calls this when it has made its parts: at its start, and after the command `clear`. The one in the library
// comes first, then the styles are registered. (If the library called its own one directly, `clear` would forget them,
// and say that there is no such pair style.)
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
