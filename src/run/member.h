/* SPDX-License-Identifier: MIT */
/* The members of a family of runs, and their execution side by side in child processes. */
#ifndef JAGER_RUN_MEMBER_H
#define JAGER_RUN_MEMBER_H

#include "run.h"

/* The part of a member that its child process writes, in memory that both share. */
typedef struct member_state {
  double fraction; /* of the run, 0 to 1 */
  long step;
  run_ending ending;
  error_info error;
  char notice[600]; /* the last one */
  size_t doubts;
  bool is_nonsense, is_done;
} member_state;

typedef struct run_member {
  run_case run; /* shares its texts with the case of the family, but for assembly.path */
  char *dir, *input, *label;
  char *start; /* checkpoint that the run starts from; NULL: as in the case */
  int after;   /* member that must be completed before; -1: none */
  int csr;     /* number of the ratio; -1: none */
  int process; /* 0: not running */
  bool has_begun;
  member_state *state;
} run_member;

typedef struct run_members {
  int count;
  run_member *list;
  member_state *states; /* shared memory */
  atomic_int *stop;     /* shared: tells all children to stop */
  size_t shared_bytes;
} run_members;

/* Allocates so many members, empty. */
bool run_members_create(run_members *of, int count, error_info *error);
void run_members_free(run_members *of);

/*
 * Runs all members, at most `settings->threads` at a time, which share the threads. RUN_COMPLETED if all are; otherwise
 * the first failure by number, with its error.
 */
run_ending run_members_execute(run_members *of, const run_settings *settings, const run_watcher *watcher,
                               error_info *error);

#endif
