/* SPDX-License-Identifier: MIT */
/*
 * jager/compact.h: the Jäger contact in a fixed number of bytes, for engines that keep their contacts in plain arrays:
 * on GPUs, in neighbour lists, in messages.
 *
 * A jager_compact holds the points of the equivalent load history, at most K of them, without pointers. It is moved by
 * the same algorithm as a jager_contact, and as long as K points are enough, to the same bits. When they are full, the
 * two neighbouring segments whose chord costs least become one, and the contact's error bound grows by that cost:
 * jager_compact_error returns a bound of the error of the tangential force. Slip forgets the upper points and
 * gives part of the bound back; after gross sliding the contact is exact again.
 *
 *     #define JAGER_COMPACT_POINTS 12 // K: even, 4 to 1024; 12 if not defined
 *     #include "jager/compact.h"
 *
 *     jager_compact contact = {0};                                       // zero bytes: never touched (C++: {})
 *     jager_compact_law law = jager_compact_law_of(0.15, 0.5);           // Poisson's ratio, friction
 *     double stiffness = jager_compact_stiffness_of_spheres(29e9, 0.15, 1e-3, 1e-3);
 *     double half_overlap = 1e-7, half_shift[2] = {1e-9, 0.0};
 *     jager_compact_force force;
 *     if (jager_compact_move(&contact, law, stiffness, half_overlap, half_shift, &force) != JAGER_OK)
 *       return 1;
 *
 * Several sizes or types in one file: JAGER_COMPACT_NAME is what all names begin with instead of jager_compact, and the
 * header may be included again with another one. Each inclusion with a name undefines the macros that it was given; one
 * without a name leaves them, and comes last.
 *
 *     #define JAGER_COMPACT_NAME short_contact
 *     #define JAGER_COMPACT_POINTS 8
 *     #include "jager/compact.h" // short_contact, short_contact_law, short_contact_move ...
 *     #define JAGER_COMPACT_NAME long_contact
 *     #define JAGER_COMPACT_POINTS 24
 *     #define JAGER_COMPACT_SINGLE
 *     #include "jager/compact.h" // long_contact, long_contact_law, long_contact_move ...
 *
 * The header is C99, C++11 and later, CUDA, HIP, SYCL and OpenCL C; functors of Kokkos define JAGER_COMPACT_FUNCTION as
 * KOKKOS_INLINE_FUNCTION before they include it. It needs no library, but status.h, pair.h and the folder detail of
 * jager beside it. It calls no function but √ and |x|, allocates nothing and does not recurse. Under one name all files
 * of a program have the same K and the same types.
 *
 * JAGER_COMPACT_SINGLE_STORED stores numbers in single precision and computes in double: 16 K + 40 bytes for 28 K + 64.
 * JAGER_COMPACT_SINGLE computes in single precision as well; choose units in which lengths and forces are neither very
 * small nor very large, such as mm and N.
 *
 * The same input gives the same bits on every processor with IEEE arithmetic, if the compiler does not contract a*b +
 * c: gcc and clang -ffp-contract=off, nvcc --fmad=false. OpenCL needs -cl-fp32-correctly-rounded-divide-sqrt for
 * JAGER_COMPACT_SINGLE, else nothing. Fast math is refused where the compiler defines a macro for it; nvcc does not,
 * and jager_compact_check_arithmetic finds it, on the device, when the program runs. Units are SI, or any consistent
 * set.
 *
 * A contact is trusted to be what movements have left of zero bytes. Bytes from files or messages may be anything:
 * jager_compact_check looks at all of them. The other functions look at a part in constant time, and give
 * JAGER_ERROR_CORRUPT or NaN; for no bytes do they read or write beyond the contact, or give NaN with JAGER_OK.
 *
 * In OpenCL C the functions take private pointers: copy a contact from global memory, move it, and copy it back.
 */

#if !defined(JAGER_COMPACT_H) || defined(JAGER_COMPACT_NAME)
#ifndef JAGER_COMPACT_NAME
#define JAGER_COMPACT_H
#endif

#ifndef JAGER_COMPACT_POINTS
#define JAGER_COMPACT_POINTS 12
#endif
#if JAGER_COMPACT_POINTS < 4 || JAGER_COMPACT_POINTS > 1024 || JAGER_COMPACT_POINTS % 2 != 0
#error "JAGER_COMPACT_POINTS must be an even number from 4 to 1024"
#endif
#if defined(__FAST_MATH__) || defined(__FAST_RELAXED_MATH__) || defined(__USE_FAST_MATH__)
#error "jager/compact.h needs IEEE arithmetic: compile it without -ffast-math and its like"
/* nvcc -use_fast_math defines nothing: jager_compact_check_arithmetic finds it when the program runs. */
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
#else
#include <math.h>
#include <stdint.h>
#include <string.h>
#ifndef __cplusplus
#include <stdbool.h>
#endif
#endif

#include "status.h"
#include "detail/names.h"

/* ==== Numbers ===================================================================================================== */

/*
 * jager_compact_real is computed with, jager_compact_stored is stored. The words hold the upper 32 bits of a double, or
 * a float.
 */
#if defined(JAGER_COMPACT_SINGLE) && !defined(JAGER_COMPACT_SINGLE_STORED)
#define JAGER_COMPACT_SINGLE_STORED
#endif
#if defined(JAGER_COMPACT_SINGLE)
typedef float jager_compact_real;
#else
typedef double jager_compact_real;
#endif
#if defined(JAGER_COMPACT_SINGLE_STORED)
typedef float jager_compact_stored;
#else
typedef double jager_compact_stored;
#endif
#if defined(__OPENCL_VERSION__)
typedef uint jager_compact_word;
#else
typedef uint32_t jager_compact_word;
#endif

