// SPDX-License-Identifier: MIT
// A LAMMPS without the package PLUGIN that loads one plugin as `plugin load` of that package does: it opens the
// library, calls lammpsplugin_init, and puts what the plugin registers into the maps of a live LAMMPS. Debian's LAMMPS
// has no PLUGIN. This program shares no code with the styles, and links none of them.
//     plugin_host PLUGIN.so [OPTION OF lmp]...
#include "force.h"
#include "input.h"
#include "lammps.h"
#include "modify.h"

#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <mpi.h>

#if defined(__has_include)
#if __has_include("lammpsplugin.h")
#include "lammpsplugin.h"
#define HAS_HEADER
#endif
#endif
#ifndef HAS_HEADER // an installed LAMMPS without the package lacks the header: these are its lines
extern "C" {
typedef void *(lammpsplugin_factory1)(void *);
typedef void *(lammpsplugin_factory2)(void *, int, char **);
typedef struct {
  const char *version, *style, *name, *info, *author;
  union {
    lammpsplugin_factory1 *v1;
    lammpsplugin_factory2 *v2;
  } creator;
  void *handle;
} lammpsplugin_t;
typedef void (*lammpsplugin_initfunc)(void *, void *, void *);
}
#endif

using namespace LAMMPS_NS;

static void *opened = nullptr;

extern "C" void add_style(lammpsplugin_t *plugin, void *pointer)
{
  LAMMPS *lmp = static_cast<LAMMPS *>(pointer);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0)
    printf("plugin: %s %s, %s by %s, for LAMMPS %s%s\n", plugin->style, plugin->name, plugin->info, plugin->author,
           plugin->version, plugin->handle == opened ? "" : ", with a wrong handle");
  if (strcmp(plugin->style, "pair") == 0)
    (*lmp->force->pair_map)[plugin->name] = reinterpret_cast<Force::PairCreator>(plugin->creator.v1);
  else if (strcmp(plugin->style, "fix") == 0)
    (*lmp->modify->fix_map)[plugin->name] = reinterpret_cast<Modify::FixCreator>(plugin->creator.v2);
}

int main(int argc, char *argv[])
{
  MPI_Init(&argc, &argv);
  if (argc < 2)
    return 2;
  const char *file = argv[1];
  argv[1] = argv[0];
  LAMMPS *lmp = new LAMMPS(argc - 1, argv + 1, MPI_COMM_WORLD);
  opened = dlopen(file, RTLD_NOW | RTLD_GLOBAL);
  lammpsplugin_initfunc start =
      opened ? reinterpret_cast<lammpsplugin_initfunc>(dlsym(opened, "lammpsplugin_init")) : nullptr;
  if (!start) {
    fprintf(stderr, "plugin_host: %s\n", dlerror());
    return 1;
  }
  start(lmp, opened, reinterpret_cast<void *>(&add_style));
  lmp->input->file();
  delete lmp;
  MPI_Finalize();
  return 0;
}
