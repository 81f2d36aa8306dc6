/* SPDX-License-Identifier: MIT */
/*
 * Calls a function in a child process. HDF5 ends the program if certain allocations fail (H5I_register calls
 * exit(-1)) and crashes if others do; damaged files may make it crash as well. Such a failure must not end a run.
 *
 * Several threads may do this at the same time. A child is a copy of the process with one thread: what other threads
 * were doing stops in the midst. So it must not wait for locks that they may hold. The C library takes care of its own
 * (malloc, stdio); our code has none. HDF5 is not safe to that extent: if a thread of the *caller's* program, for
 * example one that uses h5py with the same library, is inside a call of HDF5 while the child is made, the child's copy
 * of HDF5 may be inconsistent, and the child may fail, or, where HDF5 was built with a lock, wait for ever. The parent
 * is never harmed, nor are its open files: the child flushes none of them. Programs that use HDF5 on their own should
 * do so while no run writes snapshots or ends.
 */
#ifndef JAGER_BASE_CHILD_PROCESS_H
#define JAGER_BASE_CHILD_PROCESS_H

#include "error.h"

#include <stdbool.h>

typedef bool child_process_work(const void *context, error_info *error);

/*
 * Calls work(context, error) in a child process and waits for it; in this process if no other can be started. The
 * child may write files, but its changes of memory are lost, except the error, and what it prints is dropped. If the
 * child crashes, the error is "cannot VERB PATH: ...". If an allocation fails in the child, the call fails, whatever
 * the work returns.
 */
bool child_process_do(child_process_work *work, const void *context, const char *verb, const char *path,
                      error_info *error);

/* The same, but what the child prints on stdout goes to stdout. */
bool child_process_print(child_process_work *work, const void *context, const char *verb, const char *path,
                         error_info *error);

/*
 * fork() for a child that works on its own, and ends with _exit(). It has no descriptors but the standard ones, so that
 * it holds neither locks nor pipes of other threads. Returns as fork().
 */
int child_process_start(void);

#endif
