/* SPDX-License-Identifier: MIT */
/*
 * jager/compact.h: the Jäger contact in a fixed number of bytes, for engines that keep their contacts in plain arrays:
 * on GPUs, in neighbour lists, in messages.
 *
 * A jager_compact holds the points of the equivalent load history, at most K of them, without pointers. It is moved by
 * the same algorithm as a jager_contact, and as long as K points are enough, to the same bits. When they are full, the
 * two neighbouring segments whose chord costs least become one, and the contact's error bound grows by that cost:
 * jager_compact_error tells at any time by how much the tangential force may be off. Slip forgets the upper points and
 * gives part of the bound back; after gross sliding the contact is exact again.
 *
 *     #define JAGER_COMPACT_POINTS 12 // K: even, 4 to 1024; 12 if not defined
 *     #include "jager/compact.h"
 *
 *     jager_compact contact = {0};                                       // zero bytes: never touched (C++: {})
 *     jager_compact_law law = jager_compact_law_of(0.15, 0.5);           // Poisson's ratio, friction
 *     double stiffness = jager_compact_stiffness_of_spheres(29e9, 0.15, 1e-3, 1e-3);
 *     double shear[2] = {1e-9, 0.0};
 *     jager_compact_force force;
 *     if (jager_compact_move(law, &contact, stiffness, 1e-7, shear, &force) != JAGER_COMPACT_OK)
 *       return 1;
 *
 * The header is C99, C++11 and later, CUDA, HIP, SYCL and OpenCL C; functors of Kokkos define JAGER_COMPACT_FUNCTION as
 * KOKKOS_INLINE_FUNCTION before they include it. It needs no library, calls no function but √ and |x|, allocates
 * nothing and does not recurse. All files of a program have the same K and the same types.
 *
 * JAGER_COMPACT_SINGLE_STORED stores numbers in single precision and computes in double: 16 K + 40 bytes for 28 K + 64.
 * JAGER_COMPACT_SINGLE computes in single precision as well; choose units in which lengths and forces are neither very
 * small nor very large, such as mm and N.
 *
 * The same input gives the same bits on every processor with IEEE arithmetic, if the compiler does not contract a*b +
 * c: gcc and clang -ffp-contract=off, nvcc --fmad=false. OpenCL needs -cl-fp32-correctly-rounded-divide-sqrt for
 * JAGER_COMPACT_SINGLE, else nothing. Units are SI, or any consistent set.
 *
 * In OpenCL C the functions take private pointers: copy a contact from global memory, move it, and copy it back.
 *
 * Made by tools/make_compact.py of the sources of libjager that the headings name: change those.
 */
#ifndef JAGER_COMPACT_H
#define JAGER_COMPACT_H

/* ==== src/contact/compact/numbers.h ==== */

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

/* ==== src/contact/vec2.h ==== */

/*
 * Vectors in the tangential plane of a contact: double2 as they are stored, vec2 as they are computed with, which in
 * files with lanes (real.h) holds one vector in each lane.
 */

typedef struct jagerc_double2 {
  jager_compact_real x, y;
} jagerc_double2;

typedef jagerc_double2 jagerc_vec2;

JAGER_COMPACT_FUNCTION jagerc_vec2 jagerc_vec2_of(jager_compact_real x, jager_compact_real y)
{
  jagerc_vec2 v = {x, y};
  return v;
}

JAGER_COMPACT_FUNCTION jager_compact_real jagerc_vec2_dot(jagerc_vec2 a, jagerc_vec2 b)
{
  return a.x * b.x + a.y * b.y;
}

JAGER_COMPACT_FUNCTION jagerc_vec2 jagerc_vec2_add(jagerc_vec2 a, jagerc_vec2 b)
{
  return jagerc_vec2_of(a.x + b.x, a.y + b.y);
}

JAGER_COMPACT_FUNCTION jagerc_vec2 jagerc_vec2_subtract(jagerc_vec2 a, jagerc_vec2 b)
{
  return jagerc_vec2_of(a.x - b.x, a.y - b.y);
}

/* a + s b */
JAGER_COMPACT_FUNCTION jagerc_vec2 jagerc_vec2_add_scaled(jagerc_vec2 a, jager_compact_real s, jagerc_vec2 b)
{
  return jagerc_vec2_of(a.x + s * b.x, a.y + s * b.y);
}

JAGER_COMPACT_FUNCTION jagerc_vec2 jagerc_vec2_divide(jagerc_vec2 a, jager_compact_real divisor)
{
  return jagerc_vec2_of(a.x / divisor, a.y / divisor);
}

JAGER_COMPACT_FUNCTION jagerc_vec2 jagerc_vec2_choose(jagerc_truth condition, jagerc_vec2 a, jagerc_vec2 b)
{
  return jagerc_vec2_of(JAGERC_choose(condition, a.x, b.x), JAGERC_choose(condition, a.y, b.y));
}

/* ---- Lengths: squares of very long or very short vectors overflow or underflow ----------------------------------- */

JAGER_COMPACT_FUNCTION jagerc_truth jagerc_square_is_in_range(jager_compact_real square)
{
  return (square > JAGERC_SQUARE_MIN) & (square < JAGERC_SQUARE_MAX);
}

/* v scaled to this length; `square` is |v|² and in range. */
JAGER_COMPACT_FUNCTION jagerc_vec2 jagerc_vec2_scale_to(jagerc_vec2 v, jager_compact_real square,
                                                        jager_compact_real length)
{
  jager_compact_real scale = length / jagerc_real_sqrt(square);
  return jagerc_vec2_of(v.x * scale, v.y * scale);
}

JAGER_COMPACT_FUNCTION bool jagerc_vec2_is_zero(jagerc_vec2 a)
{
  return a.x == JAGERC(0.0) && a.y == JAGERC(0.0);
}

/* v scaled to this length; the zero vector stays zero. */
JAGER_COMPACT_FUNCTION jagerc_vec2 jagerc_vec2_with_length(jagerc_vec2 v, jager_compact_real length)
{
  jager_compact_real square = jagerc_vec2_dot(v, v);
  if (!jagerc_square_is_in_range(square)) {
    jager_compact_real largest = jagerc_real_max(jagerc_real_abs(v.x), jagerc_real_abs(v.y));
    if (!(largest > JAGERC(0.0)))
      return jagerc_vec2_of(JAGERC(0.0), JAGERC(0.0));
    v = jagerc_vec2_divide(v, largest);
    square = jagerc_vec2_dot(v, v);
  }
  return jagerc_vec2_scale_to(v, square, length);
}

JAGER_COMPACT_FUNCTION jager_compact_real jagerc_vec2_length(jagerc_vec2 v)
{
  jager_compact_real square = jagerc_vec2_dot(v, v);
  if (jagerc_square_is_in_range(square))
    return jagerc_real_sqrt(square);
  jager_compact_real largest = jagerc_real_max(jagerc_real_abs(v.x), jagerc_real_abs(v.y));
  if (!(largest > JAGERC(0.0)))
    return JAGERC(0.0);
  v = jagerc_vec2_divide(v, largest);
  return largest * jagerc_real_sqrt(jagerc_vec2_dot(v, v));
}

/* ==== src/contact/compensated.h ==== */

/*
 * Compensated sums: a sum is kept together with its rounding error, so that adding a term and later subtracting the
 * same term leaves nothing behind. Also the upper 32 bits of a double, in which such errors, and bounds of errors, are
 * stored.
 */

/* The rounding error of sum = a + b (Knuth's two-sum): a + b = sum + error exactly. */
JAGER_COMPACT_FUNCTION jager_compact_real jagerc_two_sum_error(jager_compact_real a, jager_compact_real b,
                                                               jager_compact_real sum)
{
  jager_compact_real b_rounded = sum - a;
  return (a - (sum - b_rounded)) + (b - b_rounded);
}

/* The rounding error of the additions in sum = a + s b, by component. */
JAGER_COMPACT_FUNCTION jagerc_vec2 jagerc_vec2_add_scaled_error(jagerc_vec2 a, jager_compact_real s, jagerc_vec2 b,
                                                                jagerc_vec2 sum)
{
  return jagerc_vec2_of(jagerc_two_sum_error(a.x, s * b.x, sum.x), jagerc_two_sum_error(a.y, s * b.y, sum.y));
}

/* high + low += term */
JAGER_COMPACT_FUNCTION void jagerc_compensated_add(jager_compact_real *high, jager_compact_real *low,
                                                   jager_compact_real term)
{
  jager_compact_real sum = *high + term;
  jager_compact_real error = *low + jagerc_two_sum_error(*high, term, sum);
  *high = sum + error;
  *low = error - (*high - sum);
}

typedef struct jagerc_compensated_vec2 {
  jagerc_vec2 high, low;
} jagerc_compensated_vec2;

/* sum += scale v */
JAGER_COMPACT_FUNCTION void jagerc_compensated_vec2_add(jagerc_compensated_vec2 *sum, jager_compact_real scale,
                                                        jagerc_vec2 v)
{
  jagerc_compensated_add(&sum->high.x, &sum->low.x, scale * v.x);
  jagerc_compensated_add(&sum->high.y, &sum->low.y, scale * v.y);
}

/* Rounded up, value >= 0: for upper bounds. */
JAGER_COMPACT_FUNCTION jager_compact_word jagerc_double_high32_above(jager_compact_real value)
{
  jager_compact_word high = jagerc_double_high32(value);
  return high + (jagerc_double_from_high32(high) < value);
}

/* ==== src/contact/lanes/account.h ==== */

/*
 * The arithmetic of the tolerance (tolerance.h), for one contact or for several side by side: what it costs to join two
 * segments, and what slip leaves of an error.
 */

/* Fn"(ζ) = curvature_factor Fn/ζ², and Fn"/4f = slip_factor Fn/ζ², of a contour with the exponent alpha */
JAGER_COMPACT_FUNCTION jager_compact_real jagerc_curvature_factor_of(jager_compact_real alpha)
{
  return (alpha + JAGERC(1.0)) / (alpha * alpha);
}

JAGER_COMPACT_FUNCTION jager_compact_real jagerc_slip_factor_of(jager_compact_real alpha, jager_compact_real friction)
{
  return (alpha + JAGERC(1.0)) / (JAGERC(4.0) * alpha * alpha * friction);
}

/* ---- Two segments joined ----------------------------------------------------------------------------------------- */

/* What a new top may use of the tolerance that is left; the rest is kept for segments that stay longer. */
#define JAGERC_JOIN_SHARE JAGERC(0.02)

/* The deviation δ when two segments that meet in a point, the cut, are replaced by one */
typedef struct jagerc_tent {
  jager_compact_real cost;   /* upper bound of ∫ |δ| Fn" dz: a force */
  jager_compact_real weight; /* of the upper segment in the slope of the joint one */
} jagerc_tent;

/*
 * `bend` is the upper slope less the lower one. δ is a tent over the cut, of the height |bend| rise run/(rise + run);
 * Fn" = factor Fn/ζ² does not rise with ζ.
 */
JAGER_COMPACT_FUNCTION jagerc_tent jagerc_tent_of(jager_compact_real factor, jagerc_vec2 bend,
                                                  jager_compact_real zeta_base, jager_compact_real fn_base,
                                                  jager_compact_real zeta_cut, jager_compact_real fn_cut,
                                                  jager_compact_real zeta_end)
{
  jager_compact_real rise = zeta_cut - zeta_base, run = zeta_end - zeta_cut, weight = run / (zeta_end - zeta_base);
  jager_compact_real height = jagerc_real_sqrt(jagerc_vec2_dot(bend, bend)) * rise * weight;
  jager_compact_real at_base = factor * (fn_base / (zeta_base * zeta_base)),
                     at_cut = factor * (fn_cut / (zeta_cut * zeta_cut));
  jagerc_tent joined = {JAGERC(0.5) * height * (at_base * rise + at_cut * run), weight};
  return joined;
}

/* May the top, whose base has the error bound `below`, get the error bound `bound`? `budget` is τ f. */
JAGER_COMPACT_FUNCTION jagerc_truth jagerc_tent_is_allowed(jager_compact_real budget, jager_compact_real fn_base,
                                                           jager_compact_real below, jager_compact_real bound)
{
  return bound - below <= JAGERC_JOIN_SHARE * (budget * fn_base - below);
}

/* ---- Slip -------------------------------------------------------------------------------------------------------- */

