/* SPDX-License-Identifier: MIT */
/*
 * A history made shorter within its tolerance (jager/detail/algorithm.h).
 *
 * The upper segments are replaced by chords, the cheapest first: the chord over two neighbours that adds least to
 * ∫ |δ| Fn" dz. Where a neighbour is a chord itself, the new chord is measured against the path as it was before the
 * shortening, so that deviations to both sides cancel as they should. With d the distance between chord and path, which
 * between two points of the path is at most the straight line from one |d| to the other,
 *
 *     ∫ |d| Fn" dz  <=  Σ Fn"(base) (|d(base)| + |d(end)|) / 2 (z(end) - z(base)),
 *
 * as Fn" does not rise. The shares that the segments had before are added.
 *
 * A history that has grown by more points than these segments, because it had no tolerance, is built up once more from
 * the bottom, and shortened on the way as if it grew with the tolerance.
 */
#include "step.h"

enum { WINDOW = SHORTEN_WINDOW, ENOUGH = 8 }; /* segments examined, and how many of them may remain */

/* The path, upward: segment k ends in point k; point 0 is the base of the lowest segment. */
typedef struct polyline {
  int count; /* of segments */
  double zeta[WINDOW + 1], fn[WINDOW + 1], curvature[WINDOW + 1];
  vec2 p[WINDOW + 1];
  double bound[WINDOW + 1]; /* error bound at a point */
} polyline;

/* The chords, upward, from number 1: chord k ends in point `end[k]` of the path. */
typedef struct chords {
  int count;
  int end[WINDOW + 1];
  double share[WINDOW + 1]; /* of the error bound */
  double joint[WINDOW + 1]; /* share that a chord over this and the next would have; negative: not known yet */
  double bound[WINDOW + 1]; /* error bound at its end */
  double room[WINDOW + 2];  /* by how much the bounds of this chord and all above it may grow */
  double room_above;        /* the same for what is above the path, before any chord is drawn */
} chords;

static void read_point(polyline *to, int k, double zeta, vec2 p, uint32_t bound)
{
  to->zeta[k] = zeta;
  to->p[k] = p;
  to->bound[k] = number_from_high32(bound);
}

static void read_path(polyline *to, const jager_law *law, const contact_data *c)
{
  int n = c->length - 1 < WINDOW ? (int)c->length - 1 : WINDOW;
  to->count = n;
  read_point(to, n, c->zeta, c->top.p, c->error_bound.top);
  read_point(to, n - 1, c->top.zeta_base, c->second.p, c->error_bound.second);
  entry_cursor at = entry_cursor_top(c);
  for (int k = n - 2; k >= 0; k--)
    if (at.node) {
      read_point(to, k, entry_at(at)->zeta, entry_at(at)->p, *entry_error_bound(at));
      entry_cursor_descend(&at);
    } else { /* the zeroth point of the history */
      read_point(to, k, 0.0, (vec2){0.0, 0.0}, 0);
    }
  for (int k = 0; k <= n; k++) {
    to->fn[k] = normal_force(law, c->stiffness, to->zeta[k]);
    to->curvature[k] = to->zeta[k] > 0.0 ? normal_curvature(law, to->zeta[k], to->fn[k]) : 0.0;
  }
}

/* Slope of the chord from one point of the path to another */
static vec2 slope_between(const polyline *of, int from, int to)
{
  vec2 way = {0.0, 0.0};
  for (int k = from + 1; k <= to; k++)
    way = vec2_add_scaled(way, of->zeta[k] - of->zeta[k - 1], of->p[k]);
  return vec2_divide(way, of->zeta[to] - of->zeta[from]);
}

/* Share of the chord from one point of the path to another. At ζ = 0 the tolerance is zero. */
static double share_between(const polyline *of, int from, int to)
{
  if (!(of->zeta[from] > 0.0))
    return HUGE_VAL;
  vec2 slope = slope_between(of, from, to), d = {0.0, 0.0};
  double sum = of->bound[to] - of->bound[from], before = 0.0;
  for (int k = from + 1; k <= to; k++) {
    double height = of->zeta[k] - of->zeta[k - 1];
    d = vec2_add_scaled(d, height, vec2_subtract(of->p[k], slope));
    double distance = k < to ? sqrt(vec2_dot(d, d)) : 0.0;
    sum += 0.5 * (before + distance) * of->curvature[k - 1] * height;
    before = distance;
  }
  return sum;
}

