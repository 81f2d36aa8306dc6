/* SPDX-License-Identifier: MIT */
/* Drives one contact along a path and writes the results. */
#ifndef JAGER_CLI_CONTACT_RUN_H
#define JAGER_CLI_CONTACT_RUN_H

#include "options.h"

/* Returns the program's exit code; errors have been printed on stderr. */
int contact_run(const contact_options *options);

#endif
