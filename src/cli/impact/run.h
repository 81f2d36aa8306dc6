/* SPDX-License-Identifier: MIT */
/* Computes the impacts and writes the results. */
#ifndef JAGER_CLI_IMPACT_RUN_H
#define JAGER_CLI_IMPACT_RUN_H

#include "options.h"

/* Returns the program's exit code; errors have been printed on stderr. */
int impact_run(const impact_options *options);

#endif