typedef struct vec2 {
  scalar x, y;
} vec2;

JAGER_FUNCTION scalar real_of(scalar a)
{
  return a;
}

JAGER_FUNCTION scalar real_min(scalar a, scalar b)
{
  return a < b ? a : b;
}

JAGER_FUNCTION scalar real_max(scalar a, scalar b)
{
  return a > b ? a : b;
}

JAGER_FUNCTION scalar real_abs(scalar a)
{
#if defined(JAGER_COMPACT_SINGLE) && !defined(__OPENCL_VERSION__)
  return fabsf(a);
#else
  return fabs(a);
#endif
}

JAGER_FUNCTION scalar real_sqrt(scalar a)
{
#if defined(JAGER_COMPACT_SINGLE) && !defined(__OPENCL_VERSION__)
  return sqrtf(a);
#else
  return sqrt(a);
#endif
}

#if defined(JAGER_COMPACT_SINGLE)

JAGER_FUNCTION word number_high32(scalar value)
{
#if defined(__OPENCL_VERSION__)
  return as_uint(value);
#else
  word bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
#endif
}

JAGER_FUNCTION scalar number_from_high32(word high)
{
#if defined(__OPENCL_VERSION__)
  return as_float(high);
#else
  scalar value;
  memcpy(&value, &high, sizeof value);
  return value;
#endif
}

/* Rises by one with each factor of 2^16. */
JAGER_FUNCTION word force_magnitude(scalar fn)
{
  return number_high32(fn) >> 27;
}

#else

JAGER_FUNCTION word number_high32(scalar value)
{
#if defined(__OPENCL_VERSION__)
  return (word)(as_ulong(value) >> 32);
#else
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return (word)(bits >> 32);
#endif
}

JAGER_FUNCTION scalar number_from_high32(word high)
{
#if defined(__OPENCL_VERSION__)
  return as_double((ulong)high << 32);
#else
  uint64_t bits = (uint64_t)high << 32;
  scalar value;
  memcpy(&value, &bits, sizeof value);
  return value;
#endif
}

/* Rises by one with each factor of 2^16. */
JAGER_FUNCTION word force_magnitude(scalar fn)
{
  return number_high32(fn) >> 24;
}

#endif

/*
 * Beyond these limits squares and products, or stored numbers, could overflow or underflow. A positive ζ below
 * JAGERC_ZETA_MIN counts as 0. JAGERC_ROUNDING is what rounding may add to slopes and sums, relative to their limits,
 * and JAGERC_TINY what it adds to those that are next to nothing; error bounds are at most JAGERC_BOUND_MAX, the bits
 * of infinity. JAGER_ROUNDING_MAX is the relative error of a few operations, for assertions.
 */
#if defined(JAGER_COMPACT_SINGLE)
#define JAGER_SQUARE_MIN JAGER_NUMBER(1e-30)
#define JAGER_SQUARE_MAX JAGER_NUMBER(1e30)
#define JAGERC_ZETA_MIN JAGER_NUMBER(1e-13)
#define JAGERC_ROUNDING JAGER_NUMBER(0.1) /* of slopes, where squares of 1e-21 have few digits */
#define JAGERC_NORMAL_MIN JAGER_NUMBER(1.17549435e-38)
#define JAGERC_LITTLE JAGER_NUMBER(1.220703125e-4) /* 2^-13: 1 - its square is rounded to 1 */
#define JAGERC_BOUND_MAX 0x7f800000u
#define JAGER_ROUNDING_MAX JAGER_NUMBER(1e-6)
#else
#define JAGER_SQUARE_MIN JAGER_NUMBER(1e-280)
#define JAGER_SQUARE_MAX JAGER_NUMBER(1e280)
#define JAGERC_NORMAL_MIN JAGER_NUMBER(2.2250738585072014e-308)
#define JAGERC_LITTLE JAGER_NUMBER(9.31322574615478515625e-10) /* 2^-30: 1 - its square is rounded to 1 */
#define JAGERC_BOUND_MAX 0x7ff00000u
#define JAGER_ROUNDING_MAX JAGER_NUMBER(1e-15)
#endif
#if defined(JAGER_COMPACT_SINGLE_STORED)
#ifndef JAGER_COMPACT_SINGLE
#define JAGERC_ZETA_MIN JAGER_NUMBER(1e-30)
#define JAGERC_ROUNDING JAGER_NUMBER(1e-4)
#endif
#define JAGERC_ZETA_MAX JAGER_NUMBER(1e6)
#define JAGERC_XI_MAX JAGER_NUMBER(1e12)
#define JAGERC_STIFFNESS_MIN JAGER_NUMBER(1e-18)
#define JAGERC_STIFFNESS_MAX JAGER_NUMBER(1e18)
#define JAGERC_FRICTION_MAX JAGER_NUMBER(1e3)
#define JAGERC_TINY JAGER_NUMBER(1e-37)
#else
#define JAGERC_ZETA_MIN JAGER_NUMBER(1e-60)
#define JAGERC_ZETA_MAX JAGER_NUMBER(1e60)
#define JAGERC_XI_MAX JAGER_NUMBER(1e150)
#define JAGERC_STIFFNESS_MIN JAGER_NUMBER(1e-100)
#define JAGERC_STIFFNESS_MAX JAGER_NUMBER(1e100)
#define JAGERC_FRICTION_MAX JAGER_NUMBER(1e6)
#define JAGERC_ROUNDING JAGER_NUMBER(1e-9)
#define JAGERC_TINY JAGER_NUMBER(1e-300)
#endif

