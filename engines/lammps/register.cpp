// SPDX-License-Identifier: MIT
// Registers the styles: jager_lammps_register is for drivers and for the python command of stock LAMMPS;
// lammpsplugin_init, for `plugin load` of newer LAMMPS.
#include "register.h"

#include "fix_jager_history.h"
#include "fix_wall_gran_jager.h"
#include "pair_gran_jager.h"

#include "force.h"
#include "modify.h"

using namespace LAMMPS_NS;

static const char wall_style[] = "wall/gran/jager", pair_style[] = "gran/jager";

template <typename Style> static Pair *new_pair(LAMMPS *lmp)
{
  return new Style(lmp);
}

template <typename Style> static Fix *new_fix(LAMMPS *lmp, int narg, char **arg)
{
  return new Style(lmp, narg, arg);
}

extern "C" void jager_lammps_register(void *pointer)
{
  LAMMPS *lmp = static_cast<LAMMPS *>(pointer);
  (*lmp->force->pair_map)[pair_style] = &new_pair<PairGranJager>;
  (*lmp->modify->fix_map)[FixJagerHistory::STYLE] = &new_fix<FixJagerHistory>;
  (*lmp->modify->fix_map)[wall_style] = &new_fix<FixWallGranJager>;
}

// ---- plugin load ----------------------------------------------------------------------------------------------------

// The version that this file was compiled for: LAMMPS names it if another one loads it. An installed LAMMPS lacks the
// header.
#if defined(__has_include)
#if __has_include("version.h")
#include "version.h"
#endif
#endif
#ifndef LAMMPS_VERSION
#define LAMMPS_VERSION "unknown"
#endif

// The interface of the package PLUGIN of LAMMPS, whose headers are installed only if LAMMPS is built with it
extern "C" {
struct jager_lammps_plugin {
  const char *version, *style, *name, *info, *author;
  void *creator, *handle;
};
typedef void (*jager_lammps_plugin_register)(jager_lammps_plugin *, void *);

void lammpsplugin_init(void *lmp, void *handle, void *regfunc)
{
  jager_lammps_plugin_register add = reinterpret_cast<jager_lammps_plugin_register>(regfunc);
  jager_lammps_plugin plugin = {LAMMPS_VERSION,
                                "pair",
                                pair_style,
                                "The Jaeger contact, libjager " JAGER_VERSION,
                                "the jager developers",
                                reinterpret_cast<void *>(&new_pair<PairGranJager>),
                                handle};
  add(&plugin, lmp);
  plugin.style = "fix";
  plugin.name = wall_style;
  plugin.creator = reinterpret_cast<void *>(&new_fix<FixWallGranJager>);
  add(&plugin, lmp);
  plugin.name = FixJagerHistory::STYLE;
  plugin.creator = reinterpret_cast<void *>(&new_fix<FixJagerHistory>);
  add(&plugin, lmp);
}
}
