/* SPDX-License-Identifier: MIT */
/* From an argument of `jager moduli` to the elastic network of an assembly. */
#ifndef JAGER_CLI_MODULI_STATE_H
#define JAGER_CLI_MODULI_STATE_H

#include "base/progress.h"
#include "dem/case.h"
#include "moduli/network.h"
#include "options.h"

/* Which moment of which run it is. */
typedef struct moduli_origin {
  bool is_case; /* made from a case file, not read from a checkpoint */
  long step;
  int stage, stage_count;
  char stage_name[DEM_NAME_MAX];
  jager_model model;
  jager_contour contour;
} moduli_origin;

/* Reads a checkpoint or makes the assembly of a case. Returns the exit code; errors are printed. */
int moduli_state_take(const char *path, const moduli_options *options, progress *meter, moduli_network *network,
                      moduli_origin *origin);

#endif
