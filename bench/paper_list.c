/* SPDX-License-Identifier: MIT */
#include "paper_list.h"

#include <math.h>
#include <stdlib.h>

int paper_pool_create(struct paper_pool *pool, size_t count)
{
  pool->entries = calloc(count, sizeof *pool->entries);
  if (!pool->entries)
    return -1;
  for (size_t i = 0; i + 1 < count; i++)
    pool->entries[i].below = &pool->entries[i + 1];
  pool->free = pool->entries;
  pool->count = count;
  pool->taken = 0;
  return 0;
}

void paper_pool_destroy(struct paper_pool *pool)
{
  free(pool->entries);
}

static void drop_top(struct paper_pool *pool, struct paper_contact *contact)
{
  struct paper_entry *entry = contact->top;
  contact->top = entry->below;
  entry->below = pool->free;
  pool->free = entry;
  pool->taken--;
}

static int push(struct paper_pool *pool, struct paper_contact *contact, double zeta, double fn, double p0, double p1)
{
  struct paper_entry *entry = pool->free;
  if (!entry)
    return -1;
  pool->free = entry->below;
  pool->taken++;
  *entry = (struct paper_entry){zeta, fn, {p0, p1}, contact->top};
  contact->top = entry;
  return 0;
}

/* ζ* of the segment that ends in `top` (eqs. Zetas, Zetas2); far below where the old cone simply expands */
static double zeta_star(const struct paper_entry *top, double friction, double kappa, double zeta, const double dxi[2])
{
  double rise = zeta - top->zeta;
  double e0 = dxi[0] / kappa - top->p[0] * rise, e1 = dxi[1] / kappa - top->p[1] * rise;
  double e_square = e0 * e0 + e1 * e1, pe = top->p[0] * e0 + top->p[1] * e1;
  double room = friction * friction - (top->p[0] * top->p[0] + top->p[1] * top->p[1]);
  if (room < 1e-10 * friction * friction)
    return pe >= 0.0 ? -1.0 : zeta + e_square / (2.0 * pe);
  return zeta - (pe + sqrt(pe * pe + room * e_square)) / room;
}

int paper_move(double stiffness, double kappa, double friction, struct paper_pool *pool, struct paper_contact *contact,
               double zeta, const double dxi[2])
{
  if (zeta <= 0.0) {
    while (contact->top)
      drop_top(pool, contact);
    contact->ft[0] = contact->ft[1] = 0.0;
    return 0;
  }
  double fn = stiffness * zeta * sqrt(zeta);
  double d[2] = {dxi[0], dxi[1]};
  double zeta_top = contact->top ? contact->top->zeta : 0.0, fn_top = contact->top ? contact->top->fn : 0.0;
  double rise = zeta - zeta_top, reach = friction * kappa * rise;
  if (rise > 0.0 && d[0] * d[0] + d[1] * d[1] < reach * reach) {
    double p0 = d[0] / (kappa * rise), p1 = d[1] / (kappa * rise);
    contact->ft[0] += p0 * (fn - fn_top);
    contact->ft[1] += p1 * (fn - fn_top);
    return push(pool, contact, zeta, fn, p0, p1);
  }
  double fn_star = 0.0;
  for (;;) {
    struct paper_entry *top = contact->top;
    if (!top) {
      contact->ft[0] = contact->ft[1] = 0.0;
      break;
    }
    double cut = zeta_star(top, friction, kappa, zeta, d);
    double zeta_below = top->below ? top->below->zeta : 0.0, fn_below = top->below ? top->below->fn : 0.0;
    int whole = cut <= zeta_below;
    double to = whole ? zeta_below : fmin(cut, top->zeta), fn_to = whole ? fn_below : stiffness * to * sqrt(to);
    for (int i = 0; i < 2; i++) {
      d[i] += kappa * top->p[i] * (top->zeta - to);
      contact->ft[i] -= top->p[i] * (top->fn - fn_to);
    }
    if (!whole) {
      top->zeta = to;
      top->fn = fn_star = fn_to;
      break;
    }
    drop_top(pool, contact);
  }
  double length = sqrt(d[0] * d[0] + d[1] * d[1]), scale = length > 0.0 ? friction / length : 0.0;
  contact->ft[0] += d[0] * scale * (fn - fn_star);
  contact->ft[1] += d[1] * scale * (fn - fn_star);
  return push(pool, contact, zeta, fn, d[0] * scale, d[1] * scale);
}