/*
 * Slip replaces the path above a point by the cone. Let `gap` be the distance of that point from the cone. No point of
 * the path above it is nearer to the cone, so that there |δ| falls by `gap` at least. Let a be an upper bound of ∫ |δ|
 * Fn" dz from the point to the end of the path, where δ is zero. As no slope exceeds f, |δ| changes by at most 2f per
 * unit of z; of all such δ with the same integral a, a narrow peak keeps most of it: (√a - gap √(Fn"/4f))². Fn" is
 * least at the end of the path, where Fn"/4f is slip_factor(law) Fn/ζ².
 *
 * This is what is left of a. The old path ends at (ζ, Fn); v leads from the point sideways to the target, `depth` above
 * it.
 */
JAGER_COMPACT_FUNCTION jager_compact_real jagerc_bound_after_slip(jager_compact_real factor, jager_compact_real f,
                                                                  jager_compact_real a, jager_compact_real zeta,
                                                                  jager_compact_real fn, jagerc_vec2 v,
                                                                  jager_compact_real depth)
{
  jager_compact_real zero = jagerc_real_of(JAGERC(0.0)), gap = jagerc_real_sqrt(jagerc_vec2_dot(v, v)) - f * depth;
  jager_compact_real root = jagerc_real_sqrt(a) - jagerc_real_max(gap, zero) * (jagerc_real_sqrt(factor * fn) / zeta);
  jager_compact_real left = JAGERC_choose(root > JAGERC(0.0), jagerc_real_min(root * root, a), zero);
  return JAGERC_choose(a > JAGERC(0.0), left, zero);
}

/* ==== src/contact/lanes/hertz.h ==== */

/* Hertz's normal force between spheres, for one contact or for several side by side. */

/* Fn(ζ) of spheres, ζ >= 0 */
JAGER_COMPACT_FUNCTION jager_compact_real jagerc_normal_force_of_spheres(jager_compact_real stiffness,
                                                                         jager_compact_real zeta)
{
  return stiffness * zeta * jagerc_real_sqrt(zeta);
}

/* ==== src/contact/compact/storage.h ==== */

/*
 * jager/compact.h, second part: the law, the contact as bytes, and its history while it moves.
 *
 * During a movement the two topmost segments and the sums are in a contact_data, as in the library; the other segments,
 * the entries, stay in the arrays of the jager_compact. A movement may add a segment, so that there are K - 1 entries
 * for a moment, one more than a stored contact has.
 */

/* A pair of materials. Make it with jager_compact_law_of, or fill it in. */
typedef struct jager_compact_law {
  jager_compact_real friction;      /* f >= 0 */
  jager_compact_real inverse_kappa; /* 1/κ: 2(1-ν)/(2-ν) for two equal materials */
  jager_compact_real exponent;      /* α: 2 for spheres (Fn = C ζ^1.5), 1 for cones (Fn = C ζ²) */
  jager_compact_real
      tolerance; /* τ >= 0: a new segment is joined with the top where that costs next to nothing; 0: never */
} jager_compact_law;

/* A force of a contact, N. */
typedef struct jager_compact_force {
  jager_compact_real fn;    /* normal force, >= 0 */
  jager_compact_real ft[2]; /* tangential force; it resists positive movements dxi */
} jager_compact_force;

/* What a movement did. */
enum jager_compact_state {
  JAGER_COMPACT_APART = 0,   /* the bodies do not touch */
  JAGER_COMPACT_ELASTIC = 1, /* no slip */
  JAGER_COMPACT_SLIP = 2,    /* slip in an annulus */
  JAGER_COMPACT_SLIDE = 3    /* gross sliding */
};

/* Why a movement was not made, with the numbers of jager_status. */
enum jager_compact_status {
  JAGER_COMPACT_OK = 0,         /* it was made */
  JAGER_COMPACT_NOT_FINITE = 2, /* a number is NaN or infinite */
  JAGER_COMPACT_TOO_LARGE = 3,  /* a movement is too large to compute with */
  JAGER_COMPACT_FRICTION = 7,   /* friction, 1/κ or tolerance are impossible */
  JAGER_COMPACT_CONTOUR = 10,   /* the exponent is neither 1 nor 2 */
  JAGER_COMPACT_STIFFNESS = 11, /* the stiffness is not positive, or too large */
  JAGER_COMPACT_CORRUPT = 22    /* these bytes are no contact with so many points: were they set to zero? */
};

/*
 * A contact: plain bytes without gaps. All zero is a contact that was never touched. Bytes of contacts in one array may
 * be compared, copied, sent and stored, between programs that have the same K and the same types.
 */
typedef struct jager_compact {
  jager_compact_stored zeta[JAGER_COMPACT_POINTS]; /* ζ* of the points, upward; zeta[0] <= 0 while apart: half gap */
  jager_compact_stored slope[JAGER_COMPACT_POINTS][2]; /* p* of the segment that ends in the point */
  jager_compact_stored residual[2];                    /* rounding error that the next movement makes up for */
  jager_compact_stored anchor[2];                      /* Ft at the base of the second segment from the top */
  jager_compact_stored stiffness, friction;            /* of the last movement */
  jager_compact_word bound[JAGER_COMPACT_POINTS];      /* error bounds at the points */
  jager_compact_word anchor_low[2];                    /* rounding error of the anchor */
  jager_compact_word points;                           /* in use; 0: apart */
  jager_compact_word state;                            /* jager_compact_state */
} jager_compact;

/* ---- The contour ------------------------------------------------------------------------------------------------- */

/* Fn(ζ), ζ >= 0 */
JAGER_COMPACT_FUNCTION jager_compact_real jagerc_normal_force(const jager_compact_law *law,
                                                              jager_compact_real stiffness, jager_compact_real zeta)
{
  return law->exponent == JAGERC(2.0) ? jagerc_normal_force_of_spheres(stiffness, zeta) : stiffness * zeta * zeta;
}

JAGER_COMPACT_FUNCTION jager_compact_real jagerc_curvature_factor(const jager_compact_law *law)
{
  return jagerc_curvature_factor_of(law->exponent);
}

/* ---- A contact that moves ---------------------------------------------------------------------------------------- */

/* A segment of the history, as one of the two topmost */
typedef struct jagerc_history_segment {
  jagerc_double2 p;             /* slope p* */
  jager_compact_real zeta_base; /* ζ* where the segment starts */
  jager_compact_real fn_base;   /* Fn(ζ*) there */
} jagerc_history_segment;

/* A segment as an entry: it ends at ζ* */
typedef struct jagerc_history_entry {
  jager_compact_real zeta;
  jagerc_double2 p;
} jagerc_history_entry;

typedef struct jagerc_contact_data {
  jager_compact_real zeta;       /* ζ, the end of the top segment; negative: half the gap */
  jager_compact_real fn;         /* Fn(ζ) */
  jagerc_history_segment top;    /* from ζ*ᵢ₋₁ to ζ */
  jagerc_history_segment second; /* from ζ*ᵢ₋₂ to ζ*ᵢ₋₁ */
  struct {
    jagerc_double2 ft;            /* Ft at the base of the second segment ... */
    jager_compact_word ft_low[2]; /* ... and its rounding error */
  } anchor;
  struct {
    jager_compact_word top, second;
  } error_bound;                /* at the ends of the two segments, N */
  jagerc_double2 xi_residual;   /* rounding error between all movements and the history, as Δξ/κ */
  jager_compact_real stiffness; /* C of Fn = C ζ^(1+1/α) */
  jager_compact_real friction;  /* f with which the history was made */
  jager_compact_word length;    /* points of the history, the zeroth included: segments + 1 */
  jager_compact_word fill;      /* entries: segments - 2 */
  jager_compact_word state;
  jager_compact *entries; /* the arrays that hold them */
} jagerc_contact_data;

/* ---- Entries ----------------------------------------------------------------------------------------------------- */

/* The entry number `fill - 1`; 0: below the lowest one */
typedef struct jagerc_entry_cursor {
  jager_compact *entries;
  jager_compact_word fill;
} jagerc_entry_cursor;

JAGER_COMPACT_FUNCTION jagerc_entry_cursor jagerc_entry_cursor_top(const jagerc_contact_data *c)
{
  jagerc_entry_cursor at = {c->entries, c->fill};
  return at;
}

JAGER_COMPACT_FUNCTION void jagerc_entry_cursor_descend(jagerc_entry_cursor *at)
{
  at->fill--;
}

JAGER_COMPACT_FUNCTION bool jagerc_entry_exists(jagerc_entry_cursor at)
{
  return at.fill > 0;
}

JAGER_COMPACT_FUNCTION jagerc_vec2 jagerc_entry_slope(jagerc_entry_cursor at)
{
  return jagerc_vec2_of(at.entries->slope[at.fill - 1][0], at.entries->slope[at.fill - 1][1]);
}

JAGER_COMPACT_FUNCTION void jagerc_set_entry_slope(jagerc_entry_cursor at, jagerc_vec2 p)
{
  at.entries->slope[at.fill - 1][0] = (jager_compact_stored)p.x;
  at.entries->slope[at.fill - 1][1] = (jager_compact_stored)p.y;
}

JAGER_COMPACT_FUNCTION jager_compact_word *jagerc_entry_error_bound(jagerc_entry_cursor at)
{
  return &at.entries->bound[at.fill - 1];
}

/* ζ* at which the entry ends: the base of the segment above it; 0 below the lowest one */
JAGER_COMPACT_FUNCTION jager_compact_real jagerc_entry_end(jagerc_entry_cursor at)
{
  return jagerc_entry_exists(at) ? at.entries->zeta[at.fill - 1] : JAGERC(0.0);
}

/* Error bound at the base of the second segment */
JAGER_COMPACT_FUNCTION jager_compact_word jagerc_error_bound_below_second(const jagerc_contact_data *c)
{
  return c->fill > 0 ? c->entries->bound[c->fill - 1] : 0;
}

JAGER_COMPACT_FUNCTION bool jagerc_has_entries(const jagerc_contact_data *c)
{
  return c->fill > 0;
}

/* Takes the topmost entry off and returns its slope. There must be one. */
JAGER_COMPACT_FUNCTION jagerc_vec2 jagerc_entry_pop(jager_compact *pool, jagerc_contact_data *c)
{
  (void)pool;
  jagerc_vec2 p = jagerc_entry_slope(jagerc_entry_cursor_top(c));
  c->fill--;
  return p;
}

/* Puts one on top. There is room. */
JAGER_COMPACT_FUNCTION bool jagerc_entry_push(jager_compact *pool, jagerc_contact_data *c, jager_compact_real zeta,
                                              jagerc_vec2 p, jager_compact_word error_bound)
{
  JAGER_COMPACT_ASSERT(c->fill < JAGER_COMPACT_POINTS);
  pool->zeta[c->fill] = (jager_compact_stored)zeta;
  pool->bound[c->fill++] = error_bound;
  jagerc_set_entry_slope(jagerc_entry_cursor_top(c), p);
  return true;
}

/* Histories are shortened, and slip gives error bounds back, also without a tolerance. */
#define JAGERC_SIZE_IS_FIXED true

/* ---- Points counted ---------------------------------------------------------------------------------------------- */

JAGER_COMPACT_FUNCTION void jagerc_count_first_point(jagerc_contact_data *c)
{
  c->length = 2;
}

JAGER_COMPACT_FUNCTION void jagerc_count_new_point(jagerc_contact_data *c)
{
  c->length++;
}

JAGER_COMPACT_FUNCTION void jagerc_count_dropped_point(jagerc_contact_data *c)
{
  c->length--;
}

/* ==== src/contact/upper_end.h ==== */

/*
 * Changes of a history at its upper end, however its entries are stored (entries.h).
 *
 * The force Ft = Σ p* ΔFn* is anchored at the base of the second segment. The anchor changes only when a segment moves
 * between the contact and the entries, and then by the same term as when it moved the other way; as it is a compensated
 * sum, it does not drift. Its rounding error is relative to the largest force that it has held. Therefore the anchor is
 * summed anew when Fn at the base of the second segment falls below a power of 2^16.
 *
 * The history changes in place. Only a push can fail, for want of memory; a failed push changes nothing.
 */

JAGER_COMPACT_FUNCTION jagerc_compensated_vec2 jagerc_anchor_of(const jagerc_contact_data *c)
{
  jagerc_compensated_vec2 ft = {
      c->anchor.ft, {jagerc_double_from_high32(c->anchor.ft_low[0]), jagerc_double_from_high32(c->anchor.ft_low[1])}};
  return ft;
}

