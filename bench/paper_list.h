/* SPDX-License-Identifier: MIT */
/*
 * The algorithm as the paper prints it, for measuring only: one entry a node in a linked list, Fn* stored, a tolerance
 * on |p| = f, and Ft kept by adding and subtracting.
 */
#ifndef PAPER_LIST_H
#define PAPER_LIST_H

#include <stddef.h>

struct paper_entry {
  double zeta, fn, p[2];
  struct paper_entry *below;
};

struct paper_pool {
  struct paper_entry *free, *entries;
  size_t count, taken;
};

struct paper_contact {
  struct paper_entry *top;
  double ft[2];
};

int paper_pool_create(struct paper_pool *pool, size_t count);
void paper_pool_destroy(struct paper_pool *pool);

/* Ē√R, κ and f as in libjager; 0 on success, -1 if the pool is empty. */
int paper_move(double stiffness, double kappa, double friction, struct paper_pool *pool, struct paper_contact *contact,
               double zeta, const double dxi[2]);

#endif
