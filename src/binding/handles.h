/* SPDX-License-Identifier: MIT */
/* The handles from the inside, and errors of the layers below as errors of the interface. */
#ifndef JAGER_BINDING_HANDLES_H
#define JAGER_BINDING_HANDLES_H

#include "binding.h"

#include "base/error.h"
#include "case/run_case.h"
#include "dem/simulation.h"
#include "run/run.h"

/* A case and where it comes from. */
struct binding_case {
  run_case run;
  char *path;  /* of its file, or the name of its text: relative paths begin in its directory */
  char *input; /* its text with settings */
};

/* The simulation refers to the case, which therefore lies on the heap and is replaced as a whole. */
struct binding_simulation {
  binding_case *of;
  dem_simulation *dem;
  double seconds; /* of computing so far, for checkpoints */
};

/* ---- Errors ------------------------------------------------------------------------------------------------------ */

/* Sets no fault. Every function that can fail begins with it. */
void binding_error_clear(binding_error *error);

/* Sets fault and text, made as by printf; returns false. */
__attribute__((format(printf, 3, 4))) bool binding_error_set(binding_error *error, binding_fault fault,
                                                             const char *format, ...);

bool binding_error_memory(binding_error *error);

/* Of a computation that binding_watch_stop has ended. */
bool binding_error_interrupted(binding_error *error);

/* An error of the layers below; `otherwise` is the fault unless memory was short or it has a code. Returns false. */
bool binding_error_take(binding_error *error, binding_fault otherwise, const error_info *info);

/* The same with a text that may be NULL, which it takes. */
bool binding_error_take_text(binding_error *error, binding_fault fault, char *text);

/* ---- Cases ------------------------------------------------------------------------------------------------------- */

/* NULL, with an error, if there is no memory. */
binding_case *binding_case_copy(const binding_case *of, binding_error *error);

/*
 * The case of a text that was recorded, with further settings. NULL, with an error. Warnings are dropped: the case has
 * been read before.
 */
binding_case *binding_case_read_changed(const char *path, const char *recorded, const char *const *settings,
                                        size_t setting_count, binding_error *error);

/* False, with an error, if the case has lists. */
bool binding_case_refuse_lists(const binding_case *of, binding_error *error);

/* ---- Watches ----------------------------------------------------------------------------------------------------- */

/* The watcher of a run that reports to the watch; NULL: to nobody. */
run_watcher binding_watch_watcher(binding_watch *watch);

#endif