JAGER_COMPACT_FUNCTION void jagerc_set_anchor(jagerc_contact_data *c, jagerc_compensated_vec2 ft)
{
  c->anchor.ft = ft.high;
  c->anchor.ft_low[0] = jagerc_double_high32(ft.low.x);
  c->anchor.ft_low[1] = jagerc_double_high32(ft.low.y);
}

/* Sums the anchor from the segments below it. */
JAGER_COMPACT_FUNCTION void jagerc_sum_anchor(const jager_compact_law *law, jagerc_contact_data *c)
{
  jagerc_compensated_vec2 ft = {{JAGERC(0.0), JAGERC(0.0)}, {JAGERC(0.0), JAGERC(0.0)}};
  jager_compact_real fn = c->second.fn_base;
  for (jagerc_entry_cursor at = jagerc_entry_cursor_top(c); jagerc_entry_exists(at);) {
    jagerc_vec2 p = jagerc_entry_slope(at);
    jagerc_entry_cursor_descend(&at);
    jager_compact_real fn_base = jagerc_normal_force(law, c->stiffness, jagerc_entry_end(at));
    jagerc_compensated_vec2_add(&ft, fn - fn_base, p);
    fn = fn_base;
  }
  jagerc_set_anchor(c, ft);
}

JAGER_COMPACT_FUNCTION void jagerc_set_top_base(jagerc_contact_data *c, jager_compact_real zeta, jager_compact_real fn)
{
  c->top.zeta_base = zeta;
  c->top.fn_base = fn;
}

/* The top segment gets a new end and a new slope. */
JAGER_COMPACT_FUNCTION void jagerc_set_top(jagerc_contact_data *c, jager_compact_real zeta, jager_compact_real fn,
                                           jagerc_vec2 p, jagerc_vec2 xi_residual)
{
  JAGER_COMPACT_ASSERT(c->top.zeta_base < zeta);
  c->xi_residual = xi_residual;
  c->zeta = zeta;
  c->fn = fn;
  c->top.p = p;
}

/* Drops the second segment: the top starts where the second one did. */
JAGER_COMPACT_FUNCTION void jagerc_history_drop_second(const jager_compact_law *law, jager_compact *pool,
                                                       jagerc_contact_data *c)
{
  JAGER_COMPACT_ASSERT(c->length > 2);
  const jager_compact_real fn_base = c->second.fn_base;
  jagerc_set_top_base(c, c->second.zeta_base, fn_base);
  c->error_bound.second = jagerc_error_bound_below_second(c);
  jagerc_count_dropped_point(c);
  if (c->length == 2) {
    c->second.p = jagerc_vec2_of(JAGERC(0.0), JAGERC(0.0));
    return; /* its base and the anchor are zero already */
  }
  const jagerc_vec2 p = jagerc_entry_pop(pool, c);
  if (!jagerc_has_entries(c)) {
    const jagerc_history_segment lowest = {p, JAGERC(0.0), JAGERC(0.0)};
    const jagerc_compensated_vec2 zero = {{JAGERC(0.0), JAGERC(0.0)}, {JAGERC(0.0), JAGERC(0.0)}};
    c->second = lowest;
    jagerc_set_anchor(c, zero);
    return;
  }
  const jager_compact_real zeta = jagerc_entry_end(jagerc_entry_cursor_top(c)),
                           fn = jagerc_normal_force(law, c->stiffness, zeta);
  jagerc_compensated_vec2 ft = jagerc_anchor_of(c);
  jagerc_compensated_vec2_add(&ft, -(fn_base - fn), p);
  const jagerc_history_segment second = {p, zeta, fn};
  c->second = second;
  jagerc_set_anchor(c, ft);
  if (jagerc_force_magnitude(fn) < jagerc_force_magnitude(fn_base))
    jagerc_sum_anchor(law, c);
}

/*
 * The top segment, cut at (zeta_cut, fn_cut), becomes the second one, and a new top starts there. set_top must follow.
 * False: out of memory, and nothing has changed.
 */
JAGER_COMPACT_FUNCTION bool jagerc_history_push(jager_compact *pool, jagerc_contact_data *c,
                                                jager_compact_real zeta_cut, jager_compact_real fn_cut)
{
  JAGER_COMPACT_ASSERT(c->top.zeta_base < zeta_cut);
  const jagerc_vec2 second_p = c->second.p;
  if (c->length > 2 && !jagerc_entry_push(pool, c, c->top.zeta_base, second_p, c->error_bound.second))
    return false;
  jagerc_compensated_vec2 ft = jagerc_anchor_of(c);
  jagerc_compensated_vec2_add(&ft, c->top.fn_base - c->second.fn_base, second_p);
  jagerc_set_anchor(c, ft);
  c->second = c->top;
  jagerc_set_top_base(c, zeta_cut, fn_cut);
  c->error_bound.second = c->error_bound.top;
  jagerc_count_new_point(c);
  return true;
}

/* Ft = Σ p* ΔFn* */
JAGER_COMPACT_FUNCTION jager_compact_force jagerc_force_of(const jagerc_contact_data *c)
{
  jager_compact_real top_rise = c->fn - c->top.fn_base, second_rise = c->top.fn_base - c->second.fn_base;
  jager_compact_real low_x = jagerc_double_from_high32(c->anchor.ft_low[0]),
                     low_y = jagerc_double_from_high32(c->anchor.ft_low[1]);
  jager_compact_force force = {c->fn,
                               {c->anchor.ft.x + (low_x + (c->second.p.x * second_rise + c->top.p.x * top_rise)),
                                c->anchor.ft.y + (low_y + (c->second.p.y * second_rise + c->top.p.y * top_rise))}};
  return force;
}

/* ==== src/contact/cone.h ==== */

/*
 * The cone of a target, and where a path enters it.
 *
 * From the target T of a step a cone of slope f opens downward: the points that lie x > 0 below T and less than f x
 * beside it. As no slope of the path exceeds f, a path that has entered the cone on its way down stays in it. So the
 * segment that enters is the first one, from the top down, whose base is inside.
 *
 * Where the segment enters. Prolong the segment of slope p to the height of T, and let v lead from there sideways to T
 * (Δe' in the paper). At the depth x below T the line is at v + p x from T, so that it enters where
 *
 *     |v + p x| = f x,   or   c x² - 2 (v·p) x - |v|² = 0,   c = f² - |p|² >= 0.
 *
 * The positive root, written without cancellation, with r = √((v·p)² + c|v|²), is
 *
 *     x = |v|² / (r - v·p)   if v·p <= 0,   else   x = (r + v·p) / c.          [lines 34, 37: ζ* = ζ - x]
 *
 * So the new segment from the cut to T has the slope f to rounding even where the cut is close to T. On a slip segment
 * (|p| = f) c vanishes, and the second form may give infinity or NaN; but the base is known to be inside the cone, and
 * then the cut is at the base. The paper's test |p| = f ± ε and its rule "the old cone simply expands" [lines 28-35]
 * are not needed: the test at the base decides, without any tolerance.
 *
 * The functions take values and have no branches, so that they serve one contact as well as several side by side
 * (lanes/real.h).
 */

/* Is a point inside the cone that lies `depth` below T, with v leading from it sideways to T? */
JAGER_COMPACT_FUNCTION jagerc_truth jagerc_cone_contains(jager_compact_real f, jager_compact_real depth, jagerc_vec2 v)
{
  return (depth > JAGERC(0.0)) & (jagerc_vec2_dot(v, v) < f * f * depth * depth);
}

/*
 * The same for the top of the path, from which an elastic step goes straight to T [line 15]. The squares are rounded
 * differently, which matters only on the edge of the cone; results of earlier versions depend on it.
 */
JAGER_COMPACT_FUNCTION jagerc_truth jagerc_cone_contains_top(jager_compact_real f, jager_compact_real depth,
                                                             jagerc_vec2 v)
{
  jager_compact_real reach = f * depth;
  return (depth > JAGERC(0.0)) & (jagerc_vec2_dot(v, v) < reach * reach);
}

/* A segment as it is seen from T */
typedef struct jagerc_seen_segment {
  jagerc_vec2 p;                /* slope p*ᵢ */
  jager_compact_real end, base; /* heights of its two ends: ζ*ᵢ and ζ*ᵢ₋₁ (or Fn*) */
  jagerc_vec2 v, v_base;        /* from its end and from its base sideways to T */
  jagerc_vec2 v_error;          /* rounding errors of the sums that v has been through, from the top of the path down */
} jagerc_seen_segment;

/* The top segment; v leads from its end sideways to T. */
JAGER_COMPACT_FUNCTION jagerc_seen_segment jagerc_see_top(jagerc_vec2 p, jager_compact_real end,
                                                          jager_compact_real base, jagerc_vec2 v)
{
  jagerc_seen_segment top = {p,
                             end,
                             base,
                             v,
                             jagerc_vec2_add_scaled(v, end - base, p),
                             {jagerc_real_of(JAGERC(0.0)), jagerc_real_of(JAGERC(0.0))}};
  return top;
}

/* The segment below `above`, of slope p, down to `base` */
JAGER_COMPACT_FUNCTION jagerc_seen_segment jagerc_see_below(jagerc_seen_segment above, jagerc_vec2 p,
                                                            jager_compact_real base)
{
  jagerc_vec2 error = jagerc_vec2_add_scaled_error(above.v, above.end - above.base, above.p, above.v_base);
  jagerc_vec2 v_base = jagerc_vec2_add_scaled(above.v_base, above.base - base, p);
  jagerc_seen_segment below = {p, above.base, base, above.v_base, v_base, jagerc_vec2_add(above.v_error, error)};
  return below;
}

/* x of the derivation above; may be infinite or NaN. */
JAGER_COMPACT_FUNCTION jager_compact_real jagerc_cone_entry_depth(jager_compact_real f, jagerc_vec2 p, jagerc_vec2 v)
{
  jager_compact_real v_square = jagerc_vec2_dot(v, v), vp = jagerc_vec2_dot(v, p), c = f * f - jagerc_vec2_dot(p, p);
  jager_compact_real r = jagerc_real_sqrt(jagerc_real_max(jagerc_real_of(JAGERC(0.0)), vp * vp + c * v_square));
  jager_compact_real numerator = JAGERC_choose(vp <= JAGERC(0.0), v_square, r + vp);
  jager_compact_real denominator = JAGERC_choose(vp <= JAGERC(0.0), r - vp, c);
  return JAGERC_choose(v_square > JAGERC(0.0), numerator / denominator, jagerc_real_of(JAGERC(0.0)));
}

/* The height at which the segment, whose base is inside the cone, enters it; between its base and its end. */
JAGER_COMPACT_FUNCTION jager_compact_real jagerc_cone_entry(jager_compact_real f, jager_compact_real target,
                                                            jagerc_seen_segment s)
{
  jagerc_vec2 v_level = jagerc_vec2_add_scaled(s.v, s.end - target, s.p);
  jager_compact_real x = jagerc_cone_entry_depth(f, s.p, v_level), deepest = target - s.base;
  jager_compact_real within = jagerc_real_min(jagerc_real_max(x, target - s.end), deepest);
  return target - JAGERC_choose(x >= JAGERC(0.0), within, deepest);
}

/* From a point of a segment to T */
typedef struct jagerc_cone_way {
  jager_compact_real rise;
  jagerc_vec2 v;       /* sideways */
  jagerc_vec2 v_error; /* rounding errors of the sums that v has been through */
} jagerc_cone_way;

JAGER_COMPACT_FUNCTION jagerc_cone_way jagerc_way_from(jagerc_seen_segment s, jager_compact_real height,
                                                       jager_compact_real target)
{
  jagerc_vec2 v = jagerc_vec2_add_scaled(s.v, s.end - height, s.p);
  jagerc_vec2 error = jagerc_vec2_add_scaled_error(s.v, s.end - height, s.p, v);
  jagerc_cone_way way = {target - height, v, jagerc_vec2_add(s.v_error, error)};
  return way;
}

/* By what a straight segment of slope p misses T: rounding errors, which the next movement makes up for. */
JAGER_COMPACT_FUNCTION jagerc_vec2 jagerc_way_residual(jagerc_cone_way way, jagerc_vec2 p)
{
  return jagerc_vec2_add(way.v_error, jagerc_vec2_add_scaled(way.v, -way.rise, p));
}

/* ==== src/contact/space.h ==== */

/*
 * The two spaces in which the algorithm runs.
 *
 * The history is a path E(z) with the slopes p*; z is the indentation, and E the tangential half-movement over κ. Read
 * against Fn instead of z, the same path is Ft: Ft = Σ p* ΔFn*. So the algorithm finds the force of a movement in the
 * space (z, E), and the movement of a force in the space (Fn, Ft). The height, the first coordinate, is ζ or Fn; the
 * second coordinate is E or Ft.
 */

