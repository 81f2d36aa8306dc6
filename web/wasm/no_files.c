/* SPDX-License-Identifier: MIT */
/* The module has no files: assemblies that are read from one, and checkpoints, are refused. */
#include "dem/checkpoint/checkpoint.h"
#include "dem/setup.h"

bool dem_grains_read(grains *g, const char *path, error_info *error)
{
  (void)g;
  return error_set(error, "%s: there are no files here", path);
}

dem_checkpoint *dem_checkpoint_open(const char *path, error_info *error)
{
  error_set(error, "%s: there are no files here", path);
  return NULL;
}

dem_simulation *dem_checkpoint_as_assembly(const dem_checkpoint *checkpoint, const dem_case *run, int threads,
                                           error_info *error)
{
  (void)checkpoint, (void)run, (void)threads;
  error_set(error, "there are no files here");
  return NULL;
}

void dem_checkpoint_close(dem_checkpoint *checkpoint)
{
  (void)checkpoint;
}
