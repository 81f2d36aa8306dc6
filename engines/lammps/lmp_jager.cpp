// SPDX-License-Identifier: MIT
// lmp_jager: LAMMPS with the styles of libjager. It takes every option that lmp takes.
#include "register.h"

#include "exceptions.h"
#include "input.h"
#include "lammps.h"

#include <cstdio>
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

// Runs the input script. Returns the exit code. Later versions of LAMMPS throw after they have printed an error: on all
// ranks, or on some of them, while the others wait (LAMMPSAbortException).
static int run(int argc, char *argv[])
{
  try {
    LAMMPS *lmp = new LAMMPS(argc, argv, MPI_COMM_WORLD);
    jager_lammps_register(lmp);
    lmp->input->file();
    delete lmp;
    return 0;
  } catch (const LAMMPS_NS::LAMMPSAbortException &) {
    MPI_Abort(MPI_COMM_WORLD, 1);
  } catch (const LAMMPS_NS::LAMMPSException &) {
    return 1;
  } catch (const std::exception &other) { // LAMMPS has printed nothing
    fprintf(stderr, "lmp_jager: %s\n", other.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  return 1;
}

// Ends the parts of LAMMPS that outlive its object, as lmp does. Not every version has each of them.
static void end_parts()
{
  for (const char *name : {"lammps_kokkos_finalize", "lammps_python_finalize", "lammps_plugin_finalize"}) {
    typedef void (*function)();
    function end = reinterpret_cast<function>(dlsym(RTLD_DEFAULT, name));
    if (end)
      end();
  }
}

int main(int argc, char *argv[])
{
  MPI_Init(&argc, &argv);
  const int code = run(argc, argv);
  end_parts();
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return code;
}
