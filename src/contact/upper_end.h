/* SPDX-License-Identifier: MIT */
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
#ifndef JAGER_UPPER_END_H
#define JAGER_UPPER_END_H

#include "entries.h"

/* sum_anchor, as a function of its own (history.c): it is rarely called */
void jager_history_sum_anchor(const jager_law *law, contact_data *c);

static JAGER_INLINE compensated_vec2 anchor_of(const contact_data *c)
{
  compensated_vec2 ft = {c->anchor.ft,
                         {double_from_high32(c->anchor.ft_low[0]), double_from_high32(c->anchor.ft_low[1])}};
  return ft;
}

static JAGER_INLINE void set_anchor(contact_data *c, compensated_vec2 ft)
{
  c->anchor.ft = ft.high;
  c->anchor.ft_low[0] = double_high32(ft.low.x);
  c->anchor.ft_low[1] = double_high32(ft.low.y);
}

/* Sums the anchor from the segments below it. */
static inline void sum_anchor(const jager_law *law, contact_data *c)
{
  compensated_vec2 ft = {{0.0, 0.0}, {0.0, 0.0}};
  double fn = c->second.fn_base;
  for (entry_cursor at = entry_cursor_top(c); entry_exists(at);) {
    vec2 p = entry_slope(at);
    entry_cursor_descend(&at);
    double fn_base = normal_force(law, c->stiffness, entry_end(at));
    compensated_vec2_add(&ft, fn - fn_base, p);
    fn = fn_base;
  }
  set_anchor(c, ft);
}

/* Rises by one with each factor of 2^16. */
static JAGER_INLINE uint8_t force_magnitude(double fn)
{
  return (uint8_t)(double_bits(fn) >> 56);
}

static JAGER_INLINE void set_top_base(contact_data *c, double zeta, double fn)
{
  c->top.zeta_base = zeta;
  c->top.fn_base = fn;
}

/* The top segment gets a new end and a new slope. */
static JAGER_INLINE void set_top(contact_data *c, double zeta, double fn, vec2 p, vec2 xi_residual)
{
  assert(c->top.zeta_base < zeta);
  c->xi_residual = xi_residual;
  c->zeta = zeta;
  c->fn = fn;
  c->top.p = p;
}

/* Drops the second segment: the top starts where the second one did. */
static JAGER_INLINE void history_drop_second(const jager_law *law, jager_pool *pool, contact_data *c)
{
  assert(c->length > 2);
  const double fn_base = c->second.fn_base;
  set_top_base(c, c->second.zeta_base, fn_base);
  c->error_bound.second = error_bound_below_second(c);
  count_dropped_point(c);
  if (c->length == 2) {
    c->second.p = vec2_of(0.0, 0.0);
    return; /* its base and the anchor are zero already */
  }
  const vec2 p = entry_pop(pool, c);
  if (!has_entries(c)) {
    const history_segment lowest = {p, 0.0, 0.0};
    const compensated_vec2 zero = {{0.0, 0.0}, {0.0, 0.0}};
    c->second = lowest;
    set_anchor(c, zero);
    return;
  }
  const double zeta = entry_end(entry_cursor_top(c)), fn = normal_force(law, c->stiffness, zeta);
  compensated_vec2 ft = anchor_of(c);
  compensated_vec2_add(&ft, -(fn_base - fn), p);
  const history_segment second = {p, zeta, fn};
  c->second = second;
  set_anchor(c, ft);
  if (force_magnitude(fn) < force_magnitude(fn_base))
    jager_history_sum_anchor(law, c);
}

/*
 * The top segment, cut at (zeta_cut, fn_cut), becomes the second one, and a new top starts there. set_top must follow.
 * False: out of memory, and nothing has changed.
 */
static JAGER_INLINE bool history_push(jager_pool *pool, contact_data *c, double zeta_cut, double fn_cut)
{
  assert(c->top.zeta_base < zeta_cut);
  const vec2 second_p = c->second.p;
  if (c->length > 2 && !entry_push(pool, c, c->top.zeta_base, second_p, c->error_bound.second))
    return false;
  compensated_vec2 ft = anchor_of(c);
  compensated_vec2_add(&ft, c->top.fn_base - c->second.fn_base, second_p);
  set_anchor(c, ft);
  c->second = c->top;
  set_top_base(c, zeta_cut, fn_cut);
  c->error_bound.second = c->error_bound.top;
  count_new_point(c);
  return true;
}

/* Ft = Σ p* ΔFn* */
static JAGER_INLINE jager_force force_of(const contact_data *c)
{
  double top_rise = c->fn - c->top.fn_base, second_rise = c->top.fn_base - c->second.fn_base;
  double low_x = double_from_high32(c->anchor.ft_low[0]), low_y = double_from_high32(c->anchor.ft_low[1]);
  jager_force force = {c->fn,
                       {c->anchor.ft.x + (low_x + (c->second.p.x * second_rise + c->top.p.x * top_rise)),
                        c->anchor.ft.y + (low_y + (c->second.p.y * second_rise + c->top.p.y * top_rise))}};
  return force;
}

#endif
