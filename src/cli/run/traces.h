/* SPDX-License-Identifier: MIT */
/* DIR/trace-1.csv, trace-2.csv ...: the movement histories of the contacts that the case asks for. */
#ifndef JAGER_CLI_RUN_TRACES_H
#define JAGER_CLI_RUN_TRACES_H

#include "dem/simulation.h"

#include <stdbool.h>

bool run_traces_write(const dem_simulation *simulation, const char *dir, error_info *error);

#endif