static void begin_chords(chords *to, const polyline *of, double room_above)
{
  to->count = of->count;
  to->room_above = room_above;
  to->end[0] = 0;
  to->bound[0] = of->bound[0];
  for (int k = 1; k <= of->count; k++) {
    to->end[k] = k;
    to->share[k] = of->bound[k] - of->bound[k - 1];
    to->joint[k] = -1.0;
  }
}

static void sum_bounds(chords *c, const polyline *of, double budget)
{
  for (int k = 1; k <= c->count; k++)
    c->bound[k] = c->bound[k - 1] + c->share[k];
  c->room[c->count + 1] = c->room_above - (c->bound[c->count] - of->bound[of->count]);
  for (int k = c->count; k > 0; k--) {
    double own = c->share[k] > 0.0 ? budget * of->fn[c->end[k - 1]] - c->bound[k] : HUGE_VAL;
    c->room[k] = real_min(own, c->room[k + 1]);
  }
}

/* The chord that is best joined with the next: at the least cost, within the budget τ f. 0: none. */
static int find_cheapest(chords *c, const polyline *of, double budget)
{
  int cheapest = 0;
  double least = HUGE_VAL;
  sum_bounds(c, of, budget);
  for (int k = 1; k < c->count; k++) {
    if (c->joint[k] < 0.0)
      c->joint[k] = share_between(of, c->end[k - 1], c->end[k + 1]);
    double growth = c->joint[k] - c->share[k] - c->share[k + 1];
    bool allowed = c->bound[k - 1] + c->joint[k] <= budget * of->fn[c->end[k - 1]] && growth <= c->room[k + 2];
    if (allowed && growth < least) {
      least = growth;
      cheapest = k;
    }
  }
  return cheapest;
}

static void join_chords(chords *c, int k)
{
  c->end[k] = c->end[k + 1];
  c->share[k] = c->joint[k];
  for (int i = k + 1; i < c->count; i++) {
    c->end[i] = c->end[i + 1];
    c->share[i] = c->share[i + 1];
    c->joint[i] = c->joint[i + 1];
  }
  c->count--;
  c->joint[k] = c->joint[k - 1] = -1.0;
}

/* The chords take the place of the path, without the anchor. Fewer segments than before need no more memory. */
static void write_chords(jager_pool *pool, contact_data *c, const polyline *of, const chords *to)
{
  for (int k = 2; k < of->count; k++)
    (void)entry_pop(pool, c);
  c->length -= (uint32_t)(of->count - to->count);
  uint32_t bound = number_high32_above(of->bound[0]);
  for (int k = 1; k <= to->count; k++) {
    int from = to->end[k - 1], end = to->end[k];
    vec2 p = end - from == 1 ? of->p[end] : slope_between(of, from, end);
    bound = number_high32_above(number_from_high32(bound) + to->share[k]);
    if (k == to->count) {
      c->top = (history_segment){p, of->zeta[from], of->fn[from]};
      c->error_bound.top = bound;
    } else if (k == to->count - 1) {
      c->second = (history_segment){p, of->zeta[from], of->fn[from]};
      c->error_bound.second = bound;
    } else {
      (void)entry_push(pool, c, of->zeta[end], p, bound);
    }
  }
}

/*
 * Shortens the upper end. The bounds of what is above it may grow by `room_above`. True: the anchor must be summed
 * anew.
 */
static bool shorten_upper(const jager_law *law, jager_pool *pool, contact_data *c, double room_above)
{
  polyline old;
  chords new;
  const double budget = law->tolerance * law->friction;
  read_path(&old, law, c);
  begin_chords(&new, &old, room_above);
  for (int k; new.count > ENOUGH && (k = find_cheapest(&new, &old, budget)) > 0;)
    join_chords(&new, k);
  c->points_since_shortening = 0;
  if (new.count == old.count)
    return false;
  write_chords(pool, c, &old, &new);
  return true;
}

/* ---- The whole history ------------------------------------------------------------------------------------------- */

/* A history that is built up once more: its segments, upward, from number 0 */
typedef struct old_history {
  contact_data end;    /* the contact as it was: it holds the two topmost segments */
  history_node *nodes; /* the others; here `below` leads upward */
  uint32_t count;      /* of segments */
} old_history;

typedef struct old_segment {
  history_entry entry;
  double bound;
} old_segment;

static old_history take_off(contact_data *c)
{
  old_history old = {.end = *c, .count = c->length - 1};
  for (history_node *node = c->node, *below; node; node = below) {
    below = node->below;
    node->below = old.nodes;
    old.nodes = node;
  }
  *c = contact_untouched(c->stiffness, c->friction, c->model);
  return old;
}

