/* SPDX-License-Identifier: MIT */
/*
 * Twins of contacts in a simulation: they make the same movements with approximate histories. Comparing them with the
 * exact contacts shows the saving in memory and the error of the approximation.
 */
#ifndef BENCH_TWINS_H
#define BENCH_TWINS_H

#include "dem/trace.h"
#include "jager/jager.h"

#include <stdbool.h>

enum { TWIN_WAYS_MAX = 8, TWIN_SHARE = 4 }; /* one in TWIN_SHARE contacts has twins */

#define TWIN_NOTABLE 0.01 /* of f Fn: larger errors are counted */

/* A way to shorten histories: the paper's, or a tolerance on Ft. */
typedef struct twin_way {
  const char *name;
  double dp_max; /* relative to f; 0: none */
  double tolerance;
} twin_way;

/* Errors of Ft, over all movements of all twins. */
typedef struct twin_errors {
  double sum, max;             /* |ΔFt| / (f Fn) */
  double force_sum, force_max; /* |ΔFt| / |F| */
  double size_max;             /* |ΔFt|, N */
  double above;                /* number of movements with |ΔFt| > TWIN_NOTABLE f Fn */
} twin_errors;

typedef struct twins {
  dem_trace_follower follower; /* for dem_simulation_follow */
  const twin_way *ways;
  int way_count;
  jager_law laws[TWIN_WAYS_MAX];
  jager_pool *pools[TWIN_WAYS_MAX]; /* one for each way, so that its bytes can be read */
  double movements;
  double limit_sum; /* sum of f Fn over the movements, N */
  twin_errors errors[TWIN_WAYS_MAX];
  double count;                                /* contacts with twins at present */
  double exact_length, lengths[TWIN_WAYS_MAX]; /* sums of their lengths, and of their twins' lengths */
  double longest[TWIN_WAYS_MAX];               /* longest history of a twin so far */
  bool is_closed;                              /* twins no longer move */
  jager_status status;                         /* the first failure */
} twins;

/*
 * `law` is the exact law of the simulation, which must run in one thread. Returns false without memory; the caller
 * frees the twins in any case.
 */
bool twins_init(twins *of, const jager_law *law, const twin_way *ways, int way_count);

/* Stops the twins, so that they cost no more time. */
void twins_close(twins *of);

void twins_free(twins *of);

#endif
