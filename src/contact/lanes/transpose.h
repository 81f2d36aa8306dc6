/* SPDX-License-Identifier: MIT */
/*
 * Records transposed into lanes and back. A row is four consecutive numbers of a record; the same row of JAGER_WIDTH
 * records becomes four reals, one for each number. Only bits move: the result is the same on any machine.
 */
#ifndef JAGER_TRANSPOSE_H
#define JAGER_TRANSPOSE_H

#include "contact/numbers.h"

#if JAGER_WIDTH == 1

/* memcpy: some numbers of a record are pairs of words elsewhere */
static JAGER_INLINE void transpose_in(const double *const row[1], real out[4])
{
  memcpy(out, row[0], 4 * sizeof *out);
}

static JAGER_INLINE void transpose_out(double *const row[1], const real in[4])
{
  memcpy(row[0], in, 4 * sizeof *in);
}

/* Half a row: two numbers */
static JAGER_INLINE void transpose_out_half(double *const row[1], real a, real b)
{
  row[0][0] = a;
  row[0][1] = b;
}

#else

#define JAGER_SHUFFLE __builtin_shufflevector
typedef double real_pair __attribute__((vector_size(16)));

static JAGER_INLINE real_pair pair_load(const double *from)
{
  real_pair a;
  memcpy(&a, from, sizeof a);
  return a;
}

static JAGER_INLINE void pair_store(double *to, real_pair a)
{
  memcpy(to, &a, sizeof a);
}

#if JAGER_WIDTH == 2

static JAGER_INLINE void transpose_in(const double *const row[2], real out[4])
{
  for (int half = 0; half < 2; half++) {
    real a = pair_load(row[0] + 2 * half), b = pair_load(row[1] + 2 * half);
    out[2 * half] = JAGER_SHUFFLE(a, b, 0, 2);
    out[2 * half + 1] = JAGER_SHUFFLE(a, b, 1, 3);
  }
}

static JAGER_INLINE void transpose_out_half(double *const row[2], real a, real b)
{
  pair_store(row[0], JAGER_SHUFFLE(a, b, 0, 2));
  pair_store(row[1], JAGER_SHUFFLE(a, b, 1, 3));
}

static JAGER_INLINE void transpose_out(double *const row[2], const real in[4])
{
  for (int half = 0; half < 2; half++) {
    double *const at[2] = {row[0] + 2 * half, row[1] + 2 * half};
    transpose_out_half(at, in[2 * half], in[2 * half + 1]);
  }
}

#else /* squares of 4 x 4 numbers: one in four lanes, two in eight */

typedef double real_row __attribute__((vector_size(32)));

static JAGER_INLINE real_row row_load(const double *from)
{
  real_row a;
  memcpy(&a, from, sizeof a);
  return a;
}

static JAGER_INLINE void row_store(double *to, real_row a)
{
  memcpy(to, &a, sizeof a);
}

#if JAGER_WIDTH == 4
#define TRANSPOSE_EVEN(a, b) JAGER_SHUFFLE(a, b, 0, 4, 2, 6)
#define TRANSPOSE_ODD(a, b) JAGER_SHUFFLE(a, b, 1, 5, 3, 7)
#define TRANSPOSE_LOW(a, b) JAGER_SHUFFLE(a, b, 0, 1, 4, 5)
#define TRANSPOSE_HIGH(a, b) JAGER_SHUFFLE(a, b, 2, 3, 6, 7)

static JAGER_INLINE real rows_of(const double *const row[4], int i)
{
  return row_load(row[i]);
}

static JAGER_INLINE void rows_to(double *const row[4], int i, real a)
{
  row_store(row[i], a);
}

