/* SPDX-License-Identifier: MIT */
/*
 * The numbers of the library: one, or several side by side; their range and bits; vectors, sums and the cone.
 *
 * JAGER_WIDTH is the number of lanes: 1 (plain numbers, the default), 2 (SSE4.1, NEON), 4 (AVX2) or 8 (AVX-512). A
 * file that wants lanes defines it before it includes anything of ours. A lane computes the same bits as
 * a plain number. Lanes cannot branch: they select by `choose`.
 */
#ifndef JAGER_NUMBERS_H
#define JAGER_NUMBERS_H

#include "compiler.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#ifndef JAGER_WIDTH
#define JAGER_WIDTH 1
#endif

typedef double scalar;
#define JAGER_NUMBER(value) (value)

/* ---- One number, or several side by side ------------------------------------------------------------------------- */

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

/* ---- Bits of a double -------------------------------------------------------------------------------------------- */

typedef uint32_t word;

static JAGER_INLINE uint64_t double_bits(double value)
{
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static JAGER_INLINE double double_from_bits(uint64_t bits)
{
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

/* The upper 32 bits of a double: 20 bits of the mantissa, but the full range of exponents. */
static JAGER_INLINE uint32_t number_high32(double value)
{
  return (uint32_t)(double_bits(value) >> 32);
}

static JAGER_INLINE double number_from_high32(uint32_t high)
{
  return double_from_bits((uint64_t)high << 32);
}

/* ---- The range of numbers that the contact computes with --------------------------------------------------------- */

/* Beyond these limits squares and products could overflow. */
#define JAGER_ZETA_MAX 1e60
#define JAGER_XI_MAX 1e150
#define JAGER_FN_MAX 1e130 /* of jager_contact_load */
#define JAGER_STIFFNESS_MAX 1e100
#define JAGER_FRICTION_MAX 1e6

/* Below these limits squares and products could underflow. Points of a history are at least 2^-54 JAGER_ZETA_MIN. */
#define JAGER_ZETA_MIN 1e-60
#define JAGER_FN_MIN 1e-130 /* of jager_contact_load */
#define JAGER_STIFFNESS_MIN 1e-100

/* The ζ to which a movement goes: one that is too small to compute with is 0, and the bodies do not touch. */
static JAGER_INLINE double zeta_in_range(double zeta)
{
  return zeta > 0.0 && zeta < JAGER_ZETA_MIN ? 0.0 : zeta;
}

/* Above JAGER_XI_MAX, or NaN: a number of the movement may be out of range. */
static JAGER_INLINE real movement_size(real zeta, real dxi_x, real dxi_y)
{
  return real_abs(zeta) * (JAGER_XI_MAX / JAGER_ZETA_MAX) + real_abs(dxi_x) + real_abs(dxi_y);
}

/* ---- The arithmetic of the algorithm, for one contact or for several side by side -------------------------------- */

/* Vectors in the tangential plane: double2 as they are stored, vec2 as they are computed with, one in each lane */
typedef struct double2 {
  double x, y;
} double2;

_Static_assert(sizeof(double) == 8 && sizeof(double2) == 2 * sizeof(double), "a double is an IEEE 754 binary64");

#if JAGER_WIDTH == 1
typedef double2 vec2;
#else
typedef struct vec2 {
  real x, y;
} vec2;
#endif

#define JAGER_SQUARE_MIN 1e-280
#define JAGER_SQUARE_MAX 1e280
#define JAGER_FUNCTION static JAGER_INLINE
#include "jager/detail/cone.h"

#if JAGER_WIDTH == 1
static JAGER_INLINE vec2 vec2_from(const double v[2])
{
  return vec2_of(v[0], v[1]);
}
#endif

/* Fn(ζ) of spheres and of cones, ζ >= 0 */
static JAGER_INLINE real normal_force_of_spheres(real stiffness, real zeta)
{
  return stiffness * zeta * real_sqrt(zeta);
}

static JAGER_INLINE real normal_force_of_cones(real stiffness, real zeta)
{
  return stiffness * zeta * zeta;
}

#endif