/*
 * x as it is stored, as a number to compute with. Veltkamp's rounding to 24 bits, as gcc 12 may leave out a conversion
 * to float and back where it computes two numbers side by side. Below 1e-38 conversion rounds once more.
 */
JAGER_FUNCTION scalar stored(scalar x)
{
#if defined(JAGER_COMPACT_SINGLE_STORED) && !defined(JAGER_COMPACT_SINGLE)
  const scalar scaled = x * JAGER_NUMBER(536870913.0); /* 2^29 + 1 */
  return scaled - (scaled - x);
#else
  return x;
#endif
}

#include "detail/cone.h"

/* ==== The law and the contact ===================================================================================== */

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
  jager_compact_real ft[2]; /* tangential force; it resists positive half-shifts */
} jager_compact_force;

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
  jager_compact_word state;                            /* jager_state */
} jager_compact;

/* ==== A contact that moves ======================================================================================== */

/*
 * During a movement the two topmost segments and the sums are in a contact_data, as in the library; the other segments,
 * the entries, stay in the arrays of the jager_compact. A movement may add a segment, so that there are K - 1 entries
 * for a moment, one more than a stored contact has.
 */

/* ---- The contour ------------------------------------------------------------------------------------------------- */

/* Fn(ζ), ζ >= 0 */
JAGER_FUNCTION scalar normal_force(const jager_law *law, scalar stiffness, scalar zeta)
{
  return law->exponent == 2 ? stiffness * zeta * real_sqrt(zeta) : stiffness * zeta * zeta;
}

JAGER_FUNCTION scalar curvature_factor(const jager_law *law)
{
  return curvature_factor_of(law->exponent);
}

/* A segment of the history, as one of the two topmost */
typedef struct history_segment {
  vec2 p;           /* slope p* */
  scalar zeta_base; /* ζ* where the segment starts */
  scalar fn_base;   /* Fn(ζ*) there */
} history_segment;

/* A segment as an entry: it ends at ζ* */
typedef struct history_entry {
  scalar zeta;
  vec2 p;
} history_entry;

typedef struct contact_data {
  scalar zeta;            /* ζ, the end of the top segment; negative: half the gap */
  scalar fn;              /* Fn(ζ) */
  history_segment top;    /* from ζ*ᵢ₋₁ to ζ */
  history_segment second; /* from ζ*ᵢ₋₂ to ζ*ᵢ₋₁ */
  struct {
    vec2 ft;        /* Ft at the base of the second segment ... */
    word ft_low[2]; /* ... and its rounding error */
  } anchor;
  struct {
    word top, second;
  } error_bound;    /* at the ends of the two segments, N */
  vec2 xi_residual; /* rounding error between all movements and the history, as Δξ/κ */
  scalar stiffness; /* C of Fn = C ζ^(1+1/α) */
  scalar friction;  /* f with which the history was made */
  word length;      /* points of the history, the zeroth included: segments + 1 */
  word fill;        /* entries: segments - 2 */
  word state;
  jager_compact *entries; /* the arrays that hold them */
} contact_data;

/* ---- Entries ----------------------------------------------------------------------------------------------------- */

/* The entry number `fill - 1`; 0: below the lowest one */
typedef struct entry_cursor {
  jager_compact *entries;
  word fill;
} entry_cursor;

JAGER_FUNCTION entry_cursor entry_cursor_top(const contact_data *c)
{
  entry_cursor at = {c->entries, c->fill};
  return at;
}

JAGER_FUNCTION void entry_cursor_descend(entry_cursor *at)
{
  at->fill--;
}

JAGER_FUNCTION bool entry_exists(entry_cursor at)
{
  return at.fill > 0;
}

JAGER_FUNCTION vec2 entry_slope(entry_cursor at)
{
  return vec2_of(at.entries->slope[at.fill - 1][0], at.entries->slope[at.fill - 1][1]);
}

JAGER_FUNCTION void set_entry_slope(entry_cursor at, vec2 p)
{
  at.entries->slope[at.fill - 1][0] = (jager_compact_stored)p.x;
  at.entries->slope[at.fill - 1][1] = (jager_compact_stored)p.y;
}

JAGER_FUNCTION word *entry_error_bound(entry_cursor at)
{
  return &at.entries->bound[at.fill - 1];
}

/* ζ* at which the entry ends: the base of the segment above it; 0 below the lowest one */
JAGER_FUNCTION scalar entry_end(entry_cursor at)
{
  return entry_exists(at) ? at.entries->zeta[at.fill - 1] : 0;
}

/* Error bound at the base of the second segment */
JAGER_FUNCTION word error_bound_below_second(const contact_data *c)
{
  return c->fill > 0 ? c->entries->bound[c->fill - 1] : 0;
}

JAGER_FUNCTION bool has_entries(const contact_data *c)
{
  return c->fill > 0;
}

/* Takes the topmost entry off and returns its slope. There must be one. */
JAGER_FUNCTION vec2 entry_pop(jager_pool *pool, contact_data *c)
{
  (void)pool;
  vec2 p = entry_slope(entry_cursor_top(c));
  c->fill--;
  return p;
}

