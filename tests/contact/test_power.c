/* SPDX-License-Identifier: MIT */
/*
 * x^y of the library, which power contours need. Oracles: long double's powl; numbers from power_reference.py; what
 * powers are exactly. The limit of the error is the one that power.h derives.
 */
#include "contact/contour.h"
#include "support.h"

#include <float.h>

/* In units in the last place, before and after the last rounding; y of any sign */
static double error_limit(split_exponent y)
{
  return 0.61 + 0.27 * fabs(y.high);
}

/* The unit in the last place of a double near this number */
static double unit_at(double number)
{
  int e;
  (void)frexp(number, &e);
  return fmax(ldexp(1.0, e - DBL_MANT_DIG), DBL_TRUE_MIN);
}

/* Overflow to infinity is right where the nearest double is infinite, or may be. */
static void assert_power(double x, split_exponent y, double high, long double low, double slack)
{
  double power = jager_power(x, y);
  bool is_infinite = isinf(power) || isinf(high);
  double unit = unit_at(high), limit = error_limit(y) + slack + (high < DBL_MIN ? 0.5 : 0.0);
  double error = is_infinite ? 0.0 : (double)fabsl(((long double)power - high - low) / unit);
  bool is_right = is_infinite ? fmin(power, high) > DBL_MAX * (1.0 - 8.0 * limit * DBL_EPSILON) : error <= limit;
  ck_assert_msg(is_right, "%a ^ (%.17g + %.3g): %a instead of %a; %.3f units off, allowed %.3f", x, y.high, y.low,
                power, high, error, limit);
}

/* ---- Numbers known to 50 digits ---------------------------------------------------------------------------------- */

