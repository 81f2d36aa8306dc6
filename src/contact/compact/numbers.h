/* SPDX-License-Identifier: MIT */
/* jager/compact.h, first part: the language that it is compiled as, its numbers and their bits. */

#ifndef JAGER_COMPACT_POINTS
#define JAGER_COMPACT_POINTS 12
#endif
#if JAGER_COMPACT_POINTS < 4 || JAGER_COMPACT_POINTS > 1024 || JAGER_COMPACT_POINTS % 2 != 0
#error "JAGER_COMPACT_POINTS must be an even number from 4 to 1024"
#endif
#if defined(__FAST_MATH__) || defined(__FAST_RELAXED_MATH__) || defined(__USE_FAST_MATH__)
#error "jager/compact.h needs IEEE arithmetic: compile it without -ffast-math and its like"
#endif

#if !defined(JAGER_COMPACT_FUNCTION)
#if defined(__CUDACC__) || defined(__HIPCC__)
#define JAGER_COMPACT_FUNCTION static __host__ __device__ inline
#else
#define JAGER_COMPACT_FUNCTION static inline
#endif
#endif

#ifndef JAGER_COMPACT_ASSERT
#define JAGER_COMPACT_ASSERT(condition) ((void)0)
#endif

#if defined(__OPENCL_VERSION__)
#pragma OPENCL FP_CONTRACT OFF
typedef uint jager_compact_word;
#else
#include <math.h>
#include <stdint.h>
#include <string.h>
#ifndef __cplusplus
#include <stdbool.h>
#endif
typedef uint32_t jager_compact_word;
#endif

/*
 * Numbers: jager_compact_real is computed with, jager_compact_stored is stored. The words hold the upper 32 bits of a
 * double, or a float.
 */
#if defined(JAGER_COMPACT_SINGLE)
#ifndef JAGER_COMPACT_SINGLE_STORED
#define JAGER_COMPACT_SINGLE_STORED
#endif
typedef float jager_compact_real;
#else
typedef double jager_compact_real;
#endif
#if defined(JAGER_COMPACT_SINGLE_STORED)
typedef float jager_compact_stored;
#else
typedef double jager_compact_stored;
#endif

#define JAGERC(value) ((jager_compact_real)(value))

typedef int jagerc_truth; /* 0 or 1 */

#define JAGERC_choose(condition, a, b) ((condition) ? (a) : (b))

JAGER_COMPACT_FUNCTION jager_compact_real jagerc_real_of(jager_compact_real a)
{
  return a;
}

JAGER_COMPACT_FUNCTION jager_compact_real jagerc_real_min(jager_compact_real a, jager_compact_real b)
{
  return a < b ? a : b;
}

JAGER_COMPACT_FUNCTION jager_compact_real jagerc_real_max(jager_compact_real a, jager_compact_real b)
{
  return a > b ? a : b;
}

JAGER_COMPACT_FUNCTION jager_compact_real jagerc_real_abs(jager_compact_real a)
{
#if defined(JAGER_COMPACT_SINGLE) && !defined(__OPENCL_VERSION__)
  return fabsf(a);
#else
  return fabs(a);
#endif
}

JAGER_COMPACT_FUNCTION jager_compact_real jagerc_real_sqrt(jager_compact_real a)
{
#if defined(JAGER_COMPACT_SINGLE) && !defined(__OPENCL_VERSION__)
  return sqrtf(a);
#else
  return sqrt(a);
#endif
}

#if defined(JAGER_COMPACT_SINGLE)

JAGER_COMPACT_FUNCTION jager_compact_word jagerc_double_high32(jager_compact_real value)
{
#if defined(__OPENCL_VERSION__)
  return as_uint(value);
#else
  jager_compact_word bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
#endif
}

JAGER_COMPACT_FUNCTION jager_compact_real jagerc_double_from_high32(jager_compact_word high)
{
#if defined(__OPENCL_VERSION__)
  return as_float(high);
#else
  jager_compact_real value;
  memcpy(&value, &high, sizeof value);
  return value;
#endif
}

/* Rises by one with each factor of 2^16. */
JAGER_COMPACT_FUNCTION jager_compact_word jagerc_force_magnitude(jager_compact_real fn)
{
  return jagerc_double_high32(fn) >> 27;
}

#else

JAGER_COMPACT_FUNCTION jager_compact_word jagerc_double_high32(jager_compact_real value)
{
#if defined(__OPENCL_VERSION__)
  return (jager_compact_word)(as_ulong(value) >> 32);
#else
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return (jager_compact_word)(bits >> 32);
#endif
}

JAGER_COMPACT_FUNCTION jager_compact_real jagerc_double_from_high32(jager_compact_word high)
{
#if defined(__OPENCL_VERSION__)
  return as_double((ulong)high << 32);
#else
  uint64_t bits = (uint64_t)high << 32;
  jager_compact_real value;
  memcpy(&value, &bits, sizeof value);
  return value;
#endif
}

/* Rises by one with each factor of 2^16. */
JAGER_COMPACT_FUNCTION jager_compact_word jagerc_force_magnitude(jager_compact_real fn)
{
  return jagerc_double_high32(fn) >> 24;
}

#endif

/* Beyond these limits squares and products, or stored numbers, could overflow. */
#if defined(JAGER_COMPACT_SINGLE)
#define JAGERC_SQUARE_MIN JAGERC(1e-30)
#define JAGERC_SQUARE_MAX JAGERC(1e30)
#else
#define JAGERC_SQUARE_MIN JAGERC(1e-280)
#define JAGERC_SQUARE_MAX JAGERC(1e280)
#endif
#if defined(JAGER_COMPACT_SINGLE_STORED)
#define JAGERC_ZETA_MAX JAGERC(1e6)
#define JAGERC_XI_MAX JAGERC(1e12)
#define JAGERC_STIFFNESS_MAX JAGERC(1e18)
#define JAGERC_FRICTION_MAX JAGERC(1e3)
#else
#define JAGERC_ZETA_MAX JAGERC(1e60)
#define JAGERC_XI_MAX JAGERC(1e150)
#define JAGERC_STIFFNESS_MAX JAGERC(1e100)
#define JAGERC_FRICTION_MAX JAGERC(1e6)
#endif

/*
 * x as it is stored, as a number to compute with. Veltkamp's rounding to 24 bits, as gcc 12 may leave out a conversion
 * to float and back where it computes two numbers side by side. Below 1e-38 conversion rounds once more.
 */
JAGER_COMPACT_FUNCTION jager_compact_real jagerc_stored(jager_compact_real x)
{
#if defined(JAGER_COMPACT_SINGLE_STORED) && !defined(JAGER_COMPACT_SINGLE)
  const jager_compact_real scaled = x * 536870913.0; /* 2^29 + 1 */
  return scaled - (scaled - x);
#else
  return x;
#endif
}
