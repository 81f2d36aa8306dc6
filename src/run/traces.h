/* SPDX-License-Identifier: MIT */
/* DIR/trace-1.csv, trace-2.csv ...: the movement histories of the contacts that the case asks for. */
#ifndef JAGER_RUN_TRACES_H
#define JAGER_RUN_TRACES_H

#include "dem/simulation.h"
#include "watcher.h"

#include <stdbool.h>

/* The watcher is told of a trace that has no contact. */
bool run_traces_write(const dem_simulation *simulation, const char *dir, const run_watcher *watcher, error_info *error);

#endif