enum jagerc_space { JAGERC_SPACE_MOVEMENT, JAGERC_SPACE_FORCE };

/* Where a step ends: the point T */
typedef struct jagerc_step_target {
  jager_compact_real zeta, fn; /* of the target, ζ > 0 */
  jagerc_vec2 v;               /* from the top of the history sideways to T: Δξ/κ, or ΔFt */
  enum jagerc_space jagerc_space;
} jagerc_step_target;

/* The height of a point (ζ*, Fn*) */
JAGER_COMPACT_FUNCTION jager_compact_real jagerc_space_height(enum jagerc_space jagerc_space, jager_compact_real zeta,
                                                              jager_compact_real fn)
{
  return jagerc_space == JAGERC_SPACE_FORCE ? fn : zeta;
}

JAGER_COMPACT_FUNCTION jager_compact_real jagerc_target_height(jagerc_step_target t)
{
  return jagerc_space_height(t.jagerc_space, t.zeta, t.fn);
}

/* How far the target lies above the top of the history */
JAGER_COMPACT_FUNCTION jager_compact_real jagerc_target_rise(const jagerc_contact_data *c, jagerc_step_target t)
{
  return jagerc_target_height(t) - jagerc_space_height(t.jagerc_space, c->zeta, c->fn);
}

/* The target of a movement to ζ > 0 and by e = Δξ/κ */
JAGER_COMPACT_FUNCTION jagerc_step_target jagerc_movement_target(const jager_compact_law *law,
                                                                 const jagerc_contact_data *c, jager_compact_real zeta,
                                                                 jagerc_vec2 e)
{
  jager_compact_real fn = jagerc_normal_force(law, c->stiffness, zeta);
  jagerc_step_target t = {zeta, fn, jagerc_vec2_add(e, c->xi_residual), JAGERC_SPACE_MOVEMENT};
  return t;
}

/* ==== src/contact/compact/chords.h ==== */

/*
 * jager/compact.h, third part: a history that has grown by one segment too many loses one.
 *
 * Two neighbours are replaced by their chord. With d the distance between chord and path, the tangential force changes
 * by at most ∫ |d| Fn" dz (docs/theory.md). d is a tent over the middle point b, of the height h, between the base a of
 * the lower and the end c of the upper segment, so that the integral is
 *
 *     h ((Fn(c) - Fn(b)) / (c - b) - (Fn(b) - Fn(a)) / (b - a)).
 *
 * For Fn = C ζ^1.5 and with x = √a, y = √b, z = √c this is h C (c - a) / (z + x) · (xy + yz + zx) / ((x + y) (y + z)),
 * and for Fn = C ζ² it is h C (c - a): no digits cancel. The pair that costs least is taken. Its cost is added to the
 * error bounds of all points from the end of the chord up.
 */

/* Two neighbours, and the chord over both */
typedef struct jagerc_chord {
  jager_compact_word lower;  /* number of the lower segment, from the bottom, from 1 */
  jager_compact_real cost;   /* N */
  jager_compact_real weight; /* of the upper segment in the slope */
  jager_compact_real span;   /* from the base of the lower to the end of the upper segment */
  jagerc_double2 p, bend;    /* slope of the lower segment; upper slope less lower slope */
} jagerc_chord;

/* Segment number k, from the bottom, from 1 */
JAGER_COMPACT_FUNCTION jagerc_history_entry jagerc_segment_at(const jagerc_contact_data *c, jager_compact_word k)
{
  jagerc_history_entry at;
  if (k + 1 == c->length) {
    at.zeta = c->zeta;
    at.p = c->top.p;
  } else if (k + 2 == c->length) {
    at.zeta = c->top.zeta_base;
    at.p = c->second.p;
  } else {
    jagerc_entry_cursor entry = {c->entries, k};
    at.zeta = jagerc_entry_end(entry);
    at.p = jagerc_entry_slope(entry);
  }
  return at;
}

/* The integral over a tent of unit height; x, y, z are the square roots of a, b, c, and span is c - a. */
JAGER_COMPACT_FUNCTION jager_compact_real jagerc_tent_integral(const jager_compact_law *law,
                                                               jager_compact_real stiffness, jager_compact_real x,
                                                               jager_compact_real y, jager_compact_real z,
                                                               jager_compact_real span)
{
  if (law->exponent == JAGERC(2.0))
    return stiffness * (span / (z + x)) * ((x * y + y * z + z * x) / ((x + y) * (y + z)));
  return stiffness * span;
}

JAGER_COMPACT_FUNCTION jagerc_chord jagerc_cheapest_chord(const jager_compact_law *law, const jagerc_contact_data *c)
{
  jagerc_chord best = {
      0, JAGERC(0.0), JAGERC(0.0), JAGERC(0.0), {JAGERC(0.0), JAGERC(0.0)}, {JAGERC(0.0), JAGERC(0.0)}};
  jagerc_history_entry lower = jagerc_segment_at(c, 1);
  jager_compact_real base = JAGERC(0.0), x = JAGERC(0.0), y = jagerc_real_sqrt(lower.zeta);
  for (jager_compact_word k = 1; k + 1 < c->length; k++) {
    const jagerc_history_entry upper = jagerc_segment_at(c, k + 1);
    const jagerc_vec2 bend = jagerc_vec2_subtract(upper.p, lower.p);
    const jager_compact_real z = jagerc_real_sqrt(upper.zeta), span = upper.zeta - base,
                             weight = (upper.zeta - lower.zeta) / span;
    const jager_compact_real height = jagerc_vec2_length(bend) * (lower.zeta - base) * weight;
    const jager_compact_real cost = height * jagerc_tent_integral(law, c->stiffness, x, y, z, span);
    if (best.lower == 0 || cost < best.cost) {
      best.lower = k;
      best.cost = cost;
      best.weight = weight;
      best.span = span;
      best.p = lower.p;
      best.bend = bend;
    }
    base = lower.zeta;
    x = y;
    y = z;
    lower = upper;
  }
  return best;
}

JAGER_COMPACT_FUNCTION jager_compact_word jagerc_raised_bound(jager_compact_word bound, jager_compact_real cost)
{
  return jagerc_double_high32_above(jagerc_double_from_high32(bound) + cost);
}

/* Entry number `lower` - 1 goes, those above it move down. The second segment may begin at a lower entry now. */
JAGER_COMPACT_FUNCTION void jagerc_remove_entry(const jager_compact_law *law, jagerc_contact_data *c,
                                                jager_compact_word lower)
{
  for (jager_compact_word k = lower; k < c->fill; k++) {
    c->entries->zeta[k - 1] = c->entries->zeta[k];
    c->entries->slope[k - 1][0] = c->entries->slope[k][0];
    c->entries->slope[k - 1][1] = c->entries->slope[k][1];
    c->entries->bound[k - 1] = c->entries->bound[k];
  }
  c->fill--;
  jagerc_count_dropped_point(c);
  c->second.zeta_base = jagerc_entry_end(jagerc_entry_cursor_top(c));
  c->second.fn_base = jagerc_normal_force(law, c->stiffness, c->second.zeta_base);
}

/*
 * The chord takes the place of its two segments. What rounding its slope moves the end of the path by is made up for.
 */
JAGER_COMPACT_FUNCTION void jagerc_put_chord(const jager_compact_law *law, jager_compact *pool, jagerc_contact_data *c,
                                             jagerc_chord of)
{
  jagerc_vec2 p = jagerc_vec2_add_scaled(of.p, of.weight, of.bend);
  p = jagerc_vec2_of(jagerc_stored(p.x), jagerc_stored(p.y));
  const jagerc_vec2 lost = jagerc_vec2_subtract(jagerc_vec2_subtract(of.p, p),
                                                jagerc_vec2_of(-of.weight * of.bend.x, -of.weight * of.bend.y));
  c->xi_residual = jagerc_vec2_add_scaled(c->xi_residual, of.span, lost);
  c->error_bound.top = jagerc_raised_bound(c->error_bound.top, of.cost);
  if (of.lower + 2 == c->length) { /* the second segment and the top */
    jagerc_history_drop_second(law, pool, c);
    c->top.p = p;
    return;
  }
  c->error_bound.second = jagerc_raised_bound(c->error_bound.second, of.cost);
  jagerc_remove_entry(law, c, of.lower);
  if (of.lower > c->fill) { /* the topmost entry and the second segment */
    c->second.p = p;
  } else {
    jagerc_entry_cursor chord_entry = {c->entries, of.lower};
    jagerc_set_entry_slope(chord_entry, p);
  }
  for (jager_compact_word k = of.lower; k <= c->fill; k++)
    c->entries->bound[k - 1] = jagerc_raised_bound(c->entries->bound[k - 1], of.cost);
  jagerc_sum_anchor(law, c);
}

/* Called after each step that has added a segment. */
JAGER_COMPACT_FUNCTION void jagerc_shorten_if_due(const jager_compact_law *law, jager_compact *pool,
                                                  jagerc_contact_data *c)
{
  if (c->length > JAGER_COMPACT_POINTS + 1)
    jagerc_put_chord(law, pool, c, jagerc_cheapest_chord(law, c));
}

/* A cut in the second segment adds none. */
JAGER_COMPACT_FUNCTION bool jagerc_has_grown_long(const jagerc_contact_data *c)
{
  (void)c;
  return false;
}

/* Only equal slopes are merged. */
JAGER_COMPACT_FUNCTION bool jagerc_may_merge(const jager_compact_law *law, jagerc_vec2 p, jagerc_vec2 q)
{
  (void)law;
  return p.x == q.x && p.y == q.y;
}

/* Steps are movements only. */
JAGER_COMPACT_FUNCTION jager_compact_real jagerc_space_zeta(const jager_compact_law *law, const jagerc_contact_data *c,
                                                            enum jagerc_space jagerc_space, jager_compact_real height)
{
  (void)law;
  (void)c;
  (void)jagerc_space;
  return height;
}

/* ==== src/contact/tolerance.h ==== */

/*
 * Histories kept short: the account of the tolerance.
 *
 * A tolerance τ > 0 lets the path differ from the exact one by δ(z). Then Ft is wrong by |∫ δ Fn" dz|, at most by ∫ |δ|
 * Fn" dz, which movements along a line cannot increase (docs/theory.md). The error bound of a segment is an upper bound
 * of this integral from 0 to the end of the segment: a force. By how much it grows over a segment is the segment's
 * share. The path is simplified only where the bound stays below τ f Fn, with Fn taken at the base of the simplified
 * segment and at the bases of all segments above it that have a share. So the error of Ft is at most τ f Fn, now and
 * after any unloading.
 */

/* ---- Two segments made one --------------------------------------------------------------------------------------- */

/*
 * Joins the top segment, cut at (zeta_cut, fn_cut), and a segment of slope *p from there to zeta_end into one, if the
 * tolerance allows: *p becomes the slope of both.
 */
JAGER_COMPACT_FUNCTION bool jagerc_join_top(const jager_compact_law *law, jagerc_contact_data *c,
                                            jager_compact_real zeta_cut, jager_compact_real fn_cut,
                                            jager_compact_real zeta_end, jagerc_vec2 *p)
{
  jagerc_vec2 lower = c->top.p, bend = jagerc_vec2_subtract(*p, lower);
  if (jagerc_vec2_is_zero(bend)) /* the top segment only grows */
    return true;
  if (c->length == 2 || !(c->top.fn_base > JAGERC(0.0))) /* at ζ = 0 the tolerance is zero */
    return false;
  jagerc_tent t =
      jagerc_tent_of(jagerc_curvature_factor(law), bend, c->top.zeta_base, c->top.fn_base, zeta_cut, fn_cut, zeta_end);
  jager_compact_real below = jagerc_double_from_high32(c->error_bound.second),
                     bound = jagerc_double_from_high32(c->error_bound.top) + t.cost;
  if (!jagerc_tent_is_allowed(law->tolerance * law->friction, c->top.fn_base, below, bound))
    return false;
  c->error_bound.top = jagerc_double_high32_above(bound);
  *p = jagerc_vec2_add_scaled(lower, t.weight, bend);
  return true;
}

/* ---- The bounds of dropped segments ------------------------------------------------------------------------------ */

JAGER_COMPACT_FUNCTION jager_compact_real jagerc_slip_factor(const jager_compact_law *law)
{
  return jagerc_slip_factor_of(law->exponent, law->friction);
}

