/* SPDX-License-Identifier: MIT */
/*
 * A history made shorter within its tolerance.
 *
 * The upper segments are replaced by chords, the cheapest first: the one over two neighbours that adds least to
 * ∫ |δ| Fn" dz (walk.h). A chord over segments of which some are chords already is measured against the path as it was
 * when this began, not against those: so what cancels does not count. With d the distance of chord and path, which
 * between two points of the path is nowhere above the straight line from one |d| to the other,
 *
 *     ∫ |d| Fn" dz  <=  Σ Fn"(start) (|d(start)| + |d(end)|) / 2 (z(end) - z(start)),
 *
 * as Fn" does not rise. What the segments have spent before is added.
 */
#include "walk.h"

enum { WINDOW = JAGER_WINDOW, ENOUGH = 8 }; /* segments that are looked at, and how many of them may stay */

/* The path, upward: segment k ends in point k; point 0 is where the lowest segment starts. */
typedef struct polyline {
  int count; /* of segments */
  double zeta[WINDOW + 1], fn[WINDOW + 1], bend[WINDOW + 1];
  vec2 p[WINDOW + 1];
  double spent[WINDOW + 1]; /* up to a point */
} polyline;

/* Chords upward, the first of them number 1: chord k ends in point `end[k]` of the path. */
typedef struct chords {
  int count;
  int end[WINDOW + 1];
  double share[WINDOW + 1]; /* what it has spent by itself */
  double joint[WINDOW + 1]; /* what a chord over it and the next would have; negative: not known yet */
  double spent[WINDOW + 1]; /* up to its end */
  double room[WINDOW + 2];  /* by how much that may grow for this chord and all above */
} chords;

static void read_point(polyline *to, int k, double zeta, vec2 p, uint32_t spent)
{
  to->zeta[k] = zeta;
  to->p[k] = p;
  to->spent[k] = jager_whole(spent);
}

static void read_path(polyline *to, const jager_law *law, const jager_contact *c)
{
  int n = c->length - 1 < WINDOW ? (int)c->length - 1 : WINDOW;
  to->count = n;
  read_point(to, n, c->zeta, jager_vec2(c->p), c->spent);
  read_point(to, n - 1, c->zeta_base, jager_vec2(c->p_under), c->spent_under);
  const jager_node *node = c->node;
  unsigned fill = c->fill;
  for (int k = n - 2; k >= 0; k--) {
    if (!node) { /* the zeroth point of the history */
      read_point(to, k, 0.0, (vec2){0.0, 0.0}, 0);
      continue;
    }
    fill--;
    read_point(to, k, node->entry[fill].zeta, node->entry[fill].p, node->spent[fill]);
    if (fill == 0) {
      node = node->below;
      fill = JAGER_NODE_ENTRIES;
    }
  }
  for (int k = 0; k <= n; k++) {
    to->fn[k] = jager_normal_force(law, c->stiffness, to->zeta[k]);
    to->bend[k] = to->zeta[k] > 0.0 ? jager_normal_bend(law, to->zeta[k], to->fn[k]) : 0.0;
  }
}

/* Slope of the chord from one point of the path to another */
static vec2 slope_between(const polyline *of, int from, int to)
{
  vec2 way = {0.0, 0.0};
  for (int k = from + 1; k <= to; k++)
    way = jager_along(way, of->zeta[k] - of->zeta[k - 1], of->p[k]);
  double height = of->zeta[to] - of->zeta[from];
  return (vec2){way.x / height, way.y / height};
}

/* What the chord from one point of the path to another would have spent. At ζ = 0 there is nothing to spend. */
static double share_between(const polyline *of, int from, int to)
{
  if (!(of->zeta[from] > 0.0))
    return HUGE_VAL;
  vec2 slope = slope_between(of, from, to), off = {0.0, 0.0};
  double sum = of->spent[to] - of->spent[from], before = 0.0;
  for (int k = from + 1; k <= to; k++) {
    double height = of->zeta[k] - of->zeta[k - 1];
    off = jager_along(off, height, jager_along(of->p[k], -1.0, slope));
    double distance = k < to ? sqrt(jager_dot(off, off)) : 0.0;
    sum += 0.5 * (before + distance) * of->bend[k - 1] * height;
    before = distance;
  }
  return sum;
}

static void begin_chords(chords *to, const polyline *of)
{
  to->count = of->count;
  to->end[0] = 0;
  to->spent[0] = of->spent[0];
  for (int k = 1; k <= of->count; k++) {
    to->end[k] = k;
    to->share[k] = of->spent[k] - of->spent[k - 1];
    to->joint[k] = -1.0;
  }
}

static void add_up(chords *c, const polyline *of, double budget)
{
  for (int k = 1; k <= c->count; k++)
    c->spent[k] = c->spent[k - 1] + c->share[k];
  c->room[c->count + 1] = HUGE_VAL;
  for (int k = c->count; k > 0; k--) {
    double own = c->share[k] > 0.0 ? budget * of->fn[c->end[k - 1]] - c->spent[k] : HUGE_VAL;
    c->room[k] = jager_min(own, c->room[k + 1]);
  }
}

/* The chord that is best joined with the next: at least cost, within the budget, a force over Fn. 0: none. */
static int find_cheapest(chords *c, const polyline *of, double budget)
{
  int cheapest = 0;
  double least = HUGE_VAL;
  add_up(c, of, budget);
  for (int k = 1; k < c->count; k++) {
    if (c->joint[k] < 0.0)
      c->joint[k] = share_between(of, c->end[k - 1], c->end[k + 1]);
    double more = c->joint[k] - c->share[k] - c->share[k + 1];
    bool allowed = c->spent[k - 1] + c->joint[k] <= budget * of->fn[c->end[k - 1]] && more <= c->room[k + 2];
    if (allowed && more < least) {
      least = more;
      cheapest = k;
    }
  }
  return cheapest;
}

static void join(chords *c, int k)
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

/* The chords take the place of the path. Fewer segments than before need no more memory. */
static void write_chords(const jager_law *law, jager_pool *pool, jager_contact *c, const polyline *of, const chords *to)
{
  for (int k = 2; k < of->count; k++)
    (void)jager_pop(pool, c);
  c->length -= (uint32_t)(of->count - to->count);
  uint32_t spent = jager_half_above(of->spent[0]);
  for (int k = 1; k <= to->count; k++) {
    int start = to->end[k - 1], end = to->end[k];
    vec2 p = end - start == 1 ? of->p[end] : slope_between(of, start, end);
    spent = jager_half_above(jager_whole(spent) + to->share[k]);
    if (k == to->count) {
      jager_set_base(c, of->zeta[start], of->fn[start]);
      c->p[0] = p.x;
      c->p[1] = p.y;
      c->spent = spent;
    } else if (k == to->count - 1) {
      jager_set_under(c, p, of->zeta[start], of->fn[start]);
      c->spent_under = spent;
    } else {
      (void)jager_push(pool, c, (jager_entry){of->zeta[end], p}, spent);
    }
  }
  jager_sum_anchor(law, c);
}

JAGER_COLD void jager_shorten(const jager_law *law, jager_pool *pool, jager_contact *c)
{
  polyline old;
  chords new;
  const double budget = law->tolerance * law->friction;
  read_path(&old, law, c);
  begin_chords(&new, &old);
  for (int k; new.count > ENOUGH && (k = find_cheapest(&new, &old, budget)) > 0;)
    join(&new, k);
  if (new.count < old.count)
    write_chords(law, pool, c, &old, &new);
  c->fresh = 0;
}
