/* SPDX-License-Identifier: MIT */
/* jager/compact.h with several numbers of points and types in one program, for tests and benchmarks. */
#ifndef BENCH_COMPACT_VARIANT_H
#define BENCH_COMPACT_VARIANT_H

#include "jager/jager.h"

enum { COMPACT_BYTES_MAX = 16384 }; /* of a contact of any variant */

typedef struct compact_variant {
  const char *name; /* "12", "12 stored single", "12 single" */
  int points;       /* K */
  size_t bytes;
  jager_status (*move)(const jager_law *law, void *contact, double stiffness, double zeta, const double dxi[2],
                       jager_force *force);
  jager_force (*force)(const jager_law *law, const void *contact);
  double (*error)(const jager_law *law, const void *contact);
  jager_status (*check)(const jager_law *law, const void *contact);
  int (*used)(const void *contact);  /* points in use */
  int (*state)(const void *contact); /* as jager_state */
  /* The points as the library gives them, the zeroth included; returns their number. */
  int (*history)(const void *contact, jager_point *points);
} compact_variant;

extern const compact_variant *const compact_variants[];
extern const int compact_variant_count;

/* NULL: there is none of this name. */
const compact_variant *compact_variant_named(const char *name);

#endif