/* Puts one on top. There is room. */
JAGER_FUNCTION bool entry_push(jager_pool *pool, contact_data *c, scalar zeta, vec2 p, word error_bound)
{
  JAGER_ASSERT(c->fill < JAGER_COMPACT_POINTS);
  pool->zeta[c->fill] = (jager_compact_stored)zeta;
  pool->bound[c->fill++] = error_bound;
  set_entry_slope(entry_cursor_top(c), p);
  return true;
}

/* Histories are shortened, and slip gives error bounds back, also without a tolerance. */
#define JAGER_SIZE_IS_FIXED true

/* ---- Points counted ---------------------------------------------------------------------------------------------- */

JAGER_FUNCTION void count_first_point(contact_data *c)
{
  c->length = 2;
}

JAGER_FUNCTION void count_new_point(contact_data *c)
{
  c->length++;
}

JAGER_FUNCTION void count_dropped_point(contact_data *c)
{
  c->length--;
}

/* ---- What the algorithm asks for --------------------------------------------------------------------------------- */

/* A cut in the second segment adds none. */
JAGER_FUNCTION bool has_grown_long(const contact_data *c)
{
  (void)c;
  return false;
}

/* Only equal slopes are merged. */
JAGER_FUNCTION bool may_merge(const jager_law *law, vec2 p, vec2 q)
{
  (void)law;
  return p.x == q.x && p.y == q.y;
}

/* Steps are movements only: this is not called. */
JAGER_FUNCTION scalar zeta_at_force(const jager_law *law, scalar stiffness, scalar fn)
{
  (void)law;
  return fn / stiffness;
}

/* Below, after the algorithm */
JAGER_FUNCTION void shorten_if_due(const jager_law *law, jager_pool *pool, contact_data *c);

#include "detail/algorithm.h"

/* ==== Chords ====================================================================================================== */

/*
 * A history that has grown by one segment too many loses one: two neighbours are replaced by their chord. With d the
 * distance between chord and path, the tangential force changes by at most ∫ |d| Fn" dz (docs/theory.md). d is a tent
 * over the middle point b, of the height h, between the base a of the lower and the end c of the upper segment, so that
 * the integral is
 *
 *     h ((Fn(c) - Fn(b)) / (c - b) - (Fn(b) - Fn(a)) / (b - a)).
 *
 * For Fn = C ζ^1.5 and with x = √a, y = √b, z = √c this is h C (c - a) / (z + x) · (xy + yz + zx) / ((x + y) (y + z)),
 * and for Fn = C ζ² it is h C (c - a): no digits cancel. The pair that costs least is taken. Its cost is added to the
 * error bounds of all points from the end of the chord up.
 */

/* Two neighbours, and the chord over both */
typedef struct chord {
  word lower;    /* number of the lower segment, from the bottom, from 1 */
  scalar cost;   /* N */
  scalar weight; /* of the upper segment in the slope */
  scalar span;   /* from the base of the lower to the end of the upper segment */
  vec2 p, bend;  /* slope of the lower segment; upper slope less lower slope */
} chord;

/* Segment number k, from the bottom, from 1 */
JAGER_FUNCTION history_entry segment_at(const contact_data *c, word k)
{
  history_entry at;
  if (k + 1 == c->length) {
    at.zeta = c->zeta;
    at.p = c->top.p;
  } else if (k + 2 == c->length) {
    at.zeta = c->top.zeta_base;
    at.p = c->second.p;
  } else {
    entry_cursor entry = {c->entries, k};
    at.zeta = entry_end(entry);
    at.p = entry_slope(entry);
  }
  return at;
}

/* The integral over a tent of unit height; x, y, z are the square roots of a, b, c, and span is c - a. */
JAGER_FUNCTION scalar tent_integral(const jager_law *law, scalar stiffness, scalar x, scalar y, scalar z, scalar span)
{
  if (law->exponent == 2)
    return stiffness * (span / (z + x)) * ((x * y + y * z + z * x) / ((x + y) * (y + z)));
  return stiffness * span;
}

