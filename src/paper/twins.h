/* SPDX-License-Identifier: MIT */
/*
 * Twins of contacts in a simulation: they make the same movements with approximate histories, side by side with the exact
 * ones. What the approximation saves and what it costs is then seen on the same paths.
 */
#ifndef JAGER_PAPER_TWINS_H
#define JAGER_PAPER_TWINS_H

#include "jager/jager.h"
#include "dem/observe/trace.h"

#include <stdbool.h>

enum { TWIN_WAYS_MAX = 8, TWIN_SHARE = 4 }; /* of so many contacts one has twins */

#define TWIN_NOTABLE 0.01

/* Two ways to keep histories short: the paper's, and a tolerance on Ft. */
typedef struct twin_way {
  const char *name;
  double dp_max; /* over f */
  double tolerance;
} twin_way;

/* Errors of Ft over all movements of all twins. */
typedef struct twin_errors {
  double sum, max;             /* |ΔFt| / (f Fn) */
  double force_sum, force_max; /* |ΔFt| / |F| */
  double size_max;             /* |ΔFt|, N */
  double above;                /* movements after which |ΔFt| was more than TWIN_NOTABLE of f Fn */
} twin_errors;

typedef struct twins {
  dem_trace_follower follower; /* for dem_simulation_follow */
  const twin_way *ways;
  int way_count;
  jager_law laws[TWIN_WAYS_MAX];
  jager_pool *pools[TWIN_WAYS_MAX]; /* of each way: so that its bytes can be told */
  double movements;
  double limit_sum; /* of f Fn over them, N */
  twin_errors errors[TWIN_WAYS_MAX];
  double count;                                /* contacts that have twins now */
  double exact_length, lengths[TWIN_WAYS_MAX]; /* sums over them */
  double longest[TWIN_WAYS_MAX];               /* of all so far */
  bool is_closed;                              /* twins no longer move */
  jager_status status;                         /* the first failure */
} twins;

/* `law` is that of the simulation, exact. It must run in one thread. False if there is no memory. */
bool twins_init(twins *of, const jager_law *law, const twin_way *ways, int way_count);

/* From now on they cost nothing. */
void twins_close(twins *of);

void twins_free(twins *of);

#endif
