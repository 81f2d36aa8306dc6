/* SPDX-License-Identifier: MIT */
/*
 * Work in a process of its own. HDF5 ends the whole program when an allocation fails at some places (H5I_register calls
 * exit(-1)), and crashes at others; damaged files may make it crash as well. A run must not end with it.
 */
#ifndef JAGER_CLI_APART_H
#define JAGER_CLI_APART_H

#include "simulation.h"

#include <stdbool.h>

typedef bool apart_work(const void *context, dem_error *error);

/*
 * Does the work in a child process and waits for it; or here, if no process can be had. Of what the work changes in
 * memory only the error comes back: it is for writing and reading files, or to print. If the child crashes that is an
 * error as well: "cannot VERB PATH". If an allocation fails while it works, that counts as a failure, whatever the
 * work returns.
 */
bool apart_do(apart_work *work, const void *context, const char *verb, const char *path, dem_error *error);

#endif