/* Shares of the top and of the second segment */
JAGER_COMPACT_FUNCTION jager_compact_real jagerc_top_share(const jagerc_contact_data *c)
{
  return jagerc_double_from_high32(c->error_bound.top) - jagerc_double_from_high32(c->error_bound.second);
}

JAGER_COMPACT_FUNCTION jager_compact_real jagerc_second_share(const jagerc_contact_data *c)
{
  return jagerc_double_from_high32(c->error_bound.second) -
         jagerc_double_from_high32(jagerc_error_bound_below_second(c));
}

/* The shares of the segments that a step has dropped, and how much of them the slip leaves */
typedef struct jagerc_dropped_shares {
  jager_compact_real sum, left;
} jagerc_dropped_shares;

/*
 * A segment is dropped whose base lies `depth` below the target. Only movements reduce the bound; a step in the space
 * of forces keeps it.
 */
JAGER_COMPACT_FUNCTION void jagerc_drop_share(const jager_compact_law *law, const jagerc_contact_data *c,
                                              jager_compact_real share, bool reduces, jagerc_vec2 v_base,
                                              jager_compact_real depth, jagerc_dropped_shares *dropped)
{
  dropped->sum += share;
  dropped->left += share;
  if (dropped->left > JAGERC(0.0) && reduces && (JAGERC_SIZE_IS_FIXED || law->tolerance > JAGERC(0.0))) {
    jager_compact_real left =
        jagerc_bound_after_slip(jagerc_slip_factor(law), law->friction, dropped->sum, c->zeta, c->fn, v_base, depth);
    dropped->left = jagerc_real_min(dropped->left, left);
  }
}

/* The second segment is cut under a new top: it keeps its bound, and the new top adds what the dropped shares leave. */
JAGER_COMPACT_FUNCTION void jagerc_set_bound_of_new_top(jagerc_contact_data *c, jager_compact_real left)
{
  jager_compact_word second = c->error_bound.second;
  c->error_bound.top =
      left > JAGERC(0.0) ? jagerc_double_high32_above(jagerc_double_from_high32(second) + left) : second;
}

/* ==== src/contact/path.h ==== */

/*
 * The parts of the algorithm that change the path: giving up segments from the top down, cutting one, sliding, merging.
 * i is the number of the segment that the walk has reached, as in the paper; numbers in brackets are lines of its
 * listing.
 */

/* ---- Walking down ------------------------------------------------------------------------------------------------ */

/* The segment i that the walk has reached: the top, or the second segment once the top is given up */
typedef struct jagerc_path_walk {
  jagerc_seen_segment i;
  bool in_second;
  jagerc_dropped_shares dropped;
} jagerc_path_walk;

JAGER_COMPACT_FUNCTION jagerc_path_walk jagerc_walk_from_top(const jagerc_contact_data *c, jagerc_step_target t)
{
  jager_compact_real end = jagerc_space_height(t.jagerc_space, c->zeta, c->fn);
  jager_compact_real base = jagerc_space_height(t.jagerc_space, c->top.zeta_base, c->top.fn_base);
  jagerc_path_walk w = {jagerc_see_top(c->top.p, end, base, t.v), false, {JAGERC(0.0), JAGERC(0.0)}};
  return w;
}

/* Is i the lowest segment, i = 1? */
JAGER_COMPACT_FUNCTION bool jagerc_is_last(const jagerc_contact_data *c, const jagerc_path_walk *w)
{
  return c->length == (w->in_second ? 3 : 2);
}

/*
 * Gives segment i up: i = i - 1. The top segment stays in place until set_top overwrites it: giving it up only sets
 * in_second. [50-53]
 */
JAGER_COMPACT_FUNCTION void jagerc_drop(const jager_compact_law *law, jager_compact *pool, jagerc_contact_data *c,
                                        jagerc_step_target t, jagerc_path_walk *w)
{
  if (c->error_bound.top > 0)
    jagerc_drop_share(law, c, w->in_second ? jagerc_second_share(c) : jagerc_top_share(c),
                      t.jagerc_space == JAGERC_SPACE_MOVEMENT, w->i.v_base, jagerc_target_height(t) - w->i.base,
                      &w->dropped);
  if (w->in_second)
    jagerc_history_drop_second(law, pool, c);
  w->in_second = true;
  w->i =
      jagerc_see_below(w->i, c->second.p, jagerc_space_height(t.jagerc_space, c->second.zeta_base, c->second.fn_base));
}

/* Gross sliding: the path is one segment along the cone from 0, |p| = f, and exact again. */
JAGER_COMPACT_FUNCTION void jagerc_slide(const jager_compact_law *law, jager_compact *pool, jagerc_contact_data *c,
                                         jagerc_step_target t, jagerc_vec2 p)
{
  if (c->length > 2)
    jagerc_history_drop_second(law, pool, c);
  JAGER_COMPACT_ASSERT(c->length == 2);
  jagerc_set_top(c, t.zeta, t.fn, p, jagerc_vec2_of(JAGERC(0.0), JAGERC(0.0)));
  c->error_bound.top = 0;
  c->state = JAGER_COMPACT_SLIDE;
}

/* ---- Cutting ----------------------------------------------------------------------------------------------------- */

/* Where segment i is cut, and the new segment from there to T */
typedef struct jagerc_slip_cut {
  bool in_second;                /* i is the second segment; the top has been given up */
  bool whole;                    /* no part of i is left */
  jager_compact_real zeta, fn;   /* ζ*, Fn* of the cut */
  jagerc_vec2 p, xi_residual;    /* of the new segment */
  jager_compact_real bound_left; /* by the dropped segments */
} jagerc_slip_cut;

/* Segment i has its base inside the cone: cut it at ζ* where it enters, and go to T along the cone. [60-65] */
JAGER_COMPACT_FUNCTION jagerc_slip_cut jagerc_find_cut(const jager_compact_law *law, const jagerc_contact_data *c,
                                                       jagerc_step_target t, const jagerc_path_walk *w)
{
  const jager_compact_real target = jagerc_target_height(t), entry = jagerc_cone_entry(law->friction, target, w->i);
  JAGER_COMPACT_ASSERT(jagerc_real_abs(entry - w->i.base) <=
                       w->i.end - w->i.base + JAGERC(1e-15) * (target + w->i.end));
  const jager_compact_real zeta = jagerc_space_zeta(law, c, t.jagerc_space, entry);
  const jager_compact_real zeta_base = w->in_second ? c->second.zeta_base : c->top.zeta_base;
  const bool back = zeta >= t.zeta;             /* straight back along segment i, which becomes shorter */
  const bool whole = back || zeta <= zeta_base; /* or the cut is rounded to its base */
  jagerc_cone_way way = jagerc_way_from(w->i, back ? target : whole ? w->i.base : entry, target);
  if (back)
    way.v_error = w->i.v_error;
  jagerc_vec2 p = back ? w->i.p : jagerc_vec2_with_length(way.v, law->friction); /* [62, 65] */
  const jager_compact_real fn = whole ? JAGERC(0.0) : jagerc_normal_force(law, c->stiffness, zeta);
  const jagerc_vec2 residual =
      t.jagerc_space == JAGERC_SPACE_MOVEMENT ? jagerc_way_residual(way, p) : jagerc_vec2_of(JAGERC(0.0), JAGERC(0.0));
  jagerc_slip_cut cut = {w->in_second, whole, zeta, fn, p, residual, w->dropped.left};
  return cut;
}

/* Cuts segment i, and joins the rest of it with the new segment or puts that on it. [49-51, 57, 67-71] */
JAGER_COMPACT_FUNCTION bool jagerc_slip(const jager_compact_law *law, jager_compact *pool, jagerc_contact_data *c,
                                        jagerc_step_target t, jagerc_slip_cut cut)
{
  if (cut.in_second) {
    jagerc_set_bound_of_new_top(c, cut.bound_left);
    if (cut.whole)
      jagerc_history_drop_second(law, pool, c);
    else
      jagerc_set_top_base(c, cut.zeta, cut.fn);
  } else if (!cut.whole) {
    bool tolerant = t.jagerc_space == JAGERC_SPACE_MOVEMENT && law->tolerance > JAGERC(0.0);
    if (!(tolerant && jagerc_join_top(law, c, cut.zeta, cut.fn, t.zeta, &cut.p)) &&
        !jagerc_history_push(pool, c, cut.zeta, cut.fn))
      return false;
  }
  jagerc_set_top(c, t.zeta, t.fn, cut.p, cut.xi_residual);
  c->state = JAGER_COMPACT_SLIP;
  /* a cut in the second segment adds no point: only a history that was long before is shortened then */
  if (t.jagerc_space == JAGERC_SPACE_MOVEMENT && (!cut.in_second || jagerc_has_grown_long(c)))
    jagerc_shorten_if_due(law, pool, c);
  return true;
}

/* ---- Merging: without loss for equal slopes, and as the paper does for elastic segments within dp_max [72-81] ---- */

/* The mean slope of two segments, weighted with ΔFn so that Ft stays [lines 76-78] */
JAGER_COMPACT_FUNCTION jagerc_vec2 jagerc_mean_slope(jager_compact_real fn_base, jagerc_vec2 lower,
                                                     jager_compact_real fn_middle, jagerc_vec2 upper,
                                                     jager_compact_real fn_end)
{
  if (!(fn_end > fn_base)) /* ζ has risen by a rounding unit, and Fn has not */
    return upper;
  jager_compact_real weight = (fn_end - fn_middle) / (fn_end - fn_base);
  return jagerc_vec2_add_scaled(lower, weight, jagerc_vec2_subtract(upper, lower));
}

/* Merges a new segment of slope *p, up to Fn, with the top and then with the segments below it, as far as they may. */
JAGER_COMPACT_FUNCTION bool jagerc_merge_top(const jager_compact_law *law, jager_compact *pool, jagerc_contact_data *c,
                                             jager_compact_real fn, jagerc_vec2 *p)
{
  if (!jagerc_may_merge(law, c->top.p, *p))
    return false;
  *p = jagerc_mean_slope(c->top.fn_base, c->top.p, c->fn, *p, fn);
  while (c->length > 2 && jagerc_may_merge(law, c->second.p, *p)) {
    *p = jagerc_mean_slope(c->second.fn_base, c->second.p, c->top.fn_base, *p, fn);
    jagerc_history_drop_second(law, pool, c);
  }
  return true;
}

/* ==== src/contact/algorithm.h ==== */

/*
 * One step of the Jäger contact: the algorithm of M. R. Kuhn, "Implementation of the Jäger contact model for discrete
 * element simulations". Numbers in brackets are lines of the paper's listing. Its symbols: ζ (zeta) and ξ (xi) are half
 * the approach and half the tangential shift of the two bodies, κ the ratio of normal to tangential stiffness, f the
 * friction coefficient, Fn and Ft the forces; * marks a point of the history.
 *
 * The history is a path E(z) = ∫ p* dz, z from 0 to ζ: straight segments with slopes p*, |p*| <= f (history.h). E is a
 * tangential half-movement over κ. A movement by (Δζ, Δξ) puts a target T = (ζ, E(ζ) + Δξ/κ). From T a cone of slope f
 * opens downward (cone.h). v leads from a point of the path sideways to T, in units of E.
 *
 *   - The top of the path is inside the cone: the step is elastic, and one segment leads straight to T.        [15-18]
 *   - Otherwise the contact slips. Walk down the path to the point where it enters the cone, cut it there, and go to T
 *     along the cone. What was above the cut, the slip annulus, is forgotten.                                  [22-71]
 *   - The path enters the cone nowhere, not even at z = 0: gross sliding.                                      [22-23]
 *
 * A step in the space of forces is the same with Fn in place of ζ and Ft in place of E (space.h). The operations on the
 * path are in path.h; its storage in history.h; rounding errors in compensated.h; the tolerance in tolerance.h. Lines
 * 1-14 of the listing (frames, separation, Fn) are in frame.c and contact.c.
 */

/* Is the step elastic: is the top of the history inside the cone? [15] */
JAGER_COMPACT_FUNCTION bool jagerc_step_is_elastic(const jager_compact_law *law, const jagerc_contact_data *c,
                                                   jagerc_step_target t)
{
  return jagerc_cone_contains_top(law->friction, jagerc_target_rise(c, t), t.v);
}

/*
 * Elastic: p = Δξ/(κΔζ); a new segment from the top to T, unless it can be made one with the top segment: join_top
 * within the tolerance, merge_top for equal slopes and by dp_max. [16-18, 72-81]
 */
