/* SPDX-License-Identifier: MIT */
/* Drives one contact along a path and writes what comes of it. */
#ifndef JAGER_CLI_CONTACT_RUN_H
#define JAGER_CLI_CONTACT_RUN_H

#include "options.h"

/* Returns the program's exit code; what went wrong has been told on stderr. */
int contact_run(const contact_options *options);

#endif
