/* SPDX-License-Identifier: MIT */
/*
 * x^y from + − × ÷ and bits, without branches, for one number or for lanes: the same bits from every compiler, C
 * library and processor. contour.c has the function for any x.
 *
 * The method. x = 2^k m with √½ <= m < √2, and y ln x = n ln 2 + z with |z| < 0.384, so that x^y = 2^n e^z. Numbers
 * that the result depends on steeply are sums of two: ln x = high + low, y = high + low. A constant 1.5·2^b, added and
 * subtracted, rounds to multiples of 2^(b-52).
 *
 * The error, in u = 2^-53:
 *
 *   - ln m, f = m - 1, s = f/(2 + f), |s| < 0.1716: ln m = f - f²/2 + s (f²/2 + R), R = Σ 2 s^2j/(2j + 1). f and the
 *     square of its upper part are exact. What is rounded, s (f²/2 + R), is below 0.0182. It is wrong by 6.2 u of
 *     itself, 0.113 u (s 2 u, f²/2 and R 2.2 u, their sum and the product 2 u). R is s² times a polynomial in s² of
 *     degree 6 through Chebyshev's points; that adds 0.015 u.
 *   - k ln 2 is exact to 2^-97 k: ln 2 = high + low, high a multiple of 2^-42, |k| < 2^11.
 *   - y ln x: the upper parts have 26 bits, so that their product is exact. From low to z there are seven roundings of
 *     numbers below 0.0182, 4 · 0.0156 u + 3 · 0.0182 u. So far, y ln x is wrong by 0.25 |y| u.
 *   - e^z, z = a + b, a a multiple of 2^-25: 1 + a + a²/2 is exact. The rest is b + b (a + b/2) + z³ P(z), where P is a
 *     polynomial of degree 10 through Chebyshev's points of (e^z - 1 - z - z²/2)/z³, which is exact enough for 0.006 u.
 *     |z| is less than 0.3466 + 0.0183 |y|. For |y| = 1/2, 1, 2, z³ P is below 0.0083, 0.0090, 0.0104; it is wrong by
 *     7.3 u of itself, and two sums add 0.016 u. That is 0.12, 0.13, 0.15 u of e^z, less than (0.11 + 0.02 |y|) u.
 *
 * So before the last rounding, of a sum of two, the result is wrong by less than (0.27 |y| + 0.11) u relatively. That
 * makes less than 0.61 + 0.27 |y| units in the last place in all. Where y > 0.48 the error is less than y u/2, and so
 * much lies at least between the powers of two neighbours and their middle: the function rises with x. So Fn(ζ),
 * 1 <= y <= 2, and its inverse, 1/2 <= y <= 1, are monotonic. For |y| > 2 jager_power normalises y ln x, so that z
 * stays small.
 */
#ifndef JAGER_POWER_H
#define JAGER_POWER_H

#include "numbers.h"

/* ---- Exponents --------------------------------------------------------------------------------------------------- */

/*
 * y = high + low to 2^-78: 1/α as one number would shift ln x^(1/α) by u times itself, some dozen units in the last
 * place. high has 26 bits; |low| < 2^-25 or 2^-25 |high|.
 */
typedef struct split_exponent {
  double high, low;
} split_exponent;

/* Cut off after 26 bits of the mantissa, the leading one among them */
#define POWER_UPPER_BITS 0xFFFFFFFFF8000000u

static JAGER_INLINE double upper_bits(double a)
{
  return double_from_bits(double_bits(a) & POWER_UPPER_BITS);
}

static JAGER_INLINE split_exponent exponent_of(double y)
{
  return (split_exponent){upper_bits(y), y - upper_bits(y)};
}

/* 1/y */
static JAGER_INLINE split_exponent exponent_inverse(split_exponent y)
{
  double inverse = 1.0 / (y.high + y.low), high = upper_bits(inverse);
  return (split_exponent){high, ((1.0 - high * y.high) - high * y.low) * inverse};
}

/* y + n for an integer n, |n| <= 100 */
static JAGER_INLINE split_exponent exponent_plus(split_exponent y, double n)
{
  double high = upper_bits(y.high + n);
  return (split_exponent){high, ((n - high) + y.high) + y.low};
}

/* 1/α and 1 + 1/α: a contact's radius and force grow with these powers of ζ. */
static JAGER_INLINE split_exponent radius_exponent(double alpha)
{
  return exponent_inverse(exponent_of(alpha));
}

static JAGER_INLINE split_exponent force_exponent(double alpha)
{
  return exponent_plus(radius_exponent(alpha), 1.0);
}

