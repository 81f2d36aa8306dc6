/* SPDX-License-Identifier: MIT */
/* A monotonic clock. */
#ifndef JAGER_BASE_CLOCK_H
#define JAGER_BASE_CLOCK_H

#include <time.h>

/* Seconds since an arbitrary moment. */
static inline double clock_seconds(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif
