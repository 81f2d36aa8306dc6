/* SPDX-License-Identifier: MIT */
/* Which unpacked contacts are possible states of their law. All others are refused: a movement relies on them. */
#include "contact/compare/laws.h"
#include "pack.h"

#include <float.h>

static bool is_near(double a, double b)
{
  return fabs(a - b) <= 1e-9 * b;
}

static bool fields_are_possible(const contact_data *c)
{
  const double positive[] = {c->fn, c->top.zeta_base, c->top.fn_base, c->second.zeta_base, c->second.fn_base};
  for (size_t i = 0; i < sizeof positive / sizeof positive[0]; i++)
    if (signbit(positive[i])) /* not even -0: force_magnitude reads the exponent of Fn with its sign */
      return false;
  if (c->error_bound.top >> 31 != 0 || c->error_bound.top < c->error_bound.second) /* order of bits: that of numbers */
    return false;
  return fabs(c->zeta) <= JAGER_ZETA_MAX && c->friction >= 0.0 && c->friction <= JAGER_FRICTION_MAX &&
         c->stiffness > 0.0 && c->stiffness <= JAGER_STIFFNESS_MAX;
}

static bool second_is_empty(const contact_data *c)
{
  return vec2_is_zero(c->second.p) && c->second.zeta_base == 0.0 && c->second.fn_base == 0.0 &&
         vec2_is_zero(c->anchor.ft) && c->anchor.ft_low[0] == 0 && c->anchor.ft_low[1] == 0 &&
         c->error_bound.second == 0;
}

/* Not touching */
static bool history_is_empty(const contact_data *c)
{
  return c->zeta <= 0.0 && c->state == JAGER_STATE_APART && c->length == 1 && c->fn == 0.0 && vec2_is_zero(c->top.p) &&
         c->top.zeta_base == 0.0 && c->top.fn_base == 0.0 && vec2_is_zero(c->xi_residual) && c->error_bound.top == 0 &&
         c->points_since_shortening == 0 && second_is_empty(c);
}

/* ---- The exact law ----------------------------------------------------------------------------------------------- */

static bool slope_is_possible(double friction, vec2 p)
{
  return hypot(p.x, p.y) <= friction * (1.0 + 1e-9) + DBL_MIN;
}

/*
 * Upper bound of the rounding errors of the anchor. Each force that was added and taken away again leaves at most 2^-74
 * of the largest force, the part below the precision of the stored error; it may have happened thousands of times.
 */
static double anchor_rounding(const contact_data *c)
{
  double largest = double_from_bits((uint64_t)(force_magnitude(c->second.fn_base) + 1u) << 56); /* of this magnitude */
  return 1e-18 * c->friction * largest + DBL_MIN;
}

/* ζ* rises to the base of the second segment, no slope exceeds f, and the anchor is the sum of the entries. */
static bool entries_are_possible(const jager_law *law, const contact_data *c, const unsigned char *from, size_t entries)
{
  double zeta = 0.0, fn = 0.0, size = 0.0;
  uint32_t bound = 0;
  compensated_vec2 anchor = anchor_of(c);
  compensated_vec2 ft = {{-anchor.high.x, -anchor.high.y}, {-anchor.low.x, -anchor.low.y}};
  for (size_t i = 0; i < entries; i++, from += ENTRY_BYTES) {
    packed_entry next = get_entry(from);
    vec2 p = next.entry.p;
    if (!(next.entry.zeta > zeta && next.entry.zeta < c->zeta) || !slope_is_possible(c->friction, p) ||
        next.error_bound < bound)
      return false;
    double fn_end = normal_force(law, c->stiffness, next.entry.zeta);
    compensated_vec2_add(&ft, fn_end - fn, p);
    size += (fn_end - fn) * (fabs(p.x) + fabs(p.y));
    zeta = next.entry.zeta;
    fn = fn_end;
    bound = next.error_bound;
  }
  double slack = 1e-12 * size + anchor_rounding(c);
  return zeta == c->second.zeta_base && bound <= c->error_bound.second && fabs(ft.high.x + ft.low.x) <= slack &&
         fabs(ft.high.y + ft.low.y) <= slack;
}

static bool history_is_possible(const jager_law *law, const contact_data *c, const unsigned char *from, size_t entries)
{
  if (c->length < 2 || c->points_since_shortening > c->length - 2)
    return false;
  if (c->length == 2 ? c->top.zeta_base != 0.0 || !second_is_empty(c) : !(c->second.zeta_base < c->top.zeta_base))
    return false;
  /* the residual may be large against ζ, where the contact has unloaded by many decades */
  return c->top.zeta_base < c->zeta && fabs(c->xi_residual.x) <= JAGER_XI_MAX &&
         fabs(c->xi_residual.y) <= JAGER_XI_MAX && slope_is_possible(c->friction, c->top.p) &&
         slope_is_possible(c->friction, c->second.p) && is_near(normal_force(law, c->stiffness, c->zeta), c->fn) &&
         is_near(normal_force(law, c->stiffness, c->top.zeta_base), c->top.fn_base) &&
         is_near(normal_force(law, c->stiffness, c->second.zeta_base), c->second.fn_base) &&
         entries_are_possible(law, c, from, entries);
}

/* ---- Laws to compare with ---------------------------------------------------------------------------------------- */

/* Fields that such a law does not use are zero. */
static bool unused_fields_are_empty(const contact_data *c)
{
  return c->top.zeta_base == 0.0 && vec2_is_zero(c->second.p) && c->second.zeta_base == 0.0 &&
         c->second.fn_base == 0.0 && c->anchor.ft_low[0] == 0 && c->anchor.ft_low[1] == 0 && c->error_bound.top == 0 &&
         c->points_since_shortening == 0 && c->error_bound.second == 0 && vec2_is_zero(c->xi_residual) &&
         (c->length > 2 || vec2_is_zero(c->top.p));
}

/* The force lies within friction, and the entries are turning points. */
static bool compared_is_possible(const jager_law *law, const contact_data *c, const unsigned char *from, size_t entries)
{
  for (size_t i = 0; i < entries; i++, from += ENTRY_BYTES) {
    packed_entry next = get_entry(from);
    if (next.entry.zeta != 0.0 || next.error_bound != 0 || !isfinite(next.entry.p.x) || !isfinite(next.entry.p.y))
      return false;
  }
  double limit = c->friction * c->fn * (1.0 + 1e-9) + DBL_MIN;
  return c->length >= 2 && c->length - 2 <= jager_compare_turning_points_max(law->model) &&
         unused_fields_are_empty(c) && c->top.fn_base == c->fn &&
         is_near(jager_compare_normal_force(law, c, c->zeta), c->fn) && hypot(c->anchor.ft.x, c->anchor.ft.y) <= limit;
}

bool jager_packed_is_possible(const jager_law *law, const contact_data *c, const unsigned char *from, size_t entries)
{
  if (!fields_are_possible(c) || c->state >= JAGER_STATE_COUNT)
    return false;
  if (!(c->zeta > 0.0))
    return history_is_empty(c);
  if (c->state == JAGER_STATE_APART)
    return false;
  return c->model == JAGER_MODEL_JAGER ? history_is_possible(law, c, from, entries)
                                       : compared_is_possible(law, c, from, entries);
}
