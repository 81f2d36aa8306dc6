/* SPDX-License-Identifier: MIT */
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
typedef struct chord {
  uint32_t lower;  /* number of the lower segment, from the bottom, from 1 */
  double cost;     /* N */
  double weight;   /* of the upper segment in the slope */
  double span;     /* from the base of the lower to the end of the upper segment */
  double2 p, bend; /* slope of the lower segment; upper slope less lower slope */
} chord;

/* Segment number k, from the bottom, from 1 */
static JAGER_INLINE history_entry segment_at(const contact_data *c, uint32_t k)
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
static JAGER_INLINE double tent_integral(const jager_law *law, double stiffness, double x, double y, double z,
                                         double span)
{
  if (law->exponent == 2.0)
    return stiffness * (span / (z + x)) * ((x * y + y * z + z * x) / ((x + y) * (y + z)));
  return stiffness * span;
}

static JAGER_INLINE chord cheapest_chord(const jager_law *law, const contact_data *c)
{
  chord best = {0, 0.0, 0.0, 0.0, {0.0, 0.0}, {0.0, 0.0}};
  history_entry lower = segment_at(c, 1);
  double base = 0.0, x = 0.0, y = real_sqrt(lower.zeta);
  for (uint32_t k = 1; k + 1 < c->length; k++) {
    const history_entry upper = segment_at(c, k + 1);
    const vec2 bend = vec2_subtract(upper.p, lower.p);
    const double z = real_sqrt(upper.zeta), span = upper.zeta - base, weight = (upper.zeta - lower.zeta) / span;
    const double height = vec2_length(bend) * (lower.zeta - base) * weight;
    const double cost = height * tent_integral(law, c->stiffness, x, y, z, span);
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

static JAGER_INLINE uint32_t raised_bound(uint32_t bound, double cost)
{
  return double_high32_above(double_from_high32(bound) + cost);
}

/* Entry number `lower` - 1 goes, those above it move down. The second segment may begin at a lower entry now. */
static JAGER_INLINE void remove_entry(const jager_law *law, contact_data *c, uint32_t lower)
{
  for (uint32_t k = lower; k < c->fill; k++) {
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
static JAGER_INLINE void put_chord(const jager_law *law, jager_pool *pool, contact_data *c, chord of)
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
  for (uint32_t k = of.lower; k <= c->fill; k++)
    c->entries->bound[k - 1] = raised_bound(c->entries->bound[k - 1], of.cost);
  sum_anchor(law, c);
}

/* Called after each step that has added a segment. */
static JAGER_INLINE void shorten_if_due(const jager_law *law, jager_pool *pool, contact_data *c)
{
  if (c->length > JAGER_COMPACT_POINTS + 1)
    put_chord(law, pool, c, cheapest_chord(law, c));
}

/* A cut in the second segment adds none. */
static JAGER_INLINE bool has_grown_long(const contact_data *c)
{
  (void)c;
  return false;
}

/* Only equal slopes are merged. */
static JAGER_INLINE bool may_merge(const jager_law *law, vec2 p, vec2 q)
{
  (void)law;
  return p.x == q.x && p.y == q.y;
}

/* Steps are movements only. */
static JAGER_INLINE double space_zeta(const jager_law *law, const contact_data *c, enum space space, double height)
{
  (void)law;
  (void)c;
  (void)space;
  return height;
}