JAGER_COMPACT_FUNCTION bool jagerc_step_elastic(const jager_compact_law *law, jager_compact *pool,
                                                jagerc_contact_data *c, jagerc_step_target t)
{
  jagerc_vec2 p = jagerc_vec2_divide(t.v, jagerc_target_rise(c, t));
  const bool tolerant = t.jagerc_space == JAGERC_SPACE_MOVEMENT && law->tolerance > JAGERC(0.0);
  bool joined =
      tolerant ? jagerc_join_top(law, c, c->zeta, c->fn, t.zeta, &p) : jagerc_merge_top(law, pool, c, t.fn, &p);
  if (!joined && !jagerc_history_push(pool, c, c->zeta, c->fn))
    return false;
  jagerc_set_top(c, t.zeta, t.fn, p, jagerc_vec2_of(JAGERC(0.0), JAGERC(0.0)));
  c->state = JAGER_COMPACT_ELASTIC;
  if (tolerant || JAGERC_SIZE_IS_FIXED)
    jagerc_shorten_if_due(law, pool, c);
  return true;
}

/*
 * A touching contact steps to T. *zeta_slip becomes the ζ* above which it has slipped: ζ if it was elastic, 0 if it
 * slid. False: out of memory, and nothing has changed. Only a push can fail, and a step pushes only if it is elastic or
 * cuts the top segment; then it has dropped nothing.
 */
JAGER_COMPACT_FUNCTION bool jagerc_step(const jager_compact_law *law, jager_compact *pool, jagerc_contact_data *c,
                                        jagerc_step_target t, jager_compact_real *zeta_slip)
{
  const jager_compact_real f = law->friction;
  if (jagerc_step_is_elastic(law, c, t)) { /* [15-18] */
    *zeta_slip = t.zeta;
    return jagerc_step_elastic(law, pool, c, t);
  }
  jagerc_path_walk w =
      jagerc_walk_from_top(c, t); /* w.i: segment i as seen from T; v_base leads from its base sideways to T */
  while (!jagerc_cone_contains(f, jagerc_target_height(t) - w.i.base, w.i.v_base)) { /* [22-59] */
    if (jagerc_is_last(c, &w)) { /* not even the point 0 is inside */
      *zeta_slip = JAGERC(0.0);
      jagerc_slide(law, pool, c, t, jagerc_vec2_with_length(w.i.v_base, f));
      return true;
    }
    jagerc_drop(law, pool, c, t, &w);
  }
  jagerc_slip_cut cut = jagerc_find_cut(law, c, t, &w); /* [60-65] */
  *zeta_slip = cut.zeta;
  return jagerc_slip(law, pool, c, t, cut); /* [67-71] */
}

/* First touch: the path is the point 0, and one segment leads from there to T. */
JAGER_COMPACT_FUNCTION void jagerc_step_first(const jager_compact_law *law, jagerc_contact_data *c,
                                              jagerc_step_target t, jager_compact_real *zeta_slip)
{
  jager_compact_real height = jagerc_target_height(t);
  bool elastic = jagerc_cone_contains_top(law->friction, height, t.v);
  *zeta_slip = elastic ? t.zeta : JAGERC(0.0);
  c->error_bound.top = c->error_bound.second = 0;
  jagerc_count_first_point(c);
  c->state = elastic ? JAGER_COMPACT_ELASTIC : JAGER_COMPACT_SLIDE;
  jagerc_vec2 p = elastic ? jagerc_vec2_divide(t.v, height) : jagerc_vec2_with_length(t.v, law->friction);
  jagerc_set_top(c, t.zeta, t.fn, p, jagerc_vec2_of(JAGERC(0.0), JAGERC(0.0)));
}

/* ==== src/contact/movement.h ==== */

/* What the movements of one contact (contact.c), of many (batch.c) and those with energies (move_energy.c) share. */

/* e = Δξ/κ of the part of the movement in which the bodies touch: they may touch or separate on the way. */
JAGER_COMPACT_FUNCTION jagerc_vec2 jagerc_shift_while_touching(const jager_compact_law *law,
                                                               const jagerc_contact_data *c, jager_compact_real zeta,
                                                               const jager_compact_real dxi[2])
{
  jager_compact_real from = c->zeta, factor = law->inverse_kappa;
  if (from < JAGERC(0.0) && zeta > JAGERC(0.0))
    factor *= zeta / (zeta - from);
  else if (from > JAGERC(0.0) && zeta < JAGERC(0.0))
    factor *= from / (from - zeta);
  return jagerc_vec2_of(dxi[0] * factor, dxi[1] * factor);
}

/* ---- Friction that has fallen ------------------------------------------------------------------------------------ */

JAGER_COMPACT_FUNCTION jagerc_vec2 jagerc_clamp_slope(jagerc_vec2 p, jager_compact_real friction)
{
  return jagerc_vec2_dot(p, p) > friction * friction ? jagerc_vec2_with_length(p, friction) : p;
}

/* Reduces the slopes of all segments below the top to f, each in its own direction. */
JAGER_COMPACT_FUNCTION void jagerc_clamp_slopes(const jager_compact_law *law, jagerc_contact_data *c)
{
  c->second.p = jagerc_clamp_slope(c->second.p, law->friction);
  for (jagerc_entry_cursor at = jagerc_entry_cursor_top(c); jagerc_entry_exists(at); jagerc_entry_cursor_descend(&at))
    jagerc_set_entry_slope(at, jagerc_clamp_slope(jagerc_entry_slope(at), law->friction));
  jagerc_sum_anchor(law, c);
}

/*
 * The contact slips where it stands until the lower friction holds it: a step without movement. Segments below the cut
 * may still be steeper than the new f. They are clamped, because the algorithm relies on |p*| <= f. The step is exact:
 * a chord over segments that are still too steep would be too steep itself.
 */
JAGER_COMPACT_FUNCTION bool jagerc_lower_friction(const jager_compact_law *law, jager_compact *pool,
                                                  jagerc_contact_data *c)
{
  const jager_compact_word state = c->state;
  jager_compact_real zeta_slip;
  jager_compact_law exact = *law;
  exact.tolerance = JAGERC(0.0);
  const jagerc_step_target here = {c->zeta, c->fn, {JAGERC(0.0), JAGERC(0.0)}, JAGERC_SPACE_MOVEMENT};
  if (!jagerc_step(&exact, pool, c, here, &zeta_slip))
    return false;
  jagerc_clamp_slopes(law, c);
  if (zeta_slip >= c->zeta) /* the contact has held */
    c->state = state;
  c->friction = law->friction;
  return true;
}

/* ---- Stiffness that changes -------------------------------------------------------------------------------------- */

/* Error bounds are forces and grow with them; rounded up, they keep their order. */
JAGER_COMPACT_FUNCTION jager_compact_word jagerc_scale_bound(jager_compact_word bound, jager_compact_real factor)
{
  return jagerc_double_high32_above(factor * jagerc_double_from_high32(bound));
}

JAGER_COMPACT_FUNCTION void jagerc_scale_bounds(jagerc_contact_data *c, jager_compact_real factor)
{
  if (c->error_bound.top == 0)
    return;
  c->error_bound.top = jagerc_scale_bound(c->error_bound.top, factor);
  c->error_bound.second = jagerc_scale_bound(c->error_bound.second, factor);
  for (jagerc_entry_cursor at = jagerc_entry_cursor_top(c); jagerc_entry_exists(at); jagerc_entry_cursor_descend(&at))
    *jagerc_entry_error_bound(at) = jagerc_scale_bound(*jagerc_entry_error_bound(at), factor);
}

/* The points of the history stay, and the forces become those of the new stiffness. */
JAGER_COMPACT_FUNCTION void jagerc_set_stiffness(const jager_compact_law *law, jagerc_contact_data *c,
                                                 jager_compact_real stiffness)
{
  const jager_compact_real factor = stiffness / c->stiffness;
  c->stiffness = stiffness;
  if (!(c->zeta > JAGERC(0.0)))
    return;
  c->fn = jagerc_normal_force(law, stiffness, c->zeta);
  c->top.fn_base = jagerc_normal_force(law, stiffness, c->top.zeta_base);
  c->second.fn_base = jagerc_normal_force(law, stiffness, c->second.zeta_base);
  jagerc_scale_bounds(c, factor);
  jagerc_sum_anchor(law, c);
}

/* ==== include/jager/pair.h ==== */

/*
 * Pairs of spheres in space: from their positions and rotations to the movement of their contact, from the force of the
 * contact back to forces and torques, and dashpots. All are inline functions of plain numbers, for loops over many
 * pairs that compilers vectorise; jager_frame_step in jager/jager.h does the same for one pair with checked arguments,
 * for rotations of any size, and for walls.
 *
 * Movements follow from positions and rotations, not from velocities. With the branch l = x_q - x_p, its length d and
 * n = l/d, before (0) and after the step,
 *
 *     ζ = (R_p + R_q - d) / 2,
 *     2Δξ = the part across n of  l - l0 - (h_p θ_p + h_q θ_q) × b,      b = (n0 + n) / 2,
 *
 * with arms h = R - (ζ0 + ζ)/2 to the middle of the overlap and Cayley's vectors θ of the rotations.
 *
 * The derivation: the finite rotation by the vector φ is Cayley's transform of θ = 2 tan(|φ|/2) φ/|φ|, that is
 * x - x0 = θ × (x + x0)/2. As h_p + h_q is the mean distance, the branch changes by
 *
 *     l - l0 = (d - d0) b + (h_p + h_q) (n - n0),
 *
 * and n - n0 = θ × b when the pair turns as one rigid body: the difference is along b, however far the pair turns and
 * however fast it closes. For all other movements, b, the arms and the axes are means of before and after: the error of
 * a step is of third order, and that of a path of second.
 *
 * The local axes of a pair are n, a tangent e and f = n × e; of these only e is kept from step to step. The axes follow
 * the normal (they tumble) and rotate about it by the mean spin (they twirl). The rotation that takes n0 to n takes a
 * vector e across n0 to e - (e·n) (n0 + n)/(1 + n0·n). The result is across n to rounding for any e: the axes cannot
 * drift away from the normal.
 */

/* ---- Vectors --------------------------------------------------------------------------------------------------- */

/* A vector in space. */
typedef struct jager_compact_vec3 {
  jager_compact_real x; /* first component */
  jager_compact_real y; /* second */
  jager_compact_real z; /* third */
} jager_compact_vec3;

/* a + b */
JAGER_COMPACT_FUNCTION jager_compact_vec3 jager_compact_vec3_add(jager_compact_vec3 a, jager_compact_vec3 b)
{
  jager_compact_vec3 sum = {a.x + b.x, a.y + b.y, a.z + b.z};
  return sum;
}

/* a - b */
JAGER_COMPACT_FUNCTION jager_compact_vec3 jager_compact_vec3_subtract(jager_compact_vec3 a, jager_compact_vec3 b)
{
  jager_compact_vec3 difference = {a.x - b.x, a.y - b.y, a.z - b.z};
  return difference;
}

/* s a */
JAGER_COMPACT_FUNCTION jager_compact_vec3 jager_compact_vec3_scale(jager_compact_real s, jager_compact_vec3 a)
{
  jager_compact_vec3 scaled = {s * a.x, s * a.y, s * a.z};
  return scaled;
}