/* x^(1 + 1/α), x^(1/α), x^(α/(α + 1)): the nearest double and what it lacks; power_reference.py writes this table. */
static const struct reference {
  double x, alpha, power[3][2];
} references[] = {
    {0x1p-1074,
     1.1,
     {{0x0.0p+0, 0x0.0p+0},
      {0x1.8ded91f0e746dp-977, -0x0.000531727c520p-1022},
      {0x1.588cea3f09363p-563, -0x1.1cb7ea28d3fffp-621}}},
    {0x1p-1074,
     100.0,
     {{0x0.0p+0, 0x0.0p+0}, {0x1.328df6e1fea77p-11, 0x1.569a43e6c2c71p-65}, {0x0.0000000000635p-1022, -0x0.0p+0}}},
    {0x1.8p-1030,
     3.0,
     {{0x0.0p+0, 0x0.0p+0},
      {0x1.d12ed0af1a27fp-344, -0x1.84a8a3d967a4cp-401},
      {0x1.eab5536a3a356p-773, 0x1.bb6edf8af5ae5p-829}}},
    {0x1.2345678p-540,
     1.0,
     {{0x0.0p+0, 0x0.0p+0},
      {0x1.2345678000000p-540, -0x1.4fcd0ed036180p-731},
      {0x1.1111110c88889p-270, -0x1.e046666670a2bp-324}}},
    {0x1.2345678p-540,
     4.7,
     {{0x1.424aa6bc9e009p-655, 0x1.7b3e7467122a5p-709},
      {0x1.1b439c952e9d3p-115, 0x1.ae54f262e0c94p-169},
      {0x1.da8aaa69b66b1p-446, -0x1.14d6c5da1e9a1p-501}}},
    {0x1.0000000000001p-199,
     1.5,
     {{0x1.428a2f98d728dp-332, -0x1.12ca1574ad66cp-390},
      {0x1.428a2f98d728cp-133, -0x1.1b555fbaa7796p-187},
      {0x1.8406003b2ae5dp-120, 0x1.51a66bf41dd2fp-174}}},
    {0x1.ad7f29abcaf48p-24,
     1.1,
     {{0x1.85e6707b8fd00p-45, 0x1.c8e1482b361efp-100},
      {0x1.d0cc1584fc0f2p-22, 0x1.bcdee455b70d1p-78},
      {0x1.c3d154e98454ep-13, 0x1.9935811a17e90p-67}}},
    {0x1.ad7f29abcaf48p-24,
     1.5,
     {{0x1.2f35b0acde7e0p-39, 0x1.1d294bb59d907p-97},
      {0x1.697443ee03774p-16, -0x1.d4d01d447492fp-73},
      {0x1.08a4876c13120p-14, 0x1.d8e9a09d7e535p-69}}},
    {0x1.ad7f29abcaf48p-24,
     2.0,
     {{0x1.16282996f8873p-35, -0x1.b4655bce994adp-89},
      {0x1.4b96be9c2da2cp-12, -0x1.fa1e0b60aeff0p-67},
      {0x1.697443ee03774p-16, -0x1.d4d01d447492fp-73}}},
    {0x1.6a09e667f3bcbp-1,
     1.5,
     {{0x1.1f59ac3c7d6bep-1, -0x1.d8e1dbbaaed47p-56},
      {0x1.965fea53d6e3bp-1, 0x1.5bd5d0283e4c5p-55},
      {0x1.9fdf8bcce533cp-1, 0x1.779d3fa0f323ep-55}}},
    {0x1.6a09e667f3bcep-1,
     1.5,
     {{0x1.1f59ac3c7d6c2p-1, -0x1.0cb1c696f2847p-55},
      {0x1.965fea53d6e3ep-1, -0x1.a95ccdf3d653cp-55},
      {0x1.9fdf8bcce533ep-1, 0x1.bce522a8413ecp-55}}},
    {0x1.fffffffffffffp-1,
     1.1,
     {{0x1.ffffffffffffep-1, 0x1.745d1745d1752p-57},
      {0x1.fffffffffffffp-1, 0x1.745d1745d174bp-57},
      {0x1.fffffffffffffp-1, 0x1.e79e79e79e79ep-55}}},
    {0x1.0000000000001p+0,
     1.1,
     {{0x1.0000000000002p+0, -0x1.745d1745d173dp-56},
      {0x1.0000000000001p+0, -0x1.745d1745d174cp-56},
      {0x1.0000000000001p+0, -0x1.e79e79e79e79fp-54}}},
    {0x1.6a09e667f3bcdp+0,
     3.0,
     {{0x1.965fea53d6e3dp+0, 0x1.4bf82388bd67bp-55},
      {0x1.1f59ac3c7d6c0p+0, -0x1.78a1ad13f12d3p-57},
      {0x1.4bfdad5362a27p+0, 0x1.a7ac7c9852732p-54}}},
    {0x1.921fb54442d18p+1,
     1.7,
     {{0x1.8a3fd328620cdp+2, 0x1.ab5a3dc0eaf04p-53},
      {0x1.f5f94c38f2ac6p+0, 0x1.81a72a7110f3fp-57},
      {0x1.072a920def0bep+1, 0x1.96bf06ea8e0b1p-54}}},
    {0x1.921fb54442d18p+1,
     100.0,
     {{0x1.96c0e7fb774b4p+1, -0x1.2d271d4eb0bdep-54},
      {0x1.02f28542bf08fp+0, 0x1.ebada66acb726p-54},
      {0x1.8d97890e3b4a8p+1, -0x1.576be9defc935p-54}}},
    {0x1.7p+199,
     1.3,
     {{0x1.0092a9b8f839bp+353, 0x1.dd723d8502789p+297},
      {0x1.64f893179c23cp+153, -0x1.809926bd1c265p+94},
      {0x1.b5d163261e12ep+112, 0x1.ba28048549992p+58}}},
    {0x1.fffffffffffffp+511,
     1.0,
     {{0x1.ffffffffffffep+1023, 0x1.0000000000000p+918},
      {0x1.fffffffffffffp+511, 0x1.5a6d77b89cdb6p+319},
      {0x1.fffffffffffffp+255, 0x1.0000000000000p+202}}},
    {0x1.fffffffffffffp+1023,
     4.7,
     {{INFINITY, 0.0},
      {0x1.d4a42f1ea3842p+217, -0x1.ad65847fcb5e6p+162},
      {0x1.467c68a10312cp+844, 0x1.c91eda79a2023p+789}}},
};

enum { REFERENCES = sizeof references / sizeof references[0] };

TEST_LOOP(powers_of_contours_agree_with_references, REFERENCES)
{
  const struct reference *r = &references[_i];
  const split_exponent force = force_exponent(r->alpha), radius = radius_exponent(r->alpha),
                       inverse = exponent_inverse(force), exponents[] = {force, radius, inverse};
  for (int k = 0; k < 3; k++)
    assert_power(r->x, exponents[k], r->power[k][0], r->power[k][1], 1e-3);
}

/* ---- Any numbers ------------------------------------------------------------------------------------------------- */

/* A number of any size, of moderate size, or near 1 */
static double any_number(uint64_t *seed, int kind)
{
  if (kind == 0)
    return exp2(random_in(seed, -1074.0, 1023.999));
  return kind == 1 ? exp2(random_in(seed, -60.0, 20.0)) : random_in(seed, 0.7, 1.5);
}

static split_exponent any_exponent(uint64_t *seed, int kind)
{
  double alpha = random_in(seed, 1.0, kind % 2 ? 100.0 : 4.0);
  switch (kind / 2) {
  case 0:
    return force_exponent(alpha);
  case 1:
    return radius_exponent(alpha);
  case 2:
    return exponent_inverse(force_exponent(alpha));
  case 3:
    return exponent_plus(radius_exponent(alpha), -1.0);
  default:
    return exponent_of(random_in(seed, -100.0, 100.0));
  }
}

