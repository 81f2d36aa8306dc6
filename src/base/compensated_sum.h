/* SPDX-License-Identifier: MIT */
/* A compensated sum: it carries its rounding error along, so that 10^8 terms are added as accurately as two. */
#ifndef JAGER_BASE_COMPENSATED_SUM_H
#define JAGER_BASE_COMPENSATED_SUM_H

typedef struct compensated_sum {
  double high, low;
} compensated_sum;

static inline void compensated_sum_add(compensated_sum *sum, double term)
{
  double high = sum->high + term; /* two-sum (Knuth) */
  double of_term = high - sum->high;
  double lost = (sum->high - (high - of_term)) + (term - of_term);
  double rest = sum->low + lost;
  sum->high = high + rest;
  sum->low = rest - (sum->high - high);
}

#endif