JAGER_FUNCTION chord cheapest_chord(const jager_law *law, const contact_data *c)
{
  chord best = {0, 0, 0, 0, {0, 0}, {0, 0}};
  history_entry lower = segment_at(c, 1);
  scalar base = 0, x = 0, y = real_sqrt(lower.zeta);
  for (word k = 1; k + 1 < c->length; k++) {
    const history_entry upper = segment_at(c, k + 1);
    const vec2 bend = vec2_subtract(upper.p, lower.p);
    const scalar z = real_sqrt(upper.zeta), span = upper.zeta - base, weight = (upper.zeta - lower.zeta) / span;
    const scalar height = vec2_length(bend) * (lower.zeta - base) * weight;
    const scalar cost = height * tent_integral(law, c->stiffness, x, y, z, span);
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

JAGER_FUNCTION word raised_bound(word bound, scalar cost)
{
  return number_high32_above(number_from_high32(bound) + cost);
}

/* Entry number `lower` - 1 goes, those above it move down. The second segment may begin at a lower entry now. */
JAGER_FUNCTION void remove_entry(const jager_law *law, contact_data *c, word lower)
{
  for (word k = lower; k < c->fill; k++) {
    c->entries->zeta[k - 1] = c->entries->zeta[k];
    c->entries->slope[k - 1][0] = c->entries->slope[k][0];
    c->entries->slope[k - 1][1] = c->entries->slope[k][1];
    c->entries->bound[k - 1] = c->entries->bound[k];
  }
  c->fill--;
  count_dropped_point(c);
  c->second.zeta_base = entry_end(entry_cursor_top(c));
  c->second.fn_base = normal_force(law, c->stiffness, c->second.zeta_base);
}

/*
 * The chord takes the place of its two segments. What rounding its slope moves the end of the path by is made up for.
 */
JAGER_FUNCTION void put_chord(const jager_law *law, jager_pool *pool, contact_data *c, chord of)
{
  vec2 p = vec2_add_scaled(of.p, of.weight, of.bend);
  p = vec2_of(stored(p.x), stored(p.y));
  const vec2 lost = vec2_subtract(vec2_subtract(of.p, p), vec2_of(-of.weight * of.bend.x, -of.weight * of.bend.y));
  c->xi_residual = vec2_add_scaled(c->xi_residual, of.span, lost);
  c->error_bound.top = raised_bound(c->error_bound.top, of.cost);
  if (of.lower + 2 == c->length) { /* the second segment and the top */
    history_drop_second(law, pool, c);
    c->top.p = p;
    return;
  }
  c->error_bound.second = raised_bound(c->error_bound.second, of.cost);
  remove_entry(law, c, of.lower);
  if (of.lower > c->fill) { /* the topmost entry and the second segment */
    c->second.p = p;
  } else {
    entry_cursor chord_entry = {c->entries, of.lower};
    set_entry_slope(chord_entry, p);
  }
  for (word k = of.lower; k <= c->fill; k++)
    c->entries->bound[k - 1] = raised_bound(c->entries->bound[k - 1], of.cost);
  sum_anchor(law, c);
}

/* Called after each step that has added a segment. */
JAGER_FUNCTION void shorten_if_due(const jager_law *law, jager_pool *pool, contact_data *c)
{
  if (c->length > JAGER_COMPACT_POINTS + 1)
    put_chord(law, pool, c, cheapest_chord(law, c));
}

/* ==== Pairs of spheres ============================================================================================ */

#define JAGER_PAIR_TEXT
#define JAGER_REAL_SQRT(a) real_sqrt(a)
#define JAGER_REAL_ABS(a) real_abs(a)
#define JAGER_REAL_OF(a) JAGER_NUMBER(a)
#define JAGER_REAL_CHOOSE(condition, a, b) choose(condition, a, b)
#define JAGER_PAIR_INLINE JAGER_COMPACT_FUNCTION
#include "pair.h"

/* ---- From bytes to numbers and back ------------------------------------------------------------------------------ */

/* A contact without a history, half the gap is -zeta */
JAGER_FUNCTION contact_data contact_apart(jager_compact *entries, scalar zeta, scalar stiffness, scalar friction)
{
  const history_segment none = {{0, 0}, 0, 0};
  contact_data c;
  c.zeta = zeta;
  c.fn = 0;
  c.top = c.second = none;
  c.anchor.ft = c.xi_residual = vec2_of(0, 0);
  c.anchor.ft_low[0] = c.anchor.ft_low[1] = 0;
  c.error_bound.top = c.error_bound.second = 0;
  c.stiffness = stiffness;
  c.friction = friction;
  c.length = 1;
  c.fill = 0;
  c.state = JAGER_STATE_APART;
  c.entries = entries;
  return c;
}

JAGER_FUNCTION contact_data load_contact(const jager_law *law, jager_compact *from, scalar stiffness)
{
  const word n = from->points;
  const bool same_stiffness = from->stiffness == (jager_compact_stored)stiffness;
  const bool same_friction = from->friction == (jager_compact_stored)law->friction;
  contact_data c = contact_apart(from, from->zeta[n > 0 ? n - 1 : 0], same_stiffness ? stiffness : from->stiffness,
                                 same_friction ? law->friction : from->friction);
  c.length = n + 1;
  c.fill = n > 2 ? n - 2 : 0;
  c.state = from->state;
  c.xi_residual = vec2_of(from->residual[0], from->residual[1]);
  if (n > 0) {
    c.fn = normal_force(law, c.stiffness, c.zeta);
    c.top.p = vec2_of(from->slope[n - 1][0], from->slope[n - 1][1]);
    c.error_bound.top = from->bound[n - 1];
  }
  if (n > 1) {
    c.top.zeta_base = from->zeta[n - 2];
    c.top.fn_base = normal_force(law, c.stiffness, c.top.zeta_base);
    c.second.p = vec2_of(from->slope[n - 2][0], from->slope[n - 2][1]);
    c.error_bound.second = from->bound[n - 2];
  }
  if (n > 2) {
    c.second.zeta_base = from->zeta[n - 3];
    c.second.fn_base = normal_force(law, c.stiffness, c.second.zeta_base);
    c.anchor.ft = vec2_of(from->anchor[0], from->anchor[1]);
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
JAGER_FUNCTION void round_contact(const jager_law *law, jager_pool *pool, contact_data *c)
{
  const scalar from = c->second.zeta_base, base = stored(c->top.zeta_base);
  vec2 end = vec2_add_scaled(vec2_of(0, 0), c->top.zeta_base - from, c->second.p);
  end = vec2_add_scaled(end, c->zeta - c->top.zeta_base, c->top.p);
  c->top.p = vec2_of(stored(c->top.p.x), stored(c->top.p.y));
  if (c->length > 2 && base >= c->zeta) {
    c->top.p = c->second.p;
    history_drop_second(law, pool, c);
  } else if (c->length > 2 && base <= from) {
    history_drop_second(law, pool, c);
  } else {
    set_top_base(c, base, normal_force(law, c->stiffness, base));
    end = vec2_add_scaled(end, from - base, c->second.p);
  }
  end = vec2_add_scaled(end, c->top.zeta_base - c->zeta, c->top.p);
  c->xi_residual = vec2_add(c->xi_residual, end);
  /* the anchor, high and low, as two floats each: 48 bits */
  const compensated_vec2 ft = anchor_of(c);
  const vec2 high = vec2_of(stored(ft.high.x), stored(ft.high.y));
  const compensated_vec2 split = {high, vec2_add(vec2_subtract(ft.high, high), ft.low)};
  set_anchor(c, split);
}
#endif

/* The entries are in place. Unused points are zero, so that equal contacts have equal bytes. */
JAGER_FUNCTION void store_contact(const contact_data *c, jager_compact *to)
{
  const word n = c->length - 1, used = n > to->points ? n : to->points;
  for (word k = c->fill; k < used; k++) {
    const bool second = k + 2 == n, top = k + 1 == n;
    const vec2 p = top ? c->top.p : second ? c->second.p : vec2_of(0, 0);
    to->zeta[k] = (jager_compact_stored)(top ? c->zeta : second ? c->top.zeta_base : 0);
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

/* ---- Bytes that are no contact ----------------------------------------------------------------------------------- */

JAGER_FUNCTION bool slope_is_possible(const contact_data *c, vec2 p)
{
  return vec2_dot(p, p) <= c->friction * c->friction * (1 + JAGERC_ROUNDING) + JAGERC_TINY;
}

/*
 * What each movement looks at: ζ* of the three topmost points. With this, and no more points than there is room for, no
 * index is out of range, whatever the other bytes are. To look at more would cost each movement more than two per cent.
 */
JAGER_FUNCTION bool upper_points_are_possible(const contact_data *c)
{
  if (c->length == 1)
    return c->zeta <= 0;
  return c->zeta <= JAGERC_ZETA_MAX && c->top.zeta_base < c->zeta &&
         (c->length == 2 || c->second.zeta_base < c->top.zeta_base) && c->second.zeta_base >= 0;
}

JAGER_FUNCTION bool force_is_finite(jager_force force)
{
  return force.ft[0] - force.ft[0] == force.ft[1] - force.ft[1]; /* 0, or NaN for what is not finite */
}

/* What each reading looks at: all that a movement begins with; of the anchor, whether the force is finite. */
JAGER_FUNCTION bool upper_end_is_possible(const contact_data *c)
{
  if (!(upper_points_are_possible(c) && c->friction >= 0 && c->friction <= JAGERC_FRICTION_MAX && c->stiffness >= 0 &&
        c->stiffness <= JAGERC_STIFFNESS_MAX))
    return false;
  if (c->length == 1)
    return c->state == JAGER_STATE_APART && c->zeta >= -JAGERC_ZETA_MAX;
  return c->state >= JAGER_STATE_ELASTIC && c->state <= JAGER_STATE_SLIDE &&
         c->stiffness >= (jager_compact_stored)JAGERC_STIFFNESS_MIN &&
         c->zeta >= (jager_compact_stored)JAGERC_ZETA_MIN && slope_is_possible(c, c->top.p) &&
         slope_is_possible(c, c->second.p) && real_abs(c->xi_residual.x) <= JAGERC_XI_MAX &&
         real_abs(c->xi_residual.y) <= JAGERC_XI_MAX && c->error_bound.top <= JAGERC_BOUND_MAX &&
         c->error_bound.second <= c->error_bound.top && force_is_finite(force_of(c));
}

/* The anchor is the sum of the entries. */
JAGER_FUNCTION bool anchor_is_possible(const jager_law *law, const jager_compact *of, contact_data c)
{
  const scalar slack = JAGERC_ROUNDING * c.friction * c.second.fn_base + JAGERC_TINY;
  const vec2 ft = vec2_of(of->anchor[0] + number_from_high32(of->anchor_low[0]),
                          of->anchor[1] + number_from_high32(of->anchor_low[1]));
  sum_anchor(law, &c);
  return real_abs(ft.x - c.anchor.ft.x) <= slack && real_abs(ft.y - c.anchor.ft.y) <= slack;
}

/* ζ* rises, no slope exceeds f, error bounds do not fall, and what is behind the points in use is zero. */
JAGER_FUNCTION bool points_are_possible(const jager_compact *of, const contact_data *c)
{
  for (word k = 0; k < JAGER_COMPACT_POINTS; k++) {
    const vec2 p = vec2_of(of->slope[k][0], of->slope[k][1]);
    if (k >= of->points) {
      if (!vec2_is_zero(p) || of->bound[k] != 0 || (k > 0 && of->zeta[k] != 0))
        return false;
    } else if (!(of->zeta[k] > (k > 0 ? of->zeta[k - 1] : 0)) || !slope_is_possible(c, p) ||
               of->bound[k] < (k > 0 ? of->bound[k - 1] : 0)) {
      return false;
    }
  }
  return true;
}

/*
 * Are these bytes a contact that movements under a law of this exponent have left, or zero? Looks at all of them, in a
 * time that grows with K: for bytes from files, messages and memory of which nothing is known. Errors: CONTOUR,
 * CORRUPT.
 *
 * The other functions look at less, in constant time. Movements: the number of points, ζ* of the three topmost, and
 * whether the force that comes of it is finite. Readings: also friction, stiffness, state, and slopes and error bounds
 * of the two topmost segments. The rest is trusted: where it is wrong, forces are wrong, but finite.
 */
JAGER_FUNCTION jager_status jager_compact_check(const jager_compact *contact, jager_compact_law law)
{
  if (law.exponent != 2 && law.exponent != 1)
    return JAGER_ERROR_CONTOUR;
  if (contact->points > JAGER_COMPACT_POINTS)
    return JAGER_ERROR_CORRUPT;
  jager_compact copy = *contact;
  const contact_data c = load_contact(&law, &copy, copy.stiffness);
  return upper_end_is_possible(&c) && points_are_possible(&copy, &c) && anchor_is_possible(&law, &copy, c) &&
                 real_abs(copy.residual[0]) <= (c.length > 1 ? JAGERC_XI_MAX : 0) &&
                 real_abs(copy.residual[1]) <= (c.length > 1 ? JAGERC_XI_MAX : 0)
             ? JAGER_OK
             : JAGER_ERROR_CORRUPT;
}

/* ---- Movements --------------------------------------------------------------------------------------------------- */

JAGER_FUNCTION jager_status check_compact(const jager_law *law, scalar stiffness, scalar zeta, const scalar dxi[2])
{
  if (!(law->friction >= 0 && law->friction <= JAGERC_FRICTION_MAX && law->inverse_kappa > 0 &&
        law->inverse_kappa <= 4 && law->tolerance >= 0 && law->tolerance <= 1))
    return JAGER_ERROR_FRICTION;
  if (law->exponent != 2 && law->exponent != 1)
    return JAGER_ERROR_CONTOUR;
  if (!(stiffness >= JAGERC_STIFFNESS_MIN && stiffness <= JAGERC_STIFFNESS_MAX))
    return JAGER_ERROR_STIFFNESS;
  if (real_abs(zeta) <= JAGERC_ZETA_MAX && real_abs(dxi[0]) <= JAGERC_XI_MAX && real_abs(dxi[1]) <= JAGERC_XI_MAX)
    return JAGER_OK;
  return zeta - zeta == 0 && dxi[0] - dxi[0] == 0 && dxi[1] - dxi[1] == 0 ? JAGER_ERROR_TOO_LARGE
                                                                          : JAGER_ERROR_NOT_FINITE;
}

JAGER_FUNCTION void move_compact(const jager_law *law, contact_data *c, scalar zeta, const scalar dxi[2])
{
  const vec2 e = shift_while_touching(law, c, zeta, dxi);
  scalar zeta_slip;
  if (!(zeta > 0)) {
    *c = contact_apart(c->entries, zeta, c->stiffness, law->friction);
    return;
  }
  if (law->friction < c->friction && c->zeta > 0)
    (void)lower_friction(law, c->entries, c);
  if (c->zeta > 0) {
    if (zeta != c->zeta || !vec2_is_zero(e))
      (void)step(law, c->entries, c, movement_target(law, c, zeta, e), &zeta_slip);
  } else {
    step_target t = {zeta, normal_force(law, c->stiffness, zeta), e, SPACE_MOVEMENT};
    step_first(law, c, t, &zeta_slip);
  }
  c->friction = law->friction;
}

/*
 * Moves the bodies to the half-overlap ζ, m (ζ <= 0: half the gap is -ζ), and sideways by the half-shift Δξ, m: half
 * of what they overlap, and half of what they shift. `stiffness` is C of Fn = C ζ^(1+1/α)
 * (jager_compact_stiffness_of_spheres); it may change while the bodies touch, and so may the friction of the law. A
 * positive ζ too small to compute with (below 1e-60; 1e-30 in stored single, 1e-13 in single precision) counts as 0.
 * On an error contact and force are as before; only CORRUPT may leave other bytes: set such a contact to zero. `force`
 * may be NULL. Errors: NOT_FINITE; TOO_LARGE; FRICTION (or 1/κ or the tolerance is impossible); CONTOUR (the exponent
 * is neither 1 nor 2); STIFFNESS (it is too small, not positive, or too large); CORRUPT (these bytes are no contact of
 * this K and these types: were they set to zero?).
 */
JAGER_FUNCTION jager_status jager_compact_move(jager_compact *contact, jager_compact_law law,
                                               jager_compact_real stiffness, jager_compact_real half_overlap,
                                               const jager_compact_real half_shift[2], jager_compact_force *force)
{
  const jager_status status = check_compact(&law, stiffness, half_overlap, half_shift);
  if (status != JAGER_OK)
    return status;
  if (contact->points > JAGER_COMPACT_POINTS)
    return JAGER_ERROR_CORRUPT;
  contact_data c = load_contact(&law, contact, stiffness);
  if (!upper_points_are_possible(&c))
    return JAGER_ERROR_CORRUPT;
  if (c.stiffness != stiffness && c.length > 1)
    set_stiffness(&law, &c, stiffness);
  c.stiffness = stiffness;
  const bool is_tiny = half_overlap < JAGERC_ZETA_MIN && half_overlap > 0;
  move_compact(&law, &c, is_tiny ? 0 : stored(half_overlap), half_shift);
#if defined(JAGER_COMPACT_SINGLE_STORED) && !defined(JAGER_COMPACT_SINGLE)
  if (c.length > 1)
    round_contact(&law, contact, &c);
#endif
  const jager_force now = force_of(&c);
  store_contact(&c, contact);
  if (!force_is_finite(now)) /* of bytes that are no numbers */
    return JAGER_ERROR_CORRUPT;
  if (force)
    *force = now;
  return JAGER_OK;
}

/* ---- Reading ----------------------------------------------------------------------------------------------------- */

/*
 * The force after the last movement, N, with the friction that it had; of the law only the exponent counts. NaN, all of
 * it, if these bytes are no contact, as far as jager_compact_check says that readings look.
 */
JAGER_FUNCTION jager_compact_force jager_compact_force_of(const jager_compact *contact, jager_compact_law law)
{
  const jager_compact_force none = {NAN, {NAN, NAN}};
  if (contact->points > JAGER_COMPACT_POINTS)
    return none;
  jager_compact copy = *contact;
  const contact_data c = load_contact(&law, &copy, copy.stiffness);
  return upper_end_is_possible(&c) ? force_of(&c) : none;
}

/*
 * Bounds the difference between the tangential force and the force of an exact contact after the same movements, N;
 * never more than 2 f Fn. Proven for movements along a line and friction that does not fall; docs/theory.md says what
 * holds in the plane. It does not contain rounding, which matters in single precision only. NaN where the force would
 * be.
 */
JAGER_FUNCTION jager_compact_real jager_compact_error(const jager_compact *contact, jager_compact_law law)
{
  if (contact->points > JAGER_COMPACT_POINTS)
    return NAN;
  jager_compact copy = *contact;
  const contact_data c = load_contact(&law, &copy, copy.stiffness);
  return upper_end_is_possible(&c) ? real_min(number_from_high32(c.error_bound.top), 2 * c.friction * c.fn) : NAN;
}

/* ---- The compiler ------------------------------------------------------------------------------------------------ */

/*
 * With quotients and roots that are rounded correctly, (m/n) n = m for integers m and n = 2^i + 2^j, and √(x²) = x.
 * Volatile numbers are computed when the program runs, not by the compiler.
 */
JAGER_FUNCTION bool quotients_and_roots_are_rounded(void)
{
  for (word k = 0; k < 96; k++) {
    volatile scalar m = (scalar)(2 * k + 1), n = (scalar)((2u << k % 5) + 1), quotient = m / n;
    volatile scalar product = quotient * n, square = quotient * quotient, root = real_sqrt(square);
    if (product != m || root != quotient)
      return false;
  }
  return true;
}

/*
 * Checks that the compiled arithmetic follows IEEE 754. Compilers that define a macro for fast math are refused as they
 * compile; nvcc -use_fast_math defines none, and the arithmetic of a device shows only when it runs. So call this once
 * where contacts are moved: in a kernel. Returns JAGER_OK, JAGER_ERROR_FAST_MATH (do not go on) or
 * JAGER_ERROR_CONTRACTED.
 */
JAGER_FUNCTION jager_status jager_compact_check_arithmetic(void)
{
  volatile scalar one = 1, share = JAGER_NUMBER(0.5), smallest = JAGERC_NORMAL_MIN, large = JAGER_SQUARE_MAX,
                  little = JAGERC_LITTLE;
  volatile scalar subnormal = smallest * share, infinite = large * large, none = infinite - infinite;
  const scalar a = one, b = large, c = one + little, d = one - little;
  if (!(subnormal > 0 && subnormal < smallest) || (b + a) - b != 0 || none == none ||
      !quotients_and_roots_are_rounded())
    return JAGER_ERROR_FAST_MATH;
  return c * d - a == 0 ? JAGER_OK : JAGER_ERROR_CONTRACTED;
}

/* ---- Materials --------------------------------------------------------------------------------------------------- */

/* The law of spheres of one material: Poisson's ratio in (-1, 0.5], friction. No tolerance. */
JAGER_FUNCTION jager_compact_law jager_compact_law_of(jager_compact_real poisson, jager_compact_real friction)
{
  jager_compact_law law = {friction, 2 * (1 - poisson) / (2 - poisson), 2, 0};
  return law;
}

/*
 * Dashpots with the share β of critical damping beside the springs of a contact, for jager_compact_dashpot_damp.
 */
JAGER_FUNCTION jager_compact_dashpot jager_compact_dashpot_of(jager_compact_law law, jager_compact_real share)
{
  jager_compact_dashpot dashpot = {2 * share, JAGER_NUMBER(0.5) * (1 + 1 / law.exponent), real_sqrt(law.inverse_kappa)};
  return dashpot;
}

/*
 * C of Fn = C ζ^1.5 between two spheres of one material (shear modulus, Pa; radii, m). With a wall, radius_b is a very
 * large number or infinite.
 */
JAGER_FUNCTION jager_compact_real jager_compact_stiffness_of_spheres(jager_compact_real shear_modulus,
                                                                     jager_compact_real poisson,
                                                                     jager_compact_real radius_a,
                                                                     jager_compact_real radius_b)
{
  const scalar smaller = real_min(radius_a, radius_b), larger = real_max(radius_a, radius_b);
  const scalar modulus = (scalar)8 / 3 * shear_modulus / (1 - poisson);
  return modulus * real_sqrt(2 * smaller / (1 + smaller / larger));
}

#undef JAGER_SIZE_IS_FIXED
#undef JAGER_ROUNDING_MAX
#undef JAGER_SQUARE_MIN
#undef JAGER_SQUARE_MAX
#undef JAGERC_ZETA_MIN
#undef JAGERC_ZETA_MAX
#undef JAGERC_XI_MAX
#undef JAGERC_STIFFNESS_MIN
#undef JAGERC_STIFFNESS_MAX
#undef JAGERC_FRICTION_MAX
#undef JAGERC_ROUNDING
#undef JAGERC_TINY
#undef JAGERC_LITTLE
#undef JAGERC_NORMAL_MIN
#undef JAGERC_BOUND_MAX
#include "detail/names.h"

#endif