/* x^(high + low) = x^high e^(low ln x): high + low has more digits than a long double. */
TEST_LOOP(errors_are_below_their_limit, 10)
{
  uint64_t seed = (uint64_t)_i + 1;
  for (int trial = 0; trial < 60000; trial++) {
    double x = any_number(&seed, trial % 3);
    split_exponent y = any_exponent(&seed, _i);
    long double power = powl(x, y.high) * expl(y.low * logl(x));
    double high = (double)power;
    assert_power(x, y, high, isinf(high) ? 0.0L : power - high, 0.01);
  }
}

/* Up to the largest number and down to the least one; x beyond all numbers; x that is 0 */
TEST(powers_overflow_and_underflow_gradually)
{
  const split_exponent two = exponent_of(2.0), minus_one = exponent_of(-1.0), hundred = exponent_of(100.0);
  ck_assert_double_eq(jager_power(0x1p-537, two), DBL_TRUE_MIN);
  ck_assert_double_eq(jager_power(0x1p-538, two), 0.0);
  ck_assert_double_eq(jager_power(0x1p-511, two), DBL_MIN);
  ck_assert_double_eq(jager_power(0x1.8p-512, two), 0x1.2p-1023);
  ck_assert_double_eq(jager_power(0x1.8p511, two), 0x1.2p1023);
  ck_assert_double_eq(jager_power(0x1p512, two), INFINITY);
  ck_assert_double_eq(jager_power(DBL_MAX, hundred), INFINITY);
  ck_assert_double_eq(jager_power(DBL_TRUE_MIN, hundred), 0.0);
  ck_assert_double_eq(jager_power(DBL_TRUE_MIN, minus_one), INFINITY);
  ck_assert_double_eq(jager_power(DBL_MAX, minus_one), 0x1p-1024);
  ck_assert_double_eq(jager_power(0.0, two), 0.0);
  ck_assert_double_eq(jager_power(0.0, minus_one), INFINITY);
  ck_assert_double_eq(jager_power(INFINITY, two), INFINITY);
  ck_assert_double_eq(jager_power(INFINITY, minus_one), 0.0);
  ck_assert(isnan(jager_power(NAN, two)));
}

TEST(simple_powers_are_exact)
{
  uint64_t seed = 5;
  for (int trial = 0; trial < 20000; trial++) {
    double x = any_number(&seed, trial % 3);
    ck_assert_double_eq(jager_power(x, exponent_of(0.0)), 1.0);
    ck_assert_double_eq(jager_power(1.0, any_exponent(&seed, trial % 10)), 1.0);
    double root = floor(random_in(&seed, 1.0, 0x1p17)); /* its cube has no more than 51 bits */
    ck_assert_double_eq(jager_power(root * root, force_exponent(2.0)), root * root * root);
    ck_assert_double_eq(jager_power(root * root * root, radius_exponent(3.0)), root);
  }
}

/* ---- What the contact needs -------------------------------------------------------------------------------------- */

/* Neighbours of a number, and numbers where the method changes from one power of two to the next */
TEST(force_and_inverse_are_monotonic)
{
  uint64_t seed = 7;
  for (int trial = 0; trial < 3000; trial++) {
    split_exponent force = force_exponent(random_in(&seed, 1.0, trial % 2 ? 100.0 : 4.0)),
                   inverse = exponent_inverse(force);
    double x = trial % 3 ? any_number(&seed, 1 + trial % 2) : ldexp(0x1.6a09e667f3bc0p-1, trial % 61 - 30);
    double above = jager_power(x, force), above_inverse = jager_power(x, inverse);
    for (int i = 0; i < 40; i++) {
      double power = above, root = above_inverse;
      x = nextafter(x, INFINITY);
      above = jager_power(x, force);
      above_inverse = jager_power(x, inverse);
      ck_assert_msg(power <= above && root <= above_inverse, "%a ^ %.17g falls", x, force.high);
    }
  }
}

TEST(the_inverse_is_the_inverse_to_rounding)
{
  uint64_t seed = 9;
  jager_law law = example_law();
  for (int trial = 0; trial < 20000; trial++) {
    assert_ok(jager_law_set_contour(&law, JAGER_CONTOUR_POWER, 1.0, random_in(&seed, 1.0, trial % 2 ? 100.0 : 4.0)));
    double zeta = exp2(random_in(&seed, -190.0, 190.0)), stiffness = exp2(random_in(&seed, -30.0, 60.0));
    double back = jager_zeta_at_force(&law, stiffness, normal_force(&law, stiffness, zeta));
    assert_within(back / zeta, 1.0, 2.0 * DBL_EPSILON);
  }
}
