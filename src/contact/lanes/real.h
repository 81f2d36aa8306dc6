/* SPDX-License-Identifier: MIT */
/*
 * One number, or several side by side: the types that cone.h, vec2.h and the sweep over pairs are written in.
 *
 * JAGER_WIDTH is the number of lanes: 1 (plain numbers, the default), 2 (SSE4.1, NEON), 4 (AVX2) or 8 (AVX-512). A
 * file that wants lanes defines it before it includes anything of ours. The arithmetic of a lane is that of a plain
 * number, to the bit. Lanes choose by `choose`, as they cannot branch.
 */
#ifndef JAGER_REAL_H
#define JAGER_REAL_H

#include "contact/compiler.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#ifndef JAGER_WIDTH
#define JAGER_WIDTH 1
#endif

#if JAGER_WIDTH == 1

typedef double real;
typedef int64_t integer;
typedef int truth; /* 0 or 1 */

#define choose(condition, a, b) ((condition) ? (a) : (b))

static JAGER_INLINE real real_sqrt(real a)
{
  return sqrt(a);
}

static JAGER_INLINE truth truth_not(truth a)
{
  return !a;
}

/* Bit k is set where lane k is true. */
static JAGER_INLINE unsigned truth_bits(truth a)
{
  return (unsigned)a;
}

static JAGER_INLINE integer real_bits(real a)
{
  integer bits;
  memcpy(&bits, &a, sizeof bits);
  return bits;
}

static JAGER_INLINE real real_from_bits(integer bits)
{
  real a;
  memcpy(&a, &bits, sizeof a);
  return a;
}

static JAGER_INLINE real real_load(const double *from)
{
  return *from;
}

static JAGER_INLINE void real_store(double *to, real a)
{
  *to = a;
}

static JAGER_INLINE real real_abs(real a)
{
  return fabs(a);
}

#else

typedef double real __attribute__((vector_size(8 * JAGER_WIDTH)));
typedef int64_t integer __attribute__((vector_size(8 * JAGER_WIDTH)));
typedef integer truth; /* all bits of a lane are set, or none */

static JAGER_INLINE truth truth_not(truth a)
{
  return ~a;
}

static JAGER_INLINE integer real_bits(real a)
{
  return (integer)a;
}

static JAGER_INLINE real real_from_bits(integer bits)
{
  return (real)bits;
}

static JAGER_INLINE real real_load(const double *from)
{
  real a;
  memcpy(&a, from, sizeof a);
  return a;
}

static JAGER_INLINE void real_store(double *to, real a)
{
  memcpy(to, &a, sizeof a);
}

static JAGER_INLINE real real_abs(real a)
{
  return (real)((integer)a & INT64_MAX);
}

#if JAGER_WIDTH == 4 /* AVX2 */
static JAGER_INLINE real choose(truth condition, real a, real b)
{
  return (real)_mm256_blendv_pd((__m256d)b, (__m256d)a, (__m256d)condition);
}

static JAGER_INLINE real real_sqrt(real a)
{
  return (real)_mm256_sqrt_pd((__m256d)a);
}

static JAGER_INLINE unsigned truth_bits(truth a)
{
  return (unsigned)_mm256_movemask_pd((__m256d)a);
}

#else

static JAGER_INLINE real choose(truth condition, real a, real b)
{
#if JAGER_WIDTH == 2 && defined(__x86_64__)
  return (real)_mm_blendv_pd((__m128d)b, (__m128d)a, (__m128d)condition);
#else
  return (real)((condition & (integer)a) | (~condition & (integer)b));
#endif
}

static JAGER_INLINE real real_sqrt(real a)
{
#if JAGER_WIDTH == 8 && defined(__x86_64__)
  return (real)_mm512_sqrt_pd((__m512d)a);
#elif defined(__x86_64__)
  return (real)_mm_sqrt_pd((__m128d)a);
#elif defined(__aarch64__)
  return (real)vsqrtq_f64((float64x2_t)a);
#else
  for (int lane = 0; lane < JAGER_WIDTH; lane++)
    a[lane] = sqrt(a[lane]);
  return a;
#endif
}

static JAGER_INLINE unsigned truth_bits(truth a)
{
#if JAGER_WIDTH == 8 && defined(__x86_64__)
  return _mm512_movepi64_mask((__m512i)a);
#elif defined(__x86_64__)
  return (unsigned)_mm_movemask_pd((__m128d)a);
#else
  unsigned bits = 0;
  for (int lane = 0; lane < JAGER_WIDTH; lane++)
    bits |= (unsigned)(a[lane] & 1) << lane;
  return bits;
#endif
}

#endif

#endif

/* fmin and fmax of numbers that are not NaN. A comparison costs less than a call of libm. */
static JAGER_INLINE real real_min(real a, real b)
{
  return choose(a < b, a, b);
}

static JAGER_INLINE real real_max(real a, real b)
{
  return choose(a > b, a, b);
}

/* The same number in all lanes */
static JAGER_INLINE real real_of(double a)
{
#if JAGER_WIDTH == 1
  return a;
#else
  return a - (real){0.0}; /* keeps the sign of zero */
#endif
}

static JAGER_INLINE integer integer_load(const int64_t *from)
{
  integer a;
  memcpy(&a, from, sizeof a);
  return a;
}

static JAGER_INLINE void integer_store(int64_t *to, integer a)
{
  memcpy(to, &a, sizeof a);
}

#endif