/* ---- Logarithm and exponential ----------------------------------------------------------------------------------- */

#if JAGER_WIDTH == 1
typedef uint64_t natural;
#else
typedef uint64_t natural __attribute__((vector_size(8 * JAGER_WIDTH)));
#endif

static JAGER_INLINE natural natural_bits(real a)
{
  natural bits;
  memcpy(&bits, &a, sizeof bits);
  return bits;
}

static JAGER_INLINE real real_of_natural(natural bits)
{
  real a;
  memcpy(&a, &bits, sizeof a);
  return a;
}

#define POWER_LN2_HIGH 0x1.62e42fefa3800p-1
#define POWER_LN2_LOW 0x1.ef35793c76730p-45

/* Adds an integer of size below 2^51, and leaves its bits at the lower end of the sum. */
#define POWER_INTEGER 0x1.8p52

/* A number in two parts */
typedef struct real_parts {
  real high, low;
} real_parts;

/* ln(x / 2^scale) of a normal x > 0; `scale` is an integer. |low| < 0.0183. */
static JAGER_INLINE real_parts power_log(real x, double scale)
{
  const uint64_t half_root = 0x3FE6A09E667F3BCD, bias = (uint64_t)1024 << 52, exponent_bits = (uint64_t)0xFFF << 52;
  const natural bits = natural_bits(x), shifted = bits + (bias - half_root); /* k + 1024 above the mantissa */
  const real k = real_of_natural((shifted >> 52) | double_bits(0x1p52)) - (0x1p52 + 1024.0 + scale);
  const real f = real_of_natural(bits - (shifted & exponent_bits) + bias) - 1.0;
  const real upper = (f + 0x1.8p26) - 0x1.8p26, lower = f - upper;
  const real s = f / (2.0 + f), w = s * s, w2 = w * w;
  const real p = (0x1.5555555555558p-1 + w * 0x1.99999999952e2p-2) +
                 w2 * (0x1.2492492df14bfp-2 + w * 0x1.c71c62e57c0cfp-3) +
                 w2 * w2 * ((0x1.7462b4ac51915p-3 + w * 0x1.39fe603f8739ep-3) + w2 * 0x1.2b584c80de001p-3);
  const real rest = s * (0.5 * f * f + w * p) - 0.5 * lower * (f + upper);
  const real whole = k * POWER_LN2_HIGH, part = f - 0.5 * upper * upper, high = whole + part;
  return (real_parts){high, (part - (high - whole)) + (k * POWER_LN2_LOW + rest)};
}

/* y ln x, the upper part exact */
static JAGER_INLINE real_parts power_product(real_parts log, split_exponent y)
{
  const real upper = real_of_natural(natural_bits(log.high) & POWER_UPPER_BITS);
  return (real_parts){y.high * upper, y.high * ((log.high - upper) + log.low) + y.low * (log.high + log.low)};
}

/* e^t = value 2^n; n is at the lower end of `integer`, too. */
typedef struct power_parts {
  real value, n;
  natural integer;
} power_parts;

static JAGER_INLINE power_parts power_exp(real_parts t)
{
  const real shifted = t.high * 0x1.71547652b82fep+0 + POWER_INTEGER, n = shifted - POWER_INTEGER;
  const real first = t.high - n * POWER_LN2_HIGH, second = t.low - n * POWER_LN2_LOW, z = first + second;
  const real a = (z + 0x1.8p27) - 0x1.8p27, b = (first - a) + second, z2 = z * z, z4 = z2 * z2;
  const real p =
      ((0x1.5555555555555p-3 + z * 0x1.5555555555557p-5) + z2 * (0x1.1111111111111p-7 + z * 0x1.6c16c16c15711p-10)) +
      z4 * ((0x1.a01a01a0194e4p-13 + z * 0x1.a01a01ac936c7p-16) +
            z2 * (0x1.71de3a5c134a1p-19 + z * 0x1.27e4cb223931fp-22)) +
      z4 * z4 * ((0x1.ae6422f35507bp-26 + z * 0x1.1f9164764e450p-29) + z2 * 0x1.61d31d2152837p-33);
  const real rest = b + (b * (a + 0.5 * b) + z2 * z * p);
  return (power_parts){(1.0 + (a + 0.5 * a * a)) + rest, n, natural_bits(shifted)};
}

/* x^y, x > 0, |y| <= 2, where both are within the range of normal numbers */
static JAGER_INLINE real power_in_range(real x, split_exponent y)
{
  const power_parts e = power_exp(power_product(power_log(x, 0.0), y));
  return real_of_natural(natural_bits(e.value) + (e.integer << 52));
}

#endif
