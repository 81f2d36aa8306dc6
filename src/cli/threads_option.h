/* SPDX-License-Identifier: MIT */
/* The option --threads. */
#ifndef JAGER_CLI_THREADS_OPTION_H
#define JAGER_CLI_THREADS_OPTION_H

#include <argp.h>

#define THREADS_OPTION_HELP "Use N threads (default: as many as there are processors); results do not depend on N"

/* The number of threads. Ends the program by argp_error if the text is none. */
int threads_option_parse(const char *text, struct argp_state *state);

#endif