/* a + s b */
JAGER_COMPACT_FUNCTION jager_compact_vec3 jager_compact_vec3_add_scaled(jager_compact_vec3 a, jager_compact_real s,
                                                                        jager_compact_vec3 b)
{
  jager_compact_vec3 sum = {a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
  return sum;
}

/* a · b */
JAGER_COMPACT_FUNCTION jager_compact_real jager_compact_vec3_dot(jager_compact_vec3 a, jager_compact_vec3 b)
{
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

/* a × b */
JAGER_COMPACT_FUNCTION jager_compact_vec3 jager_compact_vec3_cross(jager_compact_vec3 a, jager_compact_vec3 b)
{
  jager_compact_vec3 product = {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
  return product;
}

/* |a| */
JAGER_COMPACT_FUNCTION jager_compact_real jager_compact_vec3_length(jager_compact_vec3 a)
{
  return jagerc_real_sqrt(jager_compact_vec3_dot(a, a));
}

#if !defined(JAGER_REAL)
/* A unit vector across the unit vector n: a first tangent for a new contact. */
JAGER_COMPACT_FUNCTION jager_compact_vec3 jager_compact_vec3_across(jager_compact_vec3 n)
{
  jager_compact_vec3 x = {JAGERC(1.0), JAGERC(0.0), JAGERC(0.0)}, y = {JAGERC(0.0), JAGERC(1.0), JAGERC(0.0)};
  jager_compact_vec3 across = jager_compact_vec3_cross(n, jagerc_real_abs(n.x) < JAGERC(0.6) ? x : y);
  return jager_compact_vec3_scale(JAGERC(1.0) / jager_compact_vec3_length(across), across);
}
#endif

/* ---- Kinematics ------------------------------------------------------------------------------------------------ */

/* Arm of a sphere: from its centre to the middle of the overlap, on average over the step. */
JAGER_COMPACT_FUNCTION jager_compact_real jager_compact_pair_arm(jager_compact_real radius, jager_compact_real zeta0,
                                                                 jager_compact_real zeta)
{
  return radius - JAGERC(0.5) * (zeta0 + zeta);
}

/*
 * The relative movement of the two surfaces at the contact: `shift` less the part that the rotations cause. `mean` is
 * b.
 */
JAGER_COMPACT_FUNCTION jager_compact_vec3
jager_compact_pair_surface_shift(jager_compact_vec3 shift, jager_compact_real arm_p, jager_compact_vec3 turn_p,
                                 jager_compact_real arm_q, jager_compact_vec3 turn_q, jager_compact_vec3 mean)
{
  jager_compact_vec3 turned =
      jager_compact_vec3_add(jager_compact_vec3_scale(arm_p, turn_p), jager_compact_vec3_scale(arm_q, turn_q));
  return jager_compact_vec3_subtract(shift, jager_compact_vec3_cross(turned, mean));
}

/* The mean spin about b: 2 tan(ψ/2) of the angle ψ by which the axes twirl. */
JAGER_COMPACT_FUNCTION jager_compact_real jager_compact_pair_twirl(jager_compact_vec3 turn_p, jager_compact_vec3 turn_q,
                                                                   jager_compact_vec3 mean)
{
  return JAGERC(0.5) * jager_compact_vec3_dot(jager_compact_vec3_add(turn_p, turn_q), mean);
}

/*
 * Cayley's vector of a rotation vector, 2 tan(|φ|/2) φ/|φ|, to fourth order: for steps that turn by less than a degree.
 */
JAGER_COMPACT_FUNCTION jager_compact_vec3 jager_compact_pair_cayley(jager_compact_vec3 rotation)
{
  return jager_compact_vec3_scale(
      JAGERC(1.0) + jager_compact_vec3_dot(rotation, rotation) * (JAGERC(1.0) / JAGERC(12.0)), rotation);
}

/* Two spheres in a step. */
typedef struct jager_compact_pair_spheres {
  jager_compact_real radius_p; /* m */
  jager_compact_real radius_q; /* m */
  jager_compact_vec3 turn_p;   /* Cayley's vector of the rotation of p in the step */
  jager_compact_vec3 turn_q;   /* Cayley's vector of the rotation of q in the step */
} jager_compact_pair_spheres;

/* The movement of their contact, and the local axes after it. */
typedef struct jager_compact_pair_movement {
  jager_compact_real zeta0;  /* ζ before, m */
  jager_compact_real zeta;   /* ζ after, m */
  jager_compact_real dxi[2]; /* change of ξ, m */
  jager_compact_vec3 n;      /* unit normal after, from p to q */
  jager_compact_vec3 e;      /* first tangent after */
  jager_compact_vec3 f;      /* second tangent after */
} jager_compact_pair_movement;

/*
 * The movement of a step, from the branch and the first tangent before it and the branch after it; `square` is the
 * square of the length of the latter, which the caller knows from testing for contact.
 */
JAGER_COMPACT_FUNCTION jager_compact_pair_movement jager_compact_pair_move(const jager_compact_pair_spheres *of,
                                                                           jager_compact_vec3 branch0,
                                                                           jager_compact_vec3 e0,
                                                                           jager_compact_vec3 branch,
                                                                           jager_compact_real square)
{
  jager_compact_real distance = jagerc_real_sqrt(square), radii = of->radius_p + of->radius_q;
  jager_compact_real distance0 = jager_compact_vec3_length(branch0), zeta0 = JAGERC(0.5) * (radii - distance0),
                     zeta = JAGERC(0.5) * (radii - distance);
  jager_compact_vec3 n0 = jager_compact_vec3_scale(JAGERC(1.0) / distance0, branch0),
                     n = jager_compact_vec3_scale(JAGERC(1.0) / distance, branch);
  jager_compact_vec3 sum = jager_compact_vec3_add(n0, n),
                     mean = jager_compact_vec3_scale(jagerc_real_of(JAGERC(0.5)), sum);
  jager_compact_real arm_p = jager_compact_pair_arm(of->radius_p, zeta0, zeta),
                     arm_q = jager_compact_pair_arm(of->radius_q, zeta0, zeta);
  jager_compact_vec3 du = jager_compact_pair_surface_shift(jager_compact_vec3_subtract(branch, branch0), arm_p,
                                                           of->turn_p, arm_q, of->turn_q, mean);

  jager_compact_real twirl = jager_compact_pair_twirl(of->turn_p, of->turn_q, mean),
                     cosine = JAGERC(1.0) - JAGERC(0.5) * twirl * twirl;
  jager_compact_vec3 tumbled = jager_compact_vec3_add_scaled(
      e0, -jager_compact_vec3_dot(e0, n) / (JAGERC(1.0) + jager_compact_vec3_dot(n0, n)), sum);
  jager_compact_vec3 across = jager_compact_vec3_cross(n, tumbled);
  jager_compact_vec3 e = jager_compact_vec3_add_scaled(jager_compact_vec3_scale(cosine, tumbled), twirl, across);
  jager_compact_vec3 f = jager_compact_vec3_add_scaled(jager_compact_vec3_scale(cosine, across), -twirl, tumbled);
  jager_compact_vec3 e_mean = jager_compact_vec3_scale(jagerc_real_of(JAGERC(0.5)), jager_compact_vec3_add(e0, e)),
                     f_mean = jager_compact_vec3_cross(mean, e_mean);
  jager_compact_pair_movement movement = {
      zeta0, zeta, {JAGERC(0.5) * jager_compact_vec3_dot(du, e_mean), JAGERC(0.5) * jager_compact_vec3_dot(du, f_mean)},
      n,     e,    f};
  return movement;
}

/* Makes a tangent of nearly unit length a unit vector, by a step of Newton's for 1/√: once in some steps is enough. */
JAGER_COMPACT_FUNCTION jager_compact_vec3 jager_compact_pair_unit(jager_compact_vec3 e)
{
  return jager_compact_vec3_scale(JAGERC(1.5) - JAGERC(0.5) * jager_compact_vec3_dot(e, e), e);
}

/* ---- Forces and torques ---------------------------------------------------------------------------------------- */

/*
 * One component of the force on q, Fn n - Ft1 e - Ft2 f, from the same component of the axes. The force on p is its
 * opposite.
 */
JAGER_COMPACT_FUNCTION jager_compact_real jager_compact_pair_force(jager_compact_real fn, jager_compact_real ft1,
                                                                   jager_compact_real ft2, jager_compact_real n,
                                                                   jager_compact_real e, jager_compact_real f)
{
  return fn * n - ft1 * e - ft2 * f;
}

/*
 * One component of n × force = Ft2 e - Ft1 f. The force acts in the middle of the overlap, R - ζ from the centres: the
 * torques on p and q are both -(R - ζ) times that, each with its own radius.
 */
JAGER_COMPACT_FUNCTION jager_compact_real jager_compact_pair_moment(jager_compact_real ft1, jager_compact_real ft2,
                                                                    jager_compact_real e, jager_compact_real f)
{
  return ft2 * e - ft1 * f;
}

/* ---- Dashpots -------------------------------------------------------------------------------------------------- */

/*
 * The effective mass of two spheres, kg; both masses are finite. Against a wall, or a sphere that cannot move, the
 * effective mass is that of the other sphere.
 */
JAGER_COMPACT_FUNCTION jager_compact_real jager_compact_pair_mass(jager_compact_real mass_p, jager_compact_real mass_q)
{
  return mass_p * mass_q / (mass_p + mass_q);
}

/*
 * Dashpots beside the springs of a contact: each has a share β of critical damping, 2√(m k), with the effective mass m
 * and the tangent stiffness k = dFn/d(2ζ), or k/κ across, also for "linear" with a kt of its own. Make it with
 * jager_dashpot_init.
 */
typedef struct jager_compact_dashpot {
  jager_compact_real factor;        /* 2β */
  jager_compact_real half_exponent; /* half the exponent of Fn(ζ): dFn/d(2ζ) = half_exponent Fn/ζ */
  jager_compact_real across;        /* √(1/κ): critical damping across over that along the normal */
} jager_compact_dashpot;

/*
 * The force of the dashpots, N, to be added to that of the contact, and the energy that they dissipate in the step, J.
 */
typedef struct jager_compact_dashpot_force {
  jager_compact_real fn;         /* along the normal */
  jager_compact_real ft[2];      /* across */
  jager_compact_real dissipated; /* in the step */
} jager_compact_dashpot_force;

/*
 * The force of the dashpots in a step of length 1/inverse_dt that has taken the contact from zeta0 to zeta and by dxi.
 * fn is Fn of the contact after the step, `mass` the effective mass (jager_pair_mass). Normal force and dashpot
 * together never pull. A contact that slides has no dashpot across.
 */
JAGER_COMPACT_FUNCTION jager_compact_dashpot_force jager_compact_dashpot_damp(
    jager_compact_dashpot dashpot, jager_compact_real mass, jager_compact_real inverse_dt, jager_compact_real fn,
    jager_compact_real zeta0, jager_compact_real zeta, const jager_compact_real dxi[2], jagerc_truth slides)
{
  const jager_compact_real zero = jagerc_real_of(JAGERC(0.0));
  jager_compact_real stiffness = JAGERC_choose(zeta > JAGERC(0.0), dashpot.half_exponent * fn / zeta, zero);
  jager_compact_real coefficient = dashpot.factor * jagerc_real_sqrt(mass * stiffness),
                     approach = JAGERC(2.0) * (zeta - zeta0);
  jager_compact_real normal = coefficient * approach * inverse_dt;
  normal = JAGERC_choose(normal < -fn, -fn, normal);
  jager_compact_real across = JAGERC_choose(slides, zero, JAGERC(2.0) * coefficient * dashpot.across * inverse_dt);
  jager_compact_real dissipated = normal * approach;
  dissipated += JAGERC(2.0) * across * dxi[0] * dxi[0];
  dissipated += JAGERC(2.0) * across * dxi[1] * dxi[1];
  jager_compact_dashpot_force force = {normal, {across * dxi[0], across * dxi[1]}, dissipated};
  return force;
}

/* ==== src/contact/compact/contact.h ==== */

/* jager/compact.h, last part: a contact is moved and read. */

/* ---- From bytes to numbers and back ------------------------------------------------------------------------------ */

/* A contact without a history, half the gap is -zeta */
JAGER_COMPACT_FUNCTION jagerc_contact_data jagerc_contact_apart(jager_compact *entries, jager_compact_real zeta,
                                                                jager_compact_real stiffness,
                                                                jager_compact_real friction)
{
  const jagerc_history_segment none = {{JAGERC(0.0), JAGERC(0.0)}, JAGERC(0.0), JAGERC(0.0)};
  jagerc_contact_data c;
  c.zeta = zeta;
  c.fn = JAGERC(0.0);
  c.top = c.second = none;
  c.anchor.ft = c.xi_residual = jagerc_vec2_of(JAGERC(0.0), JAGERC(0.0));
  c.anchor.ft_low[0] = c.anchor.ft_low[1] = 0;
  c.error_bound.top = c.error_bound.second = 0;
  c.stiffness = stiffness;
  c.friction = friction;
  c.length = 1;
  c.fill = 0;
  c.state = JAGER_COMPACT_APART;
  c.entries = entries;
  return c;
}

JAGER_COMPACT_FUNCTION jagerc_contact_data jagerc_load_contact(const jager_compact_law *law, jager_compact *from,
                                                               jager_compact_real stiffness)
{
  const jager_compact_word n = from->points;
  const bool same_stiffness = from->stiffness == (jager_compact_stored)stiffness;
  const bool same_friction = from->friction == (jager_compact_stored)law->friction;
  jagerc_contact_data c =
      jagerc_contact_apart(from, from->zeta[n > 0 ? n - 1 : 0], same_stiffness ? stiffness : from->stiffness,
                           same_friction ? law->friction : from->friction);
  c.length = n + 1;
  c.fill = n > 2 ? n - 2 : 0;
  c.state = from->state;
  c.xi_residual = jagerc_vec2_of(from->residual[0], from->residual[1]);
  if (n > 0) {
    c.fn = jagerc_normal_force(law, c.stiffness, c.zeta);
    c.top.p = jagerc_vec2_of(from->slope[n - 1][0], from->slope[n - 1][1]);
    c.error_bound.top = from->bound[n - 1];
  }
  if (n > 1) {
    c.top.zeta_base = from->zeta[n - 2];
    c.top.fn_base = jagerc_normal_force(law, c.stiffness, c.top.zeta_base);
    c.second.p = jagerc_vec2_of(from->slope[n - 2][0], from->slope[n - 2][1]);
    c.error_bound.second = from->bound[n - 2];
  }
  if (n > 2) {
    c.second.zeta_base = from->zeta[n - 3];
    c.second.fn_base = jagerc_normal_force(law, c.stiffness, c.second.zeta_base);
    c.anchor.ft = jagerc_vec2_of(from->anchor[0], from->anchor[1]);
    c.anchor.ft_low[0] = from->anchor_low[0];
    c.anchor.ft_low[1] = from->anchor_low[1];
  }
  return c;
}

#if defined(JAGER_COMPACT_SINGLE_STORED) && !defined(JAGER_COMPACT_SINGLE)
/*
 * Rounds what the step has changed to the numbers that are stored. A segment that has no height then is dropped. By
 * what this moves the end of the path goes to the residual, so that rounding does not accumulate.
 */
JAGER_COMPACT_FUNCTION void jagerc_round_contact(const jager_compact_law *law, jager_compact *pool,
                                                 jagerc_contact_data *c)
{
  const jager_compact_real from = c->second.zeta_base, base = jagerc_stored(c->top.zeta_base);
  jagerc_vec2 end =
      jagerc_vec2_add_scaled(jagerc_vec2_of(JAGERC(0.0), JAGERC(0.0)), c->top.zeta_base - from, c->second.p);
  end = jagerc_vec2_add_scaled(end, c->zeta - c->top.zeta_base, c->top.p);
  c->top.p = jagerc_vec2_of(jagerc_stored(c->top.p.x), jagerc_stored(c->top.p.y));
  if (c->length > 2 && base >= c->zeta) {
    c->top.p = c->second.p;
    jagerc_history_drop_second(law, pool, c);
  } else if (c->length > 2 && base <= from) {
    jagerc_history_drop_second(law, pool, c);
  } else {
    jagerc_set_top_base(c, base, jagerc_normal_force(law, c->stiffness, base));
    end = jagerc_vec2_add_scaled(end, from - base, c->second.p);
  }
  end = jagerc_vec2_add_scaled(end, c->top.zeta_base - c->zeta, c->top.p);
  c->xi_residual = jagerc_vec2_add(c->xi_residual, end);
  /* the anchor, high and low, as two floats each: 48 bits */
  const jagerc_compensated_vec2 ft = jagerc_anchor_of(c);
  const jagerc_vec2 high = jagerc_vec2_of(jagerc_stored(ft.high.x), jagerc_stored(ft.high.y));
  const jagerc_compensated_vec2 split = {high, jagerc_vec2_add(jagerc_vec2_subtract(ft.high, high), ft.low)};
  jagerc_set_anchor(c, split);
}
#endif

/* The entries are in place. Unused points are zero, so that equal contacts have equal bytes. */
JAGER_COMPACT_FUNCTION void jagerc_store_contact(const jagerc_contact_data *c, jager_compact *to)
{
  const jager_compact_word n = c->length - 1, used = n > to->points ? n : to->points;
  for (jager_compact_word k = c->fill; k < used; k++) {
    const bool second = k + 2 == n, top = k + 1 == n;
    const jagerc_vec2 p = top ? c->top.p : second ? c->second.p : jagerc_vec2_of(JAGERC(0.0), JAGERC(0.0));
    to->zeta[k] = (jager_compact_stored)(top ? c->zeta : second ? c->top.zeta_base : JAGERC(0.0));
    to->slope[k][0] = (jager_compact_stored)p.x;
    to->slope[k][1] = (jager_compact_stored)p.y;
    to->bound[k] = top ? c->error_bound.top : second ? c->error_bound.second : 0;
  }
  if (n == 0)
    to->zeta[0] = (jager_compact_stored)c->zeta;
  to->residual[0] = (jager_compact_stored)c->xi_residual.x;
  to->residual[1] = (jager_compact_stored)c->xi_residual.y;
  to->anchor[0] = (jager_compact_stored)c->anchor.ft.x;
  to->anchor[1] = (jager_compact_stored)c->anchor.ft.y;
  to->anchor_low[0] = c->anchor.ft_low[0];
  to->anchor_low[1] = c->anchor.ft_low[1];
  to->stiffness = (jager_compact_stored)c->stiffness;
  to->friction = (jager_compact_stored)c->friction;
  to->points = n;
  to->state = c->state;
}

/* ---- Movements --------------------------------------------------------------------------------------------------- */

JAGER_COMPACT_FUNCTION int jagerc_check_compact(const jager_compact_law *law, jager_compact_real stiffness,
                                                jager_compact_real zeta, const jager_compact_real dxi[2])
{
  if (!(law->friction >= JAGERC(0.0) && law->friction <= JAGERC_FRICTION_MAX && law->inverse_kappa > JAGERC(0.0) &&
        law->inverse_kappa <= JAGERC(4.0) && law->tolerance >= JAGERC(0.0) && law->tolerance <= JAGERC(1.0)))
    return JAGER_COMPACT_FRICTION;
  if (law->exponent != JAGERC(2.0) && law->exponent != JAGERC(1.0))
    return JAGER_COMPACT_CONTOUR;
  if (!(stiffness > JAGERC(0.0) && stiffness <= JAGERC_STIFFNESS_MAX))
    return JAGER_COMPACT_STIFFNESS;
  if (jagerc_real_abs(zeta) <= JAGERC_ZETA_MAX && jagerc_real_abs(dxi[0]) <= JAGERC_XI_MAX &&
      jagerc_real_abs(dxi[1]) <= JAGERC_XI_MAX)
    return JAGER_COMPACT_OK;
  return zeta - zeta == JAGERC(0.0) && dxi[0] - dxi[0] == JAGERC(0.0) && dxi[1] - dxi[1] == JAGERC(0.0)
             ? JAGER_COMPACT_TOO_LARGE
             : JAGER_COMPACT_NOT_FINITE;
}

JAGER_COMPACT_FUNCTION void jagerc_move_compact(const jager_compact_law *law, jagerc_contact_data *c,
                                                jager_compact_real zeta, const jager_compact_real dxi[2])
{
  const jagerc_vec2 e = jagerc_shift_while_touching(law, c, zeta, dxi);
  jager_compact_real zeta_slip;
  if (!(zeta > JAGERC(0.0))) {
    *c = jagerc_contact_apart(c->entries, zeta, c->stiffness, law->friction);
    return;
  }
  if (law->friction < c->friction && c->zeta > JAGERC(0.0))
    (void)jagerc_lower_friction(law, c->entries, c);
  if (c->zeta > JAGERC(0.0)) {
    if (zeta != c->zeta || !jagerc_vec2_is_zero(e))
      (void)jagerc_step(law, c->entries, c, jagerc_movement_target(law, c, zeta, e), &zeta_slip);
  } else {
    jagerc_step_target t = {zeta, jagerc_normal_force(law, c->stiffness, zeta), e, JAGERC_SPACE_MOVEMENT};
    jagerc_step_first(law, c, t, &zeta_slip);
  }
  c->friction = law->friction;
}

/*
 * Moves the bodies to the half-overlap zeta, m (zeta <= 0: half the gap is -zeta), and sideways by dxi, the change of
 * the half-shift, m. `stiffness` is C of Fn = C ζ^(1+1/α) (jager_compact_stiffness_of_spheres); it may change while the
 * bodies touch, and so may the friction of the law. Returns JAGER_COMPACT_OK, or why nothing was done: then contact and
 * force are as before. `force` may be NULL.
 */
JAGER_COMPACT_FUNCTION int jager_compact_move(jager_compact_law law, jager_compact *contact,
                                              jager_compact_real stiffness, jager_compact_real zeta,
                                              const jager_compact_real dxi[2], jager_compact_force *force)
{
  const int status = jagerc_check_compact(&law, stiffness, zeta, dxi);
  if (status != JAGER_COMPACT_OK)
    return status;
  if (contact->points > JAGER_COMPACT_POINTS)
    return JAGER_COMPACT_CORRUPT;
  jagerc_contact_data c = jagerc_load_contact(&law, contact, stiffness);
  if (c.stiffness != stiffness && c.length > 1)
    jagerc_set_stiffness(&law, &c, stiffness);
  c.stiffness = stiffness;
  jagerc_move_compact(&law, &c, jagerc_stored(zeta), dxi);
#if defined(JAGER_COMPACT_SINGLE_STORED) && !defined(JAGER_COMPACT_SINGLE)
  if (c.length > 1)
    jagerc_round_contact(&law, contact, &c);
#endif
  if (force)
    *force = jagerc_force_of(&c);
  jagerc_store_contact(&c, contact);
  return JAGER_COMPACT_OK;
}

/* ---- Reading ----------------------------------------------------------------------------------------------------- */

/* The force after the last movement, N, with the friction that it had; of the law only the exponent counts. */
JAGER_COMPACT_FUNCTION jager_compact_force jager_compact_force_of(jager_compact_law law, const jager_compact *contact)
{
  jager_compact copy = *contact;
  const jagerc_contact_data c = jagerc_load_contact(&law, &copy, copy.stiffness);
  return jagerc_force_of(&c);
}

/*
 * By how much the tangential force may differ from that of an exact contact that has made the same movements, N; never
 * more than 2 f Fn. Proven for movements along a line and friction that does not fall; docs/theory.md says what holds
 * in the plane. It does not contain rounding, which matters in single precision only.
 */
JAGER_COMPACT_FUNCTION jager_compact_real jager_compact_error(jager_compact_law law, const jager_compact *contact)
{
  if (contact->points == 0)
    return JAGERC(0.0);
  const jager_compact_real fn = jagerc_normal_force(&law, contact->stiffness, contact->zeta[contact->points - 1]);
  return jagerc_real_min(jagerc_double_from_high32(contact->bound[contact->points - 1]),
                         JAGERC(2.0) * contact->friction * fn);
}

/* ---- Materials --------------------------------------------------------------------------------------------------- */

/* The law of spheres of one material: Poisson's ratio in (-1, 0.5], friction. No tolerance. */
JAGER_COMPACT_FUNCTION jager_compact_law jager_compact_law_of(jager_compact_real poisson, jager_compact_real friction)
{
  jager_compact_law law = {friction, JAGERC(2.0) * (JAGERC(1.0) - poisson) / (JAGERC(2.0) - poisson), JAGERC(2.0),
                           JAGERC(0.0)};
  return law;
}

/*
 * Dashpots with the share β of critical damping beside the springs of a contact, for jager_compact_dashpot_damp.
 */
JAGER_COMPACT_FUNCTION jager_compact_dashpot jager_compact_dashpot_of(jager_compact_law law, jager_compact_real share)
{
  jager_compact_dashpot dashpot = {JAGERC(2.0) * share, JAGERC(0.5) * (JAGERC(1.0) + JAGERC(1.0) / law.exponent),
                                   jagerc_real_sqrt(law.inverse_kappa)};
  return dashpot;
}

/*
 * C of Fn = C ζ^1.5 between two spheres of one material (shear modulus, Pa; radii, m). With a wall, radius_b is a very
 * large number or infinite.
 */
JAGER_COMPACT_FUNCTION jager_compact_real jager_compact_stiffness_of_spheres(jager_compact_real shear_modulus,
                                                                             jager_compact_real poisson,
                                                                             jager_compact_real radius_a,
                                                                             jager_compact_real radius_b)
{
  const jager_compact_real smaller = jagerc_real_min(radius_a, radius_b), larger = jagerc_real_max(radius_a, radius_b);
  const jager_compact_real modulus = JAGERC(8.0) / JAGERC(3.0) * shear_modulus / (JAGERC(1.0) - poisson);
  return modulus * jagerc_real_sqrt(JAGERC(2.0) * smaller / (JAGERC(1.0) + smaller / larger));
}

#endif
