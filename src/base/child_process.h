/* SPDX-License-Identifier: MIT */
/*
 * Work in a process of its own. HDF5 ends the whole program when an allocation fails at some places (H5I_register calls
 * exit(-1)), and crashes at others; damaged files may make it crash as well. A run must not end with it.
 */
#ifndef JAGER_BASE_CHILD_PROCESS_H
#define JAGER_BASE_CHILD_PROCESS_H

#include "error.h"

#include <stdbool.h>

typedef bool child_process_work(const void *context, error_info *error);

/*
 * Does the work in a child process and waits for it; or here, if no process can be had. Of what the work changes in
 * memory only the error comes back: it is for writing and reading files, or to print. If the child crashes that is an
 * error as well: "cannot VERB PATH". If an allocation fails while it works, that counts as a failure, whatever the
 * work returns.
 */
bool child_process_do(child_process_work *work, const void *context, const char *verb, const char *path,
                      error_info *error);

#endif