#else
#define TRANSPOSE_EVEN(a, b) JAGER_SHUFFLE(a, b, 0, 8, 2, 10, 4, 12, 6, 14)
#define TRANSPOSE_ODD(a, b) JAGER_SHUFFLE(a, b, 1, 9, 3, 11, 5, 13, 7, 15)
#define TRANSPOSE_LOW(a, b) JAGER_SHUFFLE(a, b, 0, 1, 8, 9, 4, 5, 12, 13)
#define TRANSPOSE_HIGH(a, b) JAGER_SHUFFLE(a, b, 2, 3, 10, 11, 6, 7, 14, 15)

/* Row i of the first four records beside row i of the last four */
static JAGER_INLINE real rows_of(const double *const row[8], int i)
{
  const __m512d low = _mm512_castpd256_pd512(_mm256_loadu_pd(row[i]));
  return (real)_mm512_insertf64x4(low, _mm256_loadu_pd(row[i + 4]), 1);
}

static JAGER_INLINE void rows_to(double *const row[8], int i, real a)
{
  _mm256_storeu_pd(row[i], _mm512_castpd512_pd256((__m512d)a));
  _mm256_storeu_pd(row[i + 4], _mm512_extractf64x4_pd((__m512d)a, 1));
}
#endif

/* The first three numbers of each row of a, the fourth of b */
#if JAGER_WIDTH == 4
#define TRANSPOSE_LAST(a, b) JAGER_SHUFFLE(a, b, 0, 1, 2, 7)
#else
#define TRANSPOSE_LAST(a, b) JAGER_SHUFFLE(a, b, 0, 1, 2, 11, 4, 5, 6, 15)
#endif

/* The square transposed */
static JAGER_INLINE void transpose_square(real a, real b, real c, real d, real out[4])
{
  real ab_even = TRANSPOSE_EVEN(a, b), ab_odd = TRANSPOSE_ODD(a, b), cd_even = TRANSPOSE_EVEN(c, d),
       cd_odd = TRANSPOSE_ODD(c, d);
  out[0] = TRANSPOSE_LOW(ab_even, cd_even);
  out[1] = TRANSPOSE_LOW(ab_odd, cd_odd);
  out[2] = TRANSPOSE_HIGH(ab_even, cd_even);
  out[3] = TRANSPOSE_HIGH(ab_odd, cd_odd);
}

/* The last number of each row of the square: the last row of the square transposed */
static JAGER_INLINE real transpose_last_column(const real row[4])
{
  return TRANSPOSE_HIGH(TRANSPOSE_ODD(row[0], row[1]), TRANSPOSE_ODD(row[2], row[3]));
}

static JAGER_INLINE void transpose_in(const double *const row[JAGER_WIDTH], real out[4])
{
  transpose_square(rows_of(row, 0), rows_of(row, 1), rows_of(row, 2), rows_of(row, 3), out);
}

static JAGER_INLINE void transpose_out(double *const row[JAGER_WIDTH], const real in[4])
{
  real turned[4];
  transpose_square(in[0], in[1], in[2], in[3], turned);
  for (int i = 0; i < 4; i++)
    rows_to(row, i, turned[i]);
}

static JAGER_INLINE void transpose_out_half(double *const row[JAGER_WIDTH], real a, real b)
{
  real even = TRANSPOSE_EVEN(a, b), odd = TRANSPOSE_ODD(a, b);
#if JAGER_WIDTH == 8
  pair_store(row[4], JAGER_SHUFFLE(even, even, 4, 5));
  pair_store(row[5], JAGER_SHUFFLE(odd, odd, 4, 5));
  pair_store(row[6], JAGER_SHUFFLE(even, even, 6, 7));
  pair_store(row[7], JAGER_SHUFFLE(odd, odd, 6, 7));
#endif
  pair_store(row[0], JAGER_SHUFFLE(even, even, 0, 1));
  pair_store(row[1], JAGER_SHUFFLE(odd, odd, 0, 1));
  pair_store(row[2], JAGER_SHUFFLE(even, even, 2, 3));
  pair_store(row[3], JAGER_SHUFFLE(odd, odd, 2, 3));
}

#endif
#endif

#endif