/* Segment k, which lies in `node` unless it is one of the two topmost. All nodes below the topmost are full. */
static old_segment old_segment_at(const old_history *old, const history_node *node, uint32_t k)
{
  const contact_data *end = &old->end;
  if (k + 2 < old->count)
    return (old_segment){node->entry[k % NODE_ENTRIES], number_from_high32(node->error_bound[k % NODE_ENTRIES])};
  if (k + 2 == old->count)
    return (old_segment){{end->top.zeta_base, end->second.p}, number_from_high32(end->error_bound.second)};
  return (old_segment){{end->zeta, end->top.p}, number_from_high32(end->error_bound.top)};
}

/*
 * By how much the bounds of the old segments may grow: for each block of segments, the least of it and of all above. A
 * segment is held back by its whole block, also by parts of it that are passed already: this errs on the safe side, and
 * histories that were exact have hardly any shares.
 */
enum { ROOM_BLOCKS = 64 };

static uint32_t room_block(const old_history *old, uint32_t k)
{
  return (uint32_t)((uint64_t)k * ROOM_BLOCKS / old->count);
}

static void find_rooms(const jager_law *law, const old_history *old, double room[ROOM_BLOCKS + 1])
{
  const history_node *node = NULL;
  double bound = 0.0, zeta = 0.0; /* at the base of the segment */
  for (int i = 0; i <= ROOM_BLOCKS; i++)
    room[i] = HUGE_VAL;
  for (uint32_t k = 0; k < old->count; k++) {
    if (k % NODE_ENTRIES == 0)
      node = node ? node->below : old->nodes;
    old_segment at = old_segment_at(old, node, k);
    if (at.bound > bound) {
      double limit = law->tolerance * law->friction * normal_force(law, old->end.stiffness, zeta);
      room[room_block(old, k)] = real_min(room[room_block(old, k)], limit - at.bound);
    }
    bound = at.bound;
    zeta = at.entry.zeta;
  }
  for (int i = ROOM_BLOCKS; i-- > 0;)
    room[i] = real_min(room[i], room[i + 1]);
}

/* Pushes a segment with this share. The nodes that the old history has given back are enough. */
static void put_on(const jager_law *law, jager_pool *pool, contact_data *c, history_entry entry, double share)
{
  double bound = number_from_high32(c->error_bound.top) + share;
  if (c->length > 1)
    (void)history_push(pool, c, c->zeta, c->fn);
  else
    c->length = 2;
  c->error_bound.top = number_high32_above(bound);
  set_top(c, entry.zeta, normal_force(law, c->stiffness, entry.zeta), entry.p, c->xi_residual);
}

/*
 * Builds the history up once more and shortens it as it grows, but not where it has been shortened before. Each node of
 * the old history is given back before its segments are put on: as they are no more than in all nodes given back so
 * far, and the contact itself holds two, no memory is lacking.
 */
static void build_up(const jager_law *law, jager_pool *pool, contact_data *c)
{
  const uint8_t grown = c->points_since_shortening;
  old_history old = take_off(c);
  const uint32_t first = grown < UINT8_MAX ? old.count - grown : 0;
  double room[ROOM_BLOCKS + 1], bound = 0.0;
  history_node node = {.below = old.nodes};
  find_rooms(law, &old, room);
  for (uint32_t k = 0; k < old.count; k++) {
    if (k % NODE_ENTRIES == 0 && node.below) {
      history_node *next = node.below;
      node = *next;
      pool_give(pool, next);
    }
    old_segment at = old_segment_at(&old, &node, k);
    put_on(law, pool, c, at.entry, at.bound - bound);
    bound = at.bound;
    if (k < first)
      c->points_since_shortening = 0;
    else if (k + 1 < old.count && c->points_since_shortening >= GROWTH_MAX && c->length > LENGTH_SHORT)
      (void)shorten_upper(law, pool, c,
                          room[room_block(&old, k + 1)] - (number_from_high32(c->error_bound.top) - bound));
  }
  c->fn = old.end.fn;
  c->xi_residual = old.end.xi_residual;
  c->state = old.end.state;
}

JAGER_COLD void jager_history_shorten(const jager_law *law, jager_pool *pool, contact_data *c)
{
  const bool whole = has_grown_long(c);
  if (whole)
    build_up(law, pool, c);
  if (shorten_upper(law, pool, c, HUGE_VAL) || whole)
    jager_history_sum_anchor(law, c);
}
