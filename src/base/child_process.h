/* SPDX-License-Identifier: MIT */
/*
 * Calls a function in a child process. HDF5 ends the program if certain allocations fail (H5I_register calls
 * exit(-1)) and crashes if others do; damaged files may make it crash as well. Such a failure must not end a run.
 */
#ifndef JAGER_BASE_CHILD_PROCESS_H
#define JAGER_BASE_CHILD_PROCESS_H

#include "error.h"

#include <stdbool.h>

typedef bool child_process_work(const void *context, error_info *error);

/*
 * Calls work(context, error) in a child process and waits for it; in this process if no other can be started. The
 * child may write files and print, but its changes of memory are lost, except the error. If the child crashes, the
 * error is "cannot VERB PATH: ...". If an allocation fails in the child, the call fails, whatever the work returns.
 */
bool child_process_do(child_process_work *work, const void *context, const char *verb, const char *path,
                      error_info *error);

#endif
